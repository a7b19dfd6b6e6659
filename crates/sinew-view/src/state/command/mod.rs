//! Commands: the only way to change anything. They come in groups, each with one receiver.
//!
//! A new command is a variant of its group here and an arm of the group's receiver in [`crate::session`], which the
//! compiler asks for. Scripts know it by the variant's name; `docs/view.md` lists it.

mod camera;
mod file;
mod flat;
mod look;
mod pane;
mod playback;
mod pose;
mod selection;
mod window;

pub use camera::CameraCommand;
pub use file::FileCommand;
pub use look::LookCommand;
pub use pane::PaneCommand;
pub use playback::PlaybackCommand;
pub use pose::PoseCommand;
pub use selection::SelectionCommand;
pub use window::WindowCommand;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Defines [`Command`] from its groups: one variant each, made from a command of the group, and written in scripts as
/// that command alone.
macro_rules! command_groups {
    ($($(#[$about:meta])* $group:ident($commands:ident),)*) => {
        /// A change of the document or of the way it is looked at. In a script, `{"do": "seek", "time_secs": 0.4}`.
        ///
        /// Numbers out of range are brought into it; files, clips, joints and panes that are not there change nothing.
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
                flat::read(deserializer, &groups)
            }
        }
    };
}

command_groups! {
    /// Files in and out, and messages about them.
    File(FileCommand),
    /// Clips and the clock.
    Playback(PlaybackCommand),
    /// Joints moved by hand.
    Pose(PoseCommand),
    /// The camera of all panes.
    Camera(CameraCommand),
    /// The selection.
    Selection(SelectionCommand),
    /// Skin, overlays, effects, background.
    Look(LookCommand),
    /// Panes side by side.
    Pane(PaneCommand),
    /// Panels, theme, letters.
    Window(WindowCommand),
}
