//! Edits of layers.

use crate::name::Name;
use serde::{Deserialize, Serialize};

/// A change of the layers of a clip.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case", deny_unknown_fields)]
#[non_exhaustive]
pub enum LayerEdit {
    /// Adds a layer on top of a clip.
    AddLayer {
        /// Clip that gets the layer: a name or an index.
        clip: Name,
        /// Name of the layer, which no other layer of the clip may have.
        name: String,
        /// True to add to the motion below, false to replace it. Default true.
        #[serde(default = "super::values::yes")]
        additive: bool,
        /// Weight in [0, 1]. Default 1.
        #[serde(default = "super::values::one")]
        weight: f32,
        /// Joints that the layer may change. Default: all that it has keys for.
        #[serde(default)]
        joints: Vec<Name>,
    },
    /// Changes the name, kind, weight or joints of a layer.
    SetLayer {
        /// Clip that has the layer: a name or an index.
        clip: Name,
        /// Layer to change: a name or an index.
        layer: Name,
        /// New name. Default: unchanged.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        name: Option<String>,
        /// True to make the layer additive, false to make it replace the motion below. Its keys are converted so that
        /// the motion at their times stays. Default: unchanged.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        additive: Option<bool>,
        /// New weight in [0, 1]. Default: unchanged.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        weight: Option<f32>,
        /// New joints. Default: unchanged. Empty: all that it has keys for.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        joints: Option<Vec<Name>>,
    },
    /// Removes a layer.
    DeleteLayer {
        /// Clip that has the layer: a name or an index.
        clip: Name,
        /// Layer to remove: a name or an index.
        layer: Name,
    },
    /// Makes the result of all layers the motion of the clip.
    Flatten {
        /// Clip to change: a name or an index. It has no layers afterwards.
        clip: Name,
    },
}
