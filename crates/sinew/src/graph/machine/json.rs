use super::state_machine::StateMachine;
use thiserror::Error;

/// Error while a state machine is read from JSON.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("line {line}, column {column}: {message}")]
#[non_exhaustive]
pub struct JsonError {
    /// Line number, from 1.
    pub line: usize,
    /// Column number, from 1. 0 at the start of a line.
    pub column: usize,
    /// Description of the mistake and of the expected text.
    pub message: String,
}

impl StateMachine {
    /// Reads a state machine in the format of `docs/graph.md`.
    ///
    /// ```
    /// use sinew::graph::StateMachine;
    /// let text = r#"{ "states": [{ "name": "stand", "motion": { "clip": "idle" } }] }"#;
    /// assert_eq!(StateMachine::from_json(text)?.states[0].name, "stand");
    ///
    /// let typo = text.replace("motion", "moves");
    /// let error = StateMachine::from_json(&typo).unwrap_err().to_string();
    /// assert!(error.starts_with("line 1, column 39: unknown field `moves`, expected one of `name`"), "{error}");
    /// # Ok::<(), sinew::graph::JsonError>(())
    /// ```
    ///
    /// # Errors
    /// [`JsonError`] for invalid JSON, unknown members and bad values. `build` checks names later.
    pub fn from_json(text: &str) -> Result<Self, JsonError> {
        serde_json::from_str(text).map_err(|error| {
            let message = error.to_string();
            // The message of serde ends with the position, which our error states first.
            let position = format!(" at line {} column {}", error.line(), error.column());
            JsonError {
                line: error.line(),
                column: error.column(),
                message: message
                    .strip_suffix(&position)
                    .unwrap_or(&message)
                    .to_owned(),
            }
        })
    }
}
