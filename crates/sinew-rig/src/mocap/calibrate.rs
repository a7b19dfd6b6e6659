//! The skeleton and the markers of a subject, from how the markers move.
//!
//! One least squares over lengths of bones, places of markers and the poses of some frames at once: the
//! symmetric estimate of joint centres by Ehrig et al. (2006, SCoRE), for all joints together and through
//! the very model that is solved with afterwards. Poses are eliminated frame by frame (the Schur
//! complement of bundle adjustment: Triggs et al. 2000). Weak priors keep what the motion does not show,
//! such as the centre of a joint that is still, at its place in the scaled template.
//!
//! First lengths and the sizes of segments with their markers on them, then these and each marker, in
//! rounds: how far markers are from their places is found from those whose places the motion shows
//! (the evidence for a prior: MacKay, Bayesian Interpolation, 1992). Directions of bones in their parent's
//! frame stay those of the template.

use super::adjust::{Bundle, Parameter, Sought};
use super::body::{Body, Seen};
use super::solve::{Pull, solve_frame};

/// How far a subject's proportions are from the template's, as a factor less one.
const PROPORTION: f64 = 0.15;
/// How far a marker is from its place in the set, in metres, before the markers themselves tell; and how
/// near it is at the best.
const PLACED_M: f64 = 0.01;
const PLACED_AT_BEST_M: f64 = 1e-4;
/// How often that is found anew.
const MOST_ROUNDS: usize = 4;
/// Frames that are looked at.
const MOST_FRAMES: usize = 400;

/// The body with its lengths and markers fitted to frames; `other_side` says which segments share a
/// length when both sides are to be alike.
pub(super) fn calibrate(template: &Body, frames: &[Seen], other_side: Option<&[usize]>) -> Body {
    let size = overall_size(template, frames);
    let mut body = template.clone();
    for segment in &mut body.segments {
        segment.offset *= size;
    }
    for marker in &mut body.markers {
        marker.offset *= size;
    }
    let chosen = |most: usize| -> Vec<&Seen> {
        let most = most.min(frames.len());
        (0..most)
            .map(|k| &frames[k * frames.len() / most])
            .collect()
    };
    let some = chosen(MOST_FRAMES);
    let Some(poses) = rough(&body, &some) else {
        return body;
    };

    let groups = groups(&body, other_side);
    let bones = groups.iter().filter(|group| {
        let bone = &body.segments[group[0]];
        bone.parent.is_some() && bone.moves && bone.offset.length() > 1e-6
    });
    let bones: Vec<&Vec<usize>> = bones.collect();
    let marked = |s: &usize| body.markers.iter().any(|m| m.segment == *s);
    let sizes = groups.iter().filter(|group| group.iter().any(marked));
    let sizes: Vec<&Vec<usize>> = sizes.collect();
    let proportions = || -> Vec<Sought> {
        let bones = bones.iter().map(|&b| Parameter::Bone(b.clone()));
        let sizes = sizes.iter().map(|&s| Parameter::Size(s.clone()));
        let scale = |parameter| Sought {
            parameter,
            value: 1.0,
            prior: 1.0,
            spread: PROPORTION,
        };
        bones.chain(sizes).map(scale).collect()
    };
    let mut bundle = Bundle::new(body.clone(), proportions(), some, poses);
    bundle.adjust(20);
    let body = bundle.body;

    let mut sought = proportions();
    let places = (0..body.markers.len()).flat_map(|marker| {
        [0, 1, 2].map(|axis| Sought {
            parameter: Parameter::Marker(marker, axis),
            value: 0.0,
            prior: 0.0,
            spread: PLACED_M,
        })
    });
    sought.extend(places);
    // Time goes by the square of what is sought.
    let most = 20_000_000 / (sought.len() * sought.len()).max(1);
    let fewer = chosen(most.clamp(10, MOST_FRAMES));
    let Some(poses) = rough(&body, &fewer) else {
        return body;
    };
    let mut bundle = Bundle::new(body, sought, fewer, poses);
    for round in 1..=MOST_ROUNDS {
        bundle.adjust(10);
        if round == MOST_ROUNDS {
            break;
        }
        let Some(spread_m) = placed(&bundle) else {
            break;
        };
        let places = |s: &&mut Sought| matches!(s.parameter, Parameter::Marker(..));
        let before_m = bundle.sought.last().map_or(spread_m, |s| s.spread);
        let places = bundle.sought.iter_mut().filter(places);
        places.for_each(|s| s.spread = spread_m);
        if (spread_m / before_m - 1.0).abs() < 0.2 {
            break;
        }
    }
    bundle.body
}

/// How far markers are from their places in the set, as far as frames tell. Without it a set that is met
/// exactly would count no more than one that is met roughly, and where joints hardly turn a length
/// would be traded for the places of the markers beyond.
fn placed(bundle: &Bundle<'_>) -> Option<f64> {
    let variances = bundle.variances()?;
    let (mut squares, mut told) = (0.0, 0.0);
    for (s, variance) in bundle.sought.iter().zip(variances) {
        if matches!(s.parameter, Parameter::Marker(..)) {
            squares += s.value * s.value;
            told += (1.0 - variance / (s.spread * s.spread)).max(0.0);
        }
    }
    let spread = (squares / told).sqrt();
    (told > 1.0 && spread.is_finite()).then(|| spread.clamp(PLACED_AT_BEST_M, PLACED_M))
}

/// Segments that share a length.
fn groups(body: &Body, other_side: Option<&[usize]>) -> Vec<Vec<usize>> {
    let all = 0..body.segments.len();
    match other_side {
        None => all.map(|s| vec![s]).collect(),
        Some(other) => all
            .filter(|&s| s <= other[s])
            .map(|s| match other[s] == s {
                true => vec![s],
                false => vec![s, other[s]],
            })
            .collect(),
    }
}

/// Distances between markers of a segment, over those of the template.
fn overall_size(body: &Body, frames: &[Seen]) -> f64 {
    let (mut here, mut there) = (0.0, 0.0);
    for (i, a) in body.markers.iter().enumerate() {
        for (j, b) in body.markers.iter().enumerate().skip(i + 1) {
            if a.segment != b.segment {
                continue;
            }
            let wanted = a.offset.distance(b.offset);
            for seen in frames
                .iter()
                .step_by(frames.len().div_ceil(MOST_FRAMES).max(1))
            {
                if let (Some(a), Some(b)) = (seen[i], seen[j]) {
                    here += a.distance(b);
                    there += wanted;
                }
            }
        }
    }
    match there > 0.0 && here > 0.0 {
        true => (here / there).clamp(0.2, 5.0),
        false => 1.0,
    }
}

/// Poses to begin from.
fn rough(body: &Body, frames: &[&Seen]) -> Option<Vec<Vec<f64>>> {
    let found = |seen: &&Seen| body.start(seen, &body.rest());
    let mut before = frames.iter().find_map(found)?;
    let mut poses = Vec::with_capacity(frames.len());
    for seen in frames {
        before = solve_frame(body, seen, &before, &Pull::new(body, &before));
        poses.push(before.clone());
    }
    Some(poses)
}
