//! Joint limits. A [`Freedom`] holds the rotations of a joint, their ranges, the axes along which it
//! slides, and the range of a slide.
//!
//! Angles are relative to the rest pose, in the frame of the joint. The rotation of a joint is
//! `rest · r`, and limits apply to `r`. Sampling ignores limits. [`Freedom::clamp`] applies them.

pub use super::rotation_limit::{AngleRange, FramedRotation, RotationFrame, RotationLimit};
pub use super::slide_range::SlideRange;

use super::nearest_rotation;
use glam::{Quat, Vec3};
use sinew_math::transform::quat_f64::{QuatF64, unit};
use sinew_math::transform::{Transform, quat};
use thiserror::Error;

/// Rotations and translations that a joint can make.
#[derive(Clone, Debug, PartialEq)]
#[doc(alias = "ragdoll")]
#[doc(alias = "physics")]
#[doc(alias = "constraint")]
#[doc(alias = "joint limit")]
pub struct Freedom {
    /// Allowed rotations.
    pub rotation: RotationLimit,
    /// One flag per axis of the parent, true if the joint slides along it without limit.
    pub slides: [bool; 3],
    /// Range of a slide along one axis. No flag of `slides` is true then.
    pub slide_range: Option<SlideRange>,
}

impl Default for Freedom {
    fn default() -> Self {
        Self {
            rotation: RotationLimit::Free,
            slides: [false; 3],
            slide_range: None,
        }
    }
}

/// Error of contradictory limits.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum LimitError {
    /// Range that is not finite, or whose min is above its max.
    #[error("the range from {min_rad} to {max_rad} rad is empty or not finite")]
    EmptyRange {
        /// Min angle, in radians.
        min_rad: f32,
        /// Max angle, in radians.
        max_rad: f32,
    },
    /// Slide whose ends are not finite, or whose min is above its max.
    #[error("the slide from {min} to {max} is empty or not finite")]
    EmptySlide {
        /// Min distance.
        min: f32,
        /// Max distance.
        max: f32,
    },
    /// Slide with a range, and slides without limit.
    #[error("a joint with a range for its slide cannot slide without limit as well")]
    TwoSlides,
    /// Axis of zero length.
    #[error("the axis has no direction")]
    ZeroAxis,
    /// Saddle with two equal axes.
    #[error("a saddle needs two different axes")]
    SameAxis,
    /// Frame with a rotation that is not of unit length, or a frame within a frame.
    #[error(
        "the frame of a rotation limit needs two rotations of unit length, and cannot contain another frame"
    )]
    BadFrame,
}

/// Tolerance in radians, above the rounding of `f32` quaternion products.
const ROUNDING_RAD: f64 = 8e-7;

impl Freedom {
    /// Number of degrees of freedom.
    pub fn count(&self) -> usize {
        let slides = self.slides.iter().filter(|&&s| s).count();
        self.rotation.count() + slides + usize::from(self.slide_range.is_some())
    }

    /// True if an angle or a slide has a range.
    pub fn is_limited(&self) -> bool {
        self.rotation.is_limited() || self.slide_range.is_some()
    }

    /// Rejects contradictory limits.
    pub fn check(&self) -> Result<(), LimitError> {
        if let Some(slide) = &self.slide_range {
            slide.check()?;
            if self.slides != [false; 3] {
                return Err(LimitError::TwoSlides);
            }
        }
        match &self.rotation {
            RotationLimit::Framed(framed) if framed.frame.is_unit() => {
                check_rotation(&framed.rotation)
            }
            turn => check_rotation(turn),
        }
    }

    /// The same freedom for another parent. `frame` maps from the old parent, with a uniform scale.
    pub(super) fn in_frame(&self, frame: &Transform) -> Self {
        Self {
            slide_range: self.slide_range.map(|slide| slide.in_frame(frame)),
            ..self.clone()
        }
    }

    /// `now` with rotation and translation clamped to the limits. Scale is unchanged. The limits
    /// must pass [`Freedom::check`], as in every skeleton.
    ///
    /// ```
    /// use glam::Vec3;
    /// use sinew::Transform;
    /// use sinew::skeleton::limits::{AngleRange, Freedom, RotationLimit};
    /// use sinew::transform::Axis;
    /// let elbow = Freedom {
    ///     rotation: RotationLimit::Hinge { axis: Vec3::Z, range: AngleRange::degrees(0.0, 150.0) },
    ///     ..Freedom::default()
    /// };
    /// let bent_back = Transform::from_rotation(Axis::Z.rotation(-0.5));
    /// assert_eq!(elbow.clamp(&Transform::IDENTITY, &bent_back), Transform::IDENTITY);
    /// ```
    pub fn clamp(&self, rest: &Transform, now: &Transform) -> Transform {
        Transform {
            translation: self.clamp_translation(rest.translation, now.translation),
            rotation: self.clamp_rotation(rest.rotation, now.rotation),
            scale: now.scale,
        }
    }

    /// `now`, bit for bit, if within the limits. Otherwise an allowed rotation near `now`. Angles
    /// stop at the nearer end, and a ball joint keeps its swing direction. Arguments are unit
    /// quaternions.
    pub fn clamp_rotation(&self, rest: Quat, now: Quat) -> Quat {
        let wide_rest = QuatF64::from_quat(rest);
        let from_rest = wide_rest.conjugate().mul(QuatF64::from_quat(now));
        let Some(turn) = from_rest.normalized() else {
            return now;
        };
        let allowed = nearest_rotation::nearest(&self.rotation, turn);
        if allowed.angle_to(turn) <= ROUNDING_RAD {
            return now;
        }
        quat::aligned(wide_rest.mul(allowed).to_quat(), now)
    }

    /// Translation with `now` along axes that slide, and `rest` along other axes. With a range, the
    /// nearest point of the slide.
    pub fn clamp_translation(&self, rest: Vec3, now: Vec3) -> Vec3 {
        if let Some(slide) = &self.slide_range {
            return slide.clamp(rest, now);
        }
        let (rest, mut allowed) = (rest.to_array(), now.to_array());
        for axis in 0..3 {
            if !self.slides[axis] && allowed[axis] != rest[axis] {
                allowed[axis] = rest[axis];
            }
        }
        Vec3::from_array(allowed)
    }
}

fn check_rotation(turn: &RotationLimit) -> Result<(), LimitError> {
    match turn {
        RotationLimit::Framed(_) => Err(LimitError::BadFrame),
        RotationLimit::Fixed | RotationLimit::Free => Ok(()),
        RotationLimit::Hinge { axis, range } => {
            check_axis(*axis)?;
            check_range(range)
        }
        RotationLimit::Saddle { axes, ranges } => {
            if axes[0] == axes[1] {
                return Err(LimitError::SameAxis);
            }
            ranges.iter().try_for_each(check_range)
        }
        RotationLimit::Ball {
            axis,
            swing_rad,
            twist,
        } => {
            check_axis(*axis)?;
            check_range(&AngleRange {
                min_rad: 0.0,
                max_rad: *swing_rad,
            })?;
            check_range(twist)
        }
        RotationLimit::Euler { ranges, .. } => ranges.iter().try_for_each(check_range),
    }
}

fn check_axis(axis: Vec3) -> Result<(), LimitError> {
    unit(axis).map(|_| ()).ok_or(LimitError::ZeroAxis)
}

fn check_range(range: &AngleRange) -> Result<(), LimitError> {
    let AngleRange { min_rad, max_rad } = *range;
    if min_rad <= max_rad && min_rad.is_finite() && max_rad.is_finite() {
        Ok(())
    } else {
        Err(LimitError::EmptyRange { min_rad, max_rad })
    }
}
