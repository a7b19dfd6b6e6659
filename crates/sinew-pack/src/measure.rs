//! Distance between a packed clip and its source, in object space.

use crate::sampled::frames::{Local, Map, shell_error};
use crate::sampled::rows;
use crate::sampled::source::{check, is_straight, local_at};
use sinew::clip::packed::PackedClip;
use sinew::clip::packed::format::{Kind, chunks};
use sinew::clip::{Clip, Interpolation, Track};
use sinew::pose::LocalPose;
use sinew::sample;
use sinew::skeleton::Skeleton;
use std::sync::Arc;

/// Number of parts into which checks divide an interval between keys or frames.
const PARTS: usize = 8;
/// Fraction of a frame. The interval between keys that are nearer than this has no checks.
const NEAR: f64 = 1e-2;

/// Max distance between the points of both clips, in the unit of the skeleton. Each joint has three
/// points, at the distance `shell` along its axes. The source and forward kinematics are in `f64`.
///
/// The packed clip is measured as sampled and as unpacked. Checks are at every key of a joint
/// track, at every packed frame, midway between frames and just before each jump. Curved tracks,
/// and keys that are not on frames, add seven checks of the unpacked clip per interval. Between the
/// frames and midpoints of the coarsest row, the sampled clip is measured only for joints that
/// finer frames move. Rotations are measured both as stored and at unit length.
///
/// At other times, sampled and unpacked clips differ only for joints that rotate far within a
/// frame: sampling follows the chord, unpacking the arc.
///
/// Returns [`f64::MAX`] if the frames are too close to be unpacked, if `shell` is not a finite
/// length above 0, or if a clip does not fit the skeleton.
pub fn object_space_error(
    skeleton: &Skeleton,
    clip: &Clip,
    packed: &PackedClip<'_>,
    shell: f32,
) -> f64 {
    let is_of_skeleton = packed.joints() == skeleton.len() && check(skeleton, clip).is_ok();
    if is_of_skeleton && shell > 0.0 && shell.is_finite() {
        worst(skeleton, clip, packed, shell).error()
    } else {
        f64::MAX
    }
}

pub(crate) struct Worst {
    pub sampled: f64,
    pub unpacked: f64,
    /// Index of the joint with the larger error.
    pub joint: usize,
}

impl Worst {
    pub fn error(&self) -> f64 {
        self.sampled.max(self.unpacked)
    }
}

pub(crate) fn worst(
    skeleton: &Skeleton,
    clip: &Clip,
    packed: &PackedClip<'_>,
    shell: f32,
) -> Worst {
    let Ok(unpacked) = packed.unpack() else {
        return Worst {
            sampled: f64::MAX,
            unpacked: f64::MAX,
            joint: 0,
        };
    };
    let count = skeleton.len();
    let rest: Vec<Local> = skeleton.rest().iter().map(|t| Local::of(&t)).collect();
    let mut pose = LocalPose::identity(count);
    let mut truth = vec![Map::IDENTITY; count];
    let mut found = vec![[Map::IDENTITY; 2]; count];
    let is_finer = finer_joints(skeleton, packed);
    let has_finer = has_finer(packed);
    let mut worst = Worst {
        sampled: 0.0,
        unpacked: 0.0,
        joint: 0,
    };
    for (time, is_between) in moments(clip, packed) {
        let is_off = has_finer && is_off_main(packed, time);
        for joint in 0..count {
            let expected = local_at(clip.joint(joint), &rest[joint], time);
            let parent = skeleton.parent(joint);
            truth[joint] = parent.map_or(Map::IDENTITY, |p| truth[p]).with(&expected);
        }
        for is_sampled in [true, false] {
            match is_sampled {
                true if is_between => continue,
                true => packed.sample(time, &mut pose),
                false => sample(&unpacked, skeleton, time, &mut pose).unwrap_or_default(),
            }
            for joint in 0..count {
                let local = pose.get(joint);
                let above = skeleton.parent(joint).map(|p| found[p]);
                let above = above.unwrap_or([Map::IDENTITY; 2]);
                found[joint] = [
                    above[0].with(&Local::of(&local)),
                    above[1].with(&Local::as_it_is(&local)),
                ];
                let error = found[joint].iter().fold(0.0, |max, found| {
                    let error = shell_error(&truth[joint], found, f64::from(shell));
                    f64::max(max, if error.is_finite() { error } else { f64::MAX })
                });
                if is_sampled && is_off && !is_finer[joint] {
                    continue;
                }
                if error > worst.error() {
                    worst.joint = joint;
                }
                let max_error = if is_sampled {
                    &mut worst.sampled
                } else {
                    &mut worst.unpacked
                };
                *max_error = max_error.max(error);
            }
        }
    }
    worst
}

fn has_finer(packed: &PackedClip<'_>) -> bool {
    chunks(packed).count() > 1
}

/// True for each joint that finer frames move, directly or through an ancestor.
fn finer_joints(skeleton: &Skeleton, packed: &PackedClip<'_>) -> Vec<bool> {
    let mut is_finer = vec![false; skeleton.len()];
    for finer in chunks(packed).skip(1) {
        for (is_finer, kinds) in is_finer.iter_mut().zip(finer.kinds()) {
            *is_finer |= kinds.contains(&Kind::Packed);
        }
    }
    for joint in 0..skeleton.len() {
        is_finer[joint] |= skeleton.parent(joint).is_some_and(|p| is_finer[p]);
    }
    is_finer
}

/// True for a time that is neither a frame of the main motion nor a midpoint.
fn is_off_main(packed: &PackedClip<'_>, time: f64) -> bool {
    let halves = chunks(packed)
        .next()
        .map_or(0.0, |main| 2.0 * main.frame_at(time));
    (halves - halves.round()).abs() > 2.0 * NEAR
}

/// Times to check. The flag is true if only the unpacked clip is checked at that time.
fn moments(clip: &Clip, packed: &PackedClip<'_>) -> Vec<(f64, bool)> {
    let joints = clip.joints.iter();
    let tracks = joints.flat_map(|j| [&j.translation, &j.rotation, &j.scale]);
    let (steps, tracks): (Vec<&Track>, Vec<&Track>) = tracks
        .flatten()
        .partition(|t| t.interpolation() == Interpolation::Step);
    let mut times: Vec<f32> = vec![0.0];
    for (index, track) in tracks.iter().enumerate() {
        if index == 0 || tracks[index - 1].times() != track.times() {
            times.extend(track.times().iter());
        }
    }
    let frames = frame_times(packed);
    times.sort_unstable_by(f32::total_cmp);
    times.dedup();
    // Keys on frames count as frames, even if rounding shifted the frame times.
    let is_plain = frames.len() <= times.len() && !has_finer(packed) && is_plain(&tracks, packed);
    let mut halves: Vec<f64> = Vec::new();
    if is_plain || frames.is_empty() {
        halves.extend(times.windows(2).map(half));
    } else {
        halves.extend(frames.windows(2).map(half));
        times.extend(frames);
        times.sort_unstable_by(f32::total_cmp);
        times.dedup();
    }
    let jumps = steps.iter().flat_map(|t| t.times().iter());
    let jumps = jumps.flat_map(|&t| [f64::from(t).next_down(), f64::from(t)]);
    let keys = times.iter().map(|&t| f64::from(t));
    let mut all: Vec<(f64, bool)> = keys
        .chain(halves)
        .chain(jumps)
        .map(|t| (t, false))
        .collect();
    let frame_secs = 1.0 / packed.frames_per_sec();
    for pair in times.windows(2).filter(|_| !is_plain) {
        let [a, b] = [pair[0], pair[1]].map(f64::from);
        if b - a > NEAR * frame_secs {
            let part = |k: usize| a + (b - a) * k as f64 / PARTS as f64;
            all.extend((1..PARTS).map(|k| (part(k), true)));
        }
    }
    all
}

fn frame_times(packed: &PackedClip<'_>) -> Vec<f32> {
    let mut times = Vec::new();
    for (index, chunk) in chunks(packed).enumerate() {
        times.extend(chunk.frame_times());
        if index == 0 {
            continue;
        }
        times.sort_unstable_by(f32::total_cmp);
        // A frame that is in two rows may be rounded to two times.
        let near = match chunk.is_uneven() {
            true => 0.0,
            false => NEAR / chunk.head().frames_per_sec,
        };
        times.dedup_by(|b, a| *b == *a || f64::from(*b - *a) < near);
    }
    times
}

fn half(pair: &[f32]) -> f64 {
    0.5 * (f64::from(pair[0]) + f64::from(pair[1]))
}

/// True if all motion is straight lines and arcs between packed frames.
fn is_plain(tracks: &[&Track], packed: &PackedClip<'_>) -> bool {
    let Some(main) = chunks(packed).next() else {
        return false;
    };
    let frames = main.frame_times();
    let moving = tracks.iter().filter(|t| t.keys() > 1);
    let mut times: Option<&Arc<Vec<f32>>> = None;
    for track in moving {
        let is_known = times.is_some_and(|times| Arc::ptr_eq(times, track.times()));
        let is_frame = |t: &f32| {
            if main.is_uneven() {
                return frames.binary_search_by(|f| f.total_cmp(t)).is_ok();
            }
            let frame = main.frame_at(f64::from(*t));
            (frame - frame.round()).abs() <= 2.0 * rows::OFF_ROW
        };
        if !is_straight(track) || !is_known && !track.times().iter().all(is_frame) {
            return false;
        }
        times = Some(track.times());
    }
    true
}
