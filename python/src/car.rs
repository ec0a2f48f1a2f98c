//! Cars.

use std::collections::BTreeMap;
use std::path::PathBuf;

use jounce::core::profile::Solver;
use jounce::{file, presets};
use jounce_batch::observe::wheel_names;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::errors::of_file;

/// A car: parameters from a vehicle file. It does not change.
///
/// Attributes
/// ----------
/// name : str
///     Name of the vehicle.
/// mass : float
///     Mass of the body [kg].
/// wheels : tuple of str
///     Names of the wheels, in their order, as paths of observations have them.
/// solver : str
///     ``"rows"`` or ``"explicit"``.
/// outline : tuple of float
///     Ends of the body ahead of and behind the center of mass, and half of its width [m].
///
/// Examples
/// --------
/// >>> from jounce import Car
/// >>> car = Car.load("sedan")
/// >>> car.name, car.wheels[0]
/// ('sedan', 'front_left')
/// >>> stiff = car.with_({"axles.0.suspension.stiffness": 40000.0})
#[pyclass(module = "jounce._core", frozen)]
#[derive(Clone, Debug)]
pub(crate) struct Car(pub(crate) file::Car);

/// A value of a vehicle file.
#[derive(Clone, FromPyObject)]
pub(crate) enum KeyValue {
    Flag(bool),
    Whole(i64),
    Number(f64),
    Text(String),
}

impl From<KeyValue> for toml::Value {
    fn from(value: KeyValue) -> Self {
        match value {
            KeyValue::Flag(flag) => flag.into(),
            KeyValue::Whole(number) => number.into(),
            KeyValue::Number(number) => number.into(),
            KeyValue::Text(text) => text.into(),
        }
    }
}

#[pymethods]
impl Car {
    /// Load a preset by its name, or a vehicle file by its path.
    ///
    /// Parameters
    /// ----------
    /// name_or_path : str or os.PathLike
    ///     Name of a preset (:func:`presets` lists them) or path of a TOML file.
    ///
    /// Raises
    /// ------
    /// FileNotFoundError
    ///     If there is neither.
    /// VehicleFileError
    ///     If the file has faults: all of them are listed.
    ///
    /// Examples
    /// --------
    /// >>> from jounce import Car
    /// >>> round(Car.load("sports-car").mass)
    /// 1450
    #[staticmethod]
    fn load(py: Python<'_>, name_or_path: PathBuf) -> PyResult<Self> {
        let car = match name_or_path.to_str() {
            Some(name) => presets::load(name),
            None => file::Car::load(&name_or_path),
        };
        car.map(Self).map_err(|error| of_file(py, &error))
    }

    /// Read the text of a vehicle file.
    ///
    /// Parameters
    /// ----------
    /// text : str
    ///     TOML.
    /// name : str
    ///     What errors call it.
    ///
    /// Raises
    /// ------
    /// VehicleFileError
    ///     If the text has faults.
    #[staticmethod]
    #[pyo3(signature = (text, name = "<text>"))]
    fn parse(py: Python<'_>, text: &str, name: &str) -> PyResult<Self> {
        let car = file::Car::parse(text, name);
        car.map(Self).map_err(|error| of_file(py, &error))
    }

    /// Return this car with other values in its file.
    ///
    /// Parameters
    /// ----------
    /// changes : mapping of str to float, int, bool or str
    ///     Values by path, in the units of the file: ``{"axles.0.suspension.stiffness": 3e4}``. Without an index, a list stands for
    ///     each of its elements: ``"axles.radius"``.
    ///
    /// Raises
    /// ------
    /// VehicleFileError
    ///     With the faults of all changes.
    ///
    /// Examples
    /// --------
    /// >>> from jounce import Car, VehicleFileError
    /// >>> try:
    /// ...     Car.load("sedan").with_({"chassis.mass": -3.0})
    /// ... except VehicleFileError as error:
    /// ...     print(error.faults[0].path, error.faults[0].value)
    /// chassis.mass -3 kg
    fn with_(&self, py: Python<'_>, changes: BTreeMap<String, KeyValue>) -> PyResult<Self> {
        let values = changes
            .iter()
            .map(|(path, value)| (path.as_str(), value.clone().into()));
        let car = self.0.with_all(values);
        car.map(Self).map_err(|error| of_file(py, &error))
    }

    #[getter]
    fn name(&self) -> &str {
        &self.0.name
    }

    #[getter]
    fn mass(&self) -> f32 {
        self.0.mass()
    }

    #[getter]
    fn wheels(&self, py: Python<'_>) -> PyResult<Py<PyTuple>> {
        let names = wheel_names(&self.0.model());
        Ok(PyTuple::new(py, names)?.unbind())
    }

    #[getter]
    fn outline(&self) -> (f32, f32, f32) {
        let (hull, center) = (&self.0.hull, self.0.center_of_mass());
        let (middle, half) = (hull.center.x - center.x, 0.5 * hull.size.x);
        (middle + half, half - middle, 0.5 * hull.size.y)
    }

    #[getter]
    fn solver(&self) -> &'static str {
        match self.0.model().params().profile.solver {
            Solver::Rows(_) => "rows",
            Solver::Explicit(_) => "explicit",
        }
    }

    fn __repr__(&self) -> String {
        format!("<Car {}>", self.0.name)
    }
}

/// Return the names of the cars that come with Jounce.
///
/// Examples
/// --------
/// >>> from jounce import presets
/// >>> "sedan" in presets()
/// True
#[pyfunction]
#[pyo3(name = "presets")]
pub(crate) fn preset_names() -> Vec<&'static str> {
    presets::FILES.map(|(name, _)| name).to_vec()
}
