//! Conversion of a joint with several degrees of freedom to meta-joints, and back. Meta-joints are
//! several joints at one position with one degree of freedom each. The first meta-joint has the
//! position and rest rotation of the joint. The other meta-joints have no offset. The last
//! meta-joint has the name, scale, children and frame (`rest · R₁ R₂ R₃`) of the joint.

use super::joint_map::MovedJoint;
use super::limits::{AngleRange, Freedom, RotationLimit};
use super::{Joint, JointMap, Skeleton, SkeletonError};
use crate::pose::{LocalPose, PoseMismatch};
use glam::{Quat, Vec3};
use sinew_math::transform::quat_f64::QuatF64;
use sinew_math::transform::{Axis, EulerOrder, Transform};
use thiserror::Error;

/// Skeleton with combined joints, and the same skeleton with meta-joints. Converts poses.
#[derive(Clone, Debug, PartialEq)]
pub struct MetaJoints {
    combined: Skeleton,
    split: Skeleton,
    chains: Vec<Chain>,
}

#[derive(Clone, Debug, PartialEq)]
struct Chain {
    metas: Vec<usize>,
    axes: Axes,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Axes {
    Whole,
    Pair([Axis; 2]),
    Triple(EulerOrder),
}

/// Error of [`MetaJoints`].
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum MetaJointError {
    /// Pose of another skeleton.
    #[error(transparent)]
    OtherSkeleton(#[from] PoseMismatch),
    /// Joint index out of range.
    #[error("there is no joint {joint}: the skeleton has {len} joints")]
    NoSuchJoint {
        /// Index that was requested.
        joint: usize,
        /// Number of joints.
        len: usize,
    },
    /// Rotation that a joint with two axes cannot reach.
    #[error(
        "joint \"{name}\": its two axes cannot reach the pose; the nearest rotation is off by {residual_rad} rad"
    )]
    OutOfReach {
        /// Name of the joint.
        name: String,
        /// Remaining angle, in radians.
        residual_rad: f32,
    },
    /// Result that is not a valid skeleton.
    #[error(transparent)]
    Skeleton(#[from] SkeletonError),
}

/// Rounding of a product of two rotations in `f32`, in radians.
const REACHED_RAD: f64 = 1e-6;

impl MetaJoints {
    /// Splits the given joints: a saddle into two meta-joints, an Euler joint into three. Ball,
    /// free and framed joints become three meta-joints without limits, with axes in the order
    /// `order`. Fixed joints and hinges do not change.
    ///
    /// ```
    /// use sinew::transform::{Axis, EulerOrder};
    /// use sinew::{Joint, LocalPose, Skeleton, Transform};
    /// use sinew::skeleton::MetaJoints;
    /// let (body, _) = Skeleton::new(vec![Joint::new("shoulder", None, Transform::IDENTITY)])?;
    /// let meta = MetaJoints::split(&body, &[0], EulerOrder::ZXY)?;
    /// assert_eq!(meta.split_skeleton().len(), 3);
    /// let raised = LocalPose::from_transforms(&[Transform::from_rotation(Axis::X.rotation(0.5))]);
    /// let pose = meta.split_pose(&raised)?;
    /// assert_eq!(pose.get(1).rotation, Axis::X.rotation(0.5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn split(
        combined: &Skeleton,
        joints: &[usize],
        order: EulerOrder,
    ) -> Result<Self, MetaJointError> {
        let len = combined.len();
        let mut is_wanted = vec![false; len];
        for &joint in joints {
            let expected = is_wanted.get_mut(joint);
            *expected.ok_or(MetaJointError::NoSuchJoint { joint, len })? = true;
        }
        let mut metas: Vec<Joint> = Vec::new();
        let mut chains: Vec<Chain> = Vec::new();
        for (index, joint) in combined.joints().into_iter().enumerate() {
            let parent = joint.parent.map(|p| chains[p].last());
            let (axes, ranges) = axes_and_ranges(&joint.freedom.rotation, order)
                .filter(|_| is_wanted[index])
                .unwrap_or((Axes::Whole, Vec::new()));
            let first = metas.len();
            match axes {
                Axes::Whole => metas.push(Joint { parent, ..joint }),
                _ => push_metas(&mut metas, &joint, parent, axes, &ranges),
            }
            chains.push(Chain {
                metas: (first..metas.len()).collect(),
                axes,
            });
        }
        let (split, _) = Skeleton::new(metas)?;
        Ok(Self {
            combined: combined.clone(),
            split,
            chains,
        })
    }

    /// Merges two or three coincident hinges about coordinate axes into saddles and Euler joints.
    pub fn merge(split: &Skeleton) -> Result<Self, MetaJointError> {
        let mut chain_of = vec![None; split.len()];
        let mut chains: Vec<Chain> = Vec::new();
        let mut combined: Vec<Joint> = Vec::new();
        for first in 0..split.len() {
            if chain_of[first].is_some() {
                continue;
            }
            let chain = chain_from(split, first);
            let last = chain.last();
            for &meta in &chain.metas {
                chain_of[meta] = Some(chains.len());
            }
            combined.push(Joint {
                name: split.name(last).to_owned(),
                parent: split.parent(first).and_then(|p| chain_of[p]),
                rest: Transform {
                    scale: split.rest().get(last).scale,
                    ..split.rest().get(first)
                },
                freedom: combined_freedom(split, &chain),
                role: split.role(last),
                deforms: split.deforms(last),
            });
            chains.push(chain);
        }
        let (combined, _) = Skeleton::new(combined)?;
        Ok(Self {
            combined,
            split: split.clone(),
            chains,
        })
    }

    /// Skeleton with combined joints.
    pub fn combined_skeleton(&self) -> &Skeleton {
        &self.combined
    }

    /// Skeleton with meta-joints.
    pub fn split_skeleton(&self) -> &Skeleton {
        &self.split
    }

    /// Map from combined joints to meta-joints, for skins, masks and clips. A joint maps to its
    /// last meta-joint, which gets all tracks. To animate all meta-joints, split the sampled poses.
    pub fn split_from_combined(&self) -> JointMap {
        let moved = |(joint, chain): (usize, &Chain)| {
            let rest = self.combined.rest().get(joint);
            let first = Transform::from_rotation_translation(rest.rotation, rest.translation);
            let parent_from_old_parent = match chain.axes {
                Axes::Whole => Transform::IDENTITY,
                // A rigid map always has an inverse.
                _ => first.inverse().unwrap_or_default(),
            };
            MovedJoint {
                parent_from_old_parent,
                ..MovedJoint::kept(chain.last())
            }
        };
        JointMap {
            joints: self.chains.iter().enumerate().map(moved).collect(),
            new_len: self.split.len(),
        }
    }

    /// Converts a pose of the combined skeleton to meta-joints.
    pub fn split_pose(&self, combined: &LocalPose) -> Result<LocalPose, MetaJointError> {
        PoseMismatch::check(combined.len(), self.combined.len())?;
        let mut pose = LocalPose::identity(self.split.len());
        for (joint, chain) in self.chains.iter().enumerate() {
            let now = combined.get(joint);
            if chain.axes == Axes::Whole {
                pose.set(chain.last(), now);
                continue;
            }
            let rest = QuatF64::from_quat(self.combined.rest().get(joint).rotation);
            let turn = rest.conjugate().mul(QuatF64::from_quat(now.rotation));
            let turn = turn.normalized().unwrap_or(QuatF64::IDENTITY);
            let mut turns = chain.axes.turns(turn);
            let reached = turns.iter().fold(QuatF64::IDENTITY, |q, &t| q.mul(t));
            let residual = reached.angle_to(turn);
            if residual > REACHED_RAD {
                return Err(MetaJointError::OutOfReach {
                    name: self.combined.name(joint).to_owned(),
                    residual_rad: residual as f32,
                });
            }
            turns[0] = rest.mul(turns[0]);
            for (&meta, turn) in chain.metas.iter().zip(turns) {
                pose.set_rotation(meta, turn.to_quat());
            }
            pose.set_translation(chain.metas[0], now.translation);
            pose.set_scale(chain.last(), now.scale);
        }
        Ok(pose)
    }

    /// Converts a pose of meta-joints to combined joints. A joint gets the product of the rotations
    /// of its meta-joints, the first translation and the last scale.
    ///
    /// # Errors
    /// If the pose belongs to another skeleton.
    pub fn merge_pose(&self, split: &LocalPose) -> Result<LocalPose, PoseMismatch> {
        PoseMismatch::check(split.len(), self.split.len())?;
        let mut pose = LocalPose::identity(self.combined.len());
        for (joint, chain) in self.chains.iter().enumerate() {
            let (first, last) = (split.get(chain.metas[0]), split.get(chain.last()));
            let rotation = match chain.axes {
                Axes::Whole => first.rotation,
                _ => product(split, &chain.metas),
            };
            pose.set(
                joint,
                Transform {
                    translation: first.translation,
                    rotation,
                    scale: last.scale,
                },
            );
        }
        Ok(pose)
    }
}

impl Chain {
    fn last(&self) -> usize {
        self.metas[self.metas.len() - 1]
    }
}

impl Axes {
    fn to_vec(self) -> Vec<Axis> {
        match self {
            Self::Whole => Vec::new(),
            Self::Pair(axes) => axes.to_vec(),
            Self::Triple(order) => order.axes().to_vec(),
        }
    }

    fn turns(self, turn: QuatF64) -> Vec<QuatF64> {
        let angles = match self {
            Self::Whole => Vec::new(),
            Self::Pair(axes) => turn.angles_about_pair(axes).to_vec(),
            Self::Triple(order) => order.angles(turn).to_vec(),
        };
        let axes = self.to_vec().into_iter();
        axes.zip(angles).map(|(x, a)| x.rotation_f64(a)).collect()
    }
}

/// Returns `None` for joints with at most one degree of freedom.
fn axes_and_ranges(turn: &RotationLimit, order: EulerOrder) -> Option<(Axes, Vec<AngleRange>)> {
    match turn {
        RotationLimit::Fixed | RotationLimit::Hinge { .. } => None,
        RotationLimit::Saddle { axes, ranges } => Some((Axes::Pair(*axes), ranges.to_vec())),
        RotationLimit::Euler { order, ranges } => Some((Axes::Triple(*order), ranges.to_vec())),
        RotationLimit::Framed(framed) if framed.rotation.count() < 2 => None,
        RotationLimit::Ball { .. } | RotationLimit::Free | RotationLimit::Framed(_) => {
            Some((Axes::Triple(order), vec![AngleRange::FULL; 3]))
        }
    }
}

fn push_metas(
    metas: &mut Vec<Joint>,
    joint: &Joint,
    parent: Option<usize>,
    axes: Axes,
    ranges: &[AngleRange],
) {
    let mut parent = parent;
    let last = ranges.len() - 1;
    for (nth, (axis, &range)) in axes.to_vec().into_iter().zip(ranges).enumerate() {
        let mut meta = Joint::new(joint.name.clone(), parent, Transform::IDENTITY);
        meta.freedom = Freedom {
            rotation: RotationLimit::Hinge {
                axis: axis.vector(),
                range,
            },
            ..Freedom::default()
        };
        if nth == 0 {
            meta.rest.translation = joint.rest.translation;
            meta.rest.rotation = joint.rest.rotation;
            meta.freedom.slides = joint.freedom.slides;
            meta.freedom.slide_range = joint.freedom.slide_range;
        }
        if nth == last {
            meta.rest.scale = joint.rest.scale;
            meta.role = joint.role;
            meta.deforms = joint.deforms;
        } else {
            let letter = ["x", "y", "z"][axis.index()];
            meta.name = format!("{}.{letter}", joint.name);
        }
        parent = Some(metas.len());
        metas.push(meta);
    }
}

/// Longest chain of meta-joints from a joint, or the joint alone.
fn chain_from(split: &Skeleton, first: usize) -> Chain {
    let mut metas = vec![first];
    let mut axes: Vec<Axis> = hinge(split, first)
        .map(|(axis, _)| axis)
        .into_iter()
        .collect();
    while let (Some(&outer), Some(inner)) = (axes.last(), only_child(split, metas[metas.len() - 1]))
        && axes.len() < 3
        && let Some((axis, _)) = hinge(split, inner)
        && axis != outer
        && stands_on_its_parent(split, inner)
    {
        metas.push(inner);
        axes.push(axis);
    }
    let axes = match axes[..] {
        [outer, inner] => Axes::Pair([outer, inner]),
        [a, b, c] => EulerOrder::new([a, b, c]).map_or(Axes::Whole, Axes::Triple),
        _ => Axes::Whole,
    };
    Chain { metas, axes }
}

/// Axis and range of a hinge about a coordinate axis. `None` for other joints.
fn hinge(skeleton: &Skeleton, joint: usize) -> Option<(Axis, AngleRange)> {
    let RotationLimit::Hinge { axis, range } = skeleton.freedom(joint).rotation else {
        return None;
    };
    let coordinate = [Axis::X, Axis::Y, Axis::Z];
    let axis = coordinate.into_iter().find(|a| a.vector() == axis)?;
    Some((axis, range))
}

fn only_child(skeleton: &Skeleton, joint: usize) -> Option<usize> {
    let mut children = skeleton.children(joint);
    children.next().filter(|_| children.next().is_none())
}

fn stands_on_its_parent(skeleton: &Skeleton, joint: usize) -> bool {
    let rest = skeleton.rest().get(joint);
    let parent = skeleton.parent(joint).map(|p| skeleton.rest().get(p));
    rest.translation == Vec3::ZERO
        && rest.rotation == Quat::IDENTITY
        && skeleton.freedom(joint).slides == [false; 3]
        && skeleton.freedom(joint).slide_range.is_none()
        && parent.is_some_and(|p| p.scale == Vec3::ONE)
}

fn combined_freedom(split: &Skeleton, chain: &Chain) -> Freedom {
    let first = split.freedom(chain.metas[0]);
    let range =
        |nth: usize| hinge(split, chain.metas[nth]).map_or(AngleRange::FULL, |(_, range)| range);
    let turn = match chain.axes {
        Axes::Whole => first.rotation.clone(),
        Axes::Pair(axes) => RotationLimit::Saddle {
            axes,
            ranges: [range(0), range(1)],
        },
        Axes::Triple(order) => RotationLimit::Euler {
            order,
            ranges: [range(0), range(1), range(2)],
        },
    };
    Freedom {
        rotation: turn,
        ..first.clone()
    }
}

fn product(pose: &LocalPose, joints: &[usize]) -> Quat {
    let rotations = joints
        .iter()
        .map(|&j| QuatF64::from_quat(pose.get(j).rotation));
    let product = rotations.fold(QuatF64::IDENTITY, QuatF64::mul);
    product.normalized().unwrap_or(QuatF64::IDENTITY).to_quat()
}
