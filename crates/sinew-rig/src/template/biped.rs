//! A person 1.78 m tall (seven and a half heads) that faces +z, with +x on its left and the arms
//! 42° below the horizontal. Limits are rounded from the ranges of motion in physiotherapy. The
//! shoulder joint twists farther than a real one, since it includes the shoulder blade.

use super::draft::{Draft, Side, ball, digit, hinge, saddle, sin_cos_deg};
use super::joints::Template;
use glam::Vec3;
use sinew::skeleton::limits::{AngleRange, Freedom, RotationLimit};
use sinew::transform::{Axis, EulerOrder};

/// Names of the fingers, from the thumb.
pub const FINGERS: [&str; 5] = ["thumb", "index", "middle", "ring", "little"];

/// Template of a person, with optional parts.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "metarig")]
#[doc(alias = "humanoid")]
pub struct Biped {
    /// True if the hands have fingers of three joints each. Default true.
    pub fingers: bool,
    /// True if the feet bend at the toes. Default true.
    pub toes: bool,
    /// Number of joints between hips and chest, at most 256. Default 2.
    pub spine: usize,
}

impl Default for Biped {
    fn default() -> Self {
        Self {
            fingers: true,
            toes: true,
            spine: 2,
        }
    }
}

const MAX_SPINE: usize = 256;
/// Height from sole to crown, in metres.
pub(super) const HEIGHT: f32 = 1.78;
pub(super) const ARM_DEG: f32 = 42.0;

/// Finger of the left hand. `knuckle` is the offset of its first joint from the wrist, in metres:
/// along the hand and toward the thumb.
struct Finger {
    knuckle: [f32; 2],
    bones: [f32; 3],
    spread_deg: f32,
    curl_deg: [f32; 3],
}

const FOUR_FINGERS: [Finger; 4] = [
    Finger {
        knuckle: [0.090, 0.0295],
        bones: [0.040, 0.024, 0.0175],
        spread_deg: 11.0,
        curl_deg: [6.0, 12.0, 8.0],
    },
    Finger {
        knuckle: [0.094, 0.0085],
        bones: [0.044, 0.0275, 0.018],
        spread_deg: 2.0,
        curl_deg: [8.0, 14.0, 9.0],
    },
    Finger {
        knuckle: [0.090, -0.0125],
        bones: [0.040, 0.0255, 0.018],
        spread_deg: -7.0,
        curl_deg: [10.0, 15.0, 10.0],
    },
    Finger {
        knuckle: [0.082, -0.032],
        bones: [0.031, 0.019, 0.0155],
        spread_deg: -17.0,
        curl_deg: [11.0, 15.0, 10.0],
    },
];

impl Biped {
    /// Joints of a person 1.78 m tall.
    pub fn template(&self) -> Template {
        let mut draft = Draft { joints: Vec::new() };
        let hips = draft.add(
            "hips",
            None,
            Vec3::new(0.0, 0.965, 0.0),
            Vec3::Z,
            Freedom {
                rotation: RotationLimit::Free,
                slides: [true; 3],
                ..Freedom::default()
            },
        );
        let chest_at = Vec3::new(0.0, 1.27, -0.012);
        let mut below = hips;
        let spine = self.spine.min(MAX_SPINE);
        for k in 1..=spine {
            // The first bone is shorter, because the pelvis reaches up to the waist.
            let t = (k as f32 / (spine + 1) as f32).min(1.0);
            let hollow = Vec3::new(0.0, 0.0, 0.012 * 4.0 * t * (1.0 - t));
            let from = Vec3::new(0.0, 0.965, 0.0);
            let at = from + (chest_at - from) * t + hollow;
            let name = format!("spine_{k}");
            below = draft.next(&name, below, at, Vec3::Z, ball(35.0, 35.0));
        }
        let chest = draft.next("chest", below, chest_at, Vec3::Z, ball(30.0, 30.0));
        let neck_at = Vec3::new(0.0, 1.48, -0.022);
        let neck = draft.next("neck", chest, neck_at, Vec3::Z, ball(40.0, 45.0));
        let head_at = Vec3::new(0.0, 1.575, -0.002);
        let head = draft.next("head", neck, head_at, Vec3::Z, ball(40.0, 50.0));
        draft.joints[head].tip = Vec3::new(0.0, HEIGHT, 0.0);
        for side in [Side::LEFT, Side::RIGHT] {
            self.arm(&mut draft, &side, chest);
        }
        for side in [Side::LEFT, Side::RIGHT] {
            self.leg(&mut draft, &side, hips);
        }
        Template {
            joints: draft.joints,
        }
    }

    fn arm(&self, draft: &mut Draft, side: &Side, chest: usize) {
        let (sin, cos) = sin_cos_deg(ARM_DEG);
        let along = Vec3::new(cos, -sin, 0.0);
        let shoulder_at = Vec3::new(0.028, 1.425, 0.012);
        let arm_at = Vec3::new(0.176, 1.428, -0.018);
        let elbow_at = arm_at + along * 0.282 + Vec3::new(0.0, 0.0, -0.006);
        // A slight bend of the forearm shows its bending direction.
        let forearm = (along + Vec3::new(-0.01, -0.02, 0.14)).normalize();
        let wrist_at = elbow_at + forearm * 0.252;
        let shoulder = side.add(
            draft,
            "shoulder",
            chest,
            shoulder_at,
            Vec3::Z,
            ball(30.0, 20.0),
        );
        let upper = side.next(
            draft,
            "upper_arm",
            shoulder,
            arm_at,
            Vec3::Z,
            ball(150.0, 120.0),
        );
        let elbow = Freedom {
            rotation: RotationLimit::Saddle {
                axes: [Axis::X, Axis::Y],
                ranges: [
                    AngleRange::degrees(-8.0, 145.0),
                    AngleRange::degrees(-90.0, 90.0),
                ],
            },
            ..Freedom::default()
        };
        let lower = side.next(draft, "lower_arm", upper, elbow_at, Vec3::Z, elbow);
        let palm = Vec3::Z.cross(forearm).normalize() * -1.0;
        let hand = side.next(
            draft,
            "hand",
            lower,
            wrist_at,
            palm,
            saddle([-75.0, 80.0], [-35.0, 35.0]),
        );
        let across = forearm.cross(palm) * -1.0;
        let tip = wrist_at + forearm * 0.09;
        draft.joints[hand].tip = side.of(tip);
        if !self.fingers {
            draft.joints[hand].tip = side.of(wrist_at + forearm * 0.18);
            return;
        }
        self.thumb(draft, side, hand, [wrist_at, forearm, across, palm]);
        for (name, finger) in FINGERS[1..].iter().zip(&FOUR_FINGERS) {
            let [down, to_thumb] = finger.knuckle;
            let at = wrist_at + forearm * down + across * to_thumb;
            let (sin, cos) = sin_cos_deg(finger.spread_deg);
            let (y, sideways) = (forearm * cos + across * sin, across * cos - forearm * sin);
            let first = saddle([-25.0, 95.0], [-20.0, 20.0]);
            let freedoms = [first, hinge(-8.0, 110.0), hinge(-8.0, 85.0)];
            let bend = [finger.curl_deg, finger.bones];
            digit(draft, side, name, hand, [at, y, sideways], bend, freedoms);
        }
    }

    fn thumb(&self, draft: &mut Draft, side: &Side, hand: usize, frame: [Vec3; 4]) {
        let [wrist, along, across, palm] = frame;
        let at = wrist + along * 0.024 + across * 0.021 + palm * 0.010;
        let y = (along * 0.72 + across * 0.62 + palm * 0.34).normalize();
        let toward = palm * 0.75 - across * 0.65;
        let toward = (toward - y * toward.dot(y)).normalize();
        let sideways = y.cross(toward) * -1.0;
        let freedoms = [
            saddle([-45.0, 45.0], [-45.0, 45.0]),
            hinge(-15.0, 70.0),
            hinge(-15.0, 85.0),
        ];
        let bend = [[0.0, 8.0, 8.0], [0.044, 0.033, 0.025]];
        digit(
            draft,
            side,
            "thumb",
            hand,
            [at, y, sideways],
            bend,
            freedoms,
        );
    }

    fn leg(&self, draft: &mut Draft, side: &Side, hips: usize) {
        let back = Vec3::NEG_Z;
        // On the left, outward is a negative angle about z.
        let out = |a: f32, b: f32| side.range(-a, b);
        let hip = Freedom {
            rotation: RotationLimit::Euler {
                order: EulerOrder::new([Axis::X, Axis::Z, Axis::Y]).expect("three axes"),
                ranges: [
                    AngleRange::degrees(-125.0, 40.0),
                    out(60.0, 35.0),
                    AngleRange::degrees(-60.0, 60.0),
                ],
            },
            ..Freedom::default()
        };
        let hip_at = Vec3::new(0.09, 0.925, 0.0);
        let knee_at = Vec3::new(0.098, 0.495, 0.006);
        let ankle_at = Vec3::new(0.104, 0.088, -0.026);
        let ball_at = Vec3::new(0.119, 0.024, 0.104);
        let tip = Vec3::new(0.127, 0.02, 0.184);
        let upper = side.add(draft, "upper_leg", hips, hip_at, back, hip);
        let knee = hinge(-8.0, 150.0);
        let lower = side.next(draft, "lower_leg", upper, knee_at, back, knee);
        let ankle = Freedom {
            rotation: RotationLimit::Euler {
                order: EulerOrder::XYZ,
                ranges: [
                    AngleRange::degrees(-40.0, 60.0),
                    AngleRange::degrees(-30.0, 30.0),
                    AngleRange::degrees(-30.0, 30.0),
                ],
            },
            ..Freedom::default()
        };
        let foot = side.next(draft, "foot", lower, ankle_at, Vec3::NEG_Y, ankle);
        draft.joints[foot].tip = side.of(tip);
        if self.toes {
            let freedom = hinge(-60.0, 45.0);
            let toes = side.next(draft, "toes", foot, ball_at, Vec3::NEG_Y, freedom);
            draft.joints[toes].tip = side.of(tip);
        }
    }
}
