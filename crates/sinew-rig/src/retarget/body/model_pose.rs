//! Joints in model space, in `f64`. Rotations are stored separately and ignore nonuniform scale.

use glam::{DAffine3, DQuat, DVec3};
use sinew::{Hierarchy, LocalPose, Skeleton, Transform};

/// `parent_from_joint`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Local {
    pub rotation: DQuat,
    pub translation: DVec3,
    pub scale: DVec3,
}

impl Local {
    /// `parent_from_joint` as a map.
    pub fn map(&self) -> DAffine3 {
        DAffine3::from_scale_rotation_translation(self.scale, self.rotation, self.translation)
    }

    pub fn new(transform: &Transform) -> Self {
        Self {
            rotation: unit(transform.rotation.as_dquat()),
            translation: transform.translation.as_dvec3(),
            scale: transform.scale.as_dvec3(),
        }
    }
}

#[derive(Clone, Debug, Default)]
pub(crate) struct ModelPoseF64 {
    pub rotations: Vec<DQuat>,
    pub maps: Vec<DAffine3>,
}

impl ModelPoseF64 {
    pub fn of_locals(skeleton: &Skeleton, locals: &[Local]) -> Self {
        let mut model = Self::default();
        model.set(skeleton.hierarchy(), locals);
        model
    }

    /// Computes every joint. Allocates nothing if the number of joints stays the same.
    pub fn set(&mut self, tree: &Hierarchy, locals: &[Local]) {
        self.set_some(tree, 0..locals.len(), locals);
    }

    /// Computes some joints, parents first, each with its ancestors. The others keep old values.
    pub fn set_some(
        &mut self,
        tree: &Hierarchy,
        joints: impl IntoIterator<Item = usize>,
        locals: &[Local],
    ) {
        self.rotations.resize(locals.len(), DQuat::IDENTITY);
        self.maps.resize(locals.len(), DAffine3::IDENTITY);
        for joint in joints {
            let local = &locals[joint];
            let map = local.map();
            (self.rotations[joint], self.maps[joint]) = match tree.parent(joint) {
                Some(parent) => (
                    self.rotations[parent] * local.rotation,
                    self.maps[parent] * map,
                ),
                None => (local.rotation, map),
            };
        }
    }

    pub fn of_pose(skeleton: &Skeleton, pose: &LocalPose) -> Self {
        Self::of_locals(skeleton, &locals(pose))
    }

    /// Rotates the whole body about the origin of the model.
    pub fn rotated(&self, rotation: DQuat) -> Self {
        Self {
            rotations: self.rotations.iter().map(|t| rotation * *t).collect(),
            maps: self
                .maps
                .iter()
                .map(|m| DAffine3::from_quat(rotation) * *m)
                .collect(),
        }
    }

    pub fn position(&self, joint: usize) -> DVec3 {
        self.maps[joint].translation
    }
}

pub(crate) fn locals(pose: &LocalPose) -> Vec<Local> {
    pose.iter()
        .map(|transform| Local::new(&transform))
        .collect()
}

fn unit(q: DQuat) -> DQuat {
    let unit = q * q.length().recip();
    if unit.is_finite() {
        unit
    } else {
        DQuat::IDENTITY
    }
}
