use crate::state::selection::Selection;
use serde::{Deserialize, Serialize};

/// Change of the selection.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum SelectionCommand {
    /// Selects an item.
    Select {
        /// Joint, node, vertex or nothing.
        selection: Selection,
    },
    /// Adds a joint to the selected ones, or removes it. It becomes the one with the tool.
    AddJoint {
        /// Index of the joint.
        joint: usize,
    },
    /// Selects the item at a point of a pane: a bone if bones are drawn, otherwise the skin.
    Pick {
        /// Index of the pane.
        pane: usize,
        /// Position from the left edge of the pane, in [0, 1].
        x: f32,
        /// Position from the upper edge of the pane, in [0, 1].
        y: f32,
        /// Width of the pane divided by its height.
        aspect: f32,
        /// True to add a joint to the selected ones, or to remove it. Default false.
        #[serde(default)]
        add: bool,
    },
}
