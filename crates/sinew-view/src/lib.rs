//! Viewer for skeletal characters, in three layers. [`document`] holds the open files, [`state`]
//! holds time, camera and looks, and panels show both. A layer does not depend on later ones.
//!
//! Only a [`Command`] changes document or state, so every action can be scripted and tested. A
//! [`Session`] holds document and state, and runs commands.

pub mod document;
pub mod filming;
#[cfg(all(feature = "ui", not(target_arch = "wasm32")))]
pub mod headless;
pub mod link;
pub mod painter;
#[cfg(feature = "ui")]
mod panels;
pub mod script;
mod session;
pub mod state;
#[cfg(feature = "ui")]
mod viewer;
#[cfg(feature = "window")]
mod window;

pub use session::{Figure, Session};
pub use state::{
    CameraCommand, Command, EditingCommand, FileCommand, HistoryCommand, LookCommand, PaneCommand,
    PlaybackCommand, PoseCommand, SelectionCommand, WindowCommand,
};
#[cfg(feature = "ui")]
pub use viewer::Viewer;
#[cfg(all(feature = "window", target_family = "wasm"))]
pub use window::Page;
#[cfg(all(feature = "window", not(target_family = "wasm")))]
pub use window::{WindowError, open_window};
