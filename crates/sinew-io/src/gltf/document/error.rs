use std::fmt::Write as _;
use std::path::PathBuf;

use crate::report::{FileReport, Severity};

/// Max number of findings in an error message. The report holds all findings.
const SPELLED_OUT: usize = 4;

/// The reason why a glTF file cannot be imported.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GltfError {
    /// The file could not be opened or read.
    #[error("cannot read {}: {source}", path.display())]
    Io {
        /// The path of the file.
        path: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// The GLB container is malformed. The report gives byte offsets.
    #[error("the GLB container is invalid: {}", summary(.0))]
    Glb(FileReport),
    /// The text is not JSON.
    #[error("the JSON is invalid at line {line}, column {column}: {message}")]
    Json {
        /// Line, counted from 1.
        line: usize,
        /// Column, counted from 1.
        column: usize,
        /// Message of the parser.
        message: String,
        /// Earlier findings about the container.
        report: FileReport,
    },
    /// The document breaks rules and has no clear meaning. The report lists the faults.
    #[error("the document is invalid: {}", summary(.0))]
    Invalid(FileReport),
    /// The document requires an unsupported extension.
    #[error(
        "{pointer}: the document requires the extension {name}, {reason}; export it again without that extension"
    )]
    UnsupportedExtension {
        /// JSON pointer of the requirement.
        pointer: String,
        /// Name of the extension, as in `extensionsRequired`.
        name: String,
        /// The reason why it is not supported.
        reason: &'static str,
    },
    /// The document needs more memory than the limit for its size.
    #[error(
        "{pointer}: {what} would need {requested} bytes of memory, which exceeds the limit of {limit} bytes for a file of this size"
    )]
    MemoryLimit {
        /// Purpose of the memory.
        what: &'static str,
        /// JSON pointer of the cause.
        pointer: String,
        /// Number of requested bytes.
        requested: u64,
        /// Limit for the whole import, in bytes.
        limit: u64,
    },
    /// The document is valid but does not form a character.
    #[error("{pointer}: no character can be made from this document: {reason}")]
    Character {
        /// JSON pointer of the cause.
        pointer: String,
        /// Description of the fault.
        reason: String,
    },
}

impl GltfError {
    /// Findings before the failure, for variants with a report.
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
        let _ = write!(text, "{finding}");
        spelled_out += 1;
    }
    let more = report.count(Severity::Error).saturating_sub(spelled_out);
    if more > 0 {
        let _ = write!(text, "; and {more} more");
    }
    text.push_str(". Correct them, or export the file again");
    text
}
