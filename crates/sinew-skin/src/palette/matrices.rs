//! One map per joint, from the bind pose to the current one: what skinning reads.
//!
//! `K_j` = T⁽ᵗ⁾[M←j] T[j←M], in other notation `M_i` = M_{i,a} M_{i,d}⁻¹. In the bind pose each is the identity.

use crate::error::SkinError;
use glam::Vec3;
use sinew_math::affine_lanes;
use sinew_math::simd::Level;
use sinew_math::transform::Affine;

/// Which joints move a mesh, and where they stood when it was bound to them.
#[derive(Clone, Debug, PartialEq, Default)]
#[doc(alias = "skinned mesh")]
#[doc(alias = "bind pose")]
pub struct Skin {
    /// Its name.
    pub name: String,
    /// Joints of the skeleton, in the order in which influences name them.
    pub joints: Vec<usize>,
    /// The inverse bind: model space at the bind pose to each joint's frame. As long as `joints`.
    pub joint_from_model: Vec<Affine>,
}

impl Skin {
    /// A skin of all joints of a skeleton, bound where they stand: `model_from_joint` of each. A joint scaled
    /// to nothing gets the identity.
    pub fn bound_at(model_from_joint: &[Affine]) -> Self {
        let inverse = |m: &Affine| m.inverse().unwrap_or(Affine::IDENTITY);
        Self {
            name: String::new(),
            joints: (0..model_from_joint.len()).collect(),
            joint_from_model: model_from_joint.iter().map(inverse).collect(),
        }
    }

    /// The position of a joint at the bind pose; the origin when its inverse bind has no inverse, or there is none.
    pub fn bind_position(&self, index: usize) -> Vec3 {
        let joint_from_model = self.joint_from_model.get(index);
        let model_from_joint = joint_from_model.and_then(Affine::inverse);
        model_from_joint.map_or(Vec3::ZERO, |m| m.translation())
    }

    /// Refuses a skin that has not an inverse bind for each joint, or names one that a pose of so many joints does
    /// not have.
    pub(crate) fn check(&self, joints: usize) -> Result<(), SkinError> {
        if self.joints.len() != self.joint_from_model.len() {
            return Err(SkinError::InverseBinds {
                found: self.joint_from_model.len(),
                wanted: self.joints.len(),
            });
        }
        match self.joints.iter().max() {
            Some(&joint) if joint >= joints => Err(SkinError::SkinJoint { joint, joints }),
            _ => Ok(()),
        }
    }
}

/// `model_from_bind` of every joint of a skin.
#[derive(Clone, Debug, PartialEq, Default)]
#[doc(alias = "skinning matrix")]
#[doc(alias = "bone matrices")]
pub struct Palette {
    model_from_bind: Vec<Affine>,
}

impl Palette {
    /// Fills the palette for a pose, given as `model_from_joint` of every joint of the skeleton;
    /// allocates only when the number of joints changes.
    ///
    /// # Errors
    /// When the skin names a joint that the pose does not have, or has not an inverse bind for each; nothing is
    /// changed then.
    pub fn update(&mut self, skin: &Skin, model_from_joint: &[Affine]) -> Result<(), SkinError> {
        self.update_at(Level::best(), skin, model_from_joint)
    }

    /// The same with an instruction set, all of which give the same bits.
    ///
    /// # Errors
    /// As [`Palette::update`].
    pub fn update_at(
        &mut self,
        level: Level,
        skin: &Skin,
        model_from_joint: &[Affine],
    ) -> Result<(), SkinError> {
        skin.check(model_from_joint.len())?;
        let count = skin.joints.len();
        self.model_from_bind.resize(count, Affine::IDENTITY);
        let (maps, out) = (model_from_joint, self.model_from_bind.as_mut_slice());
        let (joints, inverse_binds) = (&*skin.joints, &*skin.joint_from_model);
        sinew_math::dispatch!(level, simd => {
            affine_lanes::products(simd, maps, joints, inverse_binds, out);
        });
        Ok(())
    }

    /// The maps, in the skin's order.
    pub fn as_slice(&self) -> &[Affine] {
        &self.model_from_bind
    }
}
