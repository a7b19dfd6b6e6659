use crate::state::look::{Background, Overlay, Pass, Surface};
use serde::{Deserialize, Serialize};

/// A change of the drawing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum LookCommand {
    /// Sets the appearance of the skin.
    Surface {
        /// Materials, weights, normals or a checker.
        surface: Surface,
    },
    /// Shows or hides an overlay.
    Overlay {
        /// Bones, names, lines.
        overlay: Overlay,
        /// True if it is drawn.
        on: bool,
    },
    /// Switches an effect on or off.
    Pass {
        /// The effect.
        pass: Pass,
        /// True if it is on.
        on: bool,
    },
    /// Sets the background.
    Background {
        /// Room or colour.
        background: Background,
    },
}
