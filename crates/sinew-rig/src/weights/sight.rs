//! What a place sees of the bones: the curves over joints, how far each is through the solid, and
//! which of them count.

use super::Shape;
use super::bodies::Bodies;
use super::bones::Detail;
use super::limbs::Limbs;
use super::rows::Rows;
use super::spans::{Place, Reach, Span, tie_share};
use glam::DVec3;

/// How much farther a bone is taken to be when all the way to it is gap.
const GAP: f64 = 8.0;
/// How far behind the nearest curve another still counts, in influence radii of its joint.
const BAND: f64 = 0.25;
/// Smaller shares are left out.
const LEAST_SHARE: f64 = 1e-3;

/// A span that may count.
struct Seen {
    span: usize,
    place: Place,
    /// What it is taken to be at: farther where there are gaps.
    distance: f64,
    limb: usize,
    /// How far the limb draws there.
    draw: f64,
}

pub(crate) struct Sight<'a> {
    bodies: &'a Bodies,
    spans: Vec<Span>,
    details: Vec<Detail>,
    limbs: Limbs,
    seen: Vec<Seen>,
    /// Of each limb in sight the nearest of `seen`.
    nearest: Vec<usize>,
    shares: Vec<f64>,
    guess: usize,
}

impl<'a> Sight<'a> {
    pub fn new(shape: &Shape, bodies: &'a Bodies) -> Self {
        Self {
            bodies,
            spans: Span::all(&shape.segments, Reach::Narrow),
            details: shape.details.clone(),
            limbs: Limbs::alike(shape.joints),
            seen: Vec::new(),
            nearest: Vec::new(),
            shares: Vec::new(),
            guess: 0,
        }
    }

    /// Lets thick limbs draw farther than thin ones, and finds bulges on them.
    pub fn measure_limbs(&mut self, shape: &Shape) {
        let mut nearest: Vec<(DVec3, usize, Place)> = Vec::with_capacity(shape.points.len());
        for &point in &shape.points {
            let best = self.look(point);
            let least = self.seen[best].distance;
            // All that are as near, so that what is between two sides counts for both.
            let near = self.seen.iter();
            let near = near.filter(|seen| tie_share(seen.distance, least) > 0.0);
            nearest.extend(near.map(|seen| (point, seen.span, seen.place)));
        }
        let spans = nearest
            .iter()
            .map(|(_, span, place)| (&self.spans[*span], place));
        self.limbs = Limbs::new(shape.joints, &self.spans, spans);
        for bulge in &shape.bulges {
            let limb = self.limbs.of_joint(bulge.parent);
            let on_limb = nearest
                .iter()
                .filter(|(_, span, place)| self.limbs.at(&self.spans[*span], place) == limb);
            let detail = bulge.detail(on_limb.map(|(point, ..)| *point));
            self.details.extend(detail);
        }
    }

    /// Fills `seen` with the spans that may count and `nearest` with the nearest of each limb; the
    /// place in `seen` of the one that draws most.
    fn look(&mut self, point: DVec3) -> usize {
        // So that a share of LEAST_SHARE is just in it.
        let band = BAND * -LEAST_SHARE.ln();
        self.seen.clear();
        let boneless = self.bodies.is_boneless(point);
        let (mut least, mut best) = (f64::INFINITY, 0);
        // Neighbours come one after the other, so what was nearest to the last is the best guess.
        let guess = self.guess.min(self.spans.len().saturating_sub(1));
        let others = (0..self.spans.len()).filter(|&index| index != guess);
        for index in std::iter::once(guess).chain(others) {
            let span = &self.spans[index];
            let farthest = least * self.limbs.most_draw(span) + band * span.reach;
            if span.least_distance(point) > farthest {
                continue;
            }
            let place = span.place(point);
            if place.distance > farthest {
                continue;
            }
            let gap = if boneless {
                0.0
            } else {
                self.bodies.solid.gap(point, place.foot)
            };
            let seen = Seen {
                span: index,
                place,
                distance: place.distance * (1.0 + GAP * gap),
                limb: self.limbs.at(span, &place),
                draw: self.limbs.draw(span, &place),
            };
            if seen.distance / seen.draw < least {
                least = seen.distance / seen.draw;
                best = self.seen.len();
                self.guess = index;
            }
            self.seen.push(seen);
        }
        self.nearest.clear();
        for (index, seen) in self.seen.iter().enumerate() {
            let mut limbs = self.nearest.iter_mut();
            match limbs.find(|nearest| self.seen[**nearest].limb == seen.limb) {
                Some(nearest) if seen.distance < self.seen[*nearest].distance => *nearest = index,
                Some(_) => (),
                None => self.nearest.push(index),
            }
        }
        best
    }

    /// Adds the weights of the spans that a point sees, and of details near it; the distance of the
    /// nearest.
    pub fn blend(&mut self, point: DVec3, rows: &mut Rows) -> f64 {
        let best = self.look(point);
        let best = &self.seen[best];
        self.shares.clear();
        for seen in &self.seen {
            let mut limbs = self.nearest.iter().map(|&nearest| &self.seen[nearest]);
            let limb = limbs
                .find(|nearest| nearest.limb == seen.limb)
                .unwrap_or(seen);
            let behind = seen.distance - best.distance / best.draw * limb.draw;
            let band = BAND * self.spans[seen.span].reach;
            let share = if behind <= 0.0 {
                1.0
            } else if band > 0.0 {
                (-behind / band).exp()
            } else {
                0.0
            };
            self.shares
                .push(if share < LEAST_SHARE { 0.0 } else { share });
        }
        let total: f64 = self.shares.iter().sum();
        let rest = 1.0 - self.add_details(point, rows);
        for (seen, share) in self.seen.iter().zip(&self.shares) {
            let [first, second] = self.spans[seen.span].joints;
            let weight = seen.place.weight;
            rows.add(first, rest * share / total * weight);
            rows.add(second, rest * share / total * (1.0 - weight));
        }
        best.distance
    }

    /// Adds what details take of a point; how much that is.
    fn add_details(&self, point: DVec3, rows: &mut Rows) -> f64 {
        let pull = |detail: &Detail| {
            let near = point.distance(detail.at) / detail.reach;
            (-near * near).exp()
        };
        let near = self.details.iter().filter(|detail| {
            let away = (point - detail.at).abs().max_element();
            // Beyond, a pull is less than the least share.
            away < 2.7 * detail.reach
        });
        let (mut most, mut sum) = (0.0_f64, 0.0);
        for pull in near.clone().map(pull) {
            most = most.max(pull);
            sum += pull;
        }
        if most < LEAST_SHARE {
            return 0.0;
        }
        for detail in near {
            rows.add(detail.joint, most * pull(detail) / sum);
        }
        most
    }

    /// Adds the one bone that a point sees nearest; its distance.
    pub fn nearest_bone(&mut self, point: DVec3, rows: &mut Rows) -> f64 {
        let best = self.look(point);
        let nearest = self.seen[best].distance;
        for seen in &self.seen {
            let share = tie_share(seen.distance, nearest);
            let [first, second] = self.spans[seen.span].joints;
            // As steep as a tie, so that rounding does not decide at the joint either.
            let first_share = (500.0 * (seen.place.weight - 0.5) + 0.5).clamp(0.0, 1.0);
            rows.add(first, share * first_share);
            rows.add(second, share * (1.0 - first_share));
        }
        nearest
    }
}
