//! Vehicle files: TOML, `schema = 4`, no unknown keys, every fault at once.
//!
//! Positions are in the vehicle frame (x forward, y left, z up) with the origin on the ground,
//! between the wheels, with the car at its design height. Units are SI; keys that end in `_deg` are
//! angles in degrees. Toe is positive inwards, camber is negative with the top inwards, on both
//! sides. The preset files in `vehicles` show the keys of cars.
//!
//! `[units]` names units other than those of SI of `length`, `mass`, `force`, `speed`, `torque`, `pressure`, `power` and
//! `angular_speed`, such as `"mm"`, `"lb"` and `"lbf"`: numbers are converted before anything else reads them, and faults show
//! them in SI. Units of speed, torque, pressure and power that are not named follow from length and force.
//! What stands under `[tires]` is in SI all the same; a `.tir` file has its own units.
//!
//! An axle has two wheels, or with `wheels = 1` and without a `track` one in the middle. Wheels count
//! in the order of the axles, the left one of each first.
//!
//! Each table under `[tires]` has a `model` of [`TireRegistry`] and its parameters; a
//! `magic-formula`, `pacejka-89`, `pacejka-94` or `fiala` tire can instead have a `file`, a `.tir`
//! file with a path relative to the vehicle file, and a `magic-formula` tire a `preset`, a
//! [preset tire](tire_models::presets). The `tire` of an axle names
//! the `model` of its wheels, and optionally another one for the `right` wheel, such as the
//! mirrored tire.
//!
//! `[coupling]` has the fields of [`Coupling`], its limits in degrees (`yaw_limit_deg`). A trailer, part of whose mass
//! rests on it (`load`), does not stand by itself. `[rear_coupling]` is by what a vehicle tows that is towed itself: it
//! has neither `load` nor `towed_by`.
//!
//! `[ladder]` has the fields of [`LadderSpec`], `[[ladder.rungs]]` those of [`RungSpec`], the nearest rung first.
//!
//! `[aids]` has a table for each driver aid of an [`AidSuite`](driver_aids::AidSuite), with the fields of its type; without one,
//! the vehicle has no such aid, and a key that is left out is that of a passenger car.
//!
//! `[target]` says what cars of the class do, a table `{ value, tolerance, source }` for each [`TargetFigure`].
//!
//! `[drivetrain]` has a `model`: `"engine"`, `"electric"`, `"direct"`, or `"tank"`, which is an engine on tracks.
//! `[drivetrain.differential]` also has one; its other keys are the fields of the type:
//!
//! | `model` | type |
//! |---|---|
//! | `"four-wheel"` | [`Differential4W`](drivetrain::Differential4W) |
//! | `"equal"` | [`EqualSplit`](drivetrain::EqualSplit) |
//! | `"limited-slip"` | [`LimitedSlip`](drivetrain::LimitedSlip) |
//! | `"torque-vectoring"` | [`TorqueVectoring`](drivetrain::TorqueVectoring) |
//! | `"multi-wheel"` | [`MultiWheel`](drivetrain::MultiWheel) |
//! | `"locking"` | [`LockingDifferential`](drivetrain::LockingDifferential) |
//! | `"tank"` | [`TankDifferential`](drivetrain::TankDifferential); `tracks` are by default all left and all right wheels, `law` is `"shared"` |
//!
//! `[drivetrain.responses]` has the fields of [`Responses`](drivetrain::Responses), and
//! `[drivetrain.steering]` the `response` and `axle_law` of
//! [`SteeringParams`](drivetrain::SteeringParams).

mod message;
mod path;
mod read;
mod air;
mod links;
mod target;
mod ladder;
mod coupling;
mod steering;
mod schema;
mod axles;
mod data_sheet;
mod drive;
mod steps;
mod units;
mod build;
mod change;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use driver_input::CarSmoothing;
use glam::{Mat3, Vec3};
use jointed_wheels::{Ladder, WorldAbilities};
use scene_query::text::{read_text, unmarked};
use serde::de::DeserializeOwned;
use tire_models::TireRegistry;
use toml::Table;
use vehicle_core::params::ChassisParams;
use vehicle_core::{Check, Fault, Inspector, InvalidParams, VehicleModel, VehicleParams};

use crate::document::{Models, VehicleSpec, VehicleSpecError};

pub use coupling::{Coupling, CouplingKind};
pub use ladder::{LadderSpec, RungSpec, SoftConstraint, Wheels};
pub use path::{change_value, find_value};
pub use target::{ClassTarget, TargetFigure, TargetVerdict};

/// Reason why a vehicle file is invalid.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// The file cannot be read.
    #[error("{}: {source}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// The reason.
        source: std::io::Error,
    },
    /// No file or preset has this name.
    #[error("{name}: neither a file nor a preset{}", message::meant(name, known))]
    Unknown {
        /// The requested name.
        name: String,
        /// Names of the presets.
        known: Vec<&'static str>,
    },
    /// The file is not TOML.
    #[error("{file}: {source}")]
    Syntax {
        /// The file.
        file: String,
        /// Position and reason.
        source: toml::de::Error,
    },
    /// Values violate rules.
    #[error("{file}: {} fault(s):{}", faults.len(), list(file, faults))]
    Invalid {
        /// The file.
        file: String,
        /// All faults, in the order of the file.
        faults: Vec<FileFault>,
    },
}

/// A fault of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileFault {
    /// Line of the fault, from 1; for missing values, that of the incomplete table. `None` if the whole file lacks it.
    pub line: Option<usize>,
    /// The fault: value, unit and rule.
    pub fault: Fault,
}

fn list(file: &str, faults: &[FileFault]) -> String {
    let line = |FileFault { line, fault }: &FileFault| match line {
        Some(line) => format!("\n{file}:{line}: {fault}"),
        None => format!("\n{file}: {fault}"),
    };
    faults.iter().map(line).collect()
}

fn parsed(text: &str, file: &str) -> Result<Table, FileError> {
    text.parse().map_err(|source| FileError::Syntax {
        file: file.to_owned(),
        source,
    })
}

/// The content of a TOML text whose type has rules, such as a maneuver; errors call the text `file`.
///
/// # Errors
/// If it is not TOML, or with every unknown or missing key, wrong type and broken rule, each with its line.
pub fn read_checked<T: DeserializeOwned + Check>(text: &str, file: &str) -> Result<T, FileError> {
    let text = unmarked(text);
    let table = parsed(text, file)?;
    let found = read::every_fault(&table, |table, findings| {
        let value: T = read::read(table, "", findings)?;
        let mut inspector = Inspector::new();
        value.check(&mut inspector);
        let broken = inspector.verdict().err();
        findings
            .broken
            .extend(broken.into_iter().flat_map(|found| found.0));
        (findings.count() == 0).then_some(value)
    });
    found.map_err(|faults| FileError::Invalid {
        file: file.to_owned(),
        faults: placed(faults, text),
    })
}

/// Faults with their lines, in the order of the file, one for each path; those without a line come
/// last.
fn placed(faults: Vec<Fault>, text: &str) -> Vec<FileFault> {
    let lines = path::FileLines::of(text);
    let mut placed: Vec<FileFault> = Vec::new();
    for fault in faults {
        if placed.iter().all(|known| known.fault.path != fault.path) {
            let line = lines.line(&fault.path);
            placed.push(FileFault { line, fault });
        }
    }
    placed.sort_by_key(|placed| placed.line.unwrap_or(usize::MAX));
    placed
}

/// The bounding box of a car's body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hull {
    /// Length, width, height (`m`).
    pub size: Vec3,
    /// Center of the box (`m`, vehicle frame).
    pub center: Vec3,
}

/// Representation of a vehicle's wheels in a world.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WheelKind {
    /// Rays or sweeps of the vehicle, which carries itself.
    #[default]
    Probes,
    /// Bodies on the joints of an engine, for a [`JointedCar`](crate::jointed::JointedCar); `"rigid"` in a file.
    #[serde(rename = "rigid")]
    Jointed,
}

/// A car from a file: its model, and what a world needs to give it a body.
#[derive(Clone, Debug)]
pub struct Car {
    /// The name.
    pub name: String,
    /// Description of the vehicle.
    pub description: String,
    /// Bounding box of the vehicle's body.
    pub hull: Hull,
    /// Coupling of the vehicle, if it can tow or be towed.
    pub coupling: Option<Coupling>,
    /// The coupling by which the vehicle tows, if that is another one than the one by which it is towed.
    pub rear_coupling: Option<Coupling>,
    /// Representation of the wheels in a world.
    pub wheels: WheelKind,
    /// Figures of cars of its class, as its file says.
    pub targets: Vec<ClassTarget>,
    /// Levels of detail by the distance from the camera, if its file has them: [`Car::ladder_in`].
    pub ladder: Option<LadderSpec>,
    spec: VehicleSpec,
    model: Arc<VehicleModel>,
    /// `None` if its parameters were changed since it was read.
    source: Option<Arc<change::CarSource>>,
}

impl Car {
    /// Reads a vehicle file.
    ///
    /// # Errors
    /// If it cannot be read, is not TOML, or has faults: all of them are listed.
    pub fn load(path: impl AsRef<Path>) -> Result<Self, FileError> {
        Self::load_with(path, &TireRegistry::with_builtins())
    }

    /// Reads a vehicle file with tire models from `tires`.
    ///
    /// # Errors
    /// As [`Car::load`].
    pub fn load_with(path: impl AsRef<Path>, tires: &TireRegistry) -> Result<Self, FileError> {
        let path = path.as_ref();
        let text = read_text(path).map_err(|source| FileError::Unreadable {
            path: path.to_path_buf(),
            source,
        })?;
        let folder = path.parent().unwrap_or(Path::new(""));
        Self::read(&text, &path.display().to_string(), tires, Some(folder))
    }

    /// Reads the text of a vehicle file; errors call it `file`. References to other files fail:
    /// only files have a folder.
    ///
    /// # Errors
    /// As [`Car::load`].
    pub fn parse(text: &str, file: &str) -> Result<Self, FileError> {
        Self::parse_with(text, file, &TireRegistry::with_builtins())
    }

    /// Reads the text of a vehicle file with tire models from `tires`.
    ///
    /// # Errors
    /// As [`Car::load`].
    pub fn parse_with(text: &str, file: &str, tires: &TireRegistry) -> Result<Self, FileError> {
        Self::read(text, file, tires, None)
    }

    fn read(
        text: &str,
        file: &str,
        tires: &TireRegistry,
        folder: Option<&Path>,
    ) -> Result<Self, FileError> {
        let text = unmarked(text);
        let table = parsed(text, file)?;
        let source = change::CarSource::new(table, file, tires, folder);
        source.build().map_err(|faults| FileError::Invalid {
            file: file.to_owned(),
            faults: placed(faults, text),
        })
    }

    /// Description of the vehicle, for writing or changing it.
    #[must_use]
    pub fn spec(&self) -> &VehicleSpec {
        &self.spec
    }

    /// This car with other parameters.
    ///
    /// # Errors
    /// If one of its models is not among `models`, or the parameters violate their rules.
    pub fn with_params(
        &self,
        models: &impl Models,
        params: VehicleParams,
    ) -> Result<Self, VehicleSpecError> {
        self.made_of(
            models,
            VehicleSpec {
                params,
                ..self.spec.clone()
            },
        )
    }

    fn made_of(&self, models: &impl Models, spec: VehicleSpec) -> Result<Self, VehicleSpecError> {
        Ok(Self {
            name: self.name.clone(),
            description: self.description.clone(),
            hull: self.hull,
            coupling: self.coupling.clone(),
            rear_coupling: self.rear_coupling.clone(),
            wheels: self.wheels,
            targets: self.targets.clone(),
            ladder: self.ladder.clone(),
            model: Arc::new(spec.build(models)?),
            spec,
            source: None,
        })
    }

    /// Ladder of detail of the vehicle, for a [`LadderCar`](crate::jointed::LadderCar) in a world with these abilities; `None` if
    /// the file has none.
    ///
    /// # Errors
    /// With every rung that the world cannot do.
    pub fn ladder_in(&self, world: WorldAbilities) -> Result<Option<Ladder>, InvalidParams> {
        let ladder = self.ladder.as_ref();
        ladder
            .map(|spec| spec.build(&self.model, world))
            .transpose()
    }

    /// The coupling by which it tows: the one behind, otherwise its only one.
    #[must_use]
    pub fn towing_coupling(&self) -> Option<&Coupling> {
        self.rear_coupling.as_ref().or(self.coupling.as_ref())
    }

    /// The prepared model, shared by all vehicles of it.
    #[must_use]
    pub fn model(&self) -> Arc<VehicleModel> {
        Arc::clone(&self.model)
    }

    /// Smoothing of keys, pad and touch, made for this car from its data: see [`CarSmoothing::for_car`].
    #[must_use]
    pub fn smoothing(&self) -> CarSmoothing {
        CarSmoothing::for_car(&self.model)
    }

    /// Mass of the chassis (`kg`).
    #[must_use]
    pub fn mass(&self) -> f32 {
        self.model.params().chassis.mass
    }

    /// Inertia tensor about the center of mass (`kg·m²`, vehicle frame).
    #[must_use]
    pub fn inertia(&self) -> Mat3 {
        self.model.params().chassis.inertia_tensor()
    }

    /// Center of mass relative to the vehicle's origin (`m`, vehicle frame).
    #[must_use]
    pub fn center_of_mass(&self) -> Vec3 {
        self.model.params().chassis.center_of_mass
    }

    /// Height of the center of mass over level ground at the design position (`m`).
    #[must_use]
    pub fn ride_height(&self) -> f64 {
        let params = self.model.params();
        let wheel = &params.wheels[0];
        f64::from(params.chassis.center_of_mass.z - wheel.position.z + wheel.radius)
    }
}

impl AsRef<ChassisParams> for Car {
    fn as_ref(&self) -> &ChassisParams {
        &self.model.params().chassis
    }
}

#[cfg(test)]
mod tests;
