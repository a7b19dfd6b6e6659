//! A body with hands for measuring motion: as many joints as a game character of today has, and a clip
//! as capture leaves it.

use crate::clip::{Clip, Interpolation, Track};
use crate::pose::LocalPose;
use crate::sample::sample;
use crate::skeleton::{Joint, Skeleton};
use crate::transform::{Transform, quat};
use glam::{Quat, Vec3};

/// Frames a second of the clip.
const RATE: f32 = 30.0;
/// Frames of the clip.
const FRAMES: usize = 300;

/// A skeleton of 67 joints and ten seconds of motion.
#[derive(Clone, Debug)]
pub struct MotionLoad {
    /// Spine, head, arms with four bones a finger, legs.
    pub skeleton: Skeleton,
    /// A rotation track on every joint and a translation track on the root, with a little noise.
    pub clip: Clip,
}

impl Default for MotionLoad {
    fn default() -> Self {
        Self::new()
    }
}

impl MotionLoad {
    /// The same every time.
    pub fn new() -> Self {
        let skeleton = body();
        let mut clip = Clip::new("load");
        let times: Vec<f32> = (0..FRAMES).map(|frame| frame as f32 / RATE).collect();
        for joint in 0..skeleton.len() {
            let turns: Vec<Quat> = (0..FRAMES).map(|frame| turn(joint, frame)).collect();
            let track = Track::rotations(times.clone(), &turns, Interpolation::Linear);
            clip.joint_mut(joint).rotation = Some(track.expect("ascending times"));
        }
        let way = |frame: usize| Vec3::new(0.0, 0.9 + wobble(997, frame), 0.04 * frame as f32);
        let way: Vec<Vec3> = (0..FRAMES).map(way).collect();
        let track = Track::vectors(times, &way, Interpolation::Linear);
        clip.joint_mut(0).translation = Some(track.expect("ascending times"));
        clip.fit_duration();
        Self { skeleton, clip }
    }

    /// The clip at a time.
    pub fn pose(&self, time_secs: f32) -> LocalPose {
        let mut pose = self.skeleton.rest().clone();
        sample(&self.clip, &self.skeleton, f64::from(time_secs), &mut pose);
        pose
    }
}

/// A smooth swing for every joint, about an axis of its own, and what capture adds to it.
fn turn(joint: usize, frame: usize) -> Quat {
    let axis = Vec3::new(1.0, (joint % 5) as f32 - 2.0, (joint % 3) as f32);
    let pace = 0.05 + 0.01 * (joint % 7) as f64;
    let swing = libm::sin(pace * frame as f64 + joint as f64) as f32;
    quat::from_axis_angle(axis, 0.4 * swing + wobble(joint, frame))
}

/// Up to a milliradian or millimetre of noise, the same every time.
fn wobble(channel: usize, frame: usize) -> f32 {
    let mixed = (channel as u32 * 2_654_435_761).wrapping_add(frame as u32 * 40_503) ^ 0x5bd1_e995;
    let mixed = mixed.wrapping_mul(0x85eb_ca6b) >> 8;
    (mixed as f32 / (1 << 24) as f32 - 0.5) * 2e-3
}

fn body() -> Skeleton {
    let mut joints: Vec<Joint> = Vec::new();
    let mut chain = |name: &str, parent: Option<usize>, bones: usize, step: Vec3| {
        let mut parent = parent;
        for bone in 0..bones {
            let rest = Transform::from_translation(step);
            joints.push(Joint::new(format!("{name}.{bone}"), parent, rest));
            parent = Some(joints.len() - 1);
        }
        joints.len() - 1
    };
    let chest = chain("spine", None, 6, Vec3::Y * 0.1);
    let head = chain("head", Some(chest), 2, Vec3::Y * 0.12);
    chain("jaw", Some(head), 1, Vec3::Z * 0.05);
    for (side, out) in [("left", Vec3::X), ("right", Vec3::NEG_X)] {
        chain(&format!("{side} eye"), Some(head), 1, out * 0.03);
        let hand = chain(&format!("{side} arm"), Some(chest), 4, out * 0.25);
        for finger in 0..5 {
            chain(
                &format!("{side} finger {finger}"),
                Some(hand),
                4,
                out * 0.03,
            );
        }
        chain(&format!("{side} leg"), Some(0), 4, Vec3::NEG_Y * 0.4);
    }
    Skeleton::new(joints).expect("parents come first").0
}
