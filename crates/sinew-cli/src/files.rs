//! Opening inputs and outputs, `-` being the standard ones.

use anyhow::{Context, Result, bail};
use sinew::Character;
use sinew_io::gltf::{self, Import};
use std::io::{self, BufWriter, Read, Write};
use std::path::Path;

/// Reads a character; what was repaired on the way is said on standard error.
pub fn load(path: &Path) -> Result<Import> {
    let import = load_quietly(path)?;
    let odd = import.report.findings.len() as u64 + import.report.omitted();
    if odd > 0 {
        let things = if odd == 1 { "thing" } else { "things" };
        eprintln!(
            "sinew: {odd} {things} repaired or ignored in {0}; `sinew info {0}` lists them",
            path.display()
        );
    }
    Ok(import)
}

/// Reads a character.
pub fn load_quietly(path: &Path) -> Result<Import> {
    if is_standard(path) {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes)?;
        return gltf::import_bytes(&bytes, None).context("standard input");
    }
    gltf::import(path).with_context(|| path.display().to_string())
}

/// Whether a path means standard input or output.
pub fn is_standard(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Writes a file by `fill`; when that fails, no half-written file is left.
pub fn write(path: &Path, fill: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> Result<()> {
    if is_standard(path) {
        let mut out = BufWriter::new(io::stdout().lock());
        fill(&mut out)?;
        return Ok(out.flush()?);
    }
    let file =
        std::fs::File::create(path).with_context(|| format!("creating {}", path.display()))?;
    let mut out = BufWriter::new(file);
    let written = fill(&mut out).and_then(|()| out.flush());
    if written.is_err() {
        drop(out);
        // Nothing to do when this fails too: the first error is the one to report.
        let _ = std::fs::remove_file(path);
    }
    written.with_context(|| format!("writing {}", path.display()))
}

/// The file's ending in lower case.
pub fn extension(path: &Path) -> String {
    let extension = path.extension().unwrap_or_default();
    extension.to_string_lossy().to_lowercase()
}

/// The clip of that name or number; an error that lists what there is.
pub fn find_clip(character: &Character, wanted: &str) -> Result<usize> {
    if let Some(clip) = character.find_clip(wanted) {
        return Ok(clip);
    }
    if character.clips.is_empty() {
        bail!("there is no clip \"{wanted}\": the file has none");
    }
    let names: Vec<String> = character
        .clips
        .iter()
        .enumerate()
        .map(|(index, clip)| format!("{index} \"{}\"", clip.name))
        .collect();
    bail!(
        "there is no clip \"{wanted}\"; the file has {}",
        names.join(", ")
    )
}

/// Whether an error is only that nobody reads our output any more.
pub fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}
