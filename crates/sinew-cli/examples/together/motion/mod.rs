//! Retargets a captured walk to the mannequin, brings its hand to a lamp within the limits, and locks its feet. Curves
//! and events drive camera, light, material, dust, sound and a call, by bindings in the file.

pub mod capture;
mod lamp;

use glam::Vec3;
use sinew::clip::{Clip, Curve};
use sinew::ik::{Dls, DlsOptions, Goal, GoalKind};
use sinew::transform::quat;
use sinew::{
    Actor, Character, Interpolation, LocalPose, Method, Rig, Skeleton, Track, Transform, sample,
};
use sinew_io::bvh;
use sinew_rig::retarget::{RetargetOptions, RetargetReport, pair_joints, retarget};
use sinew_samples::mannequin::Mannequin;
use std::error::Error;

/// The point of the hand that touches, in its frame: between the fingers.
pub const GRIP: Vec3 = Vec3::new(0.0, 0.085, 0.030);
/// Keys per second of the arm.
pub const FPS: f32 = 120.0;
/// Seconds of the reach before and after the touch, and half the time of the touch.
const ON_ITS_WAY: f32 = 0.55;
pub const STAYS: f32 = 0.06;
/// Max excess of a limit between two keys, and min time between keys that are added to keep it.
const STRAYS_RAD: f32 = 3e-4;
const SHORTEST: f32 = 1.0 / 4000.0;
/// Joints that yield to the hand, and their stiffness; the arm yields most.
const MOVED: [(&str, f32); 7] = [
    ("spine_1", 6.0),
    ("spine_2", 4.0),
    ("chest", 4.0),
    ("right_shoulder", 2.0),
    ("right_upper_arm", 1.0),
    ("right_lower_arm", 1.0),
    ("right_hand", 1.0),
];
const TABLE: [&str; 9] = [
    "camera_eye=camera.eye",
    "camera_target=camera.target",
    "glow=light.lamp.strength",
    "bulb=material.bulb.emissive",
    "footstep_left=dust.left_toes",
    "footstep_right=dust.right_toes",
    "footstep_left=sound.gravel",
    "footstep_right=sound.gravel",
    "touch=call.light_the_lamp",
];

/// The figure with its one clip, and facts about it.
pub struct Together {
    pub character: Character,
    /// The retargeted walk, before the hand reaches for the lamp.
    pub walk: Clip,
    pub report: RetargetReport,
    /// Goal of the hand.
    pub goal: Vec3,
    pub touch_secs: f32,
    /// Joints that yield to the hand.
    pub moved: Vec<usize>,
}

impl Together {
    /// Makes the figure from the bytes of a BVH file.
    pub fn new(captured: &[u8]) -> Result<Self, Box<dyn Error>> {
        let source = bvh::import_bytes(captured)?.character;
        let captured = source.clips.first().ok_or("the file has no motion")?;
        let figure = Mannequin {
            sword: false,
            ..Mannequin::default()
        };
        let mut character = figure.build();
        let pairs = pair_joints(&source.skeleton, &character.skeleton)?;
        let options = RetargetOptions::default();
        let done = retarget(
            &source.skeleton,
            captured,
            &character.skeleton,
            &pairs,
            &options,
        )?;
        let mut walk = done.clip;
        walk.name = "together".to_owned();
        let rig = Rig::new(&character, Method::DualQuat)?;
        let joint = |name: &str| rig.skeleton().find(name).ok_or(format!("no joint {name}"));
        let touch_secs = 0.55 * walk.duration_secs;
        let mut actor = rig.actor();
        pose(&mut actor, &walk, touch_secs);
        // Beside its path, before the shoulder, where the arm is nearly straight.
        let shoulder = actor.socket("right_upper_arm")?.translation();
        let ahead = heading(&walk, joint("hips")?);
        let right = ahead.cross(Vec3::Y);
        let goal = shoulder + 0.36 * ahead + 0.3 * right - 0.12 * Vec3::Y;
        let mut together = Self {
            report: done.report,
            goal,
            touch_secs,
            moved: MOVED
                .iter()
                .map(|(name, _)| joint(name))
                .collect::<Result<_, _>>()?,
            walk,
            character: character.clone(),
        };
        let mut clip = together.reached(&mut actor, joint("right_hand")?)?;
        together.add_signals(&mut clip, ahead, right)?;
        lamp::stand(
            &mut character,
            goal + 0.8 * lamp::RADIUS * (right + ahead).normalize(),
        );
        character.clips = vec![clip];
        let table = TABLE.iter().map(|line| line.parse());
        character.bindings = table.collect::<Result<_, _>>()?;
        character.check()?;
        together.character = character;
        Ok(together)
    }

    /// Weight of the reach at a time, in [0, 1].
    fn reach(&self, secs: f32) -> f32 {
        let away = ((secs - self.touch_secs).abs() - STAYS).max(0.0);
        let near = (1.0 - away / ON_ITS_WAY).max(0.0);
        near * near * (3.0 - 2.0 * near)
    }

    /// Brings the hand to the lamp; joints that do not yield keep their keys.
    fn reached(&self, actor: &mut Actor, hand: usize) -> Result<Clip, Box<dyn Error>> {
        let skeleton = actor.rig().skeleton().clone();
        let mut solver = Dls::new(&skeleton, 1);
        for joint in 0..skeleton.len() {
            let known = MOVED.iter().find(|(name, _)| *name == skeleton.name(joint));
            solver.set_stiffness(joint, known.map_or(f32::INFINITY, |known| known.1))?;
        }
        let mut pose_at = |time: f32| -> Result<LocalPose, Box<dyn Error>> {
            pose(actor, &self.walk, time);
            // A captured rotation may exceed the figure's limits.
            for &joint in &self.moved {
                let rest = skeleton.rest().get(joint);
                let now = actor.pose().get(joint);
                let allowed = skeleton.freedom(joint).clamp(&rest, &now);
                actor.pose_mut().set(joint, allowed);
            }
            let reach = self.reach(time);
            if reach > 0.0 {
                let own = actor.model_pose()?.get(hand).transform_point(GRIP);
                let goal = Goal {
                    kind: GoalKind::Position {
                        offset: GRIP,
                        at: own.lerp(self.goal, reach),
                    },
                    ..Goal::position(hand, Vec3::ZERO)
                };
                actor.solve_body(&mut solver, &[goal], &DlsOptions::default())?;
            }
            Ok(actor.pose().clone())
        };
        let frames = (self.walk.duration_secs * FPS).ceil() as usize;
        let end = self.walk.duration_secs;
        let (mut times, mut poses) = (vec![0.0], vec![pose_at(0.0)?]);
        for frame in 1..=frames {
            // Pending keys, the next one last; more of them where the path leaves the limits.
            let time = (frame as f32 / FPS).min(end);
            let mut next = vec![(time, pose_at(time)?)];
            while let (Some(pair), Some((time, pose))) =
                (times.last().zip(poses.last()), next.pop())
            {
                let middle = 0.5 * (pair.0 + time);
                let is_far = time - pair.0 > SHORTEST && self.strays(&skeleton, pair.1, &pose);
                let more = is_far.then(|| pose_at(middle)).transpose()?;
                match more {
                    Some(more) => next.extend([(time, pose), (middle, more)]),
                    None => {
                        times.push(time);
                        poses.push(pose);
                    }
                }
            }
        }
        let mut clip = self.walk.clone();
        for &joint in &self.moved {
            let turns: Vec<_> = poses.iter().map(|pose| pose.get(joint).rotation).collect();
            let track = Track::rotations(times.clone(), &turns, Interpolation::Slerp)?;
            clip.joint_mut(joint).rotation = Some(track);
        }
        Ok(clip)
    }

    /// True if a yielding joint exceeds its limits halfway between two poses.
    fn strays(&self, skeleton: &Skeleton, from: &LocalPose, to: &LocalPose) -> bool {
        self.moved.iter().any(|&joint| {
            let (from, to) = (from.get(joint), to.get(joint));
            let turn = quat::slerp(from.rotation, to.rotation, 0.5);
            let half_way = Transform {
                rotation: turn,
                ..from
            };
            let rest = skeleton.rest().get(joint);
            let allowed = skeleton.freedom(joint).clamp(&rest, &half_way);
            quat::angle_between(allowed.rotation, turn) > STRAYS_RAD
        })
    }

    /// Adds steps and the touch as events; camera, light and bulb as curves.
    fn add_signals(&self, clip: &mut Clip, ahead: Vec3, right: Vec3) -> Result<(), Box<dyn Error>> {
        clip.events.clear();
        clip.curves.clear();
        let keys = longest_times(&self.walk);
        for foot in &self.report.feet {
            let name = format!("footstep_{}", format!("{:?}", foot.side).to_lowercase());
            for contact in foot.contacts.iter().filter(|contact| contact.first > 0) {
                if let Some(&time) = keys.get(contact.first) {
                    clip.add_event(time, name.as_str());
                }
            }
        }
        clip.add_event(self.touch_secs, "touch");
        let end = clip.duration_secs;
        let lit = [0.0, self.touch_secs, self.touch_secs + 0.25, end];
        let curve =
            |name: &str, times: &[f32], values: Vec<f32>| -> Result<Curve, Box<dyn Error>> {
                let width = values.len() / times.len();
                let track = Track::new(times.to_vec(), values, width, Interpolation::Linear)?;
                Ok(Curve {
                    name: name.to_owned(),
                    track,
                })
            };
        let warm = |part: f32| [7.0, 3.6, 1.2].map(|c| c * part);
        clip.curves
            .push(curve("glow", &lit, vec![0.0, 0.0, 1.0, 1.0])?);
        let bulb = [0.0, 0.0, 1.0, 1.0].into_iter().flat_map(warm).collect();
        clip.curves.push(curve("bulb", &lit, bulb)?);
        // The camera moves more slowly than the figure.
        let middle = self.goal.with_y(0.88) - 0.25 * right;
        let eye = |along: f32| middle + 3.0 * right + (3.2 + 0.5 * along) * ahead + 0.5 * Vec3::Y;
        let seen = |along: f32| middle + along * ahead;
        let both = |place: &dyn Fn(f32) -> Vec3| {
            let ends = [-1.4, 1.0].into_iter();
            ends.flat_map(|along| place(along).to_array()).collect()
        };
        clip.curves
            .push(curve("camera_eye", &[0.0, end], both(&eye))?);
        clip.curves
            .push(curve("camera_target", &[0.0, end], both(&seen))?);
        Ok(())
    }
}

fn pose(actor: &mut Actor, clip: &Clip, time_secs: f32) {
    let skeleton = actor.rig().skeleton().clone();
    sample(clip, &skeleton, f64::from(time_secs), actor.pose_mut()).unwrap();
}

/// Horizontal direction of a joint from the clip's start to its end; z if it stays.
fn heading(clip: &Clip, joint: usize) -> Vec3 {
    let track = clip
        .joint(joint)
        .and_then(|tracks| tracks.translation.as_ref());
    let at = |secs: f64| track.and_then(|track| track.sample_vector(secs));
    let went = at(f64::from(clip.duration_secs)).zip(at(0.0));
    let went = went.map_or(Vec3::Z, |(to, from)| (to - from).with_y(0.0));
    went.normalize_or(Vec3::Z)
}

fn longest_times(clip: &Clip) -> Vec<f32> {
    let tracks = clip.joints.iter();
    let tracks = tracks.flat_map(|joint| [&joint.translation, &joint.rotation]);
    let times = tracks.flatten().map(|track| track.times().to_vec());
    times.max_by_key(Vec::len).unwrap_or_default()
}
