use crate::blend::Ease;
use crate::clip::Wrap;

/// State that plays a motion until a transition leaves the state.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct State {
    /// Name, unique within the layer.
    pub name: String,
    /// Clips to play.
    pub motion: Motion,
    /// Speed factor. Default 1. Negative values play backwards.
    #[cfg_attr(feature = "serde", serde(default = "normal_speed"))]
    pub speed: f32,
    /// Behaviour past the ends of the motion.
    #[cfg_attr(feature = "serde", serde(default))]
    pub wrap: Wrap,
}

#[cfg(feature = "serde")]
fn normal_speed() -> f32 {
    1.0
}

/// Clips that a state plays, by name.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(rename_all = "snake_case", deny_unknown_fields)
)]
#[non_exhaustive]
#[doc(alias = "blend tree")]
#[doc(alias = "blend space")]
pub enum Motion {
    /// One clip.
    Clip(String),
    /// Blend of the two clips on either side of the value of a parameter. The clips play in phase,
    /// at their mean rate. If the parameter jumps, the pose jumps too, unless the parameter is
    /// smoothed ([`Parameter`](crate::graph::Parameter)).
    Blend {
        /// Parameter that drives the blend.
        parameter: String,
        /// Clips in ascending order of the parameter values at which each plays alone.
        points: Vec<Point>,
    },
    /// Blend of the three clips around a point in a plane, by barycentric weights. Outside all
    /// triangles, the nearest point on the border is used.
    #[cfg_attr(feature = "serde", serde(rename = "blend_2d"))]
    Blend2d {
        /// Parameters along x and y.
        parameters: [String; 2],
        /// Clips in any order, with the points at which each plays alone.
        points: Vec<Point2d>,
    },
}

/// Clip and the parameter value at which it plays alone.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Point {
    /// Value of the parameter.
    pub at: f32,
    /// Name of the clip.
    pub clip: String,
}

/// Clip and the values of two parameters at which it plays alone.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
pub struct Point2d {
    /// Values of the parameters.
    pub at: [f32; 2],
    /// Name of the clip.
    pub clip: String,
}

/// Change from one state to another.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields))]
#[doc(alias = "cross-fade")]
pub struct Transition {
    /// State to leave. `None` means any state except `to`.
    #[cfg_attr(feature = "serde", serde(default))]
    pub from: Option<String>,
    /// State to enter.
    pub to: String,
    /// Conditions, all of which must hold.
    pub when: Vec<Condition>,
    /// Duration in seconds, 0 or more. With 0, the pose changes at once.
    #[cfg_attr(feature = "serde", serde(default))]
    pub duration_secs: f32,
    /// Kind of transition. Default inertia.
    #[cfg_attr(feature = "serde", serde(default))]
    pub kind: TransitionKind,
    /// Start phase of the new motion.
    #[cfg_attr(feature = "serde", serde(default))]
    pub start: Start,
}

/// Kind of transition. Each kind starts from the pose last shown, even if a parameter of the old
/// motion has jumped since. Each can be interrupted at any moment without a jump.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum TransitionKind {
    /// Plays only the new motion, plus a decaying offset: [`crate::blend::Inertia`].
    #[default]
    Inertia,
    /// Plays and blends both motions: [`crate::blend::CrossFade`]. The old motion keeps its
    /// parameters.
    CrossFade(Ease),
}

/// Start phase of the new motion of a transition.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Start {
    /// Fraction of the length of the new motion, in [0, 1]. Default 0.
    At(f32),
    /// Phase of the old motion. During a cross-fade, both motions stay in phase.
    InPhase,
}

impl Default for Start {
    fn default() -> Self {
        Self::At(0.0)
    }
}

/// Condition of a transition.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(
    feature = "serde",
    serde(rename_all = "snake_case", deny_unknown_fields)
)]
#[non_exhaustive]
#[doc(alias = "transition rule")]
pub enum Condition {
    /// Parameter above a value.
    Above {
        /// Name of the parameter.
        parameter: String,
        /// Threshold, not included.
        value: f32,
    },
    /// Parameter below a value.
    Below {
        /// Name of the parameter.
        parameter: String,
        /// Threshold, not included.
        value: f32,
    },
    /// Parameter other than 0. The transition resets it to 0.
    Triggered {
        /// Name of the parameter.
        parameter: String,
    },
    /// End of the motion. Always true for a length or speed of zero.
    Ended,
    /// Min time in the state, in seconds.
    After(f32),
}

impl Condition {
    /// Creates [`Condition::Above`].
    pub fn above(parameter: impl Into<String>, value: f32) -> Self {
        let parameter = parameter.into();
        Self::Above { parameter, value }
    }

    /// Creates [`Condition::Below`].
    pub fn below(parameter: impl Into<String>, value: f32) -> Self {
        let parameter = parameter.into();
        Self::Below { parameter, value }
    }

    /// Creates [`Condition::Triggered`].
    pub fn triggered(parameter: impl Into<String>) -> Self {
        let parameter = parameter.into();
        Self::Triggered { parameter }
    }
}

impl State {
    /// State that loops one clip.
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

    /// State that loops a blend of clips over `parameter`.
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

    /// State that loops a blend of clips over two `parameters`.
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

    /// Same state with a motion that plays once and then holds its end.
    pub fn once(self) -> Self {
        Self {
            wrap: Wrap::Clamp,
            ..self
        }
    }
}

impl Transition {
    /// Transition of duration 0 between two states, without a condition.
    pub fn new(from: impl Into<String>, to: impl Into<String>) -> Self {
        Self {
            from: Some(from.into()),
            ..Self::from_any(to)
        }
    }

    /// Transition of duration 0 from any other state, without a condition.
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

    /// Adds a condition.
    pub fn when(mut self, condition: Condition) -> Self {
        self.when.push(condition);
        self
    }

    /// Sets the kind to inertia, with a duration in seconds.
    pub fn inertia(self, duration_secs: f32) -> Self {
        let kind = TransitionKind::Inertia;
        Self {
            duration_secs,
            kind,
            ..self
        }
    }

    /// Sets the kind to cross-fade, with a duration in seconds.
    pub fn cross_fade(self, duration_secs: f32, ease: Ease) -> Self {
        let kind = TransitionKind::CrossFade(ease);
        Self {
            duration_secs,
            kind,
            ..self
        }
    }

    /// Starts the new motion at the phase of the old motion.
    #[doc(alias = "sync")]
    #[doc(alias = "sync group")]
    #[doc(alias = "phase matching")]
    pub fn in_phase(self) -> Self {
        Self {
            start: Start::InPhase,
            ..self
        }
    }

    /// Starts the new motion at a phase in [0, 1].
    pub fn starting_at(self, phase: f32) -> Self {
        Self {
            start: Start::At(phase),
            ..self
        }
    }
}
