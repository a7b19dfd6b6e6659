//! Interpolation from single keys to the next ones, in cubic tracks: lines are tangents along them, steps are keys that
//! hold a value until just before the next key.

use sinew::Interpolation;
use sinew::clip::{Channel, KeyError, TangentKind, Track};
use std::collections::BTreeSet;

/// Time between the end of a step and the next key, in seconds. Half of the segment if that is shorter.
const STEP_SECS: f32 = 1e-3;

/// Sets the interpolation of the segments that begin at these keys. The other segments keep theirs.
pub fn set(
    track: &Track,
    channel: Channel,
    keys: &BTreeSet<usize>,
    interpolation: Interpolation,
) -> Result<Track, KeyError> {
    let last = track.keys() - 1;
    if (0..last).all(|key| keys.contains(&key)) && !has_hold(track) {
        return Ok(track.with_interpolation(of_channel(interpolation, channel)));
    }
    let starts: BTreeSet<u32> = keys
        .iter()
        .map(|&key| track.times()[key].to_bits())
        .collect();
    let is_chosen = |time: f32| starts.contains(&time.to_bits());
    // Keys that held a chosen segment go.
    let holds = (1..last).filter(|&key| is_hold(track, key) && is_chosen(track.times()[key - 1]));
    let mut now = track
        .without_keys(&holds.collect())
        .ok_or(KeyError::BadValue)?;
    let before = now.interpolation();
    if before != Interpolation::CubicHermite {
        now = now.with_interpolation(Interpolation::CubicHermite);
    }
    let automatic = now.with_interpolation(Interpolation::CubicHermite);
    // From the end, so that inserted keys do not move those that are still to come.
    for key in (0..now.keys() - 1).rev() {
        let wanted = match is_chosen(now.times()[key]) {
            true => interpolation,
            false => before,
        };
        match wanted {
            Interpolation::Linear | Interpolation::Slerp => line(&mut now, key)?,
            Interpolation::Step => hold(&mut now, key)?,
            _ if is_chosen(now.times()[key]) => curve(&mut now, &automatic, key)?,
            _ => {}
        }
    }
    Ok(now)
}

/// The interpolation that files keep for a channel: arcs are for rotations, lines for other values.
pub fn of_channel(interpolation: Interpolation, channel: Channel) -> Interpolation {
    match (interpolation, channel) {
        (Interpolation::Linear, Channel::Rotation) => Interpolation::Slerp,
        (Interpolation::Slerp, Channel::Translation | Channel::Scale) => Interpolation::Linear,
        (other, _) => other,
    }
}

/// True for a key that only ends a step: it has the value of the key before it, and the next key follows at once.
fn is_hold(track: &Track, key: usize) -> bool {
    let times = track.times();
    let is_short = |next: f32| {
        let half = 0.5 * (next - times[key - 1]);
        next - times[key] <= 1.5 * STEP_SECS.min(half)
    };
    track.key(key) == track.key(key - 1)
        && matches!(
            track.tangent_kind(key),
            Some(TangentKind::Free | TangentKind::Linear)
        )
        && times.get(key + 1).copied().is_some_and(is_short)
}

fn has_hold(track: &Track) -> bool {
    (1..track.keys()).any(|key| is_hold(track, key))
}

/// Sets the slopes at both ends of the segment that begins at a key.
fn ends(track: &mut Track, key: usize, after: &[f32], before: &[f32]) -> Result<(), KeyError> {
    let own = |track: &Track, key: usize| track.tangents(key).map(|pair| pair.map(<[f32]>::to_vec));
    let (Some([left, _]), Some([_, right])) = (own(track, key), own(track, key + 1)) else {
        return Err(KeyError::BadValue);
    };
    track.set_tangents(key, &left, after)?;
    track.set_tangents(key + 1, before, &right)
}

fn line(track: &mut Track, key: usize) -> Result<(), KeyError> {
    let span = track.times()[key + 1] - track.times()[key];
    let values = track.key(key).iter().zip(track.key(key + 1));
    let slope: Vec<f32> = values.map(|(a, b)| (b - a) / span).collect();
    ends(track, key, &slope, &slope)
}

fn curve(track: &mut Track, automatic: &Track, key: usize) -> Result<(), KeyError> {
    // Keys that were inserted are later than this segment.
    let slopes = [automatic.tangents(key), automatic.tangents(key + 1)];
    let [Some([_, after]), Some([before, _])] = slopes else {
        return Err(KeyError::BadValue);
    };
    ends(track, key, after, before)
}

fn hold(track: &mut Track, key: usize) -> Result<(), KeyError> {
    let (from, to) = (track.times()[key], track.times()[key + 1]);
    let zero = vec![0.0; track.width()];
    if track.key(key) == track.key(key + 1) {
        return ends(track, key, &zero, &zero);
    }
    let end = to - STEP_SECS.min(0.5 * (to - from));
    if !(end > from && end < to) {
        return Err(KeyError::BadTime { time_secs: end });
    }
    let kept: Vec<_> = [key, key + 1]
        .iter()
        .map(|&key| track.tangents(key).map(|pair| pair.map(<[f32]>::to_vec)))
        .collect();
    let value = track.key(key).to_vec();
    track.insert_key(end, &value)?;
    // Inserting a key computes the tangents of its neighbours again.
    for (at, kept) in [(key, &kept[0]), (key + 2, &kept[1])] {
        if let Some([before, after]) = kept {
            track.set_tangents(at, before, after)?;
        }
    }
    ends(track, key, &zero, &zero)?;
    line(track, key + 1)
}
