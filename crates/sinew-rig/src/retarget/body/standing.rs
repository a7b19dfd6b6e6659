//! A skeleton at rest: its facing direction, hip height and bone directions.

use super::model_pose::ModelPoseF64;
use super::world_axes::{frame, nearest_axis, torso};
use crate::retarget::roles::role_map::Roles;
use glam::{DQuat, DVec3};
use sinew::Skeleton;
use sinew::skeleton::{Finger, Role, Side};

#[derive(Clone, Debug)]
pub(crate) struct Body<'a> {
    pub skeleton: &'a Skeleton,
    pub roles: Roles,
    /// Rest pose, or the pose that replaces it.
    pub rest: ModelPoseF64,
    /// `model_from_body`: x to the left, y up, z ahead.
    pub frame: DQuat,
}

impl<'a> Body<'a> {
    /// Creates the body. `None` without hips, or if all joints are at one position.
    pub fn new(skeleton: &'a Skeleton, roles: Roles, rest: ModelPoseF64) -> Option<Self> {
        let frame = frame(skeleton, &roles, &rest)?;
        Some(Self {
            skeleton,
            roles,
            rest,
            frame,
        })
    }

    /// Up direction, as a world axis.
    pub fn up(&self) -> DVec3 {
        nearest_axis(self.frame * DVec3::Y)
    }

    pub fn position(&self, role: Role) -> Option<DVec3> {
        self.roles
            .joint(role)
            .map(|joint| self.rest.position(joint))
    }

    /// Ball of the foot: the joint of the toes, or the child farthest from the foot.
    pub fn ball(&self, side: Side) -> Option<usize> {
        self.roles.joint(Role::Toes(side)).or_else(|| {
            let foot = self.roles.joint(Role::Foot(side))?;
            let away = |j: &usize| self.rest.position(*j).distance(self.rest.position(foot));
            let children = self.skeleton.children(foot);
            children
                .max_by(|a, b| away(a).total_cmp(&away(b)))
                .filter(|j| away(j) > 0.0)
        })
    }

    /// Hip height above the sole with straight legs, or at rest if no legs are known.
    pub fn hip_height(&self, up: DVec3) -> Option<f64> {
        let mut heights = Vec::new();
        let hips = self.position(Role::Hips)?;
        for side in Side::ALL {
            let positions = [Role::UpperLeg(side), Role::LowerLeg(side), Role::Foot(side)]
                .map(|r| self.position(r));
            let [Some(hip), Some(knee), Some(ankle)] = positions else {
                continue;
            };
            let legs = hip.distance(knee) + knee.distance(ankle);
            heights.push((hips - hip).dot(up) + legs + self.ankle_height(side, up));
        }
        if heights.is_empty() {
            // The hips of a bust are near its lowest joint, so they give no leg length.
            let height = hips.dot(up) - self.sole(up)?;
            let torso = torso(&self.roles, &self.rest).map_or(0.0, DVec3::length);
            return Some(height).filter(|height| *height > 0.25 * torso);
        }
        let mean = heights.iter().sum::<f64>() / heights.len() as f64;
        (mean > 0.0 && mean.is_finite()).then_some(mean)
    }

    fn ankle_height(&self, side: Side, up: DVec3) -> f64 {
        let Some(foot) = self.roles.joint(Role::Foot(side)) else {
            return 0.0;
        };
        let below = self
            .skeleton
            .hierarchy()
            .subtree(foot)
            .map(|j| self.rest.position(j).dot(up));
        self.rest.position(foot).dot(up) - below.fold(f64::INFINITY, f64::min)
    }

    /// Height of the lowest joint of both feet at rest, or of the whole body if no feet are known.
    pub fn sole(&self, up: DVec3) -> Option<f64> {
        let tree = self.skeleton.hierarchy();
        let tops = Side::ALL.map(|s| self.roles.joint(Role::Foot(s)));
        let hips = self
            .roles
            .joint(Role::Hips)
            .filter(|_| tops == [None, None]);
        let below = (tops.into_iter().flatten().chain(hips)).flat_map(|top| tree.subtree(top));
        below
            .map(|j| self.rest.position(j).dot(up))
            .min_by(f64::total_cmp)
    }

    /// Rest direction of the bone of a role: to the next joint, or to the end of the chain.
    pub fn direction(&self, role: Role) -> Option<DVec3> {
        let joint = self.roles.joint(role)?;
        let next = match role {
            Role::UpperArm(s) => self.roles.joint(Role::LowerArm(s)),
            Role::LowerArm(s) => self.roles.joint(Role::Hand(s)),
            Role::UpperLeg(s) => self.roles.joint(Role::LowerLeg(s)),
            Role::LowerLeg(s) => self.roles.joint(Role::Foot(s)),
            Role::Foot(s) => self.ball(s),
            Role::Finger(s, finger, k) => self.roles.joint(Role::Finger(s, finger, k + 1)),
            _ => None,
        };
        let only_child = || {
            let mut children = self.skeleton.children(joint);
            children.next().filter(|_| children.next().is_none())
        };
        let to = self.rest.position(next.or_else(only_child)?) - self.rest.position(joint);
        to.try_normalize()
    }

    /// Axes of a hand at rest: toward the finger `along`, and between the two fingers `across`.
    pub fn hand(
        &self,
        side: Side,
        along: Finger,
        across: Option<[Finger; 2]>,
    ) -> Option<[DVec3; 2]> {
        let knuckle = |finger| self.position(Role::Finger(side, finger, 0));
        let along = (knuckle(along)? - self.position(Role::Hand(side))?).try_normalize()?;
        let across = match across {
            Some([a, b]) => knuckle(b)? - knuckle(a)?,
            None => DVec3::ZERO,
        };
        Some([along, across])
    }

    pub fn has_finger(&self, side: Side, finger: Finger) -> bool {
        self.roles.joint(Role::Finger(side, finger, 0)).is_some()
    }
}

/// Shortest rotation from one direction to another, about `about` if they are opposite.
pub(crate) fn shortest(from: DVec3, to: DVec3, about: DVec3) -> DQuat {
    let w = 1.0 + from.dot(to);
    if w < 1e-9 {
        let axis = about - from * about.dot(from);
        return DQuat::from_axis_angle(
            axis.try_normalize()
                .unwrap_or_else(|| from.any_orthonormal_vector()),
            std::f64::consts::PI,
        );
    }
    let c = from.cross(to);
    DQuat::from_xyzw(c.x, c.y, c.z, w).normalize()
}
