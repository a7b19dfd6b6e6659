//! Flesh without bones: the wings of a person, or a horse with the skeleton of a person.
//! A bone is about in the middle of its flesh. If the distance of a surface from its bones is many
//! times the thickness of its flesh, that flesh has no bones.

use crate::weights::bones::segments::Segment;
use crate::weights::field::bone_curves::nearest_on_segment;
use crate::weights::pieces::bodies::Bodies;
use crate::weights::pieces::parts;
use crate::weights::rows::Rows;
use crate::weights::shape::Shape;

/// Min distance from bones to boneless flesh, in half thicknesses and in mesh diagonals.
const TIMES: f64 = 4.0;
const FAR: f64 = 0.03;
/// Max fraction of the surface without bones before a warning. Good bodies in wide clothes have up
/// to 0.11, with weights by heat up to 0.23.
const MAX_SHARE: f64 = 0.25;

pub(crate) struct Beyond {
    /// Joint that moves the largest part of the surface without bones.
    pub joint: usize,
    /// Point of that surface that the joint moves, farthest from the joint.
    pub point: usize,
    /// Distance of `point` from the joint.
    pub distance: f64,
    /// Fraction of the surface without bones.
    pub share: f64,
}

/// Surface without bones. `None` below [`MAX_SHARE`].
pub(crate) fn most(shape: &Shape, bodies: &Bodies, rows: &Rows, areas: &[f64]) -> Option<Beyond> {
    let mut segments: Vec<Vec<&Segment>> = vec![Vec::new(); shape.joints];
    for segment in &shape.segments {
        segments[segment.joint].push(segment);
    }
    let (parts, rigid) = rigid_parts(shape, rows);
    let (mut sum, mut of_joints) = (0.0, vec![0.0; shape.joints]);
    let mut farthest = vec![(0.0, 0); shape.joints];
    for (index, &point) in shape.points.iter().enumerate() {
        let Some(joint) = heaviest(rows.get(index)) else {
            continue;
        };
        // Rigid parts do not matter. Cloth is outside the solid.
        if rigid[parts[index] as usize] || bodies.at(point).is_none() || bodies.is_boneless(point) {
            continue;
        }
        let away = segments[joint]
            .iter()
            .map(|s| nearest_on_segment(point, s.from, s.to));
        let away = away.map(|near| near.distance(point));
        let away = away.fold(f64::INFINITY, f64::min);
        if away.is_finite() && away > FAR && away > TIMES * bodies.half_thickness(point) {
            sum += areas[index];
            of_joints[joint] += areas[index];
            if away > farthest[joint].0 {
                farthest[joint] = (away, index);
            }
        }
    }
    let all: f64 = areas.iter().sum();
    let joint = (0..shape.joints).max_by(|&a, &b| of_joints[a].total_cmp(&of_joints[b]))?;
    (sum > MAX_SHARE * all).then(|| Beyond {
        joint,
        point: farthest[joint].1,
        distance: farthest[joint].0,
        share: sum / all,
    })
}

/// Part of each point, and true for each part in which all points have the same heaviest joint.
fn rigid_parts(shape: &Shape, rows: &Rows) -> (Vec<u32>, Vec<bool>) {
    let parts = parts::parts(shape);
    let count = parts::count(&parts);
    let mut first = vec![None; count];
    let mut rigid = vec![true; count];
    for (point, &part) in parts.iter().enumerate() {
        let own = heaviest(rows.get(point));
        rigid[part as usize] &= *first[part as usize].get_or_insert(own) == own;
    }
    (parts, rigid)
}

fn heaviest(row: &[(u16, f32)]) -> Option<usize> {
    let heaviest = row.iter().max_by(|a, b| a.1.total_cmp(&b.1));
    heaviest.map(|row| usize::from(row.0))
}
