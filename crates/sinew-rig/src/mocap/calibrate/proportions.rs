//! Prior distribution of the bone lengths of people, relative to a template.
//! The length of a bone is a product of four factors: its length in the template, the size of the
//! subject, a factor near 1 that left and right share, and a factor even nearer to 1 for each side.
//! If a segment has a single bone, its markers scale with that bone. Other markers scale with the
//! whole body. The markers of each segment also have scale factors of their own. If the markers do
//! not determine a length, it is the length in the template times the size of the subject, equal on
//! both sides.
//!
//! The standard deviations (spreads) in this file are round numbers. Relative to stature, limb
//! lengths differ by about 5 % between adults and by 2 % between left and right; girths differ
//! more. The calibration then learns the spreads of each capture.

use super::parameters::{FitParameter, Kind, Lengths, Parameter};
use crate::mocap::pose::body::Body;

impl Kind {
    /// Expected distance of a value from 0 (standard deviation), relative to the length in the
    /// template, or in metres for marker positions.
    pub fn expected(self) -> f64 {
        match self {
            Self::Whole => 0.3,
            Self::Part => 0.05,
            Self::Side => 0.02,
            Self::Girth => 0.15,
            Self::Along => 0.03,
            Self::Across => 0.1,
            Self::Position => 0.015,
        }
    }
}

impl FitParameter {
    /// Creates a parameter with value 0.
    pub fn new(kind: Kind, parameter: Parameter) -> Self {
        Self {
            parameter,
            value: 0.0,
            spread: kind.expected(),
            kind,
        }
    }
}

/// Parameters of the bone lengths. `other_side` maps each segment to its mirror, or to itself.
pub(super) fn proportions(body: &Body, other_side: &[usize], symmetric: bool) -> Vec<FitParameter> {
    let all: Vec<(usize, f64)> = (0..body.segments.len()).map(|s| (s, 1.0)).collect();
    let has_length =
        |s: usize| body.segments[s].parent.is_some() && body.segments[s].offset.length() > 1e-6;
    let bones: Vec<(usize, f64)> = all.iter().copied().filter(|b| has_length(b.0)).collect();
    let whole = Lengths {
        bones,
        along: all.clone(),
        across: all.clone(),
    };
    let girth = Lengths {
        across: all,
        ..Lengths::default()
    };
    let mut parameters = vec![
        FitParameter::new(Kind::Whole, Parameter::Lengths(whole)),
        FitParameter::new(Kind::Girth, Parameter::Lengths(girth)),
    ];
    let is_marked = |s: usize| body.markers.iter().any(|m| m.segment == s);
    let has_axis = |s: usize| body.only_next(s).is_some();
    let bone = |own: Vec<(usize, f64)>| Lengths {
        along: (own.iter())
            .filter_map(|&(s, share)| Some((body.segments[s].parent?, share)))
            .filter(|&(parent, _)| has_axis(parent))
            .collect(),
        bones: own,
        ..Lengths::default()
    };
    let along = |own| Lengths {
        along: own,
        ..Lengths::default()
    };
    let across = |own| Lengths {
        across: own,
        ..Lengths::default()
    };
    let pairs = other_side.iter().copied().enumerate();
    for (a, b) in pairs.filter(|(a, b)| a <= b) {
        let mut add =
            |kind, tells: &dyn Fn(usize) -> bool, of: &dyn Fn(Vec<(usize, f64)>) -> Lengths| {
                if !(tells(a) || tells(b)) {
                    return;
                }
                let shared = if a == b {
                    vec![(a, 1.0)]
                } else {
                    vec![(a, 1.0), (b, 1.0)]
                };
                parameters.push(FitParameter::new(kind, Parameter::Lengths(of(shared))));
                if a != b && !symmetric && tells(a) && tells(b) {
                    let apart = of(vec![(a, 1.0), (b, -1.0)]);
                    parameters.push(FitParameter::new(Kind::Side, Parameter::Lengths(apart)));
                }
            };
        add(
            Kind::Part,
            &|s| body.segments[s].moves && has_length(s),
            &bone,
        );
        add(Kind::Along, &|s| is_marked(s) && has_axis(s), &along);
        add(Kind::Across, &is_marked, &across);
    }
    parameters
}
