//! Limbs and their thickness.
//! A limb is a chain of joints without branches: a leg, the spine, a finger. Thick limbs own flesh
//! farther from their bones. Beside the armpit, the bones of the arm are nearer than the spine, but
//! the flesh belongs to the trunk. So the pull of a limb grows with the cube root of its thickness.
//! Within a limb only distance counts, so that a thick head takes nothing from its neck.

use super::bone_curves::{BoneCurve, CurvePoint};
use crate::weights::median::median;

/// Exponent of the thickness. A limb eight times as thick pulls twice as far.
const ROOT: f64 = 1.0 / 3.0;
/// Number of points of median thickness added to every limb, to damp limbs with few points.
const MIDDLING: f64 = 100.0;

pub(crate) struct Limbs {
    limb_of_joint: Vec<usize>,
    draw_of_joint: Vec<f64>,
}

impl Limbs {
    /// A single limb, for which only distance counts.
    pub fn alike(joints: usize) -> Self {
        Self {
            limb_of_joint: vec![0; joints],
            draw_of_joint: vec![1.0; joints],
        }
    }

    /// Limbs of a skeleton. Thickness is the median distance from the curves in `nearest`.
    pub fn new<'a>(
        joints: usize,
        curves: &[BoneCurve],
        nearest: impl Iterator<Item = (&'a BoneCurve, &'a CurvePoint)>,
    ) -> Self {
        let limb_of_joint = limbs(joints, curves);
        let mut distances: Vec<Vec<f64>> = vec![Vec::new(); joints];
        let mut all = Vec::new();
        for (curve, curve_point) in nearest {
            distances[limb_of_joint[curve.joint_at(curve_point)]].push(curve_point.distance);
            all.push(curve_point.distance);
        }
        let middling = median(&mut all);
        let draw = |distances: &mut Vec<f64>| {
            let count = distances.len() as f64;
            let sum = count * median(distances) + MIDDLING * middling;
            let relative = sum / (count + MIDDLING) / middling;
            if relative > 0.0 {
                relative.powf(ROOT)
            } else {
                1.0
            }
        };
        let draws: Vec<f64> = distances.iter_mut().map(draw).collect();
        let draw_of_joint = limb_of_joint.iter().map(|&limb| draws[limb]).collect();
        Self {
            limb_of_joint,
            draw_of_joint,
        }
    }

    /// Limb of a joint.
    pub fn of_joint(&self, joint: usize) -> usize {
        self.limb_of_joint[joint]
    }

    /// Limb at a point of a curve.
    pub fn at(&self, curve: &BoneCurve, curve_point: &CurvePoint) -> usize {
        self.limb_of_joint[curve.joint_at(curve_point)]
    }

    /// Pull at a point of a curve.
    pub fn draw(&self, curve: &BoneCurve, curve_point: &CurvePoint) -> f64 {
        let [first, second] = curve.joints.map(|joint| self.draw_of_joint[joint]);
        curve_point.weight * first + (1.0 - curve_point.weight) * second
    }

    /// Max pull of any point of a curve.
    pub fn max_draw(&self, curve: &BoneCurve) -> f64 {
        let [first, second] = curve.joints.map(|joint| self.draw_of_joint[joint]);
        first.max(second)
    }
}

/// First joint of the limb of each joint. An only successor is in the same limb.
fn limbs(joints: usize, curves: &[BoneCurve]) -> Vec<usize> {
    let mut next = vec![None; joints];
    let mut branches = vec![false; joints];
    for curve in curves {
        let [joint, after] = curve.joints;
        if joint != after {
            branches[joint] |= next[joint].is_some_and(|next| next != after);
            next[joint] = Some(after);
        }
    }
    let mut first = vec![true; joints];
    let follows = |joint: usize| next[joint].filter(|_| !branches[joint]);
    for after in (0..joints).filter_map(follows) {
        first[after] = false;
    }
    let mut limbs: Vec<usize> = (0..joints).collect();
    for start in (0..joints).filter(|&joint| first[joint]) {
        let chain = std::iter::successors(Some(start), |&joint| follows(joint));
        for joint in chain.take(joints) {
            limbs[joint] = start;
        }
    }
    limbs
}
