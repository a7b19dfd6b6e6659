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
                let place = curve.place(point);
                nearest = nearest.min(place.distance);
                near.push((index, place));
            }
        }
        for &(index, place) in &near {
            let share = tie_share(place.distance, nearest);
            let [first, second] = curves[index].joints;
            rows.add(first, share * place.weight);
            rows.add(second, share * (1.0 - place.weight));
        }
        rows.end_point();
    }
    rows
}
