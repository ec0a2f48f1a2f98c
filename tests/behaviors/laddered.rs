//! The ladder of detail: what a switch to wheels on joints and back keeps, and what a refused one changes.

use core::f32::consts::TAU;

use jounce::core::{BodyId, CarCommand, Gear, Reaction};
use jounce::jointed::{
    ChassisBody, JointedError, JointedWheels, WheelAttachment, WheelDrive, WheelMotion,
    WheelPlacing,
};
use jounce::presets;
use proving_ground::ground::{GroundSpec, MeshUp, Terrain};
use proving_ground::ladder::{self, LadderStage};
use proving_ground::stage::{Scene, Stage, car_with};
use proving_ground::world::{self, WorldKind};

use super::{FREE, RATE};

/// The rungs on joints and on rays.
const JOINTS: usize = 0;
const RAYS: usize = 3;

/// The sedan on rays, half a second into a bend.
fn in_a_bend(world: WorldKind) -> LadderStage {
    let terrain = Terrain::new(&GroundSpec::Flat, MeshUp::Z).unwrap();
    let world = world::open(world, &terrain, 1.0 / RATE).unwrap();
    let scene = Scene {
        speed: 10.0,
        gear: Gear(2),
        ..Scene::LEVEL
    };
    let mut stage = LadderStage::put(
        world,
        &terrain,
        &ladder::sedan().unwrap(),
        &scene,
        1.0 / RATE,
    )
    .unwrap();
    stage.switch(RAYS).unwrap();
    let bend = CarCommand {
        steer: 0.2,
        throttle: 0.3,
        ..FREE
    };
    for _ in 0..30 {
        stage.step(&bend).unwrap();
    }
    stage
}

/// A switch to joints and back at once changes nothing.
#[test]
fn a_switch_to_joints_and_back_loses_nothing() {
    for &kind in WorldKind::all() {
        let mut stage = in_a_bend(kind);
        if stage.world.jointed_wheels().is_none() {
            continue;
        }
        let (before, place) = (
            stage.car.vehicle().state().clone(),
            stage.position().unwrap(),
        );
        let body = stage.body().unwrap();
        let velocity = before.at_end_of_step(&body).linear_velocity;
        stage.switch(JOINTS).unwrap();
        assert!(stage.position().unwrap().distance(place) < 1e-4);
        let car = stage.car.jointed().unwrap();
        assert_eq!(*car.drive(), before.drive);
        for (n, motion) in car.motions().iter().enumerate() {
            let wheel = before.wheel(n);
            let turned = (motion.angle - wheel.angle) / TAU;
            let found = [
                motion.spin - wheel.spin,
                motion.travel - wheel.jounce.unwrap(),
                motion.rate - wheel.jounce_speed,
                turned - turned.round(),
            ];
            assert!(found.iter().all(|off| off.abs() < 1e-3), "{found:?}");
        }
        stage.switch(RAYS).unwrap();
        let (after, now) = (stage.car.vehicle().state(), stage.body().unwrap());
        assert!(stage.position().unwrap().distance(place) < 1e-4);
        assert!((now.linear_velocity - velocity).length() < 1e-3);
        assert_eq!(now.mass, body.mass);
        assert_eq!(after.drive.gear, before.drive.gear);
        assert!((after.drive.engine_speed - before.drive.engine_speed).abs() < 1e-3);
        let (found, expected) = (after.wheels[0].spin, before.wheels[0].spin);
        for n in 0..4 {
            assert!((found.lane(n) - expected.lane(n)).abs() < 1e-3, "{found:?}");
        }
    }
}

/// A world that gives chassis other masses, but has no wheels.
struct Refusing(Vec<ChassisBody>);

impl JointedWheels for Refusing {
    fn attach_wheels(
        &mut self,
        _: BodyId,
        _: &[WheelAttachment],
    ) -> Result<Vec<BodyId>, JointedError> {
        Err(JointedError::Engine("no wheels".to_owned()))
    }

    fn detach_wheels(&mut self, chassis: BodyId) -> Result<(), JointedError> {
        Err(JointedError::NotAttached(chassis))
    }

    fn place_wheels(&mut self, chassis: BodyId, _: &[WheelPlacing]) -> Result<(), JointedError> {
        Err(JointedError::NotAttached(chassis))
    }

    fn set_chassis(&mut self, _: BodyId, body: &ChassisBody) -> Result<(), JointedError> {
        self.0.push(*body);
        Ok(())
    }

    fn push_chassis(&mut self, push: &Reaction) -> Result<(), JointedError> {
        Err(JointedError::NotAttached(push.body))
    }

    fn wheel_motions(&self, chassis: BodyId, _: &mut [WheelMotion]) -> Result<(), JointedError> {
        Err(JointedError::NotAttached(chassis))
    }

    fn drive_wheels(
        &mut self,
        chassis: BodyId,
        _: &[WheelDrive],
        _: bool,
    ) -> Result<(), JointedError> {
        Err(JointedError::NotAttached(chassis))
    }
}

#[test]
fn a_refused_switch_leaves_the_car_as_it_was() {
    let mut stage = in_a_bend(WorldKind::Standalone);
    let (body, before) = (stage.body().unwrap(), stage.car.vehicle().state().clone());
    let mut world = Refusing(Vec::new());
    let refused = stage.car.switch(JOINTS, &body, Some(&mut world));
    assert_eq!(refused, Err(JointedError::Engine("no wheels".to_owned())));
    assert_eq!(stage.car.rung(), RAYS);
    assert_eq!(*stage.car.vehicle().state(), before);
    let [part, whole] = world.0[..] else {
        panic!("{:?}", world.0);
    };
    assert!(part.mass < whole.mass && whole.mass == body.mass);
    assert_eq!(part.shift, -whole.shift);
    let kept = (whole.linear_velocity, whole.angular_velocity);
    assert_eq!(kept, (body.linear_velocity, body.angular_velocity));
}

/// A car on bodies is refused by name where wheels probe the ground; a car on a ladder needs one in its file.
#[test]
fn a_car_is_refused_where_it_is_not_what_its_file_says() {
    let terrain = Terrain::new(&GroundSpec::Flat, MeshUp::Z).unwrap();
    let open = || world::open(WorldKind::Standalone, &terrain, 1.0 / RATE).unwrap();
    let rigid = car_with("sedan", "wheels", "rigid").unwrap();
    let refused = Stage::put(open(), &terrain, &rigid, &Scene::LEVEL, 1.0 / RATE);
    let text = refused.map_or_else(|error| error.to_string(), |_| String::new());
    assert!(text.contains("sedan: wheels = \"rigid\""), "{text}");
    let usual = presets::sedan();
    let refused = LadderStage::put(open(), &terrain, &usual, &Scene::LEVEL, 1.0 / RATE);
    let text = refused.map_or_else(|error| error.to_string(), |_| String::new());
    assert_eq!(text, "sedan: its file has no [ladder]");
}
