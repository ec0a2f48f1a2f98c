//! Results of the stages of the last update, for tests that compare them with references.

use super::Vehicle;
use crate::base::lanes::Groups;
use crate::stages::contact::Contact;
use crate::stages::outputs::WheelOutputs;

/// Results of the last probe of a vehicle per wheel; all `None` if planes of an earlier probe were used.
#[must_use]
pub fn contacts(vehicle: &Vehicle) -> &[Option<Contact>] {
    vehicle.contacts()
}

/// Stage results of the last substep of a vehicle, per group of wheels.
#[must_use]
pub fn outputs(vehicle: &Vehicle) -> &Groups<WheelOutputs> {
    vehicle.outputs()
}
