//! Motions of arms and legs that try new weights: arms are lifted to horizontal, legs swing ahead and back.

use crate::retarget::find_roles;
use glam::{DQuat, DVec3};
use sinew::skeleton::{Role, Side};
use sinew::{Skeleton, Skin};

/// Swing of a leg, in radians: 60°, a long step.
const SWING_RAD: f64 = std::f64::consts::FRAC_PI_3;
/// Min angle that moves anything, in radians.
const STILL_RAD: f64 = 0.05;

/// Motion that tries new weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrialMotion {
    /// Both arms are lifted from their bind pose to horizontal.
    ArmsLifted,
    /// Both legs swing ahead by 60°. On four legs, all do.
    LegsAhead,
    /// Both legs swing back by 60°. On four legs, all do.
    LegsBack,
    /// One joint rotates by 60° about the worst axis.
    OneJoint,
}

/// First joint, second joint and end of a limb, as indices in the skin.
type Limb = [usize; 3];

/// Arms and legs of a skin, left and right. `None` if a joint is not known by its role.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Limbs {
    arms: Option<[Limb; 2]>,
    legs: Option<[Limb; 2]>,
}

/// Rotations of limbs at one time, each with the first joint of its limb.
pub(crate) struct Motion {
    pub name: TrialMotion,
    pub limbs: Vec<(usize, DQuat)>,
}

impl Limbs {
    pub fn find(skeleton: &Skeleton, skin: &Skin) -> Self {
        let roles = find_roles(skeleton);
        let entry = |role: Role| {
            let joint = roles.joint(role)?;
            skin.joints.iter().position(|&other| other == joint)
        };
        let limb = |first: Role, second: Role, end: Role| {
            let (first, second) = (entry(first)?, entry(second)?);
            Some([first, second, entry(end).unwrap_or(second)])
        };
        let arm = |side| limb(Role::UpperArm(side), Role::LowerArm(side), Role::Hand(side));
        let leg = |side| limb(Role::UpperLeg(side), Role::LowerLeg(side), Role::Foot(side));
        let both = |limbs: [Option<Limb>; 2]| Some([limbs[0]?, limbs[1]?]);
        Self {
            arms: both([Side::Left, Side::Right].map(arm)),
            legs: both([Side::Left, Side::Right].map(leg)),
        }
    }

    /// First joints of the arms.
    pub fn arms(&self) -> impl Iterator<Item = usize> {
        self.arms.into_iter().flatten().map(|arm| arm[0])
    }

    /// First joints of arms and legs.
    pub fn first_joints(&self) -> impl Iterator<Item = usize> {
        self.all().map(|limb| limb[0])
    }

    /// Second joints of arms and legs.
    pub fn second_joints(&self) -> impl Iterator<Item = usize> {
        self.all().map(|limb| limb[1])
    }

    fn all(&self) -> impl Iterator<Item = Limb> {
        self.arms.into_iter().chain(self.legs).flatten()
    }

    /// Motions for joints at these positions. None without known arms and legs: legs show the direction of the ground.
    pub fn motions(&self, heads: &[DVec3]) -> Vec<Motion> {
        let (Some(arms), Some(legs)) = (self.arms, self.legs) else {
            return Vec::new();
        };
        let side = (heads[legs[0][0]] - heads[legs[1][0]]).normalize_or_zero();
        let along = |limb: &Limb| (heads[limb[2]] - heads[limb[0]]).normalize_or_zero();
        let up = -(along(&legs[0]) + along(&legs[1])).reject_from_normalized(side);
        let up = up.normalize_or_zero();
        if side == DVec3::ZERO || up == DVec3::ZERO {
            return Vec::new();
        }
        let height = |limb: &Limb, k: usize| heads[limb[k]].dot(up);
        // Arms that reach below the knees are front legs.
        let is_front = |(arm, leg): (&Limb, &Limb)| height(arm, 2) < height(leg, 1);
        let has_front_legs = arms.iter().zip(&legs).all(is_front);
        let mut swung = legs.to_vec();
        let mut motions = Vec::new();
        if has_front_legs {
            swung.extend(arms);
        } else {
            let lifted = arms.iter().zip([1.0, -1.0]).map(|(arm, sign)| {
                let upper = (heads[arm[1]] - heads[arm[0]]).normalize_or_zero();
                let below = (-upper.dot(up)).clamp(0.0, 1.0);
                let axis = side.cross(up);
                (
                    arm[0],
                    DQuat::from_axis_angle(axis, sign * libm::asin(below)),
                )
            });
            let lifted = lifted.filter(|arm| arm.1.w < libm::cos(0.5 * STILL_RAD));
            motions.push(Motion {
                name: TrialMotion::ArmsLifted,
                limbs: lifted.collect(),
            });
        }
        for (name, angle) in [
            (TrialMotion::LegsAhead, -SWING_RAD),
            (TrialMotion::LegsBack, SWING_RAD),
        ] {
            let rotation = DQuat::from_axis_angle(side, angle);
            let limbs = swung.iter().map(|leg| (leg[0], rotation)).collect();
            motions.push(Motion { name, limbs });
        }
        motions
    }
}
