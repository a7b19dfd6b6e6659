//! Parameters of a calibration: lengths and marker positions. All are 0 for the template.

use crate::mocap::pose::body::{Body, Placed};
use glam::DVec3;

pub(super) enum Parameter {
    /// Relative change of bone lengths and segment sizes. Each grows by its share of the value.
    Lengths(Lengths),
    /// Offset of a marker from its scaled position, along an axis, in metres.
    Marker(usize, usize),
}

#[derive(Clone, Debug, Default)]
pub(super) struct Lengths {
    /// Bones, as the segments at their ends, and their shares.
    pub bones: Vec<(usize, f64)>,
    /// Segments whose markers move along the bone, with shares.
    pub along: Vec<(usize, f64)>,
    /// Segments whose markers move across the bone, with shares. In all directions without a bone.
    pub across: Vec<(usize, f64)>,
}

pub(super) struct FitParameter {
    pub parameter: Parameter,
    pub value: f64,
    /// Expected distance of the value from 0.
    pub spread: f64,
    /// Kind of the parameter. Parameters of one kind have similar spreads.
    pub kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Whole,
    Girth,
    Part,
    Side,
    Along,
    Across,
    Position,
}

pub(super) struct Moves(Vec<Vec<Move>>);

/// Displacement of a marker per unit of a parameter, in the frame of its segment.
struct Move {
    parameter: usize,
    segment: usize,
    by: DVec3,
}

impl Moves {
    /// Creates the effects relative to `base`. `axes` has the bone direction of each segment.
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

    /// Parameters that move a marker, in ascending order, with repetitions.
    pub fn of(&self, marker: usize) -> impl Iterator<Item = usize> {
        self.0[marker].iter().map(|m| m.parameter)
    }

    /// Displacement of a marker per unit of each parameter that moves it, in parameter order.
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
