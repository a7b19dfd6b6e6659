//! Reasons why a glTF file was refused.

use std::fmt::Write as _;
use std::path::PathBuf;

use crate::report::{FileReport, Severity};

/// Max findings that the message of a refusal spells out; the report holds the rest.
const SPELLED_OUT: usize = 4;

/// The reason why a glTF file was refused.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GltfError {
    /// The file itself could not be read.
    #[error("cannot read {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's message.
        source: std::io::Error,
    },
    /// The GLB container is broken; the report says at which bytes.
    #[error("the GLB container is broken: {}", summary(.0))]
    Glb(FileReport),
    /// The JSON text is not JSON.
    #[error("the JSON is broken at line {line}, column {column}: {message}")]
    Json {
        /// Line of the text, counted from one.
        line: usize,
        /// Column of the line, counted from one.
        column: usize,
        /// The parser's message.
        message: String,
        /// Findings from before, in the container.
        report: FileReport,
    },
    /// The document breaks rules that leave it without a meaning; the report holds everything that was found.
    #[error("the document is invalid: {}", summary(.0))]
    Invalid(FileReport),
    /// The document says that it cannot be read without an extension that this library does not have.
    #[error(
        "{pointer}: the document requires the extension {name}, {reason}; export it again without that extension"
    )]
    UnsupportedExtension {
        /// The location in the document.
        pointer: String,
        /// The extension, as `extensionsRequired` spells it.
        name: String,
        /// The reason why it cannot be read.
        reason: &'static str,
    },
    /// The document asks for more memory than its size justifies.
    #[error(
        "{pointer}: {what} would take {wanted} bytes, past the limit of {limit} bytes for a file of this size"
    )]
    MemoryLimit {
        /// The use of the memory.
        what: &'static str,
        /// The location in the document.
        pointer: String,
        /// Bytes that it would take.
        wanted: u64,
        /// The limit for the whole import.
        limit: u64,
    },
    /// The document was read, but no character can be made of it.
    #[error("{pointer}: no character can be made of this document: {reason}")]
    Character {
        /// The location in the document.
        pointer: String,
        /// The reason.
        reason: String,
    },
}

impl GltfError {
    /// Everything that was found before the refusal, where a report was made.
    pub fn report(&self) -> Option<&FileReport> {
        match self {
            Self::Glb(report) | Self::Invalid(report) | Self::Json { report, .. } => Some(report),
            _ => None,
        }
    }
}

fn summary(report: &FileReport) -> String {
    let mut text = String::new();
    let mut spelled_out = 0;
    for finding in report.of(Severity::Error).take(SPELLED_OUT) {
        if spelled_out > 0 {
            text.push_str("; ");
        }
        // Writing to a string cannot fail.
        let _ = write!(text, "{finding}");
        spelled_out += 1;
    }
    let more = report.count(Severity::Error).saturating_sub(spelled_out);
    if more > 0 {
        let _ = write!(text, "; and {more} more");
    }
    text.push_str(". Correct these places, or export the file again");
    text
}
