use bytemuck::{Pod, Zeroable};
use glam::{Quat, Vec3};
use sinew_math::transform::Transform;

/// Number of joints in a [`PoseBlock`].
pub const BLOCK: usize = 16;

/// Transforms of sixteen joints, one array per component.
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct PoseBlock {
    /// x, y and z of the translations.
    pub translation: [[f32; BLOCK]; 3],
    /// x, y, z and w of the rotations.
    pub rotation: [[f32; BLOCK]; 4],
    /// x, y and z of the scales.
    pub scale: [[f32; BLOCK]; 3],
}

impl PoseBlock {
    const IDENTITY: Self = Self {
        translation: [[0.0; BLOCK]; 3],
        rotation: [[0.0; BLOCK], [0.0; BLOCK], [0.0; BLOCK], [1.0; BLOCK]],
        scale: [[1.0; BLOCK]; 3],
    };
}

/// Transform `parent_from_joint` of every joint, as translation · rotation · scale.
#[derive(Clone, Debug, PartialEq)]
#[doc(alias = "bone transforms")]
#[doc(alias = "pose")]
pub struct LocalPose {
    blocks: Vec<PoseBlock>,
    len: usize,
}

impl LocalPose {
    /// Pose of identity transforms.
    pub fn identity(len: usize) -> Self {
        Self {
            blocks: vec![PoseBlock::IDENTITY; len.div_ceil(BLOCK)],
            len,
        }
    }

    /// Pose from one transform per joint.
    pub fn from_transforms(transforms: &[Transform]) -> Self {
        let mut pose = Self::identity(transforms.len());
        for (joint, transform) in transforms.iter().enumerate() {
            pose.set(joint, *transform);
        }
        pose
    }

    /// Number of joints.
    pub fn len(&self) -> usize {
        self.len
    }

    /// True if there are no joints.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Transform of a joint.
    pub fn get(&self, joint: usize) -> Transform {
        assert!(joint < self.len, "joint {joint} of {}", self.len);
        let (b, lane) = (&self.blocks[joint / BLOCK], joint % BLOCK);
        let [tx, ty, tz] = b.translation.map(|c| c[lane]);
        let [rx, ry, rz, rw] = b.rotation.map(|c| c[lane]);
        let [sx, sy, sz] = b.scale.map(|c| c[lane]);
        Transform {
            translation: Vec3::new(tx, ty, tz),
            rotation: Quat::from_xyzw(rx, ry, rz, rw),
            scale: Vec3::new(sx, sy, sz),
        }
    }

    /// Sets the transform of a joint.
    pub fn set(&mut self, joint: usize, transform: Transform) {
        self.set_translation(joint, transform.translation);
        self.set_rotation(joint, transform.rotation);
        self.set_scale(joint, transform.scale);
    }

    /// Sets the translation of a joint.
    pub fn set_translation(&mut self, joint: usize, translation: Vec3) {
        assert!(joint < self.len, "joint {joint} of {}", self.len);
        let rows = &mut self.blocks[joint / BLOCK].translation;
        for (row, value) in rows.iter_mut().zip(translation.to_array()) {
            row[joint % BLOCK] = value;
        }
    }

    /// Sets the rotation of a joint.
    pub fn set_rotation(&mut self, joint: usize, rotation: Quat) {
        assert!(joint < self.len, "joint {joint} of {}", self.len);
        let rows = &mut self.blocks[joint / BLOCK].rotation;
        for (row, value) in rows.iter_mut().zip(rotation.to_array()) {
            row[joint % BLOCK] = value;
        }
    }

    /// Sets the scale of a joint.
    pub fn set_scale(&mut self, joint: usize, scale: Vec3) {
        assert!(joint < self.len, "joint {joint} of {}", self.len);
        let rows = &mut self.blocks[joint / BLOCK].scale;
        for (row, value) in rows.iter_mut().zip(scale.to_array()) {
            row[joint % BLOCK] = value;
        }
    }

    /// Transforms in joint order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Transform> + '_ {
        (0..self.len).map(|joint| self.get(joint))
    }

    /// Blocks of the pose. Lanes past the last joint hold the identity.
    pub fn blocks(&self) -> &[PoseBlock] {
        &self.blocks
    }

    /// A caller must keep the identity in the lanes past the last joint.
    pub(crate) fn blocks_mut(&mut self) -> &mut [PoseBlock] {
        &mut self.blocks
    }

    pub(crate) fn resize(&mut self, len: usize) {
        self.len = len;
        self.blocks.resize(len.div_ceil(BLOCK), PoseBlock::IDENTITY);
    }

    /// Copies `other`. Allocates nothing if the sizes are equal.
    pub fn copy_from(&mut self, other: &Self) {
        self.len = other.len;
        self.blocks.clone_from(&other.blocks);
    }
}
