//! Vectors of four wheels.

use core::ops::{Add, Mul, Neg, Sub};

use glam::{Mat3, Vec3, Vec4};

use super::{LANES, Mask4, Pairs, W4, by_number, by_wheel, sums};

/// One vector for each of four wheels.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct V3x4 {
    /// First components.
    pub x: W4,
    /// Second components.
    pub y: W4,
    /// Third components.
    pub z: W4,
}

impl V3x4 {
    /// All lanes the zero vector.
    pub const ZERO: Self = Self {
        x: W4::ZERO,
        y: W4::ZERO,
        z: W4::ZERO,
    };

    /// Four lanes of one vector.
    #[inline]
    #[must_use]
    pub fn splat(v: Vec3) -> Self {
        Self {
            x: W4::splat(v.x),
            y: W4::splat(v.y),
            z: W4::splat(v.z),
        }
    }

    /// Four lanes of one vector. The `w` component is padding.
    #[inline]
    #[must_use]
    pub(crate) fn splat_lanes(v: Vec4) -> Self {
        Self::splat(v.truncate())
    }

    /// Lanes from an array, lane 0 first.
    #[inline]
    #[must_use]
    pub fn from_array(v: [Vec3; LANES]) -> Self {
        Self {
            x: W4::from_fn(|i| v[i].x),
            y: W4::from_fn(|i| v[i].y),
            z: W4::from_fn(|i| v[i].z),
        }
    }

    /// Lanes from an array of padded vectors, lane 0 first. The `w` components are padding.
    #[inline]
    #[must_use]
    pub(crate) fn from_lanes(v: [Vec4; LANES]) -> Self {
        let [x, y, z, _] = by_number(v);
        Self { x, y, z }
    }

    /// The vector in `lane`.
    ///
    /// # Panics
    /// If `lane >= 4`.
    #[inline]
    #[must_use]
    pub fn lane(self, lane: usize) -> Vec3 {
        Vec3::new(self.x.lane(lane), self.y.lane(lane), self.z.lane(lane))
    }

    /// Scalar product.
    #[inline]
    #[must_use]
    pub fn dot(self, o: Self) -> W4 {
        self.x * o.x + self.y * o.y + self.z * o.z
    }

    /// Vector product.
    #[inline]
    #[must_use]
    pub fn cross(self, o: Self) -> Self {
        Self {
            x: self.y * o.z - self.z * o.y,
            y: self.z * o.x - self.x * o.z,
            z: self.x * o.y - self.y * o.x,
        }
    }

    /// The rotation's inverse applied to every lane.
    #[inline]
    #[must_use]
    pub fn rotated_back(self, rotation: &Mat3) -> Self {
        // From the numbers where they are: put into lanes first, updates take longer.
        Self {
            x: self.dot(Self::splat(rotation.x_axis)),
            y: self.dot(Self::splat(rotation.y_axis)),
            z: self.dot(Self::splat(rotation.z_axis)),
        }
    }

    /// The vectors rotated by the inverse of a rotation with these columns, whose `w` components are padding.
    #[inline]
    #[must_use]
    pub(crate) fn rotated_back_by(self, columns: &[Vec4; 3]) -> Self {
        let [x, y, z] = columns.map(|column| self.dot(Self::splat_lanes(column)));
        Self { x, y, z }
    }

    /// The rotation applied to every lane.
    #[inline]
    #[must_use]
    pub fn rotated(self, rotation: &Mat3) -> Self {
        Self::splat(rotation.x_axis) * self.x
            + Self::splat(rotation.y_axis) * self.y
            + Self::splat(rotation.z_axis) * self.z
    }

    /// Lanes added in order: ((0 + 1) + 2) + 3.
    #[inline]
    #[must_use]
    pub fn sum(self) -> Vec3 {
        self.sum_in_lanes().truncate()
    }

    /// Lanes added in order, ((0 + 1) + 2) + 3. The `w` component is padding.
    #[inline]
    #[must_use]
    pub(crate) fn sum_in_lanes(self) -> Vec4 {
        sums([self.x, self.y, self.z, self.z])
    }

    /// Sum of the lanes, these `pairs` first, with a fourth lane, which counts for nothing.
    #[inline]
    #[must_use]
    pub(crate) fn sum_by(self, pairs: Pairs) -> Vec4 {
        pairs.sums([self.x, self.y, self.z, self.z])
    }

    /// The vector of each wheel.
    #[inline]
    #[must_use]
    pub fn to_array(self) -> [Vec3; LANES] {
        self.by_wheel().map(Vec4::truncate)
    }

    /// The vector of each wheel. The `w` components are padding.
    #[inline]
    pub(crate) fn by_wheel(self) -> [Vec4; LANES] {
        by_wheel([self.x, self.y, self.z, self.z])
    }

    /// The vector where `mask` is true, `other` elsewhere.
    #[inline]
    #[must_use]
    pub fn kept_or(self, mask: Mask4, other: Self) -> Self {
        Self {
            x: mask.select(self.x, other.x),
            y: mask.select(self.y, other.y),
            z: mask.select(self.z, other.z),
        }
    }

    /// The vector where `mask` is true, zero elsewhere.
    #[inline]
    #[must_use]
    pub fn kept(self, mask: Mask4) -> Self {
        Self {
            x: mask.keep(self.x),
            y: mask.keep(self.y),
            z: mask.keep(self.z),
        }
    }
}

impl Add for V3x4 {
    type Output = Self;
    #[inline]
    fn add(self, o: Self) -> Self {
        Self {
            x: self.x + o.x,
            y: self.y + o.y,
            z: self.z + o.z,
        }
    }
}

impl Sub for V3x4 {
    type Output = Self;
    #[inline]
    fn sub(self, o: Self) -> Self {
        Self {
            x: self.x - o.x,
            y: self.y - o.y,
            z: self.z - o.z,
        }
    }
}

impl Neg for V3x4 {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self {
            x: -self.x,
            y: -self.y,
            z: -self.z,
        }
    }
}

impl Mul<W4> for V3x4 {
    type Output = Self;
    #[inline]
    fn mul(self, s: W4) -> Self {
        Self {
            x: self.x * s,
            y: self.y * s,
            z: self.z * s,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn cross_is_perpendicular() {
        let a = V3x4::splat(Vec3::new(1.0, 2.0, 3.0));
        let b = V3x4::splat(Vec3::new(-4.0, 0.5, 2.0));
        assert_eq!(a.cross(b).dot(a).lane(0), 0.0);
        assert_eq!(a.cross(b).lane(2), Vec3::new(2.5, -14.0, 8.5));
    }

    fn vector() -> impl Strategy<Value = Vec3> {
        (-9.0_f32..9.0, -9.0_f32..9.0, -9.0_f32..9.0).prop_map(Vec3::from)
    }

    fn four() -> impl Strategy<Value = [Vec3; LANES]> {
        [vector(), vector(), vector(), vector()]
    }

    proptest! {
        /// Every function of four vectors is that of glam's, lane by lane, but for rounding.
        #[test]
        fn lanes_are_vectors(a in four(), b in four(), factors in [-9.0_f32..9.0, -9.0..9.0, -9.0..9.0, -9.0..9.0]) {
            let (x, y, s) = (V3x4::from_array(a), V3x4::from_array(b), W4::from_array(factors));
            let rotation = Mat3::from_cols(a[0], b[1], a[2]);
            let mask = Mask4::from_array([true, false, true, false]);
            for lane in 0..LANES {
                let (p, q) = (a[lane], b[lane]);
                let vectors = [
                    (x, p),
                    (x + y, p + q),
                    (x - y, p - q),
                    (-x, -p),
                    (x * s, p * factors[lane]),
                    (x.cross(y), p.cross(q)),
                    (x.rotated(&rotation), rotation * p),
                    (x.rotated_back(&rotation), rotation.transpose() * p),
                    (x.kept(mask), if lane % 2 == 0 { p } else { Vec3::ZERO }),
                    (V3x4::splat(b[2]), b[2]),
                ];
                for (n, (actual, expected)) in vectors.into_iter().enumerate() {
                    let off = (actual.lane(lane) - expected).length();
                    prop_assert!(off < 1e-4, "{n}: {off}");
                }
                prop_assert!((x.dot(y).lane(lane) - p.dot(q)).abs() < 1e-4);
            }
            prop_assert_eq!(x.sum(), a[0] + a[1] + a[2] + a[3]);
            prop_assert_eq!(x.to_array(), a);
        }
    }
}
