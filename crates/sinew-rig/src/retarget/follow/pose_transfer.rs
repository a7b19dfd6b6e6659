//! Converts poses of the source to poses of the target.

use super::rotation_rules::{RotationRule, RotationRules};
use super::source_motion::SourceTrajectories;
use crate::retarget::body::model_pose::{Local, ModelPoseF64, locals};
use crate::retarget::body::standing::Body;
use crate::retarget::feet::contact::contacts;
use crate::retarget::feet::ground::Leg;
use crate::retarget::pairs::Pair;
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
}

impl PoseTransfer<'_> {
    /// Converts a position in the world of the source to the world of the target.
    pub fn position_in_target(&self, position: DVec3) -> DVec3 {
        let [from, onto] = self.floors;
        (self.rules.rotation * position - self.up * from) * self.scale + self.up * onto
    }

    pub fn frame(&self, (source_locals, now): &(Vec<Local>, ModelPoseF64)) -> Vec<Local> {
        let skeleton = self.target.skeleton;
        let mut locals = locals(skeleton.rest());
        let mut done = ModelPoseF64 {
            rotations: Vec::new(),
            maps: Vec::new(),
        };
        for joint in 0..skeleton.len() {
            let parent = skeleton.parent(joint);
            let parent_rotation = parent.map_or(DQuat::IDENTITY, |p| done.rotations[p]);
            let parent_map = parent.map_or(DAffine3::IDENTITY, |p| done.maps[p]);
            let local = &mut locals[joint];
            if let Some(rotation) = self.rules.rotation(joint, self.source, now, self.target) {
                local.rotation = (parent_rotation.inverse() * rotation).normalize();
            }
            if self.same {
                (local.translation, local.scale) =
                    (source_locals[joint].translation, source_locals[joint].scale);
            } else if let Some(position) = self.position_of(joint, now) {
                local.translation = parent_map.inverse().transform_point3(position);
            }
            done.rotations.push(parent_rotation * local.rotation);
            done.maps.push(parent_map * local.map());
        }
        locals
    }

    /// Position of the hips, and of joints above the hips that follow a joint. On a body without
    /// known legs, joints beside the hips follow too, such as the goals of inverse kinematics.
    fn position_of(&self, joint: usize, now: &ModelPoseF64) -> Option<DVec3> {
        let RotationRule::Follow { source, .. } = self.rules.of[joint] else {
            return None;
        };
        let hips = self.target.roles.joint(Role::Hips)?;
        if joint == hips {
            return Some(self.position_in_target(now.position(source)));
        }
        let tree = self.target.skeleton.hierarchy();
        let is_under = |joint: usize, top: usize| tree.ancestors(joint).any(|j| j == top);
        let is_leg = |side| self.target.roles.joint(Role::UpperLeg(side)).is_some();
        let has_legs = Side::ALL.into_iter().any(is_leg);
        let follows = is_under(hips, joint) || !(has_legs || is_under(joint, hips));
        let moved =
            self.rules.rotation * (now.position(source) - self.source.rest.position(source));
        follows.then(|| self.target.rest.position(joint) + moved * self.scale)
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
            frames,
            feet: Vec::new(),
            hands: Vec::new(),
            hips_lowered: 0.0,
            unreached_frames: 0,
        }
    }
}
