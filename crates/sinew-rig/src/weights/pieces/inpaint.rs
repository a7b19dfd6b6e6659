//! Fills in weights smoothly along a surface.

use glam::DVec3;
use std::collections::BTreeMap;

pub(crate) type Row = Vec<(u16, f64)>;

/// Strength with which cloth keeps the weights of the skin. They spread over the distance / √2.5.
const HOLD: f64 = 2.5;
/// Min distance from the skin, in edges, so that the system is solvable.
const TOUCHES: f64 = 0.1;
const TOLERANCE: f64 = 1e-6;
const LEAST: f64 = 1e-3;
/// Max number of steps. Only NaN reaches it.
const MAX_STEPS: usize = 2000;

/// Weights of cloth, by conjugate gradients. Points keep the weights beneath, by one over the
/// distance squared, and vary smoothly: (Σ (w − w of neighbours)) + hold · (w − beneath) = 0.
pub(crate) fn fill(
    points: &[DVec3],
    around: &[Vec<u32>],
    beneath: &[Option<(Row, f64)>],
) -> Vec<Row> {
    let hold = |point: usize| {
        let Some((_, distance)) = &beneath[point] else {
            return 0.0;
        };
        let others = around[point].iter();
        let squares = others.map(|&o| points[point].distance_squared(points[o as usize]));
        let squares: f64 = squares.sum();
        let distance = distance.max(TOUCHES * squares.sqrt());
        if distance > 0.0 {
            HOLD * squares / (4.0 * distance * distance)
        } else {
            1.0
        }
    };
    let holds: Vec<f64> = (0..points.len()).map(hold).collect();
    let mut sources: BTreeMap<u16, Vec<f64>> = BTreeMap::new();
    for (point, beneath) in beneath.iter().enumerate() {
        for &(joint, weight) in beneath.iter().flat_map(|(row, _)| row) {
            let source = sources.entry(joint);
            source.or_insert_with(|| vec![0.0; points.len()])[point] = weight;
        }
    }
    let mut rows = vec![Vec::new(); points.len()];
    for (joint, source) in sources {
        for (row, weight) in rows.iter_mut().zip(solve(around, &holds, source)) {
            if weight > LEAST {
                row.push((joint, weight));
            }
        }
    }
    rows
}

fn solve(around: &[Vec<u32>], holds: &[f64], source: Vec<f64>) -> Vec<f64> {
    let apply = |values: &[f64], image: &mut Vec<f64>| {
        image.clear();
        image.extend(around.iter().enumerate().map(|(point, others)| {
            let sum: f64 = others.iter().map(|&other| values[other as usize]).sum();
            (holds[point] + others.len() as f64) * values[point] - sum
        }));
    };
    let total = |point: usize| (holds[point] + around[point].len() as f64).max(f64::MIN_POSITIVE);
    let mut image = Vec::with_capacity(source.len());
    apply(&source, &mut image);
    let heat = source.iter().zip(holds).map(|(source, hold)| source * hold);
    let mut residual: Vec<f64> = heat.zip(&image).map(|(heat, image)| heat - image).collect();
    let mut weights = source;
    let mut direction = vec![0.0; weights.len()];
    let mut before = 0.0;
    for _ in 0..MAX_STEPS {
        let (mut product, mut most) = (0.0, 0.0_f64);
        for (point, residual) in residual.iter().enumerate() {
            let off = residual / total(point);
            product += residual * off;
            most = most.max(off.abs());
        }
        if most <= TOLERANCE || !f64::is_finite(product) {
            break;
        }
        let factor = if before > 0.0 { product / before } else { 0.0 };
        before = product;
        for (point, direction) in direction.iter_mut().enumerate() {
            *direction = residual[point] / total(point) + factor * *direction;
        }
        apply(&direction, &mut image);
        let bend: f64 = direction.iter().zip(&image).map(|(d, i)| d * i).sum();
        let step = product / bend;
        for point in 0..weights.len() {
            weights[point] += step * direction[point];
            residual[point] -= step * image[point];
        }
    }
    weights
}
