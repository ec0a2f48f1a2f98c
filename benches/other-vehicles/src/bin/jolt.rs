//! `cargo run --release -p peers --features jolt --bin peer-jolt`: Jolt's own wheeled vehicle, with its defaults.
#![forbid(unsafe_code)]

use glam::{DVec3, Quat, Vec3};
use oxijolt::{
    BodyId, BodySettings, DriverInput, ObjectLayer, PhysicsWorld, Shape, VehicleAntiRollBar,
    VehicleCollisionTester, VehicleDifferentialSettings, VehicleId, WheelSettings,
    WheeledVehicleSettings, WorldSettings,
};
use peers::{OwnVehicle, Pedals, print};

/// Peak of both of its tires' curves, and the ground's friction: Jolt takes the root of their product, which is the same.
const FRICTION: f32 = 1.2;
/// Lock of the front wheels.
const LOCK_DEG: f32 = 30.0;
/// Anti-roll stiffness of both axles (`N/m`), Jolt's default.
const ANTI_ROLL: f32 = 1000.0;

struct JoltCar {
    world: PhysicsWorld,
    body: BodyId,
    car: VehicleId,
    dt: f32,
}

fn main() {
    print::<JoltCar>();
}

impl OwnVehicle for JoltCar {
    const NAME: &'static str = "Jolt 5.6, WheeledVehicleController";
    const HAS_ENGINE: bool = true;

    fn new(gravity: Vec3, dt: f32) -> Self {
        make(gravity, dt).expect("valid settings")
    }

    fn step(&mut self, pedals: Pedals) {
        let input = DriverInput {
            forward: pedals.throttle,
            right: -pedals.steer.to_degrees() / LOCK_DEG,
            brake: pedals.brake,
            hand_brake: 0.0,
        };
        let mut vehicle = self.world.vehicle_mut(self.car).expect("the car is there");
        vehicle.set_driver_input(input).expect("within range");
        let report = self.world.step(self.dt).expect("the step is long enough");
        assert!(report.is_complete());
    }

    fn push(&mut self, velocity: Vec3) {
        let mut body = self.world.body_mut(self.body).expect("the car is there");
        body.set_linear_velocity(velocity.into()).expect("finite");
    }

    fn position(&self) -> Vec3 {
        DVec3::from(self.chassis().position()).as_vec3()
    }

    fn velocity(&self) -> Vec3 {
        self.chassis().linear_velocity().into()
    }

    fn axes(&self) -> [Vec3; 2] {
        let turn = Quat::from(self.chassis().rotation());
        [turn * Vec3::Y, turn * Vec3::X]
    }

    fn grip_used(&self) -> f32 {
        let vehicle = self.world.vehicle(self.car).expect("the car is there");
        let used = vehicle.wheels().into_iter().map(|wheel| {
            let force = wheel.longitudinal_lambda.hypot(wheel.lateral_lambda);
            force / (FRICTION * wheel.suspension_lambda).max(1e-3)
        });
        used.fold(0.0, f32::max)
    }
}

impl JoltCar {
    fn chassis(&self) -> oxijolt::BodyRef<'_> {
        self.world.body(self.body).expect("the car is there")
    }
}

/// The car of Jolt's samples.
fn make(gravity: Vec3, dt: f32) -> Result<JoltCar, Box<dyn core::error::Error>> {
    let mut world = PhysicsWorld::new(WorldSettings::default().gravity(gravity.into()))?;
    let floor = Shape::new_plane(Vec3::Y.into(), 0.0, 2000.0)?;
    world.create_body(&floor, &BodySettings::new_static().friction(FRICTION))?;
    let hull = Shape::new_box(Vec3::new(0.9, 0.2, 2.0).into())?;
    let hull = Shape::new_offset_center_of_mass(&hull, Vec3::new(0.0, -0.2, 0.0).into())?;
    let place = DVec3::new(0.0, 0.85, 0.0);
    let chassis = BodySettings::new_dynamic()
        .mass(1500.0)
        .position(place.into());
    let body = world.create_body(&hull, &chassis.allow_sleeping(false))?;
    let wheel = |x: f32, z: f32| {
        let lock = if z > 0.0 { LOCK_DEG.to_radians() } else { 0.0 };
        WheelSettings::new(Vec3::new(x, -0.18, z).into()).max_steer_angle(lock)
    };
    let wheels = vec![
        wheel(0.9, 1.4),
        wheel(-0.9, 1.4),
        wheel(0.9, -1.4),
        wheel(-0.9, -1.4),
    ];
    let bar = |left, right| VehicleAntiRollBar::new(left, right).stiffness(ANTI_ROLL);
    let settings = WheeledVehicleSettings::new(
        wheels,
        vec![VehicleDifferentialSettings::new(Some(0), Some(1))],
        VehicleCollisionTester::ray(ObjectLayer::MOVING),
    );
    let car =
        world.create_wheeled_vehicle(body, &settings.anti_roll_bars(vec![bar(0, 1), bar(2, 3)]))?;
    Ok(JoltCar {
        world,
        body,
        car,
        dt,
    })
}
