use super::checks::{MAX_SECS, within};
use super::clean;
use super::tracks::{below_layers, layer_clip, set_below};
use crate::document::{Document, Motion};
use crate::edit::ClipEdit;
use crate::error::Reason;
use crate::mirror::{mirrored, partners};
use crate::name::Name;
use crate::report::Report;
use sinew::{Clip, Skeleton};
use std::collections::BTreeSet;
use std::sync::Arc;

pub fn run(document: &mut Document, edit: &ClipEdit) -> Result<Report, Reason> {
    match edit {
        ClipEdit::NewClip {
            name,
            duration_secs,
        } => new_clip(document, name, *duration_secs),
        ClipEdit::DeleteClip { clip } => {
            let at = document.find_clip(clip)?;
            let motion = document.motions_mut().remove(at);
            Ok(Report::pose(format!(
                "deleted clip \"{}\"",
                motion.clip.name
            )))
        }
        ClipEdit::RenameClip { clip, name } => {
            let at = document.find_clip(clip)?;
            check_name(document, name, Some(at))?;
            document.motion_mut(at).clip.name.clone_from(name);
            Ok(Report::clip(at, format!("renamed {clip} to \"{name}\"")))
        }
        ClipEdit::CopyClip { clip, name } => {
            let at = document.find_clip(clip)?;
            check_name(document, name, None)?;
            let mut copy = Motion::clone(&document.motions()[at]);
            copy.clip.name.clone_from(name);
            Ok(add(document, copy, format!("copied {clip} to \"{name}\"")))
        }
        ClipEdit::SplitClip {
            clip,
            time_secs,
            name,
        } => split(document, clip, *time_secs, name),
        ClipEdit::TrimClip {
            clip,
            from_secs,
            to_secs,
        } => {
            let at = document.find_clip(clip)?;
            change_all(document, at, |clip| Ok(clip.trimmed(*from_secs, *to_secs)?))?;
            Ok(Report::clip(
                at,
                format!("trimmed {clip} to {from_secs} to {to_secs} s"),
            ))
        }
        ClipEdit::ReverseClip { clip } => {
            let at = document.find_clip(clip)?;
            change_all(document, at, |clip| Ok(clip.reversed()))?;
            Ok(Report::clip(at, format!("reversed {clip}")))
        }
        ClipEdit::RetimeClip { clip, factor } => {
            let at = document.find_clip(clip)?;
            within("factor", *factor, 0.01..=100.0, "from 0.01 to 100")?;
            let end = document.motions()[at].clip.duration_secs * factor;
            within("duration_secs", end, 0.0..=MAX_SECS, "at most 1,000,000")?;
            let skeleton = document.skeleton().clone();
            change_all(document, at, |clip| retimed(clip, *factor, &skeleton))?;
            Ok(Report::clip(at, format!("retimed {clip} by {factor}")))
        }
        ClipEdit::MirrorClip { clip } => mirror(document, clip),
        ClipEdit::CloseLoop { clip } => {
            let at = document.find_clip(clip)?;
            let skeleton = document.skeleton().clone();
            change_all(document, at, |clip| Ok(clip.looped(&skeleton)))?;
            Ok(Report::clip(at, format!("closed the loop of {clip}")))
        }
        ClipEdit::ResampleClip { clip, fps } => {
            let at = document.find_clip(clip)?;
            change_all(document, at, |clip| Ok(clip.resampled(*fps)?))?;
            Ok(Report::clip(
                at,
                format!("resampled {clip} to {fps} keys per second"),
            ))
        }
        ClipEdit::CleanClip(edit) => clean::run(document, edit),
        ClipEdit::SetDuration {
            clip,
            duration_secs,
        } => set_duration(document, clip, *duration_secs),
    }
}

fn new_clip(document: &mut Document, name: &str, duration_secs: f32) -> Result<Report, Reason> {
    check_name(document, name, None)?;
    within(
        "duration_secs",
        duration_secs,
        0.0..=MAX_SECS,
        "from 0 to 1,000,000",
    )?;
    let mut clip = Clip::new(name);
    clip.duration_secs = duration_secs;
    let motion = Motion { clip, layers: None };
    Ok(add(document, motion, format!("made clip \"{name}\"")))
}

fn add(document: &mut Document, motion: Motion, text: String) -> Report {
    document.motions_mut().push(Arc::new(motion));
    Report::clip(document.motions().len() - 1, text)
}

fn split(
    document: &mut Document,
    clip: &Name,
    time_secs: f32,
    name: &str,
) -> Result<Report, Reason> {
    let at = document.find_clip(clip)?;
    check_name(document, name, None)?;
    let whole = document.motions()[at].clone();
    let end = whole.clip.duration_secs;
    change_all(document, at, |clip| Ok(clip.trimmed(0.0, time_secs)?))?;
    let first = document.motions()[at].clone();
    document.motions_mut()[at] = whole;
    change_all(document, at, |clip| Ok(clip.trimmed(time_secs, end)?))?;
    document.motion_mut(at).clip.name = name.to_owned();
    document.motions_mut().insert(at, first);
    let mut report = Report::clip(at, format!("split {clip} at {time_secs} s"));
    report.clips.push(at + 1);
    Ok(report)
}

fn set_duration(
    document: &mut Document,
    clip: &Name,
    duration_secs: f32,
) -> Result<Report, Reason> {
    let at = document.find_clip(clip)?;
    let mut fitted = document.motions()[at].clip.clone();
    fitted.fit_duration();
    if !(duration_secs >= fitted.duration_secs && duration_secs <= MAX_SECS) {
        return Err(Reason::Range {
            option: "duration_secs",
            value: duration_secs,
            range: "not before the last key or event, and at most 1,000,000",
        });
    }
    document.motion_mut(at).clip.duration_secs = duration_secs;
    Ok(Report::clip(at, format!("{clip} lasts {duration_secs} s")))
}

/// Changes the motion below the layers and every layer.
fn change_all(
    document: &mut Document,
    at: usize,
    edit: impl Fn(&Clip) -> Result<Clip, Reason>,
) -> Result<(), Reason> {
    let motion = document.motions()[at].clone();
    let skeleton = document.skeleton().clone();
    let mut below = below_layers(&motion);
    // Layers may be longer than the motion below them.
    below.duration_secs = motion.clip.duration_secs;
    let below = edit(&below)?;
    let mut layers = motion.layers.clone();
    if let Some(layers) = &mut layers {
        for index in 0..layers.layers.len() {
            let changed = edit(&layer_clip(&motion, layers, index))?;
            layers.layers[index].tracks = changed.joints;
        }
    }
    let after = document.motion_mut(at);
    after.layers = layers;
    set_below(after, &skeleton, below, &motion);
    Ok(())
}

/// Mirrors the motion below the layers, and each layer.
fn mirror(document: &mut Document, clip: &Name) -> Result<Report, Reason> {
    let at = document.find_clip(clip)?;
    let skeleton = document.skeleton().clone();
    let before = document.motions()[at].clone();
    let motion = document.motion_mut(at);
    let (below, notes) = mirrored(&below_layers(&before), &skeleton)?;
    if let Some(layers) = &mut motion.layers {
        let (partner, axis) = partners(&skeleton).ok_or(Reason::NoSides)?;
        for layer in &mut layers.layers {
            *layer = layer.mirrored(&skeleton, &partner, axis);
        }
    }
    set_below(motion, &skeleton, below, &before);
    let notes = notes.iter().map(|note| format!("; {note}"));
    let notes = notes.collect::<String>();
    Ok(Report::clip(at, format!("mirrored {clip}{notes}")))
}

fn retimed(clip: &Clip, factor: f32, skeleton: &Skeleton) -> Result<Clip, Reason> {
    let mut clip = clip.clone();
    let slower = |track: &mut sinew::Track, name: &str| -> Result<(), Reason> {
        let keys: BTreeSet<usize> = (0..track.keys()).collect();
        let retimed = track.retime_keys(&keys, factor, |time| time * factor);
        retimed.map_err(|error| Reason::Key {
            joint: name.to_owned(),
            error,
        })
    };
    for tracks in &mut clip.joints {
        let is_known = tracks.joint < skeleton.len();
        let name = if is_known {
            skeleton.name(tracks.joint)
        } else {
            ""
        };
        let tracks = [
            &mut tracks.translation,
            &mut tracks.rotation,
            &mut tracks.scale,
        ];
        let mut tracks = tracks.into_iter().flatten();
        tracks.try_for_each(|track| slower(track, name))?;
    }
    clip.morphs
        .iter_mut()
        .try_for_each(|morph| slower(&mut morph.weights, "morph weights"))?;
    clip.curves
        .iter_mut()
        .try_for_each(|curve| slower(&mut curve.track, &curve.name))?;
    clip.events
        .iter_mut()
        .for_each(|event| event.time_secs *= factor);
    clip.duration_secs *= factor;
    // Rounding may put the last key a bit after the end.
    let ends = clip.tracks().map(sinew::Track::end_secs);
    clip.duration_secs = ends.fold(clip.duration_secs, f32::max);
    Ok(clip)
}

fn check_name(document: &Document, name: &str, except: Option<usize>) -> Result<(), Reason> {
    let mut others = document.motions().iter().enumerate();
    if name.is_empty() {
        Err(Reason::Nameless)
    } else if others.any(|(at, motion)| motion.clip.name == name && Some(at) != except) {
        Err(Reason::Taken(name.to_owned()))
    } else {
        Ok(())
    }
}
