//! Skeletons: a tree of joints with names, a rest pose, limits and roles.
//!
//! A skeleton is immutable. An edit returns a new skeleton and a [`JointMap`] for clips, skins and
//! masks. Bones are not stored: a bone is the line from a joint to a child.

pub mod denavit_hartenberg;
mod edit;
mod joint_map;
pub mod limits;
mod meta_joints;
pub(crate) mod nearest_rotation;
mod role;
pub(crate) mod rotation_limit;
mod slide_range;

pub use edit::EditError;
pub use joint_map::JointMap;
pub use meta_joints::{MetaJointError, MetaJoints};
pub use role::{Finger, Role, Side};

use crate::pose::{LocalPose, ModelPose, PoseMismatch};
use limits::{Freedom, LimitError};
use sinew_math::hierarchy::{Hierarchy, HierarchyError};
use sinew_math::transform::{Affine, Transform};
use thiserror::Error;

/// Joint as input of [`Skeleton::new`].
#[derive(Clone, Debug, PartialEq)]
#[doc(alias = "bone")]
pub struct Joint {
    /// Name. A search finds the first of equal names.
    pub name: String,
    /// Index of the parent in the same list. `None` for the root.
    pub parent: Option<usize>,
    /// Transform `parent_from_joint` in the rest pose.
    pub rest: Transform,
    /// Degrees of freedom and limits.
    pub freedom: Freedom,
    /// Role on a human body, if known. Never derived from the name.
    pub role: Option<Role>,
    /// True if the joint may have weights. `None` if unknown.
    pub deforms: Option<bool>,
}

impl Joint {
    /// Joint with free rotation, without a role.
    pub fn new(name: impl Into<String>, parent: Option<usize>, rest: Transform) -> Self {
        Self {
            name: name.into(),
            parent,
            rest,
            freedom: Freedom::default(),
            role: None,
            deforms: None,
        }
    }

    /// Sets the degrees of freedom.
    pub fn with_freedom(self, freedom: Freedom) -> Self {
        Self { freedom, ..self }
    }
}

/// Error of [`Skeleton::new`].
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum SkeletonError {
    /// No joints.
    #[error("a skeleton needs at least one joint")]
    Empty,
    /// Invalid parent index or cycle.
    #[error("joint \"{name}\": {source}")]
    Hierarchy {
        /// Name of the joint.
        name: String,
        /// Cause of the error.
        source: HierarchyError,
    },
    /// More than one joint without a parent.
    #[error("joints \"{first}\" and \"{second}\" both have no parent; put them under one root")]
    SeveralRoots {
        /// Name of the first root.
        first: String,
        /// Name of the second root.
        second: String,
    },
    /// Rest transform that is not finite, or whose rotation does not have unit length.
    #[error(
        "joint \"{name}\": its rest transform is not finite or its rotation not of unit length"
    )]
    BadRest {
        /// Name of the joint.
        name: String,
    },
    /// Contradictory limits.
    #[error("joint \"{name}\": {source}")]
    BadLimits {
        /// Name of the joint.
        name: String,
        /// Cause of the error.
        source: LimitError,
    },
}

/// Immutable tree of joints, with the root at index 0 and parents before children.
///
/// # Panics
/// All methods panic if a joint index is not below [`Skeleton::len`].
#[derive(Clone, Debug, PartialEq)]
#[doc(alias = "armature")]
#[doc(alias = "bones")]
#[doc(alias = "skeleton3d")]
pub struct Skeleton {
    hierarchy: Hierarchy,
    names: Vec<String>,
    rest: LocalPose,
    freedoms: Vec<Freedom>,
    roles: Vec<Option<Role>>,
    deforms: Vec<Option<bool>>,
}

impl Skeleton {
    /// Checks and sorts the joints, parents first. Also returns the map from old to new indices.
    ///
    /// ```
    /// use glam::Vec3;
    /// use sinew::{Joint, Skeleton, Transform};
    /// let up = Transform::from_translation(Vec3::Y);
    /// let (arm, map) = Skeleton::new(vec![
    ///     Joint::new("hand", Some(1), up),
    ///     Joint::new("elbow", None, up),
    /// ])?;
    /// assert_eq!(arm.find("hand"), Some(1));
    /// assert_eq!(map.get(0), Some(1));
    /// # Ok::<(), sinew::SkeletonError>(())
    /// ```
    pub fn new(joints: Vec<Joint>) -> Result<(Self, JointMap), SkeletonError> {
        if joints.is_empty() {
            return Err(SkeletonError::Empty);
        }
        let parents: Vec<_> = joints.iter().map(|j| j.parent).collect();
        let sorted = Hierarchy::sort(&parents).map_err(|source| {
            let node = match source {
                HierarchyError::NoSuchParent { node, .. } | HierarchyError::Cycle { node } => node,
                _ => 0,
            };
            SkeletonError::Hierarchy {
                name: joints[node].name.clone(),
                source,
            }
        })?;
        let mut roots = joints.iter().filter(|j| j.parent.is_none());
        if let (Some(first), Some(second)) = (roots.next(), roots.next()) {
            return Err(SkeletonError::SeveralRoots {
                first: first.name.clone(),
                second: second.name.clone(),
            });
        }
        for joint in &joints {
            let name = || joint.name.clone();
            let unit = sinew_math::transform::quat::dot(joint.rest.rotation, joint.rest.rotation);
            if !joint.rest.is_finite() || (unit - 1.0).abs() > 1e-3 {
                return Err(SkeletonError::BadRest { name: name() });
            }
            joint
                .freedom
                .check()
                .map_err(|source| SkeletonError::BadLimits {
                    name: name(),
                    source,
                })?;
        }
        let mut rest = LocalPose::identity(joints.len());
        let (mut names, mut freedoms) = (Vec::new(), Vec::new());
        let (mut roles, mut deforms) = (Vec::new(), Vec::new());
        for (new, &old) in sorted.old_from_new.iter().enumerate() {
            rest.set(new, joints[old].rest);
            names.push(joints[old].name.clone());
            freedoms.push(joints[old].freedom.clone());
            roles.push(joints[old].role);
            deforms.push(joints[old].deforms);
        }
        let map = JointMap::reordered(&sorted.new_from_old);
        let skeleton = Self {
            hierarchy: sorted.hierarchy,
            names,
            rest,
            freedoms,
            roles,
            deforms,
        };
        Ok((skeleton, map))
    }

    /// Number of joints, at least 1.
    #[expect(clippy::len_without_is_empty, reason = "a skeleton is never empty")]
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Tree of joint indices.
    pub fn hierarchy(&self) -> &Hierarchy {
        &self.hierarchy
    }

    /// Index of the parent, which is lower than the index of the joint. `None` for the root.
    pub fn parent(&self, joint: usize) -> Option<usize> {
        self.hierarchy.parent(joint)
    }

    /// True for the root.
    pub fn is_root(&self, joint: usize) -> bool {
        self.hierarchy.is_root(joint)
    }

    /// Children in ascending order.
    pub fn children(&self, joint: usize) -> impl Iterator<Item = usize> + '_ {
        self.hierarchy.children(joint)
    }

    /// Name of the joint.
    ///
    /// # Panics
    /// If there is no such joint.
    pub fn name(&self, joint: usize) -> &str {
        match self.names.get(joint) {
            Some(name) => name,
            None => panic!("joint {joint} of {}", self.len()),
        }
    }

    /// First joint with this name, in index order.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|n| n == name)
    }

    /// Transform `parent_from_joint` of every joint at rest.
    pub fn rest(&self) -> &LocalPose {
        &self.rest
    }

    /// Degrees of freedom and limits of the joint.
    pub fn freedom(&self, joint: usize) -> &Freedom {
        &self.freedoms[joint]
    }

    /// Role of the joint on a human body, if known.
    pub fn role(&self, joint: usize) -> Option<Role> {
        self.roles[joint]
    }

    /// True if the joint may have weights. `None` if unknown. Automatic weights always obey it.
    pub fn deforms(&self, joint: usize) -> Option<bool> {
        self.deforms[joint]
    }

    /// Sets [`Skeleton::deforms`]. With `None`, the rules of automatic weights decide.
    pub fn set_deforms(&mut self, joint: usize, deforms: Option<bool>) {
        self.deforms[joint] = deforms;
    }

    /// Number of degrees of freedom of all joints.
    pub fn degrees_of_freedom(&self) -> usize {
        self.freedoms.iter().map(Freedom::count).sum()
    }

    /// Map `model_from_joint` of every joint at rest.
    pub fn rest_model(&self) -> ModelPose {
        let mut model = ModelPose::identity(self.len());
        let updated = model.update(self.hierarchy(), &self.rest, &Affine::IDENTITY);
        updated.expect("a skeleton's own rest pose");
        model
    }

    /// Clamps all joints of `pose` to their limits. Joints within their limits keep their bits.
    /// Joints that do not slide get their rest translation, so a root that clips move must slide.
    ///
    /// # Errors
    /// If the pose has the wrong number of joints. The pose is then unchanged.
    pub fn clamp(&self, pose: &mut LocalPose) -> Result<(), PoseMismatch> {
        PoseMismatch::check(pose.len(), self.len())?;
        for (joint, freedom) in self.freedoms.iter().enumerate() {
            let rest = self.rest.get(joint);
            let now = pose.get(joint);
            let allowed = freedom.clamp(&rest, &now);
            if allowed != now {
                pose.set(joint, allowed);
            }
        }
        Ok(())
    }

    /// Joints as input for [`Skeleton::new`].
    pub fn joints(&self) -> Vec<Joint> {
        (0..self.len())
            .map(|j| Joint {
                name: self.names[j].clone(),
                parent: self.parent(j),
                rest: self.rest.get(j),
                freedom: self.freedoms[j].clone(),
                role: self.roles[j],
                deforms: self.deforms[j],
            })
            .collect()
    }
}
