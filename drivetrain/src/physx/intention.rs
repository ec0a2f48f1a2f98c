//! Rule by which the driver counts as accelerating in PhysX (ALGORITHMS §3.8; `vehicle2`, §7.7).

use vehicle_core::Control;
use vehicle_core::lanes::W4;

use crate::intention::withdraw;
use crate::logic::DriveLogic;

impl DriveLogic {
    /// Reduces the intention to accelerate of an engine drive while the driver brakes.
    pub(crate) fn heed_pedals(self, control: &mut Control) {
        match self {
            Self::Waiting if control.braking => withdraw(control),
            Self::Waiting => {}
            Self::Immediate => only_unbraked(control),
        }
    }

    /// Reduces the intention to accelerate of a direct drive while a wheel is `braked`; PhysX 5
    /// keeps it.
    pub(crate) fn heed_brakes(self, braked: bool, control: &mut Control) {
        if self == Self::Waiting && braked {
            withdraw(control);
        }
    }
}

/// PhysX 5: only wheels that are not braked count as accelerated.
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
