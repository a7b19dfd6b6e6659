use crate::state::selection::Selection;
use serde::{Deserialize, Serialize};

/// A change of the selection.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum SelectionCommand {
    /// Selects an item.
    Select {
        /// Joint, node, vertex or nothing.
        selection: Selection,
    },
    /// Selects the item under a point of a pane: a bone if bones are drawn, else the skin.
    Pick {
        /// Index of the pane.
        pane: usize,
        /// Position from its left edge, in [0, 1].
        x: f32,
        /// Position from its upper edge, in [0, 1].
        y: f32,
        /// Width of the pane divided by its height.
        aspect: f32,
    },
}
