//! A clip of any length for measurements: 67 joints that move smoothly, with a little noise.

use glam::{Quat, Vec3};
use sinew::clip::{Clip, Interpolation, Track};
use sinew::pose::LocalPose;
use sinew::sample;
use sinew::skeleton::{Joint, Skeleton};
use sinew::transform::{Transform, quat};
use std::sync::Arc;

/// Number of joints, typical of a detailed game character.
const JOINTS: usize = 67;
const FRAMES_PER_SEC: f32 = 60.0;

/// Skeleton and a clip for measurements.
#[derive(Clone, Debug)]
pub struct MotionLoad {
    /// Skeleton with limbs of up to seven bones, from hips to fingers.
    pub skeleton: Skeleton,
    /// Clip in which every joint rotates and the root walks.
    pub clip: Clip,
}

impl MotionLoad {
    /// Creates a motion of `frames` frames at 60 Hz.
    pub fn new(frames: usize) -> Self {
        let joint = |j: usize| {
            let bone = 0.25 / (1 + j % 7) as f32;
            let rest = Transform::from_translation(Vec3::new(0.02, bone, 0.0));
            let parent = j.checked_sub(if j % 7 == 1 { j.min(14) } else { 1 });
            Joint::new(j.to_string(), parent, rest)
        };
        let joints = (0..JOINTS).map(joint).collect();
        let (skeleton, _) = Skeleton::new(joints).expect("a tree of joints");
        let times = Arc::new(
            (0..frames)
                .map(|f| f as f32 / FRAMES_PER_SEC)
                .collect::<Vec<_>>(),
        );
        let mut noise = Noise(1);
        let mut clip = Clip::new("noisy walk");
        for joint in 0..JOINTS {
            let (a, b) = (noise.vector(), noise.vector());
            let (slow, fast) = (0.02 + 0.06 * noise.unit(), 0.1 + 0.2 * noise.unit());
            let keys: Vec<Quat> = (0..frames)
                .map(|frame| {
                    let swing = 0.4 * libm::sinf(slow * frame as f32);
                    let shake = 0.03 * libm::sinf(fast * frame as f32);
                    let rotation = quat::mul(
                        quat::from_axis_angle(a, swing),
                        quat::from_axis_angle(b, shake),
                    );
                    let jitter = noise.vector();
                    quat::mul(rotation, quat::from_axis_angle(jitter, 1e-3 * noise.unit()))
                })
                .collect();
            let track = Track::rotations(times.clone(), &keys, Interpolation::Slerp);
            clip.joint_mut(joint).rotation = Some(track.expect("times ascend"));
        }
        let walk: Vec<Vec3> = (0..frames)
            .map(|frame| {
                let step = 0.03 * libm::sinf(0.2 * frame as f32);
                let jitter = noise.vector();
                Vec3::new(
                    1e-4 * jitter.x,
                    1.0 + step,
                    0.02 * frame as f32 + 1e-4 * jitter.z,
                )
            })
            .collect();
        let track = Track::vectors(times, &walk, Interpolation::Linear);
        clip.joint_mut(0).translation = Some(track.expect("times ascend"));
        clip.fit_duration();
        Self { skeleton, clip }
    }

    /// Pose of the clip at a time.
    pub fn pose(&self, time_secs: f64) -> LocalPose {
        let mut pose = self.skeleton.rest().clone();
        sample(&self.clip, &self.skeleton, time_secs, &mut pose).expect("a clip of this skeleton");
        pose
    }
}

/// Deterministic random numbers (Knuth's linear congruential generator).
pub(crate) struct Noise(pub u64);

impl Noise {
    /// Next state.
    pub fn next(&mut self) -> u64 {
        let next = self.0.wrapping_mul(6_364_136_223_846_793_005);
        self.0 = next.wrapping_add(1_442_695_040_888_963_407);
        self.0
    }

    /// Number in [0, 1).
    pub fn unit(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1 << 24) as f32
    }

    /// Vector with components in [−1, 1).
    pub fn vector(&mut self) -> Vec3 {
        let mut signed = || 2.0 * self.unit() - 1.0;
        Vec3::new(signed(), signed(), signed())
    }
}
