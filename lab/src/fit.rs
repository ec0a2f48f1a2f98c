//! Parameters of tire laws from measured forces: nonlinear least squares (Levenberg–Marquardt) with exact
//! derivatives.
//!
//! | module | |
//! |---|---|
//! | [`data`] | measurements |
//! | [`family`] | what can be fitted: a law, its parameters, and their valid ranges |
//! | [`small`], [`magic_formula`] | the laws |
//! | `problem` | residuals and their derivatives, parameters in unbounded coordinates |
//! | [`outcome`] | results and their confidence |
//!
//! ```
//! use jounce::tires::DugoffParams;
//! use jounce_lab::fit::{self, data::Measurement, small::Small};
//!
//! let truth = DugoffParams { slip_stiffness: 9e4, cornering_stiffness: 7e4 };
//! let data: Vec<_> = (1..20).map(|n| {
//!     let slip_angle = 0.01 * f64::from(n);
//!     let at = Measurement { slip_ratio: 0.5 * slip_angle, slip_angle, ..Measurement::new(4e3) };
//!     at.answered(Small::with_friction(truth, 0.9).forces(&at))
//! }).collect();
//! let start = DugoffParams { slip_stiffness: 5e4, cornering_stiffness: 5e4 };
//! let fit = fit::fit(&Small::with_friction(start, 1.0), &data, [1.0; 3])?;
//! assert!((fit.value("cornering_stiffness").unwrap() - 7e4).abs() < 1.0);
//! # Ok::<(), jounce_lab::fit::FitError>(())
//! ```

pub mod data;
pub mod family;
mod problem;
pub mod outcome;
pub mod magic_formula;
pub mod small;

use jounce::core::InvalidParams;
use levenberg_marquardt::{LeastSquaresProblem, LevenbergMarquardt, TerminationReason as Reason};
use nalgebra::DVector;

use data::Measurement;
use family::LawFamily;
use outcome::Fit;
use problem::Problem;

/// Reason why there is no fit.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum FitError {
    /// Fewer measured values than parameters.
    #[error(
        "{values} measured values cannot determine {parameters} parameters; hold some, or measure more"
    )]
    TooFew {
        /// Measured forces and moments with a weight.
        values: usize,
        /// Number of parameters that they depend on.
        parameters: usize,
    },
    /// A measurement is NaN or infinite.
    #[error("measurement {0}: must be finite, with a load of no less than 0")]
    NotFinite(usize),
    /// The start parameters violate their rules.
    #[error("the start: {0}")]
    Start(InvalidParams),
    /// The search did not finish.
    #[error("the search for parameters failed: {0}")]
    Search(String),
}

/// Fits a family's parameters to measurements. Each channel (Fx, Fy, Mz) is weighted relative to
/// its own root mean square; 0 excludes it.
///
/// # Errors
/// If there are too few measurements, one is not finite, the start violates the law's rules, or the
/// search fails.
pub fn fit<F: LawFamily>(
    family: &F,
    data: &[Measurement],
    weights: [f64; 3],
) -> Result<Fit, FitError> {
    if let Some(n) = data.iter().position(|at| !at.is_sound()) {
        return Err(FitError::NotFinite(n + 1));
    }
    let mut problem = Problem::new(family, data, weights)?;
    let count = problem.parameters.len();
    let mut best: Option<(f64, DVector<f64>, bool)> = None;
    for attempt in 0..ATTEMPTS {
        problem.set_params(&around(attempt, count));
        // First pulled toward the start, so that hardly determined parameters do not run away.
        problem.pull = PULL;
        (problem, ..) = search(problem)?;
        problem.pull = 0.0;
        let (searched, objective, converged) = search(problem)?;
        let found = (objective, searched.params(), converged);
        problem = searched;
        let known = best.as_ref().map_or(f64::INFINITY, |best| best.0);
        let agree = (objective - known).abs() <= AGREEMENT * known;
        if objective < known {
            best = Some(found);
        }
        // A minimum found from two starts, or without residuals, is not a local trap.
        if agree || objective <= NOTHING {
            break;
        }
    }
    let (_, parameters, converged) = best.ok_or_else(not_finite)?;
    problem.set_params(&parameters);
    Ok(outcome::judge(&problem, converged))
}

/// Searches from the problem's current point; also returns half of the sum of squares, and whether
/// the search converged.
fn search<F: LawFamily>(problem: Problem<'_, F>) -> Result<(Problem<'_, F>, f64, bool), FitError> {
    let search = LevenbergMarquardt::new()
        .with_tol(TOLERANCE)
        .with_patience(PATIENCE);
    let (problem, report) = search.minimize(problem);
    let converged = report.termination.was_successful();
    match report.termination {
        // Rounding prevents further improvement, the limit is reached, or all parameters are fixed.
        Reason::NoImprovementPossible(_) | Reason::LostPatience | Reason::NoParameters => {}
        _ if converged => {}
        reason => return Err(FitError::Search(format!("{reason:?}"))),
    }
    let left = problem.residuals().ok_or_else(not_finite)?;
    Ok((problem, 0.5 * left.norm_squared(), converged))
}

fn not_finite() -> FitError {
    FitError::Search("the answers of the law are not finite".to_owned())
}

/// Start coordinates: first those of the start, then some around it, deterministic.
fn around(attempt: usize, count: usize) -> DVector<f64> {
    // Multiples of the golden ratio are evenly spread.
    let spread = |n: usize| (0.618_033_988_749_895 * (n as f64)).fract() - 0.5;
    DVector::from_fn(count, |n, _| match attempt {
        0 => 0.0,
        _ => AROUND * spread(attempt * (count + 1) + n),
    })
}

/// Initial pull of parameters toward the start: a deviation by half of itself costs as much as
/// residuals of 0.5 % of the measured values.
const PULL: f64 = 0.01;
/// Maximum number of searches from different starts.
const ATTEMPTS: usize = 6;
/// Spread of the starts, as a fraction of each parameter.
const AROUND: f64 = 0.5;
/// Relative difference below which two sums of squares are equal.
const AGREEMENT: f64 = 1e-6;
/// Sum of squares, each over its channel's mean square, that counts as zero.
const NOTHING: f64 = 1e-12;
/// Relative change of the sum of squares and of the parameters at which the search ends.
const TOLERANCE: f64 = 1e-12;
/// Evaluations of all forces per parameter after which it stops anyway.
const PATIENCE: usize = 20;

#[cfg(test)]
mod tests;
