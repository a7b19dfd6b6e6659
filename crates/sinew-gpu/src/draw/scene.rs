//! Scene on the GPU: each geometry is stored once and drawn as instances.

use super::error::RenderError;
use super::figure::character::box_of;
use super::surface::instance::Instance;
use super::surface::material::{GpuMaterial, Uploads, plain};
use super::surface::surfaces::{Draw, Surfaces, SurfacesBuilder};
use crate::device::error::GpuError;
use crate::device::gpu::Gpu;
use crate::image::pixels::{Encoding, Pixels};
use crate::skin::vertex::SkinnedVertex;
use glam::Vec3;
use sinew::Material;
use sinew::scene::Scene;
use sinew::skin::SkinError;
use std::ops::Range;

/// Material of a scene, with textures made by code.
#[derive(Clone, Debug, Default)]
pub struct SceneMaterial {
    /// Material. Only the transforms of its textures are used, not their images.
    pub material: Material,
    /// Texture that is multiplied by the base colour.
    pub base: Option<Pixels>,
    /// Normal map.
    pub normal: Option<Pixels>,
    /// Fraction of the light from behind that shines through, as in a leaf. Only for Phong shading.
    pub through: f32,
}

/// Scene on the GPU, ready to draw.
#[derive(Debug)]
pub struct GpuScene {
    surfaces: Surfaces,
    vertices: wgpu::Buffer,
    materials: Vec<GpuMaterial>,
    batches: Vec<Batch>,
    bounds: Vec<Option<[Vec3; 2]>>,
    capacity: usize,
}

#[derive(Clone, Debug)]
struct Batch {
    geometry: usize,
    material: usize,
    instances: Range<u32>,
    mirrored: bool,
    bounds: Option<[Vec3; 2]>,
}

impl GpuScene {
    /// Uploads a scene. Nodes refer to `materials` by index. Without a material, they are plain
    /// grey.
    pub fn new(gpu: &Gpu, scene: &Scene, materials: &[SceneMaterial]) -> Result<Self, RenderError> {
        let mut builder = SurfacesBuilder::default();
        let mut vertices = Vec::new();
        let mut bounds = Vec::new();
        for geometry in scene.geometries() {
            let (found, expected) = (geometry.normals.as_ref().map(|n| n.len()), geometry.len());
            if let Some(found) = found.filter(|&found| found != expected) {
                let what = "the normal stream";
                let error = SkinError::Length {
                    what,
                    found,
                    expected,
                };
                return Err(GpuError::Skin(error).into());
            }
            builder.add(geometry, [0; 2], None);
            let normal = |v: usize| geometry.normals.as_ref().map_or(Vec3::Y, |n| n[v]);
            vertices.extend(
                geometry
                    .positions
                    .iter()
                    .enumerate()
                    .map(|(v, p)| SkinnedVertex {
                        position: p.to_array(),
                        normal: normal(v).to_array(),
                    }),
            );
            let corners = geometry.positions.iter().map(|&p| [p; 2]);
            bounds.push(corners.reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])]));
        }
        let capacity = scene.draws()?.count();
        let surfaces = builder.upload(gpu, capacity)?;
        let vertices = gpu.buffer_with(
            "still vertices",
            wgpu::BufferUsages::VERTEX,
            bytemuck::cast_slice(&vertices),
        )?;
        let mut uploads = Uploads::new(gpu)?;
        let mut on_gpu = Vec::new();
        for look in materials {
            let base = match &look.base {
                Some(pixels) => Some(uploads.pixels(pixels, Encoding::Srgb)?),
                None => None,
            };
            let normal = match &look.normal {
                Some(pixels) => Some(uploads.pixels(pixels, Encoding::Linear)?),
                None => None,
            };
            let mut material = uploads.material(&look.material, base, normal)?;
            material.set_translucency(gpu, look.through);
            on_gpu.push(material);
        }
        on_gpu.push(uploads.material(&plain(), None, None)?);
        let mut drawn = Self {
            surfaces,
            vertices,
            materials: on_gpu,
            batches: Vec::new(),
            bounds,
            capacity,
        };
        drawn.update(gpu, scene)?;
        Ok(drawn)
    }

    /// Applies moved, added and removed nodes. The scene must have the uploaded geometries.
    pub fn update(&mut self, gpu: &Gpu, scene: &Scene) -> Result<(), RenderError> {
        let mut draws: Vec<_> = scene
            .draws()?
            .filter(|d| d.geometry.index() < self.bounds.len())
            .map(|draw| {
                let geometry = draw.geometry.index();
                let own = self.surfaces.parts[geometry].material;
                let plain = self.materials.len() - 1;
                let material = draw.material.or(own).unwrap_or(plain).min(plain);
                let mirrored = draw.world_from_geometry.determinant() < 0.0;
                ((geometry, material, mirrored), draw)
            })
            .collect();
        draws.sort_by_key(|d| d.0);
        let instances: Vec<Instance> = draws
            .iter()
            .map(|(_, draw)| Instance {
                color: draw.color.unwrap_or([1.0; 4]),
                ..Instance::at(&draw.world_from_geometry)
            })
            .collect();
        if instances.len() > self.capacity {
            self.capacity = instances.len().next_power_of_two();
            self.surfaces.reserve_instances(gpu, self.capacity)?;
        }
        self.surfaces.write_instances(gpu, &instances);
        self.batches.clear();
        for (index, ((geometry, material, mirrored), draw)) in (0..).zip(draws) {
            let around = self.bounds[geometry].map(|b| box_of(b, &draw.world_from_geometry));
            match self.batches.last_mut() {
                Some(last)
                    if (last.geometry, last.material, last.mirrored)
                        == (geometry, material, mirrored) =>
                {
                    last.instances.end = index + 1;
                    last.bounds = union(last.bounds, around);
                }
                _ => self.batches.push(Batch {
                    geometry,
                    material,
                    instances: index..index + 1,
                    mirrored,
                    bounds: around,
                }),
            }
        }
        Ok(())
    }

    /// Box around the scene in world space, as min and max.
    pub fn bounds(&self) -> Option<[Vec3; 2]> {
        self.batches
            .iter()
            .fold(None, |all, b| union(all, b.bounds))
    }

    pub(crate) fn draws(&self) -> impl Iterator<Item = Draw<'_>> {
        self.batches.iter().map(|batch| Draw {
            surfaces: &self.surfaces,
            part: &self.surfaces.parts[batch.geometry],
            vertices: (
                &self.vertices,
                self.surfaces.parts[batch.geometry].vertex_bytes(),
            ),
            tangents: None,
            material: &self.materials[batch.material],
            instances: batch.instances.clone(),
            pulled: None,
            mirrored: batch.mirrored,
            inverted: false,
            middle: batch.bounds.map_or(Vec3::ZERO, |[a, b]| (a + b) / 2.0),
        })
    }
}

fn union(a: Option<[Vec3; 2]>, b: Option<[Vec3; 2]>) -> Option<[Vec3; 2]> {
    match (a, b) {
        (Some(a), Some(b)) => Some([a[0].min(b[0]), a[1].max(b[1])]),
        (a, b) => a.or(b),
    }
}
