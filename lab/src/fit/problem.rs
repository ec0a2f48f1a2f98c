//! Residuals and their derivatives, by parameters in unbounded coordinates.

use jounce::tires::real::{Dual, Real};
use levenberg_marquardt::LeastSquaresProblem;
use nalgebra::{DMatrix, DVector, Dyn, Owned};

use super::FitError;
use super::data::Measurement;
use super::family::{LawFamily, Parameter, Range};

/// Number of parameters differentiated at once.
const CHUNK: usize = 8;

/// A parameter as a function of an unbounded coordinate u, 0 at the start.
pub(super) struct Coordinate {
    start: f64,
    range: Range,
}

impl Coordinate {
    fn new(parameter: &Parameter) -> Self {
        let Parameter { start, range, .. } = *parameter;
        let range = match range {
            Range::SameSign if start == 0.0 => Range::Free,
            // A bound that the start violates is ignored.
            Range::Within(low, high) if !(low < start && start < high) => Range::Free,
            range => range,
        };
        Self { start, range }
    }

    /// The parameter.
    fn value<T: Real>(&self, u: T) -> T {
        let start = T::of(self.start);
        match self.range {
            Range::Free => start + T::of(self.start.abs().max(0.1)) * u,
            Range::SameSign => start * u.clamp(T::of(-30.0), T::of(30.0)).exp(),
            Range::Within(low, high) => {
                // Odds, times eᵘ.
                let odds = (self.start - low) / (high - self.start);
                let odds = T::of(odds) * u.clamp(T::of(-30.0), T::of(30.0)).exp();
                T::of(low) + T::of(high - low) * odds / (T::one() + odds)
            }
        }
    }

    /// Derivative of the parameter by u.
    pub(super) fn slope(&self, u: f64) -> f64 {
        self.value(Dual::<f64, 1>::variable(u, 0)).derivatives[0]
    }
}

/// A measured value.
pub(super) struct Target {
    /// Index of its measurement.
    pub at: usize,
    /// Index among Fx, Fy, Mz.
    pub channel: usize,
    /// The measured value.
    pub value: f64,
    /// Weight of its residual.
    pub weight: f64,
}

/// Stiffness of rules, over the weight of all measurements.
const FIRMNESS: f64 = 100.0;
/// Distance from a rule's bound at which it starts to act.
const MARGIN: f64 = 0.01;
/// Residual of an invalid law.
const REFUSED: f64 = 1e6;

/// A fit in progress.
pub(super) struct Problem<'a, F> {
    pub family: &'a F,
    pub data: &'a [Measurement],
    pub parameters: Vec<Parameter>,
    pub coordinates: Vec<Coordinate>,
    pub targets: Vec<Target>,
    /// Rules kept by the start.
    rules: Vec<usize>,
    /// Strength of the pull toward the start, over the weight of all measurements.
    pub pull: f64,
    u: DVector<f64>,
}

impl<'a, F: LawFamily> Problem<'a, F> {
    pub(super) fn new(
        family: &'a F,
        data: &'a [Measurement],
        weights: [f64; 3],
    ) -> Result<Self, FitError> {
        let parameters = family.parameters();
        let start: Vec<f64> = parameters.iter().map(|p| p.start).collect();
        family.check(&start).map_err(FitError::Start)?;
        let excesses = family.excesses(&start).into_iter().enumerate();
        let rules = excesses
            .filter(|(_, excess)| *excess <= 0.0)
            .map(|(n, _)| n)
            .collect();
        let problem = Self {
            family,
            data,
            coordinates: parameters.iter().map(Coordinate::new).collect(),
            u: DVector::zeros(parameters.len()),
            targets: targets(data, weights),
            parameters,
            rules,
            pull: 0.0,
        };
        let slopes = problem.slopes();
        let values = problem.targets.len();
        let told = slopes
            .column_iter()
            .filter(|column| column.norm() > 0.0)
            .count();
        if values < told.max(1) {
            return Err(FitError::TooFew {
                values,
                parameters: told.max(1),
            });
        }
        Ok(problem)
    }

    /// The current parameters.
    pub(super) fn values(&self) -> Vec<f64> {
        let pairs = self.coordinates.iter().zip(self.u.iter());
        pairs.map(|(coordinate, &u)| coordinate.value(u)).collect()
    }

    /// The current coordinates.
    pub(super) fn coordinates(&self) -> &DVector<f64> {
        &self.u
    }

    /// The law's output for every measurement.
    pub(super) fn answers(&self) -> Vec<[f64; 3]> {
        let law = self.family.law(&self.values());
        self.data.iter().map(|at| F::answer(&law, at)).collect()
    }

    /// Parameters with derivatives with respect to those of a chunk.
    fn variables(&self, first: usize) -> Vec<Dual<f64, CHUNK>> {
        let pairs = self.coordinates.iter().zip(self.u.iter()).enumerate();
        pairs
            .map(|(n, (coordinate, &u))| {
                let variable = (first..first + CHUNK).contains(&n);
                coordinate.value(if variable {
                    Dual::variable(u, n - first)
                } else {
                    Dual::constant(u)
                })
            })
            .collect()
    }

    /// Number of weighted residuals, then rule penalties, then pulls toward the start.
    fn rows(&self) -> usize {
        self.targets.len() + self.rules.len() + self.parameters.len()
    }

    /// Factor on a coordinate that pulls it back.
    fn spring(&self) -> f64 {
        self.pull * (self.targets.len() as f64).sqrt()
    }

    /// Derivatives of all rows with respect to the coordinates.
    fn slopes(&self) -> DMatrix<f64> {
        let (rows, count) = (self.rows(), self.parameters.len());
        let mut slopes = DMatrix::zeros(rows, count);
        slopes
            .rows_mut(rows - count, count)
            .fill_diagonal(self.spring());
        for first in (0..self.parameters.len()).step_by(CHUNK) {
            let values = self.variables(first);
            let law = self.family.law(&values);
            let answers: Vec<_> = self.data.iter().map(|at| F::answer(&law, at)).collect();
            let pushes = self.pushes(self.family.excesses(&values));
            let weighted = self.targets.iter().map(|target| {
                let answer = answers[target.at][target.channel];
                answer.derivatives.map(|slope| target.weight * slope)
            });
            let all = weighted.chain(pushes.into_iter().map(|push| push.derivatives));
            let width = CHUNK.min(self.parameters.len() - first);
            for (row, derivatives) in all.enumerate() {
                for (n, slope) in derivatives.into_iter().take(width).enumerate() {
                    slopes[(row, first + n)] = slope;
                }
            }
        }
        slopes
    }

    /// Derivatives of only the weighted residuals.
    pub(super) fn measured_slopes(&self) -> DMatrix<f64> {
        self.slopes().rows(0, self.targets.len()).into_owned()
    }

    /// Rule penalties.
    fn pushes<T: Real>(&self, excesses: Vec<T>) -> Vec<T> {
        let firmness = T::of(FIRMNESS * (self.targets.len() as f64).sqrt());
        let rules = self.rules.iter();
        rules
            .map(|&rule| firmness * (excesses[rule] + T::of(MARGIN)).max(T::zero()))
            .collect()
    }
}

/// Measured values with a weight; each channel is normalized by its root mean square.
fn targets(data: &[Measurement], weights: [f64; 3]) -> Vec<Target> {
    let mut targets = Vec::new();
    for (channel, weight) in weights.into_iter().enumerate() {
        let measured = || data.iter().filter_map(|at| at.forces[channel]);
        let mean = measured().map(|x| x * x).sum::<f64>() / (measured().count().max(1) as f64);
        let weight = weight / mean.sqrt().max(1e-9);
        if weight > 0.0 {
            targets.extend(data.iter().enumerate().filter_map(|(at, measurement)| {
                let value = measurement.forces[channel]?;
                Some(Target {
                    at,
                    channel,
                    value,
                    weight,
                })
            }));
        }
    }
    targets
}

impl<F: LawFamily> LeastSquaresProblem<f64, Dyn, Dyn> for Problem<'_, F> {
    type ResidualStorage = Owned<f64, Dyn>;
    type JacobianStorage = Owned<f64, Dyn, Dyn>;
    type ParameterStorage = Owned<f64, Dyn>;

    fn set_params(&mut self, u: &DVector<f64>) {
        self.u.copy_from(u);
    }

    fn params(&self) -> DVector<f64> {
        self.u.clone()
    }

    fn residuals(&self) -> Option<DVector<f64>> {
        let values = self.values();
        let rows = self.rows();
        // A step to an invalid law is undone and shortened.
        let refused = || Some(DVector::from_element(rows, REFUSED));
        if self.family.check(&values).is_err() {
            return refused();
        }
        let answers = self.answers();
        let differences = self
            .targets
            .iter()
            .map(|target| target.weight * (answers[target.at][target.channel] - target.value));
        let pushes = self.pushes(self.family.excesses(&values));
        let pulls = self.u.iter().map(|u| self.spring() * u);
        let residuals = DVector::from_iterator(rows, differences.chain(pushes).chain(pulls));
        if residuals.iter().all(|r| r.is_finite()) {
            Some(residuals)
        } else {
            refused()
        }
    }

    fn jacobian(&self) -> Option<DMatrix<f64>> {
        Some(self.slopes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rstest::rstest;

    fn coordinate(start: f64, range: Range) -> Coordinate {
        let name = String::new();
        Coordinate::new(&Parameter { name, start, range })
    }

    /// Coordinates move in steps of the start value, by powers of e, or with odds by powers of e.
    #[rstest]
    #[case::free(-3.0, Range::Free, |u: f64| -3.0 + 3.0 * u)]
    #[case::small(0.01, Range::Free, |u: f64| 0.01 + 0.1 * u)]
    #[case::one_sign(-3.0, Range::SameSign, |u: f64| -3.0 * u.exp())]
    #[case::no_sign(0.0, Range::SameSign, |u: f64| 0.1 * u)]
    #[case::within(0.5, Range::Within(-1.0, 3.0), |u: f64| {
        // 1.5 above the lower end, 2.5 below the upper one.
        let odds = 0.6 * u.exp();
        -1.0 + 4.0 * odds / (1.0 + odds)
    })]
    #[case::outside(5.0, Range::Within(-1.0, 3.0), |u: f64| 5.0 + 5.0 * u)]
    fn a_coordinate_may_have_any_value(
        #[case] start: f64,
        #[case] range: Range,
        #[case] expected: fn(f64) -> f64,
    ) {
        let coordinate = coordinate(start, range);
        assert!((coordinate.value(0.0) - start).abs() < 1e-12);
        for u in [-4.0, -0.3, 0.2, 5.0] {
            let (value, expected_here): (f64, f64) = (coordinate.value(u), expected(u));
            assert!((value / expected_here - 1.0).abs() < 1e-12, "{u}: {value}");
            let slope = (expected(u + 1e-5) - expected(u - 1e-5)) / 2e-5;
            assert!((coordinate.slope(u) / slope - 1.0).abs() < 1e-6, "{u}");
        }
    }

    /// The mean square of a channel's targets is the square of its weight, whatever their size and
    /// number.
    #[test]
    fn channels_are_normalized_to_their_weights() {
        let at = |fx: f64, fy: Option<f64>| Measurement {
            forces: [Some(fx), fy, None],
            ..Measurement::new(4000.0)
        };
        let data = [
            at(3000.0, Some(-20.0)),
            at(-1000.0, None),
            at(500.0, Some(70.0)),
        ];
        let targets = targets(&data, [1.0, 3.0, 5.0]);
        for (channel, count, weight) in [(0, 3, 1.0), (1, 2, 3.0), (2, 0, 5.0)] {
            let own = targets.iter().filter(|target| target.channel == channel);
            let squares: Vec<f64> = own.map(|own| (own.value * own.weight).powi(2)).collect();
            assert_eq!(squares.len(), count);
            let mean = squares.iter().sum::<f64>() / count.max(1) as f64;
            let expected = if count > 0 { weight * weight } else { 0.0 };
            assert!((mean - expected).abs() < 1e-12, "{channel}: {mean}");
        }
    }
}
