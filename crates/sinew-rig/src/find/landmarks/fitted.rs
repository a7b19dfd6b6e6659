//! Landmarks of limbs and head, moved to a fitted body.

use super::marks::Marks;
use crate::find::constants::Constants;
use crate::find::fit::{Fit, person};
use glam::DVec3;

/// Max distance of a landmark from a fit that agrees with it, in heights.
const AGREE: f64 = 0.05;
/// Confidence in joints on which landmark and fit agree, at least, and in others.
const BOTH: f64 = 0.75;
const FIT: f64 = 0.5;

/// Moves landmarks of limbs: between landmark and fit where both agree, else to the fit.
pub(super) fn mark(fit: &Fit, marks: &mut Marks, height: f64, constants: &Constants) {
    for (part, joint) in person::NAMES {
        for (side, joint) in [("left", joint), ("right", joint + person::SIDE)] {
            let name = format!("{side}_{part}");
            merge(fit.shape.at[joint], marks, &name, height, constants);
        }
    }
}

/// Moves the landmark of the head.
pub(super) fn mark_head(fit: &Fit, marks: &mut Marks, height: f64, constants: &Constants) {
    merge(
        fit.shape.at[person::SKULL],
        marks,
        "head",
        height,
        constants,
    );
}

fn merge(fitted: DVec3, marks: &mut Marks, name: &str, height: f64, constants: &Constants) {
    let landmark = marks.at(name);
    let near = landmark.filter(|at| at.distance(fitted) < AGREE * height);
    let (at, sure) = match near {
        Some(at) => (fitted.lerp(at, constants.share), marks.sure(name).max(BOTH)),
        None => (fitted, FIT),
    };
    marks.set(name, at, sure);
}
