//! Edits applied to a document. A module per group of edits.

mod checks;
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
use crate::edit::Edit;
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
        Edit::NewClip { .. }
        | Edit::DeleteClip { .. }
        | Edit::RenameClip { .. }
        | Edit::CopyClip { .. }
        | Edit::TrimClip { .. }
        | Edit::SplitClip { .. }
        | Edit::ReverseClip { .. }
        | Edit::MirrorClip { .. }
        | Edit::CloseLoop { .. }
        | Edit::RetimeClip { .. }
        | Edit::SetDuration { .. }
        | Edit::ResampleClip { .. } => clips::run(document, edit),
        Edit::ReduceKeys { .. } | Edit::SmoothKeys { .. } => filters::run(document, edit),
        Edit::KeyPose { .. } => key_pose::run(document, edit),
        Edit::InsertKey { .. }
        | Edit::MoveKeys { .. }
        | Edit::ScaleKeys { .. }
        | Edit::CopyKeys { .. }
        | Edit::DeleteKeys { .. }
        | Edit::SetTangentKind { .. }
        | Edit::SetTangents { .. }
        | Edit::SetInterpolation { .. } => keys::run(document, edit),
        Edit::AddEvent { .. }
        | Edit::SetEvent { .. }
        | Edit::DeleteEvent { .. }
        | Edit::SetCurveKey { .. }
        | Edit::DeleteCurveKey { .. }
        | Edit::MoveCurveKey { .. }
        | Edit::RenameCurve { .. }
        | Edit::DeleteCurve { .. } => events::run(document, edit),
        Edit::Pose { .. }
        | Edit::Rotate { .. }
        | Edit::Move { .. }
        | Edit::Scale { .. }
        | Edit::MirrorPose { .. }
        | Edit::ResetPose { .. } => poses::run(document, edit),
        Edit::Reach(reach) => reach::pull(document, reach),
        Edit::KeyReach { .. } => reach::key(document, edit),
        Edit::AddLayer { .. }
        | Edit::SetLayer { .. }
        | Edit::DeleteLayer { .. }
        | Edit::Flatten { .. } => layers::run(document, edit),
    }
}
