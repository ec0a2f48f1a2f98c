//! Cars in Rapier: ours, and those of its own controller, which has no drivetrain.

use jounce::rapier::{RapierLink, RapierWorld};
use rapier3d::control::{DynamicRayCastVehicleController, WheelTuning};
use rapier3d::prelude::*;

use crate::clock::LapClock;
use crate::contest::{Contestant, Stages, too_few};
use crate::course::{CourseGround, DT, GRAVITY, pedals};
use crate::ours::{self, DrivenFleet, DrivenWorld};
use crate::rapier_world::world;

/// A world of Rapier with our vehicles' link to it.
pub(crate) struct LinkedRapier {
    physics: PhysicsWorld,
    link: RapierLink,
}

impl DrivenWorld for LinkedRapier {
    type View<'a> = RapierWorld<'a>;

    fn view(&mut self) -> RapierWorld<'_> {
        RapierWorld::of(&mut self.link, &mut self.physics)
    }

    fn advance(&mut self) {
        self.physics.step();
        self.link.end_step(&mut self.physics.bodies);
    }
}

/// Our sedans.
pub(crate) fn sedans(ground: CourseGround, count: usize) -> DrivenFleet<LinkedRapier> {
    let (physics, link, bodies) = world(ground, &ours::sedan(), count);
    let bodies = bodies.into_iter().map(jounce::rapier::body_id);
    DrivenFleet::sedans(LinkedRapier { physics, link }, bodies)
}

/// Rapier's controllers.
pub(crate) struct Controllers {
    physics: PhysicsWorld,
    cars: Vec<DynamicRayCastVehicleController>,
}

impl Controllers {
    pub(crate) fn new(ground: CourseGround, count: usize) -> Self {
        let (physics, _, bodies) = world(ground, &ours::sedan(), count);
        Self {
            physics,
            cars: bodies.into_iter().map(controller).collect(),
        }
    }
}

/// A controller with the wheels of our sedan.
fn controller(body: RigidBodyHandle) -> DynamicRayCastVehicleController {
    let car = ours::sedan();
    let mut controller = DynamicRayCastVehicleController::new(body);
    controller.index_up_axis = 2;
    controller.index_forward_axis = 0;
    for wheel in &car.spec().params.wheels {
        let suspension = &wheel.suspension;
        let tuning = WheelTuning {
            // Per mass of the chassis.
            suspension_stiffness: suspension.stiffness / car.mass(),
            suspension_compression: suspension.damping.bump.rate / car.mass(),
            suspension_damping: suspension.damping.rebound.rate / car.mass(),
            max_suspension_travel: suspension.max_compression + suspension.max_droop,
            friction_slip: 1.0,
            max_suspension_force: 1e5,
            ..WheelTuning::default()
        };
        // At rest, the spring is as long as its compression plus the deflection under the load.
        let sag = suspension.sprung_mass * GRAVITY / suspension.stiffness;
        let rest = suspension.max_compression + sag;
        let top = wheel.position - car.center_of_mass() + Vector::Z * suspension.max_compression;
        controller.add_wheel(top, Vector::NEG_Z, Vector::Y, rest, wheel.radius, &tuning);
    }
    controller
}

impl Contestant for Controllers {
    fn advance(&mut self, step: usize, watch: &mut LapClock) -> Stages {
        for (n, car) in self.cars.iter_mut().enumerate() {
            let (throttle, brake, steer) = pedals(n, step);
            for (place, wheel) in car.wheels_mut().iter_mut().enumerate() {
                wheel.engine_force = 1500.0 * throttle * f32::from(place < 2);
                wheel.brake = 30.0 * brake;
                wheel.steering = if place < 2 { -0.6 * steer } else { 0.0 };
            }
        }
        watch.start();
        for car in &mut self.cars {
            let filter = QueryFilter::default().exclude_rigid_body(car.chassis);
            let queries = self.physics.broad_phase.as_query_pipeline_mut(
                self.physics.narrow_phase.query_dispatcher(),
                &mut self.physics.bodies,
                &mut self.physics.colliders,
                filter,
            );
            car.update_vehicle(DT, queries);
        }
        let update = watch.lap();
        self.physics.step();
        Stages {
            update,
            step: watch.lap(),
            ..Stages::default()
        }
    }

    fn fault(&self) -> Option<String> {
        let touching = |car: &&DynamicRayCastVehicleController| {
            car.wheels()
                .iter()
                .any(|wheel| wheel.raycast_info().is_in_contact)
        };
        let grounded = self.cars.iter().filter(touching).count();
        too_few(grounded, self.cars.len(), 2, "touch the ground")
    }
}
