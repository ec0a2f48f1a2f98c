//! The table of driver aids, world by world.

use proving_ground::world::WorldKind;
use vehicle_conformance::aids::{CARS, table};

/// Prints the table of each world, and returns whether every row is within its bounds.
pub(crate) fn run(chosen: &[WorldKind]) -> bool {
    let worlds = if chosen.is_empty() {
        WorldKind::all()
    } else {
        chosen
    };
    let cars = CARS.map(|name| format!("{name:<38}")).join(" ");
    let mut all = true;
    for world in worlds {
        println!(
            "{}; several numbers: one per rate, 30/60/120/240 Hz",
            world.name()
        );
        println!("{:<5}{:<46}{:<13} {cars}", "", "what", "goal");
        let rows = table(*world);
        rows.iter().for_each(|row| println!("{row}"));
        let missed = rows.iter().filter(|row| row.ending().is_none()).count();
        println!("{missed} of {} rows out of their bounds\n", rows.len());
        all &= missed == 0;
    }
    all
}
