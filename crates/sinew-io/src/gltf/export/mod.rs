//! Writing characters as glTF 2.0.
//!
//! With the document that a character was read from, everything that this library does not
//! understand goes back where it was. What is read from an exported file skins to the same bits.
//!
//! glTF cannot say everything that a character can. Clips in model space are sampled at their keys,
//! events, curves, limits, correctives and bindings go into `extras` ([`crate::gltf::import`] reads them there), and what has no
//! place at all is left out with a finding in [`Export::report`].

mod animations;
mod attributes;
mod avatar;
mod buffer;
mod cameras;
mod compress;
mod container;
mod error;
mod extensions;
mod flat;
mod keys;
mod layers;
mod materials;
mod meshes;
mod morphs;
mod nodes;
mod plan;
mod pointers;
mod shared;
mod skins;
mod textures;

pub use error::ExportError;

use super::bindings::write_bindings;
use super::check::shape::{Shape, Walk};
use super::json::Rest;
use super::schema::{Asset, Document};
use super::source::SourceDocument;
use super::vrm;
use crate::replace::Replacement;
use crate::report::{FileReport, Severity};
use buffer::BufferBuilder;
use plan::Plan;
use shared::Shared;
use sinew::Character;
use std::fmt::Display;
use std::io::{self, Write};
use std::path::Path;

/// The options of an export.
#[derive(Clone, Copy, Debug, Default)]
pub struct ExportOptions<'a> {
    /// The document that it was read from, for everything that a character does not hold.
    pub source: Option<&'a SourceDocument>,
}

/// A character as a document and the bytes of its one buffer, ready for any container.
#[derive(Clone, Debug, PartialEq)]
pub struct Export {
    /// The document; its buffer has no `uri` yet.
    pub document: Document,
    /// The bytes of the buffer.
    pub bytes: Vec<u8>,
    /// What could not be written as it was.
    pub report: FileReport,
}

/// Turns a character into a document.
///
/// # Errors
/// [`ExportError`] when the character contradicts itself or holds what no file can: indices that
/// refer to nothing, arrays of different lengths, values that are not finite.
pub fn export(character: &Character, options: &ExportOptions<'_>) -> Result<Export, ExportError> {
    let mut document = options
        .source
        .map_or_else(Document::default, |s| s.document.clone());
    document.accessors.clear();
    let mut exporter = Exporter {
        character,
        source: options.source,
        document,
        buffer: BufferBuilder::after(options.source),
        shared: Shared::default(),
        cameras: Vec::new(),
        report: FileReport::default(),
    };
    let plan = Plan::new(character)?;
    let images = textures::write_images(&mut exporter);
    textures::write(&mut exporter, &images)?;
    materials::write(&mut exporter)?;
    exporter.cameras = cameras::write(&mut exporter);
    let meshes = meshes::write(&mut exporter, &plan)?;
    let skins = skins::write(&mut exporter, &plan)?;
    nodes::write(&mut exporter, &plan, &meshes, &skins)?;
    nodes::write_scenes(&mut exporter, &plan);
    animations::write(&mut exporter, &plan, &meshes)?;
    if !write_bindings(&character.bindings, &mut exporter.document.rest)? {
        let message = "the extras are no object, so bindings have no place";
        let report = &mut exporter.report;
        report.add(Severity::Ignored, "EXTRAS_OCCUPIED", "/extras", message);
    }
    let Exporter {
        mut document,
        buffer,
        mut report,
        ..
    } = exporter;
    write_asset(&mut document);
    avatar::renumber(&mut document, &meshes, &images, &mut report)?;
    let bytes = buffer.finish(&mut document);
    extensions::write(&mut document, &mut report)?;
    Ok(Export {
        document,
        bytes,
        report,
    })
}

/// A character as the bytes of a GLB file.
///
/// ```
/// use sinew::{Character, Joint, Skeleton, Transform};
/// use sinew_io::gltf::{ExportOptions, to_glb};
/// let (skeleton, _) = Skeleton::new(vec![Joint::new("root", None, Transform::IDENTITY)])?;
/// let file = to_glb(&Character::from_skeleton(skeleton), &ExportOptions::default())?;
/// assert!(file.starts_with(b"glTF"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`export`], and [`ExportError::TooLarge`] from four gigabytes on.
pub fn to_glb(character: &Character, options: &ExportOptions<'_>) -> Result<Vec<u8>, ExportError> {
    export(character, options)?.to_glb()
}

/// A character as the text of one `.gltf` file, its buffer embedded.
///
/// # Errors
/// As [`export`].
pub fn to_gltf(character: &Character, options: &ExportOptions<'_>) -> Result<String, ExportError> {
    export(character, options)?.to_gltf()
}

/// Writes a character to a file: one `.glb`, or a `.gltf` with a `.bin` of the same name beside it; a `.vrm` is a GLB
/// file whose document is that of an avatar, which the source has to be. Files
/// take their places when they are whole; until then, and when that fails, what was there before stays.
///
/// # Errors
/// As [`export`], and when the file cannot be written or its name ends in none of them.
pub fn write(
    path: impl AsRef<Path>,
    character: &Character,
    options: &ExportOptions<'_>,
) -> Result<FileReport, ExportError> {
    let path = path.as_ref();
    let extension = path.extension().map(|e| e.to_ascii_lowercase());
    let is = |name: &str| extension.as_ref().is_some_and(|e| e == name);
    if !is("glb") && !is("gltf") && !is("vrm") {
        let path = path.to_owned();
        return Err(ExportError::UnknownFormat { path });
    }
    let export = export(character, options)?;
    if is("vrm") && !export.is_avatar() {
        let path = path.to_owned();
        return Err(ExportError::NoAvatar { path });
    }
    if !is("gltf") {
        finish(path, begin(path, &export.to_glb()?)?)?;
        return Ok(export.report);
    }
    let beside = path.with_extension("bin");
    let file_name = beside.file_name().unwrap_or_default().to_string_lossy();
    let text = export.to_json(Some(container::relative_uri(&file_name)))?;
    // Both are written before either takes its place, so that a full disk leaves the old pair.
    let document = begin(path, text.as_bytes())?;
    if !export.bytes.is_empty() {
        finish(&beside, begin(&beside, &export.bytes)?)?;
    }
    finish(path, document)?;
    Ok(export.report)
}

/// A file that is written and not yet in its place.
fn begin(path: &Path, bytes: &[u8]) -> Result<Replacement, ExportError> {
    let written = Replacement::new(path).and_then(|mut file| {
        file.write_all(bytes)?;
        file.flush()?;
        Ok(file)
    });
    written.map_err(|source| failed(path, source))
}

fn finish(path: &Path, file: Replacement) -> Result<(), ExportError> {
    file.finish().map_err(|source| failed(path, source))
}

fn failed(path: &Path, source: io::Error) -> ExportError {
    ExportError::Io {
        path: path.to_owned(),
        source,
    }
}

impl Export {
    /// As the bytes of a GLB file.
    ///
    /// # Errors
    /// [`ExportError::TooLarge`] from four gigabytes on.
    pub fn to_glb(&self) -> Result<Vec<u8>, ExportError> {
        container::glb(&self.to_json(None)?, &self.bytes)
    }

    /// Whether it is an avatar, which the name of a `.vrm` file promises: the document has an extension of VRM.
    pub fn is_avatar(&self) -> bool {
        vrm::is_avatar(&self.document)
    }

    /// As the text of one `.gltf` file, the buffer embedded.
    ///
    /// # Errors
    /// [`ExportError::Json`] when the document cannot be put into text.
    pub fn to_gltf(&self) -> Result<String, ExportError> {
        self.to_json(Some(container::data_uri(&self.bytes)))
    }

    /// The document as text, its buffer found at `uri`, or in the container when there is none.
    fn to_json(&self, uri: Option<String>) -> Result<String, ExportError> {
        let Some(uri) = uri else {
            return Ok(serde_json::to_string(&self.document)?);
        };
        let mut document = self.document.clone();
        if let Some(buffer) = document.buffers.first_mut() {
            buffer.uri = Some(uri.into());
        }
        Ok(serde_json::to_string(&document)?)
    }
}

/// A document in the making.
struct Exporter<'a> {
    character: &'a Character,
    source: Option<&'a SourceDocument>,
    /// Begins as the source's; each part replaces what it understands.
    document: Document,
    buffer: BufferBuilder,
    shared: Shared,
    /// Where each camera of the source went.
    cameras: Vec<Option<u32>>,
    report: FileReport,
}

impl Exporter<'_> {
    /// Whether the source's accessors and views are still there, at their indices.
    fn keeps_buffers(&self) -> bool {
        self.source.is_some_and(|source| !source.buffers.is_empty())
    }

    /// Leaves out those members that `shape` knows and that are not as it says.
    fn clean(&mut self, rest: &mut Rest, shape: &Shape, place: &str) {
        let mut kept = Rest::default();
        let mut is_whole = true;
        for (name, value) in rest.iter() {
            let mut found = FileReport::default();
            let mut one = Rest::default();
            one.push(name, value.to_owned());
            Walk::alone(&mut found).kept(&one, shape, "");
            if found.is_empty() {
                kept.push(name, value.to_owned());
            } else {
                is_whole = false;
                leave_out(
                    &mut self.report,
                    format_args!("{place}/{name}"),
                    "a value that means nothing",
                );
            }
        }
        if !is_whole {
            *rest = kept;
        }
    }

    fn leave_out(&mut self, place: impl Display, what: &str) {
        leave_out(&mut self.report, place, what);
    }
}

fn leave_out(report: &mut FileReport, place: impl Display, what: &str) {
    let message = format_args!("{what} was left out");
    report.add(Severity::Ignored, "NOT_WRITTEN", place, message);
}

fn write_asset(document: &mut Document) {
    let source = document.asset.take().unwrap_or_default();
    document.asset = Some(Asset {
        version: Some("2.0".into()),
        min_version: None,
        generator: Some(concat!("sinew ", env!("CARGO_PKG_VERSION")).into()),
        ..source
    });
}

fn name(name: &str) -> Option<Box<str>> {
    (!name.is_empty()).then(|| name.into())
}
