//! Wheel colliders behind a vehicle that no plugin drives.

use avian3d::prelude::*;
use backend_avian::{
    AvianWorld, ChassisFrame, ModifiedWheel, WheelHooks, WheelHooksPlugin, WheelSettings,
    WheelSize, attach_wheels, body_id, follow_wheels, mass_properties,
};
use bevy::app::App;
use bevy::prelude::{Entity, Transform};
use glam::Vec3;
use rstest::rstest;
use vehicle_core::{
    Air, CarCommand, Command, Environment, Frame, Surfaces, Vehicle, WheelColliderSettings, step,
};

use crate::support;

const FRAME: Frame = Frame::X_FORWARD_Y_UP;
const DT: f32 = 1.0 / 60.0;
const SHARED: WheelColliderSettings = WheelColliderSettings {
    spin_share: 0.3,
    ..WheelColliderSettings::DEFAULT
};

struct Rig {
    app: App,
    body: Entity,
    wheels: Vec<Option<Entity>>,
    vehicle: Vehicle,
}

/// A sedan on level ground, on a body whose origin is this far from the vehicle's (`m`, vehicle axes).
fn rig(origin: Vec3) -> Rig {
    let mut app = support::app_with_hooks::<WheelHooks<'_, '_>>(|app| {
        app.add_plugins(WheelHooksPlugin);
    });
    let model = jounce::presets::sedan().model();
    let world = app.world_mut();
    world.spawn((RigidBody::Static, Collider::half_space(Vec3::Y)));
    let chassis = model.params().chassis;
    let center = chassis.center_of_mass - origin;
    let body = world.spawn((
        RigidBody::Dynamic,
        ChassisFrame(FRAME),
        Transform::from_translation(FRAME.to_body(origin)),
        mass_properties(&FRAME, chassis.mass, chassis.inertia_tensor(), center),
    ));
    let body = body.id();
    let settings = WheelSettings {
        layers: CollisionLayers::default(),
        shared: Some(SHARED),
        swept: false,
    };
    let sizes = WheelSize::of(&model);
    let wheels = attach_wheels(world, body_id(body), &sizes, &settings).unwrap();
    Rig {
        app,
        body,
        wheels,
        vehicle: Vehicle::new(model, body_id(body)),
    }
}

impl Rig {
    fn drive(&mut self, command: &CarCommand) {
        let (vehicle, surfaces) = (&mut self.vehicle, Surfaces::new());
        let environment = Environment {
            gravity: Vec3::NEG_Y * 9.81,
            surfaces: &surfaces,
            air: Air::STILL,
        };
        let command = Command::Car(*command);
        AvianWorld::scope(self.app.world_mut(), |world| {
            step(vehicle, world, &command, &environment, DT).unwrap();
        });
        support::step(&mut self.app, DT);
        follow_wheels(self.app.world_mut(), &self.vehicle, &self.wheels);
    }

    /// Place of a wheel from the center of mass, and its axle (vehicle axes).
    fn seen(&self, wheel: Entity) -> (Vec3, Vec3) {
        let world = self.app.world();
        let center = world.get::<ComputedCenterOfMass>(self.body).unwrap().0;
        let place = world.get::<Transform>(wheel).unwrap();
        let axle = place.rotation * Vec3::Y;
        (
            FRAME.to_vehicle(place.translation - center),
            FRAME.to_vehicle(axle),
        )
    }
}

/// Wheel colliders stand on the ground, steered as the vehicle says, and the hooks get their poses.
#[rstest]
fn wheels_are_followed_wherever_the_body_has_its_origin(
    #[values(Vec3::ZERO, Vec3::new(0.5, -0.2, 0.3))] origin: Vec3,
) {
    let mut rig = rig(origin);
    let parked = CarCommand {
        brake: 1.0,
        steer: 0.5,
        ..CarCommand::default()
    };
    for _ in 0..120 {
        rig.drive(&parked);
    }
    let params = rig.vehicle.model().params().clone();
    let world = rig.app.world();
    let center = world.get::<ComputedCenterOfMass>(rig.body).unwrap().0;
    let position = world.get::<Position>(rig.body).unwrap().0;
    let rotation = world.get::<Rotation>(rig.body).unwrap().0;
    for (n, wheel) in rig.wheels.iter().enumerate() {
        let (wheel, report) = (wheel.unwrap(), rig.vehicle.wheel_report(n));
        let (arm, axle) = rig.seen(wheel);
        let place = position + rotation * (center + FRAME.to_body(arm));
        let above = place.y - params.wheels[n].radius;
        assert!(above.abs() < 5e-3, "{above} m");
        let lever = params.wheels[n].position - params.chassis.center_of_mass;
        assert!((arm - lever).truncate().length() < 0.02, "{arm} {lever}");
        // The axle points to the left, and backwards where the wheel is steered there.
        let steer = (-axle.x).atan2(axle.y);
        assert!((steer - report.steer).abs() < 0.01, "{steer}");
        assert_eq!(steer < -0.1, n < 2, "{steer}");
        let told = world.get::<ModifiedWheel>(wheel).unwrap().contact.unwrap();
        assert_eq!(told.settings, SHARED);
        assert!((told.center - rotation * FRAME.to_body(arm)).length() < 5e-3);
    }
}

#[test]
fn what_is_gone_is_passed_over() {
    let mut rig = rig(Vec3::ZERO);
    rig.app.world_mut().despawn(rig.wheels[0].unwrap());
    rig.wheels[1] = None;
    let idle = CarCommand::default();
    rig.drive(&idle);
    let (arm, _) = rig.seen(rig.wheels[3].unwrap());
    assert!(arm.length() > 1.0, "{arm}");
    rig.app.world_mut().despawn(rig.body);
    follow_wheels(rig.app.world_mut(), &rig.vehicle, &rig.wheels);
}
