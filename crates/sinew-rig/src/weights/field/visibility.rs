//! Bones that a point sees: curves over joints, with their distances through the solid.

use super::bone_curves::{BoneCurve, CurvePoint, Reach, tie_share};
use super::limbs::Limbs;
use crate::weights::bones::details::Detail;
use crate::weights::pieces::bodies::Bodies;
use crate::weights::rows::Rows;
use crate::weights::shape::Shape;
use glam::DVec3;

/// Factor on the distance of a bone if the whole line to the bone is a gap.
const GAP: f64 = 8.0;
/// Extra distance within which a farther curve still counts, in influence radii of its joint.
const BAND: f64 = 0.25;
const MIN_SHARE: f64 = 1e-3;

struct VisibleCurve {
    curve: usize,
    curve_point: CurvePoint,
    /// Effective distance, increased by gaps.
    distance: f64,
    limb: usize,
    draw: f64,
}

pub(crate) struct Visibility<'a> {
    bodies: &'a Bodies,
    curves: Vec<BoneCurve>,
    details: Vec<Detail>,
    limbs: Limbs,
    visible: Vec<VisibleCurve>,
    /// Index in `visible` of the nearest curve of each limb in sight.
    nearest: Vec<usize>,
    shares: Vec<f64>,
    guess: usize,
}

impl<'a> Visibility<'a> {
    pub fn new(shape: &Shape, bodies: &'a Bodies) -> Self {
        Self {
            bodies,
            curves: BoneCurve::all(&shape.segments, Reach::Narrow),
            details: shape.details.clone(),
            limbs: Limbs::alike(shape.joints),
            visible: Vec::new(),
            nearest: Vec::new(),
            shares: Vec::new(),
            guess: 0,
        }
    }

    /// Lets thick limbs pull farther than thin limbs, and finds their bulges.
    pub fn measure_limbs(&mut self, shape: &Shape) {
        let mut nearest: Vec<(DVec3, usize, CurvePoint)> = Vec::with_capacity(shape.points.len());
        for &point in &shape.points {
            let best = self.look(point);
            let least = self.visible[best].distance;
            // With ties, so that points between two sides count for both.
            let near = self.visible.iter();
            let near = near.filter(|visible| tie_share(visible.distance, least) > 0.0);
            nearest.extend(near.map(|visible| (point, visible.curve, visible.curve_point)));
        }
        let curves = nearest
            .iter()
            .map(|(_, curve, curve_point)| (&self.curves[*curve], curve_point));
        self.limbs = Limbs::new(shape.joints, &self.curves, curves);
        for bulge in &shape.bulges {
            let limb = self.limbs.of_joint(bulge.parent);
            let on_limb = nearest.iter().filter(|(_, curve, curve_point)| {
                self.limbs.at(&self.curves[*curve], curve_point) == limb
            });
            let detail = bulge.detail(on_limb.map(|(point, ..)| *point));
            self.details.extend(detail);
        }
    }

    /// Fills `visible` with the curves that may count, and `nearest` with the nearest curve of each
    /// limb. Returns the index in `visible` of the curve with the strongest pull.
    fn look(&mut self, point: DVec3) -> usize {
        let band = BAND * -MIN_SHARE.ln();
        self.visible.clear();
        let boneless = self.bodies.is_boneless(point);
        let (mut least, mut best) = (f64::INFINITY, 0);
        // Successive points are neighbours, so the last result is a good guess.
        let guess = self.guess.min(self.curves.len().saturating_sub(1));
        let others = (0..self.curves.len()).filter(|&index| index != guess);
        for index in std::iter::once(guess).chain(others) {
            let curve = &self.curves[index];
            let farthest = least * self.limbs.max_draw(curve) + band * curve.reach;
            if curve.min_distance(point) > farthest {
                continue;
            }
            let curve_point = curve.nearest(point);
            if curve_point.distance > farthest {
                continue;
            }
            let gap = if boneless {
                0.0
            } else {
                self.bodies.gap(point, curve_point.nearest)
            };
            let visible = VisibleCurve {
                curve: index,
                curve_point,
                distance: curve_point.distance * (1.0 + GAP * gap),
                limb: self.limbs.at(curve, &curve_point),
                draw: self.limbs.draw(curve, &curve_point),
            };
            if visible.distance / visible.draw < least {
                least = visible.distance / visible.draw;
                best = self.visible.len();
                self.guess = index;
            }
            self.visible.push(visible);
        }
        self.nearest.clear();
        for (index, visible) in self.visible.iter().enumerate() {
            let mut limbs = self.nearest.iter_mut();
            match limbs.find(|nearest| self.visible[**nearest].limb == visible.limb) {
                Some(nearest) if visible.distance < self.visible[*nearest].distance => {
                    *nearest = index;
                }
                Some(_) => (),
                None => self.nearest.push(index),
            }
        }
        best
    }

    /// Adds the weights of visible curves and near details. Returns the distance of their spread.
    pub fn blend(&mut self, point: DVec3, rows: &mut Rows) -> f64 {
        let best = self.look(point);
        let best = &self.visible[best];
        self.shares.clear();
        for visible in &self.visible {
            let mut limbs = self.nearest.iter().map(|&nearest| &self.visible[nearest]);
            let limb = limbs
                .find(|nearest| nearest.limb == visible.limb)
                .unwrap_or(visible);
            let behind = visible.distance - best.distance / best.draw * limb.draw;
            let band = BAND * self.curves[visible.curve].reach;
            let share = if behind <= 0.0 {
                1.0
            } else if band > 0.0 {
                (-behind / band).exp()
            } else {
                0.0
            };
            // The share fades to 0, so that rounding does not exclude a curve.
            self.shares.push((share - MIN_SHARE).max(0.0));
        }
        let total: f64 = self.shares.iter().sum();
        let (detailed, reach) = self.add_details(point, rows);
        let rest = 1.0 - detailed;
        for (visible, share) in self.visible.iter().zip(&self.shares) {
            let [first, second] = self.curves[visible.curve].joints;
            let weight = visible.curve_point.weight;
            rows.add(first, rest * share / total * weight);
            rows.add(second, rest * share / total * (1.0 - weight));
        }
        rest * best.distance + detailed * reach.min(best.distance)
    }

    /// Adds the weights of details at a point. Returns their total and their reach.
    fn add_details(&self, point: DVec3, rows: &mut Rows) -> (f64, f64) {
        let pull = |detail: &Detail| {
            let near = point.distance(detail.at) / detail.reach;
            (-near * near).exp()
        };
        let near = self.details.iter().filter(|detail| {
            let away = (point - detail.at).abs().max_element();
            away < 2.7 * detail.reach
        });
        let (mut most, mut sum, mut reach) = (0.0_f64, 0.0, 0.0);
        for detail in near.clone() {
            let pull = pull(detail);
            most = most.max(pull);
            sum += pull;
            reach += pull * detail.reach;
        }
        if most < MIN_SHARE {
            return (0.0, 0.0);
        }
        for detail in near {
            rows.add(detail.joint, most * pull(detail) / sum);
        }
        (most, reach / sum)
    }

    /// Adds the nearest visible bone and returns its distance.
    pub fn nearest_bone(&mut self, point: DVec3, rows: &mut Rows) -> f64 {
        let best = self.look(point);
        let nearest = self.visible[best].distance;
        for visible in &self.visible {
            let share = tie_share(visible.distance, nearest);
            let [first, second] = self.curves[visible.curve].joints;
            // As steep as a tie, so that rounding does not decide at the joint.
            let first_share = (500.0 * (visible.curve_point.weight - 0.5) + 0.5).clamp(0.0, 1.0);
            rows.add(first, share * first_share);
            rows.add(second, share * (1.0 - first_share));
        }
        nearest
    }
}
