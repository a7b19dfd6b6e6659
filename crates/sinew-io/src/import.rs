//! Imports files of any format: detects the format and calls its importer.

use std::path::{Path, PathBuf};

use sinew::Character;
use sinew::steps::{finish, pause};

#[cfg(feature = "bvh")]
use crate::bvh;
#[cfg(feature = "fbx")]
use crate::fbx;
use crate::foreign::Foreign;
#[cfg(feature = "obj")]
use crate::obj;
#[cfg(feature = "ply")]
use crate::ply;
use crate::report::{FileReport, Severity};
use crate::{gltf, lines, odd, packed};

/// A file format that can be imported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// glTF 2.0, as text, as GLB or as VRM.
    Gltf,
    /// BVH: a skeleton and one motion. Needs the feature `bvh`.
    Bvh,
    /// `.sinew`: a skeleton and packed clips.
    Sinew,
    /// Autodesk FBX, text or binary. Needs the feature `fbx`.
    Fbx,
    /// Wavefront OBJ: meshes without a skeleton. Needs the feature `obj`.
    Obj,
    /// Stanford PLY: one mesh without a skeleton. Needs the feature `ply`.
    Ply,
}

impl Format {
    /// Detects the format by the first bytes, then by the file extension.
    pub fn of(bytes: &[u8], path: Option<&Path>) -> Option<Self> {
        if gltf::looks_like_gltf(bytes) {
            return Some(Self::Gltf);
        }
        if looks_like_bvh(bytes) {
            return Some(Self::Bvh);
        }
        if packed::looks_like_sinew(bytes) {
            return Some(Self::Sinew);
        }
        if looks_like_fbx(bytes) {
            return Some(Self::Fbx);
        }
        if looks_like_ply(bytes) {
            return Some(Self::Ply);
        }
        let extension = path.and_then(Path::extension).and_then(|e| e.to_str());
        match extension.unwrap_or_default().to_ascii_lowercase().as_str() {
            "gltf" | "glb" | "vrm" => Some(Self::Gltf),
            "bvh" => Some(Self::Bvh),
            "sinew" => Some(Self::Sinew),
            "fbx" => Some(Self::Fbx),
            "obj" => Some(Self::Obj),
            "ply" => Some(Self::Ply),
            _ if Foreign::of(bytes, path).is_some() => None,
            _ => lines::looks_like_obj(bytes).then_some(Self::Obj),
        }
    }
}

/// The contents of a file of any format.
#[derive(Clone, Debug)]
pub struct Import {
    /// The character. Its parts are consistent.
    pub character: Character,
    /// Repairs and omissions.
    pub report: FileReport,
    /// The glTF document. On export, it restores data that a [`Character`] cannot hold.
    pub source: Option<gltf::SourceDocument>,
    /// The program that wrote the file, if the file names it.
    pub exporter: Option<String>,
    /// The format of the file. `None` if the character does not come from a file.
    pub format: Option<Format>,
    /// The avatar of a VRM file. The roles of its joints are in the skeleton.
    pub avatar: Option<gltf::vrm::Avatar>,
}

impl Import {
    /// Metres per unit: 1 for glTF, and for FBX after conversion. `None` if the format has no unit.
    pub fn metres_per_unit(&self) -> Option<f64> {
        match self.format? {
            Format::Gltf | Format::Fbx => Some(1.0),
            Format::Bvh | Format::Sinew | Format::Obj | Format::Ply => None,
        }
    }
}

/// The reason why a file cannot be imported.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ImportError {
    /// The file could not be opened or read.
    #[error("cannot read {}: {source}", path.display())]
    Io {
        /// The path of the file.
        path: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// Neither the first bytes nor the extension match a known format.
    #[error(
        "this is not a glTF, GLB, VRM, FBX, BVH, OBJ, PLY or .sinew file; export it as one of them"
    )]
    UnknownFormat,
    /// The file has no bytes.
    #[error("the file is empty; export it again")]
    Empty,
    /// The format is recognised but cannot be imported.
    #[error("this is {}, which is not supported; {}", .0.name(), .0.instead())]
    Foreign(Foreign),
    /// The file is C3D, which holds markers but no skeleton.
    #[error(
        "this is a C3D file, which has markers but no skeleton; make an animated character from it with `sinew mocap FILE.c3d -o OUT.glb`"
    )]
    Markers,
    /// The glTF file is not valid.
    #[error(transparent)]
    Gltf(#[from] gltf::GltfError),
    /// The BVH file is not valid.
    #[cfg(feature = "bvh")]
    #[error(transparent)]
    Bvh(#[from] bvh::BvhError),
    /// The FBX file is not valid.
    #[cfg(feature = "fbx")]
    #[error(transparent)]
    Fbx(#[from] fbx::FbxError),
    /// The file has a supported format, but this build lacks a feature.
    #[error(
        "this is {file}, but this build cannot read it; build with the feature `{feature}`, or export the file as glTF (.glb)"
    )]
    MissingFeature {
        /// Name of the format, with an article.
        file: &'static str,
        /// Name of the feature of this crate.
        feature: &'static str,
    },
    /// The OBJ file is not valid.
    #[cfg(feature = "obj")]
    #[error(transparent)]
    Obj(#[from] obj::ObjError),
    /// The PLY file is not valid.
    #[cfg(feature = "ply")]
    #[error(transparent)]
    Ply(#[from] ply::PlyError),
    /// The `.sinew` file is not valid.
    #[error(transparent)]
    Sinew(#[from] packed::PackedImportError),
}

/// Imports a file of any format, and the files beside it that it refers to.
///
/// # Errors
/// [`ImportError`] states the fault, its location and a remedy.
#[doc(alias = "load")]
#[doc(alias = "open")]
pub fn import(path: impl AsRef<Path>) -> Result<Import, ImportError> {
    let path = path.as_ref();
    let bytes = std::fs::read(path).map_err(|source| ImportError::Io {
        path: path.to_owned(),
        source,
    })?;
    import_at(&bytes, Some(path))
}

/// Imports the bytes of a file of any format, without the files that it refers to.
///
/// # Errors
/// Same as [`import`].
#[doc(alias = "load_bytes")]
pub fn import_bytes(bytes: &[u8]) -> Result<Import, ImportError> {
    import_at(bytes, None)
}

/// True if a document was refused because it is glTF 1.0, in which lists are objects.
fn is_gltf_1(report: &FileReport) -> bool {
    let mut errors = report.of(Severity::Error);
    errors.any(|finding| match finding.code {
        "UNKNOWN_ASSET_MAJOR_VERSION" => finding.message.contains("glTF 1"),
        "TYPE_MISMATCH" => finding.pointer == "/nodes" && finding.message.contains("not an object"),
        _ => false,
    })
}

/// Imports the bytes of the file at `path`. The extension of `path` helps to detect the format.
/// Files that the document refers to are searched beside `path`.
///
/// # Errors
/// Same as [`import`].
pub fn import_at(bytes: &[u8], path: Option<&Path>) -> Result<Import, ImportError> {
    finish(import_in_steps(bytes, path))
}

/// Imports as [`import_at`], in [steps](sinew::steps). A glTF file takes about one step for each array of a primitive, each
/// picture and each clip, and a file of another format takes one step.
///
/// # Errors
/// Same as [`import`].
pub async fn import_in_steps(bytes: &[u8], path: Option<&Path>) -> Result<Import, ImportError> {
    if bytes.is_empty() {
        return Err(ImportError::Empty);
    }
    // These files may have the extension of a supported format.
    if let Some(known @ (Foreign::Gltf1 | Foreign::LfsPointer)) = Foreign::of(bytes, None) {
        return Err(ImportError::Foreign(known));
    }
    let format = Format::of(bytes, path).ok_or_else(|| match Foreign::of(bytes, path) {
        _ if looks_like_c3d(bytes) => marker_error(),
        Some(foreign) => ImportError::Foreign(foreign),
        None => ImportError::UnknownFormat,
    })?;
    let mut import = import_as(format, bytes, path).await?;
    pause().await;
    odd::note(&import.character, &mut import.report);
    Ok(import)
}

async fn import_as(
    format: Format,
    bytes: &[u8],
    path: Option<&Path>,
) -> Result<Import, ImportError> {
    let (character, report) = match format {
        Format::Gltf => {
            let read = gltf::import_file(bytes, path).await;
            let read = read.map_err(|error| match error {
                gltf::GltfError::Invalid(report) if is_gltf_1(&report) => {
                    ImportError::Foreign(Foreign::Gltf1)
                }
                error => error.into(),
            })?;
            let asset = read.source.document.asset.as_ref();
            let generator = asset.and_then(|asset| asset.generator.as_deref());
            return Ok(Import {
                exporter: generator.map(str::to_owned),
                source: Some(read.source),
                avatar: read.avatar,
                ..plain(format, read.character, read.report)
            });
        }
        #[cfg(feature = "fbx")]
        Format::Fbx => {
            let read = fbx::import_file(bytes, path)?;
            return Ok(Import {
                exporter: read.exporter,
                ..plain(format, read.character, read.report)
            });
        }
        #[cfg(not(feature = "fbx"))]
        Format::Fbx => return Err(missing("an FBX file", "fbx")),
        Format::Sinew => packed::import_bytes(bytes)?,
        #[cfg(feature = "obj")]
        Format::Obj => obj::import_named(bytes, path)?,
        #[cfg(not(feature = "obj"))]
        Format::Obj => return Err(missing("an OBJ file", "obj")),
        #[cfg(feature = "ply")]
        Format::Ply => {
            let (character, report, exporter) = ply::import_named(bytes, path)?;
            return Ok(Import {
                exporter,
                ..plain(format, character, report)
            });
        }
        #[cfg(not(feature = "ply"))]
        Format::Ply => return Err(missing("a PLY file", "ply")),
        #[cfg(feature = "bvh")]
        Format::Bvh => {
            let read = bvh::import_named(bytes, path)?;
            (read.character, read.report)
        }
        #[cfg(not(feature = "bvh"))]
        Format::Bvh => return Err(missing("a BVH file", "bvh")),
    };
    Ok(plain(format, character, report))
}

fn plain(format: Format, character: Character, report: FileReport) -> Import {
    Import {
        character,
        report,
        source: None,
        exporter: None,
        format: Some(format),
        avatar: None,
    }
}

fn marker_error() -> ImportError {
    if cfg!(feature = "c3d") {
        ImportError::Markers
    } else {
        missing("a C3D file", "c3d")
    }
}

fn missing(file: &'static str, feature: &'static str) -> ImportError {
    ImportError::MissingFeature { file, feature }
}

/// True if the bytes look like C3D. The test is weak, so other formats are tested first.
fn looks_like_c3d(bytes: &[u8]) -> bool {
    bytes.len() >= 512 && bytes[0] >= 2 && bytes[1] == 0x50
}

/// Comments before the first word count only if BVH can be read.
fn looks_like_bvh(bytes: &[u8]) -> bool {
    #[cfg(feature = "bvh")]
    let is_bvh = bvh::looks_like_bvh(bytes);
    #[cfg(not(feature = "bvh"))]
    let is_bvh = {
        let first = bytes.trim_ascii_start().get(..9);
        first.is_some_and(|word| word.eq_ignore_ascii_case(b"HIERARCHY"))
    };
    is_bvh
}

fn looks_like_ply(bytes: &[u8]) -> bool {
    matches!(bytes, [b'p', b'l', b'y', b'\n' | b'\r' | b' ', ..])
}

fn looks_like_fbx(bytes: &[u8]) -> bool {
    let head = &bytes[..bytes.len().min(1024)];
    let contains = |word: &[u8]| head.windows(word.len()).any(|part| part == word);
    bytes.starts_with(b"Kaydara FBX Binary")
        || bytes.starts_with(b"; FBX")
        || contains(b"FBXHeaderExtension:")
}
