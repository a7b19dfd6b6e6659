//! Report of the binding of a character.

use super::volume::KeptVolume;
use super::warnings::BindWarning;
use crate::weights::bones::unweighted::Unweighted;

/// Report of the binding of a character.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct BindReport {
    /// Index of the skin that the meshes were bound to.
    pub skin: usize,
    /// Number of meshes that now have weights.
    pub meshes: usize,
    /// Number of vertices of these meshes.
    pub vertices: usize,
    /// Number of joints of the skin that move at least one vertex.
    pub joints_used: usize,
    /// Number of vertices for each number of influences, which is the index.
    pub vertices_by_influences: Vec<usize>,
    /// Number of meshes kept unchanged because they hang from a joint of the skin.
    pub carried: usize,
    /// Joints without weights, as indices in the skin, with the reason.
    pub unweighted: Vec<(usize, Unweighted)>,
    /// Pieces treated as cloth. They follow the skin beneath them.
    pub cloth: Vec<ClothPiece>,
    /// Warnings about weights that a person should check.
    pub warnings: Vec<BindWarning>,
    /// Joint that loses the most volume when it rotates. `None` if no joint blends with another.
    pub volume: Option<KeptVolume>,
}

/// A piece of a mesh treated as cloth: it is open and lies on the skin of other pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClothPiece {
    /// Index of the mesh.
    pub mesh: usize,
    /// Number of vertices.
    pub vertices: usize,
}
