/// Curve along which a weight rises from 0 to 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "snake_case"))]
#[non_exhaustive]
pub enum Ease {
    /// Constant speed.
    Linear,
    /// Zero speed at both ends: 3t² − 2t³.
    #[default]
    Smooth,
    /// Zero speed and acceleration at both ends: 6t⁵ − 15t⁴ + 10t³.
    Smoother,
}

impl Ease {
    /// Weight in [0, 1] at `t`, the elapsed fraction of the duration, clamped to [0, 1].
    pub fn at(self, t: f32) -> f32 {
        let t = t.clamp(0.0, 1.0);
        match self {
            Self::Linear => t,
            Self::Smooth => t * t * (3.0 - 2.0 * t),
            Self::Smoother => t * t * t * (t * (6.0 * t - 15.0) + 10.0),
        }
    }
}

/// Cross-fade of two motions. An interruption causes a jump, unlike with [`super::Inertia`].
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
#[doc(alias = "crossfade")]
pub struct CrossFade {
    ease: Ease,
    duration_secs: f64,
    elapsed_secs: f64,
}

impl CrossFade {
    /// Cross-fade at its start. If the duration is not positive, the cross-fade is done at once.
    pub fn new(duration_secs: f32, ease: Ease) -> Self {
        Self {
            ease,
            duration_secs: f64::from(duration_secs),
            elapsed_secs: 0.0,
        }
    }

    /// Advances by `dt_secs`. A step that is not positive has no effect.
    pub fn advance(&mut self, dt_secs: f64) {
        if dt_secs > 0.0 {
            self.elapsed_secs += dt_secs;
        }
    }

    /// Weight of the new motion, in [0, 1]. The weight of the old motion is 1 minus this weight.
    pub fn weight(&self) -> f32 {
        self.weight_at(0.0)
    }

    pub(crate) fn weight_at(&self, ahead_secs: f64) -> f32 {
        if self.duration_secs > 0.0 {
            let t = (self.elapsed_secs + ahead_secs) / self.duration_secs;
            self.ease.at(t as f32)
        } else {
            1.0
        }
    }

    /// True once the new motion plays alone.
    pub fn is_done(&self) -> bool {
        self.remaining_secs() <= 0.0
    }

    pub(crate) fn remaining_secs(&self) -> f64 {
        (self.duration_secs - self.elapsed_secs).max(0.0)
    }
}
