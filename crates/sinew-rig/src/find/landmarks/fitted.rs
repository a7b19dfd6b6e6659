//! Landmarks of limbs and head, moved to a fitted body.

use super::marks::Marks;
use crate::find::fit::{Fit, person};

/// Max distance of a landmark from a fit that agrees with it, in heights.
const AGREE: f64 = 0.05;
/// Way from the fit to a landmark that agrees.
const SHARE: f64 = 0.5;
/// Confidence in joints on which landmark and fit agree, at least, and in others.
const BOTH: f64 = 0.75;
const FIT: f64 = 0.5;

/// Moves landmarks of limbs: between landmark and fit where both agree, else to the fit.
pub(super) fn mark(fit: &Fit, marks: &mut Marks, height: f64) {
    for (part, joint) in person::NAMES {
        for (side, joint) in [("left", joint), ("right", joint + person::SIDE)] {
            merge(fit, marks, &format!("{side}_{part}"), joint, height);
        }
    }
}

/// Moves the landmark of the head.
pub(super) fn mark_head(fit: &Fit, marks: &mut Marks, height: f64) {
    merge(fit, marks, "head", person::SKULL, height);
}

fn merge(fit: &Fit, marks: &mut Marks, name: &str, joint: usize, height: f64) {
    let fitted = fit.shape.at[joint];
    let landmark = marks.at(name);
    let near = landmark.filter(|at| at.distance(fitted) < AGREE * height);
    let (at, sure) = match near {
        Some(at) => (fitted.lerp(at, SHARE), marks.sure(name).max(BOTH)),
        None => (fitted, FIT),
    };
    marks.set(name, at, sure);
}
