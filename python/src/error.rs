//! Errors of the libraries as exceptions, with their text.

use pyo3::create_exception;
use pyo3::exceptions::{PyFileNotFoundError, PyOSError, PyPermissionError, PyValueError};
use pyo3::prelude::*;
use std::error::Error as StdError;
use std::io::{self, ErrorKind};

create_exception!(
    sinew,
    Error,
    PyValueError,
    "Error of a file, a value or a name. The text states the location, the problem and the remedy."
);

/// Exception of an error: `OSError` if the cause is a file that cannot be read or written, otherwise
/// `sinew.Error`.
pub fn raise(error: impl StdError + 'static) -> PyErr {
    let text = error.to_string();
    let mut cause: Option<&(dyn StdError + 'static)> = Some(&error);
    while let Some(link) = cause {
        if let Some(io) = link.downcast_ref::<io::Error>() {
            return match io.kind() {
                ErrorKind::NotFound => PyFileNotFoundError::new_err(text),
                ErrorKind::PermissionDenied => PyPermissionError::new_err(text),
                ErrorKind::InvalidInput | ErrorKind::InvalidData => Error::new_err(text),
                _ => PyOSError::new_err(text),
            };
        }
        cause = link.source();
    }
    Error::new_err(text)
}

/// `sinew.Error` with a text of this crate.
pub fn wrong(text: impl Into<String>) -> PyErr {
    Error::new_err(text.into())
}

/// Runs work without the GIL, so that other threads of Python go on.
pub fn free<T: Send, E: StdError + Send + 'static>(
    py: Python<'_>,
    work: impl FnOnce() -> Result<T, E> + Send,
) -> PyResult<T> {
    py.detach(work).map_err(raise)
}
