//! Edits applied to a document. A module per group of edits.

mod checks;
mod clean;
mod clips;
mod events;
mod filters;
mod key_pose;
mod keys;
mod layers;
mod poses;
mod reach;
mod segments;
mod tracks;

use crate::document::Document;
use crate::edit::{Edit, PoseEdit};
use crate::error::{EditError, Reason};
use crate::report::Report;

/// The document after an edit, and what changed. The given document stays as it is; both share what is equal.
///
/// # Errors
/// If the edit names something that does not exist, or gives a value out of its range.
pub fn apply(document: &Document, edit: &Edit) -> Result<(Document, Report), EditError> {
    let mut after = document.clone();
    let report = run(&mut after, edit).map_err(|reason| reason.of(&edit.name()))?;
    Ok((after, report))
}

fn run(document: &mut Document, edit: &Edit) -> Result<Report, Reason> {
    match edit {
        Edit::Clip(edit) => clips::run(document, edit),
        Edit::Key(edit) => keys::run(document, edit),
        Edit::Event(edit) => events::run(document, edit),
        Edit::Pose(PoseEdit::Reach(reach)) => reach::pull(document, reach),
        Edit::Pose(edit) => poses::run(document, edit),
        Edit::Layer(edit) => layers::run(document, edit),
    }
}
