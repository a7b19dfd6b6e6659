//! What a calibration seeks: lengths and positions of markers as numbers that are zero at the template.

use super::body::{Body, Placed};
use glam::DVec3;

/// A number that is fitted beside the poses; at zero the body is the template.
pub(super) enum Parameter {
    /// Lengths of bones and sizes of segments with their markers, as parts of those in the template: each
    /// grows by its share of the value.
    Lengths(Lengths),
    /// How far a marker is from its position on a segment of that size, along an axis, in metres.
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
    /// How far from zero it is expected.
    pub spread: f64,
    /// Which of them are alike in how far they are from zero.
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

/// Which parameters are in a bone's length and in a segment's size, with their shares; the first of a
/// marker's three.
pub(super) struct Index {
    bones: Vec<Vec<(usize, f64)>>,
    along: Vec<Vec<(usize, f64)>>,
    across: Vec<Vec<(usize, f64)>>,
    marker: Vec<Option<usize>>,
}

impl Index {
    pub fn new(body: &Body, parameters: &[FitParameter]) -> Self {
        let mut index = Self {
            bones: vec![Vec::new(); body.segments.len()],
            along: vec![Vec::new(); body.segments.len()],
            across: vec![Vec::new(); body.segments.len()],
            marker: vec![None; body.markers.len()],
        };
        for (i, parameters) in parameters.iter().enumerate() {
            match &parameters.parameter {
                Parameter::Lengths(lengths) => {
                    for (list, index) in [
                        (&lengths.bones, &mut index.bones),
                        (&lengths.along, &mut index.along),
                        (&lengths.across, &mut index.across),
                    ] {
                        for &(s, share) in list {
                            index[s].push((i, share));
                        }
                    }
                }
                Parameter::Marker(marker, 0) => index.marker[*marker] = Some(i),
                Parameter::Marker(..) => {}
            }
        }
        index
    }

    /// How a marker moves with each parameter that moves it; lengths are parts of those of `base`.
    pub fn columns(
        &self,
        [body, base]: [&Body; 2],
        axes: &[DVec3],
        placed: &Placed,
        marker: usize,
        out: &mut Vec<(usize, DVec3)>,
    ) {
        out.clear();
        let segment = body.markers[marker].segment;
        let rotation = placed.rotations[segment];
        if let Some(first) = self.marker[marker] {
            for (axis, unit) in [DVec3::X, DVec3::Y, DVec3::Z].into_iter().enumerate() {
                out.push((first + axis, rotation * unit));
            }
        }
        let mut add = |parameters: &[(usize, f64)], moves: DVec3| {
            for &(i, share) in parameters {
                match out.iter_mut().find(|(other, _)| *other == i) {
                    Some((_, all)) => *all += share * moves,
                    None => out.push((i, share * moves)),
                }
            }
        };
        let (offset, axis) = (base.markers[marker].offset, axes[segment]);
        let along = offset.dot(axis) * axis;
        add(&self.along[segment], rotation * along);
        add(&self.across[segment], rotation * (offset - along));
        let mut at = segment;
        while let Some(parent) = body.segments[at].parent {
            let along = placed.rotations[parent] * base.segments[at].offset;
            add(&self.bones[at], along);
            at = parent;
        }
    }
}
