//! Clips of noise on chains of joints, and poses as bits.

use glam::{Quat, Vec3};
use sinew::clip::packed::PackedClip;
use sinew::transform::quat;
use sinew::{Clip, Interpolation, Joint, LocalPose, Skeleton, Track, Transform};
use sinew_pack::PackOptions;
use std::sync::Arc;

pub const METRES: PackOptions = PackOptions::new().max_error(1e-4).shell(0.03);

/// Random numbers that are equal on every machine.
pub struct Noise(pub u64);

impl Noise {
    pub fn unit(&mut self) -> f32 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 40) as f32 / (1 << 24) as f32
    }

    pub fn signed(&mut self) -> f32 {
        2.0 * self.unit() - 1.0
    }

    pub fn vector(&mut self) -> Vec3 {
        Vec3::new(self.signed(), self.signed(), self.signed())
    }
}

pub fn chain(joints: usize, bone: f32) -> Skeleton {
    let joint = |j: usize| {
        let rest =
            Transform::from_translation(Vec3::new(0.0, if j == 0 { 1.0 } else { bone }, 0.0));
        let parent = j.checked_sub(if j.is_multiple_of(3) { 3 } else { 1 });
        Joint::new(format!("joint {j}"), parent, rest)
    };
    Skeleton::new((0..joints).map(joint).collect()).unwrap().0
}

pub fn frame_times(frames: usize, fps: f32) -> Arc<Vec<f32>> {
    Arc::new((0..frames).map(|f| f as f32 / fps).collect())
}

/// Smooth random rotations with jitter.
pub fn noisy_clip(skeleton: &Skeleton, frames: usize, speed: f32, jitter: f32, seed: u64) -> Clip {
    let mut noise = Noise(seed);
    let times = frame_times(frames, 60.0);
    let mut clip = Clip::new("noise");
    for joint in 0..skeleton.len() {
        let (a, b) = (noise.vector(), noise.vector());
        let (fast, slow) = (speed * noise.unit(), speed * 0.2 * noise.unit());
        let keys: Vec<Quat> = (0..frames)
            .map(|f| {
                let (f, axis) = (f as f32, noise.vector());
                let rotation = quat::mul(
                    quat::from_axis_angle(a, fast * f),
                    quat::from_axis_angle(b, 3.0 * libm::sinf(slow * f)),
                );
                quat::mul(
                    rotation,
                    quat::from_axis_angle(axis, jitter * noise.signed()),
                )
            })
            .collect();
        let tracks = clip.joint_mut(joint);
        tracks.rotation =
            Some(Track::rotations(times.clone(), &keys, Interpolation::Slerp).unwrap());
        if joint == 0 {
            let keys: Vec<Vec3> = (0..frames)
                .map(|f| {
                    let j = noise.vector();
                    Vec3::new(f as f32 * 0.01 + j.x * 1e-3, 1.0 + j.y * 1e-3, j.z * 1e-3)
                })
                .collect();
            let track = Track::vectors(times.clone(), &keys, Interpolation::Linear);
            tracks.translation = Some(track.unwrap());
        }
    }
    clip.fit_duration();
    clip
}

pub fn bits(pose: &LocalPose) -> Vec<u32> {
    let numbers = pose.iter().flat_map(|t| {
        let mut all = t.translation.to_array().to_vec();
        all.extend(t.rotation.to_array());
        all.extend(t.scale.to_array());
        all
    });
    numbers.map(f32::to_bits).collect()
}

pub fn sampled(clip: &PackedClip<'_>, time: f64) -> LocalPose {
    let mut pose = LocalPose::identity(clip.joints());
    clip.sample(time, &mut pose);
    pose
}
