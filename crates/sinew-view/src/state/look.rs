//! What is drawn.

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// What is drawn, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// What the skin shows.
    pub surface: Surface,
    /// What is drawn over it.
    pub overlays: BTreeSet<Overlay>,
    /// Effects.
    pub passes: BTreeSet<Pass>,
    /// What is behind everything.
    pub background: Background,
}

impl Default for Look {
    fn default() -> Self {
        Self {
            surface: Surface::Materials,
            overlays: BTreeSet::from([Overlay::Grid]),
            passes: BTreeSet::from([Pass::Shadow, Pass::Occlusion]),
            background: Background::Theme,
        }
    }
}

/// What the skin shows.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Surface {
    /// The file's materials.
    #[default]
    Materials,
    /// How much the selected joint moves each vertex.
    JointWeight,
    /// A colour for each joint, blended by weight.
    AllWeights,
    /// The colour of the joint that moves a vertex most.
    DominantJoint,
    /// Normals as colours.
    Normals,
    /// A checker on the first texture coordinates.
    UvChecker,
    /// Nothing: bones alone.
    Hidden,
}

impl Surface {
    /// All of them, in the order of the menu.
    pub const ALL: [Self; 7] = [
        Self::Materials,
        Self::JointWeight,
        Self::AllWeights,
        Self::DominantJoint,
        Self::Normals,
        Self::UvChecker,
        Self::Hidden,
    ];
}

/// What is drawn over the skin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Overlay {
    /// Bones.
    Bones,
    /// The names of joints.
    Names,
    /// The axes of joints.
    Axes,
    /// The limits of joints, as arcs and cones.
    Limits,
    /// The edges of triangles.
    Wireframe,
    /// The normals of vertices, as lines.
    NormalLines,
    /// Lines on the floor.
    Grid,
    /// Where joints were and will be.
    Trajectories,
    /// Poses of past and coming frames.
    Ghosts,
    /// Markers of a capture, and how far the body is from them.
    Markers,
}

impl Overlay {
    /// All of them, in the order of the menu.
    pub const ALL: [Self; 10] = [
        Self::Bones,
        Self::Names,
        Self::Axes,
        Self::Limits,
        Self::Wireframe,
        Self::NormalLines,
        Self::Grid,
        Self::Trajectories,
        Self::Ghosts,
        Self::Markers,
    ];
}

/// An effect of the renderer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pass {
    /// The sun throws shadows.
    Shadow,
    /// What is near keeps light away.
    Occlusion,
    /// The floor mirrors.
    Reflection,
    /// Bright light spreads.
    Bloom,
}

impl Pass {
    /// All of them, in the order of the menu.
    pub const ALL: [Self; 4] = [Self::Shadow, Self::Occlusion, Self::Reflection, Self::Bloom];
}

/// What is behind everything.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Background {
    /// What fits the window's theme.
    #[default]
    Theme,
    /// A light studio.
    Studio,
    /// A dark one.
    Dark,
    /// One colour: red, green, blue.
    Color([u8; 3]),
}
