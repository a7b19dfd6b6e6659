use serde::{Deserialize, Serialize};

pub(crate) const MIN_SPEED: f64 = 0.05;
pub(crate) const MAX_SPEED: f64 = 4.0;

pub(crate) const MIN_FPS: f64 = 1.0;
pub(crate) const MAX_FPS: f64 = 1000.0;

/// Playback of all panes.
#[derive(Clone, Debug, PartialEq)]
pub struct Playback {
    /// Index of the clip in the shown file. `None` for the rest pose.
    pub clip: Option<usize>,
    /// Other clips of the file, with their weights. The current clip has weight 1.
    pub blended: Vec<(usize, f32)>,
    /// Time in the clip, in seconds.
    pub time_secs: f64,
    /// True if time advances.
    pub is_playing: bool,
    /// Speed factor in [0.05, 4]. 1 is the speed of the clip.
    pub speed: f64,
    /// Behaviour at the end of the clip.
    pub ending: Ending,
    /// True if time runs backwards, as [`Ending::PingPong`] does.
    pub is_backwards: bool,
    /// First and last played time, in seconds. `None` for the whole clip.
    pub range_secs: Option<[f64; 2]>,
    /// Frames per second, for steps and for the ruler.
    pub fps: f64,
    /// Unit of the ruler.
    pub unit: TimeUnit,
    /// True if the root moves through the world. False to keep it in position.
    pub root_motion: bool,
    /// Events of the current clip that fired within the last second, oldest first.
    pub fired: Vec<FiredEvent>,
}

/// Event that fired recently.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FiredEvent {
    /// Index of the event in the clip.
    pub event: usize,
    /// Time since the event fired, in seconds.
    pub age_secs: f64,
}

impl Default for Playback {
    fn default() -> Self {
        Self {
            clip: None,
            blended: Vec::new(),
            time_secs: 0.0,
            is_playing: true,
            speed: 1.0,
            ending: Ending::Loop,
            is_backwards: false,
            range_secs: None,
            fps: 30.0,
            unit: TimeUnit::Seconds,
            root_motion: true,
            fired: Vec::new(),
        }
    }
}

/// Behaviour at the end of a clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// Starts again from the beginning.
    #[default]
    Loop,
    /// Plays backwards to the beginning.
    PingPong,
    /// Stops on the last frame.
    Stop,
}

/// Unit of the ruler of the timeline.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TimeUnit {
    /// Time in seconds.
    #[default]
    Seconds,
    /// Frames at [`Playback::fps`].
    Frames,
}
