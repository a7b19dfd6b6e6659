//! Weak pulls toward the previous pose and the rest pose, for numbers that no marker determines.

use super::body::{Body, ROOT};

/// Expected distance of joints from rest and from the previous frame, in radians.
const FROM_REST_RAD: f64 = 1.0;
const FROM_BEFORE: f64 = 0.5;

#[derive(Clone, Debug, Default)]
pub(crate) struct Pull {
    pub target: Vec<f64>,
    pub weight: Vec<f64>,
}

impl Pull {
    /// Pulls toward the previous pose and, except for the root, toward rest.
    pub fn new(body: &Body, before: &[f64]) -> Self {
        let mut pull = Self::default();
        pull.draw_to(body, before);
        pull
    }

    /// Sets new targets without allocation.
    pub fn draw_to(&mut self, body: &Body, before: &[f64]) {
        let to_before = 1.0 / (FROM_BEFORE * FROM_BEFORE);
        let both = to_before + 1.0 / (FROM_REST_RAD * FROM_REST_RAD);
        let root_end = body.root_end();
        self.target.clear();
        self.target.extend_from_slice(before);
        self.weight.clear();
        self.weight.resize(root_end, to_before);
        self.weight.resize(body.count, both);
        for target in &mut self.target[root_end..] {
            *target *= to_before / both;
        }
    }

    /// Pulls toward rest. Even over all frames, they are too weak to rotate the markers of a last
    /// segment instead of its joint.
    pub fn faint(body: &Body) -> Self {
        let mut pull = Self::new(body, &body.rest());
        let root_end = body.root_end();
        pull.weight[..root_end].fill(1e-6);
        pull.weight[root_end..].fill(1e-3);
        pull
    }

    /// Calls `each` with every number and its distance from the target. A free rotation uses the
    /// nearer of two equivalent vectors.
    fn offs(&self, body: &Body, q: &[f64], mut each: impl FnMut(usize, f64)) {
        for number in 0..ROOT {
            each(number, q[number] - self.target[number]);
        }
        for &index in &body.moving {
            let segment = &body.segments[index];
            let numbers = body.numbers(index, q);
            let target = body.numbers(index, &self.target);
            let near = segment.coordinates.nearest_branch(target, numbers);
            for nth in 0..numbers.len() {
                each(segment.first + nth, numbers[nth] - near[nth]);
            }
        }
    }

    /// Cost of the pulls in a pose.
    pub fn cost(&self, body: &Body, q: &[f64]) -> f64 {
        let mut cost = 0.0;
        self.offs(body, q, |number, off| {
            cost += self.weight[number] * off * off;
        });
        cost
    }

    /// Adds the pulls to the right side of a system.
    pub fn add(&self, body: &Body, q: &[f64], right: &mut [f64]) {
        self.offs(body, q, |number, off| {
            right[number] -= self.weight[number] * off;
        });
    }
}
