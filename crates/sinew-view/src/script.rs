//! Scripts: lists of commands, with waits between them.

use crate::state::Command;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// Step of a script.
#[derive(Clone, Debug, PartialEq)]
#[expect(clippy::large_enum_variant, reason = "scripts have few steps")]
pub enum Step {
    /// Runs a command.
    Do(Command),
    /// Finishes all background work, then advances time: `{"do": "wait", "secs": 0.5}`.
    Wait {
        /// Duration, in seconds.
        secs: f64,
    },
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
enum Other {
    Wait {
        #[serde(default)]
        secs: f64,
    },
}

/// Error of a script.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ScriptError {
    /// The text is not a list in JSON.
    #[error("a script is a JSON list of commands: {0}")]
    NoList(serde_json::Error),
    /// A step is not valid.
    #[error("step {step}: {why}")]
    Step {
        /// Number of the step, from 1.
        step: usize,
        /// Error of the parser.
        why: serde_json::Error,
    },
}

/// Parses a script: `[{"do": "clip", "clip": 1}, {"do": "wait", "secs": 0.5}]`.
///
/// # Errors
/// [`ScriptError`] if the text is not a list, or if a step is not a command.
pub fn parse(text: &str) -> Result<Vec<Step>, ScriptError> {
    let steps: Vec<serde_json::Value> = serde_json::from_str(text).map_err(ScriptError::NoList)?;
    let step = |(index, step): (usize, serde_json::Value)| {
        let is_other = step["do"].as_str() == Some("wait");
        let read = if is_other {
            serde_json::from_value(step).map(|Other::Wait { secs }| Step::Wait { secs })
        } else {
            serde_json::from_value(step).map(Step::Do)
        };
        read.map_err(|why| ScriptError::Step {
            step: index + 1,
            why,
        })
    };
    steps.into_iter().enumerate().map(step).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::PlaybackCommand;

    #[test]
    fn commands_and_waits_are_told_apart_and_what_is_wrong_is_named() {
        let text = r#"[{"do": "seek", "time_secs": 0.4}, {"do": "wait", "secs": 0.5}, {"do": "play"}, {"do": "wait"}]"#;
        let steps = parse(text).unwrap();
        assert_eq!(
            steps[0],
            Step::Do(PlaybackCommand::Seek { time_secs: 0.4 }.into())
        );
        assert_eq!(steps[1], Step::Wait { secs: 0.5 });
        assert_eq!(steps[2], Step::Do(PlaybackCommand::Play.into()));
        assert_eq!(steps[3], Step::Wait { secs: 0.0 });
        for (text, wrong) in [
            ("{}", "a script is a JSON list of commands"),
            ("[", "a script is a JSON list of commands"),
            (
                r#"[{"do": "play"}, {"do": "jump"}]"#,
                "step 2: unknown variant `jump`",
            ),
            (r#"[{"do": "seek"}]"#, "step 1: missing field `time_secs`"),
            (
                r#"[{"do": "seek", "time_secs": "now"}]"#,
                "step 1: invalid type: string \"now\", expected f64",
            ),
            (
                r#"[{"do": "theme", "theme": "blue"}]"#,
                "step 1: unknown variant `blue`, expected `dark` or `light`",
            ),
            (
                "[7]",
                "step 1: invalid type: integer `7`, expected a command",
            ),
            (r#"[{"to": 7}]"#, "step 1: missing field `do`"),
        ] {
            let error = parse(text).unwrap_err().to_string();
            assert!(error.starts_with(wrong), "{text}: {error}");
        }
    }
}
