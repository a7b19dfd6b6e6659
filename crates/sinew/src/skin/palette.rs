//! One map a joint, from the bind pose to the current one: what skinning reads.
//!
//! The documents call them K_j = T⁽ᵗ⁾[M←j] T[j←M] or M_i = M_{i,a} M_{i,d}⁻¹. In the bind pose each
//! is the identity.

use crate::pose::{ModelPose, forward};
use crate::simd::Level;
use crate::skeleton::{JointMap, Skeleton};
use crate::transform::Affine;
use glam::Vec3;

/// Which joints move a mesh, and where they stood when it was bound to them.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Skin {
    /// Its name.
    pub name: String,
    /// Joints of the skeleton, in the order in which influences name them.
    pub joints: Vec<usize>,
    /// The inverse bind: model space at the bind pose to each joint's frame. As long as `joints`.
    pub joint_from_model: Vec<Affine>,
}

impl Skin {
    /// A skin of all joints of a skeleton, bound at its rest pose. A joint scaled to nothing at rest
    /// gets the identity.
    pub fn at_rest(skeleton: &Skeleton) -> Self {
        let rest = skeleton.rest_model();
        let inverse = |m: &Affine| m.inverse().unwrap_or(Affine::IDENTITY);
        Self {
            name: String::new(),
            joints: (0..skeleton.len()).collect(),
            joint_from_model: rest.as_slice().iter().map(inverse).collect(),
        }
    }

    /// The same skin on an edited skeleton; influences stay as they are. What a merged joint carried,
    /// the joint that it was merged into carries, as if the two had been welded at rest. Joints that
    /// the map does not know stay as they are.
    pub fn remapped(&self, map: &JointMap) -> Self {
        let mut skin = self.clone();
        for (joint, joint_from_model) in skin.joints.iter_mut().zip(&mut skin.joint_from_model) {
            let Some((carrier, carrier_from_joint)) = map.carrier(*joint) else {
                continue;
            };
            if map.get(*joint).is_none() {
                *joint_from_model = carrier_from_joint.to_affine() * *joint_from_model;
            }
            *joint = carrier;
        }
        skin
    }

    /// Where a joint stood at the bind pose; the origin when its inverse bind has no inverse.
    pub fn bind_position(&self, place: usize) -> Vec3 {
        let model_from_joint = self.joint_from_model[place].inverse();
        model_from_joint.map_or(Vec3::ZERO, |m| m.translation())
    }
}

/// `model_from_bind` of every joint of a skin.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Palette {
    model_from_bind: Vec<Affine>,
}

impl Palette {
    /// Fills the palette for a pose; allocates only when the number of joints changes.
    ///
    /// # Panics
    /// When the skin names a joint that the pose does not have.
    pub fn update(&mut self, skin: &Skin, pose: &ModelPose) {
        let count = skin.joints.len().min(skin.joint_from_model.len());
        self.model_from_bind.resize(count, Affine::IDENTITY);
        let (maps, out) = (pose.as_slice(), self.model_from_bind.as_mut_slice());
        let (joints, inverse_binds) = (&*skin.joints, &*skin.joint_from_model);
        fearless_simd::dispatch!(Level::best().0, simd => {
            forward::products(simd, maps, joints, inverse_binds, out)
        });
    }

    /// The maps, in the skin's order.
    pub fn as_slice(&self) -> &[Affine] {
        &self.model_from_bind
    }
}
