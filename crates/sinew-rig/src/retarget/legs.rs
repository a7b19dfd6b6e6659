//! Finds the legs of any body, front legs included, by roles and names.

use super::roles::joint_names::leg;
use super::roles::role_map::Roles;
use sinew::Skeleton;
use sinew::skeleton::{Role, Side};
use std::collections::BTreeMap;

/// Leg: true for a front leg, and its side if the names state it.
pub(super) type Leg = (bool, Option<Side>);

/// Joints of each leg, parents first. The arms of a person are not legs.
pub(super) fn legs(skeleton: &Skeleton, roles: &Roles) -> BTreeMap<Leg, Vec<usize>> {
    let mut legs: BTreeMap<Leg, Vec<usize>> = BTreeMap::new();
    for joint in 0..skeleton.len() {
        let of = match roles.role(joint) {
            Some(Role::UpperLeg(side) | Role::LowerLeg(side) | Role::Foot(side)) => {
                Some((false, Some(side)))
            }
            Some(_) => None,
            None => leg(skeleton.name(joint)),
        };
        if let Some(of) = of {
            legs.entry(of).or_default().push(joint);
        }
    }
    legs
}
