//! Arrays of callers as slices of Rust: what does not lose its meaning is converted by one copy, anything else is refused.

use numpy::ndarray::Dimension;
use numpy::{Element, PyArray, PyArrayDescrMethods as _, PyArrayMethods as _, PyReadonlyArray};
use numpy::{PyReadonlyArray2, PyReadwriteArray, PyUntypedArray, PyUntypedArrayMethods as _};
use pyo3::prelude::*;

use crate::errors::of_argument;

/// An array of `shape` in C order, of numbers that fit `T`.
pub(crate) fn numbers<'py, T: Element, D: Dimension>(
    value: &Bound<'py, PyAny>,
    argument: &str,
    shape: &[usize],
) -> PyResult<PyReadonlyArray<'py, T, D>> {
    let py = value.py();
    // A Fortran array's slice is in another order.
    if let Ok(array) = value.cast::<PyArray<T, D>>()
        && array.is_c_contiguous()
        && array.shape() == shape
    {
        return Ok(array.try_readonly()?);
    }
    let numpy = py.import("numpy")?;
    let array = numpy.call_method1("asarray", (value,))?;
    let untyped = array.cast::<PyUntypedArray>()?;
    let found = || format!("{} of shape {:?}", untyped.dtype(), untyped.shape());
    let expected = format!("numbers of shape {shape:?}");
    let is_real = [b'b', b'i', b'u', b'f'].contains(&untyped.dtype().kind());
    if !is_real || untyped.shape() != shape {
        return Err(of_argument(py, argument, &expected, found(), ""));
    }
    let array = numpy.call_method1("ascontiguousarray", (array, T::get_dtype(py)))?;
    Ok(array.cast::<PyArray<T, D>>()?.try_readonly()?)
}

/// An array of two axes, the second of `width`, if given.
pub(crate) fn rows<'py, T: Element>(
    value: &Bound<'py, PyAny>,
    argument: &str,
    width: Option<usize>,
) -> PyResult<PyReadonlyArray2<'py, T>> {
    let array = value
        .py()
        .import("numpy")?
        .call_method1("asarray", (value,))?;
    let shape: Vec<usize> = array.getattr("shape")?.extract()?;
    let fits = shape.len() == 2 && width.is_none_or(|width| shape[1] == width);
    if !fits {
        let width = width.map_or("n".to_owned(), |width| width.to_string());
        let expected = format!("of shape [m, {width}]");
        let found = format!("{shape:?}");
        return Err(of_argument(value.py(), argument, &expected, found, ""));
    }
    numbers(&array, argument, &shape)
}

/// An array of the caller's, of exactly this type, shape and order, to be written.
pub(crate) fn writable<'py, T: Element, D: Dimension>(
    array: &Bound<'py, PyArray<T, D>>,
    argument: &str,
    shape: &[usize],
) -> PyResult<PyReadwriteArray<'py, T, D>> {
    if array.is_c_contiguous() && array.shape() == shape {
        return Ok(array.try_readwrite()?);
    }
    let expected = format!("in C order, of shape {shape:?}");
    let found = format!("shape {:?}", array.shape());
    Err(of_argument(array.py(), argument, &expected, found, ""))
}
