//! Everything on one figure: a captured walk is carried over to the mannequin, its hand is brought to a lamp that it
//! passes, within its limits, its feet hold the ground, and curves and events drive camera, light, material, dust,
//! sound and a call, by a table that goes into the file with them.

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
/// How often a second the arm has keys.
pub const FPS: f32 = 120.0;
/// How long before and after the touch the hand is on its way, and how long it stays.
const ON_ITS_WAY: f32 = 0.55;
pub const STAYS: f32 = 0.06;
/// How far past its limits a joint may be between two keys, and how near in time these come for its sake.
const STRAYS_RAD: f32 = 3e-4;
const SHORTEST: f32 = 1.0 / 4000.0;
/// What gives way to the hand; its arm most.
const MOVED: [(&str, f32); 7] = [
    ("spine_1", 6.0),
    ("spine_2", 4.0),
    ("chest", 4.0),
    ("right_shoulder", 2.0),
    ("right_upper_arm", 1.0),
    ("right_lower_arm", 1.0),
    ("right_hand", 1.0),
];
/// What drives what.
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

/// The figure with its one clip, and what is known of it.
pub struct Together {
    pub character: Character,
    /// The walk as it came over, before the hand was brought to the lamp.
    pub walk: Clip,
    pub report: RetargetReport,
    /// What the hand is brought to, and when.
    pub goal: Vec3,
    pub touch_secs: f32,
    /// The joints that gave way.
    pub moved: Vec<usize>,
}

impl Together {
    /// From the bytes of a BVH file.
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
        // Beside its way, before the shoulder, where the arm is nearly straight.
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

    /// How much the hand is the lamp's at a time, from 0 to 1.
    fn reach(&self, secs: f32) -> f32 {
        let away = ((secs - self.touch_secs).abs() - STAYS).max(0.0);
        let near = (1.0 - away / ON_ITS_WAY).max(0.0);
        near * near * (3.0 - 2.0 * near)
    }

    /// The walk with the hand brought to the lamp; what does not give way keeps its keys.
    fn reached(&self, actor: &mut Actor, hand: usize) -> Result<Clip, Box<dyn Error>> {
        let skeleton = actor.rig().skeleton().clone();
        let mut solver = Dls::new(&skeleton, 1);
        for joint in 0..skeleton.len() {
            let known = MOVED.iter().find(|(name, _)| *name == skeleton.name(joint));
            solver.set_stiffness(joint, known.map_or(f32::INFINITY, |known| known.1))?;
        }
        let mut pose_at = |time: f32| -> Result<LocalPose, Box<dyn Error>> {
            pose(actor, &self.walk, time);
            // A captured turn may be past the limits that the figure has.
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
            // Keys that are still to come, the next one last: more of them where the way there leaves the limits.
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

    /// Whether a joint that gives way is past its limits half way from one pose to the next.
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

    /// Steps and the touch as events; camera, light and bulb as curves.
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
        // The camera goes along more slowly than the figure.
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

/// Poses an actor by a clip that its rig does not have.
fn pose(actor: &mut Actor, clip: &Clip, time_secs: f32) {
    let skeleton = actor.rig().skeleton().clone();
    sample(clip, &skeleton, f64::from(time_secs), actor.pose_mut());
}

/// The level direction that a joint goes in, from the clip's start to its end; ahead where it does not.
fn heading(clip: &Clip, joint: usize) -> Vec3 {
    let track = clip
        .joint(joint)
        .and_then(|tracks| tracks.translation.as_ref());
    let at = |secs: f64| track.and_then(|track| track.sample_vector(secs));
    let went = at(f64::from(clip.duration_secs)).zip(at(0.0));
    let went = went.map_or(Vec3::Z, |(to, from)| (to - from).with_y(0.0));
    went.normalize_or(Vec3::Z)
}

/// The times of the frames that a report counts in.
fn longest_times(clip: &Clip) -> Vec<f32> {
    let tracks = clip.joints.iter();
    let tracks = tracks.flat_map(|joint| [&joint.translation, &joint.rotation]);
    let times = tracks.flatten().map(|track| track.times().to_vec());
    times.max_by_key(Vec::len).unwrap_or_default()
}
