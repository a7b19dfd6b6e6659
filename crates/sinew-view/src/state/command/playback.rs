use crate::state::playback::{Ending, TimeUnit};
use serde::{Deserialize, Serialize};

/// A change of the clips that play, or of the clock.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum PlaybackCommand {
    /// Plays a clip of the shown file from its beginning, or shows the rest pose.
    Clip {
        /// Index of the clip; `None` for the rest pose.
        clip: Option<usize>,
    },
    /// Blends another clip into the one that plays.
    Blend {
        /// Index of the clip.
        clip: usize,
        /// Weight in [0, 1], relative to 1 of the first clip; 0 removes it.
        weight: f32,
    },
    /// Starts playback.
    Play,
    /// Stops playback.
    Pause,
    /// Switches between playing and paused.
    TogglePlay,
    /// Goes to a time.
    Seek {
        /// Time within the clip.
        time_secs: f64,
    },
    /// Steps by frames, and pauses.
    StepFrames {
        /// Number of frames; negative steps back.
        frames: i32,
    },
    /// Goes to the next key of the selected joint, or of any joint, and pauses.
    NextKey,
    /// Goes to the previous key in the same way.
    PreviousKey,
    /// Sets the playback speed.
    Speed {
        /// Factor in [0.05, 4]; 1 is the speed of the clip.
        speed: f64,
    },
    /// Sets the behaviour at the end of the clip.
    Ending {
        /// Loop, ping-pong or stop.
        ending: Ending,
    },
    /// Sets the played range.
    Range {
        /// First and last moment within the clip; `None` for the whole clip.
        range_secs: Option<[f64; 2]>,
    },
    /// Sets the frame rate.
    Fps {
        /// Frames per second, in [1, 1000].
        fps: f64,
    },
    /// Sets the unit of the ruler.
    Unit {
        /// Seconds or frames.
        unit: TimeUnit,
    },
    /// Lets the root travel, or holds it.
    RootMotion {
        /// True if it travels.
        on: bool,
    },
}
