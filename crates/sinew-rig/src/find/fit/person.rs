//! Plan of a person: proportions of adults (Drillis and Contini 1966) and of figures with large
//! heads, and the poses of people who stand, walk or sit.

use super::plan::{Bone, Build, Place, Plan, Rule, Span};
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
pub(crate) fn builds() -> [Build; 3] {
    let build = |rare: f64, lengths: [f64; 11], radii: [f64; 15]| Build {
        rare,
        lengths: lengths
            .iter()
            .zip(LOOSE)
            .map(|(l, loose)| [*l, loose * (1.0 + rare / 20.0)])
            .collect(),
        radii: radii.map(|radius| [radius, 0.22]).into(),
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
        })
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
        })
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
    rules(&mut plan.rules);
    plan
}

fn rules(rules: &mut Vec<Rule>) {
    const X: DVec3 = DVec3::X;
    const Y: DVec3 = DVec3::Y;
    const Z: DVec3 = DVec3::Z;
    let mut rule =
        |terms: &[(usize, f64)], axis: DVec3, per: usize, goal: f64, loose: f64, is_least: bool| {
            rules.push(Rule {
                terms: terms.to_vec(),
                axis,
                per,
                goal,
                loose,
                is_least,
            });
        };
    let (left, right) = (SHOULDER, SHOULDER + SIDE);
    let (hip, other_hip) = (HIP, HIP + SIDE);
    for axis in [X, Y, Z] {
        rule(
            &[(left, 1.0), (right, 1.0), (CHEST, -2.0)],
            axis,
            TRUNK,
            0.0,
            0.05,
            false,
        );
        rule(
            &[(hip, 1.0), (other_hip, 1.0), (PELVIS, -2.0)],
            axis,
            TRUNK,
            0.0,
            0.03,
            false,
        );
    }
    // Level and facing the front.
    rule(&[(left, 1.0), (right, -1.0)], Y, COLLAR, 0.0, 0.3, false);
    rule(&[(left, 1.0), (right, -1.0)], Z, COLLAR, 0.0, 0.5, false);
    rule(&[(left, 1.0), (right, -1.0)], X, COLLAR, 1.8, 0.2, true);
    rule(&[(hip, 1.0), (other_hip, -1.0)], Y, BASIN, 0.0, 0.3, false);
    rule(&[(hip, 1.0), (other_hip, -1.0)], Z, BASIN, 0.0, 0.5, false);
    rule(&[(hip, 1.0), (other_hip, -1.0)], X, BASIN, 1.8, 0.2, true);
    // Upright.
    rule(&[(CHEST, 1.0), (PELVIS, -1.0)], X, TRUNK, 0.0, 0.1, false);
    rule(&[(CHEST, 1.0), (PELVIS, -1.0)], Z, TRUNK, 0.0, 0.25, false);
    rule(&[(CHEST, 1.0), (PELVIS, -1.0)], Y, TRUNK, 0.85, 0.1, true);
    rule(&[(SKULL, 1.0), (CHEST, -1.0)], X, NECK, 0.0, 0.2, false);
    rule(&[(SKULL, 1.0), (CHEST, -1.0)], Z, NECK, 0.15, 0.35, false);
    rule(&[(SKULL, 1.0), (CHEST, -1.0)], Y, NECK, 0.7, 0.15, true);
    rule(&[(CROWN, 1.0), (SKULL, -1.0)], X, HEAD, 0.0, 0.2, false);
    rule(&[(CROWN, 1.0), (SKULL, -1.0)], Z, HEAD, 0.05, 0.3, false);
    rule(&[(CROWN, 1.0), (SKULL, -1.0)], Y, HEAD, 0.8, 0.15, true);
    for (side, out) in [(0, X), (SIDE, -X)] {
        let of = |joint: usize| joint + side;
        let thigh = [(of(KNEE), 1.0), (of(HIP), -1.0)];
        rule(&thigh, -Y, THIGH, -0.2, 0.2, true);
        rule(&thigh, out, THIGH, -0.1, 0.12, true);
        rule(&thigh, -out, THIGH, -0.5, 0.2, true);
        rule(&thigh, Z, THIGH, -0.5, 0.2, true);
        let shin = [(of(ANKLE), 1.0), (of(KNEE), -1.0)];
        rule(&shin, -Y, SHIN, 0.2, 0.3, true);
        rule(&shin, X, SHIN, 0.0, 0.4, false);
        // Knees bend to the back, elbows to the front.
        let knee = [(of(ANKLE), 1.0), (of(KNEE), -2.0), (of(HIP), 1.0)];
        rule(&knee, -Z, SHIN, 0.0, 0.12, true);
        rule(&knee, X, SHIN, 0.0, 0.2, false);
        rule(&knee, Z, SHIN, 0.0, 0.8, false);
        rule(&[(of(ANKLE), 1.0)], -Y, SHIN, -0.3, 0.2, true);
        let foot = [(of(TOE), 1.0), (of(ANKLE), -1.0)];
        rule(&foot, Z, FOOT, 0.6, 0.25, true);
        rule(&foot, out, FOOT, 0.15, 0.3, false);
        rule(&foot, Y, FOOT, -0.3, 0.35, false);
        let upper = [(of(ELBOW), 1.0), (of(SHOULDER), -1.0)];
        rule(&upper, out, UPPER, -0.1, 0.15, true);
        rule(&upper, -Y, UPPER, -0.3, 0.3, true);
        rule(&upper, Z, UPPER, 0.0, 0.6, false);
        let elbow = [(of(WRIST), 1.0), (of(ELBOW), -2.0), (of(SHOULDER), 1.0)];
        rule(&elbow, Z, FORE, -0.05, 0.15, true);
        for axis in [X, Y, Z] {
            rule(&elbow, axis, FORE, 0.0, 1.0, false);
            let hand = [(of(HAND), 1.0), (of(WRIST), -1.7), (of(ELBOW), 0.7)];
            rule(&hand, axis, PALM, 0.0, 0.4, false);
        }
    }
}
