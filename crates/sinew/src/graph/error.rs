use crate::names::hint;
use crate::root_motion::RootMotionError;
use thiserror::Error;

/// Error in a state machine, its clips or its skeleton.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum GraphError {
    /// Graph or layer without states.
    #[error("{context} needs at least one state")]
    NoStates {
        /// Name of the graph or layer.
        context: String,
    },
    /// Two layers, parameters, states of a layer, or payloads with the same name.
    #[error("{context}: there are two {kind} \"{name}\"")]
    Duplicate {
        /// Name of the graph or layer.
        context: String,
        /// Kind of item, for example "states".
        kind: &'static str,
        /// The shared name.
        name: String,
    },
    /// Unknown name.
    #[error("{context}: there is no {kind} \"{name}\"{hint}")]
    Unknown {
        /// Part of the machine that uses the name.
        context: String,
        /// Kind of item, for example "clip".
        kind: &'static str,
        /// The unknown name.
        name: String,
        /// Similar or existing names.
        hint: String,
    },
    /// Clip of zero length in a blend. The clips of a blend share a phase, so they need a length.
    #[error(
        "{context}: clip \"{clip}\" has a duration of 0, so other clips cannot share its phase"
    )]
    NoLength {
        /// State that contains the blend.
        context: String,
        /// Name of the clip.
        clip: String,
    },
    /// Blend without points.
    #[error("{context}: a blend needs at least one point")]
    NoPoints {
        /// State that contains the blend.
        context: String,
    },
    /// Points of a blend over one parameter that do not ascend.
    #[error("{context}: the point at {at} is not above the point before it")]
    NotAscending {
        /// State that contains the blend.
        context: String,
        /// Parameter value of the point.
        at: f32,
    },
    /// Two equal points of a blend over two parameters.
    #[error("{context}: there are two points at {} and {}", at[0], at[1])]
    SamePoint {
        /// State that contains the blend.
        context: String,
        /// Parameter values of the points.
        at: [f32; 2],
    },
    /// Too many points in a blend over two parameters.
    #[error("{context}: a blend of {found} points is too large: the max is {max}")]
    TooManyPoints {
        /// State that contains the blend.
        context: String,
        /// Number of points.
        found: usize,
        /// Max number of points.
        max: usize,
    },
    /// Number out of range.
    #[error("{context}: {what} {value} is not {expected}")]
    BadNumber {
        /// Layer, parameter, state or transition that contains the number.
        context: String,
        /// Name of the number, for example "speed".
        what: &'static str,
        /// Value of the number.
        value: f32,
        /// Expected range, for example "a finite number".
        expected: &'static str,
    },
    /// Transition without a condition.
    #[error("{context}: a transition needs a condition")]
    NoCondition {
        /// Description of the transition.
        context: String,
    },
    /// Clip for another skeleton.
    #[error("clip \"{name}\" moves {found} joints, but the skeleton has {expected}")]
    Clip {
        /// Name of the clip.
        name: String,
        /// Number of joints that the clip needs.
        found: usize,
        /// Number of joints of the skeleton.
        expected: usize,
    },
    /// Curves with the same name but different numbers of values.
    #[error("curve \"{name}\" has {found} values in clip \"{clip}\", and {expected} in another")]
    CurveWidth {
        /// Name of the curve.
        name: String,
        /// Name of the later clip.
        clip: String,
        /// Number of values in the later clip.
        found: usize,
        /// Number of values in an earlier clip.
        expected: usize,
    },
    /// Root motions that do not match the clips or the skeleton.
    #[error(
        "root motion {index} of {found}: each of the {clips} clips needs one root motion, and all need the same joint of the skeleton and the same axes"
    )]
    RootMotion {
        /// Index of the first mismatch.
        index: usize,
        /// Number of root motions.
        found: usize,
        /// Number of clips.
        clips: usize,
    },
    /// Clip from which the root motion of a joint cannot be taken.
    #[error("clip \"{clip}\": {source}")]
    RootJoint {
        /// Name of the clip.
        clip: String,
        /// Cause of the error.
        source: RootMotionError,
    },
}

impl GraphError {
    pub(super) fn unknown<'n>(
        context: String,
        kind: &'static str,
        name: &str,
        names: impl IntoIterator<Item = &'n str>,
    ) -> Self {
        Self::Unknown {
            context,
            kind,
            name: name.to_owned(),
            hint: hint(name, names),
        }
    }
}

/// Error of a call to a player. The player is unchanged.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum PlayError {
    /// Name that is not in the graph.
    #[error("there is no {kind} \"{name}\"{hint}")]
    Unknown {
        /// Kind of item, for example "parameter".
        kind: &'static str,
        /// The unknown name.
        name: String,
        /// Similar or existing names.
        hint: String,
    },
    /// Index of a parameter out of range.
    #[error("there is no parameter {index}: the number of parameters is {len}")]
    NoSuchIndex {
        /// Index that was given.
        index: usize,
        /// Number of parameters.
        len: usize,
    },
    /// Number that is infinite or NaN.
    #[error("{what} {value} is not a finite number")]
    NotFinite {
        /// Use of the number, for example "parameter".
        what: &'static str,
        /// Number that was given.
        value: f64,
    },
    /// Negative time step.
    #[error("a step of {dt_secs} s is negative; a state with a negative speed plays backwards")]
    NegativeStep {
        /// Step in seconds.
        dt_secs: f64,
    },
    /// Pose for another skeleton.
    #[error("the pose has {found} joints, but the skeleton of the graph has {expected}")]
    Joints {
        /// Number of joints of the pose.
        found: usize,
        /// Number of joints of the skeleton.
        expected: usize,
    },
    /// Workspace that was made for another graph.
    #[error("the workspace was made for another graph")]
    OtherWorkspace,
    /// Output slice that does not match the width of a curve.
    #[error("curve \"{name}\" has {expected} values, but the output has {found}")]
    CurveWidth {
        /// Name of the curve.
        name: String,
        /// Length of the slice.
        found: usize,
        /// Number of values of the curve.
        expected: usize,
    },
}

impl PlayError {
    pub(crate) fn check_step(dt_secs: f64) -> Result<(), Self> {
        Self::check_finite("step", dt_secs)?;
        if dt_secs < 0.0 {
            return Err(Self::NegativeStep { dt_secs });
        }
        Ok(())
    }

    pub(super) fn check_finite(what: &'static str, value: f64) -> Result<(), Self> {
        if value.is_finite() {
            Ok(())
        } else {
            Err(Self::NotFinite { what, value })
        }
    }

    pub(super) fn unknown<'n>(
        kind: &'static str,
        name: &str,
        names: impl IntoIterator<Item = &'n str>,
    ) -> Self {
        Self::Unknown {
            kind,
            name: name.to_owned(),
            hint: hint(name, names),
        }
    }
}
