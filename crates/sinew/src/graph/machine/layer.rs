//! Layers of a state machine, and payloads of events, as data.

use super::state::{State, Transition};

/// A state machine of its own whose motion is laid over the layers below it.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct GraphLayer {
    /// Its name, which no other layer has.
    pub name: String,
    /// Its states; playing starts in the first.
    pub states: Vec<State>,
    /// Its transitions, in the order in which they are tried.
    #[cfg_attr(feature = "serde", serde(default))]
    pub transitions: Vec<Transition>,
    /// Its weight, from 0 to 1.
    #[cfg_attr(feature = "serde", serde(default = "one"))]
    pub weight: f32,
    /// A parameter that the weight is multiplied by, taken from 0 to 1.
    #[cfg_attr(feature = "serde", serde(default))]
    pub weight_parameter: Option<String>,
    /// The joints that it moves; all when this is empty. Where two parts speak of a joint, the later one counts.
    #[cfg_attr(feature = "serde", serde(default))]
    pub mask: Vec<MaskPart>,
    /// The way in which it is laid over what is below: in its place, or added to it.
    #[cfg_attr(feature = "serde", serde(default))]
    pub mode: LayerMode,
}

/// A joint, by default with all below it, and the weight of a layer there.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct MaskPart {
    /// The joint's name.
    pub joint: String,
    /// True when the joints below it are meant too.
    #[cfg_attr(feature = "serde", serde(default = "yes"))]
    pub and_below: bool,
    /// From 0 to 1.
    #[cfg_attr(feature = "serde", serde(default = "one"))]
    pub weight: f32,
}

/// The way in which a layer is laid over those below it.
#[derive(Clone, Debug, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum LayerMode {
    /// Its pose takes the place of what is below, by its weight.
    #[default]
    Override,
    /// The difference of its clips from a reference is added, by its weight.
    Additive(Reference),
}

/// The pose that an additive clip is a difference from.
#[derive(Clone, Debug, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(rename_all = "snake_case", deny_unknown_fields)
)]
pub enum Reference {
    /// Each clip's own first frame.
    #[default]
    FirstFrame,
    /// The skeleton's rest pose.
    RestPose,
    /// A moment of a clip.
    Frame {
        /// The clip's name.
        clip: String,
        /// The moment, from the clip's start.
        #[cfg_attr(feature = "serde", serde(default))]
        time_secs: f32,
    },
}

/// A text, a number or both that come with every event of a name.
#[derive(Clone, Debug, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct EventPayload {
    /// The event's name in the clips.
    pub event: String,
    /// For the engine: the name of a sound, for example.
    #[cfg_attr(feature = "serde", serde(default))]
    pub text: Option<String>,
    /// For the engine: a loudness, for example.
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
    /// A layer without states that replaces all that is below.
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

    /// With one more state.
    pub fn state(mut self, state: State) -> Self {
        self.states.push(state);
        self
    }

    /// With one more transition, tried after those that are there.
    pub fn transition(mut self, transition: Transition) -> Self {
        self.transitions.push(transition);
        self
    }

    /// The same with another weight.
    pub fn weight(self, weight: f32) -> Self {
        Self { weight, ..self }
    }

    /// The same with a weight that follows a parameter.
    pub fn weight_parameter(self, parameter: impl Into<String>) -> Self {
        Self {
            weight_parameter: Some(parameter.into()),
            ..self
        }
    }

    /// For a joint and all below it, beside those that it is for already.
    pub fn below(mut self, joint: impl Into<String>) -> Self {
        self.mask.push(MaskPart {
            joint: joint.into(),
            and_below: true,
            weight: 1.0,
        });
        self
    }

    /// Added to what is below, as a difference from a reference.
    pub fn additive(self, reference: Reference) -> Self {
        Self {
            mode: LayerMode::Additive(reference),
            ..self
        }
    }
}
