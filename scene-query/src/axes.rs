//! A ground's forward, left and up axes.

use glam::DVec3;
use vehicle_core::Fault;
use vehicle_core::frame::Axis;

/// A ground's own axes x (forward), y (left) and z (up), each along a world axis, so that grounds
/// work in worlds with any up axis. Conversion permutes and negates coordinates and is exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Axes {
    forward: Axis,
    left: Axis,
    up: Axis,
}

impl Axes {
    /// Forward x, left y, up z: the vehicle frame.
    pub const Z_UP: Self = Self {
        forward: Axis::X,
        left: Axis::Y,
        up: Axis::Z,
    };
    /// Forward z, left x, up y.
    pub const Y_UP: Self = Self {
        forward: Axis::Z,
        left: Axis::X,
        up: Axis::Y,
    };

    /// Axes from forward and up; left is up × forward.
    ///
    /// # Errors
    /// If the two are parallel.
    pub fn new(forward: Axis, up: Axis) -> Result<Self, Fault> {
        const ALL: [Axis; 6] = [
            Axis::X,
            Axis::Y,
            Axis::Z,
            Axis::NegX,
            Axis::NegY,
            Axis::NegZ,
        ];
        let left = up.unit().cross(forward.unit());
        ALL.into_iter()
            .find(|axis| axis.unit() == left)
            .map(|left| Self { forward, left, up })
            .ok_or_else(|| up.parallel_to(forward))
    }

    /// Axes for a world with the up axis `up`. Forward is the next positive axis in the cycle x, y,
    /// z, x: x for up z, z for up y, y for up x (and the same for their negatives).
    #[must_use]
    pub const fn up(up: Axis) -> Self {
        let (forward, left) = match up {
            Axis::X => (Axis::Y, Axis::Z),
            Axis::Y => (Axis::Z, Axis::X),
            Axis::Z => (Axis::X, Axis::Y),
            Axis::NegX => (Axis::Y, Axis::NegZ),
            Axis::NegY => (Axis::Z, Axis::NegX),
            Axis::NegZ => (Axis::X, Axis::NegY),
        };
        Self { forward, left, up }
    }

    /// The world axis that is this ground's x.
    #[must_use]
    pub const fn forward_axis(&self) -> Axis {
        self.forward
    }

    /// The world axis that is this ground's z.
    #[must_use]
    pub const fn up_axis(&self) -> Axis {
        self.up
    }

    /// Converts a world vector to this ground's axes.
    #[must_use]
    pub fn to_local(&self, world: DVec3) -> DVec3 {
        DVec3::new(
            along(world, self.forward),
            along(world, self.left),
            along(world, self.up),
        )
    }

    /// Converts a vector in this ground's axes to world axes.
    #[must_use]
    pub fn to_world(&self, local: DVec3) -> DVec3 {
        let unit = |axis: Axis| axis.unit().as_dvec3();
        // Each component has only one nonzero term.
        unit(self.forward) * local.x + unit(self.left) * local.y + unit(self.up) * local.z
    }
}

/// The component of `v` along a signed axis.
const fn along(v: DVec3, axis: Axis) -> f64 {
    match axis {
        Axis::X => v.x,
        Axis::Y => v.y,
        Axis::Z => v.z,
        Axis::NegX => -v.x,
        Axis::NegY => -v.y,
        Axis::NegZ => -v.z,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    #[rstest]
    fn axes_are_right_handed_and_exact(
        #[values(Axis::X, Axis::Y, Axis::Z, Axis::NegX, Axis::NegY, Axis::NegZ)] up: Axis,
    ) {
        let axes = Axes::up(up);
        assert_eq!(Axes::new(axes.forward_axis(), up), Ok(axes));
        let v = DVec3::new(1.1, -2.3, 3.7);
        assert_eq!(axes.to_world(axes.to_local(v)), v);
        assert_eq!(axes.to_local(up.unit().as_dvec3()), DVec3::Z);
        let x = axes.to_world(DVec3::X);
        assert_eq!(x.cross(axes.to_world(DVec3::Y)), axes.to_world(DVec3::Z));
    }

    #[test]
    fn named_axes_are_the_default_ones() {
        assert_eq!(Axes::up(Axis::Z), Axes::Z_UP);
        assert_eq!(Axes::up(Axis::Y), Axes::Y_UP);
        assert!(Axes::new(Axis::Y, Axis::NegY).is_err());
    }
}
