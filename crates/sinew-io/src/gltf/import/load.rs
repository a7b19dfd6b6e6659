//! Loads and checks a document with its buffers.

use std::path::Path;

use crate::gltf::bytes::buffers::{Buffers, Source};
use crate::gltf::bytes::unpack::unpack;
use crate::gltf::check;
use crate::gltf::document::budget::Budget;
use crate::gltf::document::error::GltfError;
use crate::gltf::document::glb::{self, Glb};
use crate::gltf::document::schema::Document;
use crate::report::{FileReport, Severity};
use sinew::steps::{finish, pause};

/// A checked document and the bytes that it refers to.
#[derive(Debug)]
pub struct Loaded<'a> {
    /// The document, with compressed data unpacked.
    pub document: Document,
    /// Bytes of its buffers.
    pub buffers: Buffers<'a>,
    /// Findings. Some of them may be errors.
    pub report: FileReport,
    /// Memory budget for decoding.
    pub budget: Budget,
}

/// Container of a glTF file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Container {
    /// JSON text.
    Gltf,
    /// GLB, the binary container.
    Glb,
}

impl Container {
    /// Selects the container by the file extension.
    pub fn of_path(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_str()?;
        let is_one_of = |known: &[&str]| known.iter().any(|k| extension.eq_ignore_ascii_case(k));
        if is_one_of(&["glb", "vrm"]) {
            Some(Self::Glb)
        } else if is_one_of(&["gltf"]) {
            Some(Self::Gltf)
        } else {
            None
        }
    }

    /// Selects the container by the first bytes, then by the file extension.
    fn of_bytes(bytes: &[u8], named: Option<Self>) -> Self {
        if bytes.starts_with(GLB_MAGIC) {
            return Self::Glb;
        }
        let text = text_start(bytes);
        if text.starts_with(b"{") {
            return Self::Gltf;
        }
        let looks_like_text = text.first().is_some_and(|byte| byte.is_ascii_graphic());
        named.unwrap_or(if looks_like_text {
            Self::Gltf
        } else {
            Self::Glb
        })
    }
}

pub(crate) fn looks_like_gltf(bytes: &[u8]) -> bool {
    bytes.starts_with(GLB_MAGIC) || text_start(bytes).starts_with(b"{")
}

/// Skips the byte order mark and white space.
fn text_start(bytes: &[u8]) -> &[u8] {
    let unmarked = bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes);
    unmarked.trim_ascii_start()
}

const GLB_MAGIC: &[u8] = b"glTF";

const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// Reads a document and checks everything except the numbers in its buffers.
///
/// # Errors
/// If the container or the JSON is malformed, or the memory limit is exceeded. Other faults are
/// errors in the report.
pub fn load<'a>(
    bytes: &'a [u8],
    named: Option<Container>,
    folder: Option<&'a Path>,
) -> Result<Loaded<'a>, GltfError> {
    finish(load_in_steps(bytes, named, folder))
}

/// As [`load`], in [steps](sinew::steps).
pub(super) async fn load_in_steps<'a>(
    bytes: &'a [u8],
    named: Option<Container>,
    folder: Option<&'a Path>,
) -> Result<Loaded<'a>, GltfError> {
    let mut report = FileReport::default();
    let glb = match Container::of_bytes(bytes, named) {
        Container::Gltf => Glb {
            json: bytes,
            bin: None,
        },
        Container::Glb => match glb::read(bytes, &mut report) {
            Some(glb) => glb,
            None => return Err(GltfError::Glb(report)),
        },
    };
    let mut budget = Budget::for_json(glb.json.len());
    pause().await;
    let text = match text_of(glb.json, &mut report) {
        Ok(text) => text,
        Err(error) => return Err(with_report(error, report)),
    };
    let document = match Document::read(text, &mut report, &mut budget) {
        Ok(document) => document,
        Err(error) => return Err(with_report(error, report)),
    };
    let Some(mut document) = document else {
        return Err(GltfError::Invalid(report));
    };
    check_version(&document, &mut report);
    if let Some(bin) = glb.bin {
        budget.grow_for(bin.len());
    }
    let source = Source {
        bin: glb.bin,
        folder,
    };
    pause().await;
    let mut buffers = Buffers::load(&mut document, source, &mut report, &mut budget)?;
    unpack(&mut document, &mut buffers, &mut report, &mut budget).await?;
    pause().await;
    check::check(&document, &mut report);
    check::forgive_unused(&document, &mut report);
    Ok(Loaded {
        document,
        buffers,
        report,
        budget,
    })
}

fn with_report(error: GltfError, mut report: FileReport) -> GltfError {
    match error {
        GltfError::Json {
            line,
            column,
            message,
            ..
        } => {
            let text = format_args!("line {line}, column {column}: {message}");
            report.add(Severity::Error, "INVALID_JSON", "", text);
            GltfError::Json {
                line,
                column,
                message,
                report,
            }
        }
        other => other,
    }
}

fn text_of<'a>(json: &'a [u8], report: &mut FileReport) -> Result<&'a str, GltfError> {
    let without_mark = json.strip_prefix(BYTE_ORDER_MARK);
    if without_mark.is_some() {
        let message = "the text begins with a byte order mark, which was skipped";
        report.add(Severity::Repaired, "INVALID_JSON", "", message);
    }
    let json = without_mark.unwrap_or(json);
    std::str::from_utf8(json).map_err(|error| {
        let before = json.get(..error.valid_up_to()).unwrap_or_default();
        let line_start = before
            .iter()
            .rposition(|byte| *byte == b'\n')
            .map_or(0, |at| at + 1);
        GltfError::Json {
            line: before.iter().filter(|byte| **byte == b'\n').count() + 1,
            column: before.len() - line_start + 1,
            message: "the text is not UTF-8".to_owned(),
            report: FileReport::default(),
        }
    })
}

fn parts_of(version: &str) -> Option<(u32, u32)> {
    let (major, minor) = version.split_once('.')?;
    Some((major.parse().ok()?, minor.parse().ok()?))
}

fn check_min_version(min: &str, version: Option<&str>, report: &mut FileReport) {
    let pointer = "/asset/minVersion";
    let Some(parts) = parts_of(min) else {
        let message = format_args!("`{min}` is not a version such as 2.0");
        report.add(Severity::Ignored, "PATTERN_MISMATCH", pointer, message);
        return;
    };
    if version
        .and_then(parts_of)
        .is_some_and(|version| parts > version)
    {
        let message = format_args!("the minimum version `{min}` is greater than the version");
        let code = "ASSET_MIN_VERSION_GREATER_THAN_VERSION";
        report.add(Severity::Ignored, code, pointer, message);
    }
    if parts > (2, 0) {
        let message = format_args!(
            "the document needs a reader of glTF `{min}`; this library reads glTF 2.0"
        );
        let code = "UNSUPPORTED_ASSET_MIN_VERSION";
        report.add(Severity::Error, code, pointer, message);
    }
}

fn check_version(document: &Document, report: &mut FileReport) {
    let Some(asset) = &document.asset else {
        return;
    };
    if let Some(min) = asset.min_version.as_deref() {
        check_min_version(min, asset.version.as_deref(), report);
    }
    let Some(version) = asset.version.as_deref() else {
        return;
    };
    let pointer = "/asset/version";
    match parts_of(version) {
        Some((2, 0)) => {}
        Some((2, minor)) => {
            let message =
                format_args!("the document is written for glTF 2.{minor}; it was read as 2.0");
            report.add(
                Severity::Note,
                "UNKNOWN_ASSET_MINOR_VERSION",
                pointer,
                message,
            );
        }
        Some((major, _)) => {
            let message = format_args!("glTF {major} is not supported; convert the file to glTF 2");
            report.add(
                Severity::Error,
                "UNKNOWN_ASSET_MAJOR_VERSION",
                pointer,
                message,
            );
        }
        None => {
            let message = format_args!("`{version}` is not a version such as 2.0");
            report.add(Severity::Error, "PATTERN_MISMATCH", pointer, message);
        }
    }
}
