//! A transition that can begin at any moment, also in the middle of another, without a jump in
//! place or speed.
//!
//! After D. Bollo, "Inertialization: High-Performance Animation Transitions in Gears of War", GDC 2018: the new
//! motion plays alone from the first frame on, and what the old one was off by, in place and in
//! speed, is added to it and dies down along a quintic. Written in the quintic's basis, the offset is
//! x₀ p(τ) + v₀ T q(τ): two numbers a frame for the whole skeleton, and the same for every joint. Unlike
//! the talk, a speed away from the new motion is kept: the joint swings on by 0.2 v₀ T at most
//! before it comes back, where clamping would break the speed.

use super::additive::AdditivePose;
use super::difference::{self, Switch};
use super::layer::Addition;
use crate::pose::{LocalPose, PoseMismatch};
use sinew_math::dispatch;
use sinew_math::simd::Level;

/// What is left of an old motion while a new one plays.
///
/// ```
/// use glam::Vec3;
/// use sinew::blend::{BlendJob, Inertia, Layer};
/// use sinew::{LocalPose, Transform};
/// let at = |x: f32| LocalPose::from_transforms(&[Transform::from_translation(Vec3::X * x)]);
/// // Shown so far: something at 2 that moves on by 3 a second. From now on: something that stands at 0.
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
pub struct Inertia {
    offset: AdditivePose,
    rate: AdditivePose,
    duration_secs: f64,
    elapsed_secs: f64,
}

impl Inertia {
    /// Nothing left of anything.
    pub fn new(joints: usize) -> Self {
        Self {
            offset: AdditivePose::none(joints),
            rate: AdditivePose::none(joints),
            duration_secs: 0.0,
            elapsed_secs: 0.0,
        }
    }

    /// Begins, from what was shown a step ago and is shown now, inertia of before included, to what the
    /// new motion is now and will be in a step. Does nothing but stop when `step_secs` or
    /// `duration_secs` is not a positive number. All must have the same joints.
    ///
    /// # Errors
    /// When one of the poses has not the joints that this was made for; nothing is changed then.
    pub fn start(
        &mut self,
        shown: [&LocalPose; 2],
        target: [&LocalPose; 2],
        step_secs: f64,
        duration_secs: f64,
    ) -> Result<(), PoseMismatch> {
        self.start_on(Level::best(), shown, target, step_secs, duration_secs)
    }

    /// [`Inertia::start`] with a chosen instruction set, which changes no bit.
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

    /// Goes on; steps that are not positive numbers do nothing.
    pub fn advance(&mut self, dt_secs: f64) {
        if dt_secs > 0.0 {
            self.elapsed_secs += dt_secs;
        }
    }

    /// Leaves nothing.
    pub fn stop(&mut self) {
        self.duration_secs = 0.0;
    }

    /// Whether nothing is left.
    pub fn is_done(&self) -> bool {
        self.elapsed_secs >= self.duration_secs
    }

    /// Whether nothing was left so many seconds ago either.
    pub(crate) fn was_done(&self, secs_ago: f64) -> bool {
        self.part(-secs_ago) >= 1.0
    }

    /// What to add to the new motion now.
    pub fn additions(&self) -> [Addition<'_>; 2] {
        self.additions_at(0.0)
    }

    /// What there is to add so many seconds from now, or ago.
    pub(crate) fn additions_at(&self, ahead_secs: f64) -> [Addition<'_>; 2] {
        let t = self.part(ahead_secs);
        let rate_secs = self.duration_secs * (t - t * t * t * (6.0 - t * (8.0 - 3.0 * t)));
        [
            Addition::new(&self.offset, offset_weight(t) as f32),
            Addition::new(&self.rate, rate_secs as f32),
        ]
    }

    /// What is left of a speed that dies down like the offset.
    pub(crate) fn weight(&self) -> f64 {
        offset_weight(self.part(0.0))
    }

    /// For how many seconds such a speed, whole, would have to last to lead as far as it does in the
    /// step ahead: the integral of the weight, so that steps may be cut at will.
    pub(crate) fn carried_secs(&self, dt_secs: f64) -> f64 {
        let integral = |t: f64| t - t * t * t * t * (2.5 - t * (3.0 - t));
        self.duration_secs * (integral(self.part(dt_secs)) - integral(self.part(0.0)))
    }

    /// What part of the time is over.
    fn part(&self, ahead_secs: f64) -> f64 {
        match self.duration_secs > 0.0 {
            true => ((self.elapsed_secs + ahead_secs) / self.duration_secs).clamp(0.0, 1.0),
            false => 1.0,
        }
    }
}

/// From 1 to 0 without speed or acceleration at either end.
fn offset_weight(t: f64) -> f64 {
    1.0 - t * t * t * (10.0 - t * (15.0 - 6.0 * t))
}
