//! Contact hooks in a real Avian world.

use avian3d::prelude::*;
use backend_avian::{
    ChassisFrame, ModifiedWheel, WheelCollider, WheelHooks, WheelHooksPlugin, WheelSettings,
    WheelSize, attach_wheels, body_id, mass_properties, pose_wheels,
};
use bevy::app::App;
use bevy::prelude::{Entity, Transform, With};
use glam::{Mat3, Quat, Vec3};
use rstest::rstest;
use vehicle_core::rigid_contact::{WheelColliderSettings, WheelContact};
use vehicle_core::{Frame, QueryFilter};

use crate::support;

const FRAME: Frame = Frame::X_FORWARD_Y_UP;
const DT: f32 = 1.0 / 60.0;
const R: f32 = 0.35;
/// The only wheel, in front and below the center of mass (`m`, vehicle axes).
const HUB: Vec3 = Vec3::new(1.4, 0.0, -0.3);

/// The hook data of a wheel whose car has not rotated.
fn told(spin: f32, application_point: Vec3) -> WheelContact {
    WheelContact {
        settings: WheelColliderSettings::DEFAULT,
        center: FRAME.to_body(HUB),
        axle: Vec3::NEG_Z,
        travel: Vec3::NEG_Y,
        spin,
        application_point: Some(application_point),
    }
}

struct Unicycle {
    app: App,
    body: Entity,
    wheel: Entity,
}

/// The environment of the unicycle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Obstacle {
    /// Ground that the wheel penetrates by 0.1 m.
    Ground,
    /// A wall 0.05 m in front of the wheel.
    Wall,
    /// A wall of 2 cm, so far in front of the wheel (`mm`).
    Sheet(u16),
    /// The edge of a curb 4 m in front of the wheel, which meets it 30° from its lowest point.
    Curb,
}

fn spawn_obstacle(app: &mut App, obstacle: Obstacle) {
    let (size, place) = match obstacle {
        Obstacle::Ground => (
            Vec3::new(200.0, 2.0, 20.0),
            Vec3::Y * (HUB.z - R + 0.1 - 1.0),
        ),
        Obstacle::Wall => (
            Vec3::new(2.0, 20.0, 20.0),
            Vec3::X * (HUB.x + R + 0.05 + 1.0),
        ),
        Obstacle::Sheet(gap) => (
            Vec3::new(0.02, 20.0, 20.0),
            Vec3::X * (HUB.x + R + f32::from(gap) * 1e-3 + 0.01),
        ),
        Obstacle::Curb => (
            Vec3::new(20.0, 2.0, 20.0),
            Vec3::new(HUB.x + 14.0, HUB.z - R * 0.75_f32.sqrt() - 1.0, 0.0),
        ),
    };
    app.world_mut().spawn((
        RigidBody::Static,
        Collider::cuboid(size.x, size.y, size.z),
        Transform::from_translation(place),
    ));
}

/// A body with one wheel and no other collider, without gravity; the obstacle is created before or
/// after it, so that either can be the first of the pair.
fn unicycle(obstacle: Obstacle, obstacle_first: bool, modified: bool) -> Unicycle {
    let settings = WheelSettings {
        layers: CollisionLayers::default(),
        shared: modified.then_some(WheelColliderSettings::DEFAULT),
        swept: false,
    };
    unicycle_with(obstacle, obstacle_first, &settings)
}

fn unicycle_with(obstacle: Obstacle, obstacle_first: bool, settings: &WheelSettings) -> Unicycle {
    let mut app = support::app_with_hooks::<WheelHooks<'_, '_>>(|app| {
        app.add_plugins(WheelHooksPlugin);
    });
    app.world_mut().insert_resource(Gravity::ZERO);
    if obstacle_first {
        spawn_obstacle(&mut app, obstacle);
    }
    let world = app.world_mut();
    let body = world.spawn((
        RigidBody::Dynamic,
        ChassisFrame(FRAME),
        Transform::default(),
        mass_properties(
            &FRAME,
            1200.0,
            Mat3::from_diagonal(Vec3::new(500.0, 1500.0, 1800.0)),
            Vec3::ZERO,
        ),
    ));
    let body = body.id();
    let size = WheelSize {
        radius: R,
        width: 0.2,
    };
    let wheels = attach_wheels(world, body_id(body), &[Some(size)], settings).unwrap();
    let mut transforms = world.query_filtered::<&mut Transform, With<WheelCollider>>();
    pose_wheels(
        &mut transforms.query_mut(world),
        &wheels,
        &[(HUB, Quat::IDENTITY)],
        &FRAME,
    );
    if !obstacle_first {
        spawn_obstacle(&mut app, obstacle);
    }
    Unicycle {
        app,
        body,
        wheel: wheels[0].unwrap(),
    }
}

impl Unicycle {
    fn tell(&mut self, contact: WheelContact) {
        let mut wheel = self.app.world_mut().entity_mut(self.wheel);
        wheel.get_mut::<ModifiedWheel>().unwrap().contact = Some(contact);
    }

    fn start(&mut self, velocity: Vec3) {
        let velocity = LinearVelocity(velocity);
        self.app.world_mut().entity_mut(self.body).insert(velocity);
    }

    fn steps(&mut self, count: usize) {
        for _ in 0..count {
            support::step(&mut self.app, DT);
        }
    }

    fn velocity(&self) -> (Vec3, Vec3) {
        let world = self.app.world();
        let linear = world.get::<LinearVelocity>(self.body).unwrap().0;
        (linear, world.get::<AngularVelocity>(self.body).unwrap().0)
    }
}

/// The ground belongs to the suspension at any speed, and at rest: Avian would call no hook then if it reused contacts.
#[rstest]
fn the_ground_belongs_to_the_suspension(
    #[values(0.0, 0.05, 0.5, 5.0, 40.0)] speed: f32,
    #[values(false, true)] obstacle_first: bool,
) {
    let mut car = unicycle(Obstacle::Ground, obstacle_first, true);
    car.tell(told(0.0, Vec3::ZERO));
    car.start(Vec3::X * speed);
    car.steps(60);
    assert_eq!(car.velocity(), (Vec3::X * speed, Vec3::ZERO));
    let height = car.app.world().get::<Position>(car.body).unwrap().y;
    assert_eq!(height, 0.0);
}

#[test]
fn an_unmodified_wheel_is_pushed_out_of_the_ground() {
    let mut car = unicycle(Obstacle::Ground, true, false);
    car.steps(60);
    let height = car.app.world().get::<Position>(car.body).unwrap().y;
    assert!(height > 0.03, "{height}");
}

#[test]
fn a_wheel_without_data_touches_nothing() {
    let mut car = unicycle(Obstacle::Wall, true, true);
    car.start(Vec3::X * 3.0);
    car.steps(60);
    assert_eq!(car.velocity().0, Vec3::X * 3.0);
}

/// The rim of a wheel that rolls forward moves down in front, and pulls the car up.
#[rstest]
#[case(0.0, 0.0)]
#[case(100.0, 1.0)]
#[case(-100.0, -1.0)]
fn a_wall_stops_the_car_and_the_rim_climbs_it(
    #[case] spin: f32,
    #[case] up: f32,
    #[values(false, true)] obstacle_first: bool,
) {
    let mut car = unicycle(Obstacle::Wall, obstacle_first, true);
    car.tell(told(spin, Vec3::ZERO));
    car.start(Vec3::X * 3.0);
    car.steps(10);
    let (linear, _) = car.velocity();
    assert!(linear.x.abs() < 0.1, "{linear}");
    // The target is a tenth of the rim's speed; friction is limited by the impact.
    let climbs = linear.y * up > 0.2 && linear.y.abs() < 0.1 * spin.abs() * R + 1e-3;
    assert!(climbs || (up == 0.0 && linear.y.abs() < 1e-3), "{linear}");
}

/// Wherever a step ends; without prediction, most steps end behind it.
#[rstest]
fn a_fast_wheel_does_not_pass_through_a_wall(
    #[values(false, true)] swept: bool,
    #[values(false, true)] obstacle_first: bool,
) {
    let settings = WheelSettings {
        layers: CollisionLayers::default(),
        shared: Some(WheelColliderSettings::DEFAULT),
        swept,
    };
    let passes = |gap: u16| {
        let mut car = unicycle_with(Obstacle::Sheet(gap), obstacle_first, &settings);
        car.tell(told(0.0, FRAME.to_body(Vec3::new(HUB.x, 0.0, 0.0))));
        car.start(Vec3::X * 60.0);
        car.steps(10);
        let place = car.app.world().get::<Position>(car.body).unwrap().x;
        place > f32::from(gap) * 1e-3 + 0.02
    };
    let passed = (0..20).filter(|n| passes(1000 + 50 * n)).count();
    assert!(if swept { passed == 0 } else { passed > 10 }, "{passed}");
}

/// A low curb, which looks like a wall when predicted from afar, does not stop a fast wheel.
#[rstest]
fn a_low_curb_does_not_stop_a_fast_wheel(#[values(10.0, 60.0, 200.0)] speed: f32) {
    let settings = WheelSettings {
        layers: CollisionLayers::default(),
        shared: Some(WheelColliderSettings::DEFAULT),
        swept: true,
    };
    let mut car = unicycle_with(Obstacle::Curb, true, &settings);
    car.tell(told(0.0, Vec3::ZERO));
    car.start(Vec3::X * speed);
    // Until it is met.
    car.steps((3.9 / speed / DT) as usize);
    assert_eq!(car.velocity().0, Vec3::X * speed);
}

/// However many points the contact has: an impact whose friction would do for more than the rim aims at.
#[rstest]
fn the_rim_pulls_up_to_a_tenth_of_its_speed(
    #[values(-3.0, 3.0)] spin: f32,
    #[values(false, true)] obstacle_first: bool,
) {
    let mut car = unicycle(Obstacle::Wall, obstacle_first, true);
    car.tell(told(spin, Vec3::ZERO));
    car.start(Vec3::X * 3.0);
    car.steps(10);
    let (linear, _) = car.velocity();
    let aim = 0.1 * spin * R;
    assert!((linear.y / aim - 1.0).abs() < 0.1, "{linear} for {aim}");
}

/// The wall's push acts where the suspension does: level with the center of mass, it does not
/// pitch the car.
#[rstest]
#[case(HUB.z, true)]
#[case(0.0, false)]
fn contacts_act_at_the_application_point(
    #[case] height: f32,
    #[case] pitches: bool,
    #[values(false, true)] obstacle_first: bool,
) {
    let mut car = unicycle(Obstacle::Wall, obstacle_first, true);
    let at = Vec3::new(HUB.x, 0.0, height);
    car.tell(told(0.0, FRAME.to_body(at)));
    car.start(Vec3::X * 3.0);
    car.steps(10);
    let (_, angular) = car.velocity();
    assert_eq!(angular.length() > 0.05, pitches, "{angular}");
}

/// A collider that the suspension may not stand on is rigid, also from below.
#[rstest]
#[case::ground(u32::MAX, true, false)]
#[case::ground_that_stands(u32::MAX, false, false)]
#[case::none(0, true, true)]
fn what_is_not_ground_is_rigid(
    #[case] layers: u32,
    #[case] dynamic_bodies: bool,
    #[case] pushed: bool,
) {
    let mut car = unicycle(Obstacle::Ground, true, true);
    car.tell(told(0.0, FRAME.to_body(HUB)));
    let filter = QueryFilter {
        layers,
        dynamic_bodies,
        ..QueryFilter::except(body_id(car.body))
    };
    let mut wheel = car.app.world_mut().entity_mut(car.wheel);
    wheel.get_mut::<ModifiedWheel>().unwrap().ground = Some(filter);
    car.steps(60);
    let height = car.app.world().get::<Position>(car.body).unwrap().y;
    assert_eq!(height > 0.03, pushed, "{height}");
}

/// Avian without the plugin calls hooks only when it recomputes contacts.
#[test]
fn the_plugin_makes_avian_call_hooks_in_every_step() {
    let mut app = App::new();
    app.add_plugins(WheelHooksPlugin);
    assert_eq!(
        app.world().resource::<NarrowPhaseConfig>().recycle_distance,
        0.0
    );
}

#[test]
#[should_panic(expected = "plugin was already added")]
fn hooks_registered_twice_are_refused() {
    App::new()
        .add_plugins(WheelHooksPlugin)
        .add_plugins(WheelHooksPlugin);
}
