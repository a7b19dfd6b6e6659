//! The report of a character whose meshes were bound.

use super::volume::KeptVolume;
use super::warnings::BindWarning;
use crate::weights::bones::unweighted::Unweighted;

/// The report of a binding.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct BindReport {
    /// The skin that the meshes were bound to.
    pub skin: usize,
    /// Meshes that now have weights.
    pub meshes: usize,
    /// Their vertices.
    pub vertices: usize,
    /// Joints of the skin that move at least one of them.
    pub joints_used: usize,
    /// Vertices by number of influences, from none.
    pub vertices_by_influences: Vec<usize>,
    /// Meshes that were left alone because they hang from a joint of the skin and follow it as they are.
    pub carried: usize,
    /// Joints of the skin, by their index in it, that were given nothing, and why.
    pub unweighted: Vec<(usize, Unweighted)>,
    /// Pieces that were taken for cloth and follow the skin beneath them.
    pub cloth: Vec<ClothPiece>,
    /// Results that are most likely not as they were wanted.
    pub warnings: Vec<BindWarning>,
    /// The joint that loses most of the flesh around it when it turns; `None` where no joint blends with another.
    pub volume: Option<KeptVolume>,
}

/// A piece of a mesh that was taken for cloth: open, and lying on the skin of others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClothPiece {
    /// The mesh that it is of.
    pub mesh: usize,
    /// The number of its vertices.
    pub vertices: usize,
}
