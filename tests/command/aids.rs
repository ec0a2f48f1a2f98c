//! The table of driver aids.

use vehicle_conformance::aids::{CARS, table};

/// Prints the table and returns whether every row is within its bounds.
pub(crate) fn run() -> bool {
    let cars = CARS.map(|name| format!("{name:<38}")).join(" ");
    println!("standalone; several numbers: one per rate, 30/60/120/240 Hz");
    println!("{:<5}{:<46}{:<13} {cars}", "", "what", "goal");
    let rows = table();
    rows.iter().for_each(|row| println!("{row}"));
    rows.iter().all(|row| row.ending().is_some())
}
