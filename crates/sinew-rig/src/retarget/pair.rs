//! A pair of joints, and lists of pairs by role and by equal names.

use super::roles::joint_names::plain_name;
use super::roles::role_map::Roles;
use sinew::Skeleton;
use sinew::skeleton::{Finger, Role, Side};
use std::collections::HashMap;

/// A joint of the source and the joint of the target that follows it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pair {
    /// Index in the skeleton of the source.
    pub source: usize,
    /// Index in the skeleton of the target.
    pub target: usize,
}

pub(super) fn add(pairs: &mut Vec<Pair>, new: Pair) {
    let is_taken = |pair: &Pair| pair.source == new.source || pair.target == new.target;
    if !pairs.iter().any(is_taken) {
        pairs.push(new);
    }
}

pub(super) fn add_roles(from: &Roles, onto: &Roles, pairs: &mut Vec<Pair>) {
    let mut add = |a: Role, b: Role| {
        if let (Some(source), Some(target)) = (from.joint(a), onto.joint(b)) {
            add(pairs, Pair { source, target });
        }
    };
    let mut chain = |from: usize, onto: usize, role: &dyn Fn(usize) -> Role| {
        if from == onto {
            (0..from).for_each(|k| add(role(k), role(k)));
        } else if from > 0 && onto > 0 {
            add(role(from - 1), role(onto - 1));
        }
    };
    chain(from.spine_len(), onto.spine_len(), &Role::Spine);
    chain(from.neck_len(), onto.neck_len(), &Role::Neck);
    for side in Side::ALL {
        for finger in Finger::ALL {
            let lens = [from, onto].map(|roles| roles.finger_len(side, finger));
            chain(lens[0], lens[1], &|k| Role::Finger(side, finger, k));
        }
    }
    for (role, _) in from.iter() {
        if !matches!(role, Role::Spine(_) | Role::Neck(_) | Role::Finger(..)) {
            add(role, role);
        }
    }
}

/// Adds pairs with equal names, then pairs whose names differ only in case and separators. Of
/// joints with the same name, the first counts.
pub(super) fn add_equal_names(
    source: &Skeleton,
    target: &Skeleton,
    pairs: &mut Vec<Pair>,
    is_wanted: impl Fn(&Pair) -> bool,
) {
    for plain in [str::to_owned, plain_name] {
        let mut named: HashMap<String, usize> = HashMap::new();
        for joint in (0..target.len()).rev() {
            named.insert(plain(target.name(joint)), joint);
        }
        named.remove("");
        for joint in 0..source.len() {
            let Some(&target) = named.get(&plain(source.name(joint))) else {
                continue;
            };
            let pair = Pair {
                source: joint,
                target,
            };
            if is_wanted(&pair) {
                add(pairs, pair);
            }
        }
    }
}
