//! Triangles on the GPU, and the draws of a pass.

use super::instance::Instance;
use super::material::GpuMaterial;
use crate::device::error::GpuError;
use crate::device::gpu::Gpu;
use crate::skin::vertex::{SkinnedVertex, SurfaceVertex};
use glam::Vec3;
use sinew::Primitive;
use sinew::steps::{finish, pause};
use std::ops::Range;
use wgpu::{Buffer, BufferUsages, IndexFormat, RenderPass};

#[derive(Debug)]
pub(crate) struct Surfaces {
    surface: Buffer,
    indices: Buffer,
    edges: Buffer,
    pub instances: Buffer,
    pub parts: Vec<Part>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Part {
    first: usize,
    indices: Range<u32>,
    edges: Range<u32>,
    /// Index of the material. `None` stands for the last material.
    pub material: Option<usize>,
    /// True if the mesh has no normals.
    pub flat_shaded: bool,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct VertexOrder<'a> {
    pub mesh_from_slot: &'a [u32],
    pub slot_from_mesh: &'a [u32],
}

#[derive(Debug, Default)]
pub(crate) struct SurfacesBuilder {
    surface: Vec<SurfaceVertex>,
    indices: Vec<u32>,
    edges: Vec<u32>,
    parts: Vec<Part>,
}

impl SurfacesBuilder {
    /// Adds a primitive with two sets of texture coordinates. Skips points and lines.
    pub fn add(
        &mut self,
        primitive: &Primitive,
        texcoords: [usize; 2],
        order: Option<VertexOrder<'_>>,
    ) {
        finish(self.add_in_steps(primitive, texcoords, order));
    }

    /// As [`SurfacesBuilder::add`], in [steps](sinew::steps).
    pub async fn add_in_steps(
        &mut self,
        primitive: &Primitive,
        texcoords: [usize; 2],
        order: Option<VertexOrder<'_>>,
    ) {
        let first = self.surface.len();
        let surface = surface_vertices(primitive, texcoords);
        let slot = |v: u32| order.map_or(v, |o| o.slot_from_mesh[v as usize]);
        match order {
            None => self.surface.extend(surface),
            Some(order) => {
                let surface: Vec<_> = surface.collect();
                let vertices = order.mesh_from_slot.iter();
                self.surface.extend(vertices.map(|&v| surface[v as usize]));
            }
        }
        pause().await;
        let first_index = self.indices.len() as u32;
        let corners = primitive.triangles().flatten().map(|v| slot(v as u32));
        self.indices.extend(corners);
        pause().await;
        let first_edge = self.edges.len() as u32;
        self.edges.extend(edges(primitive).into_iter().map(slot));
        self.parts.push(Part {
            first,
            indices: first_index..self.indices.len() as u32,
            edges: first_edge..self.edges.len() as u32,
            material: primitive.material,
            flat_shaded: primitive.normals.is_none(),
        });
    }

    /// Adds other triangles over the vertices of a part, as a new part.
    pub fn add_level(&mut self, part: usize, corners: &[u32], order: VertexOrder<'_>) {
        let first_index = self.indices.len() as u32;
        let slots = corners.iter().map(|&v| order.slot_from_mesh[v as usize]);
        self.indices.extend(slots);
        let indices = first_index..self.indices.len() as u32;
        let level = Part {
            indices,
            ..self.parts[part].clone()
        };
        self.parts.push(level);
    }

    pub fn upload(self, gpu: &Gpu, instances: usize) -> Result<Surfaces, GpuError> {
        let vertex = BufferUsages::VERTEX | BufferUsages::COPY_DST;
        let index = BufferUsages::INDEX;
        let indices = bytemuck::cast_slice(&self.indices);
        let edges = bytemuck::cast_slice(&self.edges);
        let surface = bytemuck::cast_slice(&self.surface);
        Ok(Surfaces {
            surface: gpu.buffer_with("surface vertices", vertex, surface)?,
            indices: gpu.buffer_with("triangles", index, indices)?,
            edges: gpu.buffer_with("edges", index, edges)?,
            instances: instance_buffer(gpu, instances)?,
            parts: self.parts,
        })
    }
}

fn instance_buffer(gpu: &Gpu, instances: usize) -> Result<Buffer, GpuError> {
    let usage = BufferUsages::VERTEX | BufferUsages::COPY_DST;
    let bytes = instances.max(1) * size_of::<Instance>();
    gpu.buffer("instances", usage, bytes as u64)
}

impl Surfaces {
    /// Resizes the instance buffer, which loses its contents.
    pub fn reserve_instances(&mut self, gpu: &Gpu, instances: usize) -> Result<(), GpuError> {
        self.instances = instance_buffer(gpu, instances)?;
        Ok(())
    }

    /// Replaces the colours and texture coordinates of all vertices.
    pub fn repaint(&self, gpu: &Gpu, surface: &[SurfaceVertex]) {
        gpu.queue
            .write_buffer(&self.surface, 0, bytemuck::cast_slice(surface));
    }

    pub fn write_instances(&self, gpu: &Gpu, instances: &[Instance]) {
        gpu.queue
            .write_buffer(&self.instances, 0, bytemuck::cast_slice(instances));
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Draw<'a> {
    pub surfaces: &'a Surfaces,
    pub part: &'a Part,
    /// Buffer of [`SkinnedVertex`]es, and byte offset of this part.
    pub vertices: (&'a Buffer, u64),
    /// Buffer of [`SkinnedTangent`](crate::skin::vertex::SkinnedTangent)s and byte offset, if any.
    pub tangents: Option<(&'a Buffer, u64)>,
    pub material: &'a GpuMaterial,
    pub instances: Range<u32>,
    /// True if a transform mirrors the triangles.
    pub mirrored: bool,
    /// True if the vertices themselves are mirrored, so that normals point inward.
    pub inverted: bool,
    /// Approximate centre, for sorting.
    pub middle: Vec3,
    /// Vertices of a crowd, used instead of the buffers above.
    pub pulled: Option<Pulled<'a>>,
}

/// Vertices of a part of a crowd, read by the vertex shader. Each instance is a member.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pulled<'a> {
    pub group: &'a wgpu::BindGroup,
    pub has_tangents: bool,
}

impl Part {
    /// Byte offset of the vertices in a buffer that holds all parts in order.
    pub fn vertex_bytes(&self) -> u64 {
        (self.first * size_of::<SkinnedVertex>()) as u64
    }

    pub fn triangles(&self) -> usize {
        self.indices.len() / 3
    }
}

impl Draw<'_> {
    fn bind_vertices(&self, pass: &mut RenderPass<'_>) {
        let surfaces = self.surfaces;
        let (vertices, first) = self.vertices;
        pass.set_vertex_buffer(0, vertices.slice(first..));
        let surface = (self.part.first * size_of::<SurfaceVertex>()) as u64;
        pass.set_vertex_buffer(1, surfaces.surface.slice(surface..));
        pass.set_vertex_buffer(2, surfaces.instances.slice(..));
        if let Some((tangents, first)) = self.tangents {
            pass.set_vertex_buffer(3, tangents.slice(first..));
        }
        if let Some(pulled) = self.pulled {
            pass.set_bind_group(2, pulled.group, &[]);
        }
    }

    pub fn is_empty(&self) -> bool {
        self.part.indices.is_empty() || self.instances.is_empty()
    }

    pub fn triangles(&self, pass: &mut RenderPass<'_>) {
        self.bind_vertices(pass);
        pass.set_index_buffer(self.surfaces.indices.slice(..), IndexFormat::Uint32);
        pass.draw_indexed(self.part.indices.clone(), 0, self.instances.clone());
    }

    pub fn edges(&self, pass: &mut RenderPass<'_>) {
        self.bind_vertices(pass);
        pass.set_index_buffer(self.surfaces.edges.slice(..), IndexFormat::Uint32);
        pass.draw_indexed(self.part.edges.clone(), 0, self.instances.clone());
    }
}

/// Attributes that do not depend on the pose. Missing coordinates are 0, missing colours white.
pub(crate) fn surface_vertices(
    primitive: &Primitive,
    texcoords: [usize; 2],
) -> impl Iterator<Item = SurfaceVertex> + '_ {
    let sets = texcoords.map(|set| primitive.texcoords.get(set));
    let colors = primitive.colors.first();
    (0..primitive.len()).map(move |v| {
        let color = colors.and_then(|c| c.get(v)).copied();
        SurfaceVertex {
            uvs: sets.map(|set| {
                set.and_then(|s| s.get(v))
                    .copied()
                    .unwrap_or_default()
                    .into()
            }),
            color: color.map_or([u16::MAX; 4], |c| sixteen_bits(c.to_array())),
        }
    })
}

pub(crate) fn sixteen_bits(color: [f32; 4]) -> [u16; 4] {
    color.map(|c| (c.clamp(0.0, 1.0) * 65535.0).round() as u16)
}

/// Each edge of the triangles once, grouped by the lower of its two vertices.
fn edges(primitive: &Primitive) -> Vec<u32> {
    let sides = || {
        let triangles = primitive.triangles();
        let sides = triangles.flat_map(|[a, b, c]| [[a, b], [b, c], [c, a]]);
        sides.map(|[a, b]| [a.min(b), a.max(b)])
    };
    let mut ends = vec![0_usize; primitive.len()];
    sides().for_each(|[low, _]| ends[low] += 1);
    let mut total = 0;
    for end in &mut ends {
        total += std::mem::replace(end, total);
    }
    let mut highs = vec![0_u32; total];
    for [low, high] in sides() {
        highs[ends[low]] = high as u32;
        ends[low] += 1;
    }
    let mut edges = Vec::with_capacity(total);
    let mut start = 0;
    for (low, &end) in ends.iter().enumerate() {
        let own = &mut highs[start..end];
        own.sort_unstable();
        for same in own.chunk_by(|a, b| a == b) {
            edges.extend([low as u32, same[0]]);
        }
        start = end;
    }
    edges
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;

    #[test]
    fn edges_are_listed_once_whichever_way_their_triangles_run() {
        // Two triangles with a common side. The second occurs three times. One is degenerate.
        let indices = [0, 1, 2, 3, 2, 1, 2, 3, 1, 1, 3, 2, 4, 4, 0];
        let primitive = Primitive {
            positions: Arc::new(vec![Vec3::ZERO; 5]),
            indices: Some(Arc::new(indices.to_vec())),
            ..Primitive::default()
        };
        let expected = [[0, 1], [0, 2], [0, 4], [1, 2], [1, 3], [2, 3], [4, 4]];
        assert_eq!(edges(&primitive), expected.as_flattened());
    }
}
