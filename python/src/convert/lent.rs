//! Memory of the library as arrays of numpy, without a copy.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyTuple};
use std::sync::Arc;

/// Keeps memory alive that an array refers to. numpy reads `__array_interface__`.
#[pyclass(frozen, module = "sinew._sinew")]
pub struct Memory {
    address: usize,
    shape: Vec<usize>,
    kind: &'static str,
    _owner: Box<dyn Send + Sync>,
}

#[pymethods]
impl Memory {
    #[getter]
    fn __array_interface__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let interface = PyDict::new(py);
        interface.set_item("version", 3)?;
        interface.set_item("shape", PyTuple::new(py, &self.shape)?)?;
        interface.set_item("typestr", self.kind)?;
        // The second member makes the array read-only.
        interface.set_item("data", (self.address, true))?;
        Ok(interface)
    }
}

/// Read-only array over shared values. Each value has `width` numbers; 0 stands for one number
/// without a dimension of its own.
pub fn lend<T: bytemuck::Pod + Send + Sync>(
    py: Python<'_>,
    values: &Arc<Vec<T>>,
    width: usize,
    kind: &'static str,
) -> PyResult<Py<PyAny>> {
    let mut shape = vec![values.len()];
    shape.extend((width > 0).then_some(width));
    let memory = Memory {
        address: values.as_ptr().addr(),
        shape,
        kind,
        _owner: Box::new(values.clone()),
    };
    let array = py.import("numpy")?.call_method1("asarray", (memory,))?;
    Ok(array.unbind())
}
