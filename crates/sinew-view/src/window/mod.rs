//! Viewer in a window: of a desktop, or on the canvas of a page.

#[cfg(not(target_family = "wasm"))]
mod desktop;
#[cfg(target_family = "wasm")]
mod mirror;
#[cfg(target_family = "wasm")]
mod page;
#[cfg(any(test, target_family = "wasm"))]
mod presses;
mod steps;

#[cfg(not(target_family = "wasm"))]
pub use desktop::{WindowError, open_window};
#[cfg(target_family = "wasm")]
pub use page::Page;
