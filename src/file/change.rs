//! A car with other values in its file: each key by its path.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tire_models::TireRegistry;
use toml::{Table, Value};
use vehicle_core::Fault;

use super::build::build;
use super::path::change_value;
use super::steps::SCHEMA;
use super::{Car, FileError, FileFault};

/// The text and tables from which a car was read, so that it can be read again with other values.
#[derive(Clone, Debug)]
pub(super) struct CarSource {
    document: Table,
    file: String,
    tires: TireRegistry,
    /// Folder of the files that the document refers to.
    folder: Option<PathBuf>,
}

impl CarSource {
    pub(super) fn new(
        document: Table,
        file: &str,
        tires: &TireRegistry,
        folder: Option<&Path>,
    ) -> Self {
        Self {
            document,
            file: file.to_owned(),
            tires: tires.clone(),
            folder: folder.map(Path::to_path_buf),
        }
    }

    /// Builds the car, or collects every fault of the document.
    pub(super) fn build(self) -> Result<Car, Vec<Fault>> {
        let car = build(self.document.clone(), &self.tires, self.folder.as_deref())?;
        Ok(Car {
            source: Some(Arc::new(self)),
            ..car
        })
    }

    /// The document in the newest schema, whose paths are those that are documented.
    fn upgraded(&self) -> Table {
        let mut document = self.document.clone();
        // It was upgraded before, when the car was read.
        if SCHEMA.upgrade_unnamed(&mut document).is_ok() {
            let newest = i64::from(SCHEMA.version());
            document.insert("schema".to_owned(), newest.into());
        }
        document
    }
}

impl Car {
    /// The tables of its vehicle file in the newest schema, in the file's units; `None` after [`Car::with_params`], where there
    /// is no file.
    #[must_use]
    pub fn upgraded_file(&self) -> Option<Table> {
        self.source.as_ref().map(|source| source.upgraded())
    }

    /// The car with another value at a path of its vehicle file.
    ///
    /// ```
    /// let car = jounce::presets::sedan().with("drivetrain.engine.peak_torque", 345.0)?;
    /// let wide = car.with("axles.track", 1.6)?.with("axles[0].tire.model", "right")?;
    /// # assert_eq!(wide.model().params().wheels[0].position.y, 0.8);
    /// # Ok::<(), jounce::file::FileError>(())
    /// ```
    ///
    /// The keys are those of vehicle files ([`docs/VEHICLES.md`](https://docs.rs/crate/jounce/latest/source/docs/VEHICLES.md)).
    /// Indices count from 0 (`axles[1].radius`); a list of tables without an index stands for each of them
    /// (`axles.radius`), and missing tables on the way are made. The value is in the units of the file: SI, unless it has
    /// a table `[units]`. Relative paths of `.tir` files stay relative to the file.
    ///
    /// # Errors
    /// If the path leads nowhere, or with every fault of the file as changed: its path, value, unit and rule. After
    /// [`Car::with_params`] there is no file to change.
    pub fn with(&self, path: &str, value: impl Into<Value>) -> Result<Self, FileError> {
        self.with_all([(path, value.into())])
    }

    /// The car with other values at several paths of its vehicle file, which are judged together: the way to change keys
    /// that depend on each other.
    ///
    /// ```
    /// let car = jounce::presets::sedan();
    /// let faulty = car.with_all([("chassis.mass", (-3.0).into()), ("axles[1].radius", "big".into())]);
    /// let told = faulty.unwrap_err().to_string();
    /// assert!(told.contains("chassis.mass = -3 kg: must be") && told.contains("axles[1].radius = \"big\": must be"));
    /// ```
    ///
    /// # Errors
    /// With the faults of every change, as [`Car::with`].
    pub fn with_all<'a>(
        &self,
        changes: impl IntoIterator<Item = (&'a str, Value)>,
    ) -> Result<Self, FileError> {
        let Some(source) = &self.source else {
            return Err(no_file(&self.name));
        };
        let mut next = CarSource {
            document: source.upgraded(),
            ..CarSource::clone(source)
        };
        let mut faults = Vec::new();
        for (path, value) in changes {
            let changed = change_value(&mut next.document, path, |_| Ok(value.clone()));
            faults.extend(changed.err());
        }
        let (file, built) = (next.file.clone(), next.build());
        match built {
            Ok(car) if faults.is_empty() => Ok(car),
            built => {
                faults.extend(built.err().into_iter().flatten());
                Err(invalid(file, faults))
            }
        }
    }
}

/// Faults of a document that has no lines.
fn invalid(file: String, faults: Vec<Fault>) -> FileError {
    let faults = faults.into_iter();
    let faults = faults.map(|fault| FileFault { line: None, fault });
    FileError::Invalid {
        file,
        faults: faults.collect(),
    }
}

fn no_file(name: &str) -> FileError {
    let rule = "must be changed before the parameters, which are in no file";
    let fault = Fault::new("file", "none", "", rule.to_owned());
    invalid(name.to_owned(), vec![fault])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::Registries;
    use crate::presets;
    use rstest::rstest;

    fn told(changes: &[(&str, Value)]) -> String {
        let changed = presets::sedan().with_all(changes.iter().cloned());
        changed.unwrap_err().to_string()
    }

    /// A change of a key gives the car whose file has the value.
    #[rstest]
    #[case::number("peak_torque = 230.0", "peak_torque = 345.0", &[("drivetrain.engine.peak_torque", 345.0.into())])]
    #[case::whole("peak_torque = 230.0", "peak_torque = 345", &[("drivetrain.engine.peak_torque", 345.into())])]
    #[case::of_a_list("[3.6, 2.05,", "[3.9, 2.05,", &[("drivetrain.gearbox.forward[0]", 3.9.into())])]
    #[case::of_each("mirrored = true", "mirrored = false", &[("tires.right.mirrored", false.into())])]
    #[case::list("[0.14, 0.0, 0.54]", "[0.1, 0.0, 0.6]", &[("chassis.center_of_mass", vec![0.1, 0.0, 0.6].into())])]
    #[case::added("switch_time = 0.25", "switch_time = 0.25\n[sweep]\nshape = 'sphere'", &[("sweep.shape", "sphere".into())])]
    #[case::units(
        "schema = 4", "schema = 4\nunits = { mass = 'lb' }",
        &[("units.mass", "lb".into())]
    )]
    fn a_changed_car_is_that_of_the_changed_file(
        #[case] old: &str,
        #[case] new: &str,
        #[case] changes: &[(&str, Value)],
    ) {
        let (_, text) = presets::FILES[0];
        assert!(text.contains(old), "{old}");
        let written = Car::parse(&text.replacen(old, new, 1), "sedan");
        let changed = presets::sedan().with_all(changes.iter().cloned());
        match (written, changed) {
            (Ok(written), Ok(changed)) => {
                assert!(written.spec() == changed.spec());
                assert!(changed.spec() != presets::sedan().spec());
            }
            (Err(_), Err(_)) => {}
            (written, changed) => panic!("{:?}, {:?}", written.err(), changed.err()),
        }
    }

    #[test]
    fn every_preset_is_the_same_after_a_change_and_back() {
        for (name, _) in presets::FILES {
            let car = presets::by_name(name).unwrap();
            let mass = f64::from(car.mass());
            let heavy = car.with("chassis.mass", 1.01 * mass);
            let same = car.with("name", name).unwrap();
            assert!(same.spec() == car.spec(), "{name}");
            assert!(
                heavy.is_err() || heavy.unwrap().mass() > car.mass(),
                "{name}"
            );
        }
    }

    /// A file of the first schema, in pounds, is changed by today's paths and in its own units.
    #[test]
    fn old_files_and_other_units_are_changed_too() {
        let (_, text) = presets::FILES[0];
        let old = text.replacen("schema = 4", "schema = 1\nunits = { mass = 'lb' }", 1);
        let car = Car::parse(&old, "old").unwrap();
        let changed = car.with("chassis.mass", 1600.0).unwrap();
        assert!(
            (changed.mass() - 725.747).abs() < 1e-2,
            "{}",
            changed.mass()
        );
    }

    #[test]
    fn every_fault_is_told_with_path_value_unit_and_rule() {
        let text = told(&[
            ("drivetrain.engine.peak_torque", (-1.0).into()),
            ("axles[0].sprocket", 3.into()),
            ("axles[9].radius", 0.3.into()),
            ("name.first", "a".into()),
        ]);
        for part in [
            "sedan: 4 fault(s)",
            "drivetrain.engine.peak_torque = -1 N·m: must be",
            "axles[0].sprocket = 3: unknown key",
            "axles[9].radius = nothing: the list has 2 elements",
            "name.first = nothing: `first` leads nowhere: before it stands \"sedan\"",
        ] {
            assert!(text.contains(part), "{part} in\n{text}");
        }
    }

    #[test]
    fn changed_parameters_are_in_no_file() {
        let car = presets::sedan();
        let params = car.spec().params.clone();
        let own = car.with_params(&Registries::with_builtins(), params);
        let told = own.unwrap().with("chassis.mass", 1.0).unwrap_err();
        assert!(told.to_string().contains("in no file"), "{told}");
        assert!(car.with("chassis.mass", 1510.0).is_ok());
    }
}
