//! Damping of a linear system, as a fraction of its diagonal.

/// Damping of Levenberg and Marquardt, adapted to the gain ratio of each step (Nielsen, Damping
/// Parameter in Marquardt's Method, 1999).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Damping {
    /// Fraction of the diagonal.
    pub part: f64,
    grows: f64,
}

const LEAST: f64 = 1e-6;
const MOST: f64 = 1e6;
/// Growth of the damping after a failed step, and growth of that growth after each further failure.
const GROWS: [f64; 2] = [10.0, 2.0];

impl Damping {
    pub fn new() -> Self {
        Self {
            part: 1e-4,
            grows: GROWS[0],
        }
    }

    /// Accepts a step with the fraction `kept` of its predicted gain.
    pub fn accept(&mut self, kept: f64) {
        let short = 1.0 - (2.0 * kept.clamp(0.0, 1.0) - 1.0).powi(3);
        self.part = (self.part * short.max(0.1)).max(LEAST);
        self.grows = GROWS[0];
    }

    /// Rejects a step. True if a shorter step may succeed.
    #[must_use]
    pub fn refuse(&mut self) -> bool {
        self.part *= self.grows;
        self.grows *= GROWS[1];
        self.part <= MOST
    }
}
