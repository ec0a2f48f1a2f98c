use super::*;
use crate::base::lanes::Mask4;
use crate::base::math;
use crate::base::velocity::Velocity;
use glam::{DMat3, DVec3, Mat3, Quat, Vec3};
use proptest::prelude::*;

/// A chassis with rows forward and to the left at four wheels.
#[derive(Clone, Debug)]
struct Case {
    directions: [[Vec3; LANES]; 2],
    points: [Vec3; LANES],
    inverse_mass: f32,
    inverse_inertia: Mat3,
}

fn vector(size: f32) -> impl Strategy<Value = Vec3> {
    prop::array::uniform3(-size..size).prop_map(Vec3::from)
}

prop_compose! {
    fn cases()(
        directions in prop::array::uniform2(prop::array::uniform4(vector(1.0))),
        points in prop::array::uniform4(vector(3.0)),
        mass in 100f32..10_000.0,
        principal in prop::array::uniform3(100f32..10_000.0),
        axes in prop::array::uniform4(-1f32..1.0),
    ) -> Case {
        let [x, y, z, w] = axes;
        let turned = math::matrix(math::unit(Quat::from_xyzw(x, y, z, w)));
        let principal = Mat3::from_diagonal(Vec3::from(principal.map(|i| 1.0 / i)));
        Case {
            directions: directions.map(|kind| kind.map(math::unit_or_zero)),
            points,
            inverse_mass: 1.0 / mass,
            inverse_inertia: turned * principal * turned.transpose(),
        }
    }
}

impl Case {
    fn block(&self, ground: [W4; 2], impulses: [W4; 2]) -> RowBlock<2> {
        let points = V3x4::from_array(self.points);
        let jacobian = self
            .directions
            .map(|d| Jacobian::new(V3x4::from_array(d), points, &self.inverse_inertia));
        let mut block = RowBlock {
            jacobian,
            ..RowBlock::default()
        };
        block.prepare(ground, impulses, self.inverse_mass);
        block
    }

    /// Row of J: direction and arm.
    fn row(&self, kind: usize, lane: usize) -> (DVec3, DVec3) {
        let direction = self.directions[kind][lane].as_dvec3();
        (direction, self.points[lane].as_dvec3().cross(direction))
    }

    fn inertia(&self) -> DMat3 {
        self.inverse_inertia.as_dmat3()
    }

    /// M⁻¹ Jᵀ p.
    fn change(&self, impulses: &[[f32; LANES]; 2]) -> (DVec3, DVec3) {
        let (mut linear, mut angular) = (DVec3::ZERO, DVec3::ZERO);
        for (kind, impulses) in impulses.iter().enumerate() {
            for (lane, impulse) in impulses.iter().enumerate() {
                let (direction, arm) = self.row(kind, lane);
                linear += direction * f64::from(*impulse) * f64::from(self.inverse_mass);
                angular += self.inertia() * arm * f64::from(*impulse);
            }
        }
        (linear, angular)
    }

    /// Largest element of A for this chassis (`1/kg`), which bounds the rounding errors.
    fn scale(&self) -> f32 {
        let arm = self.points.iter().map(|p| p.length()).fold(0.0, f32::max);
        let turning = self.inverse_inertia.to_cols_array();
        let turning = turning.iter().fold(0.0, |a: f32, b| a.max(b.abs()));
        self.inverse_mass + 3.0 * turning * arm * arm
    }
}

/// Sets the impulse of one row (`N·s`).
fn set(block: &mut RowBlock<2>, kind: usize, lane: usize, impulse: f32) {
    let axle = AxleWheels {
        lanes: [lane as u8, (lane as u8 + 1) % 4],
        wheels: Mask4::only(lane),
    };
    let mut impulses = block.impulses;
    impulses[kind] = W4::splat(impulse);
    block.set(axle, impulses);
}

/// Rounding of the dozen operations behind an element of A, each half of 1.2e-7.
const ROUNDING: f32 = 2e-6;

proptest! {
    /// Axes without products of inertia are recognized, and respond as their matrix does.
    #[test]
    fn principal_axes_respond_as_their_matrix(
        direction in vector(1.0), point in vector(3.0), moments in vector(1e-2), product in 1e-6f32..1e-3,
    ) {
        let [direction, point] = [direction, point].map(V3x4::splat);
        let inertia = Mat3::from_diagonal(moments);
        let actual = inverse_moments(&inertia).expect("no products");
        prop_assert_eq!(
            Jacobian::about_principal_axes(direction, point.cross(direction), actual),
            Jacobian::new(direction, point, &inertia),
        );
        let mut turned = inertia;
        turned.z_axis.x = product;
        prop_assert_eq!(inverse_moments(&turned), None);
    }

    #[test]
    fn responses_are_those_of_mass_and_inertia(case in cases()) {
        for (kind, lane) in (0..2).flat_map(|kind| (0..LANES).map(move |lane| (kind, lane))) {
            let mut block = case.block([W4::ZERO; 2], [W4::ZERO; 2]);
            set(&mut block, kind, lane, 1.0);
            let (from, arm) = case.row(kind, lane);
            let turned = case.inertia() * arm;
            for (other, at) in (0..2).flat_map(|kind| (0..LANES).map(move |lane| (kind, lane))) {
                let (direction, arm) = case.row(other, at);
                let expected =
                    direction.dot(from) * f64::from(case.inverse_mass) + arm.dot(turned);
                let off = f64::from(block.speeds[other].lane(at)) - expected;
                prop_assert!(off.abs() < f64::from(ROUNDING * case.scale()), "{off}");
            }
            let own = block.inverse_effective_mass(kind).lane(lane);
            prop_assert_eq!(own, block.speeds[kind].lane(lane));
            prop_assert!(own >= 0.0);
        }
    }

    #[test]
    fn the_response_matrix_is_symmetric(case in cases()) {
        let mut response = [[0.0; 2 * LANES]; 2 * LANES];
        for (n, column) in response.iter_mut().enumerate() {
            let mut block = case.block([W4::ZERO; 2], [W4::ZERO; 2]);
            set(&mut block, n / LANES, n % LANES, 1.0);
            *column = core::array::from_fn(|m| block.speeds[m / LANES].lane(m % LANES));
        }
        for (n, column) in response.iter().enumerate() {
            for (m, there) in column.iter().enumerate() {
                let off = there - response[m][n];
                prop_assert!(off.abs() < ROUNDING * case.scale(), "{n} {m} {off}");
            }
        }
    }

    #[test]
    fn the_chassis_receives_all_impulses_once(
        case in cases(),
        linear in vector(30.0), angular in vector(5.0),
        ground in prop::array::uniform2(prop::array::uniform4(-3f32..3.0)),
        warm in prop::array::uniform2(prop::array::uniform4(-500f32..500.0)),
        sets in prop::collection::vec((0..2usize, 0..LANES, -500f32..500.0), 0..20),
    ) {
        let start = Velocity { linear, angular }.in_lanes();
        let mut block = case.block(ground.map(W4::from_array), warm.map(W4::from_array));
        let mut velocity = start;
        block.apply_impulses(&mut velocity, Pairs::Beside);
        block.read_velocity(&velocity);
        for (kind, lane, impulse) in sets {
            set(&mut block, kind, lane, impulse);
        }
        let speeds = block.speeds.map(W4::to_array);
        block.apply_impulses(&mut velocity, Pairs::Beside);
        let (by, turned) = case.change(&block.impulses.map(W4::to_array));
        // At most 28 impulses of 500 N·s, some replaced.
        let most = 28.0 * 500.0;
        let off = (velocity.linear.truncate() - linear).as_dvec3() - by;
        let bound = ROUNDING * (40.0 + most * case.inverse_mass);
        prop_assert!(off.length() < f64::from(bound), "{off}");
        let off = (velocity.angular.truncate() - angular).as_dvec3() - turned;
        let bound = ROUNDING * (10.0 + most * case.scale());
        prop_assert!(off.length() < f64::from(bound), "{off}");
        // The block's speeds agree with the chassis.
        let seen = block.speeds_at(&velocity).map(W4::to_array);
        let bound = ROUNDING * (100.0 + 4.0 * most * case.scale());
        for (now, then) in seen.as_flattened().iter().zip(speeds.as_flattened()) {
            prop_assert!((now - then).abs() < bound, "{now} {then}");
        }
        // Nothing is applied twice.
        let once = velocity;
        block.apply_impulses(&mut velocity, Pairs::Beside);
        prop_assert_eq!(once, velocity);
    }

    #[test]
    fn rates_are_speeds_of_points_relative_to_the_ground(
        case in cases(), linear in vector(30.0), angular in vector(5.0),
        ground in prop::array::uniform2(prop::array::uniform4(-3f32..3.0)),
    ) {
        let mut block = case.block(ground.map(W4::from_array), [W4::ZERO; 2]);
        block.read_velocity(&Velocity { linear, angular }.in_lanes());
        for (kind, speeds) in ground.iter().enumerate() {
            for (lane, speed) in speeds.iter().enumerate() {
                let arm = case.points[lane].as_dvec3();
                let point = linear.as_dvec3() + angular.as_dvec3().cross(arm);
                let expected = case.directions[kind][lane].as_dvec3().dot(point);
                let off = f64::from(block.speeds_of(kind).lane(lane) + speed) - expected;
                prop_assert!(off.abs() < f64::from(ROUNDING) * 100.0, "{off}");
            }
        }
    }
}

#[test]
fn zero_rows_have_no_effect() {
    let points = V3x4::splat(Vec3::new(1.0, 2.0, -0.5));
    let mut block = RowBlock::<1>::default();
    let none = Jacobian::new(V3x4::ZERO, points, &Mat3::IDENTITY);
    block.jacobian = [none];
    block.prepare([W4::ZERO], [W4::splat(7.0)], 0.5);
    let start = Velocity {
        linear: Vec3::new(1.0, 2.0, 3.0),
        angular: Vec3::X,
    }
    .in_lanes();
    let mut velocity = start;
    block.apply_impulses(&mut velocity, Pairs::Beside);
    block.read_velocity(&velocity);
    assert_eq!(velocity, start);
    assert_eq!(block.speeds_of(0), W4::ZERO);
    assert_eq!(block.inverse_effective_mass(0), W4::ZERO);
}
