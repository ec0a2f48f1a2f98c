//! Scalar functions and rotations with the same bits on every platform.
//!
//! All transcendental functions of this project are here (`libm`), but for those of four angles at once (`lanes::angles`); no
//! multiplication is fused with an addition.
//! `glam`'s quaternion products are avoided, because they fuse on some targets.

use glam::{Mat3, Quat, Vec3, Vec4, Vec4Swizzles};

/// Square root; `NaN` for a negative argument.
#[inline]
#[must_use]
pub fn sqrt(x: f32) -> f32 {
    // The compiler picks the target's instruction, and for four numbers takes one. `libm::sqrtf`, and with it glam's, is one
    // of SSE in assembly, which stalls among those of AVX.
    #[cfg(feature = "std")]
    {
        x.sqrt()
    }
    #[cfg(not(feature = "std"))]
    {
        libm::sqrtf(x)
    }
}

/// The smaller of two numbers; `b` if either is `NaN`.
#[inline]
#[must_use]
pub fn lesser(a: f32, b: f32) -> f32 {
    if a < b { a } else { b }
}

/// The larger of two numbers; `b` if either is `NaN`.
#[inline]
#[must_use]
pub fn greater(a: f32, b: f32) -> f32 {
    if a > b { a } else { b }
}

/// Sine and cosine of an angle (`rad`).
#[inline]
#[must_use]
pub fn sin_cos(angle: f32) -> (f32, f32) {
    libm::sincosf(angle)
}

/// eˣ.
#[inline]
#[must_use]
pub fn exp(x: f32) -> f32 {
    libm::expf(x)
}

/// eˣ − 1, exact for small x, too.
#[inline]
#[must_use]
pub fn exp_m1(x: f32) -> f32 {
    libm::expm1f(x)
}

/// Tangent of an angle (`rad`).
#[inline]
#[must_use]
pub fn tan(angle: f32) -> f32 {
    libm::tanf(angle)
}

/// Remainder of `x` divided by `period`, with the sign of `x`.
#[inline]
#[must_use]
pub fn remainder(x: f32, period: f32) -> f32 {
    libm::fmodf(x, period)
}

/// The integer nearest to `x`.
#[inline]
#[must_use]
pub fn nearest(x: f32) -> f32 {
    libm::roundf(x)
}

/// Angle (`rad`) whose tangent is `x`, in (−π/2, π/2).
#[inline]
#[must_use]
pub fn atan(x: f32) -> f32 {
    libm::atanf(x)
}

/// Angle (`rad`) of the point `(x, y)` about the origin, −π…π, from the x axis; 0 at the origin.
#[inline]
#[must_use]
pub fn atan2(y: f32, x: f32) -> f32 {
    libm::atan2f(y, x)
}

/// Rotation matrix of a unit quaternion.
#[inline]
#[must_use]
pub fn matrix(q: Quat) -> Mat3 {
    let [x, y, z] = columns(q).map(Vec4::truncate);
    Mat3::from_cols(x, y, z)
}

/// The columns of a matrix in lanes; the fourth counts for nothing.
#[inline]
#[must_use]
pub(crate) fn columns_of(matrix: &Mat3) -> [Vec4; 3] {
    [matrix.x_axis, matrix.y_axis, matrix.z_axis].map(|column| column.extend(0.0))
}

/// The columns of [`matrix`] in lanes; the fourth counts for nothing. They need not go through memory.
#[inline]
#[must_use]
pub(crate) fn columns(q: Quat) -> [Vec4; 3] {
    let q = Vec4::from(q);
    let double = q + q;
    // 1 − yy − zz, 1 − xx − zz, 1 − xx − yy
    let diagonal = Vec4::ONE - q.yxxx() * double.yxxx() - q.zzyx() * double.zzyx();
    // xy ± wz, yz ± wx, xz ± wy
    let (product, spin) = (q.xyxx() * double.yzzx(), q.wwww() * double.zxyx());
    let (plus, minus) = (product + spin, product - spin);
    [
        Vec4::new(diagonal.x, plus.x, minus.z, minus.z),
        Vec4::new(minus.x, diagonal.y, plus.y, plus.y),
        Vec4::new(plus.z, minus.y, diagonal.z, diagonal.z),
    ]
}

/// The matrix times `v`, in lanes.
#[inline]
#[must_use]
pub fn rotated(matrix: &Mat3, v: Vec3) -> Vec3 {
    rotated_lanes(matrix, v.extend(0.0)).truncate()
}

/// The matrix times `v`, whose `w` component is padding.
#[inline]
#[must_use]
pub(crate) fn rotated_lanes(matrix: &Mat3, v: Vec4) -> Vec4 {
    let [a, b, c] = [matrix.x_axis, matrix.y_axis, matrix.z_axis];
    sum_of([a.extend(b.x), b.extend(c.x), c.extend(c.x)], v)
}

/// The transposed matrix times `v`, in lanes: the inverse of a rotation.
#[inline]
#[must_use]
pub fn rotated_back(matrix: &Mat3, v: Vec3) -> Vec3 {
    let [a, b, c] = [matrix.x_axis, matrix.y_axis, matrix.z_axis];
    let row = |of: fn(Vec3) -> f32| Vec4::new(of(a), of(b), of(c), of(c));
    sum_of([row(|v| v.x), row(|v| v.y), row(|v| v.z)], v.extend(0.0)).truncate()
}

/// The product of two matrices, in lanes.
#[inline]
#[must_use]
pub fn product(a: &Mat3, b: &Mat3) -> Mat3 {
    Mat3::from_cols(
        rotated(a, b.x_axis),
        rotated(a, b.y_axis),
        rotated(a, b.z_axis),
    )
}

/// The sum of three vectors, each times its component of `v`.
#[inline]
fn sum_of([a, b, c]: [Vec4; 3], v: Vec4) -> Vec4 {
    a * v.x + b * v.y + c * v.z
}

/// Quaternion product `a ∘ b`: first `b`, then `a`.
#[inline]
#[must_use]
pub fn compose(a: Quat, b: Quat) -> Quat {
    const LAST_NEGATIVE: Vec4 = Vec4::new(1.0, 1.0, 1.0, -1.0);
    let (a, b) = (Vec4::from(a), Vec4::from(b));
    // x: aw·bx + bw·ax + ay·bz − by·az, and so on; w: aw·bw − ax·bx − ay·by − az·bz
    Quat::from_vec4(
        a.wwww() * b + a.xyzx() * b.wwwx() * LAST_NEGATIVE + a.yzxy() * b.zxyy() * LAST_NEGATIVE
            - a.zxyz() * b.yzxz(),
    )
}

/// The quaternion scaled to unit length; a zero quaternion becomes the identity.
#[inline]
#[must_use]
pub fn unit(q: Quat) -> Quat {
    let q = Vec4::from(q);
    let [x, y, z, w] = (q * q).to_array();
    let square = x + y + z + w;
    if square > 0.0 {
        Quat::from_vec4(q * (1.0 / sqrt(square)))
    } else {
        Quat::IDENTITY
    }
}

/// The quaternion scaled to unit length, for quaternions of a length that is almost 1: the inverse is a series,
/// shorter than a root and a division.
///
/// ```text
/// 1/√(1 + e) = 1 − e/2 + 3e²/8 − …
/// ```
#[inline]
#[must_use]
pub fn renormalized(q: Quat) -> Quat {
    /// Excess of the square up to which the next term is below rounding.
    const SMALL: f32 = 2e-3;
    let [x, y, z, w] = (Vec4::from(q) * Vec4::from(q)).to_array();
    let excess = x + y + z + w - 1.0;
    if excess.abs() < SMALL {
        Quat::from_vec4(Vec4::from(q) * (1.0 - excess * (0.5 - 0.375 * excess)))
    } else {
        unit(q)
    }
}

/// Rotation by `angle` (`rad`) about the unit vector `axis`, right-handed.
#[inline]
#[must_use]
pub fn rotation_about(axis: Vec3, angle: f32) -> Quat {
    let (sin, cos) = sin_cos(0.5 * angle);
    Quat::from_xyzw(axis.x * sin, axis.y * sin, axis.z * sin, cos)
}

/// Rotates `q` by the angular velocity `w` (`rad/s`) for `dt` (`s`), along the exact arc.
#[must_use]
pub fn turn(q: Quat, w: Vec3, dt: f32) -> Quat {
    /// Square of the half angle up to which the series below is exact to rounding.
    const SMALL: f32 = 0.01;
    let half = 0.5 * dt;
    let square = w.dot(w) * half * half;
    let (sin_over_angle, cos) = if square < SMALL {
        (
            1.0 - square * (1.0 / 6.0 - square * (1.0 / 120.0)),
            1.0 - square * (0.5 - square * (1.0 / 24.0 - square * (1.0 / 720.0))),
        )
    } else {
        let angle = sqrt(square);
        let (sin, cos) = sin_cos(angle);
        (sin / angle, cos)
    };
    let v = w * (half * sin_over_angle);
    renormalized(compose(Quat::from_xyzw(v.x, v.y, v.z, cos), q))
}

/// The angular velocity (`rad/s`) that rotates `from` to `to` within `dt` (`s`), along the shorter arc.
#[must_use]
pub fn turned_by(from: Quat, to: Quat, dt: f32) -> Vec3 {
    let back = Quat::from_xyzw(-from.x, -from.y, -from.z, from.w);
    let q = compose(to, back);
    let (v, w) = if q.w < 0.0 {
        (-Vec3::new(q.x, q.y, q.z), -q.w)
    } else {
        (Vec3::new(q.x, q.y, q.z), q.w)
    };
    let square = v.dot(v);
    // asin(s)/s for small s; atan2 for others.
    let angle_over_sin = if square < 1e-3 {
        1.0 + square * (1.0 / 6.0 + square * (3.0 / 40.0))
    } else {
        let sin = sqrt(square);
        libm::atan2f(sin, w) / sin
    };
    v * (2.0 * angle_over_sin / dt)
}

/// Rotates `q` by the angular velocity `w` (`rad/s`) for `dt` (`s`), to first order: `unit(q + ½ dt (w, 0) ∘
/// q)` (ALGORITHMS §3.11).
#[inline]
#[must_use]
pub fn turn_first_order(q: Quat, w: Vec3, dt: f32) -> Quat {
    unit(turned_longer(q, w, dt))
}

/// Rotates `q` by the angular velocity `w` (`rad/s`) for `dt` (`s`), to first order, and [renormalizes](renormalized)
/// it: for callers that do not need PhysX's bits.
#[inline]
#[must_use]
pub fn turn_a_little(q: Quat, w: Vec3, dt: f32) -> Quat {
    renormalized(turned_longer(q, w, dt))
}

/// `q + ½ dt (w, 0) ∘ q`, which is longer than 1.
#[inline]
fn turned_longer(q: Quat, w: Vec3, dt: f32) -> Quat {
    let half = 0.5 * dt;
    let spin = compose(Quat::from_xyzw(w.x * half, w.y * half, w.z * half, 0.0), q);
    Quat::from_vec4(Vec4::from(q) + Vec4::from(spin))
}

/// `v` scaled to unit length; the zero vector stays zero.
#[inline]
#[must_use]
pub fn unit_or_zero(v: Vec3) -> Vec3 {
    let square = v.dot(v);
    if square > 0.0 {
        v * (1.0 / sqrt(square))
    } else {
        Vec3::ZERO
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use approx::assert_relative_eq;
    use glam::{DMat3, DQuat, DVec3};
    use proptest::prelude::*;

    #[test]
    fn matrix_and_composition_agree() {
        let a = rotation_about(Vec3::new(0.6, 0.0, 0.8), 0.7);
        let b = rotation_about(Vec3::new(0.0, 1.0, 0.0), -1.9);
        let v = Vec3::new(0.3, -2.0, 1.1);
        let together = matrix(compose(a, b)) * v;
        let apart = matrix(a) * (matrix(b) * v);
        assert_relative_eq!(together.x, apart.x, epsilon = 1e-5);
        assert_relative_eq!(together.y, apart.y, epsilon = 1e-5);
        assert_relative_eq!(together.z, apart.z, epsilon = 1e-5);
    }

    #[test]
    fn angular_velocities_are_recovered_from_rotations() {
        let q = rotation_about(Vec3::new(0.0, 0.6, 0.8), 2.1);
        for w in [
            Vec3::new(1e-4, -2e-4, 3e-5),
            Vec3::new(0.9, -2.0, 3.0),
            Vec3::new(20.0, 90.0, -60.0),
        ] {
            let actual = turned_by(q, turn(q, w, 0.02), 0.02);
            assert!(
                (actual - w).length() < 2e-5 + 1e-5 * w.length(),
                "{actual} {w}"
            );
        }
    }

    #[test]
    fn both_turns_agree_for_a_small_angle() {
        let q = rotation_about(Vec3::new(0.0, 0.6, 0.8), 0.4);
        let w = Vec3::new(0.1, -0.2, 0.3);
        let exact = turn(q, w, 0.01);
        let first = turn_first_order(q, w, 0.01);
        assert_relative_eq!(exact.x, first.x, epsilon = 1e-6);
        assert_relative_eq!(exact.w, first.w, epsilon = 1e-6);
    }

    #[test]
    fn degenerate_inputs_stay_finite() {
        assert_eq!(unit_or_zero(Vec3::ZERO), Vec3::ZERO);
        assert_eq!(unit(Quat::from_xyzw(0.0, 0.0, 0.0, 0.0)), Quat::IDENTITY);
        assert_eq!(turn(Quat::IDENTITY, Vec3::ZERO, 1.0), Quat::IDENTITY);
    }

    #[test]
    fn without_a_length_near_1_renormalizing_takes_the_root() {
        assert_eq!(renormalized(Quat::from_vec4(Vec4::ZERO)), Quat::IDENTITY);
        let long = Quat::from_xyzw(3.0, 0.0, 0.0, 4.0);
        assert_eq!(renormalized(long), unit(long));
    }

    fn vector(most: f32) -> impl Strategy<Value = Vec3> {
        (-1.0_f32..1.0, -1.0_f32..1.0, -1.0_f32..1.0).prop_map(move |v| Vec3::from(v) * most)
    }

    fn rotation() -> impl Strategy<Value = Quat> {
        (vector(1.0), -3.0_f32..3.0).prop_map(|(axis, angle)| {
            let q = DQuat::from_axis_angle(axis.as_dvec3().normalize_or(DVec3::Z), angle.into());
            unit(q.as_quat())
        })
    }

    /// How far two rotations are apart, whichever of its two quaternions each has.
    fn apart(a: Quat, b: DQuat) -> f64 {
        let a = a.as_dquat();
        (a - b).length().min((a + b).length())
    }

    proptest! {
        /// Lanes add in the order of the formulas: the same bits.
        #[test]
        fn lanes_are_formulas(a in rotation(), b in rotation(), v in vector(60.0)) {
            let m = matrix(a);
            prop_assert_eq!(rotated(&m, v), m * v);
            prop_assert_eq!(product(&m, &matrix(b)), m * matrix(b));
            let back = [m.x_axis, m.y_axis, m.z_axis].map(|axis| axis.dot(v));
            prop_assert_eq!(rotated_back(&m, v), Vec3::from(back));
            let (x, y, z, w) = (a.x + a.x, a.y + a.y, a.z + a.z, a.w);
            let diagonal = Vec3::new(
                1.0 - a.y * y - a.z * z,
                1.0 - a.x * x - a.z * z,
                1.0 - a.x * x - a.y * y,
            );
            prop_assert_eq!(Vec3::new(m.x_axis.x, m.y_axis.y, m.z_axis.z), diagonal);
            let below = Vec3::new(a.x * y + w * z, a.y * z + w * x, a.x * z - w * y);
            prop_assert_eq!(Vec3::new(m.x_axis.y, m.y_axis.z, m.x_axis.z), below);
            let both = compose(a, b);
            prop_assert_eq!(both.y, a.w * b.y + b.w * a.y + a.z * b.x - b.z * a.x);
            prop_assert_eq!(both.w, a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z);
        }

        /// The series is exact to rounding: that of the square, of the factor, and of the product.
        #[test]
        fn renormalizing_is_exact_to_rounding(q in rotation(), length in 0.998_f32..1.002) {
            let long = Quat::from_vec4(Vec4::from(q) * length);
            let off = renormalized(long).as_dquat() - long.as_dquat().normalize();
            prop_assert!(off.length() < 4.0 * f64::from(f32::EPSILON), "{off}");
        }

        /// glam's own functions, in double precision.
        #[test]
        fn rotations_are_those_of_glam(a in rotation(), b in rotation(), w in vector(60.0), dt in 1e-3_f32..0.05) {
            let (da, db, dw) = (a.as_dquat(), b.as_dquat(), w.as_dvec3());
            let off = matrix(a).as_dmat3() - DMat3::from_quat(da);
            prop_assert!(off.to_cols_array().iter().all(|x| x.abs() < 1e-6), "{off}");
            prop_assert!((compose(a, b).as_dquat() - da * db).length() < 1e-6);
            let step = DQuat::from_scaled_axis(dw * f64::from(dt));
            prop_assert!(apart(turn(a, w, dt), step * da) < 1e-6);
            let slow = DQuat::from_scaled_axis(dw * f64::from(dt) * 0.1);
            prop_assert!(apart(turn(a, w * 0.1, dt), slow * da) < 1e-6);
            let (axis, half) = (dw.normalize_or(DVec3::X), 0.5 * dw.length() * f64::from(dt));
            let first = DQuat::from_xyzw(axis.x * half, axis.y * half, axis.z * half, 1.0);
            prop_assert!(apart(turn_first_order(a, w, dt), (first * da).normalize()) < 1e-6);
        }

        /// Along the shorter arc, whichever quaternions stand for the rotations.
        #[test]
        fn angular_velocity_does_not_depend_on_quaternion_signs(
            a in rotation(), w in vector(90.0), slower in 0.0_f32..1.0, dt in 5e-3_f32..0.02, turned in any::<bool>(),
        ) {
            let w = w * slower;
            let mut b = turn(a, w, dt);
            if turned {
                b = Quat::from_xyzw(-b.x, -b.y, -b.z, -b.w);
            }
            let actual = turned_by(a, b, dt);
            // Quaternions are rounded to some 1e-7 each.
            prop_assert!((actual - w).length() * dt < 2e-6, "{actual} {w}");
        }

        #[test]
        fn unit_keeps_the_direction(v in vector(50.0), w in -3.0_f32..3.0) {
            prop_assume!(v.length() > 1e-3);
            let actual = unit_or_zero(v);
            prop_assert!((actual.length() - 1.0).abs() < 1e-6);
            prop_assert!((actual * v.length() - v).length() < 1e-4);
            let q = Quat::from_xyzw(v.x, v.y, v.z, w);
            let actual = unit(q);
            prop_assert!((actual.length() - 1.0).abs() < 1e-6);
            prop_assert!((actual * q.length() - q).length() < 1e-4);
        }
    }

    /// Rotations from the unit quaternion are recovered with no other rounding than their own.
    #[test]
    fn small_rotations_are_recovered_to_seven_digits() {
        let axis = DVec3::new(0.36, -0.48, 0.8);
        for n in 1..200 {
            let angle = 1e-3 * f64::from(n);
            let to = DQuat::from_axis_angle(axis, angle).as_quat();
            let actual = turned_by(Quat::IDENTITY, to, 0.5).as_dvec3() * 0.5;
            assert!((actual - axis * angle).length() < 5e-7 * angle, "{angle}");
        }
    }

    #[test]
    fn lesser_and_greater_return_b_for_nan() {
        for (a, b) in [(1.0, 2.0), (2.0, 1.0), (-1.0, -3.0), (0.5, 0.5)] {
            assert_eq!(
                (lesser(a, b), greater(a, b)),
                (f32::min(a, b), f32::max(a, b))
            );
        }
        assert_eq!((lesser(f32::NAN, 1.0), greater(f32::NAN, 1.0)), (1.0, 1.0));
    }

    #[test]
    fn scalar_functions_are_those_of_double_precision() {
        for n in -40..=40 {
            let x = 0.07 * n as f32;
            let d = f64::from(x);
            let pairs = [
                (sqrt(x.abs()), libm::sqrt(d.abs())),
                (sin_cos(x).0, libm::sin(d)),
                (sin_cos(x).1, libm::cos(d)),
                (exp(x), libm::exp(d)),
                (tan(0.5 * x), libm::tan(0.5 * d)),
                (atan(x), libm::atan(d)),
                (remainder(x, 0.5), libm::fmod(d, 0.5)),
                (nearest(x), libm::round(d)),
            ];
            for (actual, expected) in pairs {
                let off = (f64::from(actual) - expected).abs();
                assert!(
                    off < 1e-5 * (1.0 + expected.abs()),
                    "{x}: {actual} {expected}"
                );
            }
        }
    }
}
