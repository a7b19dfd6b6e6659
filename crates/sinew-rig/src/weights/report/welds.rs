//! Limbs that form one surface although they only touch: a hand on a hip, a sleeve in a jacket.
//! A moving limb stretches the surface near its first joint. If it stretches surface beyond its first bone, that surface
//! also follows a joint that stays.

use super::chains::Chains;
use super::motions::{Limbs, Motion, TrialMotion};
use crate::weights::rows::Rows;
use crate::weights::shape::Shape;
use glam::DVec3;
use std::collections::BTreeMap;

/// Rotation of a joint, in degrees.
const DEGREES: f64 = 60.0;
/// Min stretch that counts, in lengths: 1.5 makes an edge two and a half times as long.
const STRETCHED: f64 = 1.5;
/// Max growth of the surface by the rotation of one joint, as a fraction of the whole surface. Skirts and folds of good
/// bodies have up to 0.065.
const MAX_GROWTH: f64 = 0.1;
/// Max growth of the surface by a motion of arms or legs. Good bodies have up to 0.0003, with weights by heat 0.0018.
/// A hand that is one surface with a hip gives 0.015 or more. These are the bodies on which thresholds were chosen.
const MAX_LIMB_GROWTH: f64 = 0.005;

/// Max distance between a joint and the surface that blends at it, in diagonals of the mesh.
const AT_JOINT: f64 = 0.06;

pub(crate) struct Weld {
    pub motion: TrialMotion,
    /// Joint that rotates.
    pub joint: usize,
    /// Two joints of the stretched surface: one moves with the rotating joint, one does not.
    pub joins: [usize; 2],
    /// Point of the worst triangle.
    pub point: usize,
    /// Growth of the surface area, as a fraction of the whole surface.
    pub growth: f64,
}

pub(super) struct Search<'a> {
    shape: &'a Shape,
    rows: &'a Rows,
    /// Length of the longest bone of each joint. Infinite for a joint without bones.
    bones: Vec<f64>,
    /// First joint of the limb of each joint; `None` for joints of no limb.
    limb_of: Vec<Option<usize>>,
    /// True for joints from the second one of their limb.
    is_past_first: Vec<bool>,
    arms: Vec<usize>,
    surface: f64,
}

/// Growth of the surface by joint, the pairs of joints that cause it, and the worst triangle.
#[derive(Default)]
struct Growths(BTreeMap<usize, Growth>);

#[derive(Default)]
struct Growth {
    sum: f64,
    pairs: BTreeMap<[usize; 2], f64>,
    worst: (f64, usize),
}

impl Growths {
    fn add(&mut self, joint: usize, joins: [usize; 2], point: u32, growth: f64) {
        let own = self.0.entry(joint).or_default();
        own.sum += growth;
        *own.pairs.entry(joins).or_default() += growth;
        if growth > own.worst.0 {
            own.worst = (growth, point as usize);
        }
    }

    /// Joint with the largest growth; the first of equal ones.
    fn largest(&self, motion: TrialMotion, surface: f64) -> Option<Weld> {
        let (&joint, growth) = self
            .0
            .iter()
            .rev()
            .max_by(|a, b| a.1.sum.total_cmp(&b.1.sum))?;
        let (&joins, _) = growth.pairs.iter().max_by(|a, b| a.1.total_cmp(b.1))?;
        Some(Weld {
            motion,
            joint,
            joins,
            point: growth.worst.1,
            growth: growth.sum / surface,
        })
    }
}

impl<'a> Search<'a> {
    pub fn new(shape: &'a Shape, rows: &'a Rows, limbs: &Limbs) -> Self {
        let mut bones = vec![0.0_f64; shape.joints];
        for segment in &shape.segments {
            let bone = &mut bones[segment.start];
            *bone = bone.max(segment.from.distance(segment.to));
        }
        let own = |bone: f64| if bone > 0.0 { bone } else { f64::INFINITY };
        let first: Vec<usize> = limbs.first_joints().collect();
        let limb_of = |joint: usize| {
            let mut up = std::iter::once(joint).chain(shape.bones.above(joint));
            up.find(|above| first.contains(above))
        };
        let second: Vec<usize> = limbs.second_joints().collect();
        let is_past_first = |joint: usize| {
            let mut up = std::iter::once(joint).chain(shape.bones.above(joint));
            up.any(|above| second.contains(&above))
        };
        let area = |triangle: &[u32; 3]| area(triangle.map(|p| shape.points[p as usize]));
        Self {
            shape,
            rows,
            bones: bones.into_iter().map(own).collect(),
            limb_of: (0..shape.joints).map(limb_of).collect(),
            is_past_first: (0..shape.joints).map(is_past_first).collect(),
            arms: limbs.arms().collect(),
            surface: shape.triangles.iter().map(area).sum(),
        }
    }

    /// Growth by single joints, except those of the limbs that move in `motions`.
    fn by_joints(&self, motions: &[Motion]) -> Growths {
        let limbs = motions.iter().flat_map(|motion| &motion.limbs);
        let moved: Vec<usize> = limbs.map(|limb| limb.0).collect();
        let mut growths = Growths::default();
        let mut chains = Chains::<3>::new(self.shape);
        let way = 2.0 * (0.5 * DEGREES.to_radians()).sin();
        for triangle in &self.shape.triangles {
            let [a, b, c] = triangle.map(|point| self.shape.points[point as usize]);
            let double = (b - a).cross(c - a).length();
            if double == 0.0 {
                continue;
            }
            let middle = (a + b + c) / 3.0;
            let rows = triangle.map(|point| self.rows.get(point as usize));
            chains.each(rows, |joint, [of_a, of_b, of_c]| {
                let away = self.shape.heads[joint].distance(middle);
                let sides = (c - b) * of_a + (a - c) * of_b + (b - a) * of_c;
                // Gradient of the weight times the displacement.
                let stretch = sides.length() / double * way * away;
                let is_stretched = stretch > STRETCHED && away > self.bones[joint];
                if !is_stretched || self.limb_of[joint].is_some_and(|limb| moved.contains(&limb)) {
                    return;
                }
                let bones = &self.shape.bones;
                let moves = |other| other == joint || bones.above(other).any(|up| up == joint);
                if let Some(joins) = sides_of(rows, moves)
                    && self.stays_behind(joins[1], joint, middle)
                {
                    growths.add(joint, joins, triangle[0], 0.5 * double * stretch);
                }
            });
        }
        growths
    }

    /// True for a joint that should not hold back a rotating joint. That joint meets its parent, and limbs of one parent
    /// may share cloth, as legs do. A foot may hang from the root and yet end its leg; then its joint is near.
    fn stays_behind(&self, still: usize, joint: usize, middle: DVec3) -> bool {
        let bones = &self.shape.bones;
        let parent = bones.parents[joint];
        let mut up = std::iter::once(still).chain(bones.above(still));
        let is_kin = up.any(|above| Some(above) == parent);
        !is_kin && self.shape.heads[still].distance(middle) > AT_JOINT
    }

    /// Growth by a motion of limbs.
    fn by_motion(&self, motion: &Motion) -> Growths {
        let mut growths = Growths::default();
        let points = &self.shape.points;
        let posed: Vec<DVec3> = (0..points.len())
            .map(|point| self.posed(motion, point))
            .collect();
        for triangle in &self.shape.triangles {
            let before = triangle.map(|point| points[point as usize]);
            let after = triangle.map(|point| posed[point as usize]);
            let is_stretched = [(0, 1), (1, 2), (2, 0)].into_iter().any(|(from, to)| {
                after[from].distance(after[to])
                    > (1.0 + STRETCHED) * before[from].distance(before[to])
            });
            let growth = area(after) - area(before);
            if !is_stretched || growth <= 0.0 {
                continue;
            }
            let middle = (before[0] + before[1] + before[2]) / 3.0;
            let rows = triangle.map(|point| self.rows.get(point as usize));
            for &(first, _) in &motion.limbs {
                let is_far = self.shape.heads[first].distance(middle) > self.bones[first];
                let moves = |other: usize| self.limb_of[other] == Some(first);
                if let Some(joins) = sides_of(rows, moves)
                    && (is_far || self.is_past_first[joins[0]])
                    && self.holds(motion.name, joins[1], middle)
                {
                    growths.add(first, joins, triangle[0], growth);
                    break;
                }
            }
        }
        growths
    }

    /// True for a joint that should not hold back a limb. Cloth may join legs and trunk.
    fn holds(&self, name: TrialMotion, still: usize, middle: DVec3) -> bool {
        let is_arm = self.limb_of[still].is_some_and(|limb| self.arms.contains(&limb));
        (name == TrialMotion::ArmsLifted || is_arm)
            && self.shape.heads[still].distance(middle) > AT_JOINT
    }

    /// Area of a triangle at rest.
    pub fn area_of(&self, triangle: &[u32; 3]) -> f64 {
        area(triangle.map(|point| self.shape.points[point as usize]))
    }

    /// First joint of the limb that moves most of a point.
    pub fn limb_at(&self, point: usize) -> Option<usize> {
        let rows = self.rows.get(point).iter();
        let limbs =
            rows.filter_map(|&(joint, weight)| Some((self.limb_of[usize::from(joint)]?, weight)));
        limbs.max_by(|a, b| a.1.total_cmp(&b.1)).map(|limb| limb.0)
    }

    /// Position of a point after a motion, as linear skinning computes it.
    pub fn posed(&self, motion: &Motion, point: usize) -> DVec3 {
        let at = self.shape.points[point];
        let mut posed = at;
        for &(joint, weight) in self.rows.get(point) {
            let limb = self.limb_of[usize::from(joint)];
            let limb = motion.limbs.iter().find(|(first, _)| Some(*first) == limb);
            if let Some(&(first, rotation)) = limb {
                let from = at - self.shape.heads[first];
                posed += (rotation * from - from) * f64::from(weight);
            }
        }
        posed
    }
}

fn area([a, b, c]: [DVec3; 3]) -> f64 {
    0.5 * (b - a).cross(c - a).length()
}

/// Heaviest joint of a triangle that moves, and the heaviest joint that stays.
fn sides_of(rows: [&[(u16, f32)]; 3], moves: impl Fn(usize) -> bool) -> Option<[usize; 2]> {
    let mut heaviest = [(0.0, None); 2];
    for &(joint, weight) in rows.into_iter().flatten() {
        let joint = usize::from(joint);
        let side = &mut heaviest[usize::from(!moves(joint))];
        if weight > side.0 {
            *side = (weight, Some(joint));
        }
    }
    Some([heaviest[0].1?, heaviest[1].1?])
}

/// Motion that stretches the most surface beyond the first bone of a limb. `None` if that is little. Arms and legs move
/// together if they are known, other joints one at a time.
pub(crate) fn worst(shape: &Shape, rows: &Rows, limbs: &Limbs) -> Option<Weld> {
    let motions = limbs.motions(&shape.heads);
    let search = Search::new(shape, rows, limbs);
    let single = search.by_joints(&motions);
    let single = single.largest(TrialMotion::OneJoint, search.surface);
    let welds = motions.iter().filter_map(|motion| {
        let growths = search.by_motion(motion);
        growths.largest(motion.name, search.surface)
    });
    let welds = welds.map(|weld| (weld.growth / MAX_LIMB_GROWTH, weld));
    let single = single.map(|weld| (weld.growth / MAX_GROWTH, weld));
    let worst = welds.chain(single).max_by(|a, b| a.0.total_cmp(&b.0));
    worst
        .filter(|(times, _)| *times > 1.0)
        .map(|(_, weld)| weld)
}
