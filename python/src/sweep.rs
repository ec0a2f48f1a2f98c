//! Sweeps.

use std::collections::BTreeMap;

use jounce_batch::Uniform;
use jounce_batch::sweep::{Distribution, Sweep, SweepColumn, SweepRequest, SweepValues};
use numpy::PyArray1;
use pyo3::IntoPyObjectExt as _;
use pyo3::prelude::*;

use crate::car::{Car, KeyValue};
use crate::errors::{of_argument, of_batch};

/// A distribution, as Python has it.
#[derive(FromPyObject)]
enum Space {
    Fixed(f64),
    Text(String),
    Between((f64, f64)),
    Normal { mean: f64, deviation: f64 },
    LogUniform { low: f64, high: f64 },
    OneOf(Vec<KeyValue>),
}

impl From<Space> for Distribution {
    fn from(space: Space) -> Self {
        match space {
            Space::Fixed(value) => Self::Uniform(Uniform::fixed(value)),
            Space::Text(text) => Self::OneOf(vec![text.into()]),
            Space::Between((low, high)) => Self::Uniform(Uniform { low, high }),
            Space::Normal { mean, deviation } => Self::Normal { mean, deviation },
            Space::LogUniform { low, high } => Self::LogUniform(Uniform { low, high }),
            Space::OneOf(values) => Self::OneOf(values.into_iter().map(Into::into).collect()),
        }
    }
}

/// What a sweep is: all that its results depend on, as a text, and its chunks.
#[pyclass(module = "jounce._core", frozen)]
#[derive(Debug)]
pub(crate) struct SweepPlan(Sweep);

#[pymethods]
impl SweepPlan {
    #[new]
    #[pyo3(signature = (car, space, maneuver, n, *, seed = 0, chunk = None, ground = None, dt = 1.0 / 60.0))]
    #[expect(clippy::too_many_arguments, reason = "keywords of Python")]
    fn new(
        py: Python<'_>,
        car: &Car,
        space: BTreeMap<String, Space>,
        maneuver: String,
        n: u64,
        seed: u64,
        chunk: Option<u64>,
        ground: Option<String>,
        dt: f32,
    ) -> PyResult<Self> {
        let named = |name: String| {
            let refused = |expected: String| of_argument(py, "ground", &expected, &name, "");
            name.parse().map_err(refused)
        };
        let request = SweepRequest {
            car: car.0.clone(),
            maneuver,
            space: space
                .into_iter()
                .map(|(name, it)| (name, it.into()))
                .collect(),
            samples: n,
            seed,
            chunk,
            ground: ground.map(named).transpose()?,
            dt,
        };
        let sweep = Sweep::new(&request);
        sweep.map(Self).map_err(|error| of_batch(py, &error))
    }

    /// Read the text of a plan.
    ///
    /// Parameters
    /// ----------
    /// text : str
    ///     Of a plan of this version of Jounce.
    #[staticmethod]
    fn parse(py: Python<'_>, text: &str) -> PyResult<Self> {
        let sweep = Sweep::parse(text);
        sweep.map(Self).map_err(|error| of_batch(py, &error))
    }

    /// The text, which :meth:`parse` reads: TOML.
    #[getter]
    fn text(&self) -> String {
        self.0.text()
    }

    /// Number of chunks.
    #[getter]
    fn chunks(&self) -> u64 {
        self.0.chunks()
    }

    /// Run a chunk, on this thread, without Python's lock.
    ///
    /// Parameters
    /// ----------
    /// chunk : int
    ///     Its number.
    ///
    /// Returns
    /// -------
    /// list of tuple of (str, str, ndarray or list of str)
    ///     Columns: name, unit, and a value for each sample.
    fn run<'py>(
        &self,
        py: Python<'py>,
        chunk: u64,
    ) -> PyResult<Vec<(String, &'static str, Bound<'py, PyAny>)>> {
        let columns = py.detach(|| self.0.run(chunk));
        let columns = columns.map_err(|error| of_batch(py, &error))?;
        let column = |column: SweepColumn| {
            let values = match column.values {
                SweepValues::Whole(values) => PyArray1::from_vec(py, values).into_any(),
                SweepValues::Numbers(values) => PyArray1::from_vec(py, values).into_any(),
                SweepValues::Texts(values) => values.into_bound_py_any(py)?,
            };
            Ok((column.name, column.unit, values))
        };
        columns.into_iter().map(column).collect()
    }
}
