//! Saving of characters, by the extension of the file.

use crate::character::{Character, find_clip};
use crate::error::{free, raise, wrong};
use crate::play::rig::chosen_method;
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use sinew::deform;
use sinew_io::bvh::{self, BvhOptions};
use sinew_io::gltf::{self, ExportOptions};
use sinew_io::{FileReport, Import, Replacement, write_obj, write_ply};
use sinew_pack::{PackOptions, pack_file};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

#[pymethods]
impl Character {
    /// Writes a file and returns findings about data that could not be written unchanged. The
    /// extension chooses the format: .glb, .gltf, .vrm, .bvh (skeleton and one clip), .sinew
    /// (skeleton and packed clips), .obj or .ply (meshes at a moment). ``clip`` and ``fps`` are for
    /// .bvh, ``clip``, ``time_secs`` and ``method`` for .obj and .ply, ``max_error`` for .sinew.
    #[pyo3(signature = (path, *, clip = None, fps = None, time_secs = 0.0, method = None, max_error = 1e-4))]
    #[expect(clippy::too_many_arguments, reason = "options with names in Python")]
    fn save(
        &self,
        py: Python<'_>,
        path: PathBuf,
        clip: Option<&str>,
        fps: Option<f64>,
        time_secs: f64,
        method: Option<&str>,
        max_error: f32,
    ) -> PyResult<Vec<String>> {
        let import = self.now();
        let method = chosen_method(method, &import.character)?;
        let clip = clip
            .map(|name| find_clip(&import.character, name))
            .transpose()?;
        let character = &import.character;
        let extension = path.extension().unwrap_or_default().to_string_lossy();
        let report = match &*extension.to_ascii_lowercase() {
            "bvh" => {
                let options = BvhOptions::new().clip(clip).fps(fps);
                let export = free(py, || bvh::export(character, &options))?;
                write(py, &path, |out| out.write_all(export.text.as_bytes()))?;
                export.report
            }
            "obj" | "ply" => {
                let is_obj = extension.eq_ignore_ascii_case("obj");
                let moved = free(py, || deform(character, clip, time_secs, method))?;
                write(py, &path, |out| match is_obj {
                    true => write_obj(character, &moved, out),
                    false => write_ply(character, &moved, out),
                })?;
                FileReport::default()
            }
            "sinew" => {
                let bytes = packed(py, &import, clip, max_error)?;
                write(py, &path, |out| out.write_all(&bytes))?;
                FileReport::default()
            }
            "glb" | "gltf" | "vrm" => {
                let options = ExportOptions::new().source(import.source.as_ref());
                free(py, || gltf::write(&path, character, &options))?
            }
            _ => {
                return Err(wrong(format!(
                    "{}: the extension must be .glb, .gltf, .vrm, .bvh, .sinew, .obj or .ply",
                    path.display()
                )));
            }
        };
        Ok(report.findings.iter().map(ToString::to_string).collect())
    }

    /// Bytes of a .sinew file with one clip, or with all clips. ``max_error`` is the largest
    /// displacement that packing may cause, in the unit of the skeleton.
    #[pyo3(signature = (clip = None, max_error = 1e-4))]
    fn pack<'py>(
        &self,
        py: Python<'py>,
        clip: Option<&str>,
        max_error: f32,
    ) -> PyResult<Bound<'py, PyBytes>> {
        let import = self.now();
        let clip = clip
            .map(|name| find_clip(&import.character, name))
            .transpose()?;
        Ok(PyBytes::new(py, &packed(py, &import, clip, max_error)?))
    }
}

fn packed(
    py: Python<'_>,
    import: &Import,
    clip: Option<usize>,
    max_error: f32,
) -> PyResult<Vec<u8>> {
    let character = &import.character;
    let options = PackOptions::new().max_error(max_error);
    let range = clip.map_or(0..character.clips.len(), |clip| clip..clip + 1);
    free(py, || {
        pack_file(&character.skeleton, &character.clips[range], &options)
    })
}

fn write(
    py: Python<'_>,
    path: &Path,
    contents: impl FnOnce(&mut Replacement) -> io::Result<()> + Send,
) -> PyResult<()> {
    let written = py.detach(|| {
        let mut file = Replacement::new(path)?;
        contents(&mut file)?;
        file.flush()?;
        file.finish()
    });
    written.map_err(|error: io::Error| {
        let text = format!("cannot write {}: {error}", path.display());
        raise(io::Error::new(error.kind(), text))
    })
}
