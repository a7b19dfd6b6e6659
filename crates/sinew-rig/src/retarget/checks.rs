//! Checks of options and clips, and the times of frames.

use super::error::RetargetError;
use super::options::RetargetOptions;
use super::pair::Pair;
use glam::Vec3;
use sinew::{Clip, Skeleton, Track};
use std::ops::RangeInclusive;
use std::sync::Arc;

/// Max time between frames, in seconds. Longer steps would be interpolated to other poses.
const LONGEST_STEP_SECS: f32 = 1.0 / 30.0;
/// Max number of frames, inserted frames included, unless a clip has more keys.
pub(super) const MAX_FRAMES: usize = 200_000;
/// Valid scales. Outside this range, hip positions leave too few digits for the legs.
const SCALES: RangeInclusive<f32> = 1e-9..=1e9;

pub(super) fn check_options(options: &RetargetOptions) -> Result<(), RetargetError> {
    let bad = |what, value: f64, expected| {
        Err(RetargetError::BadOption {
            what,
            value,
            expected,
        })
    };
    match options {
        RetargetOptions { scale: Some(s), .. } if !SCALES.contains(s) => {
            bad("scale", f64::from(*s), "use a scale from 1e-9 to 1e9")
        }
        RetargetOptions {
            rest_secs: Some(t), ..
        } if !t.is_finite() => bad("rest time", *t, "use a number of seconds"),
        _ => Ok(()),
    }
}

pub(super) fn check_tracks(source: &Skeleton, clip: &Clip) -> Result<(), RetargetError> {
    for tracks in clip.joints.iter().filter(|t| t.joint < source.len()) {
        let widths = [
            (&tracks.translation, 3),
            (&tracks.rotation, 4),
            (&tracks.scale, 3),
        ];
        for (track, expected) in widths {
            if let Some(found) = track.as_ref().map(Track::width).filter(|w| *w != expected) {
                let joint = source.name(tracks.joint).to_owned();
                return Err(RetargetError::BadTrack {
                    joint,
                    found,
                    expected,
                });
            }
        }
    }
    Ok(())
}

/// Times of the keys of joints, and between keys that are far apart.
pub(super) fn frame_times(clip: &Clip) -> Vec<f32> {
    let tracks = clip
        .joints
        .iter()
        .flat_map(|j| [&j.translation, &j.rotation, &j.scale]);
    // Most tracks share their times.
    let mut rows: Vec<&Arc<Vec<f32>>> = tracks.flatten().map(Track::times).collect();
    rows.dedup_by(|a, b| Arc::ptr_eq(a, b) || a == b);
    let mut keys: Vec<f32> = rows
        .into_iter()
        .flat_map(|row| row.iter().copied())
        .collect();
    keys.sort_unstable_by(f32::total_cmp);
    keys.dedup();
    let (Some(first), Some(last)) = (keys.first(), keys.last()) else {
        return keys;
    };
    if (last - first) / LONGEST_STEP_SECS > MAX_FRAMES as f32 {
        return keys;
    }
    let mut times = Vec::with_capacity(keys.len());
    for step in keys.windows(2) {
        // The margin keeps keys at 30 per second in one piece despite rounding.
        let parts = ((step[1] - step[0]) / LONGEST_STEP_SECS - 0.01)
            .ceil()
            .max(1.0);
        let between = (0..parts as usize).map(|k| step[0] + (step[1] - step[0]) * k as f32 / parts);
        times.extend(between);
    }
    times.push(*last);
    times.dedup();
    times
}

/// True if both skeletons are equal except for names, and every joint follows itself.
pub(super) fn same_body(source: &Skeleton, target: &Skeleton, pairs: &[Pair]) -> bool {
    let near = |a: Vec3, b: Vec3| a.abs_diff_eq(b, 1e-6 * (1.0 + a.length()));
    source.len() == target.len()
        && pairs.iter().all(|p| p.source == p.target)
        && (0..source.len()).all(|j| {
            let (a, b) = (source.rest().get(j), target.rest().get(j));
            source.parent(j) == target.parent(j)
                && near(a.translation, b.translation)
                && near(a.scale, b.scale)
                && a.rotation.dot(b.rotation).abs() > 1.0 - 1e-6
        })
}
