//! Result of a fit, and its confidence.

use nalgebra::{DMatrix, DVector};

use super::family::LawFamily;
use super::problem::Problem;

/// Result of a fit.
#[derive(Clone, Debug, PartialEq)]
pub struct Fit {
    /// The parameters.
    pub estimates: Vec<Estimate>,
    /// Residuals of Fx, Fy, Mz, where measured and weighted.
    pub residuals: [Option<Residuals>; 3],
    /// Whether the search converged. If not, parameters with little effect may still change, and
    /// intervals are those of the current point.
    pub converged: bool,
}

/// A fitted parameter.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// The name.
    pub name: String,
    /// Value at the start of the fit.
    pub start: f64,
    /// Fitted value.
    pub value: f64,
    /// Confidence in the fitted value.
    pub certainty: Certainty,
}

/// Confidence in a parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Certainty {
    /// Known within this standard error, and this half of the 95 % interval.
    Within {
        /// Standard error.
        error: f64,
        /// Half of the 95 % interval.
        interval: f64,
    },
    /// The measurements determine it only together with others that can compensate for it.
    NotDetermined,
    /// No measurement depends on the parameter, which has its start value.
    NoData,
}

/// Residuals of one channel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Residuals {
    /// Number of measured values.
    pub values: usize,
    /// Root mean square of residuals (`N` or `N·m`).
    pub rms: f64,
    /// Maximum magnitude of a residual (`N` or `N·m`).
    pub greatest: f64,
    /// Share of the variance of the measured values explained by the law, R².
    pub explained: f64,
}

impl Fit {
    /// The value of a parameter.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<f64> {
        self.estimate(name).map(|estimate| estimate.value)
    }

    /// A parameter by name.
    #[must_use]
    pub fn estimate(&self, name: &str) -> Option<&Estimate> {
        self.estimates.iter().find(|estimate| estimate.name == name)
    }

    /// All values, in the order of the family's parameters.
    #[must_use]
    pub fn values(&self) -> Vec<f64> {
        self.estimates
            .iter()
            .map(|estimate| estimate.value)
            .collect()
    }
}

/// The result of a finished search.
pub(super) fn judge<F: LawFamily>(problem: &Problem<'_, F>, converged: bool) -> Fit {
    let residuals = residuals(problem);
    let certainties = certainties(problem, &residuals);
    let values = problem.values().into_iter().zip(certainties);
    let estimates = problem.parameters.iter().zip(values);
    Fit {
        estimates: estimates
            .map(|(parameter, (value, certainty))| Estimate {
                name: parameter.name.clone(),
                start: parameter.start,
                value,
                certainty,
            })
            .collect(),
        residuals,
        converged,
    }
}

fn residuals<F: LawFamily>(problem: &Problem<'_, F>) -> [Option<Residuals>; 3] {
    let answers = problem.answers();
    core::array::from_fn(|channel| {
        let pairs = || {
            let targets = problem.targets.iter();
            let own = targets.filter(move |target| target.channel == channel);
            own.map(|target| (answers[target.at][channel], target.value))
        };
        let count = pairs().count() as f64;
        let mean = pairs().map(|(_, measured)| measured).sum::<f64>() / count;
        let squares = pairs().map(|(a, b)| (a - b).powi(2)).sum::<f64>();
        let variation = pairs().map(|(_, b)| (b - mean).powi(2)).sum::<f64>();
        (count > 0.0).then(|| Residuals {
            values: count as usize,
            rms: (squares / count).sqrt(),
            greatest: pairs().map(|(a, b)| (a - b).abs()).fold(0.0, f64::max),
            explained: if variation > 0.0 {
                1.0 - squares / variation
            } else {
                0.0
            },
        })
    })
}

/// Parameter directions that move weighted forces by less than this share of the strongest are not
/// determined.
const WEAK: f64 = 1e-7;
/// Share of such a direction above which a parameter belongs to it.
const PART: f64 = 0.01;

/// Covariance of nonlinear least squares at the minimum, each channel with the variance of its own
/// residuals (the "sandwich": the weights need not be those of the noise).
fn certainties<F: LawFamily>(
    problem: &Problem<'_, F>,
    residuals: &[Option<Residuals>; 3],
) -> Vec<Certainty> {
    let mut slopes = problem.measured_slopes();
    let norms: Vec<f64> = slopes.column_iter().map(|column| column.norm()).collect();
    for (mut column, &norm) in slopes.column_iter_mut().zip(&norms) {
        column.unscale_mut(if norm > 0.0 { norm } else { 1.0 });
    }
    let svd = slopes.svd(true, true);
    let (Some(u), Some(vt)) = (svd.u, svd.v_t) else {
        unreachable!("both were asked for");
    };
    let most = svd.singular_values.max();
    let strong: Vec<bool> = svd
        .singular_values
        .iter()
        .map(|&s| s > WEAK * most)
        .collect();
    let rank = strong.iter().filter(|&&strong| strong).count();
    let count = problem.targets.len();
    let freedom = count.saturating_sub(rank).max(1) as f64;
    let noise = DVector::from_iterator(
        count,
        problem.targets.iter().map(|target| {
            let rms = residuals[target.channel].map_or(0.0, |r| r.rms);
            target.weight * rms * (count as f64 / freedom).sqrt()
        }),
    );
    let mut part = DMatrix::zeros(norms.len(), count);
    for (k, &s) in svd
        .singular_values
        .iter()
        .enumerate()
        .filter(|(k, _)| strong[*k])
    {
        let row = u.column(k).component_mul(&noise) / s;
        part += vt.row(k).transpose() * row.transpose();
    }
    let width = t_quantile(freedom);
    let coordinates = problem.coordinates.iter().zip(problem.coordinates().iter());
    coordinates
        .enumerate()
        .map(|(n, (coordinate, &at))| {
            if norms[n] == 0.0 {
                return Certainty::NoData;
            }
            let weak = (0..strong.len()).filter(|&k| !strong[k]);
            let share: f64 = weak.map(|k| vt[(k, n)].powi(2)).sum();
            if share > PART {
                return Certainty::NotDetermined;
            }
            let error = part.row(n).norm() / norms[n] * coordinate.slope(at).abs();
            Certainty::Within {
                error,
                interval: width * error,
            }
        })
        .collect()
}

/// The 97.5 % quantile of Student's distribution (Cornish and Fisher's series; 1 % off at 3 degrees of
/// freedom, 0.01 % at 10).
fn t_quantile(freedom: f64) -> f64 {
    let z: f64 = 1.959_963_984_540_054;
    let first = (z.powi(3) + z) / 4.0;
    let second = (5.0 * z.powi(5) + 16.0 * z.powi(3) + 3.0 * z) / 96.0;
    let third = (3.0 * z.powi(7) + 19.0 * z.powi(5) + 17.0 * z.powi(3) - 15.0 * z) / 384.0;
    z + first / freedom + second / freedom.powi(2) + third / freedom.powi(3)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Quantiles lie below the exact ones, the closer the more degrees of freedom.
    #[test]
    fn quantiles_are_those_of_the_tables() {
        for (freedom, expected, open) in [
            (3.0, 3.182_446_3, 1e-2),
            (5.0, 2.570_581_8, 2e-3),
            (10.0, 2.228_138_9, 1e-4),
            (20.0, 2.085_963_4, 6e-6),
            (60.0, 2.000_297_8, 1e-6),
        ] {
            let less = 1.0 - t_quantile(freedom) / expected;
            assert!(less > 0.0 && less < open, "{freedom}: {less:e}");
        }
    }
}
