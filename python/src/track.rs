//! Tracks.

use std::path::PathBuf;
use std::sync::Arc;

use glam::DVec2;
use numpy::ndarray::Array3;
use numpy::{PyArray1, PyArray2, PyArray3, PyArrayMethods as _, PyReadonlyArray1};
use numpy::{PyReadonlyArray2, PyUntypedArrayMethods as _};
use proving_ground::track::{self, TrackPoint};
use pyo3::prelude::*;

use crate::arrays::{numbers, rows};
use crate::errors::{of_ground, of_points};

/// A track on a level plain: a center line with the distances to both edges. It does not change.
///
/// Parameters
/// ----------
/// center : array_like of float, shape (P, 2)
///     Points of the center line in order [m, world]; a closed track does not repeat the first.
/// right, left : array_like of float, shape (P,)
///     Distances to the edges [m], > 0.
/// closed : bool
///     Whether the last point leads to the first.
/// name : str
///     What errors call it.
///
/// Attributes
/// ----------
/// name : str
///     Name of the track.
/// length : float
///     Length of the center line [m].
/// closed : bool
///     Whether it ends where it begins.
/// points : ndarray of float64, shape (M, 2)
///     Points of the center line [m, world], about 1 m apart.
/// edges : ndarray of float64, shape (M, 2, 2)
///     The right and the left edge beside each of these points [m, world].
///
/// Raises
/// ------
/// ArgumentError
///     If an array has another shape, a number is not finite or a width not > 0, a point comes twice in a row, or an edge folds.
///
/// Examples
/// --------
/// >>> import numpy as np
/// >>> from jounce import Batch, Car, Track
/// >>> angle = np.linspace(0, 2 * np.pi, 60, endpoint=False)
/// >>> ring = Track(30 * np.stack([np.cos(angle), np.sin(angle)], axis=1), np.full(60, 4), np.full(60, 4))
/// >>> round(ring.length), ring.closed
/// (188, True)
/// >>> batch = Batch(Car.load("sedan"), 10, ground=ring, observe=["track.offset"], rewards={"progress": 1.0})
/// >>> bool((batch.reset() < 0.1).all())
/// True
#[pyclass(module = "jounce._core", frozen)]
#[derive(Clone, Debug)]
pub(crate) struct Track(pub(crate) Arc<track::Track>);

#[pymethods]
impl Track {
    #[new]
    #[pyo3(signature = (center, right, left, *, closed = true, name = "track"))]
    fn new(
        center: &Bound<'_, PyAny>,
        right: &Bound<'_, PyAny>,
        left: &Bound<'_, PyAny>,
        closed: bool,
        name: &str,
    ) -> PyResult<Self> {
        let py = center.py();
        let center = rows::<f64>(center, "center", Some(2))?;
        let count = center.shape()[0];
        let right: PyReadonlyArray1<'_, f64> = numbers(right, "right", &[count])?;
        let left: PyReadonlyArray1<'_, f64> = numbers(left, "left", &[count])?;
        let positions = center.as_slice()?.chunks_exact(2).map(DVec2::from_slice);
        let widths = right.as_slice()?.iter().zip(left.as_slice()?);
        let point = |(position, (right, left)): (DVec2, (&f64, &f64))| TrackPoint {
            position,
            right: *right,
            left: *left,
        };
        let points: Vec<_> = positions.zip(widths).map(point).collect();
        let track = track::Track::new(name, &points, closed);
        let track = track.map_err(|error| of_points(py, &error))?;
        Ok(Self(Arc::new(track)))
    }

    /// Load a built-in track by its name, or a file by its path.
    ///
    /// Parameters
    /// ----------
    /// name_or_path : str or os.PathLike
    ///     ``"oval"``, ``"road-course"``, ``"kart"``, or a CSV file in the format of TUM's racetrack database: ``x_m, y_m,
    ///     w_tr_right_m, w_tr_left_m``; a comment ``# open`` makes an open track.
    ///
    /// Raises
    /// ------
    /// FileNotFoundError
    ///     If there is neither.
    /// JounceError
    ///     If the file has faults: all of them are listed with their lines.
    ///
    /// Examples
    /// --------
    /// >>> from jounce import Track
    /// >>> Track.load("oval")
    /// <Track oval, 549 m, closed>
    #[staticmethod]
    fn load(py: Python<'_>, name_or_path: PathBuf) -> PyResult<Self> {
        let track = track::Track::load(&name_or_path.to_string_lossy());
        let track = track.map_err(|error| of_ground(py, &error))?;
        Ok(Self(Arc::new(track)))
    }

    #[getter]
    fn name(&self) -> &str {
        self.0.name()
    }

    #[getter]
    fn length(&self) -> f64 {
        self.0.length()
    }

    #[getter]
    fn closed(&self) -> bool {
        self.0.is_closed()
    }

    #[getter]
    fn points<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let points = self.0.center().points();
        let numbers = points.iter().flat_map(|point| point.to_array()).collect();
        PyArray1::from_vec(py, numbers).reshape([points.len(), 2])
    }

    #[getter]
    fn edges<'py>(&self, py: Python<'py>) -> Bound<'py, PyArray3<f64>> {
        let edges = self.0.edges();
        let at = |(n, side, axis): (usize, usize, usize)| edges[n][side][axis];
        PyArray3::from_owned_array(py, Array3::from_shape_fn((edges.len(), 2, 2), at))
    }

    /// Find places along the track.
    ///
    /// Parameters
    /// ----------
    /// positions : array_like of float, shape (n, 2)
    ///     Positions [m, world].
    ///
    /// Returns
    /// -------
    /// ndarray of float64, shape (n, 4)
    ///     Distance along the center line, distance to the left of it, distances to the right and the left edge [m], negative beyond
    ///     an edge.
    ///
    /// Examples
    /// --------
    /// >>> from jounce import Track
    /// >>> Track.load("oval").place([[30.0, 1.5]]).round(2)
    /// array([[30. ,  1.5,  7.5,  4.5]])
    fn place<'py>(&self, positions: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyArray2<f64>>> {
        let py = positions.py();
        let positions: PyReadonlyArray2<'_, f64> = rows(positions, "positions", Some(2))?;
        let points = positions.as_slice()?.chunks_exact(2).map(DVec2::from_slice);
        let place = |point| {
            let place = self.0.place(point, 0.0);
            [place.s, place.offset, place.right, place.left]
        };
        let places: Vec<f64> = points.flat_map(place).collect();
        let count = places.len() / 4;
        PyArray1::from_vec(py, places).reshape([count, 4])
    }

    fn __repr__(&self) -> String {
        let kind = if self.closed() { "closed" } else { "open" };
        format!("<Track {}, {:.0} m, {kind}>", self.name(), self.length())
    }
}
