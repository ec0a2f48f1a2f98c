//! What can be fitted.

use jounce::core::InvalidParams;
use jounce::tires::real::Real;

use super::data::Measurement;

/// The values that a parameter may have.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Range {
    /// Any.
    Free,
    /// Those of the sign that it has at the start.
    SameSign,
    /// Those between two numbers.
    Within(f64, f64),
}

/// A parameter that is fitted.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// Its name in files.
    pub name: String,
    /// Its value at the start.
    pub start: f64,
    /// The values that it may have.
    pub range: Range,
}

/// A law by its parameters.
pub trait Family {
    /// The law in numbers of any sort.
    type Law<T: Real>;

    /// What is fitted, with where to start.
    fn parameters(&self) -> Vec<Parameter>;

    /// The law with these values of [`Family::parameters`].
    fn law<T: Real>(&self, values: &[T]) -> Self::Law<T>;

    /// Fx (`N`), Fy (`N`), Mz (`N·m`) of a law, ISO-W.
    fn answer<T: Real>(law: &Self::Law<T>, at: &Measurement) -> [T; 3];

    /// Whether the values make a law.
    ///
    /// # Errors
    /// If they break its rules.
    fn check(&self, values: &[f64]) -> Result<(), InvalidParams>;

    /// By how much the values break each further rule, negative where it is kept; a fit stays within those
    /// that its start keeps.
    fn excesses<T: Real>(&self, values: &[T]) -> Vec<T> {
        let _ = values;
        Vec::new()
    }
}
