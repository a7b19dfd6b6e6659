//! Converts poses of the source to poses of the target.

use super::rotation_rules::{RotationRule, RotationRules};
use super::source_motion::{SourceFrame, SourceTrajectories};
use crate::retarget::body::model_pose::{Local, locals};
use crate::retarget::body::standing::Body;
use crate::retarget::feet::contact::contacts;
use crate::retarget::feet::ground::Leg;
use crate::retarget::pair::Pair;
use crate::retarget::report::{NamedPair, RetargetReport};
use glam::{DAffine3, DQuat, DVec3};
use sinew::skeleton::{Role, Side};

pub(crate) struct PoseTransfer<'a> {
    pub rules: RotationRules,
    pub source: &'a Body<'a>,
    pub target: &'a Body<'a>,
    pub scale: f64,
    /// Up direction of the target.
    pub up: DVec3,
    /// Floor heights of source and target.
    pub floors: [f64; 2],
    pub same: bool,
    /// True for animals, whose hips move from their rest position by the scaled path of the source.
    pub is_animal: bool,
    /// Height of the ground of the motion above that of the rest pose of the source.
    pub lift: f64,
}

/// Path of a joint that does not stay at its distance from its parent.
#[derive(Clone, Copy)]
enum Path {
    /// Scaled path of a joint of the source.
    Scaled(usize),
    /// Path from the rest position, like a joint of the source.
    FromRest(usize),
}

/// Paths and memory for a pose, which [`PoseTransfer`] needs for frames. Joints without a rule stay at rest.
pub(crate) struct Carrier<'a> {
    transfer: &'a PoseTransfer<'a>,
    locals: Vec<Local>,
    paths: Vec<Option<Path>>,
    /// Joints with a path below them, which need maps.
    has_map: Vec<bool>,
    rotations: Vec<DQuat>,
    maps: Vec<DAffine3>,
}

impl<'a> Carrier<'a> {
    pub fn new(transfer: &'a PoseTransfer<'a>) -> Self {
        let skeleton = transfer.target.skeleton;
        let joints = skeleton.len();
        let path = |joint| (!transfer.same).then(|| transfer.path(joint)).flatten();
        let paths: Vec<Option<Path>> = (0..joints).map(path).collect();
        let mut has_map = vec![false; joints];
        for joint in (0..joints).rev().filter(|&joint| paths[joint].is_some()) {
            let above = skeleton.hierarchy().ancestors(joint).skip(1);
            above.for_each(|joint| has_map[joint] = true);
        }
        Self {
            transfer,
            locals: locals(skeleton.rest()),
            paths,
            has_map,
            rotations: vec![DQuat::IDENTITY; joints],
            maps: vec![DAffine3::IDENTITY; joints],
        }
    }

    /// Local transforms of the target for a frame of the source. `own` has the local transforms of
    /// the source, whose lengths a body that is the same gets.
    pub fn frame(&mut self, now: SourceFrame<'_>, own: Option<&[Local]>) -> &[Local] {
        let PoseTransfer { rules, target, .. } = self.transfer;
        for joint in 0..self.locals.len() {
            let parent = target.skeleton.parent(joint);
            let parent_rotation = parent.map_or(DQuat::IDENTITY, |p| self.rotations[p]);
            let local = &mut self.locals[joint];
            if let Some(rotation) = rules.rotation(joint, self.transfer.source, now, target) {
                local.rotation = (parent_rotation.inverse() * rotation).normalize();
            }
            if let Some(own) = own {
                (local.translation, local.scale) = (own[joint].translation, own[joint].scale);
            }
            let parent_map = parent.map_or(DAffine3::IDENTITY, |p| self.maps[p]);
            if let Some(path) = self.paths[joint] {
                let position = self.transfer.position_on(path, joint, now);
                local.translation = parent_map.inverse().transform_point3(position);
            }
            self.rotations[joint] = parent_rotation * local.rotation;
            if self.has_map[joint] {
                self.maps[joint] = parent_map * local.map();
            }
        }
        &self.locals
    }
}

impl PoseTransfer<'_> {
    /// Converts a position in the world of the source to the world of the target.
    pub fn position_in_target(&self, position: DVec3) -> DVec3 {
        let [from, onto] = self.floors;
        (self.rules.rotation * position - self.up * from) * self.scale + self.up * onto
    }

    /// Path of the hips, and of joints above the hips that follow a joint. On a body without known
    /// legs, joints beside the hips follow too, such as the goals of inverse kinematics.
    fn path(&self, joint: usize) -> Option<Path> {
        let RotationRule::Follow { source, .. } = self.rules.of[joint] else {
            return None;
        };
        let hips = self.target.roles.joint(Role::Hips)?;
        if joint == hips && !self.is_animal {
            return Some(Path::Scaled(source));
        }
        let tree = self.target.skeleton.hierarchy();
        let is_under = |joint: usize, top: usize| tree.ancestors(joint).any(|j| j == top);
        let is_leg = |side| self.target.roles.joint(Role::UpperLeg(side)).is_some();
        let has_legs = Side::ALL.into_iter().any(is_leg);
        let follows = is_under(hips, joint) || !(has_legs || is_under(joint, hips));
        follows.then_some(Path::FromRest(source))
    }

    fn position_on(&self, path: Path, joint: usize, now: SourceFrame<'_>) -> DVec3 {
        match path {
            Path::Scaled(source) => self.position_in_target(now.positions[source]),
            Path::FromRest(source) => {
                let rest = self.target.rest.position(joint);
                rest + self.moved_from_rest(source, now.positions[source])
            }
        }
    }

    /// Scaled way of a joint of the source from rest to a position, in the world of the target.
    pub fn moved_from_rest(&self, source: usize, position: DVec3) -> DVec3 {
        let from_rest = position - self.source.rest.position(source);
        (self.rules.rotation * from_rest - self.up * self.lift) * self.scale
    }

    /// Legs, and the source foot position per leg and frame, in the space and scale of the target.
    pub fn legs(
        &self,
        source_paths: &SourceTrajectories,
        times: &[f32],
        hip_height: Option<f64>,
    ) -> (Vec<Leg>, Vec<Vec<DVec3>>) {
        let up = self.rules.rotation.inverse() * self.up;
        let mut legs = Vec::new();
        for (k, side) in Side::ALL.into_iter().enumerate() {
            let Some(ankle) = self.target.roles.joint(Role::Foot(side)) else {
                continue;
            };
            let ball = self
                .target
                .ball(side)
                .filter(|_| !source_paths.balls[k].is_empty());
            let positions = if ball.is_some() {
                &source_paths.balls[k]
            } else {
                &source_paths.ankles[k]
            };
            let Some(hip_height) = hip_height.filter(|_| positions.len() == times.len()) else {
                continue;
            };
            let leg = Leg {
                side,
                contacts: contacts(times, positions, up, hip_height),
                standing: ball.unwrap_or(ankle),
            };
            let expected: Vec<DVec3> = positions
                .iter()
                .map(|p| self.position_in_target(*p))
                .collect();
            legs.push((leg, expected));
        }
        legs.into_iter().unzip()
    }

    pub fn report(&self, pairs: &[Pair], frames: usize) -> RetargetReport {
        let (from, onto) = (self.source.skeleton, self.target.skeleton);
        let named = |pair: &Pair| NamedPair {
            role: self.target.roles.role(pair.target),
            source: from.name(pair.source).to_owned(),
            target: onto.name(pair.target).to_owned(),
        };
        let of_target = |expected: fn(&RotationRule) -> bool| -> Vec<String> {
            let joints = (0..onto.len()).filter(|j| expected(&self.rules.of[*j]));
            joints.map(|j| onto.name(j).to_owned()).collect()
        };
        let used = |joint: usize| {
            self.rules.of.iter().any(|rule| match rule {
                RotationRule::Rest => false,
                RotationRule::Follow { source, .. } => *source == joint,
                RotationRule::Between { sources, .. } => sources.contains(&joint),
            })
        };
        let unused = (0..from.len()).filter(|j| !used(*j));
        RetargetReport {
            pairs: pairs.iter().map(named).collect(),
            shared: of_target(|rule| matches!(rule, RotationRule::Between { .. })),
            unused_source: unused.map(|j| from.name(j).to_owned()).collect(),
            resting_target: of_target(|rule| matches!(rule, RotationRule::Rest)),
            scale: self.scale as f32,
            rotation: self.rules.rotation.as_quat(),
            same_skeleton: self.same,
            by_shape: self.is_animal,
            frames,
            feet: Vec::new(),
            hands: Vec::new(),
            hips_lowered: 0.0,
            unreached_frames: 0,
        }
    }
}
