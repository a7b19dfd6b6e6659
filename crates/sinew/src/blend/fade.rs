//! From one motion to another over a while.

/// How a weight goes from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
pub enum Ease {
    /// At constant speed.
    Linear,
    /// Starts and ends at rest: 3t² − 2t³.
    #[default]
    Smooth,
    /// Starts and ends at rest and without acceleration: 6t⁵ − 15t⁴ + 10t³.
    Smoother,
}

impl Ease {
    /// The weight when `t` of the time is over; 0 before and 1 after.
    pub fn at(self, t: f32) -> f32 {
        let t = t.clamp(0.0, 1.0);
        match self {
            Self::Linear => t,
            Self::Smooth => t * t * (3.0 - 2.0 * t),
            Self::Smoother => t * t * t * (t * (6.0 * t - 15.0) + 10.0),
        }
    }
}

/// A cross-fade on its way: both motions play on, one takes over from the other. Broken off, it
/// would jump; [`super::Inertia`] takes over what was shown.
///
/// ```
/// use sinew::blend::{CrossFade, Ease};
/// let mut fade = CrossFade::new(0.5, Ease::Smooth);
/// fade.advance(0.25);
/// assert_eq!(fade.weight(), 0.5);
/// fade.advance(0.25);
/// assert!(fade.is_done());
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CrossFade {
    ease: Ease,
    duration_secs: f64,
    elapsed_secs: f64,
}

impl CrossFade {
    /// At its beginning; done at once when the duration is not a positive number.
    pub fn new(duration_secs: f32, ease: Ease) -> Self {
        Self {
            ease,
            duration_secs: f64::from(duration_secs),
            elapsed_secs: 0.0,
        }
    }

    /// Goes on; steps that are not positive numbers do nothing.
    pub fn advance(&mut self, dt_secs: f64) {
        if dt_secs > 0.0 {
            self.elapsed_secs += dt_secs;
        }
    }

    /// What the motion that is faded to counts; the other one has the rest of 1.
    pub fn weight(&self) -> f32 {
        self.weight_at(0.0)
    }

    /// The weight so many seconds from now, or ago.
    pub(crate) fn weight_at(&self, ahead_secs: f64) -> f32 {
        if self.duration_secs > 0.0 {
            let t = (self.elapsed_secs + ahead_secs) / self.duration_secs;
            self.ease.at(t as f32)
        } else {
            1.0
        }
    }

    /// Whether only the motion that it fades to is left.
    pub fn is_done(&self) -> bool {
        self.remaining_secs() <= 0.0
    }

    /// How much longer it takes.
    pub(crate) fn remaining_secs(&self) -> f64 {
        (self.duration_secs - self.elapsed_secs).max(0.0)
    }
}
