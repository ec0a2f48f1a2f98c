//! Fittable laws.

use jounce::core::InvalidParams;
use jounce::tires::real::Real;

use super::data::Measurement;

/// Allowed values of a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Range {
    /// Any value.
    Free,
    /// Values with the sign of the parameter's start value.
    SameSign,
    /// Values between two bounds.
    Within(f64, f64),
}

/// A fitted parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Name of the parameter in files.
    pub name: String,
    /// Start value of the parameter.
    pub start: f64,
    /// Allowed values of the parameter.
    pub range: Range,
}

/// A law and its parameters.
pub trait LawFamily {
    /// The law in any number type.
    type Law<T: Real>;

    /// The fitted parameters with their start values.
    fn parameters(&self) -> Vec<Parameter>;

    /// The law with these values of [`LawFamily::parameters`].
    fn law<T: Real>(&self, values: &[T]) -> Self::Law<T>;

    /// Fx (`N`), Fy (`N`), Mz (`N·m`) of a law, ISO-W.
    fn answer<T: Real>(law: &Self::Law<T>, at: &Measurement) -> [T; 3];

    /// Checks whether the values form a valid law.
    ///
    /// # Errors
    /// If they violate its rules.
    fn check(&self, values: &[f64]) -> Result<(), InvalidParams>;

    /// Excess of the values over each further rule, negative if the rule is met; a fit keeps the rules that its start meets.
    fn excesses<T: Real>(&self, values: &[T]) -> Vec<T> {
        let _ = values;
        Vec::new()
    }
}
