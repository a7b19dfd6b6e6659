//! `auto`: curves over joints, and which bones a vertex sees through the solid.

use super::Shape;
use super::rows::Rows;
use super::solid::Solid;
use super::spans::{Place, Reach, Span};

/// Cells along the longest side of the mesh.
const RESOLUTION: usize = 96;
/// How much farther a bone is taken to be when all the way to it is gap.
const GAP: f64 = 2.0;
/// How sharply the nearest curve wins over others: shares go by distance to this power.
const SHARPNESS: i32 = 16;
/// Smaller shares are left out.
const LEAST_SHARE: f64 = 1e-3;

pub(crate) fn weights(shape: &Shape) -> Rows {
    let farthest = LEAST_SHARE.powf(-1.0 / f64::from(SHARPNESS));
    let solid = Solid::new(&shape.points, &shape.triangles, RESOLUTION);
    let spans = Span::all(&shape.segments, Reach::Narrow);
    let mut rows = Rows::with_capacity(shape.points.len(), 4);
    let mut places: Vec<(usize, Place, f64)> = Vec::new();
    for &point in &shape.points {
        places.clear();
        let mut best = f64::INFINITY;
        for (index, span) in spans.iter().enumerate() {
            if span.least_distance(point) > best * farthest {
                continue;
            }
            let place = span.place(point);
            if place.distance > best * farthest {
                continue;
            }
            let seen = place.distance * (1.0 + GAP * solid.gap(point, place.foot));
            best = best.min(seen);
            places.push((index, place, seen));
        }
        let best = best.max(1e-9);
        for &(index, place, seen) in &places {
            let share = (best / seen.max(best)).powi(SHARPNESS);
            if share >= LEAST_SHARE {
                let [first, second] = spans[index].joints;
                rows.add(first, share * place.weight);
                rows.add(second, share * (1.0 - place.weight));
            }
        }
        rows.end_point();
    }
    rows
}
