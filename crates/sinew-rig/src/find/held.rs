//! Removes small pieces of a mesh, such as a sword in a hand.

use super::skin::grid::{join, root};
use glam::Vec3;
use std::collections::HashMap;

/// Max area of a small piece, as a fraction of the area of the largest piece.
const SMALL: f32 = 0.1;

/// Triangles without small pieces. `None` if there are none, or if an index is out of range.
/// Triangles that share a position belong to one piece.
pub(crate) fn without_small_pieces(
    positions: &[Vec3],
    triangles: &[[u32; 3]],
) -> Option<Vec<[u32; 3]>> {
    let mut first = HashMap::new();
    let mut parents: Vec<u32> = (0..positions.len() as u32).collect();
    for (vertex, position) in (0..).zip(positions) {
        let same = *first
            .entry(position.to_array().map(f32::to_bits))
            .or_insert(vertex);
        join(&mut parents, vertex, same);
    }
    let mut areas = vec![0.0_f32; positions.len()];
    for &[a, b, c] in triangles {
        let [p, q, r] = [a, b, c].map(|v| positions.get(v as usize).copied());
        let area = (q? - p?).cross(r? - p?).length();
        join(&mut parents, a, b);
        join(&mut parents, a, c);
        areas[a as usize] += if area.is_finite() { area } else { 0.0 };
    }
    let mut of_piece = vec![0.0_f32; positions.len()];
    for vertex in 0..positions.len() {
        of_piece[root(&mut parents, vertex as u32) as usize] += areas[vertex];
    }
    let largest = of_piece.iter().copied().fold(0.0, f32::max);
    let mut area_of = |vertex: u32| of_piece[root(&mut parents, vertex) as usize];
    let kept = triangles.iter().copied();
    let kept: Vec<[u32; 3]> = kept.filter(|t| area_of(t[0]) >= SMALL * largest).collect();
    (kept.len() < triangles.len()).then_some(kept)
}
