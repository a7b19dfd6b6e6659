//! Transitions that can interrupt each other without jumps in position or speed. The method is from
//! D. Bollo, "Inertialization: High-Performance Animation Transitions in Gears of War", GDC 2018.
//! The offset x₀ and speed v₀ of the old motion decay along a quintic: x₀ p(τ) + v₀ T q(τ). All
//! joints share p and q. Unlike in the talk, a speed away from the new motion is not clamped, so
//! joints overshoot by up to 0.2 v₀ T.

use super::additive::AdditivePose;
use super::difference::{self, Switch};
use super::layer::Addition;
use crate::pose::{LocalPose, PoseMismatch};
use sinew_math::dispatch;
use sinew_math::simd::Level;

/// Decaying offset of an old motion, added to a new motion.
///
/// ```
/// use glam::Vec3;
/// use sinew::blend::{BlendJob, Inertia, Layer};
/// use sinew::{LocalPose, Transform};
/// let at = |x: f32| LocalPose::from_transforms(&[Transform::from_translation(Vec3::X * x)]);
/// // So far: at 2, moving by 3 per second. From now on: at rest at 0.
/// let target = at(0.0);
/// let mut inertia = Inertia::new(1);
/// inertia.start([&at(1.97), &at(2.0)], [&target, &target], 0.01, 0.5);
/// let shown = |inertia: &Inertia| {
///     let (mut layers, mut out) = ([Layer::new(&target, 1.0)], LocalPose::identity(1));
///     let job = BlendJob::new(&target, &mut layers);
///     BlendJob { additions: &mut inertia.additions(), ..job }.run(&mut out).unwrap();
///     out.get(0).translation.x
/// };
/// assert_eq!(shown(&inertia), 2.0);
/// inertia.advance(0.01);
/// assert!((shown(&inertia) - 2.03).abs() < 1e-3);
/// inertia.advance(0.5);
/// assert_eq!(shown(&inertia), 0.0);
/// ```
#[derive(Clone, Debug, PartialEq)]
#[doc(alias = "inertialization")]
#[doc(alias = "inertial blending")]
pub struct Inertia {
    offset: AdditivePose,
    rate: AdditivePose,
    duration_secs: f64,
    elapsed_secs: f64,
}

impl Inertia {
    /// Inertia without an offset.
    pub fn new(joints: usize) -> Self {
        Self {
            offset: AdditivePose::none(joints),
            rate: AdditivePose::none(joints),
            duration_secs: 0.0,
            elapsed_secs: 0.0,
        }
    }

    /// Starts a transition. `shown` holds the poses shown one step ago and now, with earlier
    /// inertia. `target` holds the poses of the new motion now and one step ahead. There is no
    /// offset if `step_secs` or `duration_secs` is not positive and finite.
    ///
    /// # Errors
    /// If a pose has another number of joints than this inertia, which is then unchanged.
    pub fn start(
        &mut self,
        shown: [&LocalPose; 2],
        target: [&LocalPose; 2],
        step_secs: f64,
        duration_secs: f64,
    ) -> Result<(), PoseMismatch> {
        self.start_on(Level::best(), shown, target, step_secs, duration_secs)
    }

    /// [`Inertia::start`] with a chosen instruction set. The result is the same for every set.
    pub fn start_on(
        &mut self,
        level: Level,
        shown: [&LocalPose; 2],
        target: [&LocalPose; 2],
        step_secs: f64,
        duration_secs: f64,
    ) -> Result<(), PoseMismatch> {
        for pose in shown.iter().chain(&target) {
            PoseMismatch::check(pose.len(), self.offset.len())?;
        }
        let is_positive = |secs: f64| secs > 0.0 && secs.is_finite();
        self.elapsed_secs = 0.0;
        self.duration_secs = 0.0;
        if !is_positive(step_secs) || !is_positive(duration_secs) {
            return Ok(());
        }
        self.duration_secs = duration_secs;
        let switch = Switch {
            from_earlier: shown[0].blocks(),
            from_now: shown[1].blocks(),
            to_now: target[0].blocks(),
            to_later: target[1].blocks(),
            steps_per_sec: (1.0 / step_secs) as f32,
        };
        let (offset, rate) = (self.offset.blocks_mut(), self.rate.blocks_mut());
        dispatch!(level, simd => difference::offset_and_rate(simd, switch, offset, rate));
        Ok(())
    }

    /// Advances by `dt_secs`. A step that is not positive has no effect.
    pub fn advance(&mut self, dt_secs: f64) {
        if dt_secs > 0.0 {
            self.elapsed_secs += dt_secs;
        }
    }

    /// Removes the offset at once.
    pub fn stop(&mut self) {
        self.duration_secs = 0.0;
    }

    /// True once the offset is zero.
    pub fn is_done(&self) -> bool {
        self.elapsed_secs >= self.duration_secs
    }

    pub(crate) fn was_done(&self, secs_ago: f64) -> bool {
        self.part(-secs_ago) >= 1.0
    }

    /// Offset and rate, with their current weights, to add to the new motion.
    pub fn additions(&self) -> [Addition<'_>; 2] {
        self.additions_at(0.0)
    }

    pub(crate) fn additions_at(&self, ahead_secs: f64) -> [Addition<'_>; 2] {
        let t = self.part(ahead_secs);
        let rate_secs = self.duration_secs * (t - t * t * t * (6.0 - t * (8.0 - 3.0 * t)));
        [
            Addition::new(&self.offset, offset_weight(t) as f32),
            Addition::new(&self.rate, rate_secs as f32),
        ]
    }

    /// Current weight of the offset, from 1 to 0. Root motion uses it for speeds.
    pub(crate) fn weight(&self) -> f64 {
        offset_weight(self.part(0.0))
    }

    /// Integral of [`Self::weight`] over the next `dt_secs`, in seconds, for any step size.
    pub(crate) fn carried_secs(&self, dt_secs: f64) -> f64 {
        let integral = |t: f64| t - t * t * t * t * (2.5 - t * (3.0 - t));
        self.duration_secs * (integral(self.part(dt_secs)) - integral(self.part(0.0)))
    }

    fn part(&self, ahead_secs: f64) -> f64 {
        match self.duration_secs > 0.0 {
            true => ((self.elapsed_secs + ahead_secs) / self.duration_secs).clamp(0.0, 1.0),
            false => 1.0,
        }
    }
}

/// Weight that falls from 1 to 0, with zero speed and acceleration at both ends.
fn offset_weight(t: f64) -> f64 {
    1.0 - t * t * t * (10.0 - t * (15.0 - 6.0 * t))
}
