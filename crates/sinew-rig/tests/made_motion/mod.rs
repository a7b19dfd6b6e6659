//! Motions made by code, with scripted contacts: a jump, a crawl, a cartwheel, a walk down stairs.

use glam::{Quat, Vec3};
use sinew::ik::{Tip, TwoBone, two_bone};
use sinew::skeleton::limits::Freedom;
use sinew::skeleton::{Role, Side};
use sinew::{Affine, Clip, Interpolation, LocalPose, ModelPose, Skeleton, Track};
use sinew_rig::retarget::find_roles;
use sinew_rig::template::Biped;

const FPS: f32 = 60.0;

/// Hips and the goals of wrists and ankles at a moment. A goal has a weight in [0, 1].
struct Moment {
    hips: Vec3,
    turn: Quat,
    feet: [(Vec3, f32); 2],
    hands: [(Vec3, f32); 2],
}

pub struct Made {
    pub name: &'static str,
    pub skeleton: Skeleton,
    pub clip: Clip,
}

pub fn all() -> Vec<Made> {
    let body = Body::new();
    vec![
        body.made("jump", 2.0, &|t| body.jump(t)),
        body.made("crawl", 4.0, &|t| body.crawl(t)),
        body.made("cartwheel", 2.4, &|t| body.cartwheel(t)),
        body.made("stairs", 4.0, &|t| body.stairs(t)),
    ]
}

struct Body {
    skeleton: Skeleton,
    /// Upper, lower and end joint of each leg and arm.
    legs: [[usize; 3]; 2],
    arms: [[usize; 3]; 2],
    hips: usize,
    rest: ModelPose,
}

impl Body {
    fn new() -> Self {
        let biped = Biped {
            fingers: false,
            ..Biped::default()
        };
        let skeleton = biped.template().skeleton().unwrap();
        let mut joints = skeleton.joints();
        joints
            .iter_mut()
            .for_each(|j| j.freedom = Freedom::default());
        let (skeleton, _) = Skeleton::new(joints).unwrap();
        let roles = find_roles(&skeleton);
        let joint = |role| roles.joint(role).unwrap();
        let leg = |s| [Role::UpperLeg(s), Role::LowerLeg(s), Role::Foot(s)].map(joint);
        let arm = |s| [Role::UpperArm(s), Role::LowerArm(s), Role::Hand(s)].map(joint);
        Self {
            legs: Side::ALL.map(leg),
            arms: Side::ALL.map(arm),
            hips: joint(Role::Hips),
            rest: skeleton.rest_model(),
            skeleton,
        }
    }

    fn at_rest(&self, joint: usize) -> Vec3 {
        self.rest.get(joint).translation()
    }

    fn made(&self, name: &'static str, secs: f32, at: &dyn Fn(f32) -> Moment) -> Made {
        let frames = (secs * FPS) as usize + 1;
        let times: Vec<f32> = (0..frames).map(|f| f as f32 / FPS).collect();
        let poses: Vec<LocalPose> = times.iter().map(|t| self.pose(&at(*t))).collect();
        let mut clip = Clip::new(name);
        for joint in 0..self.skeleton.len() {
            let keys: Vec<Quat> = poses.iter().map(|p| p.get(joint).rotation).collect();
            let track = Track::rotations(times.clone(), &keys, Interpolation::Slerp);
            clip.joint_mut(joint).rotation = Some(track.unwrap());
        }
        let keys: Vec<Vec3> = poses.iter().map(|p| p.get(self.hips).translation).collect();
        let track = Track::vectors(times, &keys, Interpolation::Linear);
        clip.joint_mut(self.hips).translation = Some(track.unwrap());
        clip.fit_duration();
        Made {
            name,
            skeleton: self.skeleton.clone(),
            clip,
        }
    }

    fn pose(&self, moment: &Moment) -> LocalPose {
        let skeleton = &self.skeleton;
        let mut pose = skeleton.rest().clone();
        let mut model = ModelPose::identity(skeleton.len());
        let parent = skeleton.parent(self.hips);
        let below = parent.map_or(Vec3::ZERO, |p| self.at_rest(p));
        pose.set_translation(self.hips, moment.hips - below);
        pose.set_rotation(self.hips, moment.turn * pose.get(self.hips).rotation);
        let limbs = self.legs.iter().zip(&moment.feet);
        let limbs = limbs.chain(self.arms.iter().zip(&moment.hands));
        for (&[upper, lower, end], &(goal, weight)) in limbs {
            if weight == 0.0 {
                continue;
            }
            model
                .update(skeleton.hierarchy(), &pose, &Affine::IDENTITY)
                .unwrap();
            let above = *model.get(skeleton.parent(upper).unwrap());
            let before = *model.get(end);
            let job = TwoBone::new(upper, lower, Tip::of(end), goal).weight(weight);
            two_bone(skeleton, &mut pose, &above, &job).unwrap();
            // Feet and hands keep their rotation.
            model
                .update(skeleton.hierarchy(), &pose, &Affine::IDENTITY)
                .unwrap();
            let rotation = |map: &Affine| sinew::Transform::from_affine(map).0.rotation;
            let parent = rotation(model.get(lower));
            pose.set_rotation(end, (parent.inverse() * rotation(&before)).normalize());
        }
        pose
    }

    /// Both feet stand until 0.6 s and from 1 s on.
    fn jump(&self, t: f32) -> Moment {
        let rest = self.at_rest(self.hips);
        let air = (t - 0.6).clamp(0.0, 0.4);
        let up = 9.81 * 0.5 * air * (0.4 - air);
        let crouch = 0.2 * bump(t, 0.1, 0.6) + 0.2 * bump(t, 1.0, 1.5) + 0.04;
        let ahead = Vec3::Z * (0.5 * air / 0.4);
        let feet = self
            .legs
            .map(|leg| (self.at_rest(leg[2]) + ahead + Vec3::Y * up, 1.0));
        Moment {
            hips: rest + ahead + Vec3::Y * (up - crouch),
            turn: Quat::IDENTITY,
            feet,
            hands: [(Vec3::ZERO, 0.0); 2],
        }
    }

    /// Each foot swings for 0.4 s of every second and lands two steps of 17 cm below.
    fn stairs(&self, t: f32) -> Moment {
        let step = Vec3::new(0.0, -0.17, 0.28);
        let foot = |k: usize| {
            let from_start = t - 0.5 * k as f32;
            let done = from_start.max(0.0).floor();
            let swing = ((from_start - done) / 0.4).clamp(0.0, 1.0);
            let along = if from_start < 0.0 {
                0.0
            } else {
                done + ease(swing)
            };
            let lift = 0.1 * (std::f32::consts::PI * swing).sin();
            let first = step * (k as f32 - 0.5);
            let moved =
                first + step * (2.0 * along) + Vec3::Y * if from_start < 0.0 { 0.0 } else { lift };
            (self.at_rest(self.legs[k][2]) + moved, 1.0)
        };
        Moment {
            hips: self.at_rest(self.hips) + step * (2.0 * t) - Vec3::Y * 0.12,
            turn: Quat::IDENTITY,
            feet: [foot(0), foot(1)],
            hands: [(Vec3::ZERO, 0.0); 2],
        }
    }

    /// On hands and knees: each hand and the opposite foot swing for 0.5 s of every 1.2 s.
    fn crawl(&self, t: f32) -> Moment {
        let stride = 0.24;
        let along = |phase: f32| {
            let cycle = t / 1.2 + phase;
            let swing = ((cycle - cycle.floor()) * 1.2 / 0.5).min(1.0);
            let lift = (std::f32::consts::PI * swing).sin();
            (stride * (cycle.floor() + ease(swing) - phase), lift)
        };
        let hips = Vec3::new(0.0, 0.5, stride * t / 1.2);
        let hand = |k: usize| {
            let (z, lift) = along(0.5 * k as f32);
            let x = if k == 0 { 0.18 } else { -0.18 };
            (Vec3::new(x, 0.08 + 0.05 * lift, 0.5 + z), 1.0)
        };
        let foot = |k: usize| {
            let (z, lift) = along(0.5 - 0.5 * k as f32);
            let x = if k == 0 { 0.1 } else { -0.1 };
            (Vec3::new(x, 0.14 + 0.03 * lift, -0.45 + z), 1.0)
        };
        Moment {
            hips,
            turn: Quat::from_rotation_x(80_f32.to_radians()),
            feet: [foot(0), foot(1)],
            hands: [hand(0), hand(1)],
        }
    }

    /// To the left: both feet, then the left and the right hand, then the right and the left foot.
    fn cartwheel(&self, t: f32) -> Moment {
        let part = ((t - 0.4) / 1.6).clamp(0.0, 1.0);
        let along = ease(part);
        let angle = -std::f32::consts::TAU * along;
        let rest = self.at_rest(self.hips);
        let left = 2.4;
        let hands_up = bump(t, 0.7, 1.7);
        let hips = Vec3::new(left * along, rest.y - 0.05 + 0.15 * hands_up, rest.z);
        let stands = |from: f32, to: f32| ramp(t, from - 0.2, from) * (1.0 - ramp(t, to, to + 0.2));
        let foot = |k: usize, from: f32, to: f32| {
            let at = self.at_rest(self.legs[k][2]);
            if t < 1.2 {
                (at, stands(-1.0, from))
            } else {
                (at + Vec3::X * left, stands(to, 9.0))
            }
        };
        let hand = |x: f32, from: f32, to: f32| (Vec3::new(x, 0.12, rest.z), stands(from, to));
        Moment {
            hips,
            turn: Quat::from_rotation_z(angle),
            feet: [foot(0, 0.75, 1.85), foot(1, 0.6, 1.7)],
            hands: [hand(0.95, 0.95, 1.3), hand(1.4, 1.1, 1.45)],
        }
    }
}

fn ease(t: f32) -> f32 {
    t * t * (3.0 - 2.0 * t)
}

fn ramp(t: f32, from: f32, to: f32) -> f32 {
    ease(((t - from) / (to - from)).clamp(0.0, 1.0))
}

/// From 0 up to 1 and back between two times.
fn bump(t: f32, from: f32, to: f32) -> f32 {
    let part = ((t - from) / (to - from)).clamp(0.0, 1.0);
    (std::f32::consts::PI * part).sin().powi(2)
}
