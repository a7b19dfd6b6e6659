//! Frames of a clip at one rate, in `f64`.

use super::error::MotionError;
use crate::retarget::body::model_pose::{Local, ModelPoseF64, locals};
use sinew::{Clip, LocalPose, Skeleton, sample};

/// Max number of frames times joints, about 650 MB of poses.
const MAX_POSES: usize = 1 << 23;
/// Max step between keys, relative to the usual step, of keys that are the frames themselves.
const REGULAR: f32 = 1.5;

#[derive(Clone)]
pub(crate) struct Take<'a> {
    pub skeleton: &'a Skeleton,
    pub times: Vec<f32>,
    pub frames: Vec<Vec<Local>>,
    /// Frames per second.
    pub fps: f64,
}

impl<'a> Take<'a> {
    /// Frames at the keys of the clip, or at their usual step if some keys are missing.
    pub fn new(skeleton: &'a Skeleton, clip: &Clip) -> Result<Self, MotionError> {
        let (times, fps) = frame_times(clip, skeleton.len())?;
        Self::at(skeleton, clip, times, fps)
    }

    /// Frames at given times.
    pub fn at(
        skeleton: &'a Skeleton,
        clip: &Clip,
        times: Vec<f32>,
        fps: f64,
    ) -> Result<Self, MotionError> {
        let mut pose = LocalPose::identity(skeleton.len());
        let mut frames = Vec::with_capacity(times.len());
        for (frame, &secs) in times.iter().enumerate() {
            sample(clip, skeleton, f64::from(secs), &mut pose)?;
            let locals = locals(&pose);
            let model = ModelPoseF64::of_locals(skeleton, &locals);
            if let Some(joint) = (0..skeleton.len()).find(|&j| !model.position(j).is_finite()) {
                let joint = skeleton.name(joint).to_owned();
                return Err(MotionError::NotFinite { joint, frame });
            }
            frames.push(locals);
        }
        Ok(Self {
            skeleton,
            times,
            frames,
            fps,
        })
    }

    /// Joints of every frame in model space.
    pub fn models(&self) -> Vec<ModelPoseF64> {
        let models = self.frames.iter();
        models
            .map(|frame| ModelPoseF64::of_locals(self.skeleton, frame))
            .collect()
    }
}

/// Times of the frames, and frames per second.
fn frame_times(clip: &Clip, joints: usize) -> Result<(Vec<f32>, f64), MotionError> {
    let tracks = (clip.joints.iter()).flat_map(|j| [&j.translation, &j.rotation, &j.scale]);
    let longest = tracks.flatten().max_by_key(|track| track.keys());
    let still = || MotionError::Still {
        clip: clip.name.clone(),
    };
    let keys = longest.map(|track| track.times().as_slice());
    let keys = keys.filter(|keys| keys.len() > 1).ok_or_else(still)?;
    let mut steps: Vec<f32> = keys.windows(2).map(|k| k[1] - k[0]).collect();
    steps.retain(|step| *step > 0.0);
    steps.sort_unstable_by(f32::total_cmp);
    let step = *steps.get(steps.len() / 2).ok_or_else(still)?;
    let (first, last) = (keys[0], keys[keys.len() - 1]);
    let span = f64::from(last) - f64::from(first);
    let count = (span / f64::from(step)).round() + 1.0;
    let is_regular = steps.len() + 1 == keys.len()
        && steps[steps.len() - 1] < REGULAR * step
        && steps[0] * REGULAR > step;
    let frames = if is_regular { keys.len() as f64 } else { count };
    if frames * joints.max(1) as f64 > MAX_POSES as f64 {
        return Err(MotionError::TooLong {
            clip: clip.name.clone(),
            frames: frames as u64,
            joints,
            max: MAX_POSES,
        });
    }
    let fps = (frames - 1.0) / span;
    if is_regular {
        return Ok((keys.to_vec(), fps));
    }
    let mut times: Vec<f32> = (0..frames as usize)
        .map(|frame| (f64::from(first) + frame as f64 / fps) as f32)
        .collect();
    times.dedup();
    match times.len() {
        0 | 1 => Err(still()),
        _ => Ok((times, fps)),
    }
}
