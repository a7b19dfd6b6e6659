//! What is selected.

use serde::{Deserialize, Serialize};

/// What is selected in the shown file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Selection {
    /// Nothing.
    #[default]
    None,
    /// A joint of its skeleton.
    Joint(usize),
    /// A node of its scene.
    Node(usize),
    /// A vertex of a primitive, in the order in which `sinew::deform` gives primitives.
    Vertex {
        /// Which primitive.
        primitive: usize,
        /// Which of its vertices.
        vertex: usize,
    },
}

/// Where a click met the skin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SkinHit {
    /// Which primitive, in the order in which `sinew::deform` gives them.
    pub primitive: usize,
    /// The vertex nearest to the place.
    pub vertex: usize,
}
