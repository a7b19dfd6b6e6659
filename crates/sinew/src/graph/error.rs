//! Reasons why a state machine cannot be built, and why a player refuses a call.

use crate::names::did_you_mean;
use thiserror::Error;

/// The reason why a state machine does not fit its clips and skeleton, or itself.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum GraphError {
    /// Nothing to play.
    #[error("{context} needs at least one state")]
    NoStates {
        /// The graph or a layer.
        context: String,
    },
    /// Two layers, parameters, states of a layer or payloads of one name.
    #[error("{context}: there are two {kind} \"{name}\"")]
    Duplicate {
        /// The graph or a layer.
        context: String,
        /// The kind of thing: "states".
        kind: &'static str,
        /// Their name.
        name: String,
    },
    /// A name of nothing that there is.
    #[error("{context}: there is no {kind} \"{name}\"{hint}")]
    Unknown {
        /// The part that refers to it.
        context: String,
        /// The kind of thing: "clip".
        kind: &'static str,
        /// The name.
        name: String,
        /// Near names, if there are any.
        hint: String,
    },
    /// A clip of no length among others that it is to be kept in phase with.
    #[error("{context}: clip \"{clip}\" has no length, so nothing can be in phase with it")]
    NoLength {
        /// The state.
        context: String,
        /// The clip.
        clip: String,
    },
    /// A blend without clips.
    #[error("{context}: a blend needs at least one point")]
    NoPoints {
        /// The state.
        context: String,
    },
    /// Points of a blend over one parameter in no order.
    #[error("{context}: the point at {at} does not come after the one before it")]
    NotAscending {
        /// The state.
        context: String,
        /// The value that the point is at.
        at: f32,
    },
    /// Two points of a blend over two parameters that are one.
    #[error("{context}: there are two points at {} and {}", at[0], at[1])]
    SamePoint {
        /// The state.
        context: String,
        /// The values that they are at.
        at: [f32; 2],
    },
    /// More points than a blend over two parameters takes.
    #[error("{context}: a blend of {found} points; {max} is the most")]
    TooManyPoints {
        /// The state.
        context: String,
        /// The number of root motions.
        found: usize,
        /// The number of points.
        max: usize,
    },
    /// A number that cannot be used.
    #[error("{context}: {what} {value} is not {expected}")]
    BadNumber {
        /// The layer, parameter, state or transition.
        context: String,
        /// The name of the number: "speed".
        what: &'static str,
        /// Its value.
        value: f32,
        /// The range that it must be in: "a finite number".
        expected: &'static str,
    },
    /// A transition that nothing holds back.
    #[error("{context}: a transition needs a condition")]
    NoCondition {
        /// The transition.
        context: String,
    },
    /// A clip for another skeleton.
    #[error("clip \"{name}\" moves {found} joints, and the skeleton has {wanted}")]
    Clip {
        /// The clip's name.
        name: String,
        /// Joints that it needs.
        found: usize,
        /// Joints that there are.
        wanted: usize,
    },
    /// Curves of one name with other numbers of values.
    #[error("curve \"{name}\" has {found} values in clip \"{clip}\", and {wanted} in another")]
    CurveWidth {
        /// The curve's name.
        name: String,
        /// The later clip.
        clip: String,
        /// Its number of values.
        found: usize,
        /// That of an earlier clip.
        wanted: usize,
    },
    /// Root motion that does not belong to the clips and the skeleton.
    #[error(
        "root motion {index} of {found}: there must be one for each of the {clips} clips, all of one joint of the skeleton and the same axes"
    )]
    RootMotion {
        /// Index of the first that does not fit.
        index: usize,
        /// The number of root motions.
        found: usize,
        /// The number of clips.
        clips: usize,
    },
}

/// The reason why a player refuses a call; nothing has changed then.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum PlayError {
    /// A name of nothing that the graph has.
    #[error("there is no {kind} \"{name}\"{hint}")]
    Unknown {
        /// The kind of thing: "parameter".
        kind: &'static str,
        /// The name.
        name: String,
        /// Near names, if there are any.
        hint: String,
    },
    /// An index past the end.
    #[error("there is no parameter {index} among {len}")]
    NoSuchIndex {
        /// The index.
        index: usize,
        /// The number of parameters.
        len: usize,
    },
    /// A number that is infinite or none at all.
    #[error("{what} {value} is not a finite number")]
    NotFinite {
        /// The use of the number: "parameter".
        what: &'static str,
        /// The number.
        value: f64,
    },
    /// A step into the past.
    #[error("a step of {dt_secs} s is negative; a state with a negative speed plays backwards")]
    NegativeStep {
        /// The step.
        dt_secs: f64,
    },
    /// A pose of another skeleton.
    #[error("the pose has {found} joints, and the graph's skeleton {wanted}")]
    Joints {
        /// Joints of the pose.
        found: usize,
        /// Joints of the skeleton.
        wanted: usize,
    },
    /// A workspace of another graph.
    #[error("the workspace was made for another graph")]
    OtherWorkspace,
    /// Room for another number of values than a curve has.
    #[error("curve \"{name}\" has {wanted} values, and there is room for {found}")]
    CurveWidth {
        /// The curve's name.
        name: String,
        /// Values that there is room for.
        found: usize,
        /// Values that it has.
        wanted: usize,
    },
}

impl PlayError {
    /// Refuses a step that no time passes by.
    pub(crate) fn check_step(dt_secs: f64) -> Result<(), Self> {
        Self::check_finite("step", dt_secs)?;
        if dt_secs < 0.0 {
            return Err(Self::NegativeStep { dt_secs });
        }
        Ok(())
    }

    /// Refuses a number that is not finite; `what` says what it is for.
    pub(super) fn check_finite(what: &'static str, value: f64) -> Result<(), Self> {
        if value.is_finite() {
            Ok(())
        } else {
            Err(Self::NotFinite { what, value })
        }
    }

    /// A name that nothing has, and the ones of `names` that are near.
    pub(super) fn unknown<'n>(
        kind: &'static str,
        name: &str,
        names: impl IntoIterator<Item = &'n str>,
    ) -> Self {
        Self::Unknown {
            kind,
            name: name.to_owned(),
            hint: did_you_mean(name, names),
        }
    }
}
