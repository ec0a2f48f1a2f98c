//! Preset cars with some keys of their files changed.

use jounce::file::{Car, change_value};
use jounce::presets;
use toml::{Table, Value};

use crate::error::ProvingError;

/// A change of a key.
#[derive(Clone, Debug, PartialEq)]
pub enum KeyChange {
    /// The key gets this value, whether the file has it or not.
    Set(Value),
    /// The key's number is multiplied by this.
    Times(f64),
}

/// A preset car with these keys of its file changed; a key is a path of [`change_value`].
///
/// # Errors
/// If there is no such car, a path leads nowhere, or the changed file is invalid.
pub fn car_changed(name: &str, changes: &[(&str, KeyChange)]) -> Result<Car, ProvingError> {
    car_edited(name, |file| {
        for (path, change) in changes {
            change_value(file, path, |value| change.of(value))
                .map_err(|fault| fault.to_string())?;
        }
        Ok(())
    })
}

/// A preset car with its file edited.
///
/// # Errors
/// If there is no such car, the edit fails, or the edited file is invalid.
pub fn car_edited(
    name: &str,
    edit: impl FnOnce(&mut Table) -> Result<(), String>,
) -> Result<Car, ProvingError> {
    let syntax = |message: String| ProvingError::Syntax {
        file: name.to_owned(),
        message,
    };
    let file = presets::FILES.into_iter().find(|(known, _)| *known == name);
    let (_, text) = file.ok_or_else(|| syntax("not a preset".to_owned()))?;
    let mut table: Table = text
        .parse()
        .map_err(|error: toml::de::Error| syntax(error.to_string()))?;
    edit(&mut table).map_err(syntax)?;
    Ok(Car::parse(&table.to_string(), name)?)
}

impl KeyChange {
    /// Returns the changed value, or the rule that the change breaks.
    fn of(&self, value: Option<&Value>) -> Result<Value, String> {
        match (self, value) {
            (Self::Set(new), _) => Ok(new.clone()),
            (Self::Times(factor), Some(Value::Float(number))) => Ok((factor * number).into()),
            (Self::Times(_), _) => Err("must be a number to be multiplied".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn changed(path: &str, change: KeyChange) -> Result<Car, ProvingError> {
        car_changed("sedan", &[(path, change)])
    }

    fn stiffness(car: &Car) -> Vec<f32> {
        let wheels = car.spec().params.wheels.iter();
        wheels.map(|wheel| wheel.suspension.stiffness).collect()
    }

    #[test]
    fn a_key_changes_on_one_axle_or_on_all() {
        let usual = stiffness(&presets::sedan());
        let front = changed("axles.0.suspension.stiffness", KeyChange::Times(2.0)).unwrap();
        let all = changed("axles.suspension.stiffness", KeyChange::Set(30e3.into())).unwrap();
        assert_eq!(stiffness(&front)[..2], [2.0 * usual[0], 2.0 * usual[1]]);
        assert_eq!(stiffness(&front)[2..], usual[2..]);
        assert_eq!(stiffness(&all), [30e3; 4]);
    }

    #[test]
    fn a_path_that_leads_nowhere_is_refused() {
        let twice = KeyChange::Times(2.0);
        for path in [
            "axles.7.mass",
            "axle.0.mass",
            "axles.0.springs.stiffness",
            "name",
            "rows",
        ] {
            assert!(changed(path, twice.clone()).is_err(), "{path}");
        }
        let unknown = changed("axles.0.suspension.spring_rate", KeyChange::Set(1.0.into()));
        assert!(unknown.is_err(), "the file format knows no such key");
        assert!(car_changed("carpet", &[]).is_err());
    }
}
