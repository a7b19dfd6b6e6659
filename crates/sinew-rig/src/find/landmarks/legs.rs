//! Legs: from the toes to the crotch, and the joints on the way.

use super::marks::Marks;
use crate::find::skin::graph::Skin;
use crate::find::skin::limb::{Limb, Limbed};
use crate::find::skin::reach::{Tip, distances};
use glam::DVec3;

/// Height of the ankle above the sole, in heights of the body.
const ANKLE: f64 = 0.052;
/// Max of the same, as a fraction of the leg above the shin.
const ANKLE_OF_LEG: f64 = 0.3;
/// Bend of the leg between sole and shin, as fractions of its length from the toes.
const HEEL_RANGE: [f64; 2] = [0.2, 0.5];
/// Way of the knee from hip to ankle.
const KNEE: f64 = 0.49;
/// Half length of the parts of a leg whose middle is taken, as a fraction of the leg.
const SPAN: f64 = 0.1;
/// Least cosine between thigh and trunk of a body that stands.
const UPRIGHT: f64 = 0.85;
/// Usual height of the hip, from adults to figures with large heads: this part of the height of
/// the shoulders, less this part of the height of the body.
const USUAL_HIP: [f64; 2] = [0.95, 0.25];
/// A fork this far below is the hem of a skirt, and no hip is that far above it, in heights.
const HEM: f64 = 0.06;
const NEAR: f64 = 0.07;
/// Way of the ball of the foot from the ankle to the toes.
const BALL: f64 = 0.62;

/// A leg.
#[derive(Clone, Debug)]
pub(crate) struct Leg {
    limb: Limb,
    /// Middle of the thigh at the crotch, and the direction of the thigh, up the leg.
    top: DVec3,
    up: DVec3,
    ankle: DVec3,
    ankle_far: f64,
    toe: DVec3,
}

impl Limbed for Leg {
    fn root(&self) -> DVec3 {
        self.top
    }
}

impl Leg {
    /// Leg from a tip to where it meets the other leg, `length` from the tip.
    pub fn new(skin: &Skin, tip: &Tip, length: f64, height: f64) -> Self {
        let limb = Limb::to(skin, tip.node, length);
        let far = distances(skin, &[tip.node]);
        let heel = limb.turn(HEEL_RANGE);
        let shin = |part: f64| {
            let [from, to] = [part - SPAN, part + SPAN].map(|part| heel + part * (length - heel));
            limb.mean(from, to)
        };
        let [shin_low, shin_high] = [shin(0.2), shin(0.4)];
        let [thigh_low, thigh_high] = [shin(0.55), shin(0.85)];
        // Thighs that stand apart still leave the pelvis side by side.
        let up = (thigh_high - thigh_low).with_x(0.0).normalize_or(DVec3::Y);
        let top = thigh_high + up * (0.15 * (length - heel));
        // The shin points to the heel. Its end there is the sole, whatever the foot stands on.
        let down = (shin_low - shin_high).normalize_or(-DVec3::Y);
        let foot = (0..skin.len()).filter(|&n| far[n] < heel + 0.2 * (length - heel));
        let sole = foot
            .map(|n| (skin.at[n] - shin_low).dot(down))
            .fold(0.0, f64::max);
        let rise = (ANKLE * height).min(ANKLE_OF_LEG * (shin_high - top).length());
        let ankle = shin_low + down * (sole - rise).max(0.0);
        let ankle_far = (heel + 0.2 * (length - heel) - (sole - rise)).max(0.5 * heel);
        Self {
            limb,
            top,
            up,
            ankle,
            ankle_far,
            toe: skin.at[tip.node],
        }
    }

    /// Marks a leg. `hip` is the height of the hip above the crotch, per way from crotch to shoulders.
    pub fn mark(
        &self,
        marks: &mut Marks,
        side: &str,
        shoulders: DVec3,
        [low, height]: [f64; 2],
        hip: f64,
    ) {
        // Of a body that sits, the thigh ends at the hip.
        let trunk = shoulders - self.top;
        let upright = self.up.dot(trunk.normalize_or(self.up)).max(0.0);
        let mut hip = self.top + self.up * (hip * upright * trunk.length());
        let usual = low + USUAL_HIP[0] * (shoulders.y - low) - USUAL_HIP[1] * height;
        let is_hem = upright > UPRIGHT && hip.y < usual - HEM * height;
        if is_hem {
            hip.y = usual;
        } else if upright > UPRIGHT {
            hip.y = hip.y.min(usual + NEAR * height);
        }
        let (knee, bend) = if is_hem {
            (hip.lerp(self.ankle, KNEE), 0.0)
        } else {
            self.limb.bend(
                self.ankle_far,
                self.limb.length,
                1.0 - KNEE,
                self.ankle,
                hip,
            )
        };
        marks.set(format!("{side}_upper_leg"), hip, 0.75);
        marks.set(format!("{side}_lower_leg"), knee, 0.75 + 0.2 * bend);
        marks.set(format!("{side}_foot"), self.ankle, 0.8);
        let ball = self.ankle.lerp(self.toe, BALL);
        marks.set(
            format!("{side}_toes"),
            ball.with_y(ball.y.min(self.toe.y + 0.3 * (self.ankle.y - self.toe.y))),
            0.7,
        );
        marks.set(format!("{side}_toes_tip"), self.toe, 0.9);
    }
}
