//! Standalone against Rapier: paths and speeds agree.

mod moving;

use conformance::worlds::{CARS, MANOEUVRES, compare, heading};
use lab::world::WorldKind;

#[test]
fn rapier_drives_as_the_standalone_world_does() {
    let rows = compare(WorldKind::Rapier).unwrap();
    println!("{}", heading("Rapier"));
    rows.iter().for_each(|row| println!("{row}"));
    assert_eq!(rows.len(), CARS.len() * MANOEUVRES.len());
    let failed: Vec<String> = rows
        .iter()
        .filter(|row| !row.holds())
        .map(ToString::to_string)
        .collect();
    assert!(failed.is_empty(), "out of bounds:\n{}", failed.join("\n"));
}

/// A car that does not move proves nothing, and neither does one that does not turn.
#[test]
fn the_manoeuvres_are_driven() {
    let rows = compare(WorldKind::Rapier).unwrap();
    for row in &rows {
        assert!(row.length > 25.0 && row.speed > 2.0, "{row}");
        assert!(row.path_deviation > 0.0, "two worlds, not one: {row}");
    }
}
