use sinew_math::transform::Transform;
use sinew_skin::Skin;

/// Map from the joints of an old skeleton to those of a new skeleton. A merged joint maps to its
/// carrier, the joint that it was merged into. `Clip::remapped`, [`JointMap::remap_skin`] and, for
/// masks, [`JointMap::per_joint`] apply it.
#[derive(Clone, Debug, PartialEq)]
pub struct JointMap {
    pub(super) joints: Vec<MovedJoint>,
    pub(super) new_len: usize,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct MovedJoint {
    /// New index of the joint or, if merged, of its carrier.
    pub carrier: usize,
    /// Transform relative to the carrier, if merged.
    pub carrier_from_joint: Option<Transform>,
    /// Transform from the old parent to the new parent, at rest.
    pub parent_from_old_parent: Transform,
}

impl MovedJoint {
    /// Joint that changes only its index.
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

    /// New index of an old joint. `None` if the joint was merged.
    pub fn get(&self, old: usize) -> Option<usize> {
        let moved = self.joints.get(old)?;
        moved.carrier_from_joint.is_none().then_some(moved.carrier)
    }

    /// New index of an old joint or of its carrier, and its transform relative to that joint.
    pub fn carrier(&self, old: usize) -> Option<(usize, Transform)> {
        let moved = self.joints.get(old)?;
        let carrier_from_joint = moved.carrier_from_joint.unwrap_or_default();
        Some((moved.carrier, carrier_from_joint))
    }

    /// Transform from the old parent of a joint to its new parent, at rest, with a uniform scale.
    /// It converts transforms relative to the old parent. `None` if the joint was merged.
    pub fn parent_from_old_parent(&self, old: usize) -> Option<Transform> {
        self.get(old)?;
        Some(self.joints[old].parent_from_old_parent)
    }

    /// Converts a skin to the edited skeleton. Influences stay the same, and vertices of a merged
    /// joint follow its carrier. Unknown joints stay unchanged.
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

    /// Sorts values into the new joint order. New joints get `fill`. Drops values of merged joints.
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
