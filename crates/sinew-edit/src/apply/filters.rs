//! Fewer and smoother keys.

use super::checks::{counted, within};
use super::tracks::{change_picked, change_tracks};
use crate::document::Document;
use crate::edit::{KeyEdit, Keys};
use crate::error::Reason;
use crate::name::Name;
use crate::report::Report;
use glam::Quat;
use sinew::Interpolation;
use sinew::clip::{Channel, KeyError, Track};
use std::collections::BTreeSet;

pub fn run(document: &mut Document, edit: &KeyEdit) -> Result<Report, Reason> {
    match edit {
        KeyEdit::ReduceKeys {
            clip,
            layer,
            joints,
            max_degrees,
            max_distance,
        } => {
            within("max_degrees", *max_degrees, 0.0..=180.0, "from 0 to 180")?;
            within("max_distance", *max_distance, 0.0..=f32::MAX, "at least 0")?;
            let layer = layer.as_ref();
            reduce(document, (clip, layer), joints, *max_degrees, *max_distance)
        }
        KeyEdit::SmoothKeys {
            clip,
            layer,
            keys,
            width_secs,
        } => {
            within(
                "width_secs",
                *width_secs,
                1e-4..=10.0,
                "above 0 and at most 10",
            )?;
            smooth(document, (clip, layer.as_ref()), keys, *width_secs)
        }
        _ => Err(Reason::Nothing("not a filter")),
    }
}

fn reduce(
    document: &mut Document,
    (clip, layer): (&Name, Option<&Name>),
    joints: &[Name],
    max_degrees: f32,
    max_distance: f32,
) -> Result<Report, Reason> {
    let (mut before, mut after) = (0, 0);
    let at = change_tracks(document, (clip, layer), joints, &[], |track, channel| {
        let bound = match channel {
            Channel::Rotation => max_degrees.to_radians(),
            _ => max_distance,
        };
        before += track.keys();
        *track = reduced(track, channel, bound);
        after += track.keys();
    })?;
    let text = format!("{} of {clip} became {after}", counted(before, "key"));
    Ok(Report::clip(at, text))
}

/// Keys left after dividing at the largest error until every old key is within the bound of the line between two.
fn reduced(track: &Track, channel: Channel, bound: f32) -> Track {
    if track.keys() < 3 || track.interpolation() == Interpolation::Step {
        return track.clone();
    }
    let last = track.keys() - 1;
    let mut kept = BTreeSet::from([0, last]);
    let mut open = vec![(0, last)];
    while let Some((from, to)) = open.pop() {
        let worst = (from + 1..to)
            .map(|key| (key, distance(track, channel, from, to, key)))
            .max_by(|a, b| a.1.total_cmp(&b.1));
        if let Some((key, error)) = worst
            && error > bound
        {
            kept.insert(key);
            open.extend([(from, key), (key, to)]);
        }
    }
    let mut times = Vec::with_capacity(kept.len());
    let mut values = Vec::with_capacity(kept.len() * track.width());
    for &key in &kept {
        times.push(track.times()[key]);
        values.extend_from_slice(track.key(key));
    }
    let interpolation = match channel {
        Channel::Rotation => Interpolation::Slerp,
        _ => Interpolation::Linear,
    };
    let made = Track::new(times, values, track.width(), interpolation);
    made.unwrap_or_else(|_| track.clone())
}

/// Distance of a key from the line between two others: radians for rotations, else units of length.
fn distance(track: &Track, channel: Channel, from: usize, to: usize, key: usize) -> f32 {
    let times = track.times();
    let along = (times[key] - times[from]) / (times[to] - times[from]);
    let (a, b, now) = (track.key(from), track.key(to), track.key(key));
    if channel == Channel::Rotation {
        let quat = |v: &[f32]| Quat::from_xyzw(v[0], v[1], v[2], v[3]);
        let line = sinew::transform::quat::slerp(quat(a), quat(b), along);
        return sinew::transform::quat::angle_between(line, quat(now));
    }
    let squares = (0..track.width()).map(|c| {
        let off = a[c] + (b[c] - a[c]) * along - now[c];
        off * off
    });
    squares.sum::<f32>().sqrt()
}

fn smooth(
    document: &mut Document,
    of: (&Name, Option<&Name>),
    keys: &[Keys],
    width_secs: f32,
) -> Result<Report, Reason> {
    let (at, count) = change_picked(document, of, keys, |document, clip, picked| {
        picked.change(document, clip, |track| {
            *track = smoothed(track, picked.channel, &picked.keys, width_secs)?;
            Ok(())
        })
    })?;
    Ok(Report::clip(at, format!("smoothed {count} of {}", of.0)))
}

fn smoothed(
    track: &Track,
    channel: Channel,
    keys: &BTreeSet<usize>,
    width_secs: f32,
) -> Result<Track, KeyError> {
    let times = track.times();
    let last = track.keys() - 1;
    let mut values: Vec<f32> = (0..=last).flat_map(|key| track.key(key).to_vec()).collect();
    for &key in keys.iter().filter(|&&key| key > 0 && key < last) {
        let from = times.partition_point(|&time| time < times[key] - 3.0 * width_secs);
        let to = times.partition_point(|&time| time <= times[key] + 3.0 * width_secs);
        let sum = &mut values[key * track.width()..(key + 1) * track.width()];
        sum.fill(0.0);
        let mut total = 0.0;
        for other in from..to {
            let off = (times[other] - times[key]) / width_secs;
            let weight = (-0.5 * off * off).exp();
            // Opposite quaternions are the same rotation.
            let pairs = track.key(other).iter().zip(track.key(key));
            let dot: f32 = pairs.map(|(a, b)| a * b).sum();
            let is_opposite = channel == Channel::Rotation && dot < 0.0;
            let sign = if is_opposite { -1.0 } else { 1.0 };
            let parts = sum.iter_mut().zip(track.key(other));
            parts.for_each(|(sum, value)| *sum += weight * sign * value);
            total += weight;
        }
        if channel == Channel::Rotation {
            total = sum.iter().map(|c| c * c).sum::<f32>().sqrt();
        }
        if total > 1e-6 {
            sum.iter_mut().for_each(|c| *c /= total);
        } else {
            sum.copy_from_slice(track.key(key));
        }
    }
    let plain = match track.interpolation() {
        Interpolation::CubicHermite => Interpolation::Linear,
        other => other,
    };
    let made = Track::new(times.clone(), values, track.width(), plain)?;
    Ok(made.with_interpolation(track.interpolation()))
}
