//! A walk of a smaller person of other proportions, as a BVH file in centimetres.

use glam::{Quat, Vec3};
use sinew::{Character, Clip, Interpolation, LocalPose, Skeleton, Track, sample};
use sinew_io::bvh::{self, BvhOptions};
use sinew_rig::retarget::{RetargetOptions, pair_joints, retarget};
use sinew_samples::mannequin::Mannequin;
use std::error::Error;

const FPS: f32 = 60.0;
const SECS: f32 = 3.2;
/// Centimetres per metre of the mannequin, for a person of 85 % of its height.
const SIZE: f32 = 85.0;
/// Lengths of bones relative to the mannequin's.
const PROPORTIONS: [(&str, f32); 4] = [
    ("lower_leg", 0.9),
    ("foot", 1.08),
    ("lower_arm", 1.1),
    ("chest", 1.1),
];
/// Noise of the upper body after smoothing: degrees, and changes per second.
const OFF_DEG: f32 = 0.5;
const PER_SEC: f32 = 2.0;

/// Makes the bytes of the file.
pub fn made() -> Result<Vec<u8>, Box<dyn Error>> {
    let person = Mannequin::default().build();
    let walk = person.find_clip("walk").ok_or("the mannequin walks")?;
    let walk = travelling(&person, &person.clips[walk])?;
    let subject = subject(&person.skeleton)?;
    let pairs = pair_joints(&person.skeleton, &subject)?;
    let options = RetargetOptions::default();
    let walk = retarget(&person.skeleton, &walk, &subject, &pairs, &options)?.clip;
    let (times, mut poses) = frames(&subject, &walk);
    let mut noise = Noise(1);
    for joint in 1..subject.len() {
        let [axis, pace] = [noise.vector(), noise.vector()];
        let name = subject.name(joint);
        if ["leg", "foot", "toes"]
            .iter()
            .any(|part| name.contains(part))
        {
            continue;
        }
        for (pose, time) in poses.iter_mut().zip(&times) {
            let turns = PER_SEC * (1.0 + 0.5 * pace.x) * time + pace.y;
            let off = (std::f32::consts::TAU * turns).sin() * OFF_DEG.to_radians();
            let turn = pose.get(joint).rotation * Quat::from_scaled_axis(axis * off);
            pose.set_rotation(joint, turn.normalize());
        }
    }
    let mut captured = Character::from_skeleton(subject);
    captured.clips = vec![clip_of(times, &poses)?];
    Ok(bvh::export(&captured, &BvhOptions::default())?
        .text
        .into_bytes())
}

fn subject(person: &Skeleton) -> Result<Skeleton, Box<dyn Error>> {
    let mut joints = person.joints();
    for joint in &mut joints {
        let known = PROPORTIONS
            .iter()
            .find(|(end, _)| joint.name.ends_with(end));
        joint.rest.translation *= SIZE * known.map_or(1.0, |known| known.1);
    }
    Ok(Skeleton::new(joints)?.0)
}

/// Converts a walk on the spot into one that travels, over the whole capture.
fn travelling(person: &Character, walk: &Clip) -> Result<Clip, Box<dyn Error>> {
    let travel = walk.curves.iter().find(|curve| curve.name == "travel");
    let travel = &travel.ok_or("its walk says how far")?.track;
    let way = |secs: f64| {
        let mut way = [0.0];
        travel.sample(secs, &mut way).map(|()| way[0])
    };
    let period = f64::from(walk.duration_secs);
    let times: Vec<f32> = (0..(SECS * FPS) as usize).map(|f| f as f32 / FPS).collect();
    let mut poses = Vec::new();
    for &time in &times {
        let cycles = (f64::from(time) / period).floor();
        let within = f64::from(time) - cycles * period;
        let mut pose = LocalPose::identity(0);
        sample(walk, &person.skeleton, within, &mut pose).unwrap();
        let way = cycles as f32 * way(period)? + way(within)?;
        pose.set_translation(0, pose.get(0).translation + Vec3::Z * way);
        poses.push(pose);
    }
    clip_of(times, &poses)
}

fn frames(skeleton: &Skeleton, clip: &Clip) -> (Vec<f32>, Vec<LocalPose>) {
    let count = (clip.duration_secs * FPS) as usize;
    let times: Vec<f32> = (0..count).map(|frame| frame as f32 / FPS).collect();
    let pose = |time: &f32| {
        let mut pose = LocalPose::identity(0);
        sample(clip, skeleton, f64::from(*time), &mut pose).unwrap();
        pose
    };
    let poses = times.iter().map(pose).collect();
    (times, poses)
}

fn clip_of(times: Vec<f32>, poses: &[LocalPose]) -> Result<Clip, Box<dyn Error>> {
    let mut clip = Clip::new("captured");
    for joint in 0..poses.first().map_or(0, LocalPose::len) {
        let turns: Vec<Quat> = poses.iter().map(|pose| pose.get(joint).rotation).collect();
        let track = Track::rotations(times.clone(), &turns, Interpolation::Slerp)?;
        clip.joint_mut(joint).rotation = Some(track);
    }
    let places: Vec<Vec3> = poses.iter().map(|pose| pose.get(0).translation).collect();
    clip.joint_mut(0).translation = Some(Track::vectors(times, &places, Interpolation::Linear)?);
    clip.fit_duration();
    Ok(clip)
}

/// Pseudo-random numbers, the same in every run.
struct Noise(u32);

impl Noise {
    fn vector(&mut self) -> Vec3 {
        let mut number = || {
            self.0 = self.0.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (self.0 >> 8) as f32 / (1 << 23) as f32 - 1.0
        };
        Vec3::new(number(), number(), number())
    }
}
