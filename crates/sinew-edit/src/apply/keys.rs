use super::checks::{MAX_SECS, check_time, counted, unit, within};
use super::filters;
use super::key_pose::{self, insert};
use super::reach;
use super::segments::{self, of_channel};
use super::tracks::{
    below_layers, change, change_picked, change_track, change_tracks, check_mask, find_layer,
    layer_clip, named_layer, picked,
};
use crate::document::Document;
use crate::edit::{KeyEdit, Keys};
use crate::error::Reason;
use crate::name::Name;
use crate::report::Report;
use sinew::clip::{Channel, Clip, ClipLayer, Interpolation, Key, KeyError, Track};

pub fn run(document: &mut Document, edit: &KeyEdit) -> Result<Report, Reason> {
    match edit {
        KeyEdit::InsertKey { .. } => insert_key(document, edit),
        KeyEdit::MoveKeys {
            clip,
            layer,
            keys,
            by_secs,
        } => {
            let moved = |time: f32| time + by_secs;
            retime(document, (clip, layer), keys, 1.0, moved, "moved")
        }
        KeyEdit::ScaleKeys {
            clip,
            layer,
            keys,
            factor,
            about_secs,
        } => {
            within("factor", *factor, 1e-3..=1e3, "from 0.001 to 1,000")?;
            let scaled = |time: f32| about_secs + (time - about_secs) * factor;
            retime(document, (clip, layer), keys, *factor, scaled, "scaled")
        }
        KeyEdit::CopyKeys {
            clip,
            layer,
            keys,
            time_secs,
            to_clip,
            to_layer,
        } => {
            let layer = layer.as_ref();
            let to_layer = match (to_layer, to_clip) {
                (None, None) => layer,
                (to_layer, _) => to_layer.as_ref(),
            };
            let to = (to_clip.as_ref().unwrap_or(clip), to_layer);
            copy(document, (clip, layer), keys, *time_secs, to)
        }
        KeyEdit::DeleteKeys { clip, layer, keys } => delete(document, (clip, layer.as_ref()), keys),
        KeyEdit::SetTangentKind {
            clip,
            layer,
            keys,
            kind,
        } => {
            let of = (clip, layer.as_ref());
            let (at, count) = change_picked(document, of, keys, |document, clip, picked| {
                picked.change(document, clip, |track| {
                    let mut keys = picked.keys.iter();
                    keys.try_for_each(|&key| track.set_tangent_kind(key, *kind))
                })
            })?;
            let text = format!("{count} of {clip}: {kind:?} tangents");
            Ok(Report::clip(at, text))
        }
        KeyEdit::SetTangents { .. } => set_tangents(document, edit),
        KeyEdit::SetInterpolation { .. } => set_interpolation(document, edit),
        KeyEdit::KeyPose { .. } => key_pose::run(document, edit),
        KeyEdit::KeyReach { .. } => reach::key(document, edit),
        KeyEdit::ReduceKeys { .. } | KeyEdit::SmoothKeys { .. } => filters::run(document, edit),
    }
}

fn insert_key(document: &mut Document, edit: &KeyEdit) -> Result<Report, Reason> {
    let KeyEdit::InsertKey {
        clip,
        layer,
        joint,
        time_secs,
        translation,
        rotation,
        scale,
        limits,
    } = edit
    else {
        return Err(Reason::Nothing("not a key"));
    };
    let at = document.find_clip(clip)?;
    let joint = document.find_joint(joint)?;
    check_time(*time_secs)?;
    let keys = [
        translation.map(Key::Translation),
        rotation.map(|rotation| Key::Rotation(unit(rotation))),
        scale.map(Key::Scale),
    ];
    let keys: Vec<(usize, Key)> = keys.into_iter().flatten().map(|key| (joint, key)).collect();
    if keys.is_empty() {
        return Err(Reason::Nothing(
            "a key needs a translation, a rotation or a scale",
        ));
    }
    insert(document, at, layer.as_ref(), *time_secs, &keys, *limits)?;
    let name = document.skeleton().name(joint).to_owned();
    Ok(Report::clip(
        at,
        format!("key of \"{name}\" at {time_secs} s in {clip}"),
    ))
}

fn retime(
    document: &mut Document,
    (clip, layer): (&Name, &Option<Name>),
    keys: &[Keys],
    slower: f32,
    time: impl Fn(f32) -> f32,
    verb: &str,
) -> Result<Report, Reason> {
    let of = (clip, layer.as_ref());
    let (at, count) = change_picked(document, of, keys, |document, clip, picked| {
        if let Some(track) = clip.track(picked.joint, picked.channel) {
            let new = picked.keys.iter().map(|&key| time(track.times()[key]));
            let last = new.fold(0.0, f32::max);
            within("time_secs", last, 0.0..=MAX_SECS, "at most 1,000,000")?;
        }
        picked.change(document, clip, |track| {
            track.retime_keys(&picked.keys, slower, &time)
        })
    })?;
    Ok(Report::clip(at, format!("{verb} {count} of {clip}")))
}

fn copy(
    document: &mut Document,
    (clip, layer): (&Name, Option<&Name>),
    keys: &[Keys],
    time_secs: f32,
    (to_clip, to_layer): (&Name, Option<&Name>),
) -> Result<Report, Reason> {
    let (from, to) = (document.find_clip(clip)?, document.find_clip(to_clip)?);
    check_time(time_secs)?;
    let motion = document.motions()[from].clone();
    let source: Clip = match (layer, &motion.layers) {
        (Some(name), Some(layers)) => layer_clip(&motion, layers, find_layer(&motion, name)?),
        _ => below_layers(&motion),
    };
    let target = document.motions()[to].clone();
    let (own, target) = (
        named_layer(&motion, layer)?,
        named_layer(&target, to_layer)?,
    );
    let is_additive = |layer: Option<&ClipLayer>| layer.is_some_and(|layer| layer.additive);
    if is_additive(own) != is_additive(target) {
        return Err(Reason::Nothing(
            "keys of an additive layer are differences; they can be copied to additive layers only",
        ));
    }
    let chosen = picked(document, &source, keys)?;
    let copied = chosen.iter().filter_map(|picked| {
        let track = source.track(picked.joint, picked.channel)?;
        Some((picked.joint, picked.channel, track.only_keys(&picked.keys)?))
    });
    let copied: Vec<(usize, Channel, Track)> = copied.collect();
    if let Some(target) = target {
        let mut joints = copied.iter().map(|copied| copied.0);
        joints.try_for_each(|joint| check_mask(document, target, joint))?;
    }
    let ends = copied.iter().map(|(_, _, track)| track.end_secs());
    let end = ends.fold(0.0, f32::max);
    let first = copied.iter().map(|(_, _, track)| track.times()[0]);
    let first = first.fold(f32::INFINITY, f32::min);
    let count = copied.iter().map(|(_, _, track)| track.keys()).sum();
    let end = end - first + time_secs;
    within("time_secs", end, 0.0..=MAX_SECS, "at most 1,000,000")?;
    change(document, to, to_layer, |document, clip| {
        for (joint, channel, mut track) in copied {
            let named = |error: KeyError| Reason::Key {
                joint: document.skeleton().name(joint).to_owned(),
                error,
            };
            let all = (0..track.keys()).collect();
            let moved = track.retime_keys(&all, 1.0, |time| time - first + time_secs);
            moved.map_err(named)?;
            if let Some(own) = clip.track(joint, channel) {
                let mut own = own.clone();
                own.paste_keys(&track).map_err(named)?;
                track = own;
            }
            clip.set_track(joint, channel, Some(track)).map_err(named)?;
        }
        Ok(())
    })?;
    let text = format!(
        "copied {} of {clip} to {time_secs} s of {to_clip}",
        counted(count, "key")
    );
    Ok(Report::clip(to, text))
}

fn delete(
    document: &mut Document,
    of: (&Name, Option<&Name>),
    keys: &[Keys],
) -> Result<Report, Reason> {
    let (at, count) = change_picked(document, of, keys, |document, clip, picked| {
        let track = clip.track(picked.joint, picked.channel);
        let left = track.and_then(|track| track.without_keys(&picked.keys));
        let set = clip.set_track(picked.joint, picked.channel, left);
        set.map_err(|error| Reason::Key {
            joint: document.skeleton().name(picked.joint).to_owned(),
            error,
        })
    })?;
    Ok(Report::clip(at, format!("deleted {count} of {}", of.0)))
}

fn set_tangents(document: &mut Document, edit: &KeyEdit) -> Result<Report, Reason> {
    let KeyEdit::SetTangents {
        clip,
        layer,
        joint,
        channel,
        time_secs,
        before,
        after,
    } = edit
    else {
        return Err(Reason::Nothing("no tangents"));
    };
    let at = document.find_clip(clip)?;
    let joint = document.find_joint(joint)?;
    change(document, at, layer.as_ref(), |document, clip| {
        let missing = || Reason::NoKey {
            joint: document.skeleton().name(joint).to_owned(),
            channel: *channel,
            time_secs: *time_secs,
        };
        let track = clip.track(joint, *channel).ok_or_else(missing)?;
        let key = track.times().iter().position(|time| time == time_secs);
        let key = key.ok_or_else(missing)?;
        change_track(document, clip, joint, *channel, |track| {
            track.set_tangents(key, before, after)
        })
    })?;
    Ok(Report::clip(at, format!("tangents of a key of {clip}")))
}

fn set_interpolation(document: &mut Document, edit: &KeyEdit) -> Result<Report, Reason> {
    let KeyEdit::SetInterpolation {
        clip,
        layer,
        joints,
        channels,
        keys,
        interpolation,
    } = edit
    else {
        return Err(Reason::Nothing("no interpolation"));
    };
    let of = (clip, layer.as_ref());
    if !keys.is_empty() {
        if !joints.is_empty() || !channels.is_empty() {
            return Err(Reason::Nothing(
                "give `keys`, or `joints` and `channels`, not both",
            ));
        }
        return set_segments(document, of, keys, *interpolation);
    }
    let mut count = 0;
    let at = change_tracks(document, of, joints, channels, |track, channel| {
        count += 1;
        *track = track.with_interpolation(of_channel(*interpolation, channel));
    })?;
    if count == 0 {
        let clip = document.motions()[at].clip.name.clone();
        return Err(Reason::NoKeys { clip });
    }
    let text = format!("{} of {clip}: {interpolation:?}", counted(count, "track"));
    Ok(Report::clip(at, text))
}

/// Sets the interpolation from single keys to the next ones.
fn set_segments(
    document: &mut Document,
    of: (&Name, Option<&Name>),
    keys: &[Keys],
    interpolation: Interpolation,
) -> Result<Report, Reason> {
    let (at, count) = change_picked(document, of, keys, |document, clip, picked| {
        picked.change(document, clip, |track| {
            *track = segments::set(track, picked.channel, &picked.keys, interpolation)?;
            Ok(())
        })
    })?;
    let text = format!("{count} of {}: {interpolation:?}", of.0);
    Ok(Report::clip(at, text))
}
