//! Cars whose wheels are swept, over half spaces in closed form.

mod direct;
mod hits;

use alloc::vec::Vec;

use glam::{DVec3, Quat};
use rstest::rstest;

use super::*;
use crate::base::ids::{ColliderId, MaterialId};
use crate::base::lanes::W4;
use crate::contracts::ground::{GroundHit, GroundRay};
use crate::contracts::rigid_bodies::{GroundMotion, RigidBodies};
use crate::contracts::scene_query::SceneQuery;
use crate::contracts::sweep_query::{GroundSweep, SweepHit, SweepQuery};
use crate::exchange::command::{CarCommand, Command};
use crate::exchange::step_error::BodyError;
use crate::exchange::step_result::{Reaction, StepResult};
use crate::params::wheel_shape::ShapeKind;
use crate::params::{Probe, SweepSettings};
use crate::{
    Air, Checked, Environment, Profile, Surfaces, WheelColliderSettings, WheelContact, inertia,
    math, step, testing,
};

const GRAVITY: Vec3 = Vec3::new(0.0, 0.0, -9.81);
const DT: f32 = 1.0 / 60.0;

/// Ground below planes through a point (`m`) with a normal, and one body over it that an engine moves
/// as it is told.
struct World {
    grounds: Vec<(Vec3, Vec3)>,
    body: BodyState,
}

impl World {
    fn new(grounds: &[(Vec3, Vec3)]) -> Self {
        let model = testing::model();
        let chassis = model.params().chassis;
        Self {
            grounds: grounds.to_vec(),
            body: BodyState {
                position: DVec3::Z * 1.65,
                rotation: Quat::IDENTITY,
                mass: chassis.mass,
                inverse_inertia: inertia::inverse(chassis.inertia_tensor()),
                ..BodyState::BLANK
            },
        }
    }

    fn hits<'a>(&'a self, sweep: &'a GroundSweep) -> impl Iterator<Item = SweepHit> + 'a {
        self.grounds.iter().filter_map(|&(point, normal)| {
            let lowest = sweep.offset + sweep.shape.lowest(normal, sweep.axle);
            let height = normal.dot(sweep.anchor.as_vec3() + lowest - point);
            let distance = (-height / normal.dot(sweep.direction)).max(0.0);
            let faces = normal.dot(sweep.direction) < 0.0 && sweep.filter.layers != 0;
            (faces && distance <= sweep.length).then(|| SweepHit {
                ground: GroundHit {
                    distance,
                    normal,
                    material: MaterialId(0),
                    body: None,
                    collider: ColliderId(0),
                    triangle: None,
                },
                // On the plane, under the wheel: an overlapping wheel must find it, too.
                point: lowest - normal * height,
            })
        })
    }
}

impl SweepQuery for World {
    fn sweep_first(&self, sweeps: &[GroundSweep], hits: &mut [Option<SweepHit>]) {
        for (sweep, hit) in sweeps.iter().zip(hits) {
            let all = self.hits(sweep);
            *hit = all.min_by(|a, b| a.ground.distance.total_cmp(&b.ground.distance));
        }
    }

    fn sweep_all(&self, sweeps: &[GroundSweep], on_hit: &mut dyn FnMut(usize, SweepHit)) {
        for (n, sweep) in sweeps.iter().enumerate() {
            self.hits(sweep).for_each(|hit| on_hit(n, hit));
        }
    }
}

impl SceneQuery for World {
    fn cast_rays(&self, _: &[GroundRay], _: &mut [Option<GroundHit>]) {
        panic!("wheels are swept");
    }

    fn sweeps(&self) -> Option<&dyn SweepQuery> {
        (!self.grounds.is_empty()).then_some(self)
    }
}

impl RigidBodies for World {
    fn read(&self, _: &[BodyId], out: &mut [BodyState]) -> Result<(), BodyError> {
        out[0] = self.body;
        Ok(())
    }

    fn ground_motion(&self, _: BodyId) -> Option<GroundMotion> {
        None
    }

    fn apply(&mut self, _: &[BodyId], outcomes: &[StepResult]) -> Result<(), BodyError> {
        let body = &mut self.body;
        match outcomes[0].motion_for(false) {
            Motion::Keep => {}
            Motion::StepMotion {
                linear,
                angular,
                canceled_acceleration,
                canceled_angular_acceleration,
            } => {
                body.linear_velocity = linear + (GRAVITY - canceled_acceleration) * DT;
                body.angular_velocity = angular - canceled_angular_acceleration * DT;
            }
            Motion::VelocityChange { linear, angular } => {
                body.linear_velocity += linear + GRAVITY * DT;
                body.angular_velocity += angular;
            }
            other => panic!("{other:?}"),
        }
        body.position += (body.linear_velocity * DT).as_dvec3();
        body.rotation = math::turn(body.rotation, body.angular_velocity, DT);
        Ok(())
    }

    fn react(&mut self, _: &[Reaction]) {}
}

fn car(profile: Profile, settings: SweepSettings) -> Vehicle {
    let mut params = testing::four_wheeler();
    params.profile = profile;
    // Within a step of several substeps, a car on its springs rises before gravity acts.
    params.substeps.slow = 1;
    params.probe = Probe::Sweep(settings);
    let params = Checked::new(params).unwrap();
    let model = VehicleModel::new(params, &testing::tires(), testing::no_drive()).unwrap();
    Vehicle::new(Arc::new(model), BodyId(7))
}

fn go(car: &mut Vehicle, world: &mut World, steps: usize) -> Result<(), StepError> {
    let surfaces = Surfaces::new();
    let environment = Environment {
        gravity: GRAVITY,
        surfaces: &surfaces,
        air: Air::STILL,
    };
    let command = Command::Car(CarCommand {
        brake: 1.0,
        ..CarCommand::default()
    });
    (0..steps).try_for_each(|_| step(car, world, &command, &environment, DT))
}

const LEVEL: (Vec3, Vec3) = (Vec3::ZERO, Vec3::Z);

#[rstest]
fn a_swept_car_stands_at_its_design_height(
    #[values(Profile::DEFAULT, Profile::PHYSX_4)] profile: Profile,
    #[values(
        ShapeKind::Cylinder,
        ShapeKind::Sphere,
        ShapeKind::Capsule,
        ShapeKind::RoundedDisc
    )]
    shape: ShapeKind,
    #[values(false, true)] all_hits: bool,
    #[values(false, true)] direct: bool,
) {
    let settings = SweepSettings {
        shape,
        all_hits,
        direct,
        ..SweepSettings::DEFAULT
    };
    let mut car = car(profile, settings);
    let mut world = World::new(&[LEVEL]);
    go(&mut car, &mut world, 180).unwrap();
    assert!(
        (world.body.position.z - 1.65).abs() < 2e-3,
        "{:?}",
        world.body.position
    );
    assert!((0..4).all(|wheel| !car.wheel_report(wheel).in_air));
}

#[test]
fn a_vehicles_own_grip_counts_under_swept_wheels() {
    let mut car = car(Profile::DEFAULT, SweepSettings::DEFAULT);
    car.set_grip(0.5).unwrap();
    go(&mut car, &mut World::new(&[LEVEL]), 1).unwrap();
    assert_eq!(car.wheel_report(0).ground_friction, 0.5);
}

/// Jounce of the front left wheel after one update.
fn first_jounce(settings: SweepSettings, grounds: &[(Vec3, Vec3)]) -> f32 {
    let mut car = car(Profile::PHYSX_4, settings);
    let mut world = World::new(grounds);
    go(&mut car, &mut world, 1).unwrap();
    car.wheel_report(0).jounce
}

#[test]
fn a_bank_lifts_the_wheel_by_its_shoulder() {
    // Rises to the left by 0.1 per meter, level with the ground under the front left wheel.
    let bank = (
        Vec3::new(0.0, 1.05, 0.0),
        Vec3::new(0.0, -0.1, 1.0).normalize(),
    );
    let jounce = first_jounce(SweepSettings::DEFAULT, &[bank]);
    assert!((jounce - 0.02).abs() < 1e-5, "{jounce}");
}

#[test]
fn a_larger_shape_counts_in_the_direct_mode_only() {
    let scaled = SweepSettings {
        radius_scale: 1.1,
        inflation: 0.01,
        ..SweepSettings::DEFAULT
    };
    assert!(first_jounce(scaled, &[LEVEL]).abs() < 1e-5);
    let direct = SweepSettings {
        direct: true,
        ..scaled
    };
    assert!((first_jounce(direct, &[LEVEL]) - 0.06).abs() < 1e-5);
}

#[test]
fn of_all_hits_the_wall_is_not_the_suspensions() {
    // 60° steep, and meets the wheel higher than the ground does.
    let wall = (Vec3::new(1.45, 0.0, 0.0), Vec3::new(-0.866_025, 0.0, 0.5));
    let all = first_jounce(SweepSettings::DEFAULT, &[LEVEL, wall]);
    assert!(all.abs() < 1e-5, "{all}");
    let first = SweepSettings {
        all_hits: false,
        ..SweepSettings::DEFAULT
    };
    assert!(first_jounce(first, &[LEVEL, wall]) > 0.1);
}

#[test]
fn a_wheel_with_nothing_but_walls_hangs() {
    let wall = (Vec3::new(1.45, 0.0, 0.0), Vec3::new(-0.866_025, 0.0, 0.5));
    let jounce = first_jounce(SweepSettings::DEFAULT, &[wall]);
    assert_eq!(jounce, -0.1);
}

#[test]
fn a_car_in_the_ground_comes_out_of_it() {
    for depth in [0.3, 1.0] {
        let mut swept = car(Profile::DEFAULT, SweepSettings::DEFAULT);
        let mut world = World::new(&[LEVEL]);
        world.body.position.z -= depth;
        let mut highest = 0.0_f64;
        for _ in 0..600 {
            go(&mut swept, &mut world, 1).unwrap();
            highest = highest.max(world.body.position.z);
        }
        let height = world.body.position.z;
        assert!((height - 1.65).abs() < 5e-3, "{depth}: {height}");
        assert!(highest < 1.65 + 0.1, "{depth}: thrown up to {highest}");
    }
}

#[test]
fn a_falling_car_is_caught() {
    let mut swept = car(Profile::DEFAULT, SweepSettings::DEFAULT);
    let mut world = World::new(&[LEVEL]);
    world.body.position.z += 1.5;
    go(&mut swept, &mut world, 600).unwrap();
    let height = world.body.position.z;
    assert!((height - 1.65).abs() < 5e-3, "{height}");
}

/// Whatever a wheel stands on, rigid contact leaves alone, and the wall beside it does not.
#[rstest]
#[case::on_the_ground(true, 0.0)]
#[case::in_the_ground(true, 0.3)]
#[case::deep_in_the_ground(true, 1.0)]
#[case::on_whatever_comes_first(false, 0.0)]
fn a_contact_has_one_owner(#[case] all_hits: bool, #[case] depth: f64) {
    let settings = SweepSettings {
        all_hits,
        ..SweepSettings::DEFAULT
    };
    let mut swept = car(Profile::DEFAULT, settings);
    let normal = Vec3::new(-0.866_025, 0.0, 0.5);
    let wall = (Vec3::new(1.45, 0.0, 0.0), normal);
    let mut world = World::new(&[LEVEL, wall]);
    world.body.position.z -= depth;
    go(&mut swept, &mut world, 1).unwrap();
    let rigid = WheelColliderSettings::beside(&swept);
    for wheel in 0..4 {
        let contact = swept.contacts()[wheel].expect("it stands");
        let hook = WheelContact::of(&swept, wheel, world.body.rotation, rigid);
        let normal = contact.hit.normal;
        assert_eq!(hook.target_velocity(contact.point, normal), None, "{wheel}");
    }
    let hook = WheelContact::of(&swept, 0, world.body.rotation, rigid);
    let beside = hook.target_velocity(hook.center - normal * 0.5, normal);
    assert_eq!(beside.is_some(), all_hits);
}

#[test]
fn in_physx_a_wheel_in_the_ground_stands_on_nothing() {
    let mut swept = car(Profile::PHYSX_4, SweepSettings::PHYSX);
    let mut world = World::new(&[LEVEL]);
    world.body.position.z -= 1.0;
    go(&mut swept, &mut world, 1).unwrap();
    assert!(swept.is_in_air());
}

#[test]
fn a_world_without_sweeps_is_refused() {
    let mut swept = car(Profile::DEFAULT, SweepSettings::DEFAULT);
    let mut world = World::new(&[]);
    let refused = go(&mut swept, &mut world, 1);
    assert_eq!(refused, Err(StepError::NoSweeps));
}

#[test]
fn the_state_restores_how_wheels_are_turned() {
    let mut first = car(Profile::DEFAULT, SweepSettings::DEFAULT);
    let mut world = World::new(&[LEVEL]);
    first.state_mut().wheels[0].steer = W4::splat(0.4);
    let mut again = car(Profile::DEFAULT, SweepSettings::DEFAULT);
    again.restore(first.state().clone()).unwrap();
    let blank = GroundSweep {
        axle: Vec3::ZERO,
        ..sweep::NO_SWEEP
    };
    let (mut a, mut b) = ([blank; 4], [blank; 4]);
    first.plan_sweeps(&world.body, &mut a);
    again.plan_sweeps(&world.body, &mut b);
    assert_eq!(a, b);
    assert!((a[0].axle - Vec3::new(-0.389_418, 0.921_061, 0.0)).length() < 1e-5);
    go(&mut first, &mut world, 1).unwrap();
    assert_eq!(first.state().wheels[0].steer.lane(0), 0.0);
}
