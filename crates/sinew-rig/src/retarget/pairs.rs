//! Pairs of joints, found by roles or read from a map of names.

use super::animals::Animals;
use super::error::RetargetError;
use super::legs::legs;
use super::pair::{Pair, add_equal_names, add_roles};
use super::roles::find_roles::find_roles;
use super::roles::role_map::Roles;
use sinew::Skeleton;
use sinew::names::hint;
use sinew::skeleton::{Role, Side};
use std::collections::BTreeMap;

/// Editable joint map from the name of a source joint to the name of a target joint, or to none.
pub type NameMap = BTreeMap<String, Option<String>>;

/// Pairs joints with the same role, and joints without a role by equal name. Names are equal if
/// they differ only in case, separators or a namespace. If both bodies lack the limbs of a person,
/// as animals do, equal names come before roles. If both bodies stand on four legs, and equal names
/// leave a leg without a counterpart, their parts are paired by the shape of the bodies.
///
/// If a spine, neck or finger has different joint counts in source and target, only the last joints
/// are paired. The joints between are interpolated.
///
/// # Errors
/// [`RetargetError::NoRoles`] if a skeleton has no hips and fewer than half of the names are equal,
/// or if the skeletons have nothing else in common.
pub fn pair_joints(source: &Skeleton, target: &Skeleton) -> Result<Vec<Pair>, RetargetError> {
    if let Some(animals) = Animals::of(source, target) {
        return Ok(animals.pairs(source, target));
    }
    let (from, onto) = (find_roles(source), find_roles(target));
    let no_roles = |which, skeleton: &Skeleton, joint| {
        let example = skeleton.name(joint).to_owned();
        Err(RetargetError::NoRoles { which, example })
    };
    let mut pairs = Vec::new();
    // For people, equal names may mean different parts: "LeftLeg" can be a shin or a thigh.
    if !has_limbs(&from) && !has_limbs(&onto) {
        add_equal_names(source, target, &mut pairs, |_| true);
    }
    let are_alike = 2 * pairs.len() >= source.len().min(target.len());
    for (roles, skeleton, which) in [(&from, source, "source"), (&onto, target, "target")] {
        if roles.joint(Role::Hips).is_none() && !are_alike {
            return no_roles(which, skeleton, skeleton.len() - 1);
        }
    }
    add_roles(&from, &onto, &mut pairs);
    if pairs.len() < 2 {
        return no_roles("source", source, 0);
    }
    add_equal_names(source, target, &mut pairs, |pair| {
        from.role(pair.source).is_none() && onto.role(pair.target).is_none()
    });
    pairs.sort_by_key(|pair| pair.target);
    Ok(pairs)
}

fn has_limbs(roles: &Roles) -> bool {
    let has = |role| roles.joint(role).is_some();
    let limbs = |side| has(Role::UpperLeg(side)) && has(Role::UpperArm(side));
    has(Role::Hips) && Side::ALL.into_iter().all(limbs)
}

/// Checks that at least half of the arm joints (upper arm to hand) and leg joints (upper leg to
/// foot) of the source have a counterpart. With fewer, the motion is not recognisable. If the
/// source has legs, also checks that each leg of the target follows some joint.
///
/// # Errors
/// [`RetargetError::FewLimbs`] for joints without a counterpart, [`RetargetError::LegsAtRest`] for
/// legs that follow nothing, [`RetargetError::BadPair`] for the first index out of range.
pub fn check_limbs(
    source: &Skeleton,
    target: &Skeleton,
    pairs: &[Pair],
) -> Result<(), RetargetError> {
    check_pairs(source, target, pairs)?;
    let [from, onto] = roles_of_pairs(source, target, pairs);
    let is_limb = |role: &Role| {
        use Role::*;
        matches!(
            role,
            UpperArm(_) | LowerArm(_) | Hand(_) | UpperLeg(_) | LowerLeg(_) | Foot(_)
        )
    };
    let limbs = from.iter().filter(|(role, _)| is_limb(role));
    let limbs: Vec<usize> = limbs.map(|(_, joint)| joint).collect();
    let missing: Vec<String> = (limbs.iter())
        .filter(|joint| pairs.iter().all(|pair| pair.source != **joint))
        .map(|joint| source.name(*joint).to_owned())
        .collect();
    let found = limbs.len() - missing.len();
    if found < missing.len() {
        return Err(RetargetError::FewLimbs {
            found,
            limbs: limbs.len(),
            missing,
        });
    }
    let legs: Vec<Vec<usize>> = match Animals::of(source, target) {
        Some(animals) => animals
            .target
            .legs
            .into_iter()
            .map(|leg| leg.joints)
            .collect(),
        None if legs(source, &from).is_empty() => return Ok(()),
        None => legs(target, &onto).into_values().collect(),
    };
    let rests = |joints: &&Vec<usize>| {
        let mut paired = pairs.iter();
        !paired.any(|pair| joints.contains(&pair.target))
    };
    let resting = legs.iter().filter(rests);
    let resting: Vec<String> = resting.map(|leg| target.name(leg[0]).to_owned()).collect();
    if resting.is_empty() {
        return Ok(());
    }
    Err(RetargetError::LegsAtRest {
        legs: legs.len(),
        resting,
    })
}

/// Pairs joints by a map of names.
///
/// # Errors
/// [`RetargetError`] for an unknown name, a target joint that occurs twice, or an empty map.
pub fn pairs_from_names(
    source: &Skeleton,
    target: &Skeleton,
    map: &NameMap,
) -> Result<Vec<Pair>, RetargetError> {
    let mut pairs: Vec<Pair> = Vec::new();
    for (from, onto) in map {
        let missing = |which, skeleton: &Skeleton, name: &String| {
            let names = (0..skeleton.len()).map(|joint| skeleton.name(joint));
            RetargetError::NoSuchJoint {
                which,
                name: name.clone(),
                near: hint(name, names),
            }
        };
        let joint = source.find(from);
        let joint = joint.ok_or_else(|| missing("source", source, from))?;
        let Some(onto) = onto else {
            continue;
        };
        let other = target.find(onto);
        let other = other.ok_or_else(|| missing("target", target, onto))?;
        if let Some(before) = pairs.iter().find(|pair| pair.target == other) {
            return Err(RetargetError::NamedTwice {
                target: onto.clone(),
                first: source.name(before.source).to_owned(),
                second: from.clone(),
            });
        }
        pairs.push(Pair {
            source: joint,
            target: other,
        });
    }
    if pairs.is_empty() {
        return Err(RetargetError::EmptyMap);
    }
    pairs.sort_by_key(|pair| pair.target);
    Ok(pairs)
}

/// Creates a map of names from `pairs`, with every joint of the source. Skips invalid indices.
pub fn names_of_pairs(source: &Skeleton, target: &Skeleton, pairs: &[Pair]) -> NameMap {
    let mut map = NameMap::new();
    for joint in 0..source.len() {
        map.entry(source.name(joint).to_owned()).or_insert(None);
    }
    let exists = |pair: &&Pair| pair.source < source.len() && pair.target < target.len();
    for pair in pairs.iter().filter(exists) {
        let name = target.name(pair.target).to_owned();
        map.insert(source.name(pair.source).to_owned(), Some(name));
    }
    map
}

pub(super) fn check_pairs(
    source: &Skeleton,
    target: &Skeleton,
    pairs: &[Pair],
) -> Result<(), RetargetError> {
    for pair in pairs {
        let positions = [
            ("source", pair.source, source.len()),
            ("target", pair.target, target.len()),
        ];
        if let Some((which, joint, joints)) = positions
            .into_iter()
            .find(|(_, joint, joints)| joint >= joints)
        {
            return Err(RetargetError::BadPair {
                which,
                joint,
                joints,
            });
        }
    }
    Ok(())
}

/// Roles of source and target. A role known for one joint of a pair applies to the other too.
pub(super) fn roles_of_pairs(source: &Skeleton, target: &Skeleton, pairs: &[Pair]) -> [Roles; 2] {
    if let Some(Animals { source, target }) = Animals::of(source, target) {
        return [source.roles, target.roles];
    }
    let [mut from, mut onto] = [find_roles(source), find_roles(target)];
    for pair in pairs {
        match (from.role(pair.source), onto.role(pair.target)) {
            (None, Some(role)) => from.set(role, pair.source),
            (Some(role), None) => onto.set(role, pair.target),
            _ => {}
        }
    }
    let has_hips = |roles: &Roles| roles.joint(Role::Hips).is_some();
    if let Some(middle) = middle(target, pairs).filter(|_| !has_hips(&from) && !has_hips(&onto)) {
        from.set(Role::Hips, middle.source);
        onto.set(Role::Hips, middle.target);
    }
    [from, onto]
}

/// Deepest pair with nearly all other pairs below it. It moves a body without known hips.
fn middle(target: &Skeleton, pairs: &[Pair]) -> Option<Pair> {
    const NEARLY_ALL: f64 = 0.75;
    let mut below = vec![0_usize; target.len()];
    for pair in pairs {
        below[pair.target] += 1;
    }
    for joint in (0..target.len()).rev() {
        if let Some(parent) = target.parent(joint) {
            below[parent] += below[joint];
        }
    }
    let all = *below.iter().max()? as f64;
    let nearly_all = |pair: &&Pair| below[pair.target] as f64 >= NEARLY_ALL * all;
    let pairs = pairs.iter().filter(nearly_all);
    pairs.min_by_key(|pair| below[pair.target]).copied()
}
