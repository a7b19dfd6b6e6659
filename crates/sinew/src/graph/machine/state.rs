//! States of a state machine, what they play, and the transitions between them, as data.

use crate::blend::Ease;
use crate::clip::Wrap;

/// A motion that is played until a transition leads away from it.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct State {
    /// Its name, which no other state of its layer has.
    pub name: String,
    /// The clips that are played.
    pub motion: Motion,
    /// Speed, 1 is normal; negative plays backwards.
    #[cfg_attr(feature = "serde", serde(default = "normal_speed"))]
    pub speed: f32,
    /// Behaviour past the ends.
    #[cfg_attr(feature = "serde", serde(default))]
    pub wrap: Wrap,
}

#[cfg(feature = "serde")]
fn normal_speed() -> f32 {
    1.0
}

/// The clips that a state plays, by name.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(rename_all = "snake_case", deny_unknown_fields)
)]
pub enum Motion {
    /// One clip.
    Clip(String),
    /// The two clips on both sides of a parameter's value, mixed in proportion and kept in phase:
    /// all are equally far through, at the mean of their rates. A value that jumps makes the pose
    /// jump, so the game moves it smoothly.
    Blend {
        /// The parameter that is followed.
        parameter: String,
        /// Clips and the values at which they play alone, ascending.
        points: Vec<Point>,
    },
    /// The three clips around a point in a plane, mixed likewise: the points are joined to triangles, and within one
    /// the clips at its corners count by how near they are. A point outside goes to the nearest one on the border.
    #[cfg_attr(feature = "serde", serde(rename = "blend_2d"))]
    Blend2d {
        /// The parameters that are followed, along x and y.
        parameters: [String; 2],
        /// Clips and the points at which they play alone, in any order.
        points: Vec<Point2d>,
    },
}

/// A clip and the value of a blend's parameter at which it plays alone.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Point {
    /// The value of the parameter.
    pub at: f32,
    /// The clip's name.
    pub clip: String,
}

/// A clip and the values of two parameters at which it plays alone.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Point2d {
    /// The values of the parameters.
    pub at: [f32; 2],
    /// The clip's name.
    pub clip: String,
}

/// A way from one state to another.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Transition {
    /// The state that it leads from; any other one when this is missing.
    #[cfg_attr(feature = "serde", serde(default))]
    pub from: Option<String>,
    /// The state that it leads to.
    pub to: String,
    /// Conditions on which it is taken: all must hold.
    pub when: Vec<Condition>,
    /// Its duration, from 0 up; 0 cuts.
    #[cfg_attr(feature = "serde", serde(default))]
    pub duration_secs: f32,
    /// The way in which one motion becomes the other.
    #[cfg_attr(feature = "serde", serde(default))]
    pub kind: TransitionKind,
    /// The point of the new motion at which it begins.
    #[cfg_attr(feature = "serde", serde(default))]
    pub start: Start,
}

/// The way in which one state becomes another. Either can be interrupted at any moment without a jump.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum TransitionKind {
    /// The new motion plays alone at once, and what it is off by dies down: [`crate::blend::Inertia`].
    #[default]
    Inertia,
    /// Both play on and are mixed: [`crate::blend::CrossFade`].
    CrossFade(Ease),
}

/// The point of the new motion at which a transition begins.
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

/// A condition that must hold for a transition.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(rename_all = "snake_case", deny_unknown_fields)
)]
pub enum Condition {
    /// A parameter is over a value.
    Above {
        /// Name of the parameter.
        parameter: String,
        /// The value that it must exceed.
        value: f32,
    },
    /// A parameter is under a value.
    Below {
        /// Name of the parameter.
        parameter: String,
        /// The value that it must fall short of.
        value: f32,
    },
    /// A parameter is not 0; the transition sets it back to 0.
    Triggered {
        /// Name of the parameter.
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
    pub fn clip(name: impl Into<String>, clip: impl Into<String>) -> Self {
        Self::playing(name, Motion::Clip(clip.into()))
    }

    fn playing(name: impl Into<String>, motion: Motion) -> Self {
        Self {
            name: name.into(),
            motion,
            speed: 1.0,
            wrap: Wrap::Loop,
        }
    }

    /// A state that mixes clips in a loop, given as values of `parameter` and clips.
    pub fn blend(
        name: impl Into<String>,
        parameter: impl Into<String>,
        points: &[(f32, &str)],
    ) -> Self {
        let points = points.iter().map(|&(at, clip)| Point {
            at,
            clip: clip.to_owned(),
        });
        let motion = Motion::Blend {
            parameter: parameter.into(),
            points: points.collect(),
        };
        Self::playing(name, motion)
    }

    /// A state that mixes clips in a loop, given as values of two `parameters` and clips.
    pub fn blend_2d(
        name: impl Into<String>,
        parameters: [&str; 2],
        points: &[([f32; 2], &str)],
    ) -> Self {
        let points = points.iter().map(|&(at, clip)| Point2d {
            at,
            clip: clip.to_owned(),
        });
        let motion = Motion::Blend2d {
            parameters: parameters.map(str::to_owned),
            points: points.collect(),
        };
        Self::playing(name, motion)
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
            duration_secs: 0.0,
            kind: TransitionKind::Inertia,
            start: Start::At(0.0),
        }
    }

    /// With one more condition.
    pub fn when(mut self, condition: Condition) -> Self {
        self.when.push(condition);
        self
    }

    /// Carried over by inertia.
    pub fn inertia(self, duration_secs: f32) -> Self {
        let kind = TransitionKind::Inertia;
        Self {
            duration_secs,
            kind,
            ..self
        }
    }

    /// Mixed from one to the other.
    pub fn cross_fade(self, duration_secs: f32, ease: Ease) -> Self {
        let kind = TransitionKind::CrossFade(ease);
        Self {
            duration_secs,
            kind,
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
