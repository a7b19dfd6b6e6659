//! A pose: every joint relative to its parent, and from that every joint relative to the model.
//!
//! Forward kinematics goes from the root outward, one product a joint. The lecture's bottom-up
//! order (rotate the hand, then the elbow, then the shoulder) gives the same matrices; see the
//! tests of this module for both.

pub(crate) mod forward;
pub(crate) mod lanes;

use crate::hierarchy::Hierarchy;
use crate::simd::Level;
use crate::skeleton::Skeleton;
use crate::transform::{Affine, Transform};
use bytemuck::{Pod, Zeroable};
use glam::{Quat, Vec3};

/// How many joints stand side by side in a [`PoseBlock`].
pub const BLOCK: usize = 16;

/// Sixteen joints, one array per component.
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct PoseBlock {
    /// x, y, z of the translations.
    pub translation: [[f32; BLOCK]; 3],
    /// x, y, z, w of the rotations.
    pub rotation: [[f32; BLOCK]; 4],
    /// x, y, z of the scales.
    pub scale: [[f32; BLOCK]; 3],
}

impl PoseBlock {
    const IDENTITY: Self = Self {
        translation: [[0.0; BLOCK]; 3],
        rotation: [[0.0; BLOCK], [0.0; BLOCK], [0.0; BLOCK], [1.0; BLOCK]],
        scale: [[1.0; BLOCK]; 3],
    };
}

/// `parent_from_joint` of every joint, as translation · rotation · scale.
#[derive(Clone, Debug, PartialEq)]
pub struct LocalPose {
    blocks: Vec<PoseBlock>,
    len: usize,
}

impl LocalPose {
    /// Every joint on its parent.
    pub fn identity(len: usize) -> Self {
        Self {
            blocks: vec![PoseBlock::IDENTITY; len.div_ceil(BLOCK)],
            len,
        }
    }

    /// From one transform a joint.
    pub fn from_transforms(transforms: &[Transform]) -> Self {
        let mut pose = Self::identity(transforms.len());
        for (joint, transform) in transforms.iter().enumerate() {
            pose.set(joint, *transform);
        }
        pose
    }

    /// How many joints the pose has.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// One joint's transform.
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

    /// Sets one joint's transform.
    pub fn set(&mut self, joint: usize, transform: Transform) {
        self.set_translation(joint, transform.translation);
        self.set_rotation(joint, transform.rotation);
        self.set_scale(joint, transform.scale);
    }

    /// Sets one joint's translation.
    pub fn set_translation(&mut self, joint: usize, translation: Vec3) {
        assert!(joint < self.len, "joint {joint} of {}", self.len);
        let rows = &mut self.blocks[joint / BLOCK].translation;
        for (row, value) in rows.iter_mut().zip(translation.to_array()) {
            row[joint % BLOCK] = value;
        }
    }

    /// Sets one joint's rotation.
    pub fn set_rotation(&mut self, joint: usize, rotation: Quat) {
        assert!(joint < self.len, "joint {joint} of {}", self.len);
        let rows = &mut self.blocks[joint / BLOCK].rotation;
        for (row, value) in rows.iter_mut().zip(rotation.to_array()) {
            row[joint % BLOCK] = value;
        }
    }

    /// Sets one joint's scale.
    pub fn set_scale(&mut self, joint: usize, scale: Vec3) {
        assert!(joint < self.len, "joint {joint} of {}", self.len);
        let rows = &mut self.blocks[joint / BLOCK].scale;
        for (row, value) in rows.iter_mut().zip(scale.to_array()) {
            row[joint % BLOCK] = value;
        }
    }

    /// The transforms in joint order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Transform> + '_ {
        (0..self.len).map(|joint| self.get(joint))
    }

    /// The storage itself; lanes past the last joint hold the identity.
    pub fn blocks(&self) -> &[PoseBlock] {
        &self.blocks
    }

    /// The storage, for jobs that write whole blocks; lanes past the last joint must hold the identity after.
    pub(crate) fn blocks_mut(&mut self) -> &mut [PoseBlock] {
        &mut self.blocks
    }

    /// Makes room for so many joints; new ones stand on their parents.
    pub(crate) fn resize(&mut self, len: usize) {
        self.len = len;
        self.blocks.resize(len.div_ceil(BLOCK), PoseBlock::IDENTITY);
    }

    /// The same pose as `other`, without allocating when the sizes agree.
    pub fn copy_from(&mut self, other: &Self) {
        self.len = other.len;
        self.blocks.clone_from(&other.blocks);
    }
}

/// `model_from_joint` of every joint, as 3×4 rows: the documents' current-pose transformation.
#[derive(Clone, Debug)]
pub struct ModelPose {
    model_from_joint: Vec<Affine>,
    /// Working memory of [`ModelPose::update`].
    locals: Vec<[f32; 4]>,
}

impl PartialEq for ModelPose {
    fn eq(&self, other: &Self) -> bool {
        self.model_from_joint == other.model_from_joint
    }
}

impl ModelPose {
    /// Every joint at the model's origin.
    pub fn identity(len: usize) -> Self {
        Self {
            model_from_joint: vec![Affine::IDENTITY; len],
            locals: vec![[0.0; 4]; forward::rows_for(len)],
        }
    }

    /// Forward kinematics of `pose`, which must have the skeleton's joints; `model_from_root` is
    /// where the skeleton's root frame stands in the model, usually the identity.
    ///
    /// Allocates only when the number of joints changes.
    pub fn update(&mut self, skeleton: &Skeleton, pose: &LocalPose, model_from_root: &Affine) {
        self.update_at(Level::best(), skeleton, pose, model_from_root);
    }

    /// [`ModelPose::update`] on an instruction set of one's choice; all give the same bits.
    pub fn update_at(
        &mut self,
        level: Level,
        skeleton: &Skeleton,
        pose: &LocalPose,
        model_from_root: &Affine,
    ) {
        assert_eq!(pose.len(), skeleton.len(), "pose and skeleton differ");
        let blocks = pose.blocks();
        self.model_from_joint.resize(pose.len(), Affine::IDENTITY);
        self.locals.resize(forward::rows_for(pose.len()), [0.0; 4]);
        let locals = self.locals.as_mut_slice();
        let hierarchy = skeleton.hierarchy();
        let out = self.model_from_joint.as_mut_slice();
        fearless_simd::dispatch!(level.0, simd => {
            forward::forward(simd, hierarchy, blocks, model_from_root, locals, out)
        });
    }

    /// Forward kinematics of `joint` and all below it, after these have changed in `pose`; the others
    /// keep what they have. The bits are those of [`ModelPose::update`].
    pub fn update_below(
        &mut self,
        joint: usize,
        skeleton: &Skeleton,
        pose: &LocalPose,
        model_from_root: &Affine,
    ) {
        assert_eq!(pose.len(), skeleton.len(), "pose and skeleton differ");
        assert_eq!(self.len(), skeleton.len(), "never updated as a whole");
        let hierarchy = skeleton.hierarchy();
        for joint in hierarchy.subtree(joint) {
            let parent = hierarchy.parent(joint);
            let model_from_parent = parent.map_or(*model_from_root, |p| self.model_from_joint[p]);
            self.model_from_joint[joint] = model_from_parent * pose.get(joint).to_affine();
        }
    }

    /// Forward kinematics of arbitrary affine `parent_from_joint` maps, so that shear survives.
    pub fn update_from_affines(&mut self, hierarchy: &Hierarchy, parent_from_joint: &[Affine]) {
        assert_eq!(parent_from_joint.len(), hierarchy.len(), "locals and tree");
        self.accumulate(hierarchy, &Affine::IDENTITY, |joint| {
            parent_from_joint[joint]
        });
    }

    fn accumulate(
        &mut self,
        hierarchy: &Hierarchy,
        model_from_root: &Affine,
        parent_from_joint: impl Fn(usize) -> Affine,
    ) {
        self.model_from_joint
            .resize(hierarchy.len(), Affine::IDENTITY);
        for (joint, parent) in hierarchy.parents().enumerate() {
            let model_from_parent = match parent {
                Some(parent) => self.model_from_joint[parent],
                None => *model_from_root,
            };
            self.model_from_joint[joint] = model_from_parent * parent_from_joint(joint);
        }
    }

    /// How many joints there are.
    pub fn len(&self) -> usize {
        self.model_from_joint.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.model_from_joint.is_empty()
    }

    /// `model_from_joint` of one joint.
    pub fn get(&self, joint: usize) -> &Affine {
        &self.model_from_joint[joint]
    }

    /// The first joint whose map is infinite or not a number, as keys too large to multiply make it.
    pub fn first_not_finite(&self) -> Option<usize> {
        self.model_from_joint.iter().position(|m| !m.is_finite())
    }

    /// All of them, in joint order.
    pub fn as_slice(&self) -> &[Affine] {
        &self.model_from_joint
    }

    /// All of them, to be written by hand.
    pub fn as_mut_slice(&mut self) -> &mut [Affine] {
        &mut self.model_from_joint
    }

    /// `to_from_from`: the change of coordinates from one joint's frame to another's, up the tree
    /// and down again; `None` when `to` is scaled to nothing.
    pub fn frame(&self, to: usize, from: usize) -> Option<Affine> {
        if to == from {
            return Some(Affine::IDENTITY);
        }
        let joint_from_model = self.model_from_joint[to].inverse()?;
        Some(joint_from_model * self.model_from_joint[from])
    }
}
