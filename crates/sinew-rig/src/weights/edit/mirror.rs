//! Copies weights from one side of a mesh to the other.

use super::adjust::{Adjust, merged};
use glam::Vec3;
use std::collections::HashMap;

impl Adjust {
    /// Copies the weights of vertices with x above `at` to the opposite vertices. `mirror_joint`
    /// maps the joints. A vertex without a partner within `tolerance` stays. A vertex on the plane
    /// gets the mean of its weights and their mirror image. Non-finite arguments have no effect.
    pub fn mirror(
        self,
        positions: &[Vec3],
        at: f32,
        tolerance: f32,
        mirror_joint: impl Fn(usize) -> usize,
    ) -> Self {
        let everywhere = |_| true;
        self.mirror_where(positions, at, tolerance, &mirror_joint, 1.0, &everywhere)
    }

    /// Mirrors some vertices, from the side with the given sign.
    pub(super) fn mirror_where(
        mut self,
        positions: &[Vec3],
        at: f32,
        tolerance: f32,
        mirror_joint: &dyn Fn(usize) -> usize,
        from: f32,
        is_chosen: &dyn Fn(usize) -> bool,
    ) -> Self {
        let cell = tolerance.max(f32::MIN_POSITIVE);
        let key = |p: Vec3| (p / cell).round().to_array().map(|c| c as i64);
        let mut vertices_at: HashMap<[i64; 3], Vec<usize>> = HashMap::new();
        let count = self.rows.len().min(positions.len());
        for (vertex, &position) in positions[..count].iter().enumerate() {
            vertices_at.entry(key(position)).or_default().push(vertex);
        }
        let opposite = |position: Vec3| {
            let image = mirrored_point(position, at);
            let middle = key(image);
            let around = (0..27).map(|n| {
                let step = [n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1];
                std::array::from_fn(|axis| middle[axis].saturating_add(step[axis]))
            });
            let found = around
                .filter_map(|key: [i64; 3]| vertices_at.get(&key))
                .flatten();
            let near = found.map(|&v| (v, positions[v].distance(image)));
            let near = near.filter(|(_, away)| *away <= tolerance);
            near.min_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)))
        };
        let joints = self.locked.len();
        let mirrored = |row: &[(u16, f32)]| {
            let image = row.iter().map(|&(joint, weight)| {
                let other = mirror_joint(usize::from(joint));
                (if other < joints { other as u16 } else { joint }, weight)
            });
            merged(image.collect())
        };
        let mut next = self.rows.clone();
        for vertex in (0..count).filter(|&vertex| is_chosen(vertex)) {
            let side = from * (positions[vertex].x - at);
            if side.abs() <= tolerance {
                let half = |row: Vec<(u16, f32)>| row.into_iter().map(|(j, w)| (j, 0.5 * w));
                let own = half(self.rows[vertex].clone());
                let both = own.chain(half(mirrored(&self.rows[vertex])));
                next[vertex] = merged(both.collect());
            } else if side < 0.0
                && let Some((source, _)) = opposite(positions[vertex])
            {
                next[vertex] = mirrored(&self.rows[source]);
            }
            self.keep_locked(vertex, &mut next[vertex]);
        }
        self.rows = next;
        self
    }
}

pub(super) fn mirrored_point(point: Vec3, at: f32) -> Vec3 {
    Vec3::new(2.0 * at - point.x, point.y, point.z)
}
