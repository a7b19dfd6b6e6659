use super::state::{State, Transition};

/// State machine whose motion is applied over the layers below.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[doc(alias = "montage")]
#[doc(alias = "slot")]
#[doc(alias = "animation layer")]
pub struct GraphLayer {
    /// Name, unique among layers.
    pub name: String,
    /// States. The first is the initial state.
    pub states: Vec<State>,
    /// Transitions, in the order in which they are tried.
    #[cfg_attr(feature = "serde", serde(default))]
    pub transitions: Vec<Transition>,
    /// Weight in [0, 1]. Default 1.
    #[cfg_attr(feature = "serde", serde(default = "one"))]
    pub weight: f32,
    /// Parameter, clamped to [0, 1], that multiplies the weight.
    #[cfg_attr(feature = "serde", serde(default))]
    pub weight_parameter: Option<String>,
    /// Joints that the layer moves. Empty for all joints. Later parts override earlier parts.
    #[cfg_attr(feature = "serde", serde(default))]
    pub mask: Vec<MaskPart>,
    /// Combination with the layers below.
    #[cfg_attr(feature = "serde", serde(default))]
    pub mode: LayerMode,
}

/// Weight of a layer for a joint and, by default, for its descendants.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct MaskPart {
    /// Name of the joint.
    pub joint: String,
    /// True to include all descendants of the joint. Default true.
    #[cfg_attr(feature = "serde", serde(default = "yes"))]
    pub and_below: bool,
    /// Weight in [0, 1]. Default 1.
    #[cfg_attr(feature = "serde", serde(default = "one"))]
    pub weight: f32,
}

/// Combination of a layer with the layers below it.
#[derive(Clone, Debug, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum LayerMode {
    /// Replaces the pose of the layers below, by weight.
    #[default]
    Override,
    /// Adds the difference of the clips from a reference, by weight.
    Additive(Reference),
}

/// Pose that additive clips are relative to.
#[derive(Clone, Debug, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(rename_all = "snake_case", deny_unknown_fields)
)]
#[non_exhaustive]
pub enum Reference {
    /// First frame of each clip.
    #[default]
    FirstFrame,
    /// Rest pose of the skeleton.
    RestPose,
    /// Pose of a clip at a time.
    Frame {
        /// Name of the clip.
        clip: String,
        /// Seconds from the start of the clip.
        #[cfg_attr(feature = "serde", serde(default))]
        time_secs: f32,
    },
}

/// Text, number or both that accompany every event with a given name.
#[derive(Clone, Debug, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct EventPayload {
    /// Name of the event in the clips.
    pub event: String,
    /// Text for the engine, for example the name of a sound.
    #[cfg_attr(feature = "serde", serde(default))]
    pub text: Option<String>,
    /// Number for the engine, for example a loudness.
    #[cfg_attr(feature = "serde", serde(default))]
    pub number: Option<f32>,
}

#[cfg(feature = "serde")]
fn one() -> f32 {
    1.0
}

#[cfg(feature = "serde")]
fn yes() -> bool {
    true
}

impl GraphLayer {
    /// Override layer for all joints, without states.
    pub fn new(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            states: Vec::new(),
            transitions: Vec::new(),
            weight: 1.0,
            weight_parameter: None,
            mask: Vec::new(),
            mode: LayerMode::Override,
        }
    }

    /// Adds a state.
    pub fn state(mut self, state: State) -> Self {
        self.states.push(state);
        self
    }

    /// Adds a transition, tried after the existing transitions.
    pub fn transition(mut self, transition: Transition) -> Self {
        self.transitions.push(transition);
        self
    }

    /// Sets the weight, in [0, 1].
    pub fn weight(self, weight: f32) -> Self {
        Self { weight, ..self }
    }

    /// Sets the parameter that multiplies the weight.
    pub fn weight_parameter(self, parameter: impl Into<String>) -> Self {
        Self {
            weight_parameter: Some(parameter.into()),
            ..self
        }
    }

    /// Adds a joint and its descendants to the mask, with weight 1.
    pub fn below(mut self, joint: impl Into<String>) -> Self {
        self.mask.push(MaskPart {
            joint: joint.into(),
            and_below: true,
            weight: 1.0,
        });
        self
    }

    /// Makes the layer additive, relative to a reference.
    pub fn additive(self, reference: Reference) -> Self {
        Self {
            mode: LayerMode::Additive(reference),
            ..self
        }
    }
}
