//! A graph as data: what files hold, and what the builder makes. Everything is referred to by name but
//! clips, which are places in a list that the caller owns.

use super::{Graph, GraphError};
use crate::blend::Ease;
use crate::clip::{Playable, Wrap};

/// States, the transitions between them and the parameters that steer both.
#[derive(Clone, Debug, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Description {
    /// Numbers that the game sets.
    #[cfg_attr(feature = "serde", serde(default))]
    pub parameters: Vec<Parameter>,
    /// The first is where playing starts.
    pub states: Vec<State>,
    /// In the order in which they are tried.
    #[cfg_attr(feature = "serde", serde(default))]
    pub transitions: Vec<Transition>,
}

/// A number that the game sets; a flag is 0 or 1.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Parameter {
    /// What it is known by.
    pub name: String,
    /// What it is at first.
    #[cfg_attr(feature = "serde", serde(default))]
    pub value: f32,
}

/// Something that is played until a transition leads away from it.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct State {
    /// What it is known by.
    pub name: String,
    /// What is played.
    pub motion: Motion,
    /// How fast; negative plays backwards.
    #[cfg_attr(feature = "serde", serde(default = "normal_speed"))]
    pub speed: f32,
    /// What happens at the ends.
    #[cfg_attr(feature = "serde", serde(default))]
    pub wrap: Wrap,
}

#[cfg(feature = "serde")]
fn normal_speed() -> f32 {
    1.0
}

/// What a state plays.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(rename_all = "snake_case", deny_unknown_fields)
)]
pub enum Motion {
    /// One clip.
    Clip(usize),
    /// The two clips on both sides of a parameter's value, mixed in proportion and kept in phase:
    /// all are equally far through, at the mean of their rates. A value that jumps makes the pose
    /// jump, so the game moves it smoothly.
    Blend {
        /// What is looked up.
        parameter: String,
        /// Clips and where they stand, ascending.
        points: Vec<Point>,
    },
}

/// A clip's place in a blend.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Point {
    /// The value at which the clip plays alone.
    pub at: f32,
    /// Its place in the list of clips.
    pub clip: usize,
}

/// A way from one state to another.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Transition {
    /// Where it starts; from any other state when this is missing.
    #[cfg_attr(feature = "serde", serde(default))]
    pub from: Option<String>,
    /// Where it leads.
    pub to: String,
    /// When it is taken: all must hold.
    pub when: Vec<Condition>,
    /// How long it takes; 0 cuts.
    #[cfg_attr(feature = "serde", serde(default))]
    pub secs: f32,
    /// How it goes.
    #[cfg_attr(feature = "serde", serde(default))]
    pub change: Change,
    /// Where in the new motion it begins.
    #[cfg_attr(feature = "serde", serde(default))]
    pub start: Start,
}

/// How one state becomes another. Either can be interrupted at any moment without a jump.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Change {
    /// The new motion plays alone at once, and what it is off by dies down: [`crate::blend::Inertia`].
    #[default]
    Inertia,
    /// Both play on and are mixed: [`crate::blend::CrossFade`].
    CrossFade(Ease),
}

/// Where in a motion a transition begins.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Start {
    /// At a part of its length, from 0 to 1.
    At(f32),
    /// As far through as the old motion is; in a cross-fade both stay in phase.
    InPhase,
}

impl Default for Start {
    fn default() -> Self {
        Self::At(0.0)
    }
}

/// What must hold for a transition.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(rename_all = "snake_case", deny_unknown_fields)
)]
pub enum Condition {
    /// A parameter is over a value.
    Above {
        /// Which.
        parameter: String,
        /// What it must exceed.
        value: f32,
    },
    /// A parameter is under a value.
    Below {
        /// Which.
        parameter: String,
        /// What it must fall short of.
        value: f32,
    },
    /// A parameter is not 0; the transition sets it back to 0.
    Triggered {
        /// Which.
        parameter: String,
    },
    /// The motion has been played to its end; one of no length or speed is there already.
    Ended,
    /// The state has been played for so many seconds.
    After(f32),
}

impl Condition {
    /// [`Condition::Above`].
    pub fn above(parameter: impl Into<String>, value: f32) -> Self {
        let parameter = parameter.into();
        Self::Above { parameter, value }
    }

    /// [`Condition::Below`].
    pub fn below(parameter: impl Into<String>, value: f32) -> Self {
        let parameter = parameter.into();
        Self::Below { parameter, value }
    }

    /// [`Condition::Triggered`].
    pub fn triggered(parameter: impl Into<String>) -> Self {
        let parameter = parameter.into();
        Self::Triggered { parameter }
    }
}

impl State {
    /// A state that plays one clip in a loop.
    pub fn clip(name: impl Into<String>, clip: usize) -> Self {
        Self {
            name: name.into(),
            motion: Motion::Clip(clip),
            speed: 1.0,
            wrap: Wrap::Loop,
        }
    }

    /// A state that mixes clips in a loop, given as values of `parameter` and clips.
    pub fn blend(
        name: impl Into<String>,
        parameter: impl Into<String>,
        points: &[(f32, usize)],
    ) -> Self {
        let points = points.iter().map(|&(at, clip)| Point { at, clip });
        let motion = Motion::Blend {
            parameter: parameter.into(),
            points: points.collect(),
        };
        Self {
            motion,
            ..Self::clip(name, 0)
        }
    }

    /// The same state, played once.
    pub fn once(self) -> Self {
        Self {
            wrap: Wrap::Clamp,
            ..self
        }
    }
}

impl Transition {
    /// A cut from one state to another that no condition holds back yet.
    pub fn new(from: impl Into<String>, to: impl Into<String>) -> Self {
        Self {
            from: Some(from.into()),
            ..Self::from_any(to)
        }
    }

    /// The same from any other state.
    pub fn from_any(to: impl Into<String>) -> Self {
        Self {
            from: None,
            to: to.into(),
            when: Vec::new(),
            secs: 0.0,
            change: Change::Inertia,
            start: Start::At(0.0),
        }
    }

    /// With one more condition.
    pub fn when(mut self, condition: Condition) -> Self {
        self.when.push(condition);
        self
    }

    /// Carried over by inertia.
    pub fn inertia(self, secs: f32) -> Self {
        let change = Change::Inertia;
        Self {
            secs,
            change,
            ..self
        }
    }

    /// Mixed from one to the other.
    pub fn cross_fade(self, secs: f32, ease: Ease) -> Self {
        let change = Change::CrossFade(ease);
        Self {
            secs,
            change,
            ..self
        }
    }

    /// Into a motion that is as far through as the old one.
    pub fn in_phase(self) -> Self {
        Self {
            start: Start::InPhase,
            ..self
        }
    }

    /// Into the middle of a motion.
    pub fn starting_at(self, phase: f32) -> Self {
        Self {
            start: Start::At(phase),
            ..self
        }
    }
}

impl Description {
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

    /// [`Graph::new`].
    pub fn build(&self, clips: &[impl Playable]) -> Result<Graph, GraphError> {
        Graph::new(self, clips)
    }
}
