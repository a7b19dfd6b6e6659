//! Normal equations of a pose.
//! A number of a pose moves all markers beyond its joint as one rigid body. So its entries need
//! only the mass and the first and second moments of these markers: the composite bodies of
//! Featherstone (Rigid Body Dynamics Algorithms, 2008, §6.2), with the weights of sightings as
//! masses. Moments are about the centre of the root.

use super::body::{Body, MarkerFrame, Placed, Twist};
use super::pull::Pull;
use super::rim::{Rim, hold};
use glam::DVec3;

/// Expected error of a sighting, in metres.
pub(crate) const MARKER_M: f64 = 0.002;
/// Distance, in metres, above which the error of a marker counts linearly, not squared.
const FAR_M: f64 = 0.04;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Miss {
    pub marker: usize,
    /// Position on the body, relative to the centre of the root.
    pub at: DVec3,
    /// Offset from the seen position, in metres.
    pub off: DVec3,
    /// Weight in the fit.
    pub counts: f64,
}

/// A pose with its errors at the markers of one frame.
#[derive(Clone, Debug, Default)]
pub(crate) struct Met {
    pub q: Vec<f64>,
    pub placed: Placed,
    pub misses: Vec<Miss>,
    pub cost: f64,
}

impl Met {
    /// Poses the body and measures the errors at the markers.
    pub fn measure(&mut self, body: &Body, seen: &MarkerFrame, pull: &Pull) {
        body.pose_into(&self.q, &mut self.placed);
        self.misses.clear();
        let mut cost = 0.0;
        for (marker, seen) in seen.iter().enumerate() {
            let Some(seen) = seen else { continue };
            let at = body.marker(&self.placed, marker);
            let off = at - *seen;
            let (costs, counts) = robust(off);
            cost += costs;
            self.misses.push(Miss {
                marker,
                at: self.placed.about_root(at),
                off,
                counts,
            });
        }
        self.cost = cost + pull.cost(body, &self.q);
    }

    /// Root mean square of the marker distances, in metres.
    pub fn rms(&self) -> f64 {
        let sum: f64 = self.misses.iter().map(|m| m.off.length_squared()).sum();
        (sum / self.misses.len().max(1) as f64).sqrt()
    }
}

fn robust(off: DVec3) -> (f64, f64) {
    let per = 1.0 / (MARKER_M * MARKER_M);
    let square = off.length_squared();
    if square > FAR_M * FAR_M {
        let distance = square.sqrt();
        let costs = per * FAR_M * (2.0 * distance - FAR_M);
        (costs, per * FAR_M / distance)
    } else {
        (per * square, per)
    }
}

#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Wrench {
    pub moment: DVec3,
    pub force: DVec3,
}

impl Wrench {
    /// Wrench of a force at a point.
    pub fn new(at: DVec3, force: DVec3) -> Self {
        Self {
            moment: at.cross(force),
            force,
        }
    }

    pub fn add(&mut self, other: Self) {
        self.moment += other.moment;
        self.force += other.force;
    }

    /// Work of the wrench along a twist.
    pub fn along(&self, twist: Twist) -> f64 {
        twist.angular.dot(self.moment) + twist.linear.dot(self.force)
    }
}

/// Markers of a segment and its descendants, as one rigid body.
#[derive(Clone, Copy, Debug, Default)]
struct Composite {
    mass: f64,
    first: DVec3,
    /// Squares of coordinates, and products of two coordinates.
    squares: DVec3,
    products: DVec3,
    /// Negative of the wrench that pulls the body toward the seen markers.
    drawn: Wrench,
}

impl Composite {
    fn add_miss(&mut self, miss: &Miss) {
        let Miss { at, counts, .. } = *miss;
        let first = at * counts;
        self.mass += counts;
        self.first += first;
        self.squares += first * at;
        self.products += DVec3::new(first.y * at.z, first.z * at.x, first.x * at.y);
        self.drawn.add(Wrench::new(at, miss.off * counts));
    }

    fn add(&mut self, other: &Self) {
        self.mass += other.mass;
        self.first += other.first;
        self.squares += other.squares;
        self.products += other.products;
        self.drawn.add(other.drawn);
    }

    fn resists(&self, Twist { angular, linear }: Twist) -> Wrench {
        let (s, p) = (self.squares, self.products);
        let moment = DVec3::new(
            (s.y + s.z) * angular.x - p.z * angular.y - p.y * angular.z,
            (s.z + s.x) * angular.y - p.x * angular.z - p.z * angular.x,
            (s.x + s.y) * angular.z - p.y * angular.x - p.x * angular.y,
        );
        Wrench {
            moment: moment + self.first.cross(linear),
            force: linear * self.mass + angular.cross(self.first),
        }
    }
}

/// System of a pose: its right side, and its matrix in the layout of the [tree](super::tree::Tree).
#[derive(Clone, Debug, Default)]
pub(crate) struct Normal {
    pub matrix: Vec<f64>,
    pub right: Vec<f64>,
    /// True for a number that is held because it is at an end of its range and would leave it.
    pub held: Vec<bool>,
    /// Swings that would leave their cones.
    pub rims: Vec<Rim>,
    /// Twist of each number. At a rim, the two twists are outward and along the rim.
    pub twists: Vec<Twist>,
    composites: Vec<Composite>,
}

impl Normal {
    /// Builds the system of a pose. Limits apply only if `holds` is true.
    pub fn fill(&mut self, body: &Body, met: &Met, pull: &Pull, holds: bool) {
        self.compose(body, met);
        self.twists.clone_from(&met.placed.twists);
        self.right.clear();
        self.right.resize(body.count, 0.0);
        body.each_number(|number, segment| {
            let drawn = &self.composites[segment].drawn;
            self.right[number] = -drawn.along(self.twists[number]);
        });
        pull.add(body, &met.q, &mut self.right);
        self.held.clear();
        self.held.resize(body.count, false);
        self.rims.clear();
        if holds {
            hold(body, &met.q, &self.right, &mut self.held, &mut self.rims);
        }
        for rim in &self.rims {
            let (a, b) = (rim.number, rim.number + 1);
            [self.twists[a], self.twists[b]] = rim.rotated([self.twists[a], self.twists[b]]);
            [self.right[a], self.right[b]] = rim.rotated([self.right[a], self.right[b]]);
        }
        self.matrix.resize(body.tree.entries(), 0.0);
        body.each_number(|number, segment| {
            let wrench = self.composites[segment].resists(self.twists[number]);
            let row = &mut self.matrix[body.tree.row(number)];
            let mut next = Some(number);
            for entry in row.iter_mut().rev() {
                let Some(other) = next else { break };
                *entry = wrench.along(self.twists[other]);
                next = body.tree.above(other);
            }
            if let Some(diagonal) = row.last_mut() {
                *diagonal += pull.weight[number];
            }
        });
        for rim in &self.rims {
            // Motion along the rim also goes inward, against the outward force.
            let swing = libm::hypot(met.q[rim.number], met.q[rim.number + 1]);
            let along = body.tree.diagonal(rim.number + 1);
            self.matrix[along] += self.right[rim.number] / swing;
        }
    }

    fn compose(&mut self, body: &Body, met: &Met) {
        self.composites.clear();
        let none = Composite::default();
        self.composites.resize(body.segments.len(), none);
        for miss in &met.misses {
            let segment = body.markers[miss.marker].segment;
            self.composites[segment].add_miss(miss);
        }
        for &index in body.moving.iter().rev() {
            if let Some(parent) = body.segments[index].parent {
                let own = self.composites[index];
                self.composites[parent].add(&own);
            }
        }
    }

    /// Writes the factor of the damped matrix, without held numbers. False if none exists.
    #[must_use]
    pub fn factor(&self, body: &Body, damping: f64, held: &[bool], factor: &mut Vec<f64>) -> bool {
        factor.clone_from(&self.matrix);
        for number in 0..body.count {
            factor[body.tree.diagonal(number)] *= 1.0 + damping;
        }
        if held.contains(&true) {
            body.tree.take_out(factor, held);
        }
        body.tree.factor(factor)
    }
}
