//! What batches give back.

use jounce_batch::{self as jb, Action, Rows};
use numpy::{PyArray1, PyArray2};
use pyo3::prelude::*;

use crate::arrays::writable;

/// One number of a row.
///
/// Attributes
/// ----------
/// name : str
///     Path of an observation, or name of an action.
/// unit : str
///     SI unit; empty if it has none.
/// low, high : float
///     Usual range of an observation, which is no bound; range of an action, to which it is clamped.
#[pyclass(module = "jounce._core", frozen, eq, get_all)]
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Column {
    name: String,
    unit: &'static str,
    low: f32,
    high: f32,
}

impl Column {
    pub(super) fn of(column: &jb::Column) -> Self {
        Self {
            name: column.name.clone(),
            unit: column.unit,
            low: column.low,
            high: column.high,
        }
    }

    pub(super) fn of_action(action: &Action) -> Self {
        let [low, high] = action.range();
        Self {
            name: action.name().to_owned(),
            unit: "",
            low,
            high,
        }
    }
}

#[pymethods]
impl Column {
    fn __repr__(&self) -> String {
        let Self {
            name,
            unit,
            low,
            high,
        } = self;
        format!("<Column {name} [{unit}] {low} … {high}>")
    }
}

/// Results of a step of N cars.
///
/// Attributes
/// ----------
/// observations : ndarray of float32, shape (N, m)
///     Columns as :attr:`Batch.columns`.
/// rewards : ndarray of float32, shape (N,)
///     Sums of the terms.
/// terms : ndarray of float32, shape (N, r)
///     Weighted terms of the reward, as :attr:`Batch.terms`.
/// ended : ndarray of bool, shape (N,)
///     Whether the goal was reached or a limit passed: gymnasium's ``terminated``.
/// cut : ndarray of bool, shape (N,)
///     Whether the time is over, or the car was refused: gymnasium's ``truncated``.
/// refused : ndarray of bool, shape (N,)
///     Whether a step of the car was refused, for a reason in :meth:`Batch.refusals`.
#[pyclass(module = "jounce._core", frozen, get_all)]
#[derive(Debug)]
pub(crate) struct Steps {
    observations: Py<PyArray2<f32>>,
    rewards: Py<PyArray1<f32>>,
    terms: Py<PyArray2<f32>>,
    ended: Py<PyArray1<bool>>,
    cut: Py<PyArray1<bool>>,
    refused: Py<PyArray1<bool>>,
}

impl Steps {
    pub(super) fn new(py: Python<'_>, count: usize, columns: usize, terms: usize) -> Self {
        let flags = || PyArray1::zeros(py, count, false).unbind();
        Self {
            observations: PyArray2::zeros(py, [count, columns], false).unbind(),
            rewards: PyArray1::zeros(py, count, false).unbind(),
            terms: PyArray2::zeros(py, [count, terms], false).unbind(),
            ended: flags(),
            cut: flags(),
            refused: flags(),
        }
    }

    /// Lets `work` write these arrays, if they are those of `count` cars, `columns` and `terms`.
    pub(super) fn write(
        &self,
        py: Python<'_>,
        [count, columns, terms]: [usize; 3],
        work: impl FnOnce(Rows<'_>) -> PyResult<()>,
    ) -> PyResult<()> {
        let flags = |array: &Py<PyArray1<bool>>, name| writable(array.bind(py), name, &[count]);
        let mut observations = writable(
            self.observations.bind(py),
            "out.observations",
            &[count, columns],
        )?;
        let mut rewards = writable(self.rewards.bind(py), "out.rewards", &[count])?;
        let mut terms = writable(self.terms.bind(py), "out.terms", &[count, terms])?;
        let mut ended = flags(&self.ended, "out.ended")?;
        let mut cut = flags(&self.cut, "out.cut")?;
        let mut refused = flags(&self.refused, "out.refused")?;
        work(Rows {
            observations: observations.as_slice_mut()?,
            rewards: rewards.as_slice_mut()?,
            terms: terms.as_slice_mut()?,
            ended: ended.as_slice_mut()?,
            cut: cut.as_slice_mut()?,
            refused: refused.as_slice_mut()?,
        })
    }
}
