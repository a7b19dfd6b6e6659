//! A clip as the encoder and the measure see it: the frames that its tracks share, and every joint in
//! `f64` at those frames and half way between them.

use crate::clip::{Clip, Interpolation, JointTracks, Track};
use crate::skeleton::Skeleton;
use crate::transform::quat_f64::QuatF64;
use crate::transform::{Transform, quat};
use glam::Quat;
use std::sync::Arc;

/// How far a key may stand from its place in a regular row, in frames.
const OFF_GRID: f64 = 2e-3;

/// Translation · rotation · scale.
#[derive(Clone, Copy, Debug)]
pub(super) struct Local {
    pub translation: [f64; 3],
    pub rotation: QuatF64,
    pub scale: [f64; 3],
}

impl Local {
    pub fn of(transform: &Transform) -> Self {
        Self {
            translation: transform.translation.to_array().map(f64::from),
            rotation: unit(QuatF64::from_quat(transform.rotation)),
            scale: transform.scale.to_array().map(f64::from),
        }
    }
}

/// The unit quaternion along `q`; the identity when there is none.
pub(super) fn unit(q: QuatF64) -> QuatF64 {
    q.normalized().unwrap_or(QuatF64::IDENTITY)
}

/// `model_from_joint`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Map {
    pub linear: [[f64; 3]; 3],
    pub origin: [f64; 3],
}

impl Map {
    pub const IDENTITY: Self = Self {
        linear: [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]],
        origin: [0.0; 3],
    };

    pub fn point(&self, p: [f64; 3]) -> [f64; 3] {
        let row = |r: usize| {
            let m = &self.linear[r];
            m[0] * p[0] + m[1] * p[1] + m[2] * p[2] + self.origin[r]
        };
        [row(0), row(1), row(2)]
    }

    /// This map, then a joint's own.
    pub fn with(&self, local: &Local) -> Self {
        let turn = local.rotation.to_rows();
        let mut linear = [[0.0; 3]; 3];
        for r in 0..3 {
            for c in 0..3 {
                let m = &self.linear[r];
                let sum = m[0] * turn[0][c] + m[1] * turn[1][c] + m[2] * turn[2][c];
                linear[r][c] = sum * local.scale[c];
            }
        }
        Self {
            linear,
            origin: self.point(local.translation),
        }
    }

    /// The point that goes to `p`; `None` when this map flattens space.
    pub fn point_before(&self, p: [f64; 3]) -> Option<[f64; 3]> {
        let m = &self.linear;
        let d = [0, 1, 2].map(|r| p[r] - self.origin[r]);
        super::fit::solve3(*m, d)
    }
}

/// The largest distance between where two maps take points `shell` along the axes.
pub(super) fn shell_error(a: &Map, b: &Map, shell: f64) -> f64 {
    let mut worst = 0.0_f64;
    for axis in 0..3 {
        let mut p = [0.0; 3];
        p[axis] = shell;
        worst = worst.max(distance(a.point(p), b.point(p)));
    }
    worst
}

pub(super) fn distance(a: [f64; 3], b: [f64; 3]) -> f64 {
    let d = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
    (d[0] * d[0] + d[1] * d[1] + d[2] * d[2]).sqrt()
}

/// The times of every frame: those of all tracks that a straight line or an arc joins, if they stand
/// in a regular row, or else of the most tracks that do. Empty when none do.
pub(super) fn frame_times(clip: &Clip) -> Vec<f32> {
    let tracks: Vec<&Track> = clip
        .joints
        .iter()
        .flat_map(|j| [&j.translation, &j.rotation, &j.scale])
        .flatten()
        .filter(|t| t.keys() > 1 && is_straight(t))
        .collect();
    let mut arrays: Vec<(&Arc<Vec<f32>>, usize)> = Vec::new();
    for track in tracks {
        match arrays.iter_mut().find(|a| a.0 == track.times()) {
            Some(known) => known.1 += 1,
            None => arrays.push((track.times(), 1)),
        }
    }
    let mut all: Vec<f32> = arrays.iter().flat_map(|a| a.0.iter().copied()).collect();
    all.sort_unstable_by(f32::total_cmp);
    all.dedup();
    if is_regular(&all) {
        return all;
    }
    arrays.retain(|a| is_regular(a.0));
    arrays
        .into_iter()
        .max_by_key(|a| a.1)
        .map_or_else(Vec::new, |a| a.0.to_vec())
}

fn is_regular(times: &[f32]) -> bool {
    let Some((first, step)) = row_of(times) else {
        return false;
    };
    let off = |(f, t): (usize, &f32)| (f64::from(*t) - first - f as f64 * step).abs();
    times
        .iter()
        .enumerate()
        .map(off)
        .all(|off| off <= OFF_GRID * step)
}

/// Where a row of times begins and how far apart they stand.
pub(super) fn row_of(times: &[f32]) -> Option<(f64, f64)> {
    let (first, last) = (f64::from(*times.first()?), f64::from(*times.last()?));
    let steps = times.len().checked_sub(1).filter(|&s| s > 0)?;
    Some((first, (last - first) / steps as f64))
}

/// Whether keys are joined by straight lines or arcs.
pub(super) fn is_straight(track: &Track) -> bool {
    matches!(
        track.interpolation(),
        Interpolation::Linear | Interpolation::Slerp
    )
}

/// Frames, then half way between frames, in turn.
pub(super) fn instants(times: &[f32]) -> Vec<f64> {
    let mut all = Vec::with_capacity(2 * times.len());
    for (frame, &time) in times.iter().enumerate() {
        if frame > 0 {
            all.push(0.5 * (f64::from(times[frame - 1]) + f64::from(time)));
        }
        all.push(f64::from(time));
    }
    all
}

/// A joint of a clip at a time; channels without a track are at rest.
pub(super) fn local_at(tracks: Option<&JointTracks>, rest: &Local, time_secs: f64) -> Local {
    let vector = |track: Option<&Track>, rest: [f64; 3]| match track {
        Some(track) => vector_at(track, time_secs),
        None => rest,
    };
    Local {
        translation: vector(
            tracks.and_then(|t| t.translation.as_ref()),
            rest.translation,
        ),
        rotation: match tracks.and_then(|t| t.rotation.as_ref()) {
            Some(track) => rotation_at(track, time_secs),
            None => rest.rotation,
        },
        scale: vector(tracks.and_then(|t| t.scale.as_ref()), rest.scale),
    }
}

fn vector_at(track: &Track, time_secs: f64) -> [f64; 3] {
    if !is_straight(track) {
        return track.sample_vector(time_secs).to_array().map(f64::from);
    }
    let (key, along) = track.locate(time_secs);
    let a = track.key(key);
    let b = if along > 0.0 { track.key(key + 1) } else { a };
    let lerp = |c: usize| {
        let (a, b) = (f64::from(a[c]), f64::from(b[c]));
        a + (b - a) * along
    };
    [lerp(0), lerp(1), lerp(2)]
}

fn rotation_at(track: &Track, time_secs: f64) -> QuatF64 {
    if !is_straight(track) {
        return unit(QuatF64::from_quat(track.sample_rotation(time_secs)));
    }
    let (key, along) = track.locate(time_secs);
    let quat_at = |k: usize| {
        let v = track.key(k);
        Quat::from_xyzw(v[0], v[1], v[2], v[3])
    };
    let a = quat_at(key);
    if along == 0.0 {
        return unit(QuatF64::from_quat(a));
    }
    // On the side that the clip itself would take.
    let b = QuatF64::from_quat(quat::aligned(quat_at(key + 1), a));
    let (a, b) = (unit(QuatF64::from_quat(a)), unit(b));
    let (mut wa, mut wb) = (1.0 - along, along);
    if track.interpolation() == Interpolation::Slerp {
        let angle = 0.5 * a.angle_to(b);
        let sine = libm::sin(angle);
        if sine > 1e-9 {
            wa = libm::sin(wa * angle) / sine;
            wb = libm::sin(wb * angle) / sine;
        }
    }
    unit(QuatF64 {
        v: [0, 1, 2].map(|c| a.v[c] * wa + b.v[c] * wb),
        w: a.w * wa + b.w * wb,
    })
}

/// Every joint of a clip at some times: `joint * times + time`.
pub(super) fn locals(clip: &Clip, skeleton: &Skeleton, times: &[f64]) -> Vec<Local> {
    let joints = 0..skeleton.len();
    joints
        .flat_map(|joint| {
            let rest = Local::of(&skeleton.rest().get(joint));
            let tracks = clip.joint(joint);
            times.iter().map(move |&time| local_at(tracks, &rest, time))
        })
        .collect()
}
