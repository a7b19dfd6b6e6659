use super::forward;
use super::local::LocalPose;
use super::mismatch::PoseMismatch;
use sinew_math::hierarchy::Hierarchy;
use sinew_math::simd::Level;
use sinew_math::transform::Affine;
use std::ops::Index;

/// Map `model_from_joint` of every joint, as a 3×4 matrix.
#[derive(Clone, Debug)]
#[doc(alias = "component space")]
#[doc(alias = "global pose")]
#[doc(alias = "bone matrices")]
pub struct ModelPose {
    model_from_joint: Vec<Affine>,
    locals: Vec<[f32; 4]>,
}

impl PartialEq for ModelPose {
    fn eq(&self, other: &Self) -> bool {
        self.model_from_joint == other.model_from_joint
    }
}

impl ModelPose {
    /// Pose of identity maps.
    pub fn identity(len: usize) -> Self {
        Self {
            model_from_joint: vec![Affine::IDENTITY; len],
            locals: vec![[0.0; 4]; forward::rows_for(len)],
        }
    }

    /// Computes forward kinematics of `pose`. `model_from_root` is the transform of the root frame
    /// of the skeleton, usually the identity. Allocates only if the number of joints changes.
    ///
    /// # Errors
    /// If the pose has the wrong number of joints. `self` is then unchanged.
    pub fn update(
        &mut self,
        hierarchy: &Hierarchy,
        pose: &LocalPose,
        model_from_root: &Affine,
    ) -> Result<(), PoseMismatch> {
        self.update_at(Level::best(), hierarchy, pose, model_from_root)
    }

    /// [`ModelPose::update`] with a given instruction set. All instruction sets give the same bits.
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

    /// Computes forward kinematics only of `joint` and its descendants, after a change in `pose`.
    /// Gives the same bits as [`ModelPose::update`]. A joint out of range has no effect.
    ///
    /// # Errors
    /// If a pose has the wrong number of joints. `self` is then unchanged.
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

    /// Computes forward kinematics from affine `parent_from_joint` maps. Keeps shear.
    ///
    /// # Errors
    /// If there is not one map per joint. `self` is then unchanged.
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

    /// Number of joints.
    pub fn len(&self) -> usize {
        self.model_from_joint.len()
    }

    /// True if there are no joints.
    pub fn is_empty(&self) -> bool {
        self.model_from_joint.is_empty()
    }

    /// Map `model_from_joint` of a joint.
    pub fn get(&self, joint: usize) -> &Affine {
        &self.model_from_joint[joint]
    }

    /// First joint whose map is infinite or NaN, for example due to huge keys.
    pub fn first_not_finite(&self) -> Option<usize> {
        self.model_from_joint.iter().position(|m| !m.is_finite())
    }

    /// Maps in joint order.
    pub fn as_slice(&self) -> &[Affine] {
        &self.model_from_joint
    }

    /// Maps in joint order, one by one.
    pub fn iter(&self) -> std::slice::Iter<'_, Affine> {
        self.model_from_joint.iter()
    }

    /// Maps in joint order, writable.
    pub fn as_mut_slice(&mut self) -> &mut [Affine] {
        &mut self.model_from_joint
    }

    /// Map from the frame of `from` to that of `to`. `None` if out of range or without an inverse.
    pub fn frame(&self, to: usize, from: usize) -> Option<Affine> {
        let model_from_start = self.model_from_joint.get(from)?;
        if to == from {
            return Some(Affine::IDENTITY);
        }
        let end_from_model = self.model_from_joint.get(to)?.inverse()?;
        Some(end_from_model * *model_from_start)
    }
}

impl Index<usize> for ModelPose {
    type Output = Affine;

    fn index(&self, joint: usize) -> &Affine {
        &self.model_from_joint[joint]
    }
}
