//! Poses in which a fit starts.

use super::person::*;
use super::plan::{Build, Plan, Shape};
use glam::DVec3;

/// Directions of upper arm, forearm, thigh, shin and foot of the left side: x to the outside.
type Ways = [DVec3; 5];

const fn way(x: f64, y: f64, z: f64) -> DVec3 {
    DVec3::new(x, y, z)
}

const ARMS: [[DVec3; 2]; 5] = [
    [way(1.0, 0.0, 0.0), way(1.0, 0.0, 0.0)],
    [way(0.7, -0.7, 0.0), way(0.7, -0.7, 0.05)],
    [way(0.2, -1.0, 0.0), way(0.1, -1.0, 0.1)],
    [way(0.25, -1.0, 0.0), way(0.05, -0.3, 1.0)],
    [way(0.6, -0.9, -0.2), way(-0.6, -0.8, 0.2)],
];
const STANDING: [DVec3; 3] = [
    way(0.05, -1.0, 0.02),
    way(0.02, -1.0, -0.03),
    way(0.15, -0.3, 1.0),
];
const AHEAD: [DVec3; 3] = [
    way(0.03, -1.0, 0.45),
    way(0.0, -1.0, 0.0),
    way(0.1, -0.3, 1.0),
];
const BEHIND: [DVec3; 3] = [
    way(0.03, -1.0, -0.25),
    way(0.0, -1.0, -0.6),
    way(0.1, -0.6, 0.8),
];
const SITTING: [DVec3; 3] = [
    way(0.15, -0.05, 1.0),
    way(0.0, -1.0, 0.0),
    way(0.1, -0.3, 1.0),
];

/// Number of poses of an arm and of a pair of legs.
pub(crate) const ARM_POSES: usize = ARMS.len();
const LEGS: [[[DVec3; 3]; 2]; 4] = [
    [STANDING, STANDING],
    [AHEAD, BEHIND],
    [BEHIND, AHEAD],
    [SITTING, SITTING],
];
pub(crate) const LEG_POSES: usize = LEGS.len();

/// A pose of both sides, and the part of the height that is the figure, below a hat.
pub(crate) type Start = ([Ways; 2], f64);
/// Indices of some poses that differ: level and hanging arms, strides, and sitting.
pub(crate) const TYPICAL: [usize; 6] = [0, 2, 4, 12, 17, 23];

/// Poses of both sides: pairs of arms and legs, and the part of the height that is the figure, below a hat.
pub(crate) fn poses() -> Vec<Start> {
    let mut poses = Vec::new();
    for (k, legs) in LEGS.into_iter().enumerate() {
        for arms in ARMS {
            let pose = legs.map(|[a, b, c]| [arms[0], arms[1], a, b, c]);
            poses.push((pose, 1.0));
            if k == 0 {
                poses.push((pose, 0.8));
            }
        }
    }
    poses
}

/// Moves an arm to a pose, from its shoulder.
pub(crate) fn pose_arm(shape: &mut Shape, side: usize, pose: usize) {
    let [upper, fore] = ARMS[pose];
    let from = shape.at[SHOULDER + side];
    let parts = [
        (ELBOW, upper, UPPER),
        (WRIST, fore, FORE),
        (HAND, fore, PALM),
    ];
    hang(shape, side, from, &parts);
}

/// Moves both legs to a pose, from the hips.
pub(crate) fn pose_legs(shape: &mut Shape, pose: usize) {
    for (side, [thigh, shin, foot]) in [0, SIDE].into_iter().zip(LEGS[pose]) {
        let from = shape.at[HIP + side];
        hang(
            shape,
            side,
            from,
            &[(KNEE, thigh, THIGH), (ANKLE, shin, SHIN), (TOE, foot, FOOT)],
        );
    }
}

fn hang(shape: &mut Shape, side: usize, mut from: DVec3, parts: &[(usize, DVec3, usize)]) {
    let out = if side == 0 { 1.0 } else { -1.0 };
    for &(joint, way, length) in parts {
        from += DVec3::new(out * way.x, way.y, way.z).normalize() * shape.lengths[length];
        shape.at[joint + side] = from;
    }
}

/// Lengths and radii of the build, with the size of the shape. Bones keep their directions.
pub(crate) fn reset(shape: &mut Shape, plan: &Plan, build: &Build) {
    let old = shape.at.clone();
    for (length, usual) in shape.lengths.iter_mut().zip(&build.lengths) {
        *length = usual[0] * shape.size;
    }
    for (radius, usual) in shape.radii.iter_mut().zip(&build.radii) {
        *radius = usual[0] * shape.size;
    }
    // Spans are sorted from the pelvis outward.
    for span in &plan.spans {
        let [a, b] = span.joints;
        let way = (old[b] - old[a]).normalize_or(DVec3::Y);
        shape.at[b] = shape.at[a] + way * shape.lengths[span.length];
    }
}

/// A build in a pose, whose sole is y = 0 and whose height is `tall`.
pub(crate) fn start(joints: usize, build: &Build, (pose, tall): &Start) -> Shape {
    let usual = |k: usize| build.lengths[k][0];
    let mut at = vec![DVec3::ZERO; joints];
    at[CHEST] = DVec3::Y * usual(TRUNK);
    at[SKULL] = at[CHEST] + DVec3::Y * usual(NECK);
    at[CROWN] = at[SKULL] + DVec3::Y * usual(HEAD);
    for (side, (out, ways)) in [(0, (1.0, &pose[0])), (SIDE, (-1.0, &pose[1]))] {
        let along =
            |way: DVec3, k: usize| DVec3::new(out * way.x, way.y, way.z).normalize() * usual(k);
        at[SHOULDER + side] = at[CHEST] + along(DVec3::X, COLLAR);
        at[ELBOW + side] = at[SHOULDER + side] + along(ways[0], UPPER);
        at[WRIST + side] = at[ELBOW + side] + along(ways[1], FORE);
        at[HAND + side] = at[WRIST + side] + along(ways[1], PALM);
        at[HIP + side] = along(DVec3::X, BASIN);
        at[KNEE + side] = at[HIP + side] + along(ways[2], THIGH);
        at[ANKLE + side] = at[KNEE + side] + along(ways[3], SHIN);
        at[TOE + side] = at[ANKLE + side] + along(ways[4], FOOT);
    }
    let low = at.iter().map(|p| p.y).fold(f64::INFINITY, f64::min);
    let high = at[CROWN].y;
    let size = tall / (high - low);
    let middle = at.iter().sum::<DVec3>() / joints as f64;
    let origin = DVec3::new(middle.x, low, middle.z);
    Shape {
        at: at.iter().map(|p| (*p - origin) * size).collect(),
        lengths: build.lengths.iter().map(|l| l[0] * size).collect(),
        radii: build.radii.iter().map(|r| r[0] * size).collect(),
        size,
    }
}
