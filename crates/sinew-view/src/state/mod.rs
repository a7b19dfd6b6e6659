//! State of the view: time, camera, selection and looks. It does not depend on a window.

mod asking;
mod camera;
mod check;
mod clock;
mod command;
mod compare;
mod editing;
mod look;
mod playback;
mod posing;
mod selection;
mod window;

pub use asking::{Answer, Question, Then};
pub use camera::{OrbitCamera, Preset, Projection};
pub use command::{
    CameraCommand, Command, EditingCommand, FileCommand, HistoryCommand, LookCommand, PaneCommand,
    PlaybackCommand, PoseCommand, SelectionCommand, WindowCommand,
};
pub use compare::{MAX_PANES, Pane};
pub use editing::Editing;
pub use look::{Background, Look, Overlay, Pass, Surface, Surroundings};
pub use playback::{Ending, FiredEvent, Playback, TimeUnit};
pub use posing::{PoseTool, Posing};
pub use selection::{Selection, SkinHit};
pub use window::{PanelKind, Theme, WindowState};

pub(crate) use camera::{MAX_DISTANCE, MIN_DISTANCE, within};
pub(crate) use editing::{selected_secs, touches};
pub(crate) use look::MAX_STOPS;
pub(crate) use playback::{MAX_FPS, MAX_SPEED, MIN_FPS, MIN_SPEED};
pub(crate) use window::{MAX_ZOOM, MIN_ZOOM};

use crate::document::FileId;
use sinew_edit::Report;
use std::collections::{BTreeMap, BTreeSet};

/// State of the view: everything that commands change, except the document.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct State {
    /// Id of the file that the panels show.
    pub shown: FileId,
    /// Clock, and the clips that play.
    pub playback: Playback,
    /// Camera of all panes.
    pub camera: OrbitCamera,
    /// Selection in the shown file.
    pub selection: Selection,
    /// Further selected joints. Empty unless a joint is selected.
    pub further_joints: Vec<usize>,
    /// Tools for poses.
    pub posing: Posing,
    /// Point of the skin that was clicked last.
    pub hit: Option<SkinHit>,
    /// Selected keys, active layer and auto-key.
    pub editing: Editing,
    /// Effects of the last edit. Empty after undo and redo.
    pub edited: Report,
    /// Appearance of the panes.
    pub look: Look,
    /// Nodes of files whose meshes are hidden.
    pub hidden: BTreeSet<(FileId, usize)>,
    /// Weights of morph targets that are set by hand, by file, node and target. They replace those of clips.
    pub morphs: BTreeMap<(FileId, usize, usize), f32>,
    /// One to four panes, from left to right.
    pub panes: Vec<Pane>,
    /// Question that the window asks.
    pub question: Option<Question>,
    /// Panels and theme.
    pub window: WindowState,
}
