//! Slides with a range: one axis along which a joint moves between two ends, like the spindle of a
//! robot.

use super::limits::LimitError;
use glam::Vec3;
use sinew_math::transform::quat_f64::{dot, unit};
use sinew_math::transform::{Transform, quat};

/// Distances that a joint can move along one axis, relative to rest.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "prismatic")]
pub struct SlideRange {
    /// Axis in the frame of the parent, of any length except 0.
    pub axis: Vec3,
    /// Min distance from rest, in the unit of the skeleton.
    pub min: f32,
    /// Max distance from rest, in the unit of the skeleton.
    pub max: f32,
}

/// Rounding of a translation in `f32`, relative to its length.
const ROUNDING: f64 = 5e-7;

impl SlideRange {
    /// Translation at a distance from `rest`. The range does not apply.
    ///
    /// ```
    /// use glam::Vec3;
    /// use sinew::skeleton::limits::SlideRange;
    /// let spindle = SlideRange { axis: Vec3::Y * 2.0, min: -0.2, max: 0.0 };
    /// assert_eq!(spindle.at(Vec3::X, -0.5), Vec3::new(1.0, -0.5, 0.0));
    /// assert_eq!(spindle.distance(Vec3::X, Vec3::new(1.0, -0.5, 0.0)), -0.5);
    /// ```
    pub fn at(&self, rest: Vec3, distance: f32) -> Vec3 {
        self.at_f64(rest, f64::from(distance))
    }

    /// Distance along the axis from `rest` to `now`. Other directions do not count.
    pub fn distance(&self, rest: Vec3, now: Vec3) -> f32 {
        self.distance_f64(rest, now) as f32
    }

    pub(crate) fn distance_f64(&self, rest: Vec3, now: Vec3) -> f64 {
        let [from, to] = [rest, now].map(|v| v.to_array().map(f64::from));
        dot([0, 1, 2].map(|i| to[i] - from[i]), self.direction())
    }

    /// Unit vector of the axis, in the frame of the parent.
    pub(crate) fn direction(&self) -> [f64; 3] {
        unit(self.axis).unwrap_or([0.0; 3])
    }

    /// `now`, bit for bit, if it is on the slide. Otherwise the nearest point of the slide.
    pub(super) fn clamp(&self, rest: Vec3, now: Vec3) -> Vec3 {
        let distance = self.distance_f64(rest, now);
        let within = distance.max(f64::from(self.min)).min(f64::from(self.max));
        let allowed = self.at_f64(rest, within);
        let largest = |v: [f32; 3]| v.into_iter().fold(0.0, |most: f32, c| most.max(c.abs()));
        let off = [0, 1, 2].map(|i| allowed[i] - now[i]);
        let size = largest(rest.to_array()).max(largest(allowed.to_array()));
        if f64::from(largest(off)) <= ROUNDING * f64::from(size) {
            return now;
        }
        allowed
    }

    fn at_f64(&self, rest: Vec3, distance: f64) -> Vec3 {
        let direction = self.direction();
        let moved = [0, 1, 2].map(|i| (f64::from(rest[i]) + direction[i] * distance) as f32);
        Vec3::from_array(moved)
    }

    /// The same slide for another parent. `frame` maps from the old parent, with a uniform scale.
    pub(super) fn in_frame(&self, frame: &Transform) -> Self {
        Self {
            axis: quat::rotate(frame.rotation, self.axis),
            ..*self
        }
        .scaled(frame.scale.x)
    }

    /// The same slide in a skeleton whose lengths are multiplied by a factor.
    #[must_use]
    pub fn scaled(&self, factor: f32) -> Self {
        Self {
            axis: if factor < 0.0 { -self.axis } else { self.axis },
            min: self.min * factor.abs(),
            max: self.max * factor.abs(),
        }
    }

    pub(super) fn check(&self) -> Result<(), LimitError> {
        let Self { axis, min, max } = *self;
        if unit(axis).is_none() {
            return Err(LimitError::ZeroAxis);
        }
        if min <= max && min.is_finite() && max.is_finite() {
            Ok(())
        } else {
            Err(LimitError::EmptySlide { min, max })
        }
    }
}
