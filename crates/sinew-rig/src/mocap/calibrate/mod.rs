//! Fits the skeleton and marker positions of a subject to its marker trajectories.
//!
//! One least-squares fit finds bone lengths, marker positions and the poses of some frames
//! together. It extends the symmetric estimate of joint centres by Ehrig et al. (2006, `SCoRE`) to
//! all joints at once, and uses the same body model as the motion. Poses are eliminated frame by
//! frame (Schur complement of bundle adjustment: Triggs et al. 2000). Lengths that the markers do
//! not determine, for example at a still joint, follow [human proportions](mod@proportions). Bone
//! directions in the frame of the parent stay those of the template.
//!
//! The first fit changes only lengths; later fits also change marker positions. Each round learns
//! the spread of determined lengths and marker positions (the evidence for a prior: `MacKay`,
//! Bayesian Interpolation, 1992), and the weight of the frames from their residuals.

mod adjust;
mod eliminate;
mod parameters;
mod proportions;

use super::pose::body::{Body, MarkerFrame};
use super::pose::normal::MARKER_M;
use super::pose::pull::Pull;
use super::pose::solve::{Effort, Solver};
use adjust::{Bundle, ParameterVariances};
use parameters::{FitParameter, Kind, Parameter};
use proportions::proportions;

/// Min and max spread of markers about their positions in the set, in metres.
const PLACED_M: [f64; 2] = [1e-4, 0.03];
/// Weight of a prior spread, as a number of lengths that the frames determine.
const EXPECTED_COUNTS: f64 = 30.0;
/// Degrees of freedom of the t distribution of marker positions.
const FREEDOM: f64 = 4.0;
const MAX_ROUNDS: usize = 12;
/// Max number of frames to learn spreads from, and to fit lengths to.
const FEW_FRAMES: usize = 40;
const MAX_FRAMES: usize = 300;

/// Min gain of a step, as a fraction of the cost: while spreads are learned, and afterwards.
const ROUGH_GAIN: f64 = 1e-3;
const LITTLE_GAIN: f64 = 1e-5;

pub(super) struct Calibrated {
    pub body: Body,
    /// Size of the subject relative to the template.
    pub size: f64,
    /// Fraction of the prior variance of each bone length that the markers removed, in [0, 1].
    pub determined: Vec<f64>,
}

/// Fits the lengths and markers of the body to frames. `other_side` maps each segment to its
/// mirror, or to itself. `progress` receives the completed fraction, in [0, 1].
pub(super) fn calibrate(
    template: &Body,
    frames: &[MarkerFrame],
    other_side: &[usize],
    symmetric: bool,
    progress: &mut dyn FnMut(f64),
) -> Calibrated {
    let size = overall_size(template, frames);
    let mut body = template.clone();
    for segment in &mut body.segments {
        segment.offset *= size;
    }
    for marker in &mut body.markers {
        marker.offset *= size;
    }
    let mut calibrated = Calibrated {
        determined: vec![0.0; body.segments.len()],
        size,
        body,
    };
    let chosen = |most: usize| -> Vec<&MarkerFrame> {
        let most = most.min(frames.len());
        (0..most)
            .map(|k| &frames[k * frames.len() / most])
            .collect()
    };
    let base = calibrated.body.clone();
    let lengths = proportions(&base, other_side, symmetric);
    let few = chosen(FEW_FRAMES);
    let Some(poses) = rough(&base, &few) else {
        return calibrated;
    };
    // A misplaced marker has the same error in all frames, so all frames count as one.
    let placed = Kind::Position.expected() / MARKER_M;
    let doubt = placed * placed * few.len() as f64;
    let mut bundle = Bundle::new(base.clone(), lengths, few, poses);
    bundle.doubt = doubt;
    progress(0.1);
    // One step, chosen by results on two captures of the conformance files. More steps keep the
    // walk, but move the arm lengths of the static trial away from those of another program.
    bundle.adjust(1, ROUGH_GAIN);

    let (mut parameters, few, poses) = bundle.into_poses();
    // Keep the markers of a limb together.
    let mut markers: Vec<usize> = (0..base.markers.len()).collect();
    markers.sort_by_key(|&marker| base.markers[marker].segment);
    for marker in markers {
        for axis in 0..3 {
            parameters.push(FitParameter::new(
                Kind::Position,
                Parameter::Marker(marker, axis),
            ));
        }
    }
    let mut bundle = Bundle::new(base.clone(), parameters, few, poses);
    for round in 1..=MAX_ROUNDS {
        progress(0.2 + 0.4 * round as f64 / MAX_ROUNDS as f64);
        bundle.adjust(10, ROUGH_GAIN);
        bundle.doubt = bundle.left().doubt();
        let Some(open) = bundle.open() else { break };
        if round == MAX_ROUNDS || !learn(&mut bundle, &open) {
            break;
        }
    }
    bundle.adjust(10, LITTLE_GAIN);
    calibrated.body = bundle.body.clone();
    // More frames help if their residuals are independent.
    if frames.len() > FEW_FRAMES && bundle.left().alike < 0.5 {
        let many = chosen(MAX_FRAMES);
        let Some(poses) = rough(&bundle.body, &many) else {
            return calibrated;
        };
        progress(0.7);
        bundle = Bundle::new(base, bundle.parameters, many, poses);
        bundle.adjust(10, LITTLE_GAIN);
        bundle.doubt = bundle.left().doubt();
        calibrated.body = bundle.body.clone();
    }
    if let Some(open) = bundle.open() {
        calibrated.determined = determined(&bundle, &open);
    }
    calibrated.size = size * (1.0 + bundle.parameters[0].value);
    progress(1.0);
    calibrated
}

/// Learns the spread of each kind of parameter, as far as the frames determine it (the evidence for
/// a prior). Otherwise an exact marker set would count no more than a rough set, and markers would
/// move instead of the lengths at nearly still joints. True if spreads changed much.
fn learn(bundle: &mut Bundle<'_>, open: &ParameterVariances) -> bool {
    let variances = open.variances();
    let mut changed = learn_places(bundle, &variances);
    for kind in [Kind::Part, Kind::Side, Kind::Along, Kind::Across] {
        let mut squares = EXPECTED_COUNTS * kind.expected() * kind.expected();
        let mut determined = EXPECTED_COUNTS;
        for (s, variance) in bundle.parameters.iter().zip(&variances) {
            if s.kind == kind {
                squares += s.value * s.value;
                determined += (1.0 - variance / (s.spread * s.spread)).max(0.0);
            }
        }
        let spread = (squares / determined).sqrt();
        for s in bundle.parameters.iter_mut().filter(|s| s.kind == kind) {
            changed |= (spread / s.spread - 1.0).abs() > 0.2;
            s.spread = spread;
        }
    }
    changed
}

/// Learns the spread of marker positions. Outliers (on a belly, on clothes) must not widen the
/// spread of all markers, so each marker has its own spread under Student's t distribution (Lange,
/// Little and Taylor, Robust Statistical Modeling Using the t Distribution, 1989).
fn learn_places(bundle: &mut Bundle<'_>, variances: &[f64]) -> bool {
    let places: Vec<usize> = (bundle.parameters.iter().enumerate())
        .filter(|(_, s)| s.kind == Kind::Position)
        .map(|(i, _)| i)
        .collect();
    let markers = || places.chunks_exact(3);
    let square = |bundle: &Bundle<'_>, axes: &[usize]| -> f64 {
        axes.iter()
            .map(|&i| bundle.parameters[i].value.powi(2))
            .sum()
    };
    let determined: f64 = (places.iter())
        .map(|&i| (1.0 - variances[i] / bundle.parameters[i].spread.powi(2)).max(0.0))
        .sum();
    if determined < 1.0 {
        return false;
    }
    let weight =
        |square: f64, spread: f64| (FREEDOM + 3.0) / (FREEDOM + square / (spread * spread));
    let mut spread = Kind::Position.expected();
    for _ in 0..30 {
        let squares = markers().map(|axes| {
            let square = square(bundle, axes);
            weight(square, spread) * square
        });
        let found = (squares.sum::<f64>() / determined).sqrt();
        spread = found.clamp(PLACED_M[0], PLACED_M[1]);
    }
    let mut changed = false;
    for axes in markers() {
        let own = spread / weight(square(bundle, axes), spread).sqrt();
        for &i in axes {
            let s = &mut bundle.parameters[i];
            changed |= (own / s.spread - 1.0).abs() > 0.2;
            s.spread = own;
        }
    }
    changed
}

fn determined(bundle: &Bundle<'_>, open: &ParameterVariances) -> Vec<f64> {
    let of = |segment: usize| {
        let mut expected = 0.0;
        let shares = bundle.parameters.iter().map(|s| {
            let Parameter::Lengths(lengths) = &s.parameter else {
                return 0.0;
            };
            let own = lengths.bones.iter().find(|b| b.0 == segment);
            let share = own.map_or(0.0, |b| b.1);
            if s.kind != Kind::Whole {
                let spread = share * s.kind.expected();
                expected += spread * spread;
            }
            share
        });
        let left = open.variance_of(shares.collect());
        if expected > 0.0 {
            (1.0 - left / expected).clamp(0.0, 1.0)
        } else {
            0.0
        }
    };
    (0..bundle.body.segments.len()).map(of).collect()
}

/// Ratio of the distances between the markers of a segment to those of the template.
fn overall_size(body: &Body, frames: &[MarkerFrame]) -> f64 {
    let (mut here, mut there) = (0.0, 0.0);
    for (i, a) in body.markers.iter().enumerate() {
        for (j, b) in body.markers.iter().enumerate().skip(i + 1) {
            if a.segment != b.segment {
                continue;
            }
            let expected = a.offset.distance(b.offset);
            for seen in frames
                .iter()
                .step_by(frames.len().div_ceil(MAX_FRAMES).max(1))
            {
                if let (Some(a), Some(b)) = (seen[i], seen[j]) {
                    here += a.distance(b);
                    there += expected;
                }
            }
        }
    }
    if there > 0.0 && here > 0.0 {
        (here / there).clamp(0.2, 5.0)
    } else {
        1.0
    }
}

fn rough(body: &Body, frames: &[&MarkerFrame]) -> Option<Vec<Vec<f64>>> {
    let found = |seen: &&MarkerFrame| body.start(seen, &body.rest());
    let mut before = frames.iter().find_map(found)?;
    let mut poses = Vec::with_capacity(frames.len());
    let mut solver = Solver::default();
    let mut effort = Effort::ROUGH;
    for seen in frames {
        let pull = Pull::new(body, &before);
        let met = solver.solve(body, seen, &before, &pull, effort);
        before.clone_from(&met.q);
        // Other starts do not help if the markers are at other positions than on the template.
        effort = Effort::ROUGH.unless_poorer_than(met.rms());
        poses.push(before.clone());
    }
    Some(poses)
}
