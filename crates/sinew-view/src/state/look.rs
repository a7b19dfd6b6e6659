use serde::{Deserialize, Serialize};
use sinew::Normals;
use std::collections::BTreeSet;

/// Max distance of the exposure from 0, in stops.
pub(crate) const MAX_STOPS: f32 = 6.0;

/// Appearance of the panes.
#[derive(Clone, Debug, PartialEq)]
pub struct Look {
    /// Appearance of the skin.
    pub surface: Surface,
    /// Visible overlays.
    pub overlays: BTreeSet<Overlay>,
    /// Kind of the normals of the skin. With exact ones, the CPU skins every frame.
    pub normals: Normals,
    /// Enabled effects.
    pub passes: BTreeSet<Pass>,
    /// Background of the picture.
    pub background: Background,
    /// Light around the figure.
    pub environment: Surroundings,
    /// Exposure in stops: each doubles the light. In [−6, 6].
    pub exposure_stops: f32,
}

impl Default for Look {
    fn default() -> Self {
        Self {
            surface: Surface::Materials,
            overlays: BTreeSet::from([Overlay::Grid]),
            normals: Normals::Skinned,
            passes: BTreeSet::from([Pass::Shadow, Pass::Occlusion]),
            background: Background::Theme,
            environment: Surroundings::Studio,
            exposure_stops: 0.0,
        }
    }
}

/// Appearance of the skin.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Surface {
    /// Materials of the file.
    #[default]
    Materials,
    /// Weight of the selected joint on each vertex.
    JointWeight,
    /// Colours of all joints, mixed by weight.
    AllWeights,
    /// Colour of the heaviest joint.
    DominantJoint,
    /// Normals as colours.
    Normals,
    /// Checkerboard, drawn with the first set of texture coordinates.
    UvChecker,
    /// No skin, only bones.
    Hidden,
}

impl Surface {
    /// All surfaces, in the order of the menu.
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

/// Lines or names drawn over the skin.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Overlay {
    /// Lines from joints to their children.
    Bones,
    /// Names of joints.
    Names,
    /// Axes of joints.
    Axes,
    /// Limits of joints, as arcs and cones.
    Limits,
    /// Edges of triangles.
    Wireframe,
    /// Normals of vertices, as lines.
    NormalLines,
    /// Lines on the floor.
    Grid,
    /// Trajectories of joints before and after the current time.
    Trajectories,
    /// Poses before and after the current frame.
    Ghosts,
    /// Markers of a capture, with lines to the body.
    Markers,
}

impl Overlay {
    /// All overlays, in the order of the menu.
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

/// Effect of the renderer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Pass {
    /// Shadows of the sun.
    Shadow,
    /// Ambient occlusion.
    Occlusion,
    /// Reflections in the floor.
    Reflection,
    /// Glow of bright light.
    Bloom,
}

impl Pass {
    /// All effects, in the order of the menu.
    pub const ALL: [Self; 4] = [Self::Shadow, Self::Occlusion, Self::Reflection, Self::Bloom];
}

/// Light around the figure. The background does not change with it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Surroundings {
    /// Bright studio with soft lamps.
    #[default]
    Studio,
    /// Dark room with a few lamps.
    Dark,
    /// Even grey sky.
    Overcast,
    /// Low, warm sun.
    Sunset,
}

impl Surroundings {
    /// All surroundings, in the order of the panel.
    pub const ALL: [Self; 4] = [Self::Studio, Self::Dark, Self::Overcast, Self::Sunset];

    /// Name in commands and on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Studio => "studio",
            Self::Dark => "dark",
            Self::Overcast => "overcast",
            Self::Sunset => "sunset",
        }
    }
}

/// Background of the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Background {
    /// Room that matches the theme of the window.
    #[default]
    Theme,
    /// Light studio.
    Studio,
    /// Dark room.
    Dark,
    /// One colour, as red, green and blue in sRGB.
    Color([u8; 3]),
}
