//! Number of legs that a body stands on at rest.

use super::body::model_pose::ModelPoseF64;
use super::body::standing::Body;
use super::legs::legs;
use super::roles::find_roles::find_roles;
use super::roles::four_legs::find_four_legs;
use sinew::Skeleton;
use sinew::skeleton::{Role, Side};

/// Max height of the ends of front legs, in hip heights. Hanging hands are at 0.6 or more.
const NEAR_GROUND: f64 = 0.35;

/// Posture of a body at rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stance {
    /// Stands on two legs, as people do.
    TwoLegs,
    /// Stands on four legs.
    FourLegs,
}

/// Posture of a skeleton at rest: four legs by its shape, or either by names. `None` without known
/// hips, legs, and arms or front legs.
///
/// ```
/// use sinew_rig::retarget::{Stance, stance_of};
/// let person = sinew_samples::humanoid_character();
/// assert_eq!(stance_of(&person.skeleton), Some(Stance::TwoLegs));
/// ```
pub fn stance_of(skeleton: &Skeleton) -> Option<Stance> {
    if find_four_legs(skeleton).is_some() {
        return Some(Stance::FourLegs);
    }
    let roles = find_roles(skeleton);
    let legs = legs(skeleton, &roles);
    let rest = ModelPoseF64::of_pose(skeleton, skeleton.rest());
    let body = Body::new(skeleton, roles, rest)?;
    let up = body.up();
    let height = |joint: usize| body.rest.position(joint).dot(up);
    let lowest = |top: usize| {
        let below = skeleton.hierarchy().subtree(top).map(height);
        below.fold(f64::INFINITY, f64::min)
    };
    let first = |leg| legs.get(&leg).map(|joints| joints[0]);
    let (mut sole, mut hips, mut fore) = (f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY);
    for side in Side::ALL {
        let arm = body.roles.joint(Role::UpperArm(side));
        let leg = first((false, Some(side)))?;
        (sole, hips) = (sole.min(lowest(leg)), hips.max(height(leg)));
        fore = fore.max(lowest(arm.or_else(|| first((true, Some(side))))?));
    }
    let stance = if fore - sole < NEAR_GROUND * (hips - sole) {
        Stance::FourLegs
    } else {
        Stance::TwoLegs
    };
    (hips > sole).then_some(stance)
}
