//! How the document is looked at: time, camera, selection, looks. Nothing here knows of windows.

mod camera;
mod check;
mod clock;
mod command;
mod compare;
mod look;
mod playback;
mod selection;
mod window;

pub use camera::{OrbitCamera, Preset, Projection};
pub use command::{
    CameraCommand, Command, FileCommand, LookCommand, PaneCommand, PlaybackCommand, PoseCommand,
    SelectionCommand, WindowCommand,
};
pub use compare::{MAX_PANES, Pane};
pub use look::{Background, Look, Overlay, Pass, Surface};
pub use playback::{Ending, FiredEvent, Playback, TimeUnit};
pub use selection::{Selection, SkinHit};
pub use window::{PanelKind, Theme, WindowState};

pub(crate) use camera::{MAX_DISTANCE, MIN_DISTANCE, within};
pub(crate) use compare::{method_named, method_word};
pub(crate) use playback::{MAX_FPS, MAX_SPEED, MIN_FPS, MIN_SPEED};
pub(crate) use window::{MAX_ZOOM, MIN_ZOOM};

use crate::document::FileId;
use glam::Quat;
use std::collections::BTreeMap;

/// Everything that commands change but the document.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct State {
    /// The file whose clips, joints and findings the panels show.
    pub shown: FileId,
    /// The moment, and how it moves on.
    pub playback: Playback,
    /// Where all panes are seen from.
    pub camera: OrbitCamera,
    /// What is selected in the shown file.
    pub selection: Selection,
    /// Where the click met the skin that selected a joint.
    pub hit: Option<SkinHit>,
    /// Joints of the shown file that are turned by hand, each by so much in its own frame, on top of what plays.
    pub turns: BTreeMap<usize, Quat>,
    /// What is drawn.
    pub look: Look,
    /// From left to right, one to four.
    pub panes: Vec<Pane>,
    /// Panels and theme.
    pub window: WindowState,
}
