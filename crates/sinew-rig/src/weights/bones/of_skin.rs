//! Bones of a skin, from its inverse bind matrices and from the axes and names of its joints.

use super::joints::Bones;
use super::unweighted::Unweighted;
use sinew::skin::SkinError;
use sinew::{Skeleton, Skin};

impl Bones {
    /// Joints of a skin at the bind pose, with hints from their axes and names.
    ///
    /// # Errors
    /// [`SkinError`] for a skin of another skeleton, or without one inverse bind per joint.
    pub fn of_skin(skeleton: &Skeleton, skin: &Skin) -> Result<Self, SkinError> {
        Ok(Self::of_skin_told(skeleton, skin)?.0)
    }

    pub(crate) fn of_skin_told(
        skeleton: &Skeleton,
        skin: &Skin,
    ) -> Result<(Self, Vec<Option<Unweighted>>), SkinError> {
        let (found, expected) = (skin.joint_from_model.len(), skin.joints.len());
        if found != expected {
            return Err(SkinError::InverseBinds { found, expected });
        }
        let joints = skeleton.len();
        if let Some(&joint) = skin.joints.iter().find(|&&joint| joint >= joints) {
            return Err(SkinError::SkinJoint { joint, joints });
        }
        let mut index_of_joint = vec![None; skeleton.len()];
        for (index, &joint) in skin.joints.iter().enumerate() {
            if index_of_joint[joint].is_none() {
                index_of_joint[joint] = Some(index);
            }
        }
        let parent_of = |&joint: &usize| {
            let mut above = skeleton.parent(joint);
            while let Some(joint) = above {
                if index_of_joint[joint].is_some() {
                    return index_of_joint[joint];
                }
                above = skeleton.parent(joint);
            }
            None
        };
        let parents = skin.joints.iter().map(parent_of).collect();
        let heads = (0..skin.joints.len()).map(|index| skin.bind_position(index));
        let mut bones = Self::new(parents, heads.collect());
        let frames: Vec<_> = skin.joint_from_model.iter().map(|m| m.inverse()).collect();
        let names: Vec<_> = skin.joints.iter().map(|&j| skeleton.name(j)).collect();
        let why = bones.take_hints(&frames, &names);
        Ok((bones, why))
    }
}
