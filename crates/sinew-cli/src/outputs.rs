//! Writes outputs completely or not at all, and prints a line about each.

use crate::files::{self, counted, is_standard};
use crate::progress::aside;
use anyhow::{Context, Result, anyhow};
use serde::Serialize;
use serde_json::ser::{Formatter, Serializer};
use sinew::Character;
use sinew_io::bvh::{self, BvhOptions, MovedOffsets};
use sinew_io::gltf::{self, Export, ExportOptions, SourceDocument};
use sinew_io::{FileReport, Format, Import, Replacement};
use std::fs;
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Prints text or JSON on standard output.
pub fn print(text: &str) -> Result<()> {
    write("-".as_ref(), "", |out| {
        out.write_all(files::printable(text).as_bytes())
    })
}

/// Writes JSON and a line break. Also escapes control characters that JSON allows.
pub fn write_json(out: &mut dyn Write, document: &impl Serialize) -> io::Result<()> {
    struct Escaping;
    impl Formatter for Escaping {
        fn write_string_fragment<W: ?Sized + Write>(
            &mut self,
            out: &mut W,
            fragment: &str,
        ) -> io::Result<()> {
            out.write_all(files::printable(fragment).as_bytes())
        }
    }
    let mut json = Serializer::with_formatter(&mut *out, Escaping);
    document.serialize(&mut json)?;
    writeln!(out)
}

/// Prints the report about an output file: on standard output, or on standard error if the file itself went there.
pub fn report(output: &Path, text: &str) -> Result<()> {
    if is_standard(output) {
        text.lines().for_each(files::print_message);
        return Ok(());
    }
    print(text)
}

/// Writes a file with `fill` and prints a line with `what`, except for standard output. A failure keeps the old file.
pub fn write(
    path: &Path,
    what: &str,
    fill: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<()> {
    if is_standard(path) {
        let written = aside(|| {
            let mut out = BufWriter::new(io::stdout().lock());
            fill(&mut out).and_then(|()| out.flush())
        });
        return written.map_err(standard_output);
    }
    let mut out = create(path)?;
    fill(&mut out)
        .and_then(|()| out.finish())
        .with_context(|| failed(path))?;
    report_written(path, what);
    Ok(())
}

/// Writes a character by extension: as GLB, as glTF with an embedded buffer, or as VRM for an avatar. Prints and
/// returns findings about data that could not be written unchanged.
pub fn character(
    path: &Path,
    what: &str,
    character: &Character,
    source: Option<&SourceDocument>,
) -> Result<FileReport> {
    let export = gltf::export(character, &ExportOptions::new().source(source))?;
    exported(path, what, &export)?;
    Ok(export.report)
}

/// Writes the joints and one clip as BVH. Joints of a BVH file keep their rest positions.
pub fn bvh(path: &Path, import: &Import, clip: Option<usize>) -> Result<()> {
    let offsets = match import.format {
        Some(Format::Bvh) => MovedOffsets::Rest,
        _ => MovedOffsets::Zero,
    };
    let options = BvhOptions::default().clip(clip).offsets(offsets);
    let export = bvh::export(&import.character, &options)?;
    files::print_findings(&export.report);
    let joints = counted(import.character.skeleton.len(), "joint");
    let what = format!("{joints}, {}", counted(export.frames, "frame"));
    write(path, &what, |out| out.write_all(export.text.as_bytes()))
}

/// Writes an export in the format of the extension.
pub fn exported(path: &Path, what: &str, export: &Export) -> Result<()> {
    files::print_findings(&export.report);
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

/// Summary of the contents of a character.
pub fn contents(character: &Character) -> String {
    let mut text = counted(character.skeleton.len(), "joint");
    for (count, what) in [(meshes(character), "mesh"), (character.clips.len(), "clip")] {
        if count > 0 {
            text += &format!(", {}", counted(count, what));
        }
    }
    text
}

/// Number of meshes with data. Hidden meshes have none.
pub fn meshes(character: &Character) -> usize {
    let meshes = character.meshes.iter();
    meshes.filter(|mesh| !mesh.primitives.is_empty()).count()
}

/// Prints a line about a written file, with its contents and size.
pub fn report_written(path: &Path, what: &str) {
    let size = match fs::metadata(path) {
        Ok(file) if file.is_file() => format!(", {}", size(file.len())),
        _ => String::new(),
    };
    files::print_message(&format!("wrote {}: {what}{size}", path.display()));
}

/// Creates a temporary file that replaces the old file when it is complete.
pub fn create(path: &Path) -> Result<Replacement> {
    let folder = path.parent().filter(|f| !f.as_os_str().is_empty());
    let wrong = match folder.map(|folder| (folder.display(), fs::metadata(folder))) {
        Some((name, Err(_))) => format!("there is no folder {name}; create it first"),
        Some((name, Ok(there))) if !there.is_dir() => {
            format!("{name} is not a folder; choose another")
        }
        _ => {
            let file =
                Replacement::new(path).map_err(|error| anyhow!("{error}; choose another location"));
            return file.with_context(|| failed(path));
        }
    };
    Err(anyhow!(wrong).context(failed(path)))
}

/// Checks before long work that a file can be written. Does not open pipes and devices.
pub fn check(path: &Path) -> Result<()> {
    let is_special =
        |path: &Path| fs::metadata(path).is_ok_and(|there| !there.is_file() && !there.is_dir());
    if is_standard(path) || is_special(path) {
        return Ok(());
    }
    create(path).map(drop)
}

fn failed(path: &Path) -> String {
    format!("cannot write {}", path.display())
}

/// Formats a number of bytes.
pub fn size(bytes: u64) -> String {
    match bytes {
        0..1024 => format!("{bytes} B"),
        1024..1_048_576 => format!("{:.1} KiB", bytes as f64 / 1024.0),
        _ => format!("{:.1} MiB", bytes as f64 / 1_048_576.0),
    }
}

#[derive(Debug)]
struct OutputClosed;

impl std::fmt::Display for OutputClosed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("standard output was closed")
    }
}

impl std::error::Error for OutputClosed {}

/// Error of standard output. Distinguishes a closed pipe from other failures.
pub fn standard_output(error: io::Error) -> anyhow::Error {
    match error.kind() {
        io::ErrorKind::BrokenPipe => anyhow!(OutputClosed),
        _ => anyhow!(error).context("cannot write to standard output"),
    }
}

/// True if the error means that standard output was closed.
pub fn is_output_closed(error: &anyhow::Error) -> bool {
    error.downcast_ref::<OutputClosed>().is_some()
}
