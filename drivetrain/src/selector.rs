//! The selector of a drive without gear changes: forward, neutral or reverse, engaged at once.

use vehicle_core::{Gear, GearCommand};

use crate::gear_change::REVERSE_LOCK;

/// The selected gear after a command, within reverse to first.
pub(crate) fn selected(gear: Gear, command: GearCommand) -> Gear {
    let asked = match command {
        GearCommand::Hold | GearCommand::Cancel => gear,
        GearCommand::Up => Gear(gear.0.saturating_add(1)),
        GearCommand::Down => Gear(gear.0.saturating_sub(1)),
        GearCommand::Engage(gear) => gear,
    };
    asked.clamp(Gear::REVERSE, Gear::FIRST)
}

/// The selected gear after a command at a forward speed (`m/s`): a vehicle that rolls forward keeps its gear instead of reverse.
pub(crate) fn selected_with_lock(gear: Gear, command: GearCommand, forward_speed: f32) -> Gear {
    let asked = selected(gear, command);
    let against = asked < Gear::NEUTRAL && gear >= Gear::NEUTRAL;
    if against && forward_speed > REVERSE_LOCK {
        gear
    } else {
        asked
    }
}
