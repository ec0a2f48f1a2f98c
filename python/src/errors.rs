//! Errors of Rust as those of the module `jounce._errors`.

use jounce::core::Fault;
use jounce::core::checked::InvalidParams;
use jounce::file::{FileError, FileFault};
use jounce_batch::{ArgumentFault, BatchError};
use proving_ground::ProvingError;
use pyo3::call::PyCallArgs;
use pyo3::exceptions::{PyFileNotFoundError, PyRuntimeError};
use pyo3::prelude::*;

/// An error of a class of `jounce._errors`.
fn made<'py>(py: Python<'py>, class: &str, args: impl PyCallArgs<'py>) -> PyErr {
    let made = || -> PyResult<PyErr> {
        let class = py.import("jounce._errors")?.getattr(class)?;
        Ok(PyErr::from_value(class.call1(args)?))
    };
    made().unwrap_or_else(|error| error)
}

/// A vehicle file that cannot be read, or has faults.
pub(crate) fn of_file(py: Python<'_>, error: &FileError) -> PyErr {
    let message = error.to_string();
    let faults = |faults: &[FileFault]| -> Vec<_> {
        let parts = |FileFault { line, fault }: &FileFault| {
            let (path, value, rule) = (&fault.path, &fault.value, &fault.rule);
            (path.clone(), value.clone(), rule.to_string(), *line)
        };
        faults.iter().map(parts).collect()
    };
    match error {
        FileError::Unreadable { .. } | FileError::Unknown { .. } => {
            PyFileNotFoundError::new_err(message)
        }
        FileError::Syntax { file, .. } => {
            made(py, "VehicleFileError", (message, file, faults(&[])))
        }
        FileError::Invalid { file, faults: all } => {
            made(py, "VehicleFileError", (message, file, faults(all)))
        }
        _ => PyRuntimeError::new_err(message),
    }
}

/// A ground that cannot be made.
pub(crate) fn of_ground(py: Python<'_>, error: &ProvingError) -> PyErr {
    match error {
        ProvingError::Vehicle(error) => of_file(py, error),
        other => made(py, "JounceError", (other.to_string(),)),
    }
}

/// A track with faults: the first one names the argument.
pub(crate) fn of_points(py: Python<'_>, error: &InvalidParams) -> PyErr {
    let message = error.to_string();
    match &error.0[..] {
        [
            Fault {
                path, value, rule, ..
            },
            ..,
        ] => {
            let args = (message, path.clone(), rule.to_string(), value.clone(), "");
            made(py, "ArgumentError", args)
        }
        [] => PyRuntimeError::new_err(message),
    }
}

/// An argument that is not as expected.
pub(crate) fn of_argument(
    py: Python<'_>,
    argument: &str,
    expected: &str,
    found: impl ToString,
    unit: &'static str,
) -> PyErr {
    of_batch(
        py,
        &BatchError::argument(argument, expected, found.to_string(), unit),
    )
}

/// A refused call of a batch.
pub(crate) fn of_batch(py: Python<'_>, error: &BatchError) -> PyErr {
    let message = error.to_string();
    match error {
        BatchError::Argument(ArgumentFault {
            argument,
            expected,
            found,
            unit,
        }) => made(
            py,
            "ArgumentError",
            (message, argument, expected, found, *unit),
        ),
        BatchError::UnknownName {
            argument,
            name,
            nearest,
        } => made(
            py,
            "UnknownName",
            (message, *argument, name, nearest.clone()),
        ),
        BatchError::Ground(error) => of_ground(py, error),
        _ => PyRuntimeError::new_err(message),
    }
}
