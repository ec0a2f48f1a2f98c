//! Moments of tires: what they do to chassis and spins, and that nothing moves by them at a standstill.

use super::*;
use crate::base::lanes::Mask4;
use crate::contracts::tire::{TireForces, TireInput, TireTraits};
use crate::contracts::tire_model::TireModel;
use crate::contracts::tire_outputs::{TireOutputs, TireRequest};
use crate::params::LoadFilter;
use crate::params::profile::Solver;

/// 10 loads per unit of slip within the friction, times `grip`, and moments.
#[derive(Clone, Copy, Debug, Default)]
struct Rubber {
    /// Share of the forces that is there (–).
    grip: f32,
    /// Distance of the lateral force behind the contact (`m`).
    trail: f32,
    /// Aligning moment at any slip (`N·m`).
    turning: f32,
    /// Overturning moment at any slip (`N·m`).
    overturning: f32,
    /// Rolling resistance (`N·m`).
    resistance: f32,
}

impl TireModel for Rubber {
    fn forces(&self, i: &TireInput) -> TireForces {
        let most = self.grip * i.friction * i.load;
        let of = |slip: f32| (10.0 * self.grip * i.load * slip).clamp(-most, most);
        let (longitudinal, lateral) = (of(i.slip_ratio), -of(i.tan_slip_angle));
        TireForces {
            longitudinal,
            lateral,
            aligning_moment: self.turning - self.trail * lateral,
            overturning_moment: self.overturning,
            rolling_resistance: self.resistance,
            wheel_torque: -longitudinal * i.radius,
        }
    }

    fn traits(&self) -> TireTraits {
        TireTraits {
            has_offsets: self.turning != 0.0 || self.overturning != 0.0,
            has_moments: true,
            ..TireTraits::PLAIN
        }
    }
}

/// Tires with grip and nothing else.
const PLAIN: Rubber = Rubber {
    grip: 1.0,
    trail: 0.0,
    turning: 0.0,
    overturning: 0.0,
    resistance: 0.0,
};

/// A tire with grip whose lateral force acts so far behind the contact (`m`).
pub(super) fn with_trail(trail: f32) -> Arc<dyn TireModel> {
    Arc::new(Rubber { trail, ..PLAIN })
}

fn on(tire: Rubber, change: impl FnOnce(&mut VehicleParams)) -> Arc<VehicleModel> {
    let change = |p: &mut VehicleParams| {
        p.wheels.iter_mut().for_each(|wheel| wheel.damping = 0.0);
        change(p);
    };
    let params = Checked::new(params(change)).unwrap();
    let tires: [Arc<dyn TireModel>; 1] = [Arc::new(tire)];
    Arc::new(VehicleModel::new(params, &tires, testing::no_drive()).unwrap())
}

/// A car that rolls ahead, let go.
fn rolling(model: &Arc<VehicleModel>, speed: f32) -> World {
    let mut world = World::new(model, 0.0, 0.0);
    world.command.brake = 0.0;
    world.body.linear_velocity = Vec3::X * speed;
    world.car.state_mut().wheels[0].spin = W4::splat(speed / 0.5);
    world
}

/// Throws a car sideways and about: its energy falls from step to step.
pub(super) fn slide_without_gain(world: &mut World, sideways: f32, yaw: f32) {
    world.body.linear_velocity.y += sideways;
    world.body.angular_velocity.z += yaw;
    let first = energy(world);
    let mut last = first;
    for _ in 0..300 {
        world.step();
        let now = energy(world);
        // Springs take and give while the car rolls.
        assert!(now < last + 2e-3 * first, "{now} {last}");
        last = now;
    }
}

/// Kinetic energy of chassis and wheels (`J`).
pub(super) fn energy(world: &World) -> f32 {
    let params = world.car.model().params();
    let turning = world.body.angular_velocity + world.car.state().carry.angular;
    let about = math::matrix(world.body.rotation).transpose() * turning;
    let spin = world.car.state().wheels[0].spin;
    let chassis = 1500.0 * world.velocity().length_squared()
        + (params.chassis.inertia * about * about).element_sum();
    0.5 * (chassis + 2.5 * (spin * spin).sum())
}

// 15 N·m on each of four wheels of half a meter: 120 N against 1500 kg and 4·2.5/0.25 kg.
#[rstest]
fn rolling_resistance_slows_a_coasting_car_down(
    #[values(testing::ROWS, testing::EXPLICIT)] solver: Solver,
) {
    let tire = Rubber {
        resistance: 15.0,
        ..PLAIN
    };
    let model = on(tire, |p| {
        p.profile.solver = solver;
        // The explicit solver's spins swing with fewer.
        (p.substeps.slow, p.substeps.fast) = (20, 20);
    });
    let mut world = rolling(&model, 10.0);
    world.run(1.0);
    let before = world.velocity().x;
    world.run(5.0);
    let lost = before - world.velocity().x;
    let expected = 5.0 * 120.0 / 1540.0;
    assert!(
        (lost - expected).abs() < 0.01 * expected,
        "{lost} {expected}"
    );
    assert_eq!(world.car.wheel_report(2).rolling_resistance, 15.0);
}

#[rstest]
#[case::ahead(1.0)]
#[case::backward(-1.0)]
fn rolling_resistance_never_reverses_a_car(#[case] direction: f32) {
    let tire = Rubber {
        resistance: 150.0,
        ..PLAIN
    };
    let model = on(tire, |_| ());
    let mut world = rolling(&model, direction);
    let mut most_back = 0.0f32;
    for _ in 0..180 {
        world.step();
        most_back = most_back.max(-direction * world.velocity().x);
    }
    // The springs of tires and struts give back a little.
    assert!(most_back < 0.05, "{most_back}");
    let position = world.body.position;
    world.run(10.0);
    let drift = (world.body.position - position).length();
    assert!(drift < 1e-4, "{drift}");
    assert_eq!(world.car.state().wheels[0].spin, W4::ZERO);
}

// 15 N·m on four wheels of half a meter resist 120 N: 0.0081 of the weight.
#[rstest]
#[case::stands(0.007, true)]
#[case::rolls(0.0095, false)]
fn rolling_resistance_holds_a_car_on_a_slope(#[case] slope: f32, #[case] stands: bool) {
    let tire = Rubber {
        resistance: 15.0,
        ..PLAIN
    };
    let model = on(tire, |_| ());
    let mut world = World::new(&model, slope, 0.0);
    world.run(2.0);
    let position = world.body.position;
    world.command.brake = 0.0;
    world.run(10.0);
    let displacement = (world.body.position - position).length();
    assert_eq!(displacement < 0.5e-3, stands, "{displacement}");
}

/// A car on tires of which the law, or their fit, resists rolling.
fn resisting(law: f32, fit: [f32; 2], solver: Solver) -> Arc<VehicleModel> {
    let tire = Rubber {
        resistance: law,
        ..PLAIN
    };
    on(tire, |p| {
        p.profile.solver = solver;
        p.load_filter = LoadFilter::OFF;
        (p.substeps.slow, p.substeps.fast) = (20, 20);
        let wheels = p.wheels.iter_mut();
        wheels.for_each(|wheel| wheel.tire.rolling_resistance = fit);
    })
}

/// Of `v̇ = −g·(c + c₂·v²)·m/(m + ΣI/r²)`, with a = √(c/c₂): `v = a·tan(atan(v₀/a) − g·√(c·c₂)·t·m/(m + ΣI/r²))`.
#[rstest]
#[case::of_a_car([0.012, 5e-6], 30.0)]
#[case::mostly_by_speed([0.002, 1e-4], 30.0)]
#[case::off_the_road([0.08, 1e-9], 12.0)]
fn a_car_coasts_down_as_its_tires_resist(
    #[case] fit: [f32; 2],
    #[case] start: f32,
    #[values(testing::ROWS, testing::EXPLICIT)] solver: Solver,
) {
    let mut world = rolling(&resisting(0.0, fit, solver), start);
    world.run(1.0);
    let before = world.velocity().x;
    world.run(10.0);
    let [c, rise] = fit.map(f64::from);
    let fastest = (c / rise).sqrt();
    let angle = (f64::from(before) / fastest).atan();
    let lost = 9.81 * (c * rise).sqrt() * 10.0 * 1500.0 / 1540.0;
    let expected = fastest * (angle - lost).tan();
    let actual = f64::from(world.velocity().x);
    let [lost, right] = [actual, expected].map(|after| f64::from(before) - after);
    assert!((lost - right).abs() < 0.01 * right, "{lost} {right}");
    for wheel in 0..4 {
        let report = world.car.wheel_report(wheel);
        let square = report.forward_speed * report.forward_speed;
        let moment = 0.5 * report.load * (fit[0] + fit[1] * square);
        let reported = report.rolling_resistance;
        assert!(
            (reported - moment).abs() < 1e-2 * moment,
            "{reported} {moment}"
        );
    }
}

#[rstest]
fn resistance_of_a_law_counts_instead_of_that_of_its_fit(
    #[values(testing::ROWS, testing::EXPLICIT)] solver: Solver,
) {
    let lost = |law: f32, fit: f32| {
        let mut world = rolling(&resisting(law, [fit, 0.0], solver), 10.0);
        world.run(2.0);
        10.0 - world.velocity().x
    };
    assert_eq!(lost(15.0, 0.05), lost(15.0, 0.0));
    assert!(lost(0.0, 0.05) > 2.0 * lost(15.0, 0.0));
}

/// On a slope of angle θ it stands where c ≥ tan θ, and otherwise rolls with `g·(sin θ − c·cos θ)·m/(m + ΣI/r²)`.
#[rstest]
#[case::well_within(0.01, 0.02)]
#[case::stands(0.0095, 0.01)]
#[case::rolls(0.0105, 0.01)]
#[case::rolls_steadily(0.03, 0.01)]
fn a_parked_car_stands_as_far_as_its_tires_resist(#[case] slope: f32, #[case] coefficient: f32) {
    let mut world = World::new(
        &resisting(0.0, [coefficient, 0.0], testing::ROWS),
        slope,
        0.0,
    );
    world.run(2.0);
    let position = world.body.position;
    world.command.brake = 0.0;
    world.run(10.0);
    let displacement = (world.body.position - position).length();
    if coefficient >= slope.tan() {
        assert!(displacement < 0.5e-3, "{displacement}");
    } else {
        let pull = 9.81 * (slope.sin() - coefficient * slope.cos()) * 1500.0 / 1540.0;
        let expected = f64::from(0.5 * pull * 100.0);
        assert!(
            (displacement - expected).abs() < 0.02 * expected,
            "{displacement} {expected}"
        );
    }
}

#[rstest]
#[case::at_speed(10.0, 1.0)]
#[case::slowly(0.5, 0.5)]
#[case::standing(0.0, 0.0)]
fn an_aligning_moment_turns_a_car_that_rolls(
    #[case] speed: f32,
    #[case] part: f32,
    #[values(testing::ROWS, testing::EXPLICIT)] solver: Solver,
) {
    let tire = Rubber {
        turning: 50.0,
        ..Rubber::default()
    };
    let model = on(tire, |p| p.profile.solver = solver);
    let mut world = rolling(&model, speed);
    world.run(0.5);
    let yaw = (world.body.angular_velocity + world.car.state().carry.angular).z;
    // In rows, what the tires of a substep say acts from the next one on.
    let steps = if solver == testing::ROWS { 29.0 } else { 30.0 };
    let expected = part * steps * DT * 4.0 * 50.0 / 3125.0;
    // What is left of the tires' forces, and how the springs settle.
    assert!((yaw - expected).abs() < 1e-3, "{yaw} {expected}");
}

#[test]
fn an_overturning_moment_rolls_it() {
    let tire = Rubber {
        overturning: 200.0,
        ..PLAIN
    };
    let mut world = rolling(&on(tire, |_| ()), 10.0);
    world.run(4.0);
    // Four struts of 35 kN/m on 1.05 m with bars of 10 kN/m; the weight moves over wheels 1.65 m below.
    let stiffness = 2.0 * 1.05 * 1.05 * (2.0 * 35_000.0 + 4.0 * 10_000.0);
    let expected = 800.0 / (stiffness - 1.65 * 1500.0 * 9.81);
    let tilt = world.tilt();
    assert!(
        (tilt - expected).abs() < 0.02 * expected,
        "{tilt} {expected}"
    );
    assert_eq!(world.car.wheel_report(1).overturning_moment, 200.0);
}

#[test]
fn the_ground_feels_both() {
    let tire = Rubber {
        turning: 50.0,
        overturning: 200.0,
        ..PLAIN
    };
    let mut world = rolling(&on(tire, |_| ()), 10.0);
    world.motion = Some(GroundMotion {
        position: DVec3::ZERO,
        rotation: Quat::IDENTITY,
        linear_velocity: Vec3::ZERO,
        angular_velocity: Vec3::ZERO,
        mass: Some(1e6),
        inverse_inertia: Mat3::ZERO,
    });
    world.run(0.5);
    let ahead = math::matrix(world.body.rotation).x_axis;
    let torque: Vec3 = world.car.reactions().map(|push| push.torque).sum();
    let off = torque + Vec3::Z * 200.0 + ahead * 800.0;
    assert!(off.length() < 2.0, "{torque}");
}

#[test]
fn in_a_curve_the_moment_is_that_of_the_trail() {
    let tire = Rubber {
        trail: 0.05,
        ..PLAIN
    };
    let drive = geared(None);
    let change = |p: &mut VehicleParams| {
        *testing::rows(&mut p.profile) = crate::params::profile::RowsSettings::FINE;
    };
    let params = Checked::new(params(change)).unwrap();
    let tires: [Arc<dyn TireModel>; 1] = [Arc::new(tire)];
    let model = Arc::new(VehicleModel::new(params, &tires, drive).unwrap());
    let mut world = rolling(&model, 10.0);
    (world.command.steer, world.command.clutch) = (0.1, 1.0);
    world.run(2.0);
    for wheel in 0..4 {
        let report = world.car.wheel_report(wheel);
        assert!(report.lateral_force < -500.0, "{report:?}");
        let expected = -0.05 * report.lateral_force;
        let off = report.aligning_moment - expected;
        assert!(off.abs() < 0.01 * expected, "{off} {expected}");
    }
}

#[rstest]
#[case::straight(0.0, 0.0)]
#[case::sliding(3.0, 0.0)]
#[case::spinning(0.0, 1.5)]
fn aligning_moments_add_no_energy(#[case] sideways: f32, #[case] yaw: f32) {
    let tire = Rubber {
        trail: 0.05,
        resistance: 15.0,
        ..PLAIN
    };
    let mut world = rolling(&on(tire, |_| ()), 10.0);
    world.run(1.0);
    world.body.linear_velocity.y += sideways;
    world.body.angular_velocity.z += yaw;
    let first = energy(&world);
    let mut last = first;
    for _ in 0..600 {
        world.step();
        let now = energy(&world);
        // Springs take and give while the car rolls.
        assert!(now < last + 1e-3 * first, "{now} {last}");
        last = now;
    }
    assert!(last < first);
}

#[test]
fn moments_do_not_move_a_parked_car() {
    let tire = Rubber {
        trail: 0.05,
        turning: 50.0,
        overturning: 100.0,
        resistance: 15.0,
        ..PLAIN
    };
    let mut world = World::new(&on(tire, |_| ()), 0.2, 0.2);
    world.run(2.0);
    let position = world.body.position;
    world.run(10.0);
    let drift = (world.body.position - position).length();
    assert!(drift < 0.5e-3, "{drift}");
}

/// A tire that outputs nonsense where moments are not requested.
#[derive(Debug)]
struct Careless(Rubber);

impl TireModel for Careless {
    fn forces(&self, input: &TireInput) -> TireForces {
        self.0.forces(input)
    }

    fn traits(&self) -> TireTraits {
        self.0.traits()
    }

    fn evaluate4(&self, input: &TireInput<W4>, mask: Mask4, request: TireRequest) -> TireOutputs {
        const NONSENSE: W4 = W4::splat(1e6);
        let mut outputs = self.0.evaluate4(input, mask, request);
        if !request.opposite_moments {
            outputs.opposite.aligning_moment = NONSENSE;
            outputs.opposite.overturning_moment = NONSENSE;
        }
        outputs.opposite.rolling_resistance = NONSENSE;
        outputs
    }
}

/// A law with offsets is evaluated at the opposite slip, too: outputs there that are not requested are not used.
#[rstest]
#[case::moments_act(true)]
#[case::moments_are_only_reported(false)]
fn moments_that_are_not_requested_are_not_used(#[case] act: bool) {
    let tire = Rubber {
        trail: 0.03,
        turning: 20.0,
        overturning: 30.0,
        resistance: 15.0,
        ..PLAIN
    };
    let drive = |tire: Arc<dyn TireModel>| {
        let change = |p: &mut VehicleParams| {
            p.profile.tire_moments = act;
        };
        let params = Checked::new(params(change)).unwrap();
        let model = VehicleModel::new(params, &[tire], testing::no_drive()).unwrap();
        let mut world = rolling(&Arc::new(model), 15.0);
        world.command.steer = 0.1;
        world.run(1.0);
        (world.body, world.car.state().clone())
    };
    assert_eq!(drive(Arc::new(tire)), drive(Arc::new(Careless(tire))));
}

#[test]
fn a_profile_leaves_moments_out() {
    let tire = Rubber {
        turning: 50.0,
        resistance: 15.0,
        ..PLAIN
    };
    let mut world = rolling(&on(tire, |p| p.profile.tire_moments = false), 10.0);
    world.run(2.0);
    assert!((world.velocity().x - 10.0).abs() < 0.01);
    assert!(world.body.angular_velocity.z.abs() < 1e-4);
    assert_eq!(world.car.wheel_report(0).aligning_moment, 50.0);
}
