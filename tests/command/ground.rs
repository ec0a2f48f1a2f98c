//! The table of contacts with uneven ground.

use proving_ground::world::WorldKind;
use vehicle_conformance::ground::{CONTACTS, RADII, RATES, table};

/// Prints the table of each world with each contact; returns whether every row of wheels that meet sections is right.
pub(crate) fn run(worlds: &[WorldKind], contacts: &[String]) -> bool {
    let mut right = true;
    for world in worlds {
        let asked = |name: &str| contacts.iter().any(|contact| contact == name);
        for (name, probe) in CONTACTS.into_iter().filter(|(name, _)| asked(name)) {
            let columns = RADII.map(|radius| RATES.map(|rate| format!("{radius} m, {rate} Hz")));
            println!("{world:?}, {name}: {}", columns.concat().join("; "));
            for row in table(*world, probe) {
                println!("{row}");
                right &= row.is_right() || name != CONTACTS[0].0;
            }
        }
    }
    right
}
