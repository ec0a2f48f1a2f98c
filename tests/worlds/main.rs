//! Standalone against engines: paths and speeds agree.

mod moving;

use conformance::worlds::{CARS, MANOEUVRES, compare, engines, heading};

#[test]
fn engines_drive_as_the_standalone_world_does() {
    for world in engines() {
        let rows = compare(world).unwrap();
        println!("{}", heading(&format!("{world:?}")));
        rows.iter().for_each(|row| println!("{row}"));
        assert_eq!(rows.len(), CARS.len() * MANOEUVRES.len());
        let failed: Vec<String> = rows
            .iter()
            .filter(|row| !row.holds())
            .map(ToString::to_string)
            .collect();
        assert!(failed.is_empty(), "out of bounds:\n{}", failed.join("\n"));
    }
}

/// A car that does not move proves nothing, and neither does one that does not turn.
#[test]
fn the_manoeuvres_are_driven() {
    for world in engines() {
        for row in &compare(world).unwrap() {
            assert!(row.length > 25.0 && row.speed > 2.0, "{row}");
            assert!(row.path_deviation > 0.0, "two worlds, not one: {row}");
        }
    }
}
