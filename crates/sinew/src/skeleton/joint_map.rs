//! What an edit did to each joint, for everything that names joints by index.

use sinew_math::transform::Transform;
use sinew_skin::Skin;

/// Where each joint of an old list is in a new skeleton. Every joint is somewhere: one that was
/// merged away is carried by the joint that it was merged into.
///
/// `Clip::remapped` and [`JointMap::remap_skin`] apply it; [`JointMap::per_joint`] serves
/// masks and any other list with an entry a joint.
#[derive(Clone, Debug, PartialEq)]
pub struct JointMap {
    pub(super) joints: Vec<MovedJoint>,
    pub(super) new_len: usize,
}

/// What became of one joint.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct MovedJoint {
    /// Its new index, or that of the joint that it was merged into.
    pub carrier: usize,
    /// Where it stands in that joint, when it was merged.
    pub carrier_from_joint: Option<Transform>,
    /// Where its old parent's frame stands in its new parent's, at rest.
    pub parent_from_old_parent: Transform,
}

impl MovedJoint {
    /// A joint that has another index and nothing else new.
    pub fn kept(index: usize) -> Self {
        Self {
            carrier: index,
            carrier_from_joint: None,
            parent_from_old_parent: Transform::IDENTITY,
        }
    }
}

impl JointMap {
    pub(super) fn reordered(new_from_old: &[usize]) -> Self {
        Self {
            joints: new_from_old.iter().map(|&j| MovedJoint::kept(j)).collect(),
            new_len: new_from_old.len(),
        }
    }

    /// The new index of an old joint, if it still exists.
    pub fn get(&self, old: usize) -> Option<usize> {
        let moved = self.joints.get(old)?;
        moved.carrier_from_joint.is_none().then_some(moved.carrier)
    }

    /// The new index of the joint that carries what the old one carried, and where the old one's
    /// frame stands in it. `None` only when there was no such joint.
    pub fn carrier(&self, old: usize) -> Option<(usize, Transform)> {
        let moved = self.joints.get(old)?;
        let carrier_from_joint = moved.carrier_from_joint.unwrap_or_default();
        Some((moved.carrier, carrier_from_joint))
    }

    /// Where the frame of a joint's old parent stands in its new parent's, at rest; `None` when it
    /// was merged away. What was relative to the old parent is this times as much relative to the
    /// new. It scales evenly.
    pub fn parent_from_old_parent(&self, old: usize) -> Option<Transform> {
        self.get(old)?;
        Some(self.joints[old].parent_from_old_parent)
    }

    /// A skin on the edited skeleton; influences stay as they are. What a merged joint carried, the joint that
    /// it was merged into carries, as if the two had been welded at rest. Joints that the map does not
    /// know stay as they are.
    pub fn remap_skin(&self, skin: &Skin) -> Skin {
        let mut skin = skin.clone();
        for (joint, joint_from_model) in skin.joints.iter_mut().zip(&mut skin.joint_from_model) {
            let Some((carrier, carrier_from_joint)) = self.carrier(*joint) else {
                continue;
            };
            if self.get(*joint).is_none() {
                *joint_from_model = carrier_from_joint.to_affine() * *joint_from_model;
            }
            *joint = carrier;
        }
        skin
    }

    /// One value a joint, in the new order: `fill` for joints that are new, nothing of those that
    /// are gone.
    ///
    /// ```
    /// use sinew::{Joint, Skeleton, Transform};
    /// let (_, map) = Skeleton::new(vec![
    ///     Joint::new("hand", Some(1), Transform::IDENTITY),
    ///     Joint::new("elbow", None, Transform::IDENTITY),
    /// ])?;
    /// assert_eq!(map.per_joint(&[0.25, 1.0], 0.0), [1.0, 0.25]);
    /// # Ok::<(), sinew::SkeletonError>(())
    /// ```
    pub fn per_joint<T: Clone>(&self, old_values: &[T], fill: T) -> Vec<T> {
        let mut values = vec![fill; self.new_len];
        for (old, value) in old_values.iter().enumerate() {
            if let Some(new) = self.get(old) {
                values[new] = value.clone();
            }
        }
        values
    }
}
