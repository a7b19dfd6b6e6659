//! From a description to a graph: every name looked up, every number looked at, once.

use super::description::{Condition, Description, Motion, Point, Start, State, Transition};
use super::voices::duration_secs;
use super::{CheckedCondition, CheckedState, CheckedTransition, Graph};
use crate::blend::MOST_WEIGHT;
use crate::clip::Playable;
use std::collections::HashMap;
use std::fmt;
use std::ops::RangeInclusive;
use thiserror::Error;

/// Why a description is no graph.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum GraphError {
    /// Nothing to play.
    #[error("a graph needs at least one state")]
    NoStates,
    /// A state's name that is taken.
    #[error("there are two states \"{name}\"")]
    DuplicateState {
        /// The name.
        name: String,
    },
    /// A parameter's name that is taken.
    #[error("there are two parameters \"{name}\"")]
    DuplicateParameter {
        /// The name.
        name: String,
    },
    /// A transition from or to a state that is not there.
    #[error("{place}: there is no state \"{name}\"")]
    UnknownState {
        /// The transition.
        place: String,
        /// What it names.
        name: String,
    },
    /// A parameter that is not there.
    #[error("{place}: there is no parameter \"{name}\"")]
    UnknownParameter {
        /// The state or transition.
        place: String,
        /// What it names.
        name: String,
    },
    /// A clip that is not there.
    #[error("{place}: there is no clip {clip} among {len}")]
    NoSuchClip {
        /// The state.
        place: String,
        /// What it names.
        clip: usize,
        /// How many clips there are.
        len: usize,
    },
    /// A clip of no length among others that it is to be kept in phase with.
    #[error("{place}: clip {clip} has no length, so nothing can be in phase with it")]
    NoLength {
        /// The state.
        place: String,
        /// Which clip.
        clip: usize,
    },
    /// A blend without clips.
    #[error("{place}: a blend needs at least one point")]
    NoPoints {
        /// The state.
        place: String,
    },
    /// Points of a blend in no order.
    #[error("{place}: the point at {at} does not come after the one before it")]
    NotAscending {
        /// The state.
        place: String,
        /// Where the point is.
        at: f32,
    },
    /// A number that cannot be used.
    #[error("{place}: {value} is no {what}")]
    BadNumber {
        /// The parameter, state or transition.
        place: String,
        /// What it is meant to be.
        what: &'static str,
        /// What was given.
        value: f32,
    },
    /// A transition that nothing holds back.
    #[error("{place}: a transition needs a condition")]
    NoCondition {
        /// The transition.
        place: String,
    },
    /// Root motion that does not belong to the clips.
    #[error(
        "root motion {index} of {found}: there are {clips} clips, and all must take the same from the same joint"
    )]
    RootMotion {
        /// The first that does not fit.
        index: usize,
        /// How many there are.
        found: usize,
        /// How many clips there are.
        clips: usize,
    },
}

const FINITE: RangeInclusive<f32> = f32::MIN..=f32::MAX;
const POSITIVE: RangeInclusive<f32> = 0.0..=f32::MAX;
const PART: RangeInclusive<f32> = 0.0..=1.0;
/// The speed of an old motion is weighed by the time that it dies down in, which a blend takes up to here.
const CHANGE_SECS: RangeInclusive<f32> = 0.0..=MOST_WEIGHT;

impl Graph {
    /// Checks a description against the clips that it will be played with.
    pub fn new(description: &Description, clips: &[impl Playable]) -> Result<Self, GraphError> {
        if description.states.is_empty() {
            return Err(GraphError::NoStates);
        }
        let mut names = Names::default();
        for (place, parameter) in description.parameters.iter().enumerate() {
            let name = parameter.name.as_str();
            if names.parameters.insert(name, place).is_some() {
                let name = name.to_owned();
                return Err(GraphError::DuplicateParameter { name });
            }
            let place = Place::Parameter(name);
            number(&place, "value", parameter.value, FINITE)?;
        }
        for (place, state) in description.states.iter().enumerate() {
            if names.states.insert(&state.name, place).is_some() {
                let name = state.name.clone();
                return Err(GraphError::DuplicateState { name });
            }
        }
        let states = description.states.iter();
        let transitions = description.transitions.iter();
        Ok(Self {
            parameters: description.parameters.clone(),
            states: states
                .map(|state| names.check_state(state, clips))
                .collect::<Result<_, _>>()?,
            transitions: transitions
                .map(|transition| names.check_transition(transition))
                .collect::<Result<_, _>>()?,
            clips: clips.len(),
            root_motions: Vec::new(),
        })
    }
}

/// Where in a description an error is.
enum Place<'d> {
    Parameter(&'d str),
    State(&'d str),
    Transition(&'d Transition),
}

impl fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Parameter(name) => write!(f, "parameter \"{name}\""),
            Self::State(name) => write!(f, "state \"{name}\""),
            Self::Transition(Transition { from, to, .. }) => match from {
                Some(from) => write!(f, "transition from \"{from}\" to \"{to}\""),
                None => write!(f, "transition to \"{to}\""),
            },
        }
    }
}

/// What names stand for.
#[derive(Default)]
struct Names<'d> {
    parameters: HashMap<&'d str, usize>,
    states: HashMap<&'d str, usize>,
}

impl<'d> Names<'d> {
    fn parameter(&self, place: &Place<'_>, name: &str) -> Result<usize, GraphError> {
        let found = self.parameters.get(name).copied();
        found.ok_or_else(|| GraphError::UnknownParameter {
            place: place.to_string(),
            name: name.to_owned(),
        })
    }

    fn state(&self, place: &Place<'_>, name: &str) -> Result<usize, GraphError> {
        let found = self.states.get(name).copied();
        found.ok_or_else(|| GraphError::UnknownState {
            place: place.to_string(),
            name: name.to_owned(),
        })
    }

    fn check_state(
        &self,
        state: &State,
        clips: &[impl Playable],
    ) -> Result<CheckedState, GraphError> {
        let at = Place::State(&state.name);
        let place = || at.to_string();
        number(&at, "speed", state.speed, FINITE)?;
        let (parameter, points) = match &state.motion {
            Motion::Clip(clip) => (
                0,
                vec![Point {
                    at: 0.0,
                    clip: *clip,
                }],
            ),
            Motion::Blend { parameter, points } => {
                (self.parameter(&at, parameter)?, points.clone())
            }
        };
        if points.is_empty() {
            return Err(GraphError::NoPoints { place: place() });
        }
        let (mut before, len) = (f32::NEG_INFINITY, clips.len());
        for point in &points {
            let (clip, value) = (
                point.clip,
                number(&at, "place in a blend", point.at, FINITE)?,
            );
            let Some(found) = clips.get(clip) else {
                let place = place();
                return Err(GraphError::NoSuchClip { place, clip, len });
            };
            if points.len() > 1 && duration_secs(found) <= 0.0 {
                let place = place();
                return Err(GraphError::NoLength { place, clip });
            }
            if value <= before {
                let (place, at) = (place(), value);
                return Err(GraphError::NotAscending { place, at });
            }
            before = value;
        }
        Ok(CheckedState {
            name: state.name.clone(),
            parameter,
            points,
            speed: f64::from(state.speed),
            wrap: state.wrap,
        })
    }

    fn check_transition(&self, transition: &Transition) -> Result<CheckedTransition, GraphError> {
        let at = Place::Transition(transition);
        if transition.when.is_empty() {
            let place = at.to_string();
            return Err(GraphError::NoCondition { place });
        }
        if let Start::At(phase) = transition.start {
            number(&at, "part of a motion", phase, PART)?;
        }
        let check = |condition: &Condition| {
            Ok(match condition {
                Condition::Above { parameter, value } => CheckedCondition::Above(
                    self.parameter(&at, parameter)?,
                    number(&at, "threshold", *value, FINITE)?,
                ),
                Condition::Below { parameter, value } => CheckedCondition::Below(
                    self.parameter(&at, parameter)?,
                    number(&at, "threshold", *value, FINITE)?,
                ),
                Condition::Triggered { parameter } => {
                    CheckedCondition::Triggered(self.parameter(&at, parameter)?)
                }
                Condition::Ended => CheckedCondition::Ended,
                Condition::After(secs) => {
                    CheckedCondition::After(number(&at, "time", *secs, POSITIVE)?.into())
                }
            })
        };
        let from = transition.from.as_deref();
        Ok(CheckedTransition {
            from: from.map(|name| self.state(&at, name)).transpose()?,
            to: self.state(&at, &transition.to)?,
            when: transition
                .when
                .iter()
                .map(check)
                .collect::<Result<_, _>>()?,
            secs: number(&at, "duration", transition.secs, CHANGE_SECS)?,
            change: transition.change,
            start: transition.start,
        })
    }
}

/// A number that makes sense where it stands.
fn number(
    place: &Place<'_>,
    what: &'static str,
    value: f32,
    range: RangeInclusive<f32>,
) -> Result<f32, GraphError> {
    match range.contains(&value) {
        true => Ok(value),
        false => Err(GraphError::BadNumber {
            place: place.to_string(),
            what,
            value,
        }),
    }
}
