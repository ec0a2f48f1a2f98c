//! Inertia tensors: from moments and products, in principal axes, inverted.
//!
//! A product of inertia is Ixy = ∫ x·y dm; the tensor has its negative off the diagonal, so that the angular
//! momentum is the tensor times the angular velocity (H. Goldstein, C. Poole, J. Safko, *Classical Mechanics*, 3rd
//! ed., §5.3; T. D. Gillespie, *Fundamentals of Vehicle Dynamics*, SAE 1992, has Ixz so). Axes are the vehicle's
//! (ISO 8855), about the center of mass.

use glam::{Mat3, Quat, Vec3};

use crate::base::frame;
use crate::base::math;

/// Least part of the greatest principal moment that single precision tells from none (–).
const LEAST: f32 = 1e-5;
/// Part of the greatest entry by which two mirrored ones may differ (–): what a rotation in single precision leaves.
const ROUNDING: f32 = 1e-5;
/// Rounds over the three entries off the diagonal: each squares what the one before has left, and six are enough for
/// any tensor in double precision.
const ROUNDS: u32 = 8;

/// The tensor (`kg·m²`) of moments about x, y, z and products xy, xz, yz (`kg·m²`).
#[must_use]
pub const fn tensor(moments: Vec3, products: [f32; 3]) -> Mat3 {
    // Subtracted, so that none leaves +0.
    let [xy, xz, yz] = [0.0 - products[0], 0.0 - products[1], 0.0 - products[2]];
    Mat3::from_cols(
        Vec3::new(moments.x, xy, xz),
        Vec3::new(xy, moments.y, yz),
        Vec3::new(xz, yz, moments.z),
    )
}

/// Moments about x, y, z and products xy, xz, yz of a symmetric tensor; the opposite of [`tensor`].
#[must_use]
pub fn moments_and_products(tensor: Mat3) -> (Vec3, [f32; 3]) {
    let products = [tensor.y_axis.x, tensor.z_axis.x, tensor.z_axis.y];
    (tensor.diagonal(), products.map(|product| 0.0 - product))
}

/// The tensor (`kg·m²`) of a mass (`kg`) at a point (`m`) about the origin: what an axis moves by is that of its whole mass
/// (Steiner's theorem).
#[must_use]
pub fn of_point(mass: f32, at: Vec3) -> Mat3 {
    let square = at * at;
    let moments = Vec3::splat(square.element_sum()) - square;
    tensor(
        moments * mass,
        [at.x * at.y, at.x * at.z, at.y * at.z].map(|product| product * mass),
    )
}

/// Principal moments (`kg·m²`) of a symmetric tensor, and the rotation of its principal axes into its own axes.
///
/// A diagonal tensor has its own axes, bit for bit; others keep their order, each axis within 45° of where it was
/// (Jacobi's method: G. H. Golub, C. F. Van Loan, *Matrix Computations*, 4th ed., §8.5).
#[must_use]
pub fn principal(tensor: Mat3) -> (Vec3, Quat) {
    let mut left = tensor.as_dmat3().to_cols_array_2d();
    let mut axes = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    for _ in 0..ROUNDS {
        for (p, q) in [(0, 1), (0, 2), (1, 2)] {
            if left[p][q] != 0.0 {
                rotate(&mut left, &mut axes, p, q);
            }
        }
    }
    let moments = Vec3::new(left[0][0] as f32, left[1][1] as f32, left[2][2] as f32);
    let axes = Mat3::from_cols_array_2d(&axes.map(|axis| axis.map(|x| x as f32)));
    (moments, math::unit(frame::quaternion(&axes)))
}

/// Turns axes `p` and `q`, given as rows, so that the tensor's entry of both becomes 0.
fn rotate(tensor: &mut [[f64; 3]; 3], axes: &mut [[f64; 3]; 3], p: usize, q: usize) {
    let half = (tensor[q][q] - tensor[p][p]) / (2.0 * tensor[p][q]);
    let size = half.abs() + libm::sqrt(half * half + 1.0);
    let tan = if half < 0.0 { -1.0 / size } else { 1.0 / size };
    let cos = 1.0 / libm::sqrt(tan * tan + 1.0);
    let sin = tan * cos;
    let shift = tan * tensor[p][q];
    tensor[p][p] -= shift;
    tensor[q][q] += shift;
    tensor[p][q] = 0.0;
    tensor[q][p] = 0.0;
    let r = 3 - p - q;
    let (of_p, of_q) = (tensor[r][p], tensor[r][q]);
    tensor[r][p] = cos * of_p - sin * of_q;
    tensor[r][q] = sin * of_p + cos * of_q;
    tensor[p][r] = tensor[r][p];
    tensor[q][r] = tensor[r][q];
    let (of_p, of_q) = (axes[p], axes[q]);
    axes[p] = core::array::from_fn(|n| cos * of_p[n] - sin * of_q[n]);
    axes[q] = core::array::from_fn(|n| sin * of_p[n] + cos * of_q[n]);
}

/// The tensor with these principal moments along these principal axes; the opposite of [`principal`].
#[must_use]
pub fn along(moments: Vec3, axes: Quat) -> Mat3 {
    let axes = math::matrix(axes);
    axes * Mat3::from_diagonal(moments) * axes.transpose()
}

/// The inverse (`1/(kg·m²)`) of a [sound](is_sound) tensor.
#[must_use]
pub fn inverse(tensor: Mat3) -> Mat3 {
    let (moments, axes) = principal(tensor);
    along(Vec3::ONE / moments, axes)
}

/// Whether a tensor is finite, symmetric and positive definite: every principal moment is > 0 and, unless the
/// tensor is diagonal, large enough that its inverse is more than rounding.
#[must_use]
pub fn is_sound(tensor: Mat3) -> bool {
    let (moments, axes) = principal(tensor);
    let skew = tensor - tensor.transpose();
    let most = |m: Mat3| {
        m.to_cols_array()
            .into_iter()
            .map(f32::abs)
            .fold(0.0, f32::max)
    };
    let least = if axes == Quat::IDENTITY { 0.0 } else { LEAST };
    tensor.is_finite()
        && most(skew) <= ROUNDING * most(tensor)
        && moments.min_element() > least * moments.max_element()
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::{DMat3, DQuat, DVec3};
    use proptest::prelude::*;
    use rstest::rstest;

    const CAR: Vec3 = Vec3::new(560.0, 2400.0, 2650.0);

    /// The largest entry.
    fn most(m: Mat3) -> f32 {
        m.to_cols_array()
            .into_iter()
            .map(f32::abs)
            .fold(0.0, f32::max)
    }

    /// Against the angular momentum r × (ω × r)·m of a mass ahead, to the right, above.
    #[test]
    fn products_have_the_sign_of_their_integrals() {
        let (mass, at) = (20.0, DVec3::new(1.0, -0.25, 0.5));
        let tensor = of_point(mass as f32, at.as_vec3());
        let (moments, products) = moments_and_products(tensor);
        assert_eq!(products, [-5.0, 10.0, -2.5]);
        assert_eq!(super::tensor(moments, products), tensor);
        for spin in [DVec3::X, DVec3::Y, DVec3::new(0.3, -2.0, 1.0)] {
            let momentum = mass * at.cross(spin.cross(at));
            let actual = (tensor * spin.as_vec3()).as_dvec3();
            assert!((actual - momentum).length() < 1e-5, "{actual} {momentum}");
        }
        assert_eq!(tensor, tensor.transpose());
    }

    /// A diagonal tensor has its own moments, to the bit: cars without products keep their results.
    #[test]
    fn a_diagonal_tensor_is_its_own() {
        let diagonal = tensor(CAR, [0.0; 3]);
        assert_eq!(diagonal, Mat3::from_diagonal(CAR));
        assert_eq!(principal(diagonal), (CAR, Quat::IDENTITY));
        assert_eq!(along(CAR, Quat::IDENTITY), diagonal);
        assert_eq!(inverse(diagonal), Mat3::from_diagonal(Vec3::ONE / CAR));
    }

    /// The roll axis in a plane of symmetry is inclined by tan 2θ = 2·Ixz/(Izz − Ixx), in closed form; a positive product raises the x axis.
    #[rstest]
    #[case(90.0)]
    #[case(-90.0)]
    #[case(1200.0)]
    fn the_roll_axis_is_inclined_as_its_product_says(#[case] xz: f32) {
        let (moments, axes) = principal(tensor(CAR, [0.0, xz, 0.0]));
        let inclination = 0.5 * libm::atanf(2.0 * xz / (CAR.z - CAR.x));
        let (sin, cos) = math::sin_cos(inclination);
        let roll = math::matrix(axes).x_axis;
        assert!((roll - Vec3::new(cos, 0.0, sin)).length() < 1e-6, "{roll}");
        let (middle, half) = (0.5 * (CAR.x + CAR.z), 0.5 * (CAR.z - CAR.x));
        let radius = math::sqrt(half * half + xz * xz);
        let expected = Vec3::new(middle - radius, CAR.y, middle + radius);
        assert!((moments - expected).length() < 1e-3, "{moments} {expected}");
    }

    #[rstest]
    #[case::car(tensor(CAR, [0.0; 3]), true)]
    #[case::products(tensor(CAR, [20.0, 100.0, -30.0]), true)]
    #[case::needle(tensor(Vec3::new(1e-9, 1.0, 1.0), [0.0; 3]), true)]
    #[case::none(Mat3::ZERO, false)]
    #[case::negative(tensor(Vec3::new(560.0, -1.0, 2650.0), [0.0; 3]), false)]
    #[case::too_large(tensor(CAR, [0.0, 1220.0, 0.0]), false)]
    #[case::on_the_edge(tensor(Vec3::ONE, [1.0, 0.0, 0.0]), false)]
    #[case::all_three(tensor(Vec3::splat(100.0), [60.0, 60.0, 60.0]), false)]
    #[case::all_three_but_one_direction(tensor(Vec3::splat(100.0), [-60.0, 60.0, 60.0]), true)]
    #[case::nan(tensor(CAR, [0.0, f32::NAN, 0.0]), false)]
    #[case::endless(tensor(CAR, [f32::INFINITY, 0.0, 0.0]), false)]
    #[case::nan_moment(tensor(Vec3::new(f32::NAN, 1.0, 1.0), [0.0; 3]), false)]
    #[case::skew(Mat3::from_cols_array(&[1.0, 0.1, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0]), false)]
    fn soundness(#[case] tensor: Mat3, #[case] sound: bool) {
        assert_eq!(is_sound(tensor), sound);
    }

    proptest! {
        /// Any tensor, turned any way, alike moments included: it is found again, and its inverse is one.
        #[test]
        fn principal_axes_give_the_tensor_again(
            moments in prop::array::uniform3(1f32..5000.0), alike in any::<bool>(),
            axis in prop::array::uniform3(-1f64..1.0), angle in -3.0f64..3.0,
        ) {
            let mut moments = DVec3::from(moments.map(f64::from));
            if alike {
                moments.y = moments.x;
            }
            let axis = DVec3::from(axis).normalize_or(DVec3::X);
            let turned = DMat3::from_quat(DQuat::from_axis_angle(axis, angle));
            let tensor = (turned * DMat3::from_diagonal(moments) * turned.transpose()).as_mat3();
            let (actual, axes) = principal(tensor);
            prop_assert!((axes.length() - 1.0).abs() < 1e-6);
            prop_assert!(most(along(actual, axes) - tensor) < 2e-6 * most(tensor));
            prop_assert!(is_sound(tensor) == (moments.min_element() > 1e-5 * moments.max_element()));
            let unity = inverse(tensor).as_dmat3() * tensor.as_dmat3();
            let spread = (moments.max_element() / moments.min_element()) as f32;
            prop_assert!(most((unity - DMat3::IDENTITY).as_mat3()) < 1e-5 * spread, "{unity}");
        }

        /// Seen in a mirror, left for right: xy and yz change their sign, xz does not, and the principal moments
        /// are the same.
        #[test]
        fn a_mirror_image_has_the_same_moments(
            xy in -200f32..200.0, xz in -200f32..200.0, yz in -200f32..200.0,
        ) {
            let (moments, _) = principal(tensor(CAR, [xy, xz, yz]));
            let (mirrored, _) = principal(tensor(CAR, [-xy, xz, -yz]));
            prop_assert!((moments - mirrored).length() < 1e-3);
        }
    }
}
