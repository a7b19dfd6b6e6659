//! Clip with joint scale: a deep breath, and a hand that grows.

use super::puppet::{Side, clip, euler_deg, smooth};
use super::standing::standing;
use glam::Vec3;
use sinew::Skeleton;
use sinew::clip::Clip;
use std::f32::consts::TAU;

const SECS: f32 = 4.0;
/// Relative growth of the chest. `HAND` is the growth of the hand.
const CHEST: f32 = 0.12;
const HAND: f32 = 0.9;

/// Creates a clip that scales joints. The chest swells by 12 % while neck and shoulders keep their
/// size. A raised hand with its fingers grows to 1.9 times its size.
///
/// ```
/// use sinew_samples::mannequin::{Mannequin, grow};
/// let mut person = Mannequin::default().build();
/// person.clips.insert(0, grow(&person.skeleton));
/// ```
pub fn grow(skeleton: &Skeleton) -> Clip {
    clip("grow", skeleton, SECS, |time| {
        let amount = 0.5 - 0.5 * libm::cosf(TAU * time / SECS);
        let raised = smooth(2.0 * amount);
        let mut puppet = standing(skeleton, 0.0);
        puppet.rotate("chest", euler_deg(-1.0 - 5.0 * amount, 1.0, 0.0));
        puppet.rotate(
            "head",
            euler_deg(-2.0 * amount, 14.0 * raised, -5.0 * raised),
        );
        puppet.rotate("left_shoulder", euler_deg(0.0, 0.0, 1.5 + 6.0 * raised));
        let upper = Vec3::new(0.24, -1.0, -0.06).lerp(Vec3::new(1.0, -0.30, 0.35), raised);
        let by = Vec3::new(0.55, 0.0, 1.0) * (4.0 * raised * (1.0 - raised)).min(1.0);
        let lower = Vec3::new(0.06, -1.0, 0.24).lerp(Vec3::new(0.40, 1.0, 0.25), raised) + by;
        puppet.arm(Side::Left, upper, lower);
        let palm = Vec3::new(-1.0, 0.0, -0.35).lerp(Vec3::new(-0.15, 0.0, 1.0), raised);
        puppet.hand(Side::Left, lower, palm);
        puppet.fist(Side::Left, 0.28 * (1.0 - raised));
        let chest = 1.0 + CHEST * amount;
        for (joint, scale) in [
            ("chest", chest),
            ("neck", 1.0 / chest),
            ("left_shoulder", 1.0 / chest),
            ("right_shoulder", 1.0 / chest),
            ("left_hand", 1.0 + HAND * amount * amount),
        ] {
            let joint = puppet.index(joint);
            puppet.local.set_scale(joint, Vec3::splat(scale));
        }
        puppet.local
    })
}
