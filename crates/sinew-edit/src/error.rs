use crate::name::Name;
use sinew::clip::{Channel, ClipEditError, KeyError};
use sinew::ik::IkError;
use sinew_rig::motion::MotionError;
use thiserror::Error;

/// Error of an edit. The document is unchanged.
#[derive(Clone, Debug, PartialEq, Error)]
#[error("{edit}: {reason}")]
pub struct EditError {
    /// Name of the edit, like `insert_key`.
    pub edit: String,
    /// Reason of the refusal.
    pub reason: Reason,
}

/// Reason why an edit was refused.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum Reason {
    /// Name or index of a clip that does not exist.
    #[error("there is no clip {name}{hint}")]
    NoClip {
        /// The name that was given.
        name: Name,
        /// Similar or existing names.
        hint: String,
    },
    /// Name or index of a joint that does not exist.
    #[error("there is no joint {name}{hint}")]
    NoJoint {
        /// The name that was given.
        name: Name,
        /// Similar or existing names.
        hint: String,
    },
    /// Name or index of a layer that does not exist.
    #[error("clip \"{clip}\" has no layer {name}{hint}")]
    NoLayer {
        /// Name of the clip.
        clip: String,
        /// The name that was given.
        name: Name,
        /// Similar or existing names.
        hint: String,
    },
    /// Name of a curve that does not exist.
    #[error("clip \"{clip}\" has no curve \"{name}\"{hint}")]
    NoCurve {
        /// Name of the clip.
        clip: String,
        /// The name that was given.
        name: String,
        /// Similar or existing names.
        hint: String,
    },
    /// Index of an event that does not exist.
    #[error("clip \"{clip}\" has no event {event}; it has {events}")]
    NoEvent {
        /// Name of the clip.
        clip: String,
        /// Index that was given.
        event: usize,
        /// Number of events.
        events: usize,
    },
    /// Name that another clip or layer has already.
    #[error("the name \"{0}\" is taken; choose another")]
    Taken(String),
    /// Empty name.
    #[error("a name must not be empty")]
    Nameless,
    /// Selection without keys.
    #[error("clip \"{clip}\" has no keys there")]
    NoKeys {
        /// Name of the clip.
        clip: String,
    },
    /// No key of the joint at this time.
    #[error("joint \"{joint}\" has no {channel:?} key at {time_secs} s")]
    NoKey {
        /// Name of the joint.
        joint: String,
        /// Channel that was given.
        channel: Channel,
        /// Time that was given, in seconds.
        time_secs: f32,
    },
    /// Edit that has nothing to change.
    #[error("{0}")]
    Nothing(&'static str),
    /// Number out of its range.
    #[error("{option} is {value}; it must be {range}")]
    Range {
        /// Name of the option.
        option: &'static str,
        /// Value that was given.
        value: f32,
        /// Allowed values.
        range: &'static str,
    },
    /// Key that the clip refuses.
    #[error("joint \"{joint}\": {error}")]
    Key {
        /// Name of the joint.
        joint: String,
        /// Reason why the key was refused.
        error: KeyError,
    },
    /// Change of a clip that is not possible.
    #[error(transparent)]
    Clip(#[from] ClipEditError),
    /// Joint that the edit cannot change.
    #[error("joint \"{joint}\": {problem}")]
    Joint {
        /// Name of the joint.
        joint: String,
        /// Reason, with the remedy.
        problem: &'static str,
    },
    /// Joint that a layer does not have.
    #[error(
        "layer \"{layer}\" does not have joint \"{joint}\"; add it to `joints` with `set_layer`"
    )]
    NotInLayer {
        /// Name of the layer.
        layer: String,
        /// Name of the joint.
        joint: String,
    },
    /// Goal that inverse kinematics refuses.
    #[error("joint \"{joint}\": {error}")]
    Ik {
        /// Name of the joint that was pulled.
        joint: String,
        /// Reason.
        error: IkError,
    },
    /// Joints without left and right.
    #[error("no joint names distinguish left from right")]
    NoSides,
    /// Motion that cannot be cleaned.
    #[error(transparent)]
    Motion(#[from] MotionError),
    /// Motion in model space, which has no keys relative to parents.
    #[error("clip \"{0}\" is in model space; only clips relative to parents can be edited")]
    InModel(String),
}

impl Reason {
    pub(crate) fn of(self, edit: &str) -> EditError {
        EditError {
            edit: edit.to_owned(),
            reason: self,
        }
    }
}
