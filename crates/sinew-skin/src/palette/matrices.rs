//! Palette of matrices: one map per joint, from the bind pose to the current pose.
//!
//! `K_j` = T⁽ᵗ⁾[M←j] T[j←M], or `M_i` = M_{i,a} M_{i,d}⁻¹. It is the identity at the bind pose.

use crate::error::SkinError;
use glam::Vec3;
use sinew_math::affine_lanes;
use sinew_math::simd::Level;
use sinew_math::transform::Affine;

/// The joints that move a mesh, and their inverse binds.
#[derive(Clone, Debug, PartialEq, Default)]
#[doc(alias = "skinned mesh")]
#[doc(alias = "bind pose")]
pub struct Skin {
    /// The name of the skin in its file.
    pub name: String,
    /// Joint indices of the skeleton. Influences refer to indices of this list.
    pub joints: Vec<usize>,
    /// Inverse bind of each joint, from model space at the bind pose to the frame of the joint.
    pub joint_from_model: Vec<Affine>,
}

impl Skin {
    /// Skin of all joints, bound at `model_from_joint`. A joint with scale zero gets the identity.
    pub fn bound_at(model_from_joint: &[Affine]) -> Self {
        let inverse = |m: &Affine| m.inverse().unwrap_or(Affine::IDENTITY);
        Self {
            name: String::new(),
            joints: (0..model_from_joint.len()).collect(),
            joint_from_model: model_from_joint.iter().map(inverse).collect(),
        }
    }

    /// Bind position in model space. The origin if the inverse bind is missing, singular, or so close to singular that
    /// a coordinate is beyond 1e15.
    pub fn bind_position(&self, index: usize) -> Vec3 {
        let joint_from_model = self.joint_from_model.get(index);
        let model_from_joint = joint_from_model.and_then(Affine::inverse);
        let position = model_from_joint.map(|m| m.translation());
        let is_near = |position: &Vec3| position.to_array().iter().all(|x| x.abs() <= 1e15);
        position.filter(is_near).unwrap_or(Vec3::ZERO)
    }

    pub(crate) fn check(&self, joints: usize) -> Result<(), SkinError> {
        if self.joints.len() != self.joint_from_model.len() {
            return Err(SkinError::InverseBinds {
                found: self.joint_from_model.len(),
                expected: self.joints.len(),
            });
        }
        match self.joints.iter().max() {
            Some(&joint) if joint >= joints => Err(SkinError::SkinJoint { joint, joints }),
            _ => Ok(()),
        }
    }
}

/// The map `model_from_bind` of every joint of a skin.
#[derive(Clone, Debug, PartialEq, Default)]
#[doc(alias = "skinning matrix")]
#[doc(alias = "bone matrices")]
pub struct Palette {
    model_from_bind: Vec<Affine>,
}

impl Palette {
    /// Fills the palette for a pose: `model_from_joint` of every joint of the skeleton. Allocates
    /// only if the number of joints changes.
    ///
    /// # Errors
    /// If the skin refers to a joint outside the pose, or lacks an inverse bind. Nothing changes.
    pub fn update(&mut self, skin: &Skin, model_from_joint: &[Affine]) -> Result<(), SkinError> {
        self.update_at(Level::best(), skin, model_from_joint)
    }

    /// Like [`Palette::update`], with a given instruction set. All sets give the same bits.
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

    /// The maps, in the order of the skin's joints.
    pub fn as_slice(&self) -> &[Affine] {
        &self.model_from_bind
    }
}
