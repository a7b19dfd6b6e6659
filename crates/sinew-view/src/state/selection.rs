use serde::{Deserialize, Serialize};

/// The selected item of the shown file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Selection {
    /// No selection.
    #[default]
    None,
    /// A joint of the skeleton, by index.
    Joint(usize),
    /// A node of the scene, by index.
    Node(usize),
    /// A vertex of a primitive.
    Vertex {
        /// Index of the primitive, in the order of `sinew::deform`.
        primitive: usize,
        /// Index of the vertex in the primitive.
        vertex: usize,
    },
}

/// Point of the skin at a click.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SkinHit {
    /// Index of the primitive, in the order of `sinew::deform`.
    pub primitive: usize,
    /// Index of the vertex nearest to the point.
    pub vertex: usize,
}
