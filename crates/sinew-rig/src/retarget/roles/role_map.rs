//! Map between roles and joints.

use sinew::Skeleton;
use sinew::skeleton::{Finger, Role, Side};
use std::collections::BTreeMap;

/// Roles of the joints of a skeleton.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Roles {
    by_role: BTreeMap<Role, usize>,
}

impl Roles {
    /// Index of the joint with a role.
    pub fn joint(&self, role: Role) -> Option<usize> {
        self.by_role.get(&role).copied()
    }

    /// Role of a joint.
    pub fn role(&self, joint: usize) -> Option<Role> {
        let mut roles = self.by_role.iter();
        roles.find(|(_, j)| **j == joint).map(|(role, _)| *role)
    }

    /// Every role with its joint, from the hips outward.
    pub fn iter(&self) -> impl Iterator<Item = (Role, usize)> + '_ {
        self.by_role.iter().map(|(role, joint)| (*role, *joint))
    }

    /// Number of joints with a role.
    pub fn len(&self) -> usize {
        self.by_role.len()
    }

    /// True if no joint has a role.
    pub fn is_empty(&self) -> bool {
        self.by_role.is_empty()
    }

    /// Number of joints of the spine.
    pub fn spine_len(&self) -> usize {
        (0..)
            .take_while(|k| self.joint(Role::Spine(*k)).is_some())
            .count()
    }

    /// Number of joints of the neck.
    pub fn neck_len(&self) -> usize {
        (0..)
            .take_while(|k| self.joint(Role::Neck(*k)).is_some())
            .count()
    }

    /// Number of joints of a finger.
    pub fn finger_len(&self, side: Side, finger: Finger) -> usize {
        let there = |k: &usize| self.joint(Role::Finger(side, finger, *k)).is_some();
        (0..).take_while(there).count()
    }

    /// Roles that the skeleton states. Of joints with the same role, the first counts.
    pub(super) fn stated(skeleton: &Skeleton) -> Self {
        let mut roles = Self::default();
        for joint in 0..skeleton.len() {
            if let Some(role) = skeleton.role(joint) {
                roles.by_role.entry(role).or_insert(joint);
            }
        }
        roles
    }

    pub(crate) fn set(&mut self, role: Role, joint: usize) {
        self.by_role.retain(|_, other| *other != joint);
        self.by_role.insert(role, joint);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_joint_has_one_role_and_a_role_one_joint() {
        let mut roles = Roles::default();
        roles.set(Role::Head, 3);
        roles.set(Role::Neck(0), 3);
        assert_eq!(
            (roles.role(3), roles.joint(Role::Head)),
            (Some(Role::Neck(0)), None)
        );
        roles.set(Role::Neck(0), 4);
        assert_eq!((roles.role(3), roles.role(4)), (None, Some(Role::Neck(0))));
        assert_eq!(roles.len(), 1);
    }
}
