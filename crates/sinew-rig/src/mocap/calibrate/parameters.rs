//! The parameters of a calibration: lengths and positions of markers as numbers that are zero at the template.

use crate::mocap::pose::body::{Body, Placed};
use glam::DVec3;

/// A number that is fitted beside the poses; at zero the body is the template.
pub(super) enum Parameter {
    /// Lengths of bones and sizes of segments with their markers, as parts of those in the template: each
    /// grows by its share of the value.
    Lengths(Lengths),
    /// The distance of a marker from its position on a segment of that size, along an axis, in metres.
    Marker(usize, usize),
}

/// Bones and segments with their shares.
#[derive(Clone, Debug, Default)]
pub(super) struct Lengths {
    /// Of the bone to a segment.
    pub bones: Vec<(usize, f64)>,
    /// Of the positions of a segment's markers, along the segment's own bone.
    pub along: Vec<(usize, f64)>,
    /// The same across it; of a segment without such a bone, in all directions.
    pub across: Vec<(usize, f64)>,
}

pub(super) struct FitParameter {
    pub parameter: Parameter,
    pub value: f64,
    /// The expected distance from zero.
    pub spread: f64,
    /// The kind, whose parameters are alike in their distance from zero.
    pub kind: Kind,
}

/// Kinds of parameters, in the order in which spreads are listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Whole,
    Girth,
    Part,
    Side,
    Along,
    Across,
    Place,
}

/// The motion of markers with parameters.
pub(super) struct Moves(Vec<Vec<Move>>);

/// A parameter that moves a marker, and how, in the frame of a segment.
struct Move {
    parameter: usize,
    segment: usize,
    by: DVec3,
}

impl Moves {
    /// Lengths are parts of those of `base`; `axes` has for every segment the direction of its own bone.
    pub fn new(base: &Body, axes: &[DVec3], parameters: &[FitParameter]) -> Self {
        let mut of_bone: Vec<Vec<(usize, f64)>> = vec![Vec::new(); base.segments.len()];
        let (mut of_along, mut of_across) = (of_bone.clone(), of_bone.clone());
        let mut moves: Vec<Vec<Move>> = base.markers.iter().map(|_| Vec::new()).collect();
        for (i, parameter) in parameters.iter().enumerate() {
            match &parameter.parameter {
                Parameter::Lengths(lengths) => {
                    for (list, index) in [
                        (&lengths.bones, &mut of_bone),
                        (&lengths.along, &mut of_along),
                        (&lengths.across, &mut of_across),
                    ] {
                        for &(s, share) in list {
                            index[s].push((i, share));
                        }
                    }
                }
                Parameter::Marker(marker, axis) => moves[*marker].push(Move {
                    parameter: i,
                    segment: base.markers[*marker].segment,
                    by: DVec3::AXES[*axis],
                }),
            }
        }
        for (marker, moves) in base.markers.iter().zip(&mut moves) {
            let mut add = |parameters: &[(usize, f64)], segment: usize, by: DVec3| {
                moves.extend(parameters.iter().map(|&(parameter, share)| Move {
                    parameter,
                    segment,
                    by: share * by,
                }));
            };
            let segment = marker.segment;
            let along = marker.offset.dot(axes[segment]) * axes[segment];
            add(&of_along[segment], segment, along);
            add(&of_across[segment], segment, marker.offset - along);
            let mut at = segment;
            while let Some(parent) = base.segments[at].parent {
                add(&of_bone[at], parent, base.segments[at].offset);
                at = parent;
            }
            moves.sort_by_key(|m| (m.parameter, m.segment));
            moves.dedup_by(|other, kept| {
                let same = (other.parameter, other.segment) == (kept.parameter, kept.segment);
                if same {
                    kept.by += other.by;
                }
                same
            });
        }
        Self(moves)
    }

    /// The parameters that move a marker, in their order, some several times.
    pub fn of(&self, marker: usize) -> impl Iterator<Item = usize> {
        self.0[marker].iter().map(|m| m.parameter)
    }

    /// The motion of a marker with each parameter that moves it, in the order of parameters.
    pub fn columns(&self, placed: &Placed, marker: usize, out: &mut Vec<(usize, DVec3)>) {
        out.clear();
        for m in &self.0[marker] {
            let by = placed.frames[m.segment] * m.by;
            match out.last_mut() {
                Some((last, all)) if *last == m.parameter => *all += by,
                _ => out.push((m.parameter, by)),
            }
        }
    }
}
