//! The driver's intention to accelerate, for the holding constraint of standing wheels.

use vehicle_core::Control;
use vehicle_core::drivetrain::WheelControl;
use vehicle_core::lanes::Mask4;

/// Clears the intention to accelerate for all wheels.
pub(crate) fn withdraw(control: &mut Control) {
    control.accelerating = false;
    let none = |_, wheels: &mut WheelControl| wheels.accelerated = Mask4::NONE;
    control.wheels.each_mut(none);
}
