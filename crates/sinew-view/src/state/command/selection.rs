//! Commands of the selection.

use crate::state::selection::Selection;
use serde::{Deserialize, Serialize};

/// A change of the selection.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum SelectionCommand {
    /// Selects.
    Select {
        /// Joint, node, vertex or nothing.
        selection: Selection,
    },
    /// Selects what a ray through a point of a pane meets: a bone where bones are drawn, else the skin.
    Pick {
        /// Index of the pane.
        pane: usize,
        /// From its left edge to its right one, 0 to 1.
        x: f32,
        /// From its upper edge to its lower one, 0 to 1.
        y: f32,
        /// Its width by its height.
        aspect: f32,
    },
}
