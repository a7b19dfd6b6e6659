//! Every joint relative to the model: forward kinematics, and the change of frame between any two joints.

use super::forward;
use super::local::LocalPose;
use super::mismatch::PoseMismatch;
use sinew_math::hierarchy::Hierarchy;
use sinew_math::simd::Level;
use sinew_math::transform::Affine;
use std::ops::Deref;

/// `model_from_joint` of every joint, as 3×4 rows: the current pose.
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

    /// Forward kinematics of `pose`, which must have as many joints as the tree; `model_from_root` is
    /// where the skeleton's root frame stands in the model, usually the identity.
    ///
    /// Allocates only when the number of joints changes.
    ///
    /// # Errors
    /// When the pose has not the tree's joints; nothing is changed then.
    pub fn update(
        &mut self,
        hierarchy: &Hierarchy,
        pose: &LocalPose,
        model_from_root: &Affine,
    ) -> Result<(), PoseMismatch> {
        self.update_at(Level::best(), hierarchy, pose, model_from_root)
    }

    /// [`ModelPose::update`] on an instruction set of one's choice; all give the same bits.
    pub fn update_at(
        &mut self,
        level: Level,
        hierarchy: &Hierarchy,
        pose: &LocalPose,
        model_from_root: &Affine,
    ) -> Result<(), PoseMismatch> {
        PoseMismatch::check(pose.len(), hierarchy.len())?;
        let blocks = pose.blocks();
        self.model_from_joint.resize(pose.len(), Affine::IDENTITY);
        self.locals.resize(forward::rows_for(pose.len()), [0.0; 4]);
        let locals = self.locals.as_mut_slice();
        let out = self.model_from_joint.as_mut_slice();
        sinew_math::dispatch!(level, simd => {
            forward::forward(simd, hierarchy, blocks, model_from_root, locals, out);
        });
        Ok(())
    }

    /// Forward kinematics of `joint` and all below it, after these have changed in `pose`; the others
    /// keep what they have. The bits are those of [`ModelPose::update`]. A joint that is not there has none below.
    ///
    /// # Errors
    /// When one of the poses has not the tree's joints; nothing is changed then.
    pub fn update_below(
        &mut self,
        joint: usize,
        hierarchy: &Hierarchy,
        pose: &LocalPose,
        model_from_root: &Affine,
    ) -> Result<(), PoseMismatch> {
        PoseMismatch::check(pose.len(), hierarchy.len())?;
        PoseMismatch::check(self.len(), hierarchy.len())?;
        if joint >= hierarchy.len() {
            return Ok(());
        }
        for joint in hierarchy.subtree(joint) {
            let parent = hierarchy.parent(joint);
            let model_from_parent = parent.map_or(*model_from_root, |p| self.model_from_joint[p]);
            self.model_from_joint[joint] = model_from_parent * pose.get(joint).to_affine();
        }
        Ok(())
    }

    /// Forward kinematics of arbitrary affine `parent_from_joint` maps, so that shear survives.
    ///
    /// # Errors
    /// When there are not as many as the tree has joints; nothing is changed then.
    pub fn update_from_affines(
        &mut self,
        hierarchy: &Hierarchy,
        parent_from_joint: &[Affine],
    ) -> Result<(), PoseMismatch> {
        PoseMismatch::check(parent_from_joint.len(), hierarchy.len())?;
        self.accumulate(hierarchy, &Affine::IDENTITY, |joint| {
            parent_from_joint[joint]
        });
        Ok(())
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

    /// The change of coordinates from one joint's frame to another's, up the tree and down again; `None` when
    /// `to` is scaled to nothing, or one of the joints is not there.
    pub fn frame(&self, to: usize, from: usize) -> Option<Affine> {
        let model_from_start = self.model_from_joint.get(from)?;
        if to == from {
            return Some(Affine::IDENTITY);
        }
        let end_from_model = self.model_from_joint.get(to)?.inverse()?;
        Some(end_from_model * *model_from_start)
    }
}

impl Deref for ModelPose {
    type Target = [Affine];

    fn deref(&self) -> &[Affine] {
        &self.model_from_joint
    }
}
