use super::checks::check_time;
use crate::document::Document;
use crate::edit::EventEdit;
use crate::error::Reason;
use crate::name::Name;
use crate::report::Report;
use sinew::clip::{Clip, Curve, KeyError};
use sinew::{Interpolation, Track, names};
use std::collections::BTreeSet;

pub fn run(document: &mut Document, edit: &EventEdit) -> Result<Report, Reason> {
    match edit {
        EventEdit::AddEvent {
            clip,
            time_secs,
            name,
        } => {
            let at = document.find_clip(clip)?;
            check_time(*time_secs)?;
            if name.is_empty() {
                return Err(Reason::Nameless);
            }
            document
                .motion_mut(at)
                .clip
                .add_event(*time_secs, name.clone());
            Ok(Report::clip(
                at,
                format!("event \"{name}\" at {time_secs} s of {clip}"),
            ))
        }
        EventEdit::SetEvent {
            clip,
            event,
            time_secs,
            name,
        } => {
            let (at, mut old) = take_event(document, clip, *event)?;
            if let Some(time_secs) = time_secs {
                check_time(*time_secs)?;
                old.time_secs = *time_secs;
            }
            if let Some(name) = name {
                old.name.clone_from(name);
            }
            if old.name.is_empty() {
                return Err(Reason::Nameless);
            }
            let text = format!("event \"{}\" at {} s of {clip}", old.name, old.time_secs);
            document
                .motion_mut(at)
                .clip
                .add_event(old.time_secs, old.name);
            Ok(Report::clip(at, text))
        }
        EventEdit::DeleteEvent { clip, event } => {
            let (at, old) = take_event(document, clip, *event)?;
            Ok(Report::clip(
                at,
                format!("deleted event \"{}\" of {clip}", old.name),
            ))
        }
        _ => curves(document, edit),
    }
}

fn curves(document: &mut Document, edit: &EventEdit) -> Result<Report, Reason> {
    match edit {
        EventEdit::SetCurveKey {
            clip,
            curve,
            time_secs,
            value,
        } => {
            let at = document.find_clip(clip)?;
            check_time(*time_secs)?;
            let motion = &mut document.motion_mut(at).clip;
            set_curve_key(motion, curve, *time_secs, *value)?;
            Ok(Report::clip(
                at,
                format!("key of curve \"{curve}\" at {time_secs} s of {clip}"),
            ))
        }
        EventEdit::DeleteCurveKey {
            clip,
            curve,
            time_secs,
        } => {
            let at = document.find_clip(clip)?;
            delete_curve_key(&mut document.motion_mut(at).clip, curve, *time_secs)?;
            Ok(Report::clip(
                at,
                format!("deleted a key of curve \"{curve}\" of {clip}"),
            ))
        }
        EventEdit::MoveCurveKey {
            clip,
            curve,
            time_secs,
            to_secs,
            value,
        } => {
            let at = document.find_clip(clip)?;
            let to_secs = to_secs.unwrap_or(*time_secs);
            check_time(to_secs)?;
            let motion = &mut document.motion_mut(at).clip;
            move_curve_key(motion, curve, *time_secs, to_secs, *value)?;
            Ok(Report::clip(
                at,
                format!("key of curve \"{curve}\" at {to_secs} s of {clip}"),
            ))
        }
        EventEdit::RenameCurve { clip, curve, name } => {
            let at = document.find_clip(clip)?;
            let motion = &mut document.motion_mut(at).clip;
            let found = find_curve(motion, curve)?;
            let mut others = motion.curves.iter().enumerate();
            if name.is_empty() {
                return Err(Reason::Nameless);
            }
            if others.any(|(other, curve)| curve.name == *name && other != found) {
                return Err(Reason::Taken(name.clone()));
            }
            motion.curves[found].name.clone_from(name);
            Ok(Report::clip(
                at,
                format!("renamed curve \"{curve}\" of {clip} to \"{name}\""),
            ))
        }
        EventEdit::DeleteCurve { clip, curve } => {
            let at = document.find_clip(clip)?;
            let motion = &mut document.motion_mut(at).clip;
            let found = find_curve(motion, curve)?;
            motion.curves.remove(found);
            Ok(Report::clip(
                at,
                format!("deleted curve \"{curve}\" of {clip}"),
            ))
        }
        _ => Err(Reason::Nothing("not an edit of events")),
    }
}

fn take_event(
    document: &mut Document,
    clip: &Name,
    event: usize,
) -> Result<(usize, sinew::Event), Reason> {
    let at = document.find_clip(clip)?;
    let motion = &mut document.motion_mut(at).clip;
    let events = motion.events.len();
    if event >= events {
        return Err(Reason::NoEvent {
            clip: motion.name.clone(),
            event,
            events,
        });
    }
    Ok((at, motion.events.remove(event)))
}

fn find_curve(clip: &Clip, curve: &str) -> Result<usize, Reason> {
    let names = || clip.curves.iter().map(|curve| &*curve.name);
    names()
        .position(|name| name == curve)
        .ok_or_else(|| Reason::NoCurve {
            clip: clip.name.clone(),
            name: curve.to_owned(),
            hint: names::hint(curve, names()),
        })
}

fn set_curve_key(clip: &mut Clip, curve: &str, time_secs: f32, value: f32) -> Result<(), Reason> {
    let named = |error: KeyError| Reason::Key {
        joint: curve.to_owned(),
        error,
    };
    if curve.is_empty() {
        return Err(Reason::Nameless);
    }
    match clip.curves.iter_mut().find(|old| old.name == curve) {
        Some(old) => {
            old.track.insert_key(time_secs, &[value]).map_err(named)?;
        }
        None => {
            let track = Track::new(vec![time_secs], vec![value], 1, Interpolation::Linear);
            let track = track.map_err(|error| named(error.into()))?;
            clip.curves.push(Curve {
                name: curve.to_owned(),
                track,
            });
        }
    }
    clip.duration_secs = clip.duration_secs.max(time_secs);
    Ok(())
}

fn move_curve_key(
    clip: &mut Clip,
    curve: &str,
    time_secs: f32,
    to_secs: f32,
    value: Option<f32>,
) -> Result<(), Reason> {
    let at = find_curve(clip, curve)?;
    let named = |error: KeyError| Reason::Key {
        joint: curve.to_owned(),
        error,
    };
    let track = &mut clip.curves[at].track;
    let Some(key) = track.times().iter().position(|time| *time == time_secs) else {
        return Err(Reason::NoKeys {
            clip: clip.name.clone(),
        });
    };
    let keys = BTreeSet::from([key]);
    track.retime_keys(&keys, 1.0, |_| to_secs).map_err(named)?;
    if let Some(value) = value {
        track.insert_key(to_secs, &[value]).map_err(named)?;
    }
    clip.duration_secs = clip.duration_secs.max(to_secs);
    Ok(())
}

fn delete_curve_key(clip: &mut Clip, curve: &str, time_secs: f32) -> Result<(), Reason> {
    let at = find_curve(clip, curve)?;
    let track = &clip.curves[at].track;
    let Some(key) = track.times().iter().position(|time| *time == time_secs) else {
        return Err(Reason::NoKeys {
            clip: clip.name.clone(),
        });
    };
    match track.without_keys(&BTreeSet::from([key])) {
        Some(left) => clip.curves[at].track = left,
        None => {
            clip.curves.remove(at);
        }
    }
    Ok(())
}
