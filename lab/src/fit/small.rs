//! The small laws: [`SteadyLaw`]s with a few parameters.

use core::cell::Cell;

use jounce::core::{Checked, InvalidParams};
use jounce::tires::real::Real;
use jounce::tires::steady::SteadyLaw;
use jounce::tires::{
    Bakker87Params, BrushParams, DugoffParams, FialaParams, Pacejka89Params, Pacejka94Params,
    TmEasyParams, TmSimpleParams,
};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::data::Measurement;
use super::family::{LawFamily, Parameter, Range};

/// Parameters of a small law.
pub trait SmallLaw: Sized + Copy + Serialize + DeserializeOwned {
    /// The law in any number type.
    type Of<T: Real>: SteadyLaw<T>;
    /// Name of the law in files.
    const MODEL: &'static str;
    /// A plausible passenger-car tire, as a table of a file.
    const START: &'static str;
    /// Whether the law has no friction of its own, so that the surface's is fitted as well.
    const NEEDS_FRICTION: bool;

    /// Every parameter with its name.
    fn listed(&self) -> Vec<(String, f64)>;
    /// The law with other values of all parameters.
    fn with<T: Real>(&self, values: &[T]) -> Self::Of<T>;
    /// Excess of the parameters over each ordering rule, negative if the rule is met ([`LawFamily::excesses`]).
    fn disorder<T: Real>(law: &Self::Of<T>) -> Vec<T>;
    /// The values in single precision, as in files and vehicles, checked.
    ///
    /// # Errors
    /// If they violate the law's rules.
    fn checked(&self, values: &[f64]) -> Result<(), InvalidParams>;
}

macro_rules! small_laws {
    ($($params:ident, $model:literal, $friction:literal, $disorder:ident, $start:literal;)*) => {$(
        impl SmallLaw for $params<f64> {
            type Of<T: Real> = $params<T>;
            const MODEL: &'static str = $model;
            const START: &'static str = $start;
            const NEEDS_FRICTION: bool = $friction;

            fn listed(&self) -> Vec<(String, f64)> {
                let named = self.named().into_iter();
                named.map(|(name, &value)| (name, value)).collect()
            }

            fn with<T: Real>(&self, values: &[T]) -> $params<T> {
                let next = Cell::new(0);
                self.map(|_| values[next.replace(next.get() + 1)])
            }

            fn disorder<T: Real>(law: &$params<T>) -> Vec<T> {
                $disorder(law)
            }

            fn checked(&self, values: &[f64]) -> Result<(), InvalidParams> {
                let single = self.with(values).map(|&x: &f64| x as f32);
                Checked::new(single).map(drop)
            }
        }
    )*};
}
small_laws! {
    DugoffParams, "dugoff", true, none, "slip_stiffness = 80000.0\ncornering_stiffness = 60000.0";
    FialaParams, "fiala", false, none, "slip_stiffness = 80000.0\ncornering_stiffness = 60000.0\n\
        sliding_friction = 0.8\nstatic_friction = 1.0\nwidth = 0.2";
    BrushParams, "brush", true, none, "tread_stiffness_x = 1e7\ntread_stiffness_y = 8e6\n\
        half_length = 0.07\nnominal_load = 4000.0\nload_sensitivity = 0.1\nkinetic_friction = 0.9\n\
        stribeck_speed = 3.0";
    TmSimpleParams, "tmsimple", false, none, "nominal_load = 3000.0\ninitial_x = [54000.0, 100000.0]\n\
        peak_x = [3150.0, 6000.0]\nsliding_x = [2400.0, 4600.0]\ninitial_y = [45000.0, 80000.0]\n\
        peak_y = [3000.0, 5700.0]\nsliding_y = [2500.0, 4700.0]";
    TmEasyParams, "tmeasy", false, tmeasy_disorder, "nominal_load = 3500.0\ncontact_length = 0.12\n\
        initial_x = [64000.0, 136000.0]\npeak_x = [3950.0, 7630.0]\npeak_slip_x = [0.139, 0.139]\n\
        sliding_x = [2800.0, 5380.0]\nsliding_slip_x = [0.667, 0.667]\ninitial_y = [56000.0, 90000.0]\n\
        peak_y = [3500.0, 6400.0]\npeak_slip_y = [0.149, 0.185]\nsliding_y = [2900.0, 5400.0]\n\
        sliding_slip_y = [0.965, 1.07]\ntrail = [0.178, 0.19]\ntrail_zero_slip = [0.163, 0.204]\n\
        trail_end_slip = [0.965, 1.07]";
    Bakker87Params, "bakker-87", false, none, "longitudinal_shape = 1.65\nlateral_shape = 1.3\n\
        aligning_shape = 2.4\nlongitudinal = [-21.3, 1144.0, 49.6, 226.0, 0.069, -0.006, 0.056, 0.486]\n\
        lateral = [-22.1, 1011.0, 1078.0, 1.82, 0.208, 0.0, -0.354, 0.707, 0.028, 0.0, 14.8, 0.022, 0.0]\n\
        aligning = [-2.72, -2.28, -1.86, -2.73, 0.11, -0.07, 0.643, -4.04, 0.015, -0.066, 0.945, 0.03, 0.07]\n\
        greatest_load = 10000.0";
    Pacejka89Params, "pacejka-89", false, none, "longitudinal = [1.65, -20.0, 1150.0, 0.0, 250.0, 0.05, 0.0, 0.0, \
        0.4, 0.0, 0.0]\nlateral = [1.4, -20.0, 1050.0, 1200.0, 8.0, 0.005, -0.02, 0.3, 0.0, 0.0, 0.0, 0.0, 0.0, \
        0.0]\naligning = [2.3, -2.0, -3.0, -2.2, -3.0, 0.1, 0.0, 0.0, 0.0, -1.2, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, \
        0.0]\ngreatest_load = 10000.0";
    Pacejka94Params, "pacejka-94", false, none, "longitudinal = [1.65, -20.0, 1150.0, 0.0, 250.0, 0.05, 0.0, 0.0, \
        0.4, 0.0, 0.0, 0.0, 0.0, 0.0]\nlateral = [1.4, -20.0, 1050.0, 1200.0, 8.0, 0.005, -0.02, 0.3, 0.0, 0.0, 0.0, \
        0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]\naligning = [2.3, -2.0, -3.0, -2.2, -3.0, 0.1, 0.0, 0.0, 0.0, -1.2, 0.0, \
        0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0]\ngreatest_load = 10000.0";
}

/// A law without ordering rules.
fn none<L, T>(_: &L) -> Vec<T> {
    Vec::new()
}

/// Peaks come before sliding, and the trail's first zero before its second, from no load to 3.5
/// times the nominal one; sliding forces do not exceed their peaks.
fn tmeasy_disorder<T: Real>(law: &TmEasyParams<T>) -> Vec<T> {
    let slips = [
        (law.peak_slip_x, law.sliding_slip_x),
        (law.peak_slip_y, law.sliding_slip_y),
        (law.trail_zero_slip, law.trail_end_slip),
    ];
    // Straight lines over the load.
    let ends = |[one, two]: [T; 2]| [one + one - two, one + (two - one) * T::of(2.5)];
    let slips = slips.into_iter().flat_map(|(low, high)| {
        let (low, high) = (ends(low), ends(high));
        [-low[0], -low[1], low[0] - high[0], low[1] - high[1]]
    });
    let forces = [(law.peak_x, law.sliding_x), (law.peak_y, law.sliding_y)];
    let forces = forces
        .into_iter()
        .flat_map(|(peak, sliding)| [0, 1].map(|n| (sliding[n] - peak[n]) / peak[n]));
    slips.chain(forces).collect()
}

/// Name of the friction fitted with a law that has none.
pub const FRICTION: &str = "friction";

/// Parameters that only scale others, or only limit loads: they are fixed.
const REFERENCES: [&str; 3] = ["nominal_load", "greatest_load", "contact_length"];

/// A small law with a start.
#[derive(Clone, Debug)]
pub struct Small<P> {
    start: P,
    friction: f64,
    held: Vec<String>,
}

impl<P: SmallLaw> Small<P> {
    /// A law starting at these parameters, on a surface of friction 1.
    #[must_use]
    pub fn new(start: P) -> Self {
        Self::with_friction(start, 1.0)
    }

    /// Fits on a surface of another friction, which is also fitted if the law has none of its own.
    #[must_use]
    pub fn with_friction(start: P, friction: f64) -> Self {
        let held = REFERENCES.map(str::to_owned).to_vec();
        Self {
            start,
            friction,
            held,
        }
    }

    /// Fixes further parameters at their start values, by name.
    #[must_use]
    pub fn holding(mut self, names: &[String]) -> Self {
        self.held.extend_from_slice(names);
        self
    }

    /// Fx (`N`), Fy (`N`), Mz (`N·m`) at the start's parameters.
    #[must_use]
    pub fn forces(&self, at: &Measurement) -> [f64; 3] {
        let values: Vec<f64> = self.parameters().into_iter().map(|p| p.start).collect();
        Self::answer(&self.law(&values), at)
    }

    /// Every value of the law, with fitted ones taken from `values`, and the friction.
    fn all<T: Real>(&self, values: &[T]) -> (Vec<T>, T) {
        let mut next = values.iter();
        let mut value = |name: &str, held: f64| {
            if self.held.iter().any(|other| other == name) {
                T::of(held)
            } else {
                *next.next().expect("as many values as parameters")
            }
        };
        let listed = self.start.listed();
        let law = listed
            .iter()
            .map(|(name, start)| value(name, *start))
            .collect();
        let friction = if P::NEEDS_FRICTION {
            value(FRICTION, self.friction)
        } else {
            T::of(self.friction)
        };
        (law, friction)
    }

    /// The parameters for a file with these values.
    #[must_use]
    pub fn params(&self, values: &[f64]) -> P::Of<f64> {
        self.start.with(&self.all(values).0)
    }
}

impl<P: SmallLaw> LawFamily for Small<P> {
    type Law<T: Real> = (P::Of<T>, T);

    fn parameters(&self) -> Vec<Parameter> {
        let friction = P::NEEDS_FRICTION.then(|| (FRICTION.to_owned(), self.friction));
        let listed = self.start.listed().into_iter().chain(friction);
        let free = listed.filter(|(name, _)| !self.held.contains(name));
        free.map(|(name, start)| {
            let range = range(P::MODEL, &name);
            Parameter { name, start, range }
        })
        .collect()
    }

    fn law<T: Real>(&self, values: &[T]) -> Self::Law<T> {
        let (all, friction) = self.all(values);
        (self.start.with(&all), friction)
    }

    fn answer<T: Real>((law, friction): &Self::Law<T>, at: &Measurement) -> [T; 3] {
        let forces = law.forces(&at.seen(*friction));
        [forces.longitudinal, forces.lateral, forces.aligning_moment]
    }

    fn check(&self, values: &[f64]) -> Result<(), InvalidParams> {
        self.start.checked(&self.all(values).0)
    }

    fn excesses<T: Real>(&self, values: &[T]) -> Vec<T> {
        P::disorder(&self.law(values).0)
    }
}

/// The allowed values of a parameter of a model. Coefficients of the formulas of 1987 to 1994 may
/// have any sign; the others are sizes.
fn range(model: &str, name: &str) -> Range {
    match name {
        "load_sensitivity" | "kinetic_friction" => Range::Within(0.0, 1.0),
        _ if ["bakker-87", "pacejka-89", "pacejka-94"].contains(&model) => Range::Free,
        _ => Range::SameSign,
    }
}

#[cfg(test)]
mod tests;
