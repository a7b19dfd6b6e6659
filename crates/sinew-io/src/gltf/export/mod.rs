//! Exports characters as glTF 2.0. With the source document, the export also writes all data that
//! this library does not know. An import of the exported file skins to the same bits.
//!
//! Clips in model space are sampled at their keys. Events, curves, layers, limits, correctives, bindings and the
//! skinning method go into `extras`, where [`crate::gltf::import`] reads them. [`Export::report`] lists omissions.

mod animations;
mod avatar;
mod buffer;
mod compress;
mod container;
mod error;
mod exported;
mod exporter;
mod extensions;
mod meshes;
mod page;
mod parents;
mod plan;
mod scene;
mod shared;
mod surfaces;

pub use error::ExportError;
pub use exported::Export;

use super::document::schema::{Asset, Document};
use super::extras::bindings::write_bindings;
use super::extras::method::write_method;
use super::pointer::{Objects, Targets};
use super::source::SourceDocument;
use crate::replace::Replacement;
use crate::report::{FileReport, Severity};
use buffer::BufferBuilder;
use exporter::Exporter;
use plan::Plan;
use scene::{cameras, nodes, skins};
use shared::Shared;
use sinew::Character;
use sinew::steps::{self, pause};
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::Path;
use surfaces::{materials, textures};

/// Options for export.
#[derive(Clone, Copy, Debug, Default)]
#[non_exhaustive]
pub struct ExportOptions<'a> {
    /// The source document, which restores data that a character cannot hold. Default: none.
    pub source: Option<&'a SourceDocument>,
}

impl<'a> ExportOptions<'a> {
    /// Default options.
    pub const fn new() -> Self {
        Self { source: None }
    }

    /// Sets [`ExportOptions::source`].
    #[must_use]
    pub const fn source(mut self, source: Option<&'a SourceDocument>) -> Self {
        self.source = source;
        self
    }
}

/// Converts a character to a document.
///
/// # Errors
/// [`ExportError`] for invalid indices, lengths that differ, or values that are not finite.
pub fn export(character: &Character, options: &ExportOptions<'_>) -> Result<Export, ExportError> {
    steps::finish(export_in_steps(character, options))
}

/// As [`export`], in [steps](sinew::steps): about one for each primitive and each clip.
async fn export_in_steps(
    character: &Character,
    options: &ExportOptions<'_>,
) -> Result<Export, ExportError> {
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
        source_targets: options.source.map(|own| Targets::new(&own.document)),
        objects: Objects::default(),
        driven: BTreeSet::new(),
        curves: Default::default(),
        report: FileReport::default(),
    };
    let plan = Plan::new(character)?;
    pause().await;
    let images = textures::write_images(&mut exporter);
    textures::write(&mut exporter, &images)?;
    materials::write(&mut exporter)?;
    exporter.cameras = cameras::write(&mut exporter);
    let meshes = meshes::write(&mut exporter, &plan).await?;
    let skins = skins::write(&mut exporter, &plan)?;
    nodes::write(&mut exporter, &plan, &meshes, &skins)?;
    nodes::write_scenes(&mut exporter, &plan);
    exporter.objects = Objects::new(&exporter.document);
    animations::write(&mut exporter, &plan, &meshes).await?;
    parents::write(&mut exporter)?;
    let bindings = exporter.other_bindings();
    let rest = &mut exporter.document.rest;
    let has_bindings = write_bindings(&bindings, rest)?;
    if !(write_method(character.stated_method, rest)? && has_bindings) {
        let message =
            "bindings and the skinning method were left out, because the extras are not an object";
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

/// Converts a character to the bytes of a GLB file.
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
/// Same as [`export`], and [`ExportError::TooLarge`] if the file would have 4 GiB or more.
pub fn to_glb(character: &Character, options: &ExportOptions<'_>) -> Result<Vec<u8>, ExportError> {
    export(character, options)?.to_glb()
}

/// Converts a character to the text of a `.gltf` file with an embedded buffer.
///
/// # Errors
/// Same as [`export`].
pub fn to_gltf(character: &Character, options: &ExportOptions<'_>) -> Result<String, ExportError> {
    export(character, options)?.to_gltf()
}

/// Writes a `.glb`, a `.gltf` with a `.bin` of the same name, or a `.vrm`. A `.vrm` needs an avatar
/// as source. Existing files are replaced when the new files are complete.
///
/// # Errors
/// Same as [`export`], and errors if the file cannot be written or has another extension.
pub fn write(
    path: impl AsRef<Path>,
    character: &Character,
    options: &ExportOptions<'_>,
) -> Result<FileReport, ExportError> {
    steps::finish(write_in_steps(path.as_ref(), character, options))
}

/// As [`write()`], in [steps](sinew::steps): about one for each primitive and each clip, and some for the whole file.
///
/// # Errors
/// Same as [`write()`].
pub async fn write_in_steps(
    path: &Path,
    character: &Character,
    options: &ExportOptions<'_>,
) -> Result<FileReport, ExportError> {
    let extension = path.extension().map(|e| e.to_ascii_lowercase());
    let is = |name: &str| extension.as_ref().is_some_and(|e| e == name);
    if !is("glb") && !is("gltf") && !is("vrm") {
        let path = path.to_owned();
        return Err(ExportError::UnknownFormat { path });
    }
    let export = export_in_steps(character, options).await?;
    pause().await;
    if is("vrm") && !export.is_avatar() {
        let path = path.to_owned();
        return Err(ExportError::NoAvatar { path });
    }
    if !is("gltf") {
        let bytes = export.to_glb()?;
        pause().await;
        let file = begin(path, &bytes)?;
        pause().await;
        finish(path, file)?;
        return Ok(export.report);
    }
    let beside = path.with_extension("bin");
    let file_name = beside.file_name().unwrap_or_default().to_string_lossy();
    let text = export.to_json(Some(container::relative_uri(&file_name)))?;
    // Replaces no file before both are written, so that a full disk leaves the old pair.
    let document = begin(path, text.as_bytes())?;
    if !export.bytes.is_empty() {
        finish(&beside, begin(&beside, &export.bytes)?)?;
    }
    finish(path, document)?;
    Ok(export.report)
}

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

fn write_asset(document: &mut Document) {
    let source = document.asset.take().unwrap_or_default();
    document.asset = Some(Asset {
        version: Some("2.0".into()),
        min_version: None,
        generator: Some(concat!("sinew ", env!("CARGO_PKG_VERSION")).into()),
        ..source
    });
}
