//! Changes of a vehicle from wheels that probe the ground to wheels that are bodies, and back.
//!
//! The body of the chassis stays at its pose. State that one representation knows and the other does not settles anew:
//! deflections of carcasses, loads, planes of the ground.

use glam::{Mat3, Vec3};
use vehicle_core::lanes::{LANES, W4};
use vehicle_core::{BodyState, Vehicle, VehicleModel};

use super::JointedCar;
use crate::attachment::Attachments;
use crate::contract::{ChassisBody, JointedWheels, WheelPlacing};
use crate::error::JointedError;
use crate::motion::WheelMotion;

impl JointedCar {
    /// Puts a running vehicle on wheels that are bodies: its body, whose state is `body`, becomes
    /// the chassis of `attachments`. Pose, velocities, spins, angles, travel, steering, engine and gears
    /// go on. `vehicle` is not changed; keep it for [`JointedCar::hand_back`], but do not update it.
    ///
    /// # Errors
    /// If the world cannot attach the wheels; nothing is changed then.
    pub fn take_over<W: JointedWheels + ?Sized>(
        world: &mut W,
        vehicle: &Vehicle,
        attachments: Attachments,
        body: &BodyState,
    ) -> Result<Self, JointedError> {
        let (id, model) = (vehicle.body(), vehicle.model());
        // The engine has the step's mean velocity.
        let moving = vehicle.state().at_end_of_step(body);
        let lift = attachments.center_of_mass - model.params().chassis.center_of_mass;
        let part = ChassisBody {
            mass: attachments.mass,
            inertia: attachments.inertia,
            ..as_it_moves(&moving, lift)
        };
        let undo = ChassisBody {
            linear_velocity: body.linear_velocity,
            ..whole(model, &attachments, body)
        };
        world.set_chassis(id, &part)?;
        let taken = Self::new(world, model.clone(), attachments, id);
        if taken.is_err() {
            world.set_chassis(id, &undo)?;
        }
        let mut car = taken?;
        car.drive = vehicle.state().drive;
        world.place_wheels(id, &starts(vehicle))?;
        world.wheel_motions(id, &mut car.motions)?;
        Ok(car)
    }

    /// Puts the car back on `vehicle`, which it was taken from, and removes its wheels; `body` is the
    /// state of its chassis. Do not step it any more. The vehicle does not know its ground: probe it
    /// before its next update.
    ///
    /// # Errors
    /// If the world does not have this car's chassis on its wheels; nothing is changed then.
    ///
    /// # Panics
    /// If the vehicle has another number of wheels.
    pub fn hand_back<W: JointedWheels + ?Sized>(
        &mut self,
        world: &mut W,
        vehicle: &mut Vehicle,
        body: &BodyState,
    ) -> Result<(), JointedError> {
        let count = vehicle.model().wheel_count();
        assert_eq!(
            count,
            self.wheels.len(),
            "as many wheels as it was taken from"
        );
        world.wheel_motions(self.body, &mut self.motions)?;
        self.follow();
        world.detach_wheels(self.body)?;
        world.set_chassis(self.body, &whole(&self.model, &self.attachments, body))?;
        vehicle.reset_to_rest();
        let state = vehicle.state_mut();
        state.drive = self.drive;
        for (g, wheels) in state.wheels.iter_mut().enumerate() {
            let motions = &self.motions[g * LANES..];
            let drives = &self.drives[g * LANES..];
            wheels.spin = self.states[g].spin;
            wheels.spin_shown = wheels.spin;
            wheels.angle = W4::from_fn(|lane| motions.get(lane).map_or(0.0, |wheel| wheel.angle));
            let toe = self.model.wheels()[g].toe;
            wheels.steer =
                toe + W4::from_fn(|lane| drives.get(lane).map_or(0.0, |wheel| wheel.steer));
        }
        Ok(())
    }
}

/// A body whose center of mass moves by `shift` (`m`, vehicle axes), and that moves on as it does.
fn as_it_moves(body: &BodyState, shift: Vec3) -> ChassisBody {
    let turning = body.angular_velocity;
    ChassisBody {
        mass: body.mass,
        inertia: Mat3::IDENTITY,
        shift,
        linear_velocity: body.linear_velocity + turning.cross(body.rotation * shift),
        angular_velocity: turning,
    }
}

/// The whole vehicle as one body, from the chassis' body and the attachments of its wheels.
fn whole(model: &VehicleModel, attachments: &Attachments, body: &BodyState) -> ChassisBody {
    let chassis = &model.params().chassis;
    ChassisBody {
        mass: chassis.mass,
        inertia: chassis.inertia_tensor(),
        ..as_it_moves(body, chassis.center_of_mass - attachments.center_of_mass)
    }
}

/// Positions and motions of a vehicle's wheels.
fn starts(vehicle: &Vehicle) -> Vec<WheelPlacing> {
    let state = vehicle.state();
    let params = &vehicle.model().params().wheels;
    let start = |n: usize| {
        let wheel = state.wheel(n);
        let (travel, rate) = wheel
            .jounce
            .map_or((0.0, 0.0), |jounce| (jounce, wheel.jounce_speed));
        let strut = &params[n].suspension;
        WheelPlacing {
            steer: wheel.steer - params[n].toe,
            motion: WheelMotion {
                travel: travel.clamp(-strut.max_droop, strut.max_compression),
                rate,
                spin: wheel.spin,
                angle: wheel.angle,
            },
        }
    };
    (0..params.len()).map(start).collect()
}
