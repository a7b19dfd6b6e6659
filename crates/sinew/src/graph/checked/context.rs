//! Checks of names and numbers, and the context of errors in a state machine.

use crate::blend::MAX_WEIGHT;
use crate::graph::error::GraphError;
use crate::graph::machine::Transition;
use std::collections::HashMap;
use std::fmt;
use std::ops::RangeInclusive;

pub(super) type Range = (RangeInclusive<f32>, &'static str);

pub(super) const FINITE: Range = (f32::MIN..=f32::MAX, "a finite number");
pub(super) const POSITIVE: Range = (0.0..=f32::MAX, "a finite number from 0 on");
pub(super) const PART: Range = (0.0..=1.0, "from 0 to 1");
/// Range of a duration. Blends multiply speeds by it, so its max is the max weight.
pub(super) const DURATION: Range = (0.0..=MAX_WEIGHT, "from 0 to a million seconds");

#[derive(Clone, Copy)]
pub(super) enum Context<'d> {
    Graph,
    Layer(&'d str),
    Parameter(&'d str),
    Payload(&'d str),
    State(Option<&'d str>, &'d str),
    Transition(Option<&'d str>, &'d Transition),
}

impl<'d> Context<'d> {
    /// Name of the layer. `None` for the base layer.
    pub fn layer(self) -> Option<&'d str> {
        match self {
            Self::Layer(name) => Some(name),
            _ => None,
        }
    }
}

impl fmt::Display for Context<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Self::State(Some(layer), _) | Self::Transition(Some(layer), _) = self {
            write!(f, "layer \"{layer}\", ")?;
        }
        match self {
            Self::Graph => write!(f, "the graph"),
            Self::Layer(name) => write!(f, "layer \"{name}\""),
            Self::Parameter(name) => write!(f, "parameter \"{name}\""),
            Self::Payload(name) => write!(f, "payload of \"{name}\""),
            Self::State(_, name) => write!(f, "state \"{name}\""),
            Self::Transition(_, Transition { from, to, .. }) => match from {
                Some(from) => write!(f, "transition from \"{from}\" to \"{to}\""),
                None => write!(f, "transition to \"{to}\""),
            },
        }
    }
}

pub(super) fn unique<'n>(
    context: &Context<'_>,
    kind: &'static str,
    names: &mut HashMap<&'n str, usize>,
    name: &'n str,
    index: usize,
) -> Result<(), GraphError> {
    match names.insert(name, index) {
        None => Ok(()),
        Some(_) => Err(GraphError::Duplicate {
            context: context.to_string(),
            kind,
            name: name.to_owned(),
        }),
    }
}

pub(super) fn unknown<'n>(
    context: &Context<'_>,
    kind: &'static str,
    name: &str,
    names: impl IntoIterator<Item = &'n str>,
) -> GraphError {
    GraphError::unknown(context.to_string(), kind, name, names)
}

pub(super) fn number(
    context: &Context<'_>,
    what: &'static str,
    value: f32,
    (range, expected): Range,
) -> Result<f32, GraphError> {
    if range.contains(&value) {
        return Ok(value);
    }
    Err(GraphError::BadNumber {
        context: context.to_string(),
        what,
        value,
        expected,
    })
}
