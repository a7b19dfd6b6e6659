//! Commands of time.

use crate::state::playback::{Ending, TimeUnit};
use serde::{Deserialize, Serialize};

/// A change of the clips that play, or of the clock.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum PlaybackCommand {
    /// Plays a clip of the shown file from its beginning, or shows the rest pose.
    Clip {
        /// Its index; the rest pose without.
        clip: Option<usize>,
    },
    /// Blends a further clip with the one that plays; not at all with weight 0.
    Blend {
        /// Its index.
        clip: usize,
        /// Weight beside the first clip's, which is 1: 0 to 1.
        weight: f32,
    },
    /// Lets time move.
    Play,
    /// Stops time.
    Pause,
    /// Plays when paused, pauses when playing.
    TogglePlay,
    /// Goes to a time.
    Seek {
        /// Time within the clip.
        time_secs: f64,
    },
    /// Goes some frames on, or back, and pauses.
    StepFrames {
        /// Number of frames; below 0 back.
        frames: i32,
    },
    /// Goes to the next key of the selected joint, or of any without one, and pauses.
    NextKey,
    /// Goes to the one before.
    PreviousKey,
    /// Sets the speed of time.
    Speed {
        /// 0.05 to 4; 1 is that of the clip.
        speed: f64,
    },
    /// Sets what happens at the end.
    Ending {
        /// Loop, ping-pong or stop.
        ending: Ending,
    },
    /// Sets the first and the last moment that are played.
    Range {
        /// Both, within the clip; the whole clip without.
        range_secs: Option<[f64; 2]>,
    },
    /// Sets the number of frames of a second.
    Fps {
        /// 1 to 1000.
        fps: f64,
    },
    /// Sets the unit of the ruler.
    Unit {
        /// Seconds or frames.
        unit: TimeUnit,
    },
    /// Lets the root travel, or keeps it.
    RootMotion {
        /// True where it travels.
        on: bool,
    },
}
