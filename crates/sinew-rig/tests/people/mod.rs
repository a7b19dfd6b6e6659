//! Synthetic people of any proportions, rest pose and axes, and motions for them.
#![allow(dead_code, reason = "each test file uses some of it")]

pub mod beasts;

use glam::{Quat, Vec3};
use sinew::{
    Affine, Clip, Interpolation, Joint, LocalPose, ModelPose, Skeleton, Track, Transform, sample,
};

pub struct Person {
    /// Angle below a T pose.
    pub arms_down_deg: f32,
    pub legs_apart_deg: f32,
    /// Seed of the joint axes. 0 for the world axes.
    pub axes: u32,
    /// Scales of arms and legs, and of the rest.
    pub limbs: f32,
    pub trunk: f32,
    /// Number of joints from the hips to the chest.
    pub spine: usize,
    /// Rotation of the whole body. Without it, y is up, z ahead and x left.
    pub world: Quat,
}

impl Default for Person {
    fn default() -> Self {
        Self {
            arms_down_deg: 0.0,
            legs_apart_deg: 0.0,
            axes: 0,
            limbs: 1.0,
            trunk: 1.0,
            spine: 3,
            world: Quat::IDENTITY,
        }
    }
}

struct Draft {
    joints: Vec<(String, Option<usize>, Vec3)>,
}

impl Draft {
    fn add(&mut self, name: &str, parent: Option<usize>, offset: Vec3) -> usize {
        let at = parent.map_or(Vec3::ZERO, |p| self.joints[p].2) + offset;
        self.joints.push((name.to_owned(), parent, at));
        self.joints.len() - 1
    }
}

impl Person {
    pub fn skeleton(&self) -> Skeleton {
        let (l, t) = (self.limbs, self.trunk);
        let mut draft = Draft { joints: Vec::new() };
        let hips = draft.add("hips", None, Vec3::ZERO);
        let mut below = hips;
        for k in 1..self.spine {
            below = draft.add(
                &format!("spine_{k}"),
                Some(below),
                Vec3::Y * (0.3 * t / self.spine as f32),
            );
        }
        let chest = draft.add(
            "chest",
            Some(below),
            Vec3::Y * (0.3 * t / self.spine as f32),
        );
        let neck = draft.add("neck", Some(chest), Vec3::new(0.0, 0.22, -0.01) * t);
        draft.add("head", Some(neck), Vec3::new(0.0, 0.1, 0.01) * t);
        for (side, x) in [("left", 1.0), ("right", -1.0)] {
            let arm = Quat::from_rotation_z(-x * self.arms_down_deg.to_radians());
            let along = arm * Vec3::X * x;
            let name = |part: &str| format!("{side}_{part}");
            let shoulder = draft.add(
                &name("shoulder"),
                Some(chest),
                Vec3::new(0.03 * x, 0.16, 0.01) * t,
            );
            let upper = draft.add(
                &name("upper_arm"),
                Some(shoulder),
                Vec3::new(0.14 * x, 0.0, -0.02) * t,
            );
            let lower = draft.add(&name("lower_arm"), Some(upper), along * 0.28 * l);
            let hand = draft.add(
                &name("hand"),
                Some(lower),
                (along + Vec3::Z * 0.06).normalize() * 0.25 * l,
            );
            for (finger, z, curl) in [
                ("thumb", 0.03, 0.5),
                ("index", 0.03, 0.1),
                ("middle", 0.0, 0.1),
                ("little", -0.03, 0.15),
            ] {
                let mut above = draft.add(
                    &name(&format!("{finger}_1")),
                    Some(hand),
                    (along * 0.09 + Vec3::Z * z) * l,
                );
                for k in 2..=3 {
                    let down =
                        arm * Quat::from_rotation_z(-x * curl * (k - 1) as f32) * Vec3::X * x;
                    above = draft.add(
                        &name(&format!("{finger}_{k}")),
                        Some(above),
                        down * 0.03 * l,
                    );
                }
            }
            let leg = Quat::from_rotation_z(x * self.legs_apart_deg.to_radians()) * Vec3::NEG_Y;
            let upper = draft.add(
                &name("upper_leg"),
                Some(hips),
                Vec3::new(0.09 * x, -0.04, 0.0) * t,
            );
            let lower = draft.add(
                &name("lower_leg"),
                Some(upper),
                (leg * 0.43 + Vec3::Z * 0.006) * l,
            );
            let foot = draft.add(&name("foot"), Some(lower), (leg * 0.4 - Vec3::Z * 0.02) * l);
            draft.add(
                &name("toes"),
                Some(foot),
                Vec3::new(0.02 * x, -0.07, 0.13) * l,
            );
        }
        let lowest = draft
            .joints
            .iter()
            .map(|j| j.2.y)
            .fold(f32::INFINITY, f32::min);
        let turns: Vec<Quat> = (0..draft.joints.len())
            .map(|k| self.world * self.axis(k as u32))
            .collect();
        let joints = draft
            .joints
            .iter()
            .enumerate()
            .map(|(k, (name, parent, at))| {
                let place = |at: Vec3| self.world * (at - Vec3::Y * lowest);
                let rest = match parent {
                    Some(p) => Transform::from_rotation_translation(
                        (turns[*p].inverse() * turns[k]).normalize(),
                        turns[*p].inverse() * (place(*at) - place(draft.joints[*p].2)),
                    ),
                    None => Transform::from_rotation_translation(turns[k], place(*at)),
                };
                Joint::new(name, *parent, rest)
            });
        Skeleton::new(joints.collect()).expect("a tree").0
    }

    fn axis(&self, k: u32) -> Quat {
        if self.axes == 0 {
            return Quat::IDENTITY;
        }
        let mut state = self
            .axes
            .wrapping_mul(2_654_435_761)
            .wrapping_add(k.wrapping_mul(40_503));
        let mut next = || {
            state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            (state >> 8) as f32 / (1 << 24) as f32 * 2.0 - 1.0
        };
        Quat::from_xyzw(next(), next(), next(), next() + 0.01).normalize()
    }
}

const FPS: f32 = 60.0;

/// Rotates every joint about its own axis by up to 40°, and moves the hips about.
pub fn dance(skeleton: &Skeleton) -> Clip {
    let times: Vec<f32> = (0..90).map(|f| f as f32 / FPS).collect();
    let mut clip = Clip::new("dance");
    for joint in 0..skeleton.len() {
        let k = joint as f32;
        let axis = Vec3::new(
            (k * 1.7).sin(),
            (k * 2.9 + 1.0).sin(),
            (k * 4.1 + 2.0).sin(),
        )
        .normalize();
        let rest = skeleton.rest().get(joint).rotation;
        let angle = |t: f32| 0.7 * ((t * 3.0 + k).sin() - k.sin());
        let keys: Vec<Quat> = times
            .iter()
            .map(|t| rest * Quat::from_axis_angle(axis, angle(*t)))
            .collect();
        clip.joint_mut(joint).rotation =
            Some(Track::rotations(times.clone(), &keys, Interpolation::Slerp).unwrap());
    }
    let at = skeleton.rest().get(0).translation;
    let keys: Vec<Vec3> = times
        .iter()
        .map(|t| at + Vec3::new(t * 0.3, (t * 5.0).sin() * 0.1, t * -0.8))
        .collect();
    clip.joint_mut(0).translation =
        Some(Track::vectors(times, &keys, Interpolation::Linear).unwrap());
    clip.fit_duration();
    clip
}

/// Two strides with standing feet, by the law of cosines, for people with world axes.
pub fn walk(skeleton: &Skeleton) -> Clip {
    let times: Vec<f32> = (0..150).map(|f| f as f32 / FPS).collect();
    let mut clip = Clip::new("walk");
    let rest = skeleton.rest_model();
    let world = skeleton.rest().get(0).rotation;
    let place =
        |name: &str| world.inverse() * rest.get(skeleton.find(name).expect(name)).translation();
    let (stride, period) = (0.9_f32, 1.0_f32);
    let speed = stride / period;
    let hips = place("hips");
    let hips_at = |t: f32| hips + Vec3::new(0.0, -0.04 + 0.01 * (t * 12.566).cos(), speed * t);
    let keys: Vec<Vec3> = times.iter().map(|t| world * hips_at(*t)).collect();
    clip.joint_mut(0).translation =
        Some(Track::vectors(times.clone(), &keys, Interpolation::Linear).unwrap());
    for (side, phase) in [("left", 0.0), ("right", 0.5)] {
        let names = ["upper_leg", "lower_leg", "foot"].map(|p| format!("{side}_{p}"));
        let [hip, knee, ankle] = [0, 1, 2].map(|k| place(&names[k]));
        let (a, b) = (hip.distance(knee), knee.distance(ankle));
        let mut turns: [Vec<Quat>; 3] = Default::default();
        for t in &times {
            // The foot stands for the first 60 % of a period.
            let cycle = t / period + phase;
            let (step, along) = (cycle.floor(), cycle.fract());
            let swing = ((along - 0.6) / 0.4).max(0.0);
            let eased = swing * swing * (3.0 - 2.0 * swing);
            let z = ankle.z + stride * (step - phase + eased + 0.3);
            let goal = Vec3::new(
                ankle.x,
                ankle.y + 0.12 * (swing * std::f32::consts::PI).sin(),
                z,
            );
            let from = hips_at(*t) + (hip - hips);
            let to = goal - from;
            let d = to.length().min((a + b) * 0.9999);
            let inner = ((a * a + d * d - b * b) / (2.0 * a * d))
                .clamp(-1.0, 1.0)
                .acos();
            // Forward bends are negative angles about x.
            let aim = Quat::from_rotation_arc(Vec3::NEG_Y, to.normalize());
            let thigh = aim * Quat::from_rotation_x(-inner) * Vec3::NEG_Y;
            let shin = (goal - (from + thigh * a)).normalize();
            let turn = |rest: Vec3, now: Vec3| Quat::from_rotation_arc(rest.normalize(), now);
            let thigh_turn = turn(knee - hip, thigh);
            let shin_turn = turn(ankle - knee, shin);
            let foot_turn = Quat::from_rotation_x(0.3 * (swing * std::f32::consts::PI).sin());
            turns[0].push(thigh_turn);
            turns[1].push(thigh_turn.inverse() * shin_turn);
            turns[2].push(shin_turn.inverse() * foot_turn);
        }
        for (name, keys) in names.iter().zip(&turns) {
            let track = Track::rotations(times.clone(), keys, Interpolation::Slerp).unwrap();
            clip.joint_mut(skeleton.find(name).unwrap()).rotation = Some(track);
        }
    }
    clip.fit_duration();
    clip
}

/// Key times of the longest track of a clip.
pub fn times(clip: &Clip) -> Vec<f32> {
    let tracks = clip
        .tracks()
        .max_by_key(|t| t.keys())
        .expect("it has tracks");
    tracks.times().to_vec()
}

pub fn poses(skeleton: &Skeleton, clip: &Clip, times: &[f32]) -> Vec<LocalPose> {
    let at = |t: &f32| {
        let mut pose = LocalPose::identity(skeleton.len());
        sample(clip, skeleton, f64::from(*t), &mut pose).unwrap();
        pose
    };
    times.iter().map(at).collect()
}

/// Position of every joint at these times.
pub fn model_places(skeleton: &Skeleton, clip: &Clip, times: &[f32]) -> Vec<Vec<Vec3>> {
    let mut model = ModelPose::identity(skeleton.len());
    let place = |pose: LocalPose| {
        model
            .update(skeleton.hierarchy(), &pose, &Affine::IDENTITY)
            .expect("of this skeleton");
        model.as_slice().iter().map(|m| m.translation()).collect()
    };
    poses(skeleton, clip, times)
        .into_iter()
        .map(place)
        .collect()
}
