//! Grounds.

use std::sync::Arc;

use glam::DVec3;
use jounce::scene::{Axes, GroundError, HeightField, Triangles};
use numpy::PyUntypedArrayMethods as _;
use proving_ground::ProvingError;
use proving_ground::ground::{GroundSpec, MeshUp, Terrain};
use pyo3::prelude::*;

use crate::arrays::rows;
use crate::errors::{of_argument, of_ground};
use crate::track::Track;

/// The ground of a world: x forward, y left, z up, friction 1. It does not change.
///
/// Examples
/// --------
/// >>> import numpy as np
/// >>> from jounce import Ground
/// >>> Ground.slope(10)
/// <Ground slope of 10°>
/// >>> bumps = 0.05 * np.sin(np.arange(100))[:, None] * np.ones(50)
/// >>> Ground.heights(bumps, cell=0.5, origin=(-10, -12.5))
/// <Ground heights>
#[pyclass(module = "jounce._core", frozen)]
#[derive(Clone, Debug)]
pub(crate) struct Ground(pub(crate) Terrain);

impl Ground {
    fn new(py: Python<'_>, spec: &GroundSpec) -> PyResult<Self> {
        let terrain = Terrain::new(spec, MeshUp::Z);
        terrain.map(Self).map_err(|error| of_ground(py, &error))
    }

    /// A level plain with a track.
    pub(crate) fn with_track(py: Python<'_>, track: &Track) -> PyResult<Self> {
        let name = format!("track {}", track.0.name());
        made(py, Terrain::with_track(name, Arc::clone(&track.0)))
    }
}

#[pymethods]
impl Ground {
    /// Return the level plane z = 0.
    #[staticmethod]
    pub(crate) fn flat(py: Python<'_>) -> PyResult<Self> {
        Self::new(py, &GroundSpec::Flat)
    }

    /// Return a plane that rises toward +x.
    ///
    /// Parameters
    /// ----------
    /// degrees : float
    ///     Inclination [°], −45 … 45.
    #[staticmethod]
    fn slope(py: Python<'_>, degrees: f64) -> PyResult<Self> {
        if !(-45.0..=45.0).contains(&degrees) {
            return Err(of_argument(py, "degrees", "within -45..=45", degrees, "°"));
        }
        Self::new(py, &GroundSpec::Slope(degrees))
    }

    /// Return hills of one square kilometer, up to 14 m high.
    ///
    /// Parameters
    /// ----------
    /// seed : int
    ///     Which hills.
    #[staticmethod]
    #[pyo3(signature = (seed = 1))]
    fn hills(py: Python<'_>, seed: u64) -> PyResult<Self> {
        Self::new(py, &GroundSpec::Hills(seed))
    }

    /// Return a ground of heights on a grid.
    ///
    /// Parameters
    /// ----------
    /// z : array_like of float, shape (I, J)
    ///     Heights [m]: ``z[i, j]`` is at ``x = origin[0] + i * cell``, ``y = origin[1] + j * cell``. At least 2 × 2.
    /// cell : float
    ///     Spacing of the grid [m], > 0.
    /// origin : tuple of float
    ///     Position of ``z[0, 0]`` [m, world].
    ///
    /// Raises
    /// ------
    /// ArgumentError
    ///     If the array has not two axes.
    /// JounceError
    ///     If a number is not finite or the grid is too small.
    #[staticmethod]
    #[pyo3(
        signature = (z, cell, origin = (0.0, 0.0)),
        text_signature = "(z, cell, origin=(0.0, 0.0))"
    )]
    fn heights(z: &Bound<'_, PyAny>, cell: f64, origin: (f64, f64)) -> PyResult<Self> {
        let py = z.py();
        let z = rows::<f32>(z, "z", None)?;
        let (shape, heights) = (z.shape().to_vec(), z.as_slice()?);
        let lines: Vec<_> = heights
            .chunks(shape[1].max(1))
            .map(<[f32]>::to_vec)
            .collect();
        let field = HeightField::new(
            Axes::Z_UP,
            DVec3::new(origin.0, origin.1, 0.0),
            cell,
            &lines,
        );
        let terrain = field.map(|field| Terrain::height_field("heights".to_owned(), field));
        made(py, terrain)
    }

    /// Return a ground of triangles, seen from above.
    ///
    /// Parameters
    /// ----------
    /// vertices : array_like of float, shape (V, 3)
    ///     Corners [m, world].
    /// triangles : array_like of int, shape (T, 3)
    ///     Indices of corners, from 0.
    ///
    /// Raises
    /// ------
    /// ArgumentError
    ///     If an array has another shape.
    /// JounceError
    ///     If a corner is not finite, an index has no corner, or there is no triangle.
    #[staticmethod]
    fn mesh(vertices: &Bound<'_, PyAny>, triangles: &Bound<'_, PyAny>) -> PyResult<Self> {
        let py = vertices.py();
        let vertices = rows::<f64>(vertices, "vertices", Some(3))?;
        let triangles = rows::<u32>(triangles, "triangles", Some(3))?;
        let vertices = vertices.as_slice()?.chunks_exact(3);
        let triangles = triangles.as_slice()?.chunks_exact(3);
        let all = Triangles {
            vertices: vertices.map(DVec3::from_slice).collect(),
            corners: triangles.map(|it| [it[0], it[1], it[2]]).collect(),
        };
        made(py, Terrain::triangles("mesh".to_owned(), all))
    }

    fn __repr__(&self) -> String {
        format!("<Ground {}>", self.0.name)
    }
}

fn made(py: Python<'_>, terrain: Result<Terrain, GroundError>) -> PyResult<Ground> {
    let terrain = terrain.map_err(|error| of_ground(py, &ProvingError::from(error)));
    terrain.map(Ground)
}
