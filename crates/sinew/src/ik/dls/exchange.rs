use super::goal::Target;
use super::tree::{JointState, Tree};
use crate::ik::angles::State;
use crate::ik::error::IkError;
use crate::ik::frame::{Local, length, not_finite, stretched, sub};
use crate::pose::LocalPose;
use crate::skeleton::Skeleton;
use glam::Vec3;
use sinew_math::transform::quat;
use sinew_math::transform::quat_f64::{QuatF64, dot};

impl Tree {
    /// Reads the joints above the goals, and the length of the longest chain that moves.
    pub fn read(
        &mut self,
        skeleton: &Skeleton,
        pose: &LocalPose,
        targets: &[Target],
    ) -> Result<(), IkError> {
        for node in &mut self.nodes {
            node.is_used = false;
        }
        self.used.clear();
        for target in targets {
            let mut joint = Some(target.joint);
            while let Some(at) = joint.filter(|&j| !self.nodes[j].is_used) {
                self.nodes[at].is_used = true;
                self.used.push(at);
                joint = self.nodes[at].parent;
            }
        }
        self.used.sort_unstable();
        self.carried.clear();
        for nth in 0..self.used.len() {
            let joint = self.used[nth];
            let first = self.carried.len();
            for (goal, target) in targets.iter().enumerate() {
                if self.hangs(target.joint, joint) {
                    self.carried.push(goal);
                }
            }
            self.nodes[joint].carries = [first, self.carried.len()];
        }
        for &joint in &self.used {
            let local = Local::of(pose, joint);
            let node = &mut self.nodes[joint];
            let rotation = node.rest.conjugate().mul(local.rotation).normalized();
            let rotation = rotation.filter(|_| local.is_finite());
            let rotation = rotation.ok_or_else(|| not_finite(skeleton, joint, "transform"))?;
            node.came = node.rest.mul(rotation);
            node.bone = local.translation;
            node.came_at = local.translation;
            let mut slid = [0.0; 3];
            if node.slides() && node.slides.range.is_some() {
                node.bone = node.rest_bone;
                let along = dot(sub(local.translation, node.bone), node.slides.axes[0]);
                slid[0] = node.slides.within(along);
            }
            node.tip_scale = local.scale;
            let state = if node.rotates() {
                node.angles.nearest(rotation)
            } else {
                State {
                    rotation,
                    angles: [0.0; 3],
                }
            };
            node.now = JointState { state, slid };
        }
        // Only the joint of a goal may have a non-uniform scale.
        for nth in 0..self.used.len() {
            let joint = self.used[nth];
            if let Some(parent) = self.nodes[joint].parent {
                let local = Local::of(pose, parent);
                self.nodes[parent].own_scale = local.even_scale(skeleton, parent)?;
            }
        }
        for nth in 0..self.used.len() {
            let node = &self.nodes[self.used[nth]];
            let above = node.parent.map_or(1.0, |p| self.nodes[p].scale);
            let node = &mut self.nodes[self.used[nth]];
            node.parent_scale = above;
            node.scale = above * node.own_scale;
            node.now.state.rotation = node
                .now
                .state
                .rotation
                .normalized()
                .unwrap_or(QuatF64::IDENTITY);
        }
        self.size = self.longest(skeleton, targets)?;
        Ok(())
    }

    fn hangs(&self, mut joint: usize, above: usize) -> bool {
        while joint > above {
            match self.nodes[joint].parent {
                Some(parent) => joint = parent,
                None => return false,
            }
        }
        joint == above
    }

    fn longest(&self, skeleton: &Skeleton, targets: &[Target]) -> Result<f64, IkError> {
        let mut longest = 0.0_f64;
        for target in targets {
            let node = &self.nodes[target.joint];
            let point = stretched(target.point, node.tip_scale);
            let (mut way, mut most) = (length(point) * node.parent_scale.abs(), 0.0);
            let mut joint = target.joint;
            loop {
                let node = &self.nodes[joint];
                if node.slides() {
                    most = way + node.slides.travel() * node.parent_scale.abs();
                } else if node.rotates() && node.angles.count() > 0 {
                    most = way;
                }
                let Some(parent) = node.parent else {
                    break;
                };
                way += node.longest_bone();
                joint = parent;
            }
            longest = longest.max(most);
        }
        if !longest.is_finite() {
            return Err(not_finite(skeleton, targets[0].joint, "transform"));
        }
        Ok(if longest > 0.0 { longest } else { 1.0 })
    }

    /// Writes the joints that moved. Other joints keep their bits.
    pub fn write(&self, pose: &mut LocalPose, at_limits: &mut Vec<usize>) {
        at_limits.clear();
        for &joint in &self.used {
            let node = &self.nodes[joint];
            let is_turned_out = node.rotates() && node.angles.is_at_limit(&node.now.state);
            let near = 1e-6 * self.size;
            let is_slid_out = node.slides() && node.slides.is_at_limit(node.now.slid[0], near);
            if is_turned_out || is_slid_out {
                at_limits.push(joint);
            }
            if node.rotates() {
                let rotation = node.rest.mul(node.now.state.rotation);
                if rotation.angle_to(node.came) > 1e-7 {
                    let before = pose.get(joint).rotation;
                    pose.set_rotation(joint, quat::aligned(rotation.to_quat(), before));
                }
            }
            let at = node.slid_bone();
            let least = if node.slides.range.is_some() {
                1e-7 * self.size
            } else {
                0.0
            };
            if node.slides() && length(sub(at, node.came_at)) > least {
                pose.set_translation(joint, Vec3::from_array(at.map(|c| c as f32)));
            }
        }
    }
}
