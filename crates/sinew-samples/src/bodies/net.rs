//! Surfaces of bodies: a closed mesh around limbs, and open tubes of cloth.

use super::limb::Limb;
use glam::{IVec3, Vec3};
use sinew::mesh::Primitive;
use std::collections::HashMap;
use std::f32::consts::TAU;
use std::sync::Arc;

/// Closed surface around limbs by surface nets (Gibson 1998), with one vertex in each grid cell
/// that the surface crosses. `cell` is the size of a grid cell, in the unit of the limbs.
pub fn net(limbs: &[Limb], cell: f32) -> Primitive {
    let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    for limb in limbs {
        low = low.min(limb.from.min(limb.to) - limb.radius);
        high = high.max(limb.from.max(limb.to) + limb.radius);
    }
    // Limbs start and end at round numbers. The offset keeps grid points away from these numbers.
    let low = low - cell * Vec3::new(1.37, 1.41, 1.33);
    let size = ((high - low) / cell).as_ivec3() + 3;
    let index = |at: IVec3| ((at.z * size.y + at.y) * size.x + at.x) as usize;
    let position = |at: IVec3| low + at.as_vec3() * cell;
    let all = (0..size.z)
        .flat_map(|z| (0..size.y).map(move |y| (y, z)))
        .flat_map(|(y, z)| (0..size.x).map(move |x| IVec3::new(x, y, z)));
    let outside = |at: IVec3| {
        let distances = limbs.iter().map(|limb| limb.distance(position(at)));
        distances.fold(f32::INFINITY, f32::min)
    };
    let values: Vec<f32> = all.clone().map(outside).collect();
    let value = |at: IVec3| values[index(at)];
    let crosses = |a: IVec3, b: IVec3| (value(a) < 0.0) != (value(b) < 0.0);
    let corners = || (0..8).map(|c| IVec3::new(c & 1, c >> 1 & 1, c >> 2 & 1));
    let axes = [IVec3::X, IVec3::Y, IVec3::Z];
    let is_last = |at: IVec3| (at + 1).cmpge(size).any();
    let (mut positions, mut indices) = (Vec::new(), Vec::new());
    let mut vertices: HashMap<IVec3, u32> = HashMap::new();
    for at in all.clone().filter(|&at| !is_last(at)) {
        let (mut sum, mut count) = (Vec3::ZERO, 0.0);
        for corner in corners() {
            for axis in axes
                .into_iter()
                .filter(|axis| (corner * *axis) == IVec3::ZERO)
            {
                let (a, b) = (at + corner, at + corner + axis);
                if crosses(a, b) {
                    let part = value(a) / (value(a) - value(b));
                    sum += position(a).lerp(position(b), part);
                    count += 1.0;
                }
            }
        }
        if count > 0.0 {
            vertices.insert(at, positions.len() as u32);
            // The vertex is moved toward the centre of the cell, so that edges have similar
            // lengths.
            let middle = position(at) + 0.5 * cell;
            positions.push(middle.lerp(sum / count, 0.7));
        }
    }
    for at in all.filter(|&at| !is_last(at)) {
        for axis in 0..3 {
            let (u, v) = (axes[(axis + 1) % 3], axes[(axis + 2) % 3]);
            if !crosses(at, at + axes[axis]) {
                continue;
            }
            let [a, b, c, d] = [at - u - v, at - v, at, at - u].map(|cell| vertices[&cell]);
            let faces = [[a, b, c], [a, c, d]];
            let is_outward = value(at) < 0.0;
            indices.extend(
                faces.into_iter().flat_map(
                    |[a, b, c]| {
                        if is_outward { [a, b, c] } else { [a, c, b] }
                    },
                ),
            );
        }
    }
    let outward = |&position: &Vec3| {
        let near = limbs
            .iter()
            .min_by(|a, b| a.distance(position).total_cmp(&b.distance(position)));
        near.map_or(Vec3::Y, |limb| limb.outward(position))
    };
    let normals: Vec<Vec3> = positions.iter().map(outward).collect();
    Primitive {
        positions: Arc::new(positions),
        normals: Some(Arc::new(normals)),
        indices: Some(Arc::new(indices)),
        ..Primitive::default()
    }
}

/// Tube of cloth with open ends through level rings (centre and radius). Quads are about `cell`
/// long.
pub fn tube(rings: &[(Vec3, f32)], cell: f32) -> Primitive {
    let widest = rings.iter().map(|ring| ring.1).fold(0.0, f32::max);
    let around = ((TAU * widest / cell) as u32).max(6);
    let mut rows: Vec<(Vec3, f32)> = Vec::new();
    for pair in rings.windows(2) {
        let steps = (pair[0].0.distance(pair[1].0) / cell).ceil().max(1.0);
        for step in 0..steps as u32 {
            let part = step as f32 / steps;
            let radius = pair[0].1 + (pair[1].1 - pair[0].1) * part;
            rows.push((pair[0].0.lerp(pair[1].0, part), radius));
        }
    }
    rows.extend(rings.last());
    let (mut positions, mut indices) = (Vec::new(), Vec::new());
    for (row, (middle, radius)) in (0..).zip(&rows) {
        for column in 0..around {
            let (sin, cos) = libm::sincosf(TAU * column as f32 / around as f32);
            positions.push(*middle + *radius * Vec3::new(cos, 0.0, sin));
            if row > 0 {
                let (here, there) = (row * around, (row - 1) * around);
                let next = (column + 1) % around;
                let [a, b, c, d] = [here + column, here + next, there + next, there + column];
                indices.extend([a, c, b, a, d, c]);
            }
        }
    }
    Primitive {
        positions: Arc::new(positions),
        indices: Some(Arc::new(indices)),
        ..Primitive::default()
    }
}
