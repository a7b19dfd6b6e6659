//! Joints in model space, in `f64`. Rotations are stored separately and ignore nonuniform scale.

use glam::{DAffine3, DQuat, DVec3};
use sinew::{LocalPose, Skeleton, Transform};

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

#[derive(Clone, Debug)]
pub(crate) struct ModelPoseF64 {
    pub rotations: Vec<DQuat>,
    pub maps: Vec<DAffine3>,
}

impl ModelPoseF64 {
    pub fn of_locals(skeleton: &Skeleton, locals: &[Local]) -> Self {
        let mut model = Self {
            rotations: Vec::with_capacity(locals.len()),
            maps: Vec::with_capacity(locals.len()),
        };
        for (joint, local) in locals.iter().enumerate() {
            let map = local.map();
            let (rotation, map) = match skeleton.parent(joint) {
                Some(parent) => (
                    model.rotations[parent] * local.rotation,
                    model.maps[parent] * map,
                ),
                None => (local.rotation, map),
            };
            model.rotations.push(rotation);
            model.maps.push(map);
        }
        model
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
