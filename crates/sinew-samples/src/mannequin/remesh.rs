//! Remeshing by collapses, splits, flips and relaxation to wanted edge lengths (Botsch and Kobbelt
//! 2004). The mesh has one rim, on the plane x = 0. Vertices on the rim stay on this plane.

use super::solid::Solid;
use super::surface_nets::Surface;
use glam::Vec3;
use sinew::steps::pause;

pub struct Remesher<'a, Size: Fn(Vec3) -> f32> {
    pub solid: &'a Solid,
    /// Wanted edge length at a position, in metres.
    pub size: Size,
    pub surface: Surface,
    /// Triangles at each vertex. Empty for removed vertices.
    fans: Vec<Vec<u32>>,
    on_rim: Vec<bool>,
    sizes: Vec<f32>,
}

const REMOVED: [u32; 3] = [u32::MAX; 3];

impl<'a, Size: Fn(Vec3) -> f32> Remesher<'a, Size> {
    /// Vertices on the plane x = 0 become the rim.
    pub fn new(solid: &'a Solid, surface: Surface, size: Size) -> Self {
        let mut fans = vec![Vec::new(); surface.positions.len()];
        for (index, triangle) in surface.triangles.iter().enumerate() {
            for &v in triangle {
                fans[v as usize].push(index as u32);
            }
        }
        Self {
            solid,
            fans,
            on_rim: surface.positions.iter().map(|p| p.x == 0.0).collect(),
            sizes: surface.positions.iter().map(|&p| size(p)).collect(),
            surface,
            size,
        }
    }

    /// Changes edges until they have their wanted lengths.
    pub async fn run(&mut self, rounds: usize) {
        // The first mesh is far too fine, so edges are collapsed without regard to shape.
        while self.collapse(0.8).await > self.surface.positions.len() / 200 {
            pause().await;
        }
        self.flip();
        for round in 0..rounds {
            pause().await;
            self.collapse(0.75).await;
            pause().await;
            self.split(1.42);
            pause().await;
            self.flip();
            pause().await;
            let last = round + 1 == rounds;
            self.relax(if last { 0.35 } else { 0.6 }, 1 + usize::from(last));
        }
    }

    fn position(&self, v: u32) -> Vec3 {
        self.surface.positions[v as usize]
    }

    fn ratio(&self, a: u32, b: u32) -> f32 {
        let wanted = 0.5 * (self.sizes[a as usize] + self.sizes[b as usize]);
        self.position(a).distance(self.position(b)) / wanted
    }

    fn neighbours(&self, v: u32) -> Vec<u32> {
        let mut around = Vec::with_capacity(10);
        for &t in &self.fans[v as usize] {
            for u in self.surface.triangles[t as usize] {
                if u != v && !around.contains(&u) {
                    around.push(u);
                }
            }
        }
        around
    }

    fn beside(&self, a: u32, b: u32) -> Vec<u32> {
        let fan = self.fans[a as usize].iter().copied();
        fan.filter(|&t| self.surface.triangles[t as usize].contains(&b))
            .collect()
    }

    fn edges(&self, wanted: impl Fn(f32) -> bool) -> Vec<(f32, u32, u32)> {
        let mut edges = Vec::new();
        for &[a, b, c] in self.surface.triangles.iter().filter(|&&t| t != REMOVED) {
            for (a, b) in [(a, b), (b, c), (c, a)] {
                // An inner edge occurs twice, and an edge of the rim occurs once.
                let rim = self.on_rim[a as usize] && self.on_rim[b as usize];
                if a < b || rim {
                    let ratio = self.ratio(a, b);
                    if wanted(ratio) {
                        edges.push((ratio, a.min(b), a.max(b)));
                    }
                }
            }
        }
        edges
    }

    fn normal(&self, t: [u32; 3]) -> Vec3 {
        let [a, b, c] = t.map(|v| self.position(v));
        (b - a).cross(c - a)
    }

    /// Collapses edges with a ratio below `below` that do not touch each other.
    async fn collapse(&mut self, below: f32) -> usize {
        let mut touched = vec![false; self.surface.positions.len()];
        let mut done = 0;
        let edges = self.edges(|ratio| ratio < below);
        for (count, &(_, a, b)) in (1_usize..).zip(&edges) {
            if count.is_multiple_of(4096) {
                pause().await;
            }
            if touched[a as usize] || touched[b as usize] {
                continue;
            }
            let (keep, drop) = if self.on_rim[b as usize] {
                (b, a)
            } else {
                (a, b)
            };
            if let Some(around) = self.collapse_edge(keep, drop) {
                done += 1;
                for v in around {
                    touched[v as usize] = true;
                }
            }
        }
        done
    }

    fn collapse_edge(&mut self, keep: u32, drop: u32) -> Option<Vec<u32>> {
        let beside = self.beside(keep, drop);
        let rims = [keep, drop].map(|v| self.on_rim[v as usize]);
        if rims[0] && rims[1] && beside.len() == 2 {
            return None;
        }
        // The position is kept, which avoids an evaluation of the solid. Relaxation follows.
        let (position, size) = (self.position(keep), self.sizes[keep as usize]);
        // Lengths and normals are tested first, because they need no lists.
        for &t in self.fans[keep as usize]
            .iter()
            .chain(&self.fans[drop as usize])
        {
            for v in self.surface.triangles[t as usize] {
                let long = self.position(v).distance(position);
                if v != keep && v != drop && long > 1.35 * 0.5 * (size + self.sizes[v as usize]) {
                    return None;
                }
            }
        }
        for &t in self.fans[drop as usize]
            .iter()
            .filter(|t| !beside.contains(t))
        {
            let corners = self.surface.triangles[t as usize];
            let before = self.normal(corners);
            let after = self.normal(corners.map(|v| if v == drop { keep } else { v }));
            if before.dot(after) < 0.3 * before.length() * after.length() {
                return None;
            }
        }
        let (around_keep, around_drop) = (self.neighbours(keep), self.neighbours(drop));
        let shared = around_drop.iter().filter(|v| around_keep.contains(v));
        if shared.count() != beside.len() || around_drop.len() < 3 {
            return None;
        }
        // An inner edge must not connect two rim vertices.
        let crosses = |v: &u32| self.on_rim[*v as usize] && *v != keep && !around_keep.contains(v);
        if rims[0] && !rims[1] && around_drop.iter().any(crosses) {
            return None;
        }
        for &t in &beside {
            let corners = std::mem::replace(&mut self.surface.triangles[t as usize], REMOVED);
            for v in corners {
                self.fans[v as usize].retain(|&other| other != t);
            }
        }
        let moved = std::mem::take(&mut self.fans[drop as usize]);
        for &t in &moved {
            for v in &mut self.surface.triangles[t as usize] {
                if *v == drop {
                    *v = keep;
                }
            }
        }
        self.fans[keep as usize].extend(moved);
        let mut around = self.neighbours(keep);
        around.push(keep);
        Some(around)
    }

    fn split(&mut self, above: f32) {
        let mut edges = self.edges(|ratio| ratio > above);
        edges.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then((a.1, a.2).cmp(&(b.1, b.2))));
        for (_, a, b) in edges {
            let middle = 0.5 * (self.position(a) + self.position(b));
            self.split_edge(a, b, middle);
        }
    }

    fn split_edge(&mut self, a: u32, b: u32, position: Vec3) -> u32 {
        let beside = self.beside(a, b);
        let rim = beside.len() == 1;
        let new = self.surface.positions.len() as u32;
        let position = self.solid.onto(position, rim, 2);
        self.surface.positions.push(position);
        self.sizes.push((self.size)(position));
        self.on_rim.push(rim);
        self.fans.push(Vec::new());
        for t in beside {
            let corners = self.surface.triangles[t as usize];
            let with = |from: u32| corners.map(|v| if v == from { new } else { v });
            let other = self.surface.triangles.len() as u32;
            self.surface.triangles[t as usize] = with(b);
            self.surface.triangles.push(with(a));
            let opposite = corners.into_iter().find(|&v| v != a && v != b);
            self.fans[b as usize].retain(|&x| x != t);
            self.fans[b as usize].push(other);
            self.fans[new as usize].extend([t, other]);
            if let Some(opposite) = opposite {
                self.fans[opposite as usize].push(other);
            }
        }
        new
    }

    /// Flips edges if this brings vertices closer to six neighbours, or four on the rim.
    fn flip(&mut self) {
        for (_, a, b) in self.edges(|_| true) {
            let beside = self.beside(a, b);
            let &[t, u] = &beside[..] else { continue };
            let corners = [t, u].map(|t| self.surface.triangles[t as usize]);
            let opposite = |t: [u32; 3]| t.into_iter().find(|&v| v != a && v != b);
            let (Some(c), Some(d)) = (opposite(corners[0]), opposite(corners[1])) else {
                continue;
            };
            let rims = self.on_rim[c as usize] && self.on_rim[d as usize];
            if c == d || rims || !self.beside(c, d).is_empty() {
                continue;
            }
            let off = |v: u32, change: i32| {
                let wanted = if self.on_rim[v as usize] { 3 } else { 6 };
                let off = self.fans[v as usize].len() as i32 + change - wanted;
                off * off
            };
            let before = off(a, 0) + off(b, 0) + off(c, 0) + off(d, 0);
            let after = off(a, -1) + off(b, -1) + off(c, 1) + off(d, 1);
            if after >= before {
                continue;
            }
            // The new triangles are [a, d, c] and [d, b, c] if the first is a, b, c.
            let corner_of = |v: u32| corners[0].iter().position(|&x| x == v).unwrap_or(0);
            let forward = (corner_of(a) + 1) % 3 == corner_of(b);
            let new = if forward {
                [[a, d, c], [d, b, c]]
            } else {
                [[b, d, c], [d, a, c]]
            };
            let old_normal =
                (self.normal(corners[0]) + self.normal(corners[1])).normalize_or_zero();
            let good = new.iter().all(|&t| {
                let normal = self.normal(t);
                let [p, q, r] = t.map(|v| self.position(v));
                let longest = (p - q).length().max((q - r).length()).max((r - p).length());
                // The new triangle is neither flipped over nor a sliver.
                normal.dot(old_normal) > 0.5 * normal.length()
                    && normal.length() > 0.25 * longest * longest
            });
            if !good {
                continue;
            }
            for (&index, new) in beside.iter().zip(new) {
                let old = std::mem::replace(&mut self.surface.triangles[index as usize], new);
                for v in old {
                    self.fans[v as usize].retain(|&x| x != index);
                }
                for v in new {
                    self.fans[v as usize].push(index);
                }
            }
        }
    }

    fn relax(&mut self, by: f32, steps: usize) {
        let old = self.surface.positions.clone();
        for v in 0..old.len() {
            if self.fans[v].is_empty() {
                continue;
            }
            let rim = self.on_rim[v];
            let (mut sum, mut weight) = (Vec3::ZERO, 0.0);
            if rim {
                for u in self.neighbours(v as u32) {
                    if self.on_rim[u as usize] && self.beside(v as u32, u).len() == 1 {
                        sum += old[u as usize];
                        weight += 1.0;
                    }
                }
            } else {
                for &t in &self.fans[v] {
                    let [a, b, c] = self.surface.triangles[t as usize];
                    let corners = [a, b, c].map(|v| old[v as usize]);
                    let wanted = [a, b, c].map(|v| self.sizes[v as usize]);
                    let wanted = wanted.into_iter().sum::<f32>() / 3.0;
                    let area = (corners[1] - corners[0])
                        .cross(corners[2] - corners[0])
                        .length();
                    let heavy = area / (wanted * wanted);
                    sum += (corners[0] + corners[1] + corners[2]) * (heavy / 3.0);
                    weight += heavy;
                }
            }
            if weight <= 0.0 {
                continue;
            }
            let mut step = (sum / weight - old[v]) * by;
            let fan = self.fans[v].iter();
            let normal: Vec3 = fan
                .map(|&t| self.normal(self.surface.triangles[t as usize]))
                .sum();
            let normal = normal.normalize_or_zero();
            step -= normal * step.dot(normal);
            let mut position = self.solid.onto(old[v] + step, rim, steps);
            position.x = if rim {
                0.0
            } else {
                position.x.max(0.2 * self.sizes[v])
            };
            if !self.folds(v, position) {
                self.surface.positions[v] = position;
                self.sizes[v] = (self.size)(position);
            }
        }
    }

    /// Moves vertices near the zero line of a function onto the line, and splits edges at the line.
    pub fn cut(&mut self, line: impl Fn(Vec3) -> f32) {
        let mut values: Vec<f32> = self.surface.positions.iter().map(|&p| line(p)).collect();
        for v in 0..values.len() {
            let near = 0.35 * self.sizes[v];
            if self.fans[v].is_empty() || values[v].abs() > near {
                continue;
            }
            let rim = self.on_rim[v];
            let mut position = self.surface.positions[v];
            for _ in 0..3 {
                const STEP: f32 = 1e-3;
                let here = line(position);
                let slope = Vec3::AXES.map(|a| (line(position + a * STEP) - here) / STEP);
                let mut slope = Vec3::from_array(slope);
                if rim {
                    slope.x = 0.0;
                }
                let normal = self.solid.normal(position, rim);
                slope -= normal * slope.dot(normal);
                let step = slope * (here / slope.length_squared().max(0.05));
                position = self
                    .solid
                    .onto(position - step.clamp_length_max(near), rim, 1);
            }
            position.x = if rim {
                0.0
            } else {
                position.x.max(0.2 * self.sizes[v])
            };
            if line(position).abs() < 2e-4 && !self.folds(v, position) {
                self.surface.positions[v] = position;
                values[v] = 0.0;
            }
        }
        for (_, a, b) in self.edges(|_| true) {
            let (from, to) = (values[a as usize], values[b as usize]);
            let part = from / (from - to);
            // A vertex almost on the line counts as on the line, to avoid slivers.
            match part {
                _ if from * to >= 0.0 => {}
                0.0..0.2 => values[a as usize] = 0.0,
                0.8.. => values[b as usize] = 0.0,
                _ => {
                    let [p, q] = [a, b].map(|v| self.position(v));
                    self.split_edge(a, b, p + (q - p) * part);
                    values.push(0.0);
                }
            }
        }
    }

    fn folds(&self, v: usize, position: Vec3) -> bool {
        self.fans[v].iter().any(|&t| {
            let corners = self.surface.triangles[t as usize];
            let [a, b, c] = corners.map(|u| {
                if u as usize == v {
                    position
                } else {
                    self.position(u)
                }
            });
            let after = (b - a).cross(c - a);
            after.dot(self.normal(corners)) <= 0.1 * after.length_squared()
        })
    }

    /// Drops removed vertices and triangles.
    pub fn finish(self) -> Surface {
        let mut number = vec![u32::MAX; self.fans.len()];
        let mut surface = Surface::default();
        for (v, fan) in self.fans.iter().enumerate() {
            if !fan.is_empty() {
                number[v] = surface.positions.len() as u32;
                surface.positions.push(self.surface.positions[v]);
            }
        }
        let kept = self.surface.triangles.iter().filter(|&&t| t != REMOVED);
        surface.triangles = kept.map(|t| t.map(|v| number[v as usize])).collect();
        surface
    }
}
