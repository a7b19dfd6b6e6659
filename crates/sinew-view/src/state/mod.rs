//! How the document is looked at: time, camera, selection, looks. Nothing here knows of windows.

mod camera;
mod command;
mod compare;
mod look;
mod playback;
mod selection;
mod window;

pub use camera::{OrbitCamera, Preset, Projection};
pub use command::Command;
pub use compare::{MAX_PANES, Pane};
pub use look::{Look, Overlay, Pass, Surface};
pub use playback::{Ending, Playback, TimeUnit};
pub use selection::Selection;
pub use window::{PanelKind, Theme, WindowState};

use crate::document::FileId;

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
    /// What is drawn.
    pub look: Look,
    /// From left to right, one to four.
    pub panes: Vec<Pane>,
    /// Panels and theme.
    pub window: WindowState,
}
