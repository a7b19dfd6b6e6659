//! Solves the goals over a range of time and writes keys.

use super::arguments::Arguments;
use super::goals::Request;
use super::solve::{self, Solved};
use crate::usage::wrong;
use crate::{files, outputs};
use anyhow::Result;
use sinew::clip::{Clip, OverLimit};
use sinew::transform::quat;
use sinew::{LocalPose, Skeleton, sample};
use sinew_io::Import;
use std::path::Path;

/// Max number of keys. A larger number is probably a mistake in --fps.
const MAX_FRAMES: f64 = 100_000.0;

/// A solved pose at a time of the clip, with its weight.
pub struct Frame {
    time: f64,
    weight: f32,
    own: LocalPose,
    pub pose: LocalPose,
    pub solved: Solved,
}

impl Frame {
    pub fn is_whole(&self) -> bool {
        self.weight == 1.0
    }

    pub fn time(&self) -> f64 {
        self.time
    }
}

fn times(arguments: &Arguments, clip: Option<&Clip>) -> Result<Vec<(f64, f32)>> {
    let ((from, to), step) = (arguments.time, 1.0 / arguments.fps);
    let end = clip.map_or(0.0, |clip| f64::from(clip.duration_secs));
    if (to - from + 2.0 * arguments.blend) * arguments.fps > MAX_FRAMES {
        return Err(wrong(
            "too many keys: use a shorter time range or a lower --fps",
        ));
    }
    let mut times = vec![(to, 1.0)];
    times.extend(steps(from, to, step).map(|time| (time, 1.0)));
    // One frame before and after the range, the original pose becomes a key, so that only the range changes.
    let lead = if from < to {
        arguments.blend.max(step)
    } else {
        arguments.blend
    };
    if arguments.keys && lead > 0.0 {
        for away in steps(step, lead, step).chain([lead]) {
            let left = 1.0 - (away / lead) as f32;
            let weight = left * left * (3.0 - 2.0 * left);
            let outside = [from - away, to + away].into_iter();
            let outside = outside.filter(|time| (0.0..=end).contains(time));
            times.extend(outside.map(|time| (time, weight)));
        }
    }
    times.sort_by(|a, b| a.0.total_cmp(&b.0));
    Ok(times)
}

fn steps(from: f64, to: f64, step: f64) -> impl Iterator<Item = f64> {
    let count = ((to - from) / step - 1e-6).ceil().max(0.0);
    (0..count as usize).map(move |nth| from + nth as f64 * step)
}

/// Solves at every time. Each solve starts from the pose of the clip.
pub fn solve(
    arguments: &Arguments,
    skeleton: &Skeleton,
    clip: Option<&Clip>,
    request: &Request,
) -> Result<Vec<Frame>> {
    let mut frames = Vec::new();
    for (time, weight) in times(arguments, clip)? {
        let mut own = skeleton.rest().clone();
        if let Some(clip) = clip {
            sample(clip, skeleton, time, &mut own)?;
        }
        let mut pose = own.clone();
        let solved = solve::solve(arguments, skeleton, request, &mut pose)?;
        frames.push(Frame {
            time,
            weight,
            own,
            pose,
            solved,
        });
    }
    Ok(frames)
}

/// Writes the poses as a new clip, or as keys into the source clip.
pub fn write(
    output: &Path,
    mut import: Import,
    clip: Option<usize>,
    [rotating, sliding]: [&[usize]; 2],
    frames: &[Frame],
) -> Result<()> {
    let character = &mut import.character;
    let skeleton = &character.skeleton;
    let what = match clip {
        Some(clip) => {
            let keys = frames.iter().map(|frame| {
                let mut pose = frame.own.clone();
                for &joint in rotating {
                    let (own, new) = (
                        frame.own.get(joint).rotation,
                        frame.pose.get(joint).rotation,
                    );
                    pose.set_rotation(joint, quat::slerp(own, new, frame.weight));
                }
                for &joint in sliding {
                    let [own, new] = [&frame.own, &frame.pose].map(|p| p.get(joint).translation);
                    pose.set_translation(joint, own.lerp(new, frame.weight));
                }
                (frame.time as f32, pose)
            });
            let keys: Vec<(f32, LocalPose)> = keys.collect();
            let clip = &mut character.clips[clip];
            clip.replace_rotations(skeleton, rotating, &keys, OverLimit::Allow)?;
            clip.replace_translations(skeleton, sliding, &keys, OverLimit::Allow)?;
            let keys = files::counted(keys.len(), "key");
            let mut joints = [rotating, sliding].concat();
            joints.sort_unstable();
            joints.dedup();
            let joints = files::counted(joints.len(), "joint");
            format!("{keys} of {joints} in \"{}\"", clip.name)
        }
        None => {
            let name = files::free_name("ik", &character.clips);
            let mut clip = Clip::new(name.clone());
            let first = frames.first().map_or(0.0, |frame| frame.time);
            for frame in frames {
                let time = (frame.time - first) as f32;
                clip.insert_pose(skeleton, time, &frame.pose, OverLimit::Allow)?;
            }
            if clip.tracks().next().is_none() {
                // A clip without keys is not written, so the rest pose becomes a key.
                let keys = [(0.0, skeleton.rest().clone())];
                clip.replace_rotations(skeleton, rotating, &keys, OverLimit::Allow)?;
            }
            character.clips.push(clip);
            match frames.len() {
                1 => format!("the pose as \"{name}\""),
                many => format!("{many} poses as \"{name}\""),
            }
        }
    };
    let what = format!("{}, {what}", outputs::contents(character));
    outputs::character(output, &what, character, import.source.as_ref())?;
    Ok(())
}
