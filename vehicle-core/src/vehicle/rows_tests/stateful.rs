//! Tires that remember: conditions, rows of their own, and what becomes of states.

use super::*;
use crate::contracts::stateful_tire::{StatefulTire, TireCondition, TireRow, TireStep};
use crate::contracts::tire::{TireForces, TireInput, TireTraits};
use crate::contracts::tire_model::TireModel;
use crate::exchange::extra_states::ExtraStates;
use crate::exchange::tire_state::TireState;
use crate::params::LoadFilter;
use crate::params::profile::Solver;

/// 10 loads per unit of slip inside the friction circle; remembers the energy that it slid away (`J`), and with
/// `bristles` is a bristle of 1/mm that breaks away at the friction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Remembers {
    condition: TireCondition,
    bristles: bool,
    fresh: TireState,
}

impl Remembers {
    pub(super) const NOTHING_NEW: Self = Self {
        condition: TireCondition::NEW,
        bristles: false,
        fresh: TireState {
            lengths: [0.0; 2],
            values: [0.0; 6],
        },
    };
}

/// Bristles' stiffness per load (`1/m`).
const BRISTLES: f32 = 1000.0;

impl TireModel for Remembers {
    fn forces(&self, i: &TireInput) -> TireForces {
        let (x, y) = (
            10.0 * i.load * i.slip_ratio,
            10.0 * i.load * i.tan_slip_angle,
        );
        let used = math::sqrt(x * x + y * y) / (i.friction * i.load);
        let scale = 1.0 / used.max(1.0);
        TireForces {
            longitudinal: x * scale,
            lateral: -y * scale,
            wheel_torque: -x * scale * i.radius,
            ..TireForces::default()
        }
    }

    fn traits(&self) -> TireTraits {
        TireTraits::PLAIN
    }

    fn stateful(&self) -> Option<&dyn StatefulTire> {
        Some(self)
    }
}

impl StatefulTire for Remembers {
    fn fresh(&self) -> TireState {
        self.fresh
    }

    fn condition(&self, _: &TireState) -> TireCondition {
        self.condition
    }

    fn rows(&self, state: &TireState, input: &TireInput, duration: f32) -> Option<[TireRow; 2]> {
        let stiffness = BRISTLES * input.load;
        let row = |deflection: f32| TireRow {
            force: stiffness * deflection,
            gain: stiffness * (duration + 0.03),
        };
        self.bristles.then(|| state.lengths.map(row))
    }

    fn advance(&self, state: &mut TireState, step: &TireStep) {
        state.values[0] += step.sliding_power() * step.duration;
        state.values[1] += step.duration;
        for (length, force) in state.lengths.iter_mut().zip(step.forces) {
            *length = force / (BRISTLES * step.input.load.max(1.0));
        }
    }
}

fn on(tire: Remembers, solver: Solver) -> Arc<VehicleModel> {
    let change = |p: &mut VehicleParams| {
        p.load_filter = LoadFilter::OFF;
        p.profile.solver = solver;
    };
    let params = Checked::new(params(change)).unwrap();
    let tires: [Arc<dyn TireModel>; 1] = [Arc::new(tire)];
    Arc::new(VehicleModel::new(params, &tires, testing::no_drive()).unwrap())
}

/// Energy that the tires slid away, and energy that a braked car of 20 m/s lost.
#[rstest]
#[case::rows(testing::ROWS)]
#[case::explicit(testing::EXPLICIT)]
fn tire_states_accumulate_wear(#[case] solver: Solver) {
    let mut world = World::new(&on(Remembers::NOTHING_NEW, solver), 0.0, 0.0);
    world.command.brake = 0.0;
    world.run(1.0);
    world.body.linear_velocity = Vec3::X * 20.0;
    world.command.brake = 1.0;
    world.run(1.0);
    let speed = world.body.linear_velocity.x;
    let lost = 0.5 * world.body.mass * (400.0 - speed * speed);
    let slid: f32 = world
        .car
        .state()
        .extras
        .tires()
        .iter()
        .map(|tire| tire.values[0])
        .sum();
    assert!(speed < 15.0, "{speed}");
    assert!((slid / lost - 1.0).abs() < 0.05, "{slid} J of {lost} J");
    let times = world
        .car
        .state()
        .extras
        .tires()
        .iter()
        .map(|tire| tire.values[1]);
    assert!(times.into_iter().all(|time| (time - 2.0).abs() < 1e-3));
}

#[rstest]
#[case::rows(testing::ROWS)]
#[case::explicit(testing::EXPLICIT)]
fn condition_scales_friction_and_stiffness(#[case] solver: Solver) {
    let force = |friction: f32, stiffness: f32, drift: f32| {
        let condition = TireCondition {
            friction,
            stiffness,
            ..TireCondition::NEW
        };
        let tire = Remembers {
            condition,
            ..Remembers::NOTHING_NEW
        };
        let mut world = World::new(&on(tire, solver), 0.0, 0.0);
        world.command.brake = 0.0;
        world.run(1.0);
        for _ in 0..60 {
            world.body.linear_velocity = Vec3::new(20.0, drift, 0.0);
            world.body.angular_velocity = Vec3::ZERO;
            world.last = world.update(1.0 / 200.0).unwrap();
            world.body.position += DVec3::X * 0.1;
        }
        let outputs = world.car.outputs().first();
        (outputs.forces.lateral / outputs.load).lane(0)
    };
    // A slip of 0.01 at 10 loads per slip; fully sliding at 1.
    let (plain, stiff) = (force(1.0, 1.0, 0.2), force(1.0, 1.5, 0.2));
    // Rows respond to the drift that they leave at the end of the substep.
    assert!((stiff / plain - 1.5).abs() < 0.03, "{plain} {stiff}");
    let worn = force(0.5, 1.0, 8.0);
    assert!((worn + 0.5).abs() < 0.01, "{worn}");
}

#[test]
fn own_rows_stick_and_slide() {
    let tire = Remembers {
        bristles: true,
        ..Remembers::NOTHING_NEW
    };
    let mut world = World::new(&on(tire, testing::ROWS), 0.2, 0.1);
    world.run(3.0);
    let position = world.body.position;
    world.run(5.0);
    let drift = (world.body.position - position).length();
    assert!(drift < 1e-4, "{drift}");
    // Together, bristles carry the car's weight along the slope.
    let tires = world.car.state().extras.tires().iter().zip(world.forces());
    let carried: f32 = tires
        .map(|(tire, load)| BRISTLES * load * tire.lengths[0])
        .sum();
    let weight = world.body.mass * 9.81 * world.normal.x.abs();
    assert!(
        (carried / weight - 1.0).abs() < 0.01,
        "{carried} N of {weight} N"
    );
    world.friction = 0.1;
    world.run(1.0);
    assert!((world.body.position - position).length() > 0.1);
}

#[test]
fn a_state_goes_on_alike_and_a_foreign_one_gets_new_tires() {
    let tire = Remembers {
        bristles: true,
        ..Remembers::NOTHING_NEW
    };
    let mut world = World::new(&on(tire, testing::ROWS), 0.1, 0.0);
    world.run(0.5);
    let (saved, body) = (world.car.state().clone(), world.body);
    world.run(0.5);
    let end = world.car.state().clone();
    world.car.restore(saved.clone()).unwrap();
    world.body = body;
    world.run(0.5);
    assert_eq!(*world.car.state(), end);

    world.car.reset_to(&saved).unwrap();
    world.body = body;
    world.run(0.5);
    assert_eq!(*world.car.state(), end);

    let bare = VehicleState {
        extras: ExtraStates::default(),
        ..saved
    };
    world.car.reset_to(&bare).unwrap();
    assert_eq!(world.car.state().extras, world.car.model().fresh_extras());
    world.run(0.5);
    world.car.restore(bare).unwrap();
    assert_eq!(world.car.state().extras, world.car.model().fresh_extras());
}

#[test]
fn other_kinds_and_rest_leave_tires_worn() {
    let fresh = TireState {
        lengths: [1e-3, 0.0],
        values: [7.0; 6],
    };
    let tire = Remembers {
        fresh,
        ..Remembers::NOTHING_NEW
    };
    let mut world = World::new(&on(tire, testing::ROWS), 0.0, 0.0);
    world.run(0.5);
    let worn = world.car.state().extras.clone();
    assert_eq!(worn.tires().len(), 4);
    assert_ne!(worn, world.car.model().fresh_extras());
    world
        .car
        .set_model(on(Remembers::NOTHING_NEW, testing::ROWS));
    assert_eq!(world.car.state().extras, worn);
    world.car.reset_to_rest();
    let rested = world.car.state().extras.tires()[0];
    assert_eq!(rested.values, worn.tires()[0].values);
    assert_eq!(rested.lengths, [0.0; 2]);
    world
        .car
        .set_model(model(params(|_| ()), testing::no_drive()));
    assert!(world.car.state().extras.tires().is_empty());
}

#[test]
fn a_wheel_whose_tire_remembered_nothing_gets_a_new_one() {
    let new = TireState {
        lengths: [0.0; 2],
        values: [80.0; 6],
    };
    let remembers = Remembers {
        fresh: new,
        ..Remembers::NOTHING_NEW
    };
    let on_axles = |front: usize, rear: usize| {
        let change = |p: &mut VehicleParams| {
            for (n, wheel) in p.wheels.iter_mut().enumerate() {
                wheel.tire.model = if n < 2 { front } else { rear };
            }
        };
        let params = Checked::new(params(change)).unwrap();
        let plain = Arc::clone(&testing::tires()[0]);
        let tires: [Arc<dyn TireModel>; 2] = [Arc::new(remembers), plain];
        Arc::new(VehicleModel::new(params, &tires, testing::no_drive()).unwrap())
    };
    let mut world = World::new(&on_axles(0, 1), 0.0, 0.0);
    world.run(0.5);
    let front = world.car.state().extras.tires()[0];
    assert_ne!(front, new);
    world.car.set_model(on_axles(0, 0));
    let tires = world.car.state().extras.tires();
    assert_eq!((tires[0], tires[2]), (front, new));
}

#[test]
fn non_finite_states_are_not_restored() {
    let mut world = World::new(&on(Remembers::NOTHING_NEW, testing::ROWS), 0.0, 0.0);
    world.run(0.5);
    let mut state = world.car.state().clone();
    state.extras.tires_mut()[2].values[3] = f32::NAN;
    world.car.restore(state).unwrap();
    assert_eq!(world.car.state().extras, world.car.model().fresh_extras());
}

/// Pushes to the left by 100 N per rad/s that it is turned and per bar of pressure.
#[derive(Debug)]
struct Listens;

impl TireModel for Listens {
    fn forces(&self, input: &TireInput) -> TireForces {
        TireForces {
            lateral: 100.0 * input.yaw_speed + 1e-3 * input.pressure,
            ..TireForces::default()
        }
    }

    fn stateful(&self) -> Option<&dyn StatefulTire> {
        Some(self)
    }
}

impl StatefulTire for Listens {
    fn fresh(&self) -> TireState {
        TireState::default()
    }

    fn condition(&self, _: &TireState) -> TireCondition {
        TireCondition {
            pressure: 2e5,
            ..TireCondition::NEW
        }
    }

    /// Remembers the last step.
    fn advance(&self, state: &mut TireState, step: &TireStep) {
        let i = &step.input;
        state.values = [
            i.yaw_speed,
            i.pressure,
            i.rest_load,
            i.gravity,
            i.forward_speed,
            i.load,
        ];
    }
}

#[rstest]
#[case::rows(testing::ROWS)]
#[case::explicit(testing::EXPLICIT)]
fn laws_and_states_are_told_all_of_the_wheel(#[case] solver: Solver) {
    let change = |p: &mut VehicleParams| {
        p.load_filter = LoadFilter::OFF;
        p.profile.solver = solver;
    };
    let params = Checked::new(params(change)).unwrap();
    let tires: [Arc<dyn TireModel>; 1] = [Arc::new(Listens)];
    let model = Arc::new(VehicleModel::new(params, &tires, testing::no_drive()).unwrap());
    let mut world = World::new(&model, 0.0, 0.0);
    world.command.brake = 0.0;
    world.run(1.0);
    for _ in 0..30 {
        world.body.linear_velocity = Vec3::X * 20.0;
        world.body.angular_velocity = Vec3::Z * 0.5;
        world.last = world.update(1.0 / 200.0).unwrap();
    }
    let [yaw, pressure, rest_load, gravity, forward, load] =
        world.car.state().extras.tires()[0].values;
    assert!((yaw - 0.5).abs() < 0.02, "{yaw}");
    assert_eq!(pressure, 2e5);
    assert!((gravity - 9.81).abs() < 1e-5);
    assert!((forward - 20.0).abs() < 1.0, "{forward}");
    assert!(
        load > 0.5 * rest_load && rest_load > 1000.0,
        "{load} {rest_load}"
    );
    let force = world.car.outputs().first().forces.lateral.lane(0);
    assert!((force - 250.0).abs() < 20.0, "{force}");
}

/// Answers nothing that is a number.
#[derive(Debug)]
struct Absurd;

impl TireModel for Absurd {
    fn forces(&self, input: &TireInput) -> TireForces {
        Remembers::NOTHING_NEW.forces(input)
    }

    fn stateful(&self) -> Option<&dyn StatefulTire> {
        Some(self)
    }
}

impl StatefulTire for Absurd {
    fn fresh(&self) -> TireState {
        TireState::default()
    }

    fn condition(&self, _: &TireState) -> TireCondition {
        TireCondition {
            friction: f32::NAN,
            stiffness: f32::NEG_INFINITY,
            pressure: f32::NAN,
        }
    }

    fn rows(&self, _: &TireState, _: &TireInput, _: f32) -> Option<[TireRow; 2]> {
        let row = TireRow {
            force: f32::NAN,
            gain: -1.0,
        };
        Some([row; 2])
    }

    fn advance(&self, state: &mut TireState, _: &TireStep) {
        state.values[0] = f32::INFINITY;
    }
}

#[test]
fn nan_is_not_taken() {
    let params = Checked::new(params(|p| p.load_filter = LoadFilter::OFF)).unwrap();
    let tires: [Arc<dyn TireModel>; 1] = [Arc::new(Absurd)];
    let model = Arc::new(VehicleModel::new(params, &tires, testing::no_drive()).unwrap());
    let mut world = World::new(&model, 0.2, 0.1);
    world.run(3.0);
    let position = world.body.position;
    world.run(3.0);
    assert!((world.body.position - position).length() < 1e-3);
    assert_eq!(
        world.car.state().extras.tires()[..],
        [TireState::default(); 4]
    );
}
