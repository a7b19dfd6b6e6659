//! Writing outputs: whole or not at all, and each said in a line.

use crate::files::{self, counted, is_standard};
use anyhow::{Context, Result, anyhow};
use sinew::Character;
use sinew_io::gltf::{self, Export, ExportOptions, SourceDocument};
use sinew_io::{FileReport, Replacement};
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Text for people or JSON on standard output.
pub fn print(text: &str) -> Result<()> {
    write("-".as_ref(), "", |out| {
        out.write_all(files::printable(text).as_bytes())
    })
}

/// Writes a file by `fill` and says that it holds `what`; when that fails, what was there before is still there.
/// Standard output is not spoken of: whoever reads it sees it.
pub fn write(
    path: &Path,
    what: &str,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<()> {
    if is_standard(path) {
        let mut out = BufWriter::new(io::stdout().lock());
        let written = fill(&mut out).and_then(|()| out.flush());
        return written.map_err(standard_output);
    }
    let mut out = create(path)?;
    fill(&mut out)
        .and_then(|()| out.finish())
        .with_context(|| failed(path))?;
    say(path, what);
    Ok(())
}

/// Writes a character as GLB, as glTF with its buffer inside, or as VRM if it is an avatar, by the path's ending. Says what could not be
/// written as it was, and gives it back.
pub fn character(
    path: &Path,
    what: &str,
    character: &Character,
    source: Option<&SourceDocument>,
) -> Result<FileReport> {
    let export = gltf::export(character, &ExportOptions { source })?;
    exported(path, what, &export)?;
    Ok(export.report)
}

/// Writes what was exported as the file's name says.
pub fn exported(path: &Path, what: &str, export: &Export) -> Result<()> {
    files::say_findings(&export.report);
    let extension = files::extension(path);
    if extension == "vrm" && !export.is_avatar() {
        let path = path.to_owned();
        return Err(gltf::ExportError::NoAvatar { path }.into());
    }
    let bytes = match extension.as_str() {
        "gltf" => export.to_gltf()?.into_bytes(),
        _ => export.to_glb()?,
    };
    write(path, what, |out| out.write_all(&bytes))
}

/// What a character holds, in a few words.
pub fn contents(character: &Character) -> String {
    let mut text = counted(character.skeleton.len(), "joint");
    for (count, what) in [
        (character.meshes.len(), "mesh"),
        (character.clips.len(), "clip"),
    ] {
        if count > 0 {
            text += &format!(", {}", counted(count, what));
        }
    }
    text
}

/// That a file was written, what it holds and how large it is.
pub fn say(path: &Path, what: &str) {
    let size = match fs::metadata(path) {
        Ok(file) if file.is_file() => format!(", {}", size(file.len())),
        _ => String::new(),
    };
    files::say(&format!("wrote {}: {what}{size}", path.display()));
}

/// Begins a file that takes its place when it is finished.
pub fn create(path: &Path) -> Result<Replacement> {
    let folder = path.parent().filter(|f| !f.as_os_str().is_empty());
    let wrong = match folder.map(|folder| (folder.display(), fs::metadata(folder))) {
        Some((name, Err(_))) => format!("there is no folder {name}; make it first"),
        Some((name, Ok(there))) if !there.is_dir() => format!("{name} is no folder; name another"),
        _ => {
            let file =
                Replacement::new(path).map_err(|error| anyhow!("{error}; name another place"));
            return file.with_context(|| failed(path));
        }
    };
    Err(anyhow!(wrong).context(failed(path)))
}

/// Whether a file can be made there, to be asked before long work. A pipe or a device is not touched.
pub fn check(path: &Path) -> Result<()> {
    let is_special =
        |path: &Path| fs::metadata(path).is_ok_and(|there| !there.is_file() && !there.is_dir());
    if is_standard(path) || is_special(path) {
        return Ok(());
    }
    // Dropped at once, it leaves nothing.
    create(path).map(drop)
}

fn failed(path: &Path) -> String {
    format!("cannot write {}", path.display())
}

/// A number of bytes for people.
pub fn size(bytes: u64) -> String {
    match bytes {
        0..1024 => format!("{bytes} B"),
        1024..1_048_576 => format!("{:.1} KiB", bytes as f64 / 1024.0),
        _ => format!("{:.1} MiB", bytes as f64 / 1_048_576.0),
    }
}

/// Standard output that nobody reads any more.
#[derive(Debug)]
struct OutputClosed;

impl std::fmt::Display for OutputClosed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("nobody reads standard output any more")
    }
}

impl std::error::Error for OutputClosed {}

/// A failure to write to standard output; a reader that has seen enough is told from other faults.
pub fn standard_output(error: io::Error) -> anyhow::Error {
    match error.kind() {
        io::ErrorKind::BrokenPipe => anyhow!(OutputClosed),
        _ => anyhow!(error).context("cannot write to standard output"),
    }
}

/// Whether an error is only that nobody reads our standard output any more.
pub fn is_output_closed(error: &anyhow::Error) -> bool {
    error.downcast_ref::<OutputClosed>().is_some()
}
