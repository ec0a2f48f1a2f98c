//! Plans of sweeps.

use std::collections::BTreeMap;

use jounce::file::Car;
use proving_ground::ProvingError;
use proving_ground::drive::DriveConditions;
use proving_ground::ground::{GroundSpec, MeshUp, Terrain};
use proving_ground::maneuver::Maneuver;
use proving_ground::track;
use serde::{Deserialize, Serialize};
use toml::{Table, Value};

use super::space::{Distribution, number};
use crate::error::BatchError;
use crate::task::positive;

/// What a sweep is made of.
#[derive(Clone, Debug)]
pub struct SweepRequest {
    /// The car; its file must not refer to other files.
    pub car: Car,
    /// Name of a built-in maneuver, or its file.
    pub maneuver: String,
    /// Distributions by name: `grip` (–), `payload` (`kg`), `speed` at the start (`m/s`), `gravity` (`m/s²`), `wind.x` and `wind.y`
    /// (`m/s`, world); `maneuver.` and a path of the maneuver's file, such as `maneuver.stages.1.brake`; or a path of the vehicle file
    /// in its units, such as `axles.suspension.stiffness`.
    pub space: BTreeMap<String, Distribution>,
    /// Number of samples, ≥ 1.
    pub samples: u64,
    /// Seed of all random numbers, below 2⁶³.
    pub seed: u64,
    /// Number of samples per chunk, ≥ 1; by default as many as take about a second.
    pub chunk: Option<u64>,
    /// The ground, by its name on the command line; by default the maneuver's. Not from a file.
    pub ground: Option<GroundSpec>,
    /// Duration of a physics step (`s`), > 0.
    pub dt: f32,
}

impl SweepRequest {
    /// A sweep over nothing yet, in steps of 1/60 s.
    #[must_use]
    pub fn new(car: Car, maneuver: &str, samples: u64) -> Self {
        Self {
            car,
            maneuver: maneuver.to_owned(),
            space: BTreeMap::new(),
            samples,
            seed: 0,
            chunk: None,
            ground: None,
            dt: 1.0 / 60.0,
        }
    }
}

/// The text of a plan.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Plan {
    /// Version of Jounce.
    jounce: String,
    vehicle: String,
    ground: String,
    samples: u64,
    chunk: u64,
    seed: u64,
    dt: f32,
    space: BTreeMap<String, Distribution>,
    maneuver: Table,
    car: Table,
}

/// One of the conditions of a drive.
type ConditionOf = fn(&mut DriveConditions) -> &mut f32;

/// What a name of a space stands for.
#[derive(Clone, Debug)]
pub(super) enum Variable {
    Condition(ConditionOf),
    /// Path in the maneuver's file.
    Maneuver(String),
    /// Path in the vehicle file.
    Car(String),
}

/// Conditions by name.
const CONDITIONS: [(&str, ConditionOf); 6] = [
    ("grip", |it| &mut it.friction),
    ("payload", |it| &mut it.payload),
    ("speed", |it| &mut it.speed),
    ("gravity", |it| &mut it.gravity),
    ("wind.x", |it| &mut it.wind.x),
    ("wind.y", |it| &mut it.wind.y),
];
const OF_THE_MANEUVER: &str = "maneuver.";

impl Variable {
    fn named(name: &str) -> Self {
        if let Some((_, of)) = CONDITIONS.iter().find(|(known, _)| *known == name) {
            return Self::Condition(*of);
        }
        match name.strip_prefix(OF_THE_MANEUVER) {
            Some(path) => Self::Maneuver(path.to_owned()),
            None => Self::Car(name.to_owned()),
        }
    }
}

/// Simulated time of a chunk (`s`), if every drive takes as long as its maneuver allows: about a second of one core.
const CHUNK_TIME: f32 = 6000.0;
/// Number of samples that are tried before a sweep is accepted.
const TRIED: u64 = 8;

/// A sweep, ready to be run.
#[derive(Clone, Debug)]
pub struct Sweep {
    plan: Plan,
    pub(super) car: Car,
    pub(super) maneuver: Maneuver,
    pub(super) ground: GroundSpec,
    pub(super) terrain: Terrain,
    pub(super) variables: Vec<(String, Distribution, Variable)>,
}

impl Sweep {
    /// Plans a sweep.
    ///
    /// # Errors
    /// If an argument breaks its rule, a file has faults, or none of the first samples makes a drive, as with a key that no file has.
    pub fn new(request: &SweepRequest) -> Result<Self, BatchError> {
        for (argument, count) in [
            ("n", request.samples),
            ("chunk", request.chunk.unwrap_or(1)),
        ] {
            if count == 0 {
                return Err(BatchError::argument(argument, ">= 1", count, ""));
            }
        }
        for (argument, count) in [("n", request.samples), ("seed", request.seed)] {
            if i64::try_from(count).is_err() {
                return Err(BatchError::argument(argument, "below 2^63", count, ""));
            }
        }
        let text = Maneuver::text(&request.maneuver)?;
        let maneuver = Maneuver::parse(&text, &request.maneuver)?;
        let car = request.car.upgraded_file().ok_or_else(|| {
            let expected = "a car from a file";
            BatchError::argument("car", expected, &request.car.name, "")
        })?;
        let usual = (CHUNK_TIME / maneuver.duration).max(1.0) as u64;
        let own = maneuver.ground.clone();
        let named = request.ground.as_ref().map(GroundSpec::argument);
        let sweep = Self::of(Plan {
            jounce: env!("CARGO_PKG_VERSION").to_owned(),
            vehicle: request.car.name.clone(),
            ground: named.or(own).unwrap_or_else(|| "hills".to_owned()),
            samples: request.samples,
            chunk: request.chunk.unwrap_or(usual).min(request.samples),
            seed: request.seed,
            dt: request.dt,
            space: request.space.clone(),
            maneuver: text.parse().map_err(syntax("maneuver"))?,
            car,
        })?;
        sweep.check_first()?;
        Ok(sweep)
    }

    /// Reads a plan.
    ///
    /// # Errors
    /// If it is not one of this version of Jounce, or has faults.
    pub fn parse(text: &str) -> Result<Self, BatchError> {
        let plan: Plan = toml::from_str(text).map_err(syntax("plan"))?;
        let version = env!("CARGO_PKG_VERSION");
        if plan.jounce != version {
            let expected = format!("of version {version}");
            return Err(BatchError::argument("plan", expected, plan.jounce, ""));
        }
        Self::of(plan)
    }

    fn of(plan: Plan) -> Result<Self, BatchError> {
        positive("dt", plan.dt, "s")?;
        if !plan.dt.is_finite() {
            return Err(BatchError::argument("dt", "finite", plan.dt, "s"));
        }
        let distributions = plan.space.iter();
        let variables = distributions.map(|(name, distribution)| {
            distribution.check(name)?;
            let variable = Variable::named(name);
            let is_condition = matches!(variable, Variable::Condition(_));
            if is_condition && distribution.is_text() {
                let name = format!("space[{name:?}]");
                return Err(BatchError::argument(name, "of numbers", "texts", ""));
            }
            Ok((name.clone(), distribution.clone(), variable))
        });
        let variables = variables.collect::<Result<_, _>>()?;
        let ground = portable(&plan.ground)?;
        Ok(Self {
            car: Car::parse(&plan.car.to_string(), &plan.vehicle).map_err(ProvingError::from)?,
            maneuver: Maneuver::parse(&plan.maneuver.to_string(), "maneuver")?,
            terrain: Terrain::new(&ground, MeshUp::Z)?,
            ground,
            variables,
            plan,
        })
    }

    /// Checks that one of the first samples makes a drive.
    fn check_first(&self) -> Result<(), BatchError> {
        let mut first = None;
        for sample in 0..self.plan.samples.min(TRIED) {
            match self.prepared(&self.values(sample)) {
                Ok(_) => return Ok(()),
                Err(error) => first = first.or(Some(error)),
            }
        }
        first.map_or(Ok(()), |error| Err(error.into()))
    }

    /// The plan as a text, which [`Sweep::parse`] reads.
    #[must_use]
    pub fn text(&self) -> String {
        toml::to_string(&self.plan).expect("tables of numbers and texts")
    }

    /// Number of chunks.
    #[must_use]
    pub fn chunks(&self) -> u64 {
        self.plan.samples.div_ceil(self.plan.chunk)
    }

    /// Numbers of the samples of a chunk.
    pub(super) fn samples(&self, chunk: u64) -> core::ops::Range<u64> {
        let from = chunk * self.plan.chunk;
        from..(from + self.plan.chunk).min(self.plan.samples)
    }

    /// Values of a sample, in the order of the names.
    pub(super) fn values(&self, sample: u64) -> Vec<Value> {
        let variables = self.variables.iter();
        variables
            .map(|(name, distribution, _)| distribution.sample(self.plan.seed, sample, name))
            .collect()
    }

    /// Duration of a physics step (`s`).
    pub(super) fn dt(&self) -> f32 {
        self.plan.dt
    }

    /// The tables of the maneuver's file.
    pub(super) fn maneuver_file(&self) -> &Table {
        &self.plan.maneuver
    }
}

/// A ground that every machine can make by its name.
fn portable(name: &str) -> Result<GroundSpec, BatchError> {
    let refused = |expected: String| BatchError::argument("ground", expected, name, "");
    let ground = name.parse().map_err(refused)?;
    let is_portable = match &ground {
        GroundSpec::HeightField(_) | GroundSpec::Mesh(_) | GroundSpec::File(_) => false,
        GroundSpec::Track(track) => track::BUILT_IN.iter().any(|(known, _)| known == track),
        _ => true,
    };
    match is_portable {
        true => Ok(ground),
        false => Err(refused("without a file".to_owned())),
    }
}

fn syntax(file: &'static str) -> impl Fn(toml::de::Error) -> BatchError {
    move |error| {
        BatchError::Ground(ProvingError::Syntax {
            file: file.to_owned(),
            message: error.to_string(),
        })
    }
}

/// A number as the single precision of conditions.
pub(super) fn single(value: &Value) -> f32 {
    number(value).unwrap_or(f64::NAN) as f32
}
