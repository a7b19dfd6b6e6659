//! Equations (1) and (2) of Xu et al. (`docs/references.md`): weights from the nearest curve.

use super::bone_curves::{BoneCurve, CurvePoint, Reach, tie_share};
use crate::weights::rows::Rows;
use crate::weights::shape::Shape;

pub(crate) fn nearest_curve(shape: &Shape, reach: Reach) -> Rows {
    let curves = BoneCurve::all(&shape.segments, reach);
    let mut rows = Rows::with_capacity(shape.points.len(), 2);
    let mut near: Vec<(usize, CurvePoint)> = Vec::new();
    for &point in &shape.points {
        near.clear();
        let mut nearest = f64::INFINITY;
        for (index, curve) in curves.iter().enumerate() {
            if tie_share(curve.min_distance(point), nearest) > 0.0 {
                let curve_point = curve.nearest(point);
                nearest = nearest.min(curve_point.distance);
                near.push((index, curve_point));
            }
        }
        for &(index, curve_point) in &near {
            let share = tie_share(curve_point.distance, nearest);
            let [first, second] = curves[index].joints;
            rows.add(first, share * curve_point.weight);
            rows.add(second, share * (1.0 - curve_point.weight));
        }
        rows.end_point();
    }
    rows
}
