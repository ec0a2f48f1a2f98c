//! Properties of tires besides forces: grip in each direction, and how their forces
//! build up.

use super::*;
use crate::contracts::tire::{TireForces, TireInput, TireProperties, TireTraits};
use crate::contracts::tire_model::TireModel;
use crate::params::LoadFilter;
use crate::params::profile::Solver;

/// 10 loads per unit of slip, within an ellipse.
#[derive(Clone, Copy, Debug)]
struct Told {
    /// Grip forward and to a side over friction × load (–).
    grip: [f32; 2],
    /// Relaxation lengths (`m`).
    relaxation: [f32; 2],
}

impl Told {
    /// Properties of a tire that tells none.
    const PLAIN: Self = Self {
        grip: [1.0; 2],
        relaxation: [0.0; 2],
    };
}

impl TireModel for Told {
    fn forces(&self, i: &TireInput) -> TireForces {
        let declared = self.grip.iter().all(|g| *g > 0.0);
        let [along, across] =
            if declared { self.grip } else { [1.0; 2] }.map(|g| g * i.friction * i.load);
        let (x, y) = (
            10.0 * i.load * i.slip_ratio,
            10.0 * i.load * i.tan_slip_angle,
        );
        let used = math::sqrt((x / along) * (x / along) + (y / across) * (y / across));
        let scale = 1.0 / used.max(1.0);
        TireForces {
            longitudinal: x * scale,
            lateral: -y * scale,
            wheel_torque: -x * scale * i.radius,
            ..TireForces::default()
        }
    }

    fn traits(&self) -> TireTraits {
        TireTraits {
            has_properties: true,
            ..TireTraits::PLAIN
        }
    }

    fn properties(&self, input: &TireInput) -> TireProperties {
        let plain = TireProperties::plain(input).grip;
        TireProperties {
            grip: core::array::from_fn(|n| self.grip[n] * plain[n]),
            slip_stiffness: [10.0 * input.load; 2],
            relaxation_length: self.relaxation,
        }
    }
}

fn on(tire: Told) -> Arc<VehicleModel> {
    on_solver(tire, testing::ROWS)
}

fn on_solver(tire: Told, solver: Solver) -> Arc<VehicleModel> {
    let change = |p: &mut VehicleParams| {
        p.load_filter = LoadFilter::OFF;
        p.profile.solver = solver;
    };
    let params = Checked::new(params(change)).unwrap();
    let tires: [Arc<dyn TireModel>; 1] = [Arc::new(tire)];
    Arc::new(VehicleModel::new(params, &tires, testing::no_drive()).unwrap())
}

const WIDE: [f32; 2] = [1.2, 0.6];

// Friction 0.3: slopes of 0.36 along and 0.18 across are the limits, a little less and a little more.
#[rstest]
#[case::up(WIDE, 0.36 * 0.98, 0.0, true)]
#[case::too_far_up(WIDE, 0.36 * 1.02, 0.0, false)]
#[case::down(WIDE, -0.36 * 0.98, 0.0, true)]
#[case::too_far_down(WIDE, -0.36 * 1.02, 0.0, false)]
#[case::across(WIDE, 0.0, 0.18 * 0.98, true)]
#[case::too_far_across(WIDE, 0.0, 0.18 * 1.02, false)]
#[case::nothing_told([0.0, 1.0], 0.0, 0.3 * 0.98, true)]
#[case::nothing_told_and_too_far([1.0, f32::NAN], 0.3 * 1.02, 0.0, false)]
fn a_car_stands_up_to_the_grip_of_its_tires_in_each_direction(
    #[case] grip: [f32; 2],
    #[case] up: f32,
    #[case] left: f32,
    #[case] stands: bool,
) {
    let mut world = World::new(
        &on(Told {
            grip,
            ..Told::PLAIN
        }),
        up.atan(),
        left.atan(),
    );
    world.friction = 0.3;
    world.run(3.0);
    let before = world.body.position;
    world.run(4.0);
    let displacement = (world.body.position - before).length();
    assert_eq!(displacement < 0.5e-3, stands, "{displacement}");
}

#[test]
fn grip_in_use_is_that_of_the_ellipse() {
    let mut world = World::new(
        &on(Told {
            grip: WIDE,
            ..Told::PLAIN
        }),
        0.0,
        0.2,
    );
    world.friction = 0.3;
    world.run(1.0);
    for wheel in 0..4 {
        let report = world.car.wheel_report(wheel);
        assert!((report.grip_used - 1.0).abs() < 0.01, "{report:?}");
        assert!((report.friction - 0.36).abs() < 1e-4);
    }
}

/// Lateral force of the front left tire (`N`) after this time (`s`) in which a car, at 20 m/s straight ahead
/// until then, drifts to the left at 0.5 m/s.
fn force_after(tire: Told, solver: Solver, time: f32) -> f32 {
    let mut world = World::new(&on_solver(tire, solver), 0.0, 0.0);
    world.command.brake = 0.0;
    world.run(2.0);
    let dt = 1.0 / 1000.0;
    let straight = 200;
    for step in 0..straight + (time / dt).round() as u32 {
        let left = if step < straight { 0.0 } else { 0.5 };
        world.body.linear_velocity = Vec3::new(20.0, left, 0.0);
        world.body.angular_velocity = Vec3::ZERO;
        let state = world.car.state_mut();
        state.wheels[0].spin = W4::splat(40.0);
        let outcome = world.update(dt).unwrap();
        world.last = outcome;
        world.body.position += DVec3::X * 0.02;
    }
    world.car.wheel_report(0).lateral_force
}

// Slips are over 1 m/s more than the speed: 0.63 m take 30 ms.
#[rstest]
#[case::half_the_length(0.015, 0.393)]
#[case::the_length(0.03, 0.632)]
#[case::twice_the_length(0.06, 0.865)]
#[case::far(0.3, 1.0)]
fn the_explicit_solver_relaxes_exactly(#[case] time: f32, #[case] part: f32) {
    let tire = Told {
        relaxation: [0.3, 0.63],
        ..Told::PLAIN
    };
    let actual = force_after(tire, testing::EXPLICIT, time);
    let plain = force_after(Told::PLAIN, testing::EXPLICIT, time);
    assert!(plain < -500.0, "{plain}");
    assert!((actual / plain - part).abs() < 0.01, "{}", actual / plain);
}

// The carcass is as soft as 10·3700 N over half a meter.
#[test]
fn a_car_on_soft_carcasses_stands_still() {
    let tire = Told {
        relaxation: [0.5, 0.5],
        ..Told::PLAIN
    };
    let mut world = World::new(&on(tire), 0.2, 0.2);
    world.run(4.0);
    let position = world.body.position;
    world.run(10.0);
    let drift = (world.body.position - position).length();
    assert!(drift < 1e-4, "{drift}");
}
