//! Two four-legged animals whose names do not tell which legs belong together.
//!
//! Legs, trunk, head and tail are paired by the shape of the bodies (`roles::four_legs`). Each body
//! keeps its shape at rest. Paws take the steps of the source, scaled, and legs bend to reach them.

use super::pair::{Pair, add, add_equal_names, add_roles};
use super::roles::four_legs::{FourLegs, find_four_legs};
use sinew::{Joint, Skeleton, Transform};

/// Min number of joints of a leg that equal names pair, so that shapes need not.
const NAMED: usize = 3;

#[derive(Clone, Debug)]
pub(crate) struct Animals {
    pub source: FourLegs,
    pub target: FourLegs,
}

impl Animals {
    /// `None` unless both stand on four legs, and equal names leave a leg without a counterpart.
    pub fn of(source: &Skeleton, target: &Skeleton) -> Option<Self> {
        let (from, onto) = (find_four_legs(source)?, find_four_legs(target)?);
        let mut named = Vec::new();
        add_equal_names(source, target, &mut named, |_| true);
        let count = |leg: &[usize]| named.iter().filter(|p| leg.contains(&p.target)).count();
        let is_named = onto.legs.iter().all(|leg| count(&leg.joints) >= NAMED);
        (!is_named).then_some(Self {
            source: from,
            target: onto,
        })
    }

    /// Pairs by shape, and then joints of neither shape by equal names, such as ears.
    pub fn pairs(&self, source: &Skeleton, target: &Skeleton) -> Vec<Pair> {
        let (from, onto) = (&self.source, &self.target);
        let mut pairs = Vec::new();
        add_roles(&from.roles, &onto.roles, &mut pairs);
        for (a, b) in from.legs.iter().zip(&onto.legs) {
            let pair = Pair {
                source: a.standing,
                target: b.standing,
            };
            add(&mut pairs, pair);
        }
        for [a, b] in in_proportion(from.tail.len(), onto.tail.len()) {
            let pair = Pair {
                source: from.tail[a],
                target: onto.tail[b],
            };
            add(&mut pairs, pair);
        }
        let is_part = |legs: &FourLegs, joint: usize| {
            let in_leg = legs.legs.iter().any(|leg| leg.joints.contains(&joint));
            in_leg || legs.tail.contains(&joint) || legs.roles.role(joint).is_some()
        };
        add_equal_names(source, target, &mut pairs, |pair| {
            let is_root = source.is_root(pair.source) || target.is_root(pair.target);
            !(is_root || is_part(from, pair.source) || is_part(onto, pair.target))
        });
        pairs.sort_by_key(|pair| pair.target);
        pairs
    }
}

/// Indices of the shorter of two chains with those of the longer at the same fraction.
fn in_proportion(from: usize, onto: usize) -> Vec<[usize; 2]> {
    let count = from.min(onto);
    let at = |k: usize, len: usize| (k * (len - 1) + (count - 1) / 2) / (count - 1).max(1);
    (0..count).map(|k| [at(k, from), at(k, onto)]).collect()
}

/// The skeleton with feet on controls as children of their legs, with the same indices and the same
/// rest pose. `None` if no foot is on a control, or if a leg is scaled unevenly.
pub(crate) fn with_feet_on_legs(skeleton: &Skeleton, hung: &[[usize; 2]]) -> Option<Skeleton> {
    if hung.is_empty() {
        return None;
    }
    let rest = skeleton.rest_model();
    let mut joints: Vec<Joint> = skeleton.joints();
    for &[foot, leg] in hung {
        let (leg_from_model, foot_at) = (rest.get(leg).inverse()?, rest.get(foot));
        let (local, _) = Transform::from_affine(&(leg_from_model * *foot_at));
        (joints[foot].parent, joints[foot].rest) = (Some(leg), local);
    }
    Some(Skeleton::new(joints).ok()?.0)
}
