//! Edits of whole clips.

use super::values::Clean;
use crate::name::Name;
use serde::{Deserialize, Serialize};

/// A change of a whole clip, or of the list of clips.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
#[non_exhaustive]
pub enum ClipEdit {
    /// Adds an empty clip.
    NewClip {
        /// Name, which no other clip may have.
        name: String,
        /// Duration in seconds, in [0, 1,000,000]. Default 0: it grows with the keys.
        #[serde(default)]
        duration_secs: f32,
    },
    /// Removes a clip.
    DeleteClip {
        /// Clip to remove: a name or an index.
        clip: Name,
    },
    /// Changes the name of a clip.
    RenameClip {
        /// Clip to rename: a name or an index.
        clip: Name,
        /// New name, which no other clip may have.
        name: String,
    },
    /// Adds a copy of a clip, with its layers.
    CopyClip {
        /// Clip to copy: a name or an index.
        clip: Name,
        /// Name of the copy.
        name: String,
    },
    /// Keeps the part between two times, moved to start at 0.
    TrimClip {
        /// Clip to change: a name or an index.
        clip: Name,
        /// Start of the part, in seconds. At least 0.
        from_secs: f32,
        /// End of the part, in seconds. After the start, at most the duration.
        to_secs: f32,
    },
    /// Cuts a clip in two. The first part keeps its name.
    SplitClip {
        /// Clip to cut: a name or an index. The second part becomes the clip after it.
        clip: Name,
        /// Time of the cut, in seconds from the start. Between 0 and the duration, without both.
        time_secs: f32,
        /// Name of the second part.
        name: String,
    },
    /// Plays a clip backwards.
    ReverseClip {
        /// Clip to change: a name or an index.
        clip: Name,
    },
    /// Exchanges left and right of a clip: joints by body part and name, events and curves by name.
    MirrorClip {
        /// Clip to change: a name or an index.
        clip: Name,
    },
    /// Corrects the motion evenly so that it ends in its first pose. The path of the root stays.
    CloseLoop {
        /// Clip to change: a name or an index.
        clip: Name,
    },
    /// Multiplies all times of a clip.
    RetimeClip {
        /// Clip to change: a name or an index.
        clip: Name,
        /// Factor in [0.01, 100]; 2 plays at half the speed.
        factor: f32,
    },
    /// Sets the duration. Not before the last key or event.
    SetDuration {
        /// Clip to change: a name or an index.
        clip: Name,
        /// Duration in seconds, from the last key or event to 1,000,000.
        duration_secs: f32,
    },
    /// Sets keys at a fixed rate in every track.
    ResampleClip {
        /// Clip to change: a name or an index.
        clip: Name,
        /// Keys per second, above 0.
        fps: f64,
    },
    /// Repairs a capture: gaps, spikes, noise, limits and sliding feet.
    CleanClip(Clean),
}
