use serde::{Deserialize, Serialize};

/// Selected item of the shown file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Selection {
    /// No selection.
    #[default]
    None,
    /// Joint of the skeleton, by index.
    Joint(usize),
    /// Node of the scene, by index.
    Node(usize),
    /// Vertex of a primitive.
    Vertex {
        /// Index of the primitive, in the order of `sinew::deform`.
        primitive: usize,
        /// Index of the vertex in the primitive.
        vertex: usize,
    },
}

/// Point of the skin that was clicked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SkinHit {
    /// Index of the primitive, in the order of `sinew::deform`.
    pub primitive: usize,
    /// Index of the vertex nearest to the click.
    pub vertex: usize,
}
