use crate::gltf::{self, ExportError, ExportOptions};
use crate::report::FileReport;
use sinew::Character;
use std::path::Path;

/// Writes a character to a `.glb`, or to a `.gltf` with a `.bin` beside it. Existing files are
/// replaced when the new files are complete. To also keep other data of a source document, use
/// [`gltf::write`].
///
/// ```no_run
/// let character = sinew_io::import("walk.bvh")?.character;
/// let report = sinew_io::save("walk.glb", &character)?;
/// report.findings.iter().for_each(|finding| eprintln!("{finding}"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`ExportError`] if the character is inconsistent, or the file cannot be written.
#[doc(alias = "export")]
#[doc(alias = "write")]
pub fn save(path: impl AsRef<Path>, character: &Character) -> Result<FileReport, ExportError> {
    gltf::write(path, character, &ExportOptions::default())
}
