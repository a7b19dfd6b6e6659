//! Commands of looks.

use crate::state::look::{Background, Overlay, Pass, Surface};
use serde::{Deserialize, Serialize};

/// A change of what is drawn.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum LookCommand {
    /// Sets what the skin shows.
    Surface {
        /// Materials, weights, normals or a checker.
        surface: Surface,
    },
    /// Draws something over the skin, or no longer.
    Overlay {
        /// Bones, names, lines.
        overlay: Overlay,
        /// True where it is drawn.
        on: bool,
    },
    /// Turns an effect on or off.
    Pass {
        /// The effect.
        pass: Pass,
        /// True where it is on.
        on: bool,
    },
    /// Sets what is behind everything.
    Background {
        /// Room or colour.
        background: Background,
    },
}
