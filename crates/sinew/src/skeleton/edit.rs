//! Edits that return a new skeleton, and a map of joint indices if indices may change.

use super::joint_map::MovedJoint;
use super::limits::Freedom;
use super::{Joint, JointMap, Skeleton, SkeletonError};
use sinew_math::transform::Transform;
use thiserror::Error;

/// Error of an edit.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum EditError {
    /// Joint index out of range.
    #[error("there is no joint {joint}: the skeleton has {len} joints")]
    NoSuchJoint {
        /// Index that was requested.
        joint: usize,
        /// Number of joints.
        len: usize,
    },
    /// Edit that would merge the root or give it a parent.
    #[error("joint \"{name}\" is the root, which cannot be moved or removed")]
    Root {
        /// Name of the root.
        name: String,
    },
    /// Scale between a joint and its new parent that is zero or not uniform, which may need shear.
    #[error("joint \"{name}\" cannot change its parent: its old parent's scale is uneven or zero")]
    UnevenScale {
        /// Name of the joint.
        name: String,
    },
    /// Result that is not a valid skeleton.
    #[error(transparent)]
    Skeleton(#[from] SkeletonError),
}

impl Skeleton {
    /// Merges joints into their parents. Children move to the nearest remaining ancestor and keep
    /// their rest position in model space. A branch is removed if all its joints are merged.
    ///
    /// ```
    /// use glam::Vec3;
    /// use sinew::{Joint, Skeleton, Transform};
    /// let up = Transform::from_translation(Vec3::Y);
    /// let spine = |name, parent| Joint::new(name, parent, up);
    /// let (long, _) = Skeleton::new(vec![
    ///     spine("hips", None), spine("spine", Some(0)), spine("spine2", Some(1)), spine("head", Some(2)),
    /// ])?;
    /// let (short, map) = long.merge_into_parents(&[2])?;
    /// assert_eq!(short.len(), 3);
    /// assert_eq!(short.rest().get(2).translation, Vec3::new(0.0, 2.0, 0.0));
    /// assert_eq!((map.get(2), map.carrier(2).unwrap().0), (None, 1));
    /// # Ok::<(), sinew::skeleton::EditError>(())
    /// ```
    pub fn merge_into_parents(&self, joints: &[usize]) -> Result<(Self, JointMap), EditError> {
        let mut goes = vec![false; self.len()];
        for &joint in joints {
            self.check_joint(joint)?;
            self.check_not_root(joint)?;
            goes[joint] = true;
        }
        let mut kept: Vec<Joint> = Vec::new();
        let mut moved: Vec<MovedJoint> = Vec::with_capacity(self.len());
        for (old, joint) in self.joints().into_iter().enumerate() {
            let (parent, frame) = match joint.parent {
                Some(p) => (Some(moved[p].carrier), moved[p].carrier_from_joint),
                None => (None, None),
            };
            let parent_from_old_parent = frame.unwrap_or_default();
            let rest = match frame {
                Some(frame) => self.composed(old, &frame)?,
                None => joint.rest,
            };
            let freedom = joint.freedom.in_frame(&parent_from_old_parent);
            moved.push(match parent {
                Some(carrier) if goes[old] => MovedJoint {
                    carrier,
                    carrier_from_joint: Some(rest),
                    parent_from_old_parent,
                },
                _ => MovedJoint {
                    parent_from_old_parent,
                    ..MovedJoint::kept(kept.len())
                },
            });
            if !goes[old] {
                kept.push(Joint {
                    parent,
                    rest,
                    freedom,
                    ..joint
                });
            }
        }
        let new_len = kept.len();
        // Ancestors still precede descendants, so the order is the same.
        let (skeleton, _) = Self::new(kept)?;
        let map = JointMap {
            joints: moved,
            new_len,
        };
        Ok((skeleton, map))
    }

    /// Moves a joint and its descendants to another parent, which must not be a descendant. All
    /// joints keep their rest position in model space.
    pub fn reparented(
        &self,
        joint: usize,
        new_parent: usize,
    ) -> Result<(Self, JointMap), EditError> {
        self.check_joint(joint)?;
        self.check_joint(new_parent)?;
        self.check_not_root(joint)?;
        let mut joints = self.joints();
        let old_parent = joints[joint].parent.unwrap_or(0);
        let frame = self.rest_model().frame(new_parent, old_parent);
        let (parent_from_old_parent, shear) =
            Transform::from_affine(&frame.ok_or_else(|| self.uneven(joint))?);
        if shear > 1e-5 {
            return Err(self.uneven(joint));
        }
        joints[joint].rest = self.composed(joint, &parent_from_old_parent)?;
        joints[joint].parent = Some(new_parent);
        joints[joint].freedom = joints[joint].freedom.in_frame(&parent_from_old_parent);
        let (skeleton, mut map) = Self::new(joints)?;
        map.joints[joint].parent_from_old_parent = parent_from_old_parent;
        Ok((skeleton, map))
    }

    /// Adds a joint with a parent of this skeleton. Other joints keep their indices.
    pub fn with_joint(&self, joint: Joint) -> Result<(Self, JointMap), EditError> {
        let mut joints = self.joints();
        joints.push(joint);
        let (skeleton, mut map) = Self::new(joints)?;
        map.joints.pop();
        Ok((skeleton, map))
    }

    /// Renames a joint.
    pub fn renamed(&self, joint: usize, name: impl Into<String>) -> Result<Self, EditError> {
        self.check_joint(joint)?;
        let mut skeleton = self.clone();
        skeleton.names[joint] = name.into();
        Ok(skeleton)
    }

    /// Changes the degrees of freedom of a joint.
    pub fn with_freedom(&self, joint: usize, freedom: Freedom) -> Result<Self, EditError> {
        self.check_joint(joint)?;
        freedom.check().map_err(|source| SkeletonError::BadLimits {
            name: self.name(joint).to_owned(),
            source,
        })?;
        let mut skeleton = self.clone();
        skeleton.freedoms[joint] = freedom;
        Ok(skeleton)
    }

    fn composed(&self, joint: usize, frame: &Transform) -> Result<Transform, EditError> {
        let rest = frame.compose(&self.rest().get(joint));
        rest.ok_or_else(|| self.uneven(joint))
    }

    fn uneven(&self, joint: usize) -> EditError {
        EditError::UnevenScale {
            name: self.name(joint).to_owned(),
        }
    }

    fn check_joint(&self, joint: usize) -> Result<(), EditError> {
        let len = self.len();
        if joint < len {
            Ok(())
        } else {
            Err(EditError::NoSuchJoint { joint, len })
        }
    }

    fn check_not_root(&self, joint: usize) -> Result<(), EditError> {
        if self.is_root(joint) {
            let name = self.name(joint).to_owned();
            return Err(EditError::Root { name });
        }
        Ok(())
    }
}
