use super::*;
use crate::contracts::rigid_bodies::BodyState;
use crate::exchange::state::{DriveState, VehicleState};
use crate::stages::chassis::Chassis;
use crate::testing;
use alloc::vec;
use alloc::vec::Vec;
use proptest::prelude::*;
use rstest::rstest;

const RHO: f32 = 1.225;

fn constant(y: f32) -> Curve {
    Curve(vec![[0.0, y]])
}

fn shape(change: impl FnOnce(&mut Aerodynamics)) -> AirShape {
    let mut air = testing::aerodynamics();
    change(&mut air);
    let mut params = testing::four_wheeler();
    params.aerodynamics = Some(air);
    AirShape::of(&params).unwrap()
}

fn state() -> VehicleState {
    VehicleState::at_rest(4, DriveState::default())
}

/// The force in still air at this velocity (`m/s`, vehicle frame).
fn at(shape: &AirShape, linear: Vec3) -> AirForce {
    let view = Chassis::new(&BodyState::BLANK, linear, Vec3::ZERO).view(Vec3::NEG_Z);
    shape.force(&Air::STILL, Vec3::ZERO, &view, &state().wheels)
}

fn close(a: Vec3, b: Vec3, scale: f32) -> bool {
    (a - b).length() < 1e-5 * scale
}

/// ½ρA of the sample.
const HALF: f32 = 0.5 * RHO * 2.0;

#[rstest]
#[case::forward(Vec3::X * 30.0, Vec3::new(-0.35, 0.0, 0.2) * 900.0, Vec3::new(0.0, 0.0, 0.0))]
#[case::backward(Vec3::X * -30.0, Vec3::new(0.35, 0.0, 0.2) * 900.0, Vec3::ZERO)]
#[case::to_the_left(Vec3::Y * 30.0, Vec3::new(0.0, -2.2, 0.0) * 900.0, Vec3::new(0.6 * 3.0, 0.0, 0.0) * 900.0)]
#[case::to_the_right(Vec3::Y * -30.0, Vec3::new(0.0, 2.2, 0.0) * 900.0, Vec3::new(-0.6 * 3.0, 0.0, 0.0) * 900.0)]
#[case::down(Vec3::Z * -30.0, Vec3::new(0.0, 0.0, 0.9) * 900.0, Vec3::ZERO)]
#[case::aslant(Vec3::new(24.0, 18.0, 0.0), Vec3::new(-0.35 * 30.0 * 24.0, -2.2 * 30.0 * 18.0, 0.2 * 576.0),
    Vec3::new(0.6 * 3.0 * 30.0 * 18.0, 0.0, -0.5 * 3.0 * 24.0 * 18.0))]
#[case::falling_forward(Vec3::new(24.0, 0.0, -18.0), Vec3::new(-0.35 * 30.0 * 24.0 + 0.2 * 24.0 * 18.0, 0.0, 0.9 * 30.0 * 18.0 + 0.2 * 576.0),
    Vec3::ZERO)]
fn forces_follow_their_equations(#[case] v: Vec3, #[case] force: Vec3, #[case] turning: Vec3) {
    let actual = at(&shape(|_| ()), v).load;
    assert!(close(actual.force, force * HALF, 3e3), "{}", actual.force);
    assert_eq!((actual.velocity, actual.speed()), (v, 30.0));
    // Drag and side force act at the reference point, lifts at its axles.
    let point = Vec3::new(-0.25, 0.0, -1.65);
    let lifts = [0.08, 0.12].map(|lift| Vec3::new(-v.z, 0.0, v.x) * (lift * v.x * HALF));
    let arms = [Vec3::new(1.5, 0.0, 0.0), Vec3::new(-1.5, 0.0, 0.0)];
    let own: Vec3 = arms
        .iter()
        .zip(lifts)
        .map(|(arm, lift)| arm.cross(lift))
        .sum();
    let moment = point.cross(force * HALF) + own + turning * HALF;
    assert!(
        close(actual.moment, moment, 2e4),
        "{} {moment}",
        actual.moment
    );
}

#[test]
fn a_pitching_moment_raises_the_nose() {
    let nothing = |a: &mut Aerodynamics| {
        (a.drag, a.lift_front, a.lift_rear) = (constant(0.0), constant(0.0), constant(0.0));
        a.pitch = constant(0.1);
    };
    let actual = at(&shape(nothing), Vec3::X * 20.0).load.moment;
    assert!(
        close(actual, Vec3::NEG_Y * (0.1 * 3.0 * 400.0 * HALF), 100.0),
        "{actual}"
    );
}

/// Only the difference of vehicle and air counts, in the air's density.
#[test]
fn wind_is_the_vehicles_motion_reversed() {
    let shape = shape(|_| ());
    let (v, wind) = (Vec3::new(31.0, -2.0, 0.5), Vec3::new(-7.0, 11.0, 1.5));
    let view = Chassis::new(&BodyState::BLANK, v, Vec3::ZERO).view(Vec3::NEG_Z);
    let thin = Air {
        density: 0.5 * RHO,
        wind,
    };
    let actual = shape.force(&thin, wind, &view, &state().wheels).load;
    let still = at(&shape, v - wind).load;
    assert!(close(actual.force * 2.0, still.force, 1e4));
    assert!(close(actual.moment * 2.0, still.moment, 1e4));
}

#[rstest]
#[case::ahead(0.0, 0.3)]
#[case::between(0.15, 0.35)]
#[case::point(0.3, 0.4)]
#[case::across(1.7, 0.6)]
#[case::behind(3.1, 0.6)]
fn coefficients_change_with_the_yaw_angle_on_both_sides(#[case] yaw: f32, #[case] drag: f32) {
    let curve = Curve(vec![[0.0, 0.3], [0.3, 0.4], [0.6, 0.6]]);
    let shape = shape(|a| a.drag = curve.clone());
    for side in [1.0, -1.0] {
        let v = Vec3::new(libm::cosf(yaw), side * libm::sinf(yaw), 0.0) * 20.0;
        let actual = at(&shape, v).load.force.x;
        assert!((actual + HALF * drag * 20.0 * v.x).abs() < 1e-2, "{actual}");
    }
}

#[rstest]
#[case::high([-0.05; 4], 0.8, 0.5, 1.0)]
#[case::low([0.05; 4], 1.3, 2.0, 1.0)]
#[case::nose_down([0.05, 0.05, -0.05, -0.05], 1.3, 0.5, 1.0)]
#[case::unknown([WheelState::UNKNOWN; 4], 1.0, 1.0, 1.0)]
#[case::one_wheel([0.1, 0.0, 0.0, 0.0], 1.3, 1.0, 0.975)]
fn lifts_and_drag_change_with_ride_height(
    #[case] jounce: [f32; 4],
    #[case] front: f32,
    #[case] rear: f32,
    #[case] drag: f32,
) {
    let shape = shape(|a| {
        a.lift_front_by_height = Some(Curve(vec![[-0.05, 1.3], [0.0, 1.0], [0.05, 0.8]]));
        a.lift_rear_by_height = Some(Curve(vec![[-0.05, 2.0], [0.0, 1.0], [0.05, 0.5]]));
        a.drag_by_height = Some(Curve(vec![[-0.05, 0.95], [-0.025, 0.975], [0.0, 1.0]]));
        a.vertical = 0.0;
    });
    let mut wheels = state();
    wheels.wheels[0].jounce = W4::from_array(jounce);
    let view = Chassis::new(&BodyState::BLANK, Vec3::X * 20.0, Vec3::ZERO).view(Vec3::NEG_Z);
    let actual = shape
        .force(&Air::STILL, Vec3::ZERO, &view, &wheels.wheels)
        .load;
    let lift = 0.08 * front + 0.12 * rear;
    assert!(
        (actual.force.z - HALF * lift * 400.0).abs() < 1e-2,
        "{}",
        actual.force
    );
    let drag = if jounce[0] == 0.05 && jounce[3] == 0.05 {
        0.95
    } else {
        drag
    };
    assert!(
        (actual.force.x + HALF * 0.35 * drag * 400.0).abs() < 1e-2,
        "{}",
        actual.force
    );
}

/// A wheel that is off tells nothing of the ride height, nor do wheels of the other end.
#[test]
fn ride_height_is_the_mean_of_the_wheels_at_an_end() {
    let mut params = testing::four_wheeler();
    params.aerodynamics = Some(testing::aerodynamics());
    params.wheels[1].enabled = false;
    let [front, rear] = AirShape::of(&params).unwrap().weights;
    assert_eq!(front[0].to_array(), [1.0, 0.0, 0.0, 0.0]);
    assert_eq!(rear[0].to_array(), [0.0, 0.0, 0.5, 0.5]);
}

/// Coasting through the air, in substeps of `h` (`s`): speeds after each.
fn coasting(density: f32, speed: f32, h: f32, count: u32) -> Vec<f32> {
    let shape = shape(|a| (a.lift_front, a.lift_rear) = (constant(0.0), constant(0.0)));
    let (mut v, inverse_mass) = (speed, 1.0 / 1500.0);
    let speeds = (0..count).map(|_| {
        let view = Chassis::new(&BodyState::BLANK, Vec3::X * v, Vec3::ZERO).view(Vec3::NEG_Z);
        let air = Air {
            density,
            wind: Vec3::ZERO,
        };
        let air = shape.force(&air, Vec3::ZERO, &view, &state().wheels);
        v += air
            .resist(
                air.load.force.extend(0.0) * inverse_mass * h,
                inverse_mass,
                h,
            )
            .0
            .x;
        v
    });
    speeds.collect()
}

/// Coasting follows its closed form in air, in water, and in something like lead.
#[rstest]
fn what_coasts_follows_its_closed_form_at_any_rate(
    #[values(1.225, 1000.0, 11_000.0)] density: f32,
    #[values(10.0, 30.0, 240.0, 960.0)] rate: f32,
) {
    let k = 0.5 * density * 0.7 / 1500.0;
    let speeds = coasting(density, 50.0, 1.0 / rate, 200);
    // Where a substep is longer than the air needs, it only slows.
    let resolved = k * 50.0 / rate < 0.7;
    let mut before = 50.0;
    for (n, v) in speeds.into_iter().enumerate() {
        assert!(v > 0.0 && v < before);
        before = v;
        let expected = 50.0 / (1.0 + k * 50.0 * (n + 1) as f32 / rate);
        let off = (v / expected - 1.0).abs();
        assert!(
            !resolved || off < 1e-5 * (1.0 + n as f32 * 0.1),
            "{n}: {v} {expected}"
        );
    }
}

/// However dense the air and however long the substep: under a steady push, the speed approaches the one at which the
/// air balances it, and never passes it.
#[rstest]
fn a_pushed_body_never_passes_its_final_speed(
    #[values(1.0, 1e3, 1e5, 1e7)] density: f32,
    #[values(0.1, 1.0 / 60.0, 1e-3)] h: f32,
    #[values(0.5, 0.99, 1.01, 3.0)] start: f32,
) {
    let (shape, inverse_mass, push) = (shape(|a| a.lift_front = constant(0.0)), 1e-3, 5e3);
    let last = libm::sqrtf(push / (0.5 * density * 0.7));
    let mut v = start * last;
    for _ in 0..500 {
        let view = Chassis::new(&BodyState::BLANK, Vec3::X * v, Vec3::ZERO).view(Vec3::NEG_Z);
        let air = Air {
            density,
            wind: Vec3::ZERO,
        };
        let air = shape.force(&air, Vec3::ZERO, &view, &state().wheels);
        let change = Vec4::X * ((push + air.load.force.x) * inverse_mass * h);
        let (kept, load) = air.resist(change, inverse_mass, h);
        let (mean, next) = (load.force.x, v + kept.x);
        // Momentum: what the push gave and the air took.
        let given = (push + mean) * inverse_mass * h;
        assert!((next - v - given).abs() < 1e-4 * v.max(given.abs()));
        assert!(
            (next - last) * (start - 1.0) >= -1e-4 * last,
            "{v} {next} {last}"
        );
        assert!(
            (next - last).abs() <= (v - last).abs() + 1e-5 * last,
            "{v} {next} {last}"
        );
        v = next;
    }
}

prop_compose! {
    fn coefficients()(
        drag in 0.0f32..2.0, side in 0.0f32..4.0, vertical in 0.0f32..5.0, lifts in prop::array::uniform2(-3f32..1.0),
        moments in prop::array::uniform3(-1f32..1.0), more in 0.0f32..2.0,
    ) -> AirShape {
        shape(|a| {
            a.drag = Curve(vec![[0.0, drag], [0.5, drag * more], [2.0, drag]]);
            a.side = constant(side);
            a.vertical = vertical;
            [a.lift_front, a.lift_rear] = lifts.map(constant);
            [a.roll, a.pitch, a.yaw] = moments.map(constant);
        })
    }
}

fn velocities() -> impl Strategy<Value = Vec3> {
    (prop::array::uniform3(-1f32..1.0), -4f32..2.5)
        .prop_map(|(v, size)| Vec3::from(v) * libm::powf(10.0, size))
}

proptest! {
    #[test]
    fn air_takes_energy_from_motion_through_it(shape in coefficients(), v in velocities()) {
        let force = at(&shape, v).load.force;
        let power = force.as_dvec3().dot(v.as_dvec3());
        prop_assert!(power <= 1e-6 * f64::from(force.length() * v.length()), "{power}");
    }

    #[test]
    fn a_mirrored_flow_gives_mirrored_loads(shape in coefficients(), v in velocities()) {
        let (a, b) = (at(&shape, v).load, at(&shape, v * Vec3::new(1.0, -1.0, 1.0)).load);
        prop_assert_eq!(b.force, a.force * Vec3::new(1.0, -1.0, 1.0));
        prop_assert_eq!(b.moment, a.moment * Vec3::new(-1.0, 1.0, -1.0));
    }

    #[test]
    fn loads_are_continuous_and_vanish_with_the_flow(shape in coefficients(), v in velocities(), by in velocities()) {
        let near = v + by * (1e-4 * v.length() / by.length().max(1e-9));
        let (a, b) = (at(&shape, v).load, at(&shape, near).load);
        prop_assert!(a.force.is_finite() && a.moment.is_finite());
        let scale = HALF * 20.0 * v.length_squared();
        prop_assert!((a.force - b.force).length() < 1e-3 * scale);
        prop_assert!((a.moment - b.moment).length() < 1e-2 * scale);
        let none = at(&shape, Vec3::ZERO).load;
        prop_assert_eq!((none.force, none.moment), (Vec3::ZERO, Vec3::ZERO));
    }

    #[test]
    fn yaw_angles_are_those_of_atan2(v in velocities()) {
        let exact = f64::from(v.y).abs().atan2(f64::from(v.x));
        prop_assert!((f64::from(yaw_angle(v)) - exact).abs() < 1e-6);
    }
}

#[rstest]
#[case::none(Vec3::ZERO, 0.0)]
#[case::from_above(Vec3::NEG_Z, 0.0)]
#[case::left(Vec3::Y, FRAC_PI_2)]
#[case::right(Vec3::NEG_Y, FRAC_PI_2)]
#[case::back(Vec3::NEG_X, PI)]
fn yaw_angles_along_axes(#[case] v: Vec3, #[case] angle: f32) {
    assert_eq!(yaw_angle(v), angle);
}
