//! Commands, which alone change document and state. Each group of commands has one receiver.
//!
//! To add a command, add a variant to its group here, and an arm to the receiver of the group in
//! [`crate::session`]. Scripts use the name of the variant. `docs/view.md` lists all commands.

mod camera;
mod editing;
mod file;
mod history;
mod look;
mod pane;
mod playback;
mod pose;
mod selection;
mod window;

pub use camera::CameraCommand;
pub use editing::EditingCommand;
pub use file::FileCommand;
pub use history::HistoryCommand;
pub use look::LookCommand;
pub use pane::PaneCommand;
pub use playback::PlaybackCommand;
pub use pose::PoseCommand;
pub use selection::SelectionCommand;
pub use window::WindowCommand;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use sinew_edit::{ClipEdit, Edit, EventEdit, KeyEdit, LayerEdit, PoseEdit, flat};
use std::sync::LazyLock;

/// Defines [`Command`] with one variant per group. Scripts contain only the inner command.
macro_rules! command_groups {
    ($($(#[$about:meta])* $group:ident($commands:ident),)*) => {
        /// Change of the document or the view. In a script: `{"do": "seek", "time_secs": 0.4}`.
        ///
        /// Clamps numbers. A command for a missing file, clip, joint or pane has no effect.
        #[derive(Clone, Debug, PartialEq)]
        pub enum Command {
            $($(#[$about])* $group($commands),)*
        }

        $(impl From<$commands> for Command {
            fn from(command: $commands) -> Self {
                Self::$group(command)
            }
        })*

        impl Serialize for Command {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                match self {
                    $(Self::$group(command) => command.serialize(serializer),)*
                }
            }
        }

        impl<'de> Deserialize<'de> for Command {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let groups = [$(flat::Group::of::<$commands>(),)*];
                flat::read(deserializer, &groups, &NAMES)
            }
        }

        static NAMES: LazyLock<Vec<&str>> =
            LazyLock::new(|| [$(flat::names::<$commands>(),)*].concat());
    };
}

command_groups! {
    /// Open files, messages and exports.
    File(FileCommand),
    /// Clips and the clock.
    Playback(PlaybackCommand),
    /// Rotations of joints by hand.
    Pose(PoseCommand),
    /// Edits of the shown file, as `sinew edit` has them.
    Edit(Edit),
    /// Undo, redo and drags.
    History(HistoryCommand),
    /// Selected keys, active layer and auto-key.
    Editing(EditingCommand),
    /// The camera of all panes.
    Camera(CameraCommand),
    /// The selection.
    Selection(SelectionCommand),
    /// Skin, overlays, effects and background.
    Look(LookCommand),
    /// Panes side by side.
    Pane(PaneCommand),
    /// Panels, theme and letter size.
    Window(WindowCommand),
}

/// Edits of each kind are commands.
macro_rules! edits {
    ($($edit:ident),*) => {
        $(impl From<$edit> for Command {
            fn from(edit: $edit) -> Self {
                Self::Edit(edit.into())
            }
        })*
    };
}

edits!(ClipEdit, KeyEdit, EventEdit, PoseEdit, LayerEdit);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::FileId;
    use std::collections::BTreeSet;

    #[test]
    fn commands_of_all_groups_are_written_flat_and_read_back() {
        let commands: [(Command, &str); 8] = [
            (
                FileCommand::Show { file: FileId(2) }.into(),
                r#"{"do":"show","file":2}"#,
            ),
            (
                PlaybackCommand::Clip { clip: None }.into(),
                r#"{"do":"clip","clip":null}"#,
            ),
            (PoseCommand::ResetTurns.into(), r#"{"do":"reset_turns"}"#),
            (
                CameraCommand::Zoom { factor: 1.5 }.into(),
                r#"{"do":"zoom","factor":1.5}"#,
            ),
            (
                SelectionCommand::Select {
                    selection: crate::state::Selection::Joint(7),
                }
                .into(),
                r#"{"do":"select","selection":{"joint":7}}"#,
            ),
            (
                LookCommand::Pass {
                    pass: crate::state::Pass::Bloom,
                    on: true,
                }
                .into(),
                r#"{"do":"pass","pass":"bloom","on":true}"#,
            ),
            (PaneCommand::CompareNone.into(), r#"{"do":"compare_none"}"#),
            (
                WindowCommand::LetterSize { zoom: 2.0 }.into(),
                r#"{"do":"letter_size","zoom":2.0}"#,
            ),
        ];
        for (command, text) in commands {
            assert_eq!(serde_json::to_string(&command).expect("text"), text);
            assert_eq!(serde_json::from_str::<Command>(text).expect(text), command);
        }
    }

    #[test]
    fn no_two_groups_have_a_command_of_the_same_name() {
        let unknown = serde_json::from_str::<Command>(r#"{"do": "fly"}"#).expect_err("none");
        let unknown = unknown.to_string();
        let names: Vec<&str> = unknown.split('`').skip(3).step_by(2).collect();
        let different: BTreeSet<&str> = names.iter().copied().collect();
        assert_eq!(names.len(), different.len(), "{names:?}");
    }
}
