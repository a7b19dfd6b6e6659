//! Steps of a pose within its joint limits.
//! A step holds numbers that would leave their range. It holds the swing of a ball joint at the rim
//! of its cone, but allows motion along the rim. If the step reaches other limits, they are held
//! too, and the step is solved again (an active set).

use super::body::Body;
use super::normal::Normal;
use super::rim::{AT_RIM, Rim};

/// Max number of rounds that add limits. After that, the step is clamped.
const MAX_ROUNDS: usize = 6;

#[derive(Clone, Debug, Default)]
pub(crate) struct Bounded {
    held: Vec<bool>,
    fixed: Vec<f64>,
    factor: Vec<f64>,
    step: Vec<f64>,
}

impl Bounded {
    /// Writes the pose after a step to `moved`. `damping` is the fraction of the diagonal added to
    /// the diagonal. False if there is no step.
    #[must_use]
    pub fn step(
        &mut self,
        body: &Body,
        normal: &Normal,
        right: &[f64],
        damping: f64,
        q: &[f64],
        moved: &mut Vec<f64>,
    ) -> bool {
        self.held.clone_from(&normal.held);
        self.fixed.clear();
        self.fixed.resize(body.count, 0.0);
        for round in 0..MAX_ROUNDS {
            if !normal.factor(body, damping, &self.held, &mut self.factor) {
                return false;
            }
            self.step.clone_from(&self.fixed);
            if round > 0 {
                body.tree
                    .multiply(&normal.matrix, &self.fixed, &mut self.step);
            }
            for number in 0..body.count {
                self.step[number] = if self.held[number] {
                    self.fixed[number]
                } else {
                    right[number] - self.step[number]
                };
            }
            body.tree.solve(&self.factor, &mut self.step);
            moved.clone_from(&self.step);
            for rim in &normal.rims {
                let pair = rim.back([moved[rim.number], moved[rim.number + 1]]);
                moved[rim.number..][..2].copy_from_slice(&pair);
            }
            moved.iter_mut().zip(q).for_each(|(moved, q)| *moved += q);
            if !self.meet(body, normal, q, moved) {
                break;
            }
        }
        body.clamp(moved);
        true
    }

    /// Reduction of the cost that the linear system predicts for the last step.
    pub fn promise(&mut self, body: &Body, normal: &Normal) -> f64 {
        let product = &mut self.fixed;
        product.fill(0.0);
        body.tree.multiply(&normal.matrix, &self.step, product);
        let numbers = self.step.iter().zip(&normal.right).zip(product);
        numbers.map(|((s, r), p)| s * (2.0 * r - *p)).sum()
    }

    /// Holds the numbers that would leave their limits. True if there are such numbers.
    fn meet(&mut self, body: &Body, normal: &Normal, q: &[f64], moved: &[f64]) -> bool {
        let mut any = false;
        let mut fix = |number: usize, to: f64| {
            any |= !std::mem::replace(&mut self.held[number], true);
            self.fixed[number] = to - q[number];
        };
        for &index in &body.moving {
            let segment = &body.segments[index];
            let numbers = body.numbers(index, moved);
            for (nth, &x) in numbers.iter().enumerate() {
                let [low, high] = segment.coordinates.range(nth);
                if x < low || x > high {
                    fix(segment.first + nth, x.max(low).min(high));
                }
            }
            let at_rim = |rim: &Rim| rim.number == segment.first;
            if let Some(rim) = segment.coordinates.rim()
                && !normal.rims.iter().any(at_rim)
            {
                let swing = libm::hypot(numbers[0], numbers[1]);
                if swing > rim * (1.0 + AT_RIM) {
                    fix(segment.first, numbers[0] * (rim / swing));
                    fix(segment.first + 1, numbers[1] * (rim / swing));
                }
            }
        }
        any
    }
}
