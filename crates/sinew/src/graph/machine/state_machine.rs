use super::layer::{EventPayload, GraphLayer};
use super::state::{State, Transition};

/// States, transitions, parameters and layers. `docs/graph.md` describes the JSON format.
#[derive(Clone, Debug, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[doc(alias = "animator controller")]
#[doc(alias = "animation tree")]
#[doc(alias = "animation blueprint")]
pub struct StateMachine {
    /// Numbers that the game sets.
    #[cfg_attr(feature = "serde", serde(default))]
    pub parameters: Vec<Parameter>,
    /// States of the base layer. The first is the initial state.
    pub states: Vec<State>,
    /// Transitions of the base layer, in the order in which they are tried.
    #[cfg_attr(feature = "serde", serde(default))]
    pub transitions: Vec<Transition>,
    /// Layers above the base layer, from lowest to highest.
    #[cfg_attr(feature = "serde", serde(default))]
    pub layers: Vec<GraphLayer>,
    /// Texts and numbers that accompany events, by event name.
    #[cfg_attr(feature = "serde", serde(default))]
    pub payloads: Vec<EventPayload>,
}

/// Number that the game sets. A flag is 0 or 1.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Parameter {
    /// Name, unique among parameters.
    pub name: String,
    /// Initial value. Default 0.
    #[cfg_attr(feature = "serde", serde(default))]
    pub value: f32,
    /// Time in seconds in which the smoothed value covers 95 % of a jump, like a critically damped
    /// spring. Blends and layer weights use it. Default 0: at once. Conditions use the unsmoothed
    /// value.
    #[cfg_attr(feature = "serde", serde(default))]
    pub smoothed_secs: f32,
}

impl StateMachine {
    /// State machine without states.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a parameter with its initial value.
    pub fn parameter(self, name: impl Into<String>, value: f32) -> Self {
        self.smoothed_parameter(name, value, 0.0)
    }

    /// Adds a parameter with its initial value and [`Parameter::smoothed_secs`].
    pub fn smoothed_parameter(
        mut self,
        name: impl Into<String>,
        value: f32,
        smoothed_secs: f32,
    ) -> Self {
        self.parameters.push(Parameter {
            name: name.into(),
            value,
            smoothed_secs,
        });
        self
    }

    /// Adds a state to the base layer.
    pub fn state(mut self, state: State) -> Self {
        self.states.push(state);
        self
    }

    /// Adds a transition to the base layer, tried after the existing transitions.
    pub fn transition(mut self, transition: Transition) -> Self {
        self.transitions.push(transition);
        self
    }

    /// Adds a layer above the existing layers.
    pub fn layer(mut self, layer: GraphLayer) -> Self {
        self.layers.push(layer);
        self
    }

    /// Adds a payload for events with a given name.
    pub fn payload(mut self, payload: EventPayload) -> Self {
        self.payloads.push(payload);
        self
    }
}
