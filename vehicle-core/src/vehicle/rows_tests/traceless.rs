//! Whatever a vehicle went through: what it goes on from is its state.
//!
//! Each test takes a vehicle through random events, then through one that ends something, and compares it to
//! the bit with a new vehicle that knows nothing but what the documentation of that event lets stay.

use alloc::format;
use alloc::string::String;

use super::stateful::Remembers;
use super::*;
use crate::base::velocity::Velocity;
use crate::contracts::tire_model::TireModel;
use crate::exchange::step_record::StepRecord;
use crate::vehicle::detail::UpdateLevel;

/// Event in the life of a vehicle.
#[derive(Clone, Copy, Debug)]
enum Event {
    /// A step with this accelerator, brake and steering.
    Step(UpdateLevel, [f32; 3]),
    /// Probe of the ground that nothing follows.
    Probe,
    /// Sleep of the body, at rest, for a step.
    Sleep,
    Rest,
    Kind(usize),
    Body(u64),
    /// Return to the state at the beginning.
    Restore,
    /// Somebody puts its body elsewhere (`m`), and it moves there at another velocity (`m/s`).
    Teleport([f32; 3], f32),
}

fn update_level() -> impl Strategy<Value = UpdateLevel> {
    prop_oneof![
        3 => Just(UpdateLevel::Full),
        1 => Just(UpdateLevel::KnownGround),
        1 => Just(UpdateLevel::Extrapolated),
    ]
}

fn event() -> impl Strategy<Value = Event> {
    let pedals = [0.0_f32..1.0, 0.0..1.0, -1.0..1.0];
    let braked = (update_level(), 0.0_f32..1.0)
        .prop_map(|(update_level, b)| Event::Step(update_level, [0.0, b, 0.0]));
    let positions = [-50.0_f32..50.0, -50.0..50.0, 0.0..1.0];
    prop_oneof![
        6 => (update_level(), pedals).prop_map(|(update_level, pedals)| Event::Step(update_level, pedals)),
        2 => braked,
        2 => Just(Event::Probe),
        1 => Just(Event::Sleep),
        1 => Just(Event::Rest),
        1 => (0..3_usize).prop_map(Event::Kind),
        1 => (1..4_u64).prop_map(Event::Body),
        1 => Just(Event::Restore),
        1 => (positions, -5.0_f32..15.0).prop_map(|(position, speed)| Event::Teleport(position, speed)),
    ]
}

/// Update levels after the change that is tested.
fn then() -> impl Strategy<Value = Vec<UpdateLevel>> {
    proptest::collection::vec(update_level(), 1..7)
}

/// Two updates, which show how wheels and engine change, then these steps.
fn after_updates(mut then: Vec<UpdateLevel>) -> Vec<UpdateLevel> {
    then.splice(0..0, [UpdateLevel::Full; 2]);
    then
}

/// Wheels of the present model as which the four of the next go on.
fn sources() -> impl Strategy<Value = Vec<Option<usize>>> {
    proptest::collection::vec(proptest::option::of(0..4_usize), 4)
}

fn events() -> impl Strategy<Value = Vec<Event>> {
    proptest::collection::vec(event(), 0..12)
}

/// A car on rows, one of the explicit solver whose tires remember, and a heavier one on rows without one of
/// its wheels.
fn models() -> [Arc<VehicleModel>; 3] {
    let explicit = params(|p| {
        p.profile = Profile::PHYSX_4;
        testing::explicit(&mut p.profile).accelerates = true;
    });
    let remembers: [Arc<dyn TireModel>; 1] = [Arc::new(Remembers::NOTHING_NEW)];
    let explicit = Checked::new(explicit).unwrap();
    let three = params(|p| {
        p.set_mass(2000.0);
        p.move_center_of_mass(Vec3::new(0.3, -0.3, 0.0)).unwrap();
        p.enable_only(&[0, 1, 3]).unwrap();
    });
    [
        model(params(|_| ()), geared(Some(1e4))),
        Arc::new(VehicleModel::new(explicit, &remembers, geared(None)).unwrap()),
        model(three, geared(None)),
    ]
}

impl World {
    fn go_on(&mut self, update_level: UpdateLevel) -> Result<StepResult, StepError> {
        if update_level == UpdateLevel::Full {
            self.probe();
        }
        let command = Command::Car(self.command);
        let actual = match update_level {
            UpdateLevel::Extrapolated => self.car.extrapolate(&self.body, GRAVITY, DT),
            _ => self.car.update(&self.body, &command, GRAVITY, DT),
        };
        if let Ok(outcome) = actual {
            self.apply(&outcome, DT);
        }
        actual
    }

    fn sleep(&mut self) -> Result<StepResult, StepError> {
        self.body.linear_velocity = Vec3::ZERO;
        self.body.angular_velocity = Vec3::ZERO;
        self.body.asleep = true;
        self.go_on(UpdateLevel::KnownGround)
    }

    fn press(&mut self, [throttle, brake, steer]: [f32; 3]) {
        self.command = CarCommand {
            throttle,
            brake,
            steer,
            ..CarCommand::default()
        };
    }

    fn teleport(&mut self, position: Vec3, speed: f32) {
        self.body.position += position.as_dvec3();
        self.body.rotation = math::turn(self.body.rotation, Vec3::Z, 1.0);
        self.body.linear_velocity = Vec3::new(speed, 0.0, 0.0);
    }

    /// This world with a new vehicle of the same model, body and filter, which knows `state` only.
    fn renewed(&self, state: &VehicleState) -> Self {
        let mut car = Vehicle::new(Arc::clone(self.car.model()), self.car.body());
        *car.filter_mut() = self.car.filter;
        car.restore(state.clone()).unwrap();
        Self {
            car,
            ..self.clone()
        }
    }
}

/// Ground of the car: a body that stands still, and can be pushed.
const CRATE: GroundMotion = GroundMotion {
    position: DVec3::ZERO,
    rotation: Quat::IDENTITY,
    linear_velocity: Vec3::ZERO,
    angular_velocity: Vec3::ZERO,
    mass: Some(800.0),
    inverse_inertia: Mat3::ZERO,
};

/// A world after these events, in which refusals are events like others.
fn lived(first: usize, events: &[Event]) -> World {
    let models = models();
    let mut world = World::new(&models[first], 0.0, 0.0);
    world.motion = Some(CRATE);
    let start = world.car.state().clone();
    for event in events {
        match *event {
            Event::Step(update_level, pedals) => {
                world.press(pedals);
                let _ = world.go_on(update_level);
            }
            Event::Probe => world.probe(),
            Event::Sleep => {
                let _ = world.sleep();
            }
            Event::Rest => world.car.reset_to_rest(),
            Event::Kind(n) => world.car.set_model(Arc::clone(&models[n])),
            Event::Body(n) => world.car.set_body(BodyId(n)),
            Event::Restore => world.car.restore(start.clone()).unwrap(),
            Event::Teleport(position, speed) => world.teleport(position.into(), speed),
        }
    }
    world
}

/// Everything that a world goes on from, bit by bit: the shortest decimals are exact.
fn bits(world: &World) -> String {
    let (body, car) = (&world.body, &world.car);
    let (state, values) = (car.state(), &car.user_values);
    format!("{body:?} {state:?} {values:?} {:?}", car.filter)
}

/// Whether two worlds are the same, and go on the same.
/// Rotation of all wheels in the last update, per group.
fn turned(car: &Vehicle) -> Vec<W4> {
    let groups = 0..car.state().wheels.len();
    groups.map(|g| car.turned(g)).collect()
}

fn same_future(
    mut a: World,
    mut b: World,
    update_levels: &[UpdateLevel],
) -> Result<(), TestCaseError> {
    prop_assert_eq!(bits(&a), bits(&b), "before the first step");
    for (n, update_level) in update_levels.iter().enumerate() {
        for world in [&mut a, &mut b] {
            world.press([0.3, 0.1 * n as f32, 0.2]);
        }
        let [actual, expected] = [&mut a, &mut b].map(|world| world.go_on(*update_level));
        prop_assert_eq!(format!("{actual:?}"), format!("{expected:?}"), "step {}", n);
        prop_assert_eq!(bits(&a), bits(&b), "after step {}", n);
        let [actual, expected] = [&a, &b].map(|world| {
            let pushes: Vec<Reaction> = world.car.reactions().collect();
            format!("{:?} {pushes:?}", turned(&world.car))
        });
        prop_assert_eq!(actual, expected, "wheels in step {}", n);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    /// `restore`: nothing but the state counts.
    #[test]
    fn a_restored_vehicle_goes_on_as_a_new_one_with_that_state(
        first in 0..3_usize, before in events(), others in events(), then in then(),
    ) {
        let mut world = lived(first, &before);
        let mut other = lived(0, &others);
        other.car.set_model(Arc::clone(world.car.model()));
        let saved = other.car.state().clone();
        let twin = world.renewed(&saved);
        world.car.restore(saved).unwrap();
        same_future(world, twin, &then)?;
    }

    /// `reset_to_rest`: nothing stays but what tires remember besides lengths.
    #[test]
    fn a_vehicle_put_to_rest_is_a_new_one_on_worn_tires(
        first in 0..3_usize, before in events(), then in then(),
    ) {
        let mut world = lived(first, &before);
        let mut new = Vehicle::new(Arc::clone(world.car.model()), world.car.body()).state;
        new.extras.wear_as(&world.car.state().extras);
        let twin = world.renewed(&new);
        world.car.reset_to_rest();
        prop_assert!(world.car.contacts().iter().all(Option::is_none));
        let [actual, expected] = [&world, &twin].map(|world| {
            let car = &world.car;
            format!("{:?} {:?}", car.outputs(), turned(car))
        });
        prop_assert_eq!(actual, expected);
        // Nothing was pushed on what it finds now.
        world.probe();
        prop_assert_eq!(world.car.reactions().count(), 0);
        world.car.reset_to_rest();
        same_future(world, twin, &then)?;
    }

    /// `set_model`: what it goes on with follows from its state and both kinds, and so does every later change.
    #[test]
    fn a_change_of_the_kind_depends_on_the_state_only(
        first in 0..3_usize, before in events(), changes in proptest::collection::vec(0..3_usize, 1..4),
        then in then(),
    ) {
        let mut world = lived(first, &before);
        // A change between a probe and its update loses neither.
        let _ = world.go_on(UpdateLevel::KnownGround);
        let mut twin = world.renewed(world.car.state());
        let models = models();
        for n in changes {
            for world in [&mut world, &mut twin] {
                world.car.set_model(Arc::clone(&models[n]));
            }
            twin = world.renewed(twin.car.state());
        }
        same_future(world, twin, &then)?;
    }

    /// `set_model_with`: the same, wheels where they are as `set_model` has it.
    #[test]
    fn a_change_of_the_wheels_depends_on_the_state_only(
        first in 0..3_usize, before in events(), to in 0..3_usize, from in sources(),
        then in then(),
    ) {
        let mut world = lived(first, &before);
        let (mut twin, to) = (world.renewed(world.car.state()), models()[to].clone());
        let mut plain = twin.clone();
        plain.car.set_model(Arc::clone(&to));
        let mut same = twin.clone();
        same.car.set_model_with(Arc::clone(&to), &[0, 1, 2, 3].map(Some));
        prop_assert_eq!(bits(&same), bits(&plain));
        for world in [&mut world, &mut twin] {
            world.car.set_model_with(Arc::clone(&to), &from);
        }
        same_future(world, twin, &then)?;
    }

    /// `set_body`: as a vehicle that always was on that body, which had no step yet.
    #[test]
    fn a_new_body_has_no_step_record(
        first in 0..3_usize, before in events(), speed in -0.1_f32..0.1, then in then(),
    ) {
        let mut world = lived(first, &before);
        let _ = world.go_on(UpdateLevel::Full);
        world.car.set_body(BodyId(4));
        prop_assert_eq!(world.car.filter_mut().ignore[0], Some(BodyId(4)));
        let mut state = world.car.state().clone();
        state.last_step.duration = 0.0;
        let mut twin = world.renewed(&state);
        for world in [&mut world, &mut twin] {
            world.body.linear_velocity.y += speed;
        }
        same_future(world, twin, &after_updates(then))?;
    }

    /// A teleport to another velocity on the rows solver: neither the engine's pushes nor what the body was still owed stay.
    #[test]
    fn a_teleport_resets_the_observer(
        first in 0..3_usize, before in events(), speed in -5.0_f32..15.0, then in then(),
    ) {
        let mut world = lived(first, &before);
        world.body.asleep = false;
        let _ = world.go_on(UpdateLevel::Full);
        let _ = world.go_on(UpdateLevel::Full);
        let rows = world.car.model().params().profile.rows().is_some();
        prop_assume!(rows && world.car.state().last_step.duration > 0.0);
        let mut state = VehicleState {
            carry: Velocity::ZERO,
            last_step: StepRecord::NONE,
            ..world.car.state().clone()
        };
        state.set_arrived(false);
        let before = world.body.linear_velocity;
        let turned = math::rotated(&math::matrix(math::rotation_about(Vec3::Z, 1.0)), before);
        world.teleport(Vec3::new(40.0, -30.0, 0.0), speed);
        let now = world.body.linear_velocity;
        prop_assume!((now - before).length().min((now - turned).length()) > 0.5);
        let mut twin = world.renewed(&state);
        for world in [&mut world, &mut twin] {
            prop_assert!(world.go_on(UpdateLevel::Full).is_ok());
        }
        same_future(world, twin, &after_updates(then))?;
    }

    /// Sleep and waking: as long as the sleep was, and whatever turned before, as a new vehicle that slept a step.
    #[test]
    fn waking_clears_the_extrapolation_history(
        first in 0..3_usize, before in events(), steps in 1..5_usize, then in then(),
    ) {
        let mut world = lived(first, &before);
        world.body.asleep = false;
        for _ in 0..3 {
            world.press([0.0, 1.0, 0.0]);
            let _ = world.go_on(UpdateLevel::Full);
        }
        let mut twin = world.renewed(world.car.state());
        for _ in 0..steps {
            prop_assert_eq!(world.sleep(), Ok(StepResult::default()));
        }
        prop_assert_eq!(twin.sleep(), Ok(StepResult::default()));
        for world in [&mut world, &mut twin] {
            world.body.asleep = false;
        }
        same_future(world, twin, &then)?;
    }
}

/// Between a probe and its update: what it found moves, and the ground of the restored state is not that.
#[test]
fn restoring_a_state_discards_the_probe() {
    let mut world = lived(0, &[Event::Step(UpdateLevel::Full, [0.3, 0.0, 0.0])]);
    let saved = world.car.state().clone();
    world.motion = Some(GroundMotion {
        linear_velocity: Vec3::new(3.0, 0.0, 0.0),
        ..CRATE
    });
    world.probe();
    let twin = world.renewed(&saved);
    world.car.restore(saved).unwrap();
    same_future(world, twin, &[UpdateLevel::KnownGround; 2]).unwrap();
}
