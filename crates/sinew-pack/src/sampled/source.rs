//! A clip in `f64` at any time, by the formulas of `Track`, whose rounding counts as error.

use super::frames::{Local, unit};
use crate::error::PackError;
use glam::Quat;
use sinew::clip::packed::format::{is_finite, locate};
use sinew::clip::{Clip, ClipSpace, Interpolation, JointTracks, Track};
use sinew::skeleton::Skeleton;
use sinew_math::transform::quat;
use sinew_math::transform::quat_f64::QuatF64;

/// Rejects clips in model space, and tracks with an unknown joint, wrong width or non-finite value.
pub(crate) fn check(skeleton: &Skeleton, clip: &Clip) -> Result<(), PackError> {
    if clip.space == ClipSpace::Model {
        return Err(PackError::ModelSpace);
    }
    let joints = skeleton.len();
    for tracks in &clip.joints {
        let joint = tracks.joint;
        if joint >= joints {
            return Err(PackError::NoSuchJoint { joint, joints });
        }
        let channels = [
            (&tracks.translation, 3),
            (&tracks.rotation, 4),
            (&tracks.scale, 3),
        ];
        for (track, expected) in channels {
            let found = track.as_ref().map_or(expected, Track::width);
            if found != expected {
                return Err(PackError::Width {
                    joint,
                    expected,
                    found,
                });
            }
            if track.as_ref().is_some_and(|t| !is_finite(t, expected == 4)) {
                return Err(PackError::NotFinite { joint });
            }
        }
    }
    Ok(())
}

pub(crate) fn is_straight(track: &Track) -> bool {
    matches!(
        track.interpolation(),
        Interpolation::Linear | Interpolation::Slerp
    )
}

/// Every joint at each time, indexed `joint * times + time`.
pub(crate) fn locals(clip: &Clip, skeleton: &Skeleton, times: &[f64]) -> Vec<Local> {
    let joints = 0..skeleton.len();
    joints
        .flat_map(|joint| {
            let rest = Local::of(&skeleton.rest().get(joint));
            let tracks = clip.joint(joint);
            times.iter().map(move |&time| local_at(tracks, &rest, time))
        })
        .collect()
}

/// Transform of a joint at a time. Channels without a track are at rest.
pub(crate) fn local_at(tracks: Option<&JointTracks>, rest: &Local, time_secs: f64) -> Local {
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

pub(crate) fn vector_at(track: &Track, time_secs: f64) -> [f64; 3] {
    let (key, along) = locate(track, time_secs);
    let value = |k: usize, c: usize| f64::from(track.key(k)[c]);
    [0, 1, 2].map(|c| component(track, key, along, c, |k| value(k, c)))
}

pub(crate) fn rotation_at(track: &Track, time_secs: f64) -> QuatF64 {
    let (key, along) = locate(track, time_secs);
    let quat_at = |k: usize| {
        let v = track.key(k);
        Quat::from_xyzw(v[0], v[1], v[2], v[3])
    };
    let a = quat_at(key);
    if along == 0.0 || track.interpolation() == Interpolation::Step {
        return unit(QuatF64::from_quat(a));
    }
    let aligned = |k: usize, reference: Quat| quat::aligned(quat_at(k), reference);
    match track.interpolation() {
        Interpolation::Slerp => {
            let b = unit(QuatF64::from_quat(aligned(key + 1, a)));
            arc(unit(QuatF64::from_quat(a)), b, along)
        }
        Interpolation::CubicHermite => curved_rotation(track, key, along, quat_at),
        _ => {
            let b = aligned(key + 1, a);
            let near = |k: usize| match k {
                _ if k == key => a,
                _ if k == key + 1 => b,
                _ if k == key + 2 => aligned(k, b),
                _ => aligned(k, a),
            };
            curved_rotation(track, key, along, near)
        }
    }
}

fn curved_rotation(
    track: &Track,
    key: usize,
    along: f64,
    value: impl Fn(usize) -> Quat,
) -> QuatF64 {
    let number = |k: usize, c: usize| f64::from(value(k).to_array()[c]);
    let [x, y, z, w] = [0, 1, 2, 3].map(|c| component(track, key, along, c, |k| number(k, c)));
    unit(QuatF64 { v: [x, y, z], w })
}

/// Slerp between two unit quaternions in the same hemisphere.
pub(crate) fn arc(a: QuatF64, b: QuatF64, along: f64) -> QuatF64 {
    let (mut wa, mut wb) = (1.0 - along, along);
    let angle = 0.5 * a.angle_to(b);
    let sine = libm::sin(angle);
    if sine > 1e-9 {
        wa = libm::sin(wa * angle) / sine;
        wb = libm::sin(wb * angle) / sine;
    }
    unit(QuatF64 {
        v: [0, 1, 2].map(|c| a.v[c] * wa + b.v[c] * wb),
        w: a.w * wa + b.w * wb,
    })
}

/// One component between `key` and the next key. `value` gives its value at a key. See `Track`.
fn component(track: &Track, key: usize, along: f64, c: usize, value: impl Fn(usize) -> f64) -> f64 {
    let v0 = value(key);
    if along == 0.0 {
        return v0;
    }
    let v1 = value(key + 1);
    let time = |k: usize| f64::from(track.times()[k]);
    let (last, span) = (track.keys() - 1, time(key + 1) - time(key));
    let slope = |a: usize, b: usize| (value(b) - value(a)) / (time(b) - time(a));
    match track.interpolation() {
        Interpolation::Step => v0,
        Interpolation::Linear | Interpolation::Slerp => v0 + (v1 - v0) * along,
        Interpolation::Quadratic => {
            let chord = slope(key, key + 1);
            let bend = if key + 2 <= last {
                (slope(key + 1, key + 2) - chord) / (time(key + 2) - time(key))
            } else if key > 0 {
                (chord - slope(key - 1, key)) / (time(key + 1) - time(key - 1))
            } else {
                0.0
            };
            let dt = along * span;
            v0 + dt * (chord + bend * (dt - span))
        }
        Interpolation::CubicHermite => {
            let tangent =
                |element: usize| f64::from(track.values()[element * track.width() + c]) * span;
            hermite(v0, tangent(3 * key + 2), v1, tangent(3 * key + 3), along)
        }
        Interpolation::CatmullRom => {
            let tangent = |k: usize| match k {
                0 => slope(0, 1),
                _ if k == last => slope(last - 1, last),
                _ => {
                    let (before, after) = (time(k) - time(k - 1), time(k + 1) - time(k));
                    (slope(k - 1, k) * after + slope(k, k + 1) * before) / (before + after)
                }
            };
            hermite(v0, tangent(key) * span, v1, tangent(key + 1) * span, along)
        }
    }
}

fn hermite(v0: f64, m0: f64, v1: f64, m1: f64, t: f64) -> f64 {
    let (t2, t3) = (t * t, t * t * t);
    (2.0 * t3 - 3.0 * t2 + 1.0) * v0
        + (t3 - 2.0 * t2 + t) * m0
        + (3.0 * t2 - 2.0 * t3) * v1
        + (t3 - t2) * m1
}
