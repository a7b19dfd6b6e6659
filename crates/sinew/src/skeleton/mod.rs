//! Joints in a tree, their names, their rest pose, how far each may turn and what it is for where that is stated.
//!
//! A skeleton is immutable: an edit returns a new one and the [`JointMap`] that clips, skins and
//! masks apply. Bones are not stored; a bone is what lies between a joint and its parent.

pub mod denavit_hartenberg;
mod edit;
mod joint_map;
pub mod limits;
mod meta_joints;
pub(crate) mod nearest_turn;
mod role;
pub(crate) mod turn;

pub use edit::EditError;
pub use joint_map::JointMap;
pub use meta_joints::{MetaJointError, MetaJoints};
pub use role::{Finger, Role, Side};

use crate::pose::{LocalPose, ModelPose, PoseMismatch};
use limits::{Freedom, LimitError};
use sinew_math::hierarchy::{Hierarchy, HierarchyError};
use sinew_math::transform::{Affine, Transform};
use thiserror::Error;

/// A joint on its way into a [`Skeleton`].
#[derive(Clone, Debug, PartialEq)]
pub struct Joint {
    /// Names need not be unique, but look-ups find the first.
    pub name: String,
    /// Index of the parent in the same list; `None` for the root.
    pub parent: Option<usize>,
    /// `parent_from_joint` in the rest pose.
    pub rest: Transform,
    /// Which turns and moves it can make, and how far.
    pub freedom: Freedom,
    /// What it is for on a person's body, where someone has said so; names say nothing here.
    pub role: Option<Role>,
    /// Whether it may be given weights, where someone has said so.
    pub deforms: Option<bool>,
}

impl Joint {
    /// A joint that may turn freely.
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

    /// The same joint with these degrees of freedom.
    pub fn with_freedom(self, freedom: Freedom) -> Self {
        Self { freedom, ..self }
    }
}

/// Why a list of joints is not a skeleton.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum SkeletonError {
    /// No joints at all.
    #[error("a skeleton needs at least one joint")]
    Empty,
    /// A bad parent index or a loop.
    #[error("joint \"{name}\": {source}")]
    Hierarchy {
        /// The joint's name.
        name: String,
        /// What is wrong.
        source: HierarchyError,
    },
    /// More than one joint without a parent.
    #[error("joints \"{first}\" and \"{second}\" both have no parent; put them under one root")]
    SeveralRoots {
        /// The root.
        first: String,
        /// Another.
        second: String,
    },
    /// A rest transform that is not finite, or whose rotation is not of unit length.
    #[error(
        "joint \"{name}\": its rest transform is not finite or its rotation not of unit length"
    )]
    BadRest {
        /// The joint's name.
        name: String,
    },
    /// Limits that contradict themselves.
    #[error("joint \"{name}\": {source}")]
    BadLimits {
        /// The joint's name.
        name: String,
        /// What is wrong.
        source: LimitError,
    },
}

/// An immutable tree of joints, root at index 0, parents first.
///
/// # Panics
/// Whatever takes a joint panics for one that is not below [`Skeleton::len`].
#[derive(Clone, Debug, PartialEq)]
pub struct Skeleton {
    hierarchy: Hierarchy,
    names: Vec<String>,
    rest: LocalPose,
    freedoms: Vec<Freedom>,
    roles: Vec<Option<Role>>,
    deforms: Vec<Option<bool>>,
}

impl Skeleton {
    /// Sorts the joints parents first and checks them.
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

    /// How many joints there are; at least one.
    #[expect(clippy::len_without_is_empty, reason = "a skeleton is never empty")]
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// The tree alone.
    pub fn hierarchy(&self) -> &Hierarchy {
        &self.hierarchy
    }

    /// The parent's index, lower than the joint's own; `None` for the root.
    pub fn parent(&self, joint: usize) -> Option<usize> {
        self.hierarchy.parent(joint)
    }

    /// Whether this is the root.
    pub fn is_root(&self, joint: usize) -> bool {
        self.hierarchy.is_root(joint)
    }

    /// The joint's children, in ascending order.
    pub fn children(&self, joint: usize) -> impl Iterator<Item = usize> + '_ {
        self.hierarchy.children(joint)
    }

    /// The joint's name.
    ///
    /// # Panics
    /// When there is no such joint.
    pub fn name(&self, joint: usize) -> &str {
        match self.names.get(joint) {
            Some(name) => name,
            None => panic!("joint {joint} of {}", self.len()),
        }
    }

    /// The first joint of that name, looked for from the root outward.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.names.iter().position(|n| n == name)
    }

    /// `parent_from_joint` of every joint at rest.
    pub fn rest(&self) -> &LocalPose {
        &self.rest
    }

    /// What the joint can do.
    pub fn freedom(&self, joint: usize) -> &Freedom {
        &self.freedoms[joint]
    }

    /// What the joint is for on a person's body, where someone has said so.
    pub fn role(&self, joint: usize) -> Option<Role> {
        self.roles[joint]
    }

    /// Whether the joint may be given weights, where someone has said so: what automatic weights go by
    /// before any rule.
    pub fn deforms(&self, joint: usize) -> Option<bool> {
        self.deforms[joint]
    }

    /// Says whether the joint may be given weights, or leaves it open.
    pub fn set_deforms(&mut self, joint: usize, deforms: Option<bool>) {
        self.deforms[joint] = deforms;
    }

    /// How many numbers state a pose: the degrees of freedom of all joints.
    pub fn degrees_of_freedom(&self) -> usize {
        self.freedoms.iter().map(Freedom::count).sum()
    }

    /// `model_from_joint` of every joint at rest.
    pub fn rest_model(&self) -> ModelPose {
        let mut model = ModelPose::identity(self.len());
        let updated = model.update(self.hierarchy(), &self.rest, &Affine::IDENTITY);
        updated.expect("a skeleton's own rest pose");
        model
    }

    /// Puts every joint of `pose` back within its limits; a joint within them is left as it is, to
    /// the bit. A joint that does not slide goes back to its rest translation, so a skeleton whose
    /// motions move its joints about, the root above all, must say that they slide. The pose must
    /// have the skeleton's joints.
    ///
    /// # Errors
    /// When it has not; nothing is changed then.
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

    /// The joints as they could be given to [`Skeleton::new`] again.
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
