//! Arrays of numpy as slices, and numbers as arrays of numpy.

use crate::error::wrong;
use bytemuck::allocation::try_zeroed_vec;
use bytemuck::{AnyBitPattern, Pod, Zeroable, cast_slice, cast_slice_mut};
use numpy::ndarray::{ArrayD, IxDyn};
use numpy::{
    Element, PyArrayDyn, PyArrayMethods, PyReadonlyArrayDyn, PyReadwriteArrayDyn,
    PyUntypedArrayMethods,
};
use pyo3::exceptions::{PyMemoryError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};

/// Numbers that an argument gives: the memory of an array if it is contiguous and of the right
/// type, otherwise a copy.
pub struct Numbers<'py, T: Element> {
    array: PyReadonlyArrayDyn<'py, T>,
    what: &'static str,
}

/// Element type with its name in numpy.
pub trait Number: Element + Pod {
    const NAME: &'static str;
}

impl Number for f32 {
    const NAME: &'static str = "float32";
}

impl Number for f64 {
    const NAME: &'static str = "float64";
}

impl<'py, T: Number> Numbers<'py, T> {
    pub fn of(value: &Bound<'py, PyAny>, what: &'static str) -> PyResult<Self> {
        let py = value.py();
        let options = PyDict::new(py);
        options.set_item("dtype", T::NAME)?;
        let numpy = py.import("numpy")?;
        let array = numpy.call_method("ascontiguousarray", (value,), Some(&options));
        let array = array.map_err(|error| match error.is_instance_of::<PyValueError>(py) {
            true => wrong(format!("{what}: {}", error.value(py))),
            false => error,
        })?;
        let array = array.extract()?;
        Ok(Self { array, what })
    }

    pub fn shape(&self) -> &[usize] {
        self.array.shape()
    }

    pub fn slice(&self) -> PyResult<&[T]> {
        let slice = self.array.as_slice();
        slice.map_err(|error| wrong(format!("{}: {error}", self.what)))
    }

    /// Rows of `tail` numbers. The shape must end with `tail`; the dimensions before it are free.
    pub fn rows<R: AnyBitPattern>(&self, tail: &[usize]) -> PyResult<(&[usize], &[R])> {
        let shape = self.shape();
        match shape.strip_suffix(tail) {
            Some(lead) => Ok((lead, cast_slice(self.slice()?))),
            None => Err(wrong(format!(
                "{} has the shape {shape:?}, which must end with {tail:?}",
                self.what
            ))),
        }
    }
}

/// New array that owns the numbers. They are not copied.
pub fn array<T: Element>(py: Python<'_>, shape: &[usize], values: Vec<T>) -> PyResult<Py<PyAny>> {
    let array = ArrayD::from_shape_vec(IxDyn(shape), values);
    let array = array.map_err(|error| wrong(error.to_string()))?;
    Ok(PyArrayDyn::from_owned_array(py, array).into_any().unbind())
}

/// Zeros for a result, or `MemoryError` if there is no memory for them. The caller gives `None` if
/// even their number is too large.
pub fn zeros<T: Zeroable>(count: Option<usize>) -> PyResult<Vec<T>> {
    let zeros = count.and_then(|count| try_zeroed_vec(count).ok());
    zeros.ok_or_else(|| {
        PyMemoryError::new_err("the result does not fit into memory; use fewer frames at once")
    })
}

/// Output array: that of the caller, or a new one.
pub struct Output<'py> {
    array: PyReadwriteArrayDyn<'py, f32>,
}

impl<'py> Output<'py> {
    pub fn of(
        py: Python<'py>,
        given: Option<&Bound<'py, PyAny>>,
        shape: &[usize],
    ) -> PyResult<Self> {
        let Some(given) = given else {
            // As `PyArrayDyn::zeros`, which panics if there is no memory.
            let shape = PyTuple::new(py, shape)?;
            let zeros = py
                .import("numpy")?
                .call_method1("zeros", (shape, f32::NAME))?;
            let array = zeros.cast_into::<PyArrayDyn<f32>>()?.try_readwrite()?;
            return Ok(Self { array });
        };
        let refused = |why: String| {
            wrong(format!(
                "out {why}; it must be a contiguous float32 array of the shape {shape:?}"
            ))
        };
        let array = given.cast::<PyArrayDyn<f32>>();
        let array = array.map_err(|_| refused("is not an array of float32".to_owned()))?;
        if array.shape() != shape {
            return Err(refused(format!("has the shape {:?}", array.shape())));
        }
        let array = array.try_readwrite();
        let mut array = array.map_err(|error| refused(format!("cannot be written ({error})")))?;
        // `as_slice_mut` also takes arrays by columns.
        if !array.is_c_contiguous() || array.as_slice_mut().is_err() {
            return Err(refused("is not contiguous".to_owned()));
        }
        Ok(Self { array })
    }

    pub fn slice<R: Pod>(&mut self) -> PyResult<&mut [R]> {
        let slice = self.array.as_slice_mut();
        slice
            .map(cast_slice_mut)
            .map_err(|error| wrong(error.to_string()))
    }

    pub fn done(self) -> Py<PyAny> {
        let array: &Bound<'py, PyArrayDyn<f32>> = &self.array;
        array.clone().into_any().unbind()
    }
}

/// Three numbers, such as a position.
pub fn vector(value: [f32; 3]) -> glam::Vec3 {
    glam::Vec3::from_array(value)
}
