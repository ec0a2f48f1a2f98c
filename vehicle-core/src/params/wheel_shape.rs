//! Shapes of wheels for sweeps, and their contact points with planes.

use glam::Vec3;

use crate::base::lanes::{V3x4, W4};

/// Kinds of wheel shapes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum ShapeKind {
    /// A flat tread with sharp shoulders.
    #[default]
    Cylinder,
    /// A sphere; the width is not used.
    Sphere,
    /// A cylinder with a hemisphere on each side, which adds the radius to the half width.
    Capsule,
    /// A disc with a round rim as wide as the wheel: the hull of a torus (seed 003, "Torus Shape").
    RoundedDisc,
}

/// A wheel for sweeps. Its axis is the axle; it is symmetric about the axle and about its middle plane.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub struct WheelShape {
    /// Kind of shape.
    pub kind: ShapeKind,
    /// Maximum radius about the axle (`m`), > 0.
    pub radius: f32,
    /// Half width (`m`), > 0; for a capsule, of the part between the hemispheres.
    pub half_width: f32,
}

/// Contact points of four wheels with planes, from their centers (`m`).
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Lowest {
    /// The contact point, moved to the middle plane for shapes with an edge or a line of contact.
    pub(crate) middle: V3x4,
    /// Offset along the axle to the shoulder that touches first.
    pub(crate) aside: V3x4,
}

impl WheelShape {
    /// Radius (`m`) and half width (`m`) of the rim of a rounded disc: the disc's own part and the rounding.
    #[must_use]
    pub fn disc_and_rim(&self) -> (f32, f32) {
        let rim = self.half_width.min(self.radius);
        (self.radius - rim, rim)
    }

    /// Whether the numbers of the shape define one.
    #[must_use]
    pub fn is_sound(&self) -> bool {
        let good = |x: f32| x > 0.0 && x.is_finite();
        good(self.radius) && good(self.half_width)
    }

    /// The point of the shape farthest against the unit vector `normal`, from its center (`m`).
    #[must_use]
    pub fn lowest(&self, normal: Vec3, axle: Vec3) -> Vec3 {
        let (normal, axle) = (V3x4::splat(normal), V3x4::splat(axle));
        let (radius, half_width) = (W4::splat(self.radius), W4::splat(self.half_width));
        let lowest = self.kind.lowest(radius, half_width, normal, axle);
        (lowest.middle + lowest.aside).lane(0)
    }
}

impl ShapeKind {
    /// Contact of four wheels of one kind with planes of these unit normals (ALGORITHMS §3.3 steps 2–6 for the
    /// cylinder).
    #[must_use]
    pub(crate) fn lowest(self, radius: W4, half_width: W4, normal: V3x4, axle: V3x4) -> Lowest {
        let along = normal.dot(axle);
        let (sign, in_plane) = (along.sign(), normal - axle * along);
        let length = in_plane.dot(in_plane).sqrt();
        // A wheel that lies on its side has no lowest point of the rim: its center is used.
        let upright = length.gt(W4::splat(1e-6));
        let radial = (in_plane * (W4::ONE / upright.select(length, W4::ONE))).kept(upright);
        let shoulder = -(axle * (sign * half_width));
        let (middle, aside) = match self {
            Self::Cylinder => (-(radial * radius), shoulder),
            Self::Sphere => (-(normal * radius), V3x4::ZERO),
            Self::Capsule => (-(normal * radius), shoulder),
            Self::RoundedDisc => {
                let rim = half_width.min(radius);
                (-(radial * (radius - rim) + normal * rim), V3x4::ZERO)
            }
        };
        Lowest { middle, aside }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use rstest::rstest;

    const SLANT: Vec3 = Vec3::new(0.0, 0.6, 0.8);

    fn shape(kind: ShapeKind) -> WheelShape {
        WheelShape {
            kind,
            radius: 0.4,
            half_width: 0.1,
        }
    }

    /// The axle is y, the ground rises to the right or stands in front.
    #[rstest]
    #[case(ShapeKind::Cylinder, Vec3::Z, Vec3::new(0.0, 0.0, -0.4))]
    #[case(ShapeKind::Cylinder, SLANT, Vec3::new(0.0, -0.1, -0.4))]
    #[case(ShapeKind::Cylinder, Vec3::NEG_X, Vec3::new(0.4, 0.0, 0.0))]
    #[case(ShapeKind::Cylinder, Vec3::Y, Vec3::new(0.0, -0.1, 0.0))]
    #[case(ShapeKind::Sphere, SLANT, Vec3::new(0.0, -0.24, -0.32))]
    #[case(ShapeKind::Capsule, SLANT, Vec3::new(0.0, -0.34, -0.32))]
    #[case(ShapeKind::RoundedDisc, SLANT, Vec3::new(0.0, -0.06, -0.38))]
    #[case(ShapeKind::RoundedDisc, Vec3::Z, Vec3::new(0.0, 0.0, -0.4))]
    fn touching_points(#[case] kind: ShapeKind, #[case] normal: Vec3, #[case] point: Vec3) {
        let lowest = shape(kind).lowest(normal, Vec3::Y);
        assert!((lowest - point).length() < 1e-6, "{lowest}");
        let reversed = shape(kind).lowest(normal, Vec3::NEG_Y);
        assert!((reversed - point).length() < 1e-6, "{reversed}");
    }

    fn direction() -> impl Strategy<Value = Vec3> {
        let part = || -1.0_f32..1.0;
        let direction = |v: (f32, f32, f32)| Vec3::from(v).try_normalize();
        (part(), part(), part()).prop_filter_map("a direction", direction)
    }

    proptest! {
        /// How far each shape reaches against a direction, by what it is made of; and the point is one of it.
        #[test]
        fn shapes_extend_as_far_as_their_parts(
            normal in direction(), axle in direction(), radius in 0.1_f32..1.0, half_width in 0.05_f32..1.2,
        ) {
            let along = normal.dot(axle).abs();
            let across = normal.cross(axle).length();
            prop_assume!(across > 1e-3);
            let rim = half_width.min(radius);
            for (kind, reach) in [
                (ShapeKind::Cylinder, radius * across + half_width * along),
                (ShapeKind::Sphere, radius),
                (ShapeKind::Capsule, radius + half_width * along),
                (ShapeKind::RoundedDisc, (radius - rim) * across + rim),
            ] {
                let shape = WheelShape { kind, radius, half_width };
                prop_assert_eq!(shape.disc_and_rim(), (radius - rim, rim));
                let lowest = shape.lowest(normal, axle);
                prop_assert!((normal.dot(lowest) + reach).abs() < 1e-4, "{kind:?}: {lowest}");
                let aside = lowest.dot(axle).abs();
                let out = (lowest - axle * lowest.dot(axle)).length();
                let within = match kind {
                    ShapeKind::Cylinder => out < radius + 1e-4 && aside < half_width + 1e-4,
                    ShapeKind::Sphere => lowest.length() < radius + 1e-4,
                    ShapeKind::Capsule => {
                        let beyond = (aside - half_width).max(0.0);
                        out * out + beyond * beyond < (radius + 1e-4) * (radius + 1e-4)
                    }
                    ShapeKind::RoundedDisc => {
                        let beyond = (out - (radius - rim)).max(0.0);
                        beyond * beyond + aside * aside < (rim + 1e-4) * (rim + 1e-4)
                    }
                };
                prop_assert!(within, "{kind:?}: {lowest}");
            }
        }
    }

    #[test]
    fn a_shape_has_a_radius_and_a_width() {
        for (radius, half_width, sound) in [
            (0.4, 0.1, true),
            (0.0, 0.1, false),
            (0.4, 0.0, false),
            (-0.4, 0.1, false),
            (0.4, f32::INFINITY, false),
            (f32::NAN, 0.1, false),
        ] {
            let shape = WheelShape {
                kind: ShapeKind::Sphere,
                radius,
                half_width,
            };
            assert_eq!(shape.is_sound(), sound, "{shape:?}");
        }
    }
}
