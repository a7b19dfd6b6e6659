use crate::edit::{Edit, JointValue};
use thiserror::Error;

/// Error of reading a script.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ScriptError {
    /// Text that is not JSON, or an edit with an unknown name or option.
    #[error("edit {number}, line {line}: {reason}")]
    Edit {
        /// Number of the edit, from 1.
        number: usize,
        /// Line of the text, from 1.
        line: usize,
        /// Reason, with the names that exist.
        reason: String,
    },
    /// Text that is not a list of joints.
    #[error(
        "not a pose: {0}; a pose is a list like [{{\"joint\": \"head\", \"rotation\": [0, 0, 0, 1]}}]"
    )]
    Pose(String),
}

/// Reads a script: a JSON list of edits, or a journal with an edit per line. Lines of a journal that are not edits begin
/// with `{"journal` and are skipped.
///
/// # Errors
/// If the text is not JSON, or an edit has an unknown name or option.
pub fn read_script(text: &str) -> Result<Vec<Edit>, ScriptError> {
    let wrong = |number: usize, line: usize, error: &serde_json::Error| {
        // The line is said before the reason.
        let reason = error.to_string();
        let reason = reason
            .rsplit_once(" at line ")
            .map_or(&*reason, |parts| parts.0);
        ScriptError::Edit {
            number: number + 1,
            line,
            reason: reason.to_owned(),
        }
    };
    if text.trim_start().starts_with('[') {
        let list: Vec<&serde_json::value::RawValue> =
            serde_json::from_str(text).map_err(|error| wrong(0, error.line(), &error))?;
        let edits = list.iter().enumerate().map(|(number, edit)| {
            let line = line_of(text, edit.get());
            serde_json::from_str(edit.get()).map_err(|error| wrong(number, line, &error))
        });
        return edits.collect();
    }
    let lines = text
        .lines()
        .enumerate()
        .filter(|(_, line)| !line.trim().is_empty() && !line.starts_with("{\"journal"));
    let edits = lines.enumerate().map(|(number, (line, edit))| {
        serde_json::from_str(edit).map_err(|error| wrong(number, line + 1, &error))
    });
    edits.collect()
}

/// Line of a part of a text, from 1.
fn line_of(text: &str, part: &str) -> usize {
    let offset = (part.as_ptr().addr()).saturating_sub(text.as_ptr().addr());
    let before = text.as_bytes().get(..offset).unwrap_or_default();
    1 + before.iter().filter(|byte| **byte == b'\n').count()
}

/// Reads a pose: a JSON list of joints with their transforms relative to parents.
///
/// # Errors
/// If the text is not such a list.
pub fn read_pose(text: &str) -> Result<Vec<JointValue>, ScriptError> {
    serde_json::from_str(text).map_err(|error| ScriptError::Pose(error.to_string()))
}
