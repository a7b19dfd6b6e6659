//! Edits applied to a document. A module per group of edits.

mod clips;
mod events;
mod filters;
mod key_pose;
mod keys;
mod layers;
mod poses;
mod reach;
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

/// Checks that a number is finite and in a range.
fn within(
    option: &'static str,
    value: f32,
    allowed: std::ops::RangeInclusive<f32>,
    range: &'static str,
) -> Result<(), Reason> {
    if allowed.contains(&value) {
        Ok(())
    } else {
        Err(Reason::Range {
            option,
            value,
            range,
        })
    }
}

/// Max time of keys and events, in seconds.
const MAX_SECS: f32 = 1e6;

fn check_time(time_secs: f32) -> Result<(), Reason> {
    within(
        "time_secs",
        time_secs,
        0.0..=MAX_SECS,
        "from 0 to 1,000,000",
    )
}

fn counted(count: usize, what: &str) -> String {
    let s = if count == 1 { "" } else { "s" };
    format!("{count} {what}{s}")
}
