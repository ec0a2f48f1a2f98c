//! Wheel colliders that share their contacts with a suspension.
//!
//! A wheel collider touches the ground that its suspension stands on, and walls and curbs that the
//! suspension does not handle. [`WheelColliderSettings`] of `vehicle-core` divides the contacts: the
//! suspension's are dropped, and the friction of the others aims at the speed that the wheel's spin
//! gives the car along them. Contacts within the motion of a step are found, too: a fast wheel does
//! not pass through a wall.

use vehicle_core::rigid_contact::WheelColliderSettings;
use vehicle_core::{BodyId, Vehicle};

use crate::error::{GroundError, check};
use crate::shared::SharedWheels;
use crate::standalone::Standalone;

impl Standalone {
    /// Gives each enabled wheel of a vehicle a collider, with this coefficient of friction (–), ≥ 0,
    /// that shares its contacts with the suspension, until the body is removed or
    /// [`unshare_contacts`](Self::unshare_contacts).
    ///
    /// # Errors
    /// If the vehicle's body does not exist or shares its contacts already, or the friction is not
    /// finite and ≥ 0.
    pub fn share_contacts(
        &mut self,
        vehicle: &Vehicle,
        settings: WheelColliderSettings,
        friction: f32,
    ) -> Result<(), GroundError> {
        check("wheels", |i| i.not_negative("friction", friction, ""))?;
        let chassis = vehicle.body();
        self.body(chassis)?;
        if self.shared_wheels(chassis).is_some() {
            return Err(GroundError::SharedTwice(chassis));
        }
        let wheels = SharedWheels::new(vehicle, settings, friction);
        self.constraints.shared.push(wheels);
        Ok(())
    }

    /// Passes the motion of a vehicle's wheels to its colliders; call it after the vehicle's update
    /// and before each step. A vehicle that shares no contacts is skipped.
    pub fn publish_wheels(&mut self, vehicle: &Vehicle) {
        if let Some(wheels) = self.shared_wheels(vehicle.body()) {
            wheels.publish(vehicle);
        }
    }

    /// Removes the wheel colliders of a body; one that has none stays so.
    pub fn unshare_contacts(&mut self, chassis: BodyId) {
        let shared = &mut self.constraints.shared;
        shared.retain(|wheels| wheels.chassis != chassis);
    }

    fn shared_wheels(&mut self, chassis: BodyId) -> Option<&mut SharedWheels> {
        let mut all = self.constraints.shared.iter_mut();
        all.find(|wheels| wheels.chassis == chassis)
    }
}
