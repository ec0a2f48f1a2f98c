//! American spelling, and keys with clear names: migration of files and documents of older schemas to those of today.

use toml::{Table, Value};

/// Old and present keys.
const RESPELLED: [(&str, &str); 3] = [
    ("centre_of_mass", "center_of_mass"),
    ("centre_bias", "center_bias"),
    ("centre_limit", "center_limit"),
];

/// The flag that chose a law of PhysX, whichever it was.
const FLAG: &str = "physx_rules";

/// Renames the keys of a table and of all tables in it. A `parent` is the key of the table.
///
/// # Errors
/// If a table has both the old and the present key.
pub(crate) fn to_present_keys(table: &mut Table, parent: &str) -> Result<(), String> {
    for (old, new) in RESPELLED {
        rename(table, old, new)?;
    }
    // Of a hull: models of third parties may have other centers.
    if parent == "hull" {
        rename(table, "centre", "center")?;
    }
    if let Some(flag) = table.remove(FLAG) {
        let (new, choice) = choice(table, parent, flag);
        insert(table, FLAG, new, choice)?;
    }
    let mut tables = table.iter_mut();
    tables.try_for_each(|(key, value)| to_present_keys_in(value, key))
}

fn to_present_keys_in(value: &mut Value, key: &str) -> Result<(), String> {
    match value {
        Value::Table(table) => to_present_keys(table, key),
        Value::Array(values) => {
            let mut values = values.iter_mut();
            values.try_for_each(|value| to_present_keys_in(value, key))
        }
        _ => Ok(()),
    }
}

/// Present key and value of the flag, by what else its table holds. Of other values than flags, the reader reports the fault.
fn choice(table: &Table, parent: &str, flag: Value) -> (&'static str, Value) {
    let has = |key: &str| table.contains_key(key);
    let (key, names) = if has("torque_ratios") {
        ("torque_by", ["torque-ratio", "speed-ratio"])
    } else if has("front") {
        ("free_axle", ["open", "stops-second"])
    } else if has("tracks") || parent == "differential" {
        ("coupling", ["by-torque", "by-halves"])
    } else if has("mode") {
        ("brake_keys", ["pull-and-brake", "pull-back"])
    } else if parent == "policy" {
        return ("leaves_gap", flag);
    } else if parent == "steering" {
        ("axle_law", ["maximum", "mean"])
    } else {
        ("speed_axis", ["magnitude", "signed"])
    };
    let value = match flag {
        Value::Boolean(chosen) => names[usize::from(chosen)].into(),
        other => other,
    };
    (key, value)
}

/// Renames a key, if it is there.
///
/// # Errors
/// If the table has both keys.
pub(super) fn rename(table: &mut Table, old: &str, new: &str) -> Result<(), String> {
    match table.remove(old) {
        Some(value) => insert(table, old, new, value),
        None => Ok(()),
    }
}

fn insert(table: &mut Table, old: &str, new: &str, value: Value) -> Result<(), String> {
    match table.insert(new.to_owned(), value) {
        Some(_) => Err(format!("both `{old}` and `{new}`")),
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    #[rstest]
    #[case::spelling(
        "[chassis]\ncentre_of_mass = [0, 0, 1]\nhull = { size = 1, centre = 2 }\n[tire]\ncentre = 3",
        "[chassis]\ncenter_of_mass = [0, 0, 1]\nhull = { size = 1, center = 2 }\n[tire]\ncentre = 3"
    )]
    #[case::differentials(
        "a = [{ torque_ratios = 1, physx_rules = true }, { front = 1, centre_limit = 2, physx_rules = false }]\n\
         tank = { tracks = 1, physx_rules = true }\ndifferential = { special = true, physx_rules = false }",
        "a = [{ torque_ratios = 1, torque_by = 'speed-ratio' }, { front = 1, center_limit = 2, free_axle = 'open' }]\n\
         tank = { tracks = 1, coupling = 'by-halves' }\ndifferential = { special = true, coupling = 'by-torque' }"
    )]
    #[case::responses(
        "steering = { physx_rules = true, response.physx_rules = true }\nthrottle.physx_rules = false",
        "steering = { axle_law = 'mean', response.speed_axis = 'signed' }\nthrottle.speed_axis = 'magnitude'"
    )]
    #[case::others(
        "policy.physx_rules = true\nhands = { rates = 1, mode = 2, physx_rules = true }",
        "policy.leaves_gap = true\nhands = { rates = 1, mode = 2, brake_keys = 'pull-back' }"
    )]
    fn keys_are_renamed_by_what_they_chose(#[case] old: &str, #[case] new: &str) {
        let (mut table, expected): (Table, Table) = (old.parse().unwrap(), new.parse().unwrap());
        to_present_keys(&mut table, "").unwrap();
        assert_eq!(table, expected);
    }

    #[test]
    fn both_spellings_at_once_are_refused() {
        let mut both = "centre_bias = 1.0\ncenter_bias = 1.0".parse().unwrap();
        let error = to_present_keys(&mut both, "").unwrap_err();
        assert_eq!(error, "both `centre_bias` and `center_bias`");
    }
}
