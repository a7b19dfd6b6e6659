//! Edits of a character as data: pose, key, layer, undo.
//!
//! An [`Edit`] is a value with a name and options. [`apply`] takes a [`Document`] and an edit, and returns the edited
//! document and a [`Report`] of what changed. An [`Editor`] adds undo and redo, which restore a document bit for bit. The
//! window, `sinew edit` and scripts use the same edits under the same names.
//!
//! ```
//! use sinew_edit::{Edit, Editor};
//! let mut editor = Editor::new(sinew_samples::humanoid_character());
//! let script = r#"[
//!     {"do": "new_clip", "name": "nod"},
//!     {"do": "insert_key", "clip": "nod", "joint": "head", "time_secs": 0, "rotation": [0, 0, 0, 1]},
//!     {"do": "insert_key", "clip": "nod", "joint": "head", "time_secs": 0.4, "rotation": [0.2, 0, 0, 0.98]}
//! ]"#;
//! for edit in serde_json::from_str::<Vec<Edit>>(script)? {
//!     editor.run(edit)?;
//! }
//! assert_eq!(editor.document().motions().last().unwrap().clip.duration_secs, 0.4);
//! editor.undo();
//! assert_eq!(editor.document().motions().last().unwrap().clip.duration_secs, 0.0);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod apply;
mod document;
mod edit;
mod editor;
mod error;
#[doc(hidden)]
pub mod flat;
mod mirror;
mod name;
mod patch;
mod report;
mod script;

pub use apply::apply;
pub use document::{Document, Motion};
pub use edit::{
    Clean, ClipEdit, Edit, EventEdit, JointValue, KeyEdit, Keys, LayerEdit, Moment, PoseEdit,
    Reach, Space,
};
pub use editor::{Editor, Step};
pub use error::{EditError, Reason};
pub use mirror::{mirrored, partners};
pub use name::Name;
pub use report::Report;
pub use script::{ScriptError, read_pose, read_script};
