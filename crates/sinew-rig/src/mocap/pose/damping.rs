//! The part of its diagonal that is added to a system, so that its steps make things better.

/// The damping of Levenberg and Marquardt, by how steps kept what they promised (Nielsen, Damping Parameter
/// in Marquardt's Method, 1999).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Damping {
    /// Of the diagonal.
    pub part: f64,
    grows: f64,
}

/// Less than that changes nothing.
const LEAST: f64 = 1e-6;
const MOST: f64 = 1e6;
/// The factor by which it grows after a step that was none, and the factor of that factor after another.
const GROWS: [f64; 2] = [10.0, 2.0];

impl Damping {
    pub fn new() -> Self {
        Self {
            part: 1e-4,
            grows: GROWS[0],
        }
    }

    /// A step made things better, by so much of what it promised.
    pub fn accept(&mut self, kept: f64) {
        let short = 1.0 - (2.0 * kept.clamp(0.0, 1.0) - 1.0).powi(3);
        self.part = (self.part * short.max(0.1)).max(LEAST);
        self.grows = GROWS[0];
    }

    /// A step made nothing better; says whether a shorter one might.
    #[must_use]
    pub fn refuse(&mut self) -> bool {
        self.part *= self.grows;
        self.grows *= GROWS[1];
        self.part <= MOST
    }
}
