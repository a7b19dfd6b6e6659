//! The list of edits, a file per kind. Each name and option is the name and option in scripts, in the window and in
//! bindings.

mod clip;
mod event;
mod key;
mod layer;
mod pose;
mod values;

pub use clip::ClipEdit;
pub use event::EventEdit;
pub use key::KeyEdit;
pub use layer::LayerEdit;
pub use pose::PoseEdit;
pub use values::{Clean, JointValue, Keys, Moment, Reach, Space};

use crate::flat::{self, Group};
use serde::{Deserialize, Deserializer, Serialize};
use std::sync::LazyLock;

/// A change of a [`crate::Document`]. Scripts leave the kind out: `{"do": "rename_clip", "clip": "walk", "name": "stroll"}`.
///
/// Clips, joints and layers are given by name or by index. Times are in seconds from the start of the clip, lengths
/// in the unit of the file, rotations as quaternions `[x, y, z, w]`.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
#[non_exhaustive]
pub enum Edit {
    /// A change of a whole clip, or of the list of clips.
    Clip(ClipEdit),
    /// A change of keys.
    Key(KeyEdit),
    /// A change of events and named curves.
    Event(EventEdit),
    /// A change of the pose that is not keyed yet.
    Pose(PoseEdit),
    /// A change of layers.
    Layer(LayerEdit),
}

/// Defines how an [`Edit`] is made of its kinds, and read.
macro_rules! kinds {
    ($($kind:ident($edit:ident)),*) => {
        $(impl From<$edit> for Edit {
            fn from(edit: $edit) -> Self {
                Self::$kind(edit)
            }
        })*

        static NAMES: LazyLock<Vec<&str>> =
            LazyLock::new(|| [$(flat::names::<$edit>()),*].concat());

        impl<'de> Deserialize<'de> for Edit {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                flat::read(deserializer, &[$(Group::of::<$edit>()),*], &NAMES)
            }
        }
    };
}

kinds!(
    Clip(ClipEdit),
    Key(KeyEdit),
    Event(EventEdit),
    Pose(PoseEdit),
    Layer(LayerEdit)
);

impl Edit {
    /// Name in scripts, like `rename_clip`.
    pub fn name(&self) -> String {
        let text = serde_json::to_value(self);
        let name = text
            .ok()
            .and_then(|text| text.get("do")?.as_str().map(str::to_owned));
        name.unwrap_or_default()
    }
}
