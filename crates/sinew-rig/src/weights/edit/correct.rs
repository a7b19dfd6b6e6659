//! Correction as in Xu et al. (`docs/references.md`): new weights only in the radius of a joint.

use crate::weights::field::bone_curves::{BoneCurve, Reach};
use crate::weights::given::Given;
use crate::weights::rows::Rows;
use crate::weights::shape::Shape;

/// New weights near joints, given weights elsewhere, and a blend over the outer half of the radius.
pub(crate) fn near_joints(shape: &Shape, new: &Rows, given: &Given<'_>) -> Rows {
    let curves = BoneCurve::all(&shape.segments, Reach::Narrow);
    let mut vertex_of_point = vec![0; shape.points.len()];
    for (vertex, &point) in shape.point_of_vertex.iter().enumerate().rev() {
        vertex_of_point[point as usize] = vertex;
    }
    let mut rows = Rows::with_capacity(shape.points.len(), 4);
    for (index, &point) in shape.points.iter().enumerate() {
        let mut before = given.get(vertex_of_point[index]);
        before.retain(|(joint, _)| *joint < shape.joints);
        let mut nearest = f64::INFINITY;
        let mut newness = if before.is_empty() { 1.0 } else { 0.0 };
        for curve in &curves {
            if curve.min_distance(point) < nearest {
                let distance = curve.nearest(point).distance;
                if distance < nearest {
                    nearest = distance;
                    if !before.is_empty() {
                        newness = curve.blend_at(point);
                    }
                }
            }
        }
        for &(joint, weight) in new.get(index) {
            rows.add(usize::from(joint), newness * f64::from(weight));
        }
        for (joint, weight) in before {
            rows.add(joint, (1.0 - newness) * f64::from(weight));
        }
        rows.end_point();
    }
    rows
}
