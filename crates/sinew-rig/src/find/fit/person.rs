//! Plan of a person: proportions of adults (Drillis and Contini 1966) and of figures with large
//! heads, and the poses of people who stand, walk or sit.

use super::plan::{Bone, Build, Place, Plan, Span};
use crate::find::constants::Constants;
use glam::DVec3;

pub(crate) const PELVIS: usize = 0;
pub(crate) const CHEST: usize = 1;
pub(crate) const SKULL: usize = 2;
pub(crate) const CROWN: usize = 3;
/// Joints of the left side. Those of the right side are [`SIDE`] later.
pub(crate) const SHOULDER: usize = 4;
pub(crate) const ELBOW: usize = 5;
pub(crate) const WRIST: usize = 6;
pub(crate) const HAND: usize = 7;
pub(crate) const HIP: usize = 8;
pub(crate) const KNEE: usize = 9;
pub(crate) const ANKLE: usize = 10;
pub(crate) const TOE: usize = 11;
pub(crate) const SIDE: usize = 8;
const JOINTS: usize = 20;

// Indices of lengths.
pub(crate) const TRUNK: usize = 0;
pub(crate) const NECK: usize = 1;
pub(crate) const HEAD: usize = 2;
pub(crate) const COLLAR: usize = 3;
pub(crate) const UPPER: usize = 4;
pub(crate) const FORE: usize = 5;
pub(crate) const PALM: usize = 6;
pub(crate) const BASIN: usize = 7;
pub(crate) const THIGH: usize = 8;
pub(crate) const SHIN: usize = 9;
pub(crate) const FOOT: usize = 10;

/// Name of each joint in a template, without its side.
pub(crate) const NAMES: [(&str, usize); 8] = [
    ("upper_arm", SHOULDER),
    ("lower_arm", ELBOW),
    ("hand", WRIST),
    ("hand_tip", HAND),
    ("upper_leg", HIP),
    ("lower_leg", KNEE),
    ("foot", ANKLE),
    ("toes_tip", TOE),
];

/// Adults, children and cartoon figures, and figures whose head is nearly half of them.
pub(crate) fn builds(constants: &Constants) -> [Build; 3] {
    let build = |rare: f64, lengths: [f64; 11], radii: [f64; 15]| Build {
        rare,
        lengths: lengths
            .iter()
            .zip(LOOSE)
            .map(|(l, loose)| [*l, constants.loose * loose * (1.0 + rare / 20.0)])
            .collect(),
        radii: radii.map(|radius| [radius, constants.girth]).into(),
    };
    [
        build(
            0.0,
            [
                0.29, 0.065, 0.12, 0.1, 0.165, 0.145, 0.1, 0.052, 0.245, 0.24, 0.13,
            ],
            [
                0.062, 0.06, 0.065, 0.042, 0.034, 0.058, 0.03, 0.024, 0.016, 0.012, 0.055, 0.035,
                0.023, 0.022, 0.018,
            ],
        ),
        build(
            6.0,
            [
                0.28, 0.08, 0.21, 0.085, 0.15, 0.13, 0.09, 0.055, 0.2, 0.19, 0.13,
            ],
            [
                0.065, 0.063, 0.07, 0.045, 0.04, 0.1, 0.033, 0.028, 0.02, 0.016, 0.058, 0.04,
                0.028, 0.025, 0.021,
            ],
        ),
        build(
            12.0,
            [
                0.25, 0.08, 0.43, 0.095, 0.125, 0.115, 0.09, 0.09, 0.1, 0.09, 0.1,
            ],
            [
                0.08, 0.07, 0.085, 0.05, 0.06, 0.19, 0.04, 0.04, 0.035, 0.03, 0.06, 0.05, 0.05,
                0.04, 0.035,
            ],
        ),
    ]
}

/// Usual deviation of each length, as a fraction of it.
const LOOSE: [f64; 11] = [0.1, 0.3, 0.25, 0.2, 0.1, 0.1, 0.2, 0.25, 0.1, 0.1, 0.25];

const fn on(joint: usize) -> Place {
    [(joint, 1.0), (joint, 0.0)]
}

const fn between(a: usize, b: usize, part: f64) -> Place {
    [(a, 1.0 - part), (b, part)]
}

pub(crate) fn plan() -> Plan {
    let mut plan = Plan {
        joints: JOINTS,
        bones: Vec::new(),
        spans: Vec::new(),
        rules: Vec::new(),
    };
    let mut bone = |a: Place, b: Place, radii: [usize; 2]| {
        plan.bones.push(Bone {
            ends: [a, b],
            radii,
        });
    };
    bone(on(PELVIS), on(CHEST), [2, 1]);
    bone(on(CHEST), on(SKULL), [4, 4]);
    bone(
        between(SKULL, CROWN, 0.35),
        between(SKULL, CROWN, 0.55),
        [5, 5],
    );
    for side in [0, SIDE] {
        bone(
            between(PELVIS, HIP + side, 0.9),
            between(CHEST, SHOULDER + side, 0.55),
            [0, 1],
        );
        bone(
            between(CHEST, SHOULDER + side, 0.3),
            on(SHOULDER + side),
            [3, 3],
        );
        bone(on(SHOULDER + side), on(ELBOW + side), [6, 7]);
        bone(on(ELBOW + side), on(WRIST + side), [7, 8]);
        bone(
            on(WRIST + side),
            between(WRIST + side, HAND + side, 0.9),
            [8, 9],
        );
        bone(on(HIP + side), on(KNEE + side), [10, 11]);
        bone(on(KNEE + side), on(ANKLE + side), [11, 12]);
        bone(
            between(ANKLE + side, TOE + side, 0.1),
            between(ANKLE + side, TOE + side, 0.85),
            [13, 14],
        );
    }
    let mut span = |a: usize, b: usize, length: usize| {
        plan.spans.push(Span {
            joints: [a, b],
            length,
        });
    };
    span(PELVIS, CHEST, TRUNK);
    span(CHEST, SKULL, NECK);
    span(SKULL, CROWN, HEAD);
    for side in [0, SIDE] {
        for (a, b, length) in [
            (CHEST, SHOULDER + side, COLLAR),
            (SHOULDER + side, ELBOW + side, UPPER),
            (ELBOW + side, WRIST + side, FORE),
            (WRIST + side, HAND + side, PALM),
            (PELVIS, HIP + side, BASIN),
            (HIP + side, KNEE + side, THIGH),
            (KNEE + side, ANKLE + side, SHIN),
            (ANKLE + side, TOE + side, FOOT),
        ] {
            span(a, b, length);
        }
    }
    trunk_rules(&mut plan);
    for (side, out) in [(0, X), (SIDE, -X)] {
        leg_rules(&mut plan, side, out);
        arm_rules(&mut plan, side, out);
    }
    plan
}

const X: DVec3 = DVec3::X;
const Y: DVec3 = DVec3::Y;
const Z: DVec3 = DVec3::Z;

fn trunk_rules(plan: &mut Plan) {
    let shoulders = [(SHOULDER, 1.0), (SHOULDER + SIDE, -1.0)];
    let hips = [(HIP, 1.0), (HIP + SIDE, -1.0)];
    for axis in [X, Y, Z] {
        let middle = |joint: usize, of: usize| [(joint, 1.0), (joint + SIDE, 1.0), (of, -2.0)];
        plan.usual(&middle(SHOULDER, CHEST), axis, TRUNK, [0.0, 0.05]);
        plan.usual(&middle(HIP, PELVIS), axis, TRUNK, [0.0, 0.03]);
    }
    // Level, and facing the front.
    for (across, length) in [(shoulders, COLLAR), (hips, BASIN)] {
        plan.usual(&across, Y, length, [0.0, 0.3]);
        plan.usual(&across, Z, length, [0.0, 0.5]);
        plan.at_least(&across, X, length, [1.8, 0.2]);
    }
    // Upright: sideways, to the front, and up.
    let up = |from: usize, to: usize| [(to, 1.0), (from, -1.0)];
    for (bone, length, beside, ahead, above) in [
        (up(PELVIS, CHEST), TRUNK, 0.1, [0.0, 0.25], [0.85, 0.1]),
        (up(CHEST, SKULL), NECK, 0.2, [0.15, 0.35], [0.7, 0.15]),
        (up(SKULL, CROWN), HEAD, 0.2, [0.05, 0.3], [0.8, 0.15]),
    ] {
        plan.usual(&bone, X, length, [0.0, beside]);
        plan.usual(&bone, Z, length, ahead);
        plan.at_least(&bone, Y, length, above);
    }
}

fn leg_rules(plan: &mut Plan, side: usize, out: DVec3) {
    let [hip, knee, ankle, toe] = [HIP, KNEE, ANKLE, TOE].map(|joint| joint + side);
    let thigh = [(knee, 1.0), (hip, -1.0)];
    plan.at_least(&thigh, -Y, THIGH, [-0.2, 0.2]);
    plan.at_least(&thigh, out, THIGH, [-0.1, 0.12]);
    plan.at_least(&thigh, -out, THIGH, [-0.5, 0.2]);
    plan.at_least(&thigh, Z, THIGH, [-0.5, 0.2]);
    let shin = [(ankle, 1.0), (knee, -1.0)];
    plan.at_least(&shin, -Y, SHIN, [0.2, 0.3]);
    plan.usual(&shin, X, SHIN, [0.0, 0.4]);
    // Knees bend to the back.
    let bend = [(ankle, 1.0), (knee, -2.0), (hip, 1.0)];
    plan.at_least(&bend, -Z, SHIN, [0.0, 0.12]);
    plan.usual(&bend, X, SHIN, [0.0, 0.2]);
    plan.usual(&bend, Z, SHIN, [0.0, 0.8]);
    // Feet are near the ground.
    plan.at_least(&[(ankle, 1.0)], -Y, SHIN, [-0.3, 0.2]);
    let foot = [(toe, 1.0), (ankle, -1.0)];
    plan.at_least(&foot, Z, FOOT, [0.6, 0.25]);
    plan.usual(&foot, out, FOOT, [0.15, 0.3]);
    plan.usual(&foot, Y, FOOT, [-0.3, 0.35]);
}

fn arm_rules(plan: &mut Plan, side: usize, out: DVec3) {
    let [shoulder, elbow, wrist, hand] = [SHOULDER, ELBOW, WRIST, HAND].map(|joint| joint + side);
    let upper = [(elbow, 1.0), (shoulder, -1.0)];
    plan.at_least(&upper, out, UPPER, [-0.1, 0.15]);
    plan.at_least(&upper, -Y, UPPER, [-0.3, 0.3]);
    plan.usual(&upper, Z, UPPER, [0.0, 0.6]);
    // Elbows bend to the front, and hands go on from forearms.
    let bend = [(wrist, 1.0), (elbow, -2.0), (shoulder, 1.0)];
    plan.at_least(&bend, Z, FORE, [-0.05, 0.15]);
    for axis in [X, Y, Z] {
        plan.usual(&bend, axis, FORE, [0.0, 1.0]);
        plan.usual(
            &[(hand, 1.0), (wrist, -1.7), (elbow, 0.7)],
            axis,
            PALM,
            [0.0, 0.4],
        );
    }
}
