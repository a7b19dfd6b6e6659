//! The moment that is shown, and how it moves on.

use serde::{Deserialize, Serialize};

/// The slowest and the fastest that time moves.
pub(crate) const MIN_SPEED: f64 = 0.05;
pub(crate) const MAX_SPEED: f64 = 4.0;

/// The fewest and the most frames of a second.
pub(crate) const MIN_FPS: f64 = 1.0;
pub(crate) const MAX_FPS: f64 = 1000.0;

/// The clock of all panes.
#[derive(Clone, Debug, PartialEq)]
pub struct Playback {
    /// The clip of the shown file; the rest pose without one.
    pub clip: Option<usize>,
    /// Further clips of the same file and their weights, blended with the first, whose weight is 1.
    pub blended: Vec<(usize, f32)>,
    /// Within the clip.
    pub time_secs: f64,
    /// Whether time moves.
    pub is_playing: bool,
    /// How fast: 0.05 to 4.
    pub speed: f64,
    /// What happens at the end.
    pub ending: Ending,
    /// Whether it runs backwards now, on the way back of [`Ending::PingPong`].
    pub is_backwards: bool,
    /// The first and the last moment that are played; the whole clip without.
    pub range_secs: Option<[f64; 2]>,
    /// How many frames a second has, for stepping and for the ruler.
    pub fps: f64,
    /// What the ruler counts.
    pub unit: TimeUnit,
    /// Whether the root travels, or stays where it is.
    pub root_motion: bool,
    /// Events of the first clip that fired within the last second, the latest last.
    pub fired: Vec<FiredEvent>,
}

/// An event that fired a moment ago.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FiredEvent {
    /// Which of the clip's events.
    pub event: usize,
    /// How long ago.
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

/// What happens at the end of a clip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// It begins again.
    #[default]
    Loop,
    /// It runs back.
    PingPong,
    /// It stays.
    Stop,
}

/// What the ruler of the timeline counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TimeUnit {
    /// Seconds.
    #[default]
    Seconds,
    /// Frames at [`Playback::fps`].
    Frames,
}
