//! A state machine as data: parameters, states, transitions, layers on top, payloads of events.

use super::layer::{EventPayload, GraphLayer};
use super::state::{State, Transition};

/// States, the transitions between them, the parameters that steer both, and layers on top. As JSON: `docs/graph.md`.
#[derive(Clone, Debug, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct StateMachine {
    /// Numbers that the game sets.
    #[cfg_attr(feature = "serde", serde(default))]
    pub parameters: Vec<Parameter>,
    /// States of the base layer; playing starts in the first.
    pub states: Vec<State>,
    /// Transitions of the base layer, in the order in which they are tried.
    #[cfg_attr(feature = "serde", serde(default))]
    pub transitions: Vec<Transition>,
    /// Layers on top of the base layer, in the order in which they are applied.
    #[cfg_attr(feature = "serde", serde(default))]
    pub layers: Vec<GraphLayer>,
    /// Texts and numbers that are passed on with events, by their names.
    #[cfg_attr(feature = "serde", serde(default))]
    pub payloads: Vec<EventPayload>,
}

/// A number that the game sets; a flag is 0 or 1.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Parameter {
    /// Its name, which no other parameter has.
    pub name: String,
    /// Its value at first.
    #[cfg_attr(feature = "serde", serde(default))]
    pub value: f32,
}

impl StateMachine {
    /// Without states.
    pub fn new() -> Self {
        Self::default()
    }

    /// With one more parameter.
    pub fn parameter(mut self, name: impl Into<String>, value: f32) -> Self {
        let name = name.into();
        self.parameters.push(Parameter { name, value });
        self
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

    /// With one more layer, on top of those that are there.
    pub fn layer(mut self, layer: GraphLayer) -> Self {
        self.layers.push(layer);
        self
    }

    /// With something to be passed on with every event of a name.
    pub fn payload(mut self, payload: EventPayload) -> Self {
        self.payloads.push(payload);
        self
    }
}
