//! The Magic Formula: coefficients selected by their effect, and fitted channel by channel.
//!
//! Fx depends only on the keys of the longitudinal section, Fy on those of the lateral one, Mz on
//! those of the aligning one and the forces: three problems in sequence.

use jounce::core::InvalidParams;
use jounce::tires::magic_formula::coefficients::{KEYS, Key};
use jounce::tires::magic_formula::{Coefficients, Load, MagicFormula, Settings, Slip, Version};
use jounce::tires::real::Real;
use jounce::tires::tir::excesses;

use super::data::Measurement;
use super::family::{LawFamily, Parameter, Range};
use super::outcome::Fit;
use super::{FitError, fit};

/// Keys fixed by default: together with `PKY1` and `PKY2`, `PKY4` is redundant.
pub const HELD: [&str; 1] = ["PKY4"];

/// A tire's fit.
#[derive(Clone, Debug)]
pub struct MagicFormulaFit {
    /// The coefficients; those not fitted have their start values.
    pub coefficients: Coefficients,
    /// The fits of Fx, Fy and Mz, where measured and weighted.
    pub channels: [Option<Fit>; 3],
    /// Keys of ranges that were widened to include all measurements.
    pub widened: Vec<&'static str>,
}

/// Fits the coefficients that Fx, Fy and Mz depend on, where measured, from `start`. Those in
/// `held` do not change.
///
/// # Errors
/// As [`fit`], for each channel.
pub fn fit_magic_formula(
    start: &Coefficients,
    version: Version,
    data: &[Measurement],
    weights: [f64; 3],
    held: &[String],
) -> Result<MagicFormulaFit, FitError> {
    let (mut coefficients, widened) = widened(start, data);
    let mut channels = [None, None, None];
    for (channel, found) in channels.iter_mut().enumerate() {
        let mut only = [0.0; 3];
        only[channel] = weights[channel];
        let measured = data.iter().any(|at| at.forces[channel].is_some());
        if !measured || only[channel] <= 0.0 {
            continue;
        }
        let tire = MagicFormula::new(&coefficients, version, Settings::mf_tyre());
        let part = PartialTire {
            tire: tire.map_err(FitError::Start)?,
            start: &coefficients,
            keys: &keys(channel, version, held),
        };
        let own = fit(&part, data, only)?;
        for estimate in &own.estimates {
            coefficients.set(&estimate.name, estimate.value);
        }
        *found = Some(own);
    }
    Ok(MagicFormulaFit {
        coefficients,
        channels,
        widened,
    })
}

/// The keys that a channel depends on, apart from other channels.
fn keys(channel: usize, version: Version, held: &[String]) -> Vec<&'static Key> {
    let sections = [
        "LONGITUDINAL_COEFFICIENTS",
        "LATERAL_COEFFICIENTS",
        "ALIGNING_COEFFICIENTS",
    ];
    let of_version = KEYS.iter().filter(|key| key.belongs_to(version));
    let of_channel = of_version.filter(|key| key.section == sections[channel]);
    // Relaxation lengths do not affect steady forces.
    let steady = of_channel.filter(|key| !key.name.starts_with("PT"));
    let free = steady.filter(|key| !held.iter().any(|name| name.eq_ignore_ascii_case(key.name)));
    free.collect()
}

/// The start with ranges that include all measurements, and the keys that were widened.
fn widened(start: &Coefficients, data: &[Measurement]) -> (Coefficients, Vec<&'static str>) {
    let mut coefficients = start.clone();
    let mut widened = Vec::new();
    type Value = fn(&Measurement) -> Option<f64>;
    let values: [(&str, &str, Value); 5] = [
        ("FZMIN", "FZMAX", |at| Some(at.load)),
        ("KPUMIN", "KPUMAX", |at| Some(at.slip_ratio)),
        ("ALPMIN", "ALPMAX", |at| Some(at.slip_angle)),
        ("CAMMIN", "CAMMAX", |at| Some(at.inclination)),
        ("PRESMIN", "PRESMAX", |at| at.pressure),
    ];
    for (least, most, value) in values {
        for (name, x) in [(least, f64::min as fn(f64, f64) -> f64), (most, f64::max)] {
            let given = start.get(name).expect("a key");
            let wide = data.iter().filter_map(value).fold(given, x);
            if wide != given {
                widened.extend(coefficients.set(name, wide).map(|key| key.name));
            }
        }
    }
    (coefficients, widened)
}

/// A tire with some coefficients to fit.
struct PartialTire<'a> {
    tire: MagicFormula<f64>,
    start: &'a Coefficients,
    keys: &'a [&'static Key],
}

impl PartialTire<'_> {
    /// All coefficients, with those of the keys taken from `values`.
    fn coefficients<T: Real>(&self, values: &[T]) -> Coefficients<T> {
        let own = self.tire.coefficients().iter();
        let mut all: Vec<T> = own.map(|(_, &start)| T::of(start)).collect();
        for (key, &value) in self.keys.iter().zip(values) {
            let place = KEYS.iter().position(|other| other.name == key.name);
            all[place.expect("a key of the table")] = value;
        }
        // A search per key within `from_keys`, which the compiler unrolls, would overflow the
        // stack.
        let mut all = all.into_iter();
        Coefficients::from_keys(|_| all.next().expect("as many as keys"))
    }
}

impl LawFamily for PartialTire<'_> {
    type Law<T: Real> = MagicFormula<T>;

    fn parameters(&self) -> Vec<Parameter> {
        let keys = self.keys.iter();
        keys.map(|key| Parameter {
            name: key.name.to_owned(),
            start: self.start.get(key.name).expect("a key"),
            range: range(key.name, self.start),
        })
        .collect()
    }

    fn law<T: Real>(&self, values: &[T]) -> MagicFormula<T> {
        self.tire.with_coefficients(self.coefficients(values))
    }

    fn answer<T: Real>(tire: &MagicFormula<T>, at: &Measurement) -> [T; 3] {
        let load = tire.at_load(&Load {
            inclination: T::of(at.inclination),
            pressure: at.pressure.map(T::of),
            ..Load::new(T::of(at.load))
        });
        let slip = Slip {
            ratio: T::of(at.slip_ratio),
            angle: T::of(at.slip_angle),
            ..Slip::rolling(at.speed.map_or(tire.coefficients().LONGVL, T::of))
        };
        let planar = tire.planar(&load, &slip);
        let moment = tire.aligning(&load, &planar).moment;
        [planar.longitudinal, planar.lateral, moment]
    }

    fn check(&self, values: &[f64]) -> Result<(), InvalidParams> {
        let (version, settings) = (self.tire.version(), self.tire.settings());
        MagicFormula::<f64>::new(&self.coefficients(values), version, settings).map(drop)
    }

    fn excesses<T: Real>(&self, values: &[T]) -> Vec<T> {
        excesses(self.tire.version(), self.start, &self.coefficients(values))
    }
}

/// Allowed values of a coefficient, whatever load and camber; the other rules are [`excesses`].
fn range(name: &str, c: &Coefficients) -> Range {
    match name {
        "PCX1" => Range::Within(0.0, 2.0 / c.LCX),
        "PCY1" => Range::Within(0.0, 2.0 / c.LCY),
        "QCZ1" => Range::Within(0.0, 2.0),
        "PDX1" | "PDY1" | "PKX1" | "PKY1" | "PKY2" | "QBZ1" | "RBX1" | "RBY1" | "RCX1" | "RCY1" => {
            Range::SameSign
        }
        _ => Range::Free,
    }
}

#[cfg(test)]
mod tests;
