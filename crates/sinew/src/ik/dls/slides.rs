//! Translations of a joint that slides: one number per axis, with bounds if the slide has a range.

use crate::ik::frame::{Vec3F64, length};
use crate::skeleton::limits::Freedom;
use sinew_math::transform::quat_f64::{add_scaled, scaled};

/// Axes of a joint along which it slides.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slides {
    /// Unit vectors in the frame of the parent.
    pub axes: [Vec3F64; 3],
    pub count: usize,
    /// Range of the first number, as distances from rest.
    pub range: Option<[f64; 2]>,
}

impl Slides {
    pub fn new(freedom: &Freedom) -> Self {
        let mut slides = Self {
            axes: [[0.0; 3]; 3],
            count: 0,
            range: None,
        };
        if let Some(range) = &freedom.slide_range {
            slides.axes[0] = range.direction();
            slides.range = Some([f64::from(range.min), f64::from(range.max)]);
            slides.count = 1;
            return slides;
        }
        for axis in (0..3).filter(|&axis| freedom.slides[axis]) {
            slides.axes[slides.count][axis] = 1.0;
            slides.count += 1;
        }
        slides
    }

    pub fn offset(&self, slid: Vec3F64) -> Vec3F64 {
        let axes = self.axes[..self.count].iter().zip(slid);
        axes.fold([0.0; 3], |sum, (axis, by)| add_scaled(sum, *axis, by))
    }

    /// Length of a step of 1. A slide with a range moves as far as a rotation by 1 rad does.
    pub fn unit(&self, size: f64) -> f64 {
        if self.range.is_some() { size } else { 1.0 }
    }

    /// Distance within the range.
    pub fn within(&self, distance: f64) -> f64 {
        match self.range {
            Some([min, max]) => distance.max(min).min(max),
            None => distance,
        }
    }

    /// Range of a step from a distance, down and up.
    pub fn step_range(&self, distance: f64) -> [f64; 2] {
        match self.range {
            Some([min, max]) => [(min - distance).min(0.0), (max - distance).max(0.0)],
            None => [f64::NEG_INFINITY, f64::INFINITY],
        }
    }

    /// One of the ends or the middle of the range. `None` if it is no other distance.
    pub fn restart(&self, distance: f64, nth: usize) -> Option<f64> {
        let [min, max] = self.range?;
        let other = min + (max - min) * 0.5 * (nth % 3) as f64;
        ((other - distance).abs() > 0.05 * (max - min)).then_some(other)
    }

    /// True if the distance is within `near` of an end of a range.
    pub fn is_at_limit(&self, distance: f64, near: f64) -> bool {
        let range = self.range.filter(|[min, max]| min < max);
        range.is_some_and(|[min, max]| distance - min < near || max - distance < near)
    }

    /// Max distance of the joint from its parent, for a bone at rest.
    pub fn longest(&self, bone: Vec3F64) -> f64 {
        let ends = self.range.unwrap_or([0.0; 2]);
        let ends = ends.map(|end| length(add_scaled(bone, scaled(self.axes[0], end), 1.0)));
        ends[0].max(ends[1])
    }

    /// Distance between the ends of the range.
    pub fn travel(&self) -> f64 {
        self.range.map_or(0.0, |[min, max]| max - min)
    }
}
