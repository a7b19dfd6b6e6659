use crate::state::look::{Background, Overlay, Pass, Surface};
use serde::{Deserialize, Serialize};

/// A change of the looks.
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
        /// The overlay.
        overlay: Overlay,
        /// True to draw it.
        on: bool,
    },
    /// Switches an effect on or off.
    Pass {
        /// The effect.
        pass: Pass,
        /// True to enable it.
        on: bool,
    },
    /// Sets the background.
    Background {
        /// Room or colour.
        background: Background,
    },
}
