//! `auto` and `heat`: curves over joints, and what a place sees of them through the solid.
//!
//! What an artist paints is mostly rigid, with a fall-off about joints. Bézier curves give that shape,
//! and choose the wrong bone where another limb is near; diffusion through the solid knows what is on
//! this side of a gap, and blurs. So every cell of the solid and every vertex gets the weights of the
//! curves that it sees nearest, and diffusion evens these out over about a third of the distance to
//! the bone.

use super::Shape;
use super::bones::Detail;
use super::heat::diffuse;
use super::rows::Rows;
use super::solid::Solid;
use super::spans::{Place, Reach, Span, tie_share};
use glam::DVec3;

/// Cells along the longest side of the mesh: enough to part the legs and the arms from the trunk.
const RESOLUTION: usize = 64;
/// How much farther a bone is taken to be when all the way to it is gap.
const GAP: f64 = 8.0;
/// How far behind the nearest curve another still counts, in influence radii of its joint.
const BAND: f64 = 0.25;
/// Smaller shares are left out.
const LEAST_SHARE: f64 = 1e-3;
/// How strongly a place holds on to its own weights: they spread over distance / √8.
const AUTO_HOLD: f64 = 8.0;
/// The same for plain heat, as Baran and Popović have it.
const HEAT_HOLD: f64 = 1.0;

/// Cells that are enough for any shape; a figure with limbs has a quarter of them.
const MOST_CELLS: usize = 1 << 15;
/// Weights that diffusion may hold at once, a number for every cell and joint.
const MOST_WEIGHTS: usize = 1 << 26;

/// The solid, coarser for shapes without limbs and for skeletons of thousands of joints.
fn solid(shape: &Shape) -> Solid {
    let mut resolution = RESOLUTION;
    loop {
        let solid = Solid::new(&shape.points, &shape.triangles, resolution);
        let cells = solid.is_solid.iter().filter(|is_solid| **is_solid).count();
        let most = MOST_CELLS.min(MOST_WEIGHTS / shape.joints.max(1));
        if cells <= most || resolution <= 4 {
            return solid;
        }
        resolution = resolution * 3 / 4;
    }
}

/// Curves where a place sees them, evened out.
pub(crate) fn weights(shape: &Shape) -> Rows {
    let solid = solid(shape);
    let mut sight = Sight::new(shape, &solid);
    let alone = |point: DVec3, rows: &mut Rows| sight.blend(point, rows);
    diffuse(&shape.points, &solid, alone, shape.joints, AUTO_HOLD)
}

/// Heat from the one bone that a place sees nearest.
pub(crate) fn heat(shape: &Shape) -> Rows {
    let solid = solid(shape);
    let mut sight = Sight::new(shape, &solid);
    let alone = |point: DVec3, rows: &mut Rows| sight.nearest_bone(point, rows);
    diffuse(&shape.points, &solid, alone, shape.joints, HEAT_HOLD)
}

struct Sight<'a> {
    solid: &'a Solid,
    spans: Vec<Span>,
    details: &'a [Detail],
    seen: Vec<(usize, Place, f64)>,
    guess: usize,
}

impl<'a> Sight<'a> {
    fn new(shape: &'a Shape, solid: &'a Solid) -> Self {
        Self {
            solid,
            spans: Span::all(&shape.segments, Reach::Narrow),
            details: &shape.details,
            seen: Vec::new(),
            guess: 0,
        }
    }

    /// Fills `seen` with the spans that may count, each with the distance that it is taken to be at;
    /// the least of these.
    fn look(&mut self, point: DVec3) -> f64 {
        // So that a share of LEAST_SHARE is just in it.
        let band = BAND * -LEAST_SHARE.ln();
        self.seen.clear();
        let mut nearest = f64::INFINITY;
        // Neighbours come one after the other, so what was nearest to the last is the best guess.
        let guess = self.guess.min(self.spans.len().saturating_sub(1));
        let others = (0..self.spans.len()).filter(|&index| index != guess);
        for index in std::iter::once(guess).chain(others) {
            let span = &self.spans[index];
            let farthest = nearest + band * span.reach;
            if span.least_distance(point) > farthest {
                continue;
            }
            let place = span.place(point);
            if place.distance > farthest {
                continue;
            }
            let gap = self.solid.gap(point, place.foot);
            let distance = place.distance * (1.0 + GAP * gap);
            if distance < nearest {
                nearest = distance;
                self.guess = index;
            }
            self.seen.push((index, place, distance));
        }
        nearest
    }

    /// Adds the weights of the spans that a point sees, and of details near it.
    fn blend(&mut self, point: DVec3, rows: &mut Rows) -> f64 {
        let nearest = self.look(point);
        let mut shares: Vec<f64> = Vec::with_capacity(self.seen.len());
        for &(index, _, distance) in &self.seen {
            let band = BAND * self.spans[index].reach;
            let behind = distance - nearest;
            let share = if behind <= 0.0 {
                1.0
            } else if band > 0.0 {
                (-behind / band).exp()
            } else {
                0.0
            };
            shares.push(if share < LEAST_SHARE { 0.0 } else { share });
        }
        let total: f64 = shares.iter().sum();
        let rest = 1.0 - self.add_details(point, rows);
        for (&(index, place, _), share) in self.seen.iter().zip(shares) {
            let [first, second] = self.spans[index].joints;
            rows.add(first, rest * share / total * place.weight);
            rows.add(second, rest * share / total * (1.0 - place.weight));
        }
        nearest
    }

    /// Adds what details of faces take of a point; how much that is.
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

    /// Adds the one bone that a point sees nearest.
    fn nearest_bone(&mut self, point: DVec3, rows: &mut Rows) -> f64 {
        let nearest = self.look(point);
        for (index, place, distance) in &self.seen {
            let share = tie_share(*distance, nearest);
            let [first, second] = self.spans[*index].joints;
            // As steep as a tie, so that rounding does not decide at the joint either.
            let first_share = (500.0 * (place.weight - 0.5) + 0.5).clamp(0.0, 1.0);
            rows.add(first, share * first_share);
            rows.add(second, share * (1.0 - first_share));
        }
        nearest
    }
}
