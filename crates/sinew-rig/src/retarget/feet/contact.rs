//! Contacts: the frames in which a foot stands, because its ball is low and slow.

use glam::DVec3;

/// Range of frames in which a foot stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contact {
    /// Index of the first frame.
    pub first: usize,
    /// Index of the last frame, inclusive.
    pub last: usize,
}

/// Speeds, in hip heights (about a metre) per second, below which a contact starts and above which
/// it ends, so that it does not flicker. [`HEIGHT`] has such heights above the floor.
const SPEED: [f64; 2] = [0.2, 0.35];
const HEIGHT: [f64; 2] = [0.05, 0.08];
const SHORTEST_SECS: f64 = 0.06;
/// Time over which speeds are measured, in seconds, to suppress capture noise.
pub(crate) const SPAN_SECS: f64 = 0.04;
/// Min time of a speed, in seconds. Rounding dominates shorter times, as at a cut.
const NEAREST_SECS: f32 = 1e-4;

/// Contacts of a point from its positions. Only the lowest step of stairs counts.
pub(crate) fn contacts(
    times: &[f32],
    positions: &[DVec3],
    up: DVec3,
    hip_height: f64,
) -> Vec<Contact> {
    let heights: Vec<f64> = positions.iter().map(|p| p.dot(up)).collect();
    let floor = low(&heights);
    let near = |frame: usize, level: usize| (heights[frame] - floor) < HEIGHT[level] * hip_height;
    let speeds = speeds(times, positions);
    let slow = |frame: usize, level: usize| speeds[frame] < SPEED[level] * hip_height;
    let mut found = Vec::new();
    let mut frame = 0;
    while frame < positions.len() {
        if !(near(frame, 0) && slow(frame, 0)) {
            frame += 1;
            continue;
        }
        let stays = |f: &usize| near(*f, 1) && slow(*f, 1);
        let first = frame;
        let last = (frame..positions.len())
            .take_while(stays)
            .last()
            .unwrap_or(frame);
        found.push(Contact { first, last });
        frame = last + 1;
    }
    let secs = |a: usize, b: usize| f64::from(times[b] - times[a]);
    let mut merged: Vec<Contact> = Vec::new();
    for contact in found {
        match merged.last_mut() {
            Some(before)
                if secs(before.last, contact.first) < SHORTEST_SECS
                    && positions[before.last].distance(positions[contact.first])
                        < HEIGHT[0] * hip_height =>
            {
                before.last = contact.last;
            }
            _ => merged.push(contact),
        }
    }
    merged.retain(|c| secs(c.first, c.last) >= SHORTEST_SECS);
    merged
}

/// 5 % quantile of the values.
pub(crate) fn low(values: &[f64]) -> f64 {
    if values.is_empty() {
        return 0.0;
    }
    let mut values = values.to_vec();
    let nth = values.len() / 20;
    *values.select_nth_unstable_by(nth, f64::total_cmp).1
}

/// Speeds over [`SPAN_SECS`], per frame. `positions` must not be empty.
pub(crate) fn speeds(times: &[f32], positions: &[DVec3]) -> Vec<f64> {
    let last = positions.len() - 1;
    let half = SPAN_SECS as f32 * 0.5;
    (0..positions.len())
        .map(|frame| {
            let t = times[frame];
            let a = times
                .partition_point(|x| *x < t - half)
                .min(frame.saturating_sub(1));
            let b = times
                .partition_point(|x| *x <= t + half)
                .saturating_sub(1)
                .max((frame + 1).min(last));
            let span = f64::from(times[b] - times[a]);
            if span > 0.0 {
                positions[a].distance(positions[b]) / span
            } else {
                0.0
            }
        })
        .collect()
}

pub(crate) fn slide(times: &[f32], positions: &[DVec3], contacts: &[Contact]) -> f64 {
    let stands = contacts.iter().map(|c| c.first..=c.last);
    let speeds = stands.map(|frames| fastest(&times[frames.clone()], &positions[frames]));
    speeds.fold(0.0, f64::max)
}

pub(crate) fn fastest(times: &[f32], positions: &[DVec3]) -> f64 {
    let mut moments: Vec<(f32, DVec3)> = times
        .iter()
        .copied()
        .zip(positions.iter().copied())
        .collect();
    moments.dedup_by(|after, before| after.0 - before.0 < NEAREST_SECS);
    let speed = |m: &[(f32, DVec3)]| m[0].1.distance(m[1].1) / f64::from(m[1].0 - m[0].0);
    moments.windows(2).map(speed).fold(0.0, f64::max)
}
