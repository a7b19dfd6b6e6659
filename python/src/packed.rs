//! Class `PackedClip`: random access for data loaders.

use crate::convert::arrays::Numbers;
use crate::convert::forms::Form;
use crate::convert::frames::{Wanted, sampled};
use crate::convert::source::Source;
use crate::error::free;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use sinew::clip::packed::PackedFile;
use sinew::skeleton::Skeleton;
use std::sync::Arc;

/// Compressed clip. Sampling costs the same at every time, so it suits data loaders that read
/// random windows. It can be pickled, and threads and processes may share the file.
#[pyclass(frozen, module = "sinew")]
pub struct PackedClip {
    clip: sinew::clip::packed::PackedClip<'static>,
    skeleton: Arc<Skeleton>,
}

impl PackedClip {
    pub fn new(clip: sinew::clip::packed::PackedClip<'static>, skeleton: Arc<Skeleton>) -> Self {
        Self { clip, skeleton }
    }
}

/// Clips of a .sinew file, given by its path or bytes.
#[pyfunction]
#[pyo3(signature = (source, /))]
pub fn load_packed(py: Python<'_>, source: Source) -> PyResult<Vec<PackedClip>> {
    let read = match &source {
        Source::Bytes(_) => Vec::new(),
        Source::Path(path) => free(py, || {
            std::fs::read(path).map_err(|source| sinew_io::ImportError::Io {
                path: path.clone(),
                source,
            })
        })?,
    };
    let bytes = match &source {
        Source::Bytes(bytes) => bytes,
        Source::Path(_) => &*read,
    };
    let (skeleton, clips) = free(py, || {
        let file = PackedFile::from_bytes(bytes)?;
        let clips: Vec<_> = file
            .clips
            .into_iter()
            .map(|clip| clip.into_owned())
            .collect();
        Ok::<_, sinew::clip::packed::PackedError>((Arc::new(file.skeleton), clips))
    })?;
    Ok(clips
        .into_iter()
        .map(|clip| PackedClip::new(clip, skeleton.clone()))
        .collect())
}

#[pymethods]
impl PackedClip {
    /// Name of the clip.
    #[getter]
    fn name(&self) -> &str {
        self.clip.name()
    }

    /// Duration in seconds.
    #[getter]
    fn duration_secs(&self) -> f32 {
        self.clip.duration_secs()
    }

    /// Size of the motion in bytes, without skeleton and names.
    #[getter]
    fn motion_bytes(&self) -> usize {
        self.clip.motion_bytes()
    }

    /// Measured error, in the unit of the skeleton.
    #[getter]
    fn measured_error(&self) -> f32 {
        self.clip.measured_error()
    }

    /// Names of the joints.
    #[getter]
    fn joint_names(&self) -> Vec<String> {
        let joints = 0..self.skeleton.len();
        joints
            .map(|joint| self.skeleton.name(joint).to_owned())
            .collect()
    }

    /// Poses at times in seconds, in any order, as ``Frames``. Times outside the clip count as its
    /// start or end.
    #[pyo3(signature = (times, *, form = "quat", order = "zxy", scales = false))]
    fn sample(
        &self,
        py: Python<'_>,
        times: &Bound<'_, PyAny>,
        form: &str,
        order: &str,
        scales: bool,
    ) -> PyResult<Py<PyAny>> {
        let form = Form::parse(form, order)?;
        let times = Numbers::<f64>::of(times, "times")?;
        sampled(
            py,
            &self.clip,
            &self.skeleton,
            times.slice()?,
            Wanted { form, scales },
        )
    }

    /// Bytes of a .sinew file with this clip.
    fn to_bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = free(py, || sinew_pack::file_bytes(&self.skeleton, &[&self.clip]))?;
        Ok(PyBytes::new(py, &bytes))
    }

    fn __reduce__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyAny>, (Bound<'py, PyBytes>,))> {
        let restore = py.import("sinew")?.getattr("_restore_packed")?;
        Ok((restore, (self.to_bytes(py)?,)))
    }

    fn __repr__(&self) -> String {
        format!(
            "<sinew.PackedClip '{}' of {} s in {} bytes>",
            self.clip.name(),
            self.clip.duration_secs(),
            self.clip.motion_bytes()
        )
    }
}
