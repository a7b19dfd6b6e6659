use crate::state::look::{Background, Overlay, Pass, Surface, Surroundings};
use serde::{Deserialize, Serialize};

/// Change of the looks.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum LookCommand {
    /// Sets the appearance of the skin.
    Surface {
        /// Materials, weights, normals or checkerboard.
        surface: Surface,
    },
    /// Shows or hides an overlay.
    Overlay {
        /// Overlay to show or hide.
        overlay: Overlay,
        /// True to show it.
        on: bool,
    },
    /// Enables or disables an effect.
    Pass {
        /// Effect to enable or disable.
        pass: Pass,
        /// True to enable it.
        on: bool,
    },
    /// Shows or hides all meshes at and below a node of the shown file.
    Visible {
        /// Index of the node.
        node: usize,
        /// True to show them.
        on: bool,
    },
    /// Draws exact normals, which the CPU computes in every frame, or the normals of skinning.
    ExactNormals {
        /// True for exact normals.
        on: bool,
    },
    /// Sets the background.
    Background {
        /// Room or colour.
        background: Background,
    },
    /// Sets the light around the figure.
    Environment {
        /// Built-in light.
        environment: Surroundings,
    },
    /// Sets the exposure.
    Exposure {
        /// Stops, from −6 to 6. Each doubles the light.
        stops: f32,
    },
    /// Sets the weight of a morph target of the shown file by hand.
    Morph {
        /// Index of the node with the mesh.
        node: usize,
        /// Index of the morph target.
        target: usize,
        /// Weight, from 0 to 1. `None` gives the weight of the clip back.
        weight: Option<f32>,
    },
    /// Gives all morph targets of the shown file the weights of the clip back.
    ResetMorphs,
}
