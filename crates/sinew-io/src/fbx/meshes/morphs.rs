//! Blend shapes become morph targets. The weight of a channel is split between two shapes.

use super::vertices::Placement;
use crate::fbx::error::FbxError;
use crate::fbx::load::Memory;
use glam::Vec3;
use sinew::mesh::{Deltas, Morph};
use std::sync::Arc;
use ufbx::{BlendChannel, BlendShape, Mesh};

pub(in crate::fbx) fn channels(mesh: &Mesh) -> impl Iterator<Item = &BlendChannel> {
    let deformers = mesh.blend_deformers.into_iter();
    deformers.flat_map(|deformer| deformer.channels.into_iter())
}

pub(in crate::fbx) fn count(mesh: &Mesh) -> usize {
    channels(mesh).map(|channel| channel.keyframes.count).sum()
}

/// Names of the targets: the name of the channel, or of each shape if the channel has several.
pub(in crate::fbx) fn names(mesh: &Mesh) -> Vec<String> {
    let names = channels(mesh).flat_map(|channel| {
        let several = channel.keyframes.count > 1;
        channel.keyframes.iter().map(move |key| {
            if several {
                key.shape.element.name.to_string()
            } else {
                channel.element.name.to_string()
            }
        })
    });
    names.collect()
}

pub(in crate::fbx) fn share(channel: &BlendChannel, weight: f64) -> Vec<f64> {
    let mut shares = vec![0.0; channel.keyframes.count];
    let at = |key: usize| channel.keyframes[key].target_weight;
    // Shapes with the sign of `weight`, in order of distance from zero.
    let is_ahead = |key: &usize| (at(*key) < 0.0) == (weight <= 0.0);
    let mut ahead: Vec<usize> = (0..shares.len()).filter(is_ahead).collect();
    ahead.sort_by(|a, b| at(*a).abs().total_cmp(&at(*b).abs()));
    if ahead.is_empty() {
        // Without such shapes, the nearest shape with the other sign is extrapolated.
        let behind = (0..shares.len()).min_by(|a, b| at(*a).abs().total_cmp(&at(*b).abs()));
        ahead.extend(behind);
    }
    let (mut from, mut to) = (None, None);
    for key in ahead {
        (from, to) = (to, Some(key));
        if at(key).abs() > weight.abs() {
            break;
        }
    }
    if let Some(to) = to {
        let begin = from.map_or(0.0, at);
        let along = (weight - begin) / (at(to) - begin);
        if along.is_finite() {
            if let Some(from) = from {
                shares[from] = 1.0 - along;
            }
            shares[to] = along;
        }
    }
    shares
}

pub(in crate::fbx) fn targets(
    mesh: &Mesh,
    points: &[u32],
    has_normals: bool,
    placement: &Placement,
    memory: &mut Memory,
) -> Result<Vec<Morph>, FbxError> {
    let count = count(mesh);
    if count == 0 {
        return Ok(Vec::new());
    }
    memory.take(count.saturating_mul(size_of::<Morph>()))?;
    let meanwhile = size_of::<u32>() * (2 * mesh.num_vertices + points.len() + 2);
    memory.take(meanwhile)?;
    let vertices = Vertices::of(mesh, points);
    let mut targets = Vec::with_capacity(count);
    for channel in channels(mesh) {
        for key in &channel.keyframes {
            let shape = &key.shape;
            let offset = |at: usize| placement.offset(weighted(shape, &shape.position_offsets, at));
            let normal = |at: usize| placement.normal(weighted(shape, &shape.normal_offsets, at));
            let has_deltas = has_normals && !shape.normal_offsets.is_empty();
            targets.push(Morph {
                positions: Some(vertices.deltas(shape, offset, memory)?),
                normals: if has_deltas {
                    Some(vertices.deltas(shape, normal, memory)?)
                } else {
                    None
                },
                tangents: None,
            });
        }
    }
    memory.give_back(meanwhile);
    Ok(targets)
}

fn weighted(shape: &BlendShape, offsets: &[ufbx::Vec3], at: usize) -> ufbx::Vec3 {
    let v = offsets.get(at).copied().unwrap_or_default();
    let weight = shape.offset_weights.get(at).copied().unwrap_or(1.0);
    let [x, y, z] = [v.x, v.y, v.z].map(|part| part * weight);
    ufbx::Vec3 { x, y, z }
}

struct Vertices {
    starts: Vec<u32>,
    vertices: Vec<u32>,
    count: usize,
}

impl Vertices {
    fn of(mesh: &Mesh, points: &[u32]) -> Self {
        let mut starts = vec![0_u32; mesh.num_vertices + 1];
        for point in points {
            if let Some(start) = starts.get_mut(*point as usize + 1) {
                *start += 1;
            }
        }
        for point in 1..starts.len() {
            starts[point] += starts[point - 1];
        }
        let mut next = starts.clone();
        let mut vertices = vec![0; points.len()];
        for (vertex, point) in (0_u32..).zip(points) {
            if let Some(at) = next.get_mut(*point as usize)
                && let Some(slot) = vertices.get_mut(*at as usize)
            {
                *slot = vertex;
                *at += 1;
            }
        }
        Self {
            starts,
            vertices,
            count: points.len(),
        }
    }

    fn at_point(&self, point: u32) -> &[u32] {
        let point = point as usize;
        match (self.starts.get(point), self.starts.get(point + 1)) {
            (Some(begin), Some(end)) => {
                let list = self.vertices.get(*begin as usize..*end as usize);
                list.unwrap_or_default()
            }
            _ => &[],
        }
    }

    fn deltas(
        &self,
        shape: &BlendShape,
        delta: impl Fn(usize) -> Vec3,
        memory: &mut Memory,
    ) -> Result<Deltas, FbxError> {
        let mut listed: Vec<(u32, Vec3)> = Vec::new();
        for (index, point) in shape.offset_vertices.iter().enumerate() {
            let vertices = self.at_point(*point);
            if vertices.is_empty() {
                continue;
            }
            memory.take(vertices.len() * size_of::<(u32, Vec3)>() * 2)?;
            let delta = delta(index);
            listed.extend(vertices.iter().map(|vertex| (*vertex, delta)));
        }
        listed.sort_by_key(|(vertex, _)| *vertex);
        listed.dedup_by_key(|(vertex, _)| *vertex);
        let (vertices, values): (Vec<u32>, Vec<Vec3>) = listed.into_iter().unzip();
        Ok(Deltas {
            vertices: (vertices.len() < self.count).then(|| Arc::new(vertices)),
            values: Arc::new(values),
        })
    }
}
