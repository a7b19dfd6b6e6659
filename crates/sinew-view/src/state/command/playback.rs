use crate::state::playback::{Ending, TimeUnit};
use serde::{Deserialize, Serialize};

/// Change of the clips that play, or of the clock.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum PlaybackCommand {
    /// Plays a clip of the shown file from its start, or shows the rest pose.
    Clip {
        /// Index of the clip, `None` for the rest pose.
        clip: Option<usize>,
    },
    /// Blends a clip with the current clip.
    Blend {
        /// Index of the clip.
        clip: usize,
        /// Weight in [0, 1]. The current clip has weight 1. 0 removes the clip.
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
        /// Time in the clip, in seconds.
        time_secs: f64,
    },
    /// Steps by a number of frames, and pauses.
    StepFrames {
        /// Number of frames. Negative numbers step back.
        frames: i32,
    },
    /// Goes to the next key of the selected joint, or of any joint, and pauses.
    NextKey,
    /// Goes to the previous key of the selected joint, or of any joint, and pauses.
    PreviousKey,
    /// Sets the playback speed.
    Speed {
        /// Speed factor in [0.05, 4]. 1 is the speed of the clip.
        speed: f64,
    },
    /// Sets the behaviour at the end of the clip.
    Ending {
        /// Loop, ping-pong or stop.
        ending: Ending,
    },
    /// Sets the played range.
    Range {
        /// First and last time in the clip, in seconds. `None` for the whole clip.
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
    /// Lets the root move through the world, or keeps it in position.
    RootMotion {
        /// True if the root moves.
        on: bool,
    },
}
