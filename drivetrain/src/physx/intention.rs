//! When PhysX takes the driver to accelerate (ALGORITHMS §3.8; `vehicle2`, §7.7).

use vehicle_core::Control;
use vehicle_core::lanes::W4;

use crate::intention::withdraw;
use crate::logic::DriveLogic;

impl DriveLogic {
    /// What is left of the intention to accelerate by an engine while the driver brakes.
    pub(crate) fn heed_pedals(self, control: &mut Control) {
        match self {
            Self::Waiting if control.pedals.braking => withdraw(control),
            Self::Waiting => {}
            Self::Immediate => only_unbraked(control),
        }
    }

    /// What is left of the intention to accelerate by torques while a wheel is `braked`; in PhysX 5
    /// all of it.
    pub(crate) fn heed_brakes(self, braked: bool, control: &mut Control) {
        if self == Self::Waiting && braked {
            withdraw(control);
        }
    }
}

/// PhysX 5: each wheel is accelerated that is not braked.
fn only_unbraked(control: &mut Control) {
    let mut any = false;
    for wheels in control.wheels.iter_mut() {
        wheels.accelerated = wheels.accelerated & wheels.brake.same(W4::ZERO);
        any |= wheels.accelerated.any();
    }
    control.accelerating = any;
}

#[cfg(test)]
mod tests;
