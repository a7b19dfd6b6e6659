//! Edits of events and named curves.

use crate::name::Name;
use serde::{Deserialize, Serialize};

/// A change of the events and of the named curves of a clip.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
#[non_exhaustive]
pub enum EventEdit {
    /// Adds an event.
    AddEvent {
        /// Clip that gets the event: a name or an index.
        clip: Name,
        /// Time of the event, in seconds in [0, 1,000,000].
        time_secs: f32,
        /// Name of the event.
        name: String,
    },
    /// Moves or renames an event.
    SetEvent {
        /// Clip to change: a name or an index.
        clip: Name,
        /// Index of the event, in order of time.
        event: usize,
        /// New time, in seconds in [0, 1,000,000]. Default: unchanged.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        time_secs: Option<f32>,
        /// New name. Default: unchanged.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
    },
    /// Removes an event.
    DeleteEvent {
        /// Clip to change: a name or an index.
        clip: Name,
        /// Index of the event, in order of time.
        event: usize,
    },
    /// Sets a key of a named curve of one number. Adds the curve if it does not exist.
    SetCurveKey {
        /// Clip to change: a name or an index.
        clip: Name,
        /// Name of the curve.
        curve: String,
        /// Time of the key, in seconds in [0, 1,000,000].
        time_secs: f32,
        /// Value of the curve at this time.
        value: f32,
    },
    /// Deletes a key of a curve. The last key takes the curve with it.
    DeleteCurveKey {
        /// Clip to change: a name or an index.
        clip: Name,
        /// Name of the curve.
        curve: String,
        /// Time of the key, in seconds.
        time_secs: f32,
    },
    /// Moves a key of a curve to another time or value.
    MoveCurveKey {
        /// The clip.
        clip: Name,
        /// Name of the curve.
        curve: String,
        /// Time of the key.
        time_secs: f32,
        /// New time, at which the curve may have no other key. Default: unchanged.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        to_secs: Option<f32>,
        /// New value. Default: unchanged.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        value: Option<f32>,
    },
    /// Changes the name of a curve.
    RenameCurve {
        /// The clip.
        clip: Name,
        /// Name of the curve.
        curve: String,
        /// New name, which no other curve of the clip may have.
        name: String,
    },
    /// Removes a curve.
    DeleteCurve {
        /// Clip to change: a name or an index.
        clip: Name,
        /// Name of the curve.
        curve: String,
    },
}
