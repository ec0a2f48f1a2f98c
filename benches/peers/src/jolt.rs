//! Cars in Jolt: ours, and its own wheeled vehicles, which the engine moves within its step.

use glam::Vec3;
use jounce::core::Frame;
use jounce::jolt::{JoltLink, JoltWorld};
use oxijolt::{DriverInput, PhysicsWorld, VehicleId, VehicleRef};

use crate::clock::LapClock;
use crate::contest::{Contestant, Stages, too_few};
use crate::course::{CourseGround, DT, pedals};
use crate::jolt_sedan::settings;
use crate::jolt_world::{USES, center_of_mass, world};
use crate::ours::{self, DrivenFleet, DrivenWorld};

/// The body is modeled like the vehicle.
const FRAME: Frame = Frame::X_FORWARD_Z_UP;

fn step(physics: &mut PhysicsWorld) {
    let report = physics.step(DT).expect("the step is long enough");
    assert!(report.is_complete(), "{report:?}");
}

/// A world of Jolt with our vehicles' link to it.
pub(crate) struct LinkedJolt {
    physics: PhysicsWorld,
    link: JoltLink,
}

impl DrivenWorld for LinkedJolt {
    type View<'a> = JoltWorld<'a>;

    fn view(&mut self) -> JoltWorld<'_> {
        JoltWorld::new(&mut self.link, &mut self.physics)
    }

    fn advance(&mut self) {
        step(&mut self.physics);
        self.link.end_step(&mut self.physics);
    }
}

/// Our sedans.
pub(crate) fn sedans(ground: CourseGround, count: usize) -> DrivenFleet<LinkedJolt> {
    let car = ours::sedan();
    let (physics, bodies) = world(ground, &car, count);
    let mut link = JoltLink::new(FRAME, &USES);
    let center = center_of_mass(&car);
    let link_one = |body| link.add_chassis(body, FRAME, center);
    let bodies: Vec<_> = bodies.into_iter().map(link_one).collect();
    DrivenFleet::sedans(LinkedJolt { physics, link }, bodies)
}

/// Jolt's wheeled vehicles.
pub(crate) struct WheeledVehicles {
    physics: PhysicsWorld,
    cars: Vec<VehicleId>,
}

impl WheeledVehicles {
    pub(crate) fn new(ground: CourseGround, count: usize) -> Self {
        let car = ours::sedan();
        let (mut physics, bodies) = world(ground, &car, count);
        let settings = settings(&car);
        let add = |body| {
            let added = physics.create_wheeled_vehicle(body, &settings);
            added.expect("valid settings")
        };
        let cars = bodies.into_iter().map(add).collect();
        Self { physics, cars }
    }

    fn tell(&mut self, step: usize) {
        for (n, &car) in self.cars.iter().enumerate() {
            let (forward, brake, right) = pedals(n, step);
            let input = DriverInput {
                forward,
                right,
                brake,
                hand_brake: 0.0,
            };
            let mut car = self.physics.vehicle_mut(car).expect("it is there");
            car.set_driver_input(input).expect("within range");
        }
    }

    fn rolls(&self, car: &VehicleRef<'_>) -> bool {
        let chassis = self.physics.body(car.body()).expect("it is there");
        Vec3::from(chassis.linear_velocity()).length() > 0.5
    }
}

impl Contestant for WheeledVehicles {
    fn advance(&mut self, number: usize, watch: &mut LapClock) -> Stages {
        self.tell(number);
        watch.start();
        step(&mut self.physics);
        Stages {
            step: watch.lap(),
            ..Stages::default()
        }
    }

    fn fault(&self) -> Option<String> {
        let cars = self.cars.iter().map(|&car| self.physics.vehicle(car));
        let cars: Vec<_> = cars.map(|car| car.expect("it is there")).collect();
        let touches =
            |car: &&VehicleRef<'_>| car.wheels().iter().any(|wheel| wheel.contact.is_some());
        let grounded = cars.iter().filter(touches).count();
        let rolling = cars.iter().filter(|car| self.rolls(car)).count();
        let airborne = too_few(grounded, cars.len(), 2, "touch the ground");
        airborne.or(too_few(rolling, cars.len(), 4, "roll"))
    }
}
