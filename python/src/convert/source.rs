//! Arguments that are a path or the bytes of a file.

use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use std::path::PathBuf;

/// Path of a file, or its bytes.
pub enum Source {
    Path(PathBuf),
    Bytes(PyBackedBytes),
}

impl<'py> FromPyObject<'_, 'py> for Source {
    type Error = PyErr;

    fn extract(value: Borrowed<'_, 'py, PyAny>) -> PyResult<Self> {
        match value.extract::<PyBackedBytes>() {
            Ok(bytes) => Ok(Self::Bytes(bytes)),
            Err(_) => Ok(Self::Path(value.extract()?)),
        }
    }
}
