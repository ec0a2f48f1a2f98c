//! Migrations of vehicle files from each version to the next.

use toml::{Table, Value};

use crate::document::Schema;
use crate::document::spelling::to_present_keys;

/// The versions of vehicle files.
pub(super) const SCHEMA: Schema = Schema {
    name: "vehicle file",
    steps: &[name_the_differential, remove_the_observers_speed, |file| {
        to_present_keys(file, "")
    }],
};

/// Migrates to version 2, in which a differential has a model and names its wheels; before, an engine drove the four wheels
/// in its `driven` through the present law "four-wheel".
///
/// Values that are not tables are left to the reader, which reports all faults.
fn name_the_differential(file: &mut Table) -> Result<(), String> {
    let drivetrain = file.get_mut("drivetrain").and_then(Value::as_table_mut);
    let Some(drivetrain) = drivetrain.filter(|table| table.contains_key("driven")) else {
        return Ok(());
    };
    let driven = drivetrain.remove("driven");
    let differential = drivetrain.get_mut("differential");
    let differential = differential.and_then(Value::as_table_mut);
    let Some((driven, differential)) = driven.zip(differential) else {
        return Err("`drivetrain.driven` without a table `drivetrain.differential`".to_owned());
    };
    if differential.contains_key("wheels") {
        return Err("both `drivetrain.driven` and `drivetrain.differential.wheels`".to_owned());
    }
    differential.insert("wheels".to_owned(), driven);
    let name = Value::String("four-wheel".to_owned());
    differential.entry("model").or_insert(name);
    Ok(())
}

/// Migrates to version 3, in which the rows solver observes the engine's pushes at any speed.
fn remove_the_observers_speed(file: &mut Table) -> Result<(), String> {
    if let Some(rows) = file.get_mut("rows").and_then(Value::as_table_mut) {
        rows.remove("observer_speed");
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use crate::file::Car;
    use crate::presets;

    /// The sedan in version 1.
    fn first_version() -> String {
        let (_, text) = presets::FILES[0];
        let mut file: toml::Table = text.parse().unwrap();
        file["schema"] = 1.into();
        let drivetrain = file["drivetrain"].as_table_mut().unwrap();
        let differential = drivetrain["differential"].as_table_mut().unwrap();
        differential.remove("model");
        let driven = differential.remove("wheels").unwrap();
        drivetrain.insert("driven".to_owned(), driven);
        file.to_string()
    }

    #[test]
    fn a_file_of_the_second_version_may_have_an_observer_speed() {
        let (_, text) = presets::FILES[0];
        let with = |version: &str| {
            let observed = "observer_gain = 0.25\nobserver_speed = 0.3";
            let text = text.replacen("observer_gain = 0.25", observed, 1);
            Car::parse(&text.replacen("schema = 4", version, 1), "old")
        };
        assert_eq!(with("schema = 2").unwrap().spec(), presets::sedan().spec());
        let error = with("schema = 4").unwrap_err().to_string();
        assert!(error.contains("observer_speed"), "{error}");
    }

    #[test]
    fn a_file_of_the_first_version_is_the_same_vehicle() {
        let old = Car::parse(&first_version(), "old").unwrap();
        assert_eq!(old.spec(), presets::sedan().spec());
    }

    #[rstest]
    #[case::without(
        "[drivetrain.differential]",
        "[drivetrain.deferential]",
        "without a table"
    )]
    #[case::twice(
        "[drivetrain.differential]",
        "[drivetrain.differential]\nwheels = [0]",
        "both"
    )]
    fn failed_migrations_are_reported(
        #[case] from: &str,
        #[case] to: &str,
        #[case] expected: &str,
    ) {
        let file = first_version().replacen(from, to, 1);
        let error = Car::parse(&file, "old").unwrap_err().to_string();
        assert!(error.contains("from schema 1 to 2"), "{error}");
        assert!(error.contains(expected), "{error}");
    }
}
