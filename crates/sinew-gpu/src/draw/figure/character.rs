//! Character on the GPU: skinned once per frame, then drawn by every pass.

use super::skinned::Skinned;
use crate::device::error::GpuError;
use crate::device::gpu::Gpu;
use crate::draw::camera::corners;
use crate::draw::error::RenderError;
use crate::draw::stage_curves::StageCurves;
use crate::draw::surface::instance::Instance;
use crate::draw::surface::material::{self, GpuMaterial};
use crate::draw::surface::paint::{self, Paint};
use crate::draw::surface::surfaces::{
    Draw, Surfaces, SurfacesBuilder, VertexOrder, surface_vertices,
};
use crate::draw::surface::weight_colors::{self, WeightColors};
use crate::skin::vertex::{SkinnedVertex, SurfaceVertex};
use glam::Vec3;
use sinew::character::Driven;
use sinew::property::ObjectKind;
use sinew::rig::Actor;
use sinew::steps::{finish, pause};
use sinew::{
    Affine, Character, DeformError, Deformed, DeformedPrimitive, Method, Primitive, SkinnedBy,
    deform,
};
use wgpu::{Buffer, BufferUsages};

/// Character on the GPU, ready to draw.
#[derive(Debug)]
pub struct GpuCharacter {
    surfaces: Surfaces,
    skinning: Skinning,
    by: SkinnedBy,
    /// Materials of the character, followed by a default material.
    materials: Vec<GpuMaterial>,
    problems: Vec<RenderError>,
    bounds: Option<[Vec3; 2]>,
    world_from_model: Affine,
    paint: Option<GpuMaterial>,
    /// True for each part that is not drawn.
    hidden: Vec<bool>,
    texcoords: Vec<[usize; 2]>,
    /// Structure of the uploaded character, to compare with a given character.
    shape: Vec<(usize, usize, usize)>,
}

#[derive(Debug)]
enum Skinning {
    Gpu(Box<Skinned>),
    /// Vertices that the CPU skins, for the quaternion method and for exact normals.
    Cpu {
        vertices: Buffer,
        scratch: Vec<SkinnedVertex>,
        mirrored: Vec<bool>,
    },
}

impl GpuCharacter {
    /// Uploads a character in its rest pose. [`GpuCharacter::problems`] reports textures that
    /// cannot be decoded. A primitive without a valid material is plain grey. `by` is a [`Method`],
    /// or [`SkinnedBy`] to choose the normals too. With exact normals, the CPU skins every frame.
    pub fn new(
        gpu: &Gpu,
        character: &Character,
        by: impl Into<SkinnedBy>,
    ) -> Result<Self, RenderError> {
        finish(Self::new_in_steps(gpu, character, by))
    }

    /// As [`GpuCharacter::new`], in [steps](sinew::steps): about two per texture and four per primitive.
    ///
    /// # Errors
    /// As [`GpuCharacter::new`].
    pub async fn new_in_steps(
        gpu: &Gpu,
        character: &Character,
        by: impl Into<SkinnedBy>,
    ) -> Result<Self, RenderError> {
        let by = by.into();
        character.check()?;
        let (materials, problems) = material::upload_all(gpu, character).await?;
        let on_cpu = by.method == Method::Quaternion || by.normals.is_exact_for(by.method);
        let skinning = match on_cpu {
            true => {
                let vertices: usize = drawn(character).map(|(_, p)| p.len()).sum();
                let bytes = (vertices * size_of::<SkinnedVertex>()) as u64;
                let usage = BufferUsages::VERTEX | BufferUsages::COPY_DST;
                Skinning::Cpu {
                    vertices: gpu.buffer("skinned vertices", usage, bytes)?,
                    scratch: Vec::new(),
                    mirrored: Vec::new(),
                }
            }
            false => {
                let parts = Skinned::new(gpu, character, by.method).await?;
                Skinning::Gpu(Box::new(parts))
            }
        };
        let mut builder = SurfacesBuilder::default();
        let mut texcoords = Vec::new();
        for (part, (_, primitive)) in drawn(character).enumerate() {
            pause().await;
            let sets = texcoords_of(character, primitive);
            let order = skinning.order(part);
            builder.add_in_steps(primitive, sets, order).await;
            texcoords.push(sets);
        }
        pause().await;
        let mut figure = Self {
            surfaces: builder.upload(gpu, 1)?,
            skinning,
            by,
            materials,
            problems,
            bounds: None,
            world_from_model: Affine::IDENTITY,
            paint: None,
            hidden: Vec::new(),
            texcoords,
            shape: shape(character).collect(),
        };
        pause().await;
        let driven = Driven::new(character);
        figure.hide_nodes(|node| driven.is_hidden(node));
        figure.place(gpu, &Affine::IDENTITY);
        figure.pose(gpu, character, None, 0.0)?;
        Ok(figure)
    }

    /// Skinning method of the character.
    pub fn method(&self) -> Method {
        self.by.method
    }

    /// True if the CPU skins the vertices, so that [`GpuCharacter::show`] shows them.
    pub fn is_skinned_on_cpu(&self) -> bool {
        matches!(self.skinning, Skinning::Cpu { .. })
    }

    /// Errors of parts that are not drawn as intended.
    pub fn problems(&self) -> &[RenderError] {
        &self.problems
    }

    /// Poses and skins the character at a time of a clip. `character` must be the uploaded one.
    ///
    /// # Errors
    /// If `character` is another character, is inconsistent, or does not have the clip.
    pub fn pose(
        &mut self,
        gpu: &Gpu,
        character: &Character,
        clip: Option<usize>,
        time_secs: f64,
    ) -> Result<(), RenderError> {
        self.check(character)?;
        let len = character.clips.len();
        if let Some(clip) = clip.filter(|&c| c >= len) {
            return Err(DeformError::NoSuchClip { clip, len }.into());
        }
        match &mut self.skinning {
            Skinning::Gpu(skinned) => {
                self.bounds = skinned.update(gpu, character, clip, time_secs)?;
                Ok(())
            }
            Skinning::Cpu { .. } => self.show(gpu, &deform(character, clip, time_secs, self.by)?),
        }
    }

    /// Shows vertices that the CPU has skinned, with the quaternion method or with exact normals.
    ///
    /// # Errors
    /// If the GPU skins this character, or if the vertices belong to another character.
    pub fn show(&mut self, gpu: &Gpu, moment: &Deformed) -> Result<(), RenderError> {
        let Skinning::Cpu {
            vertices,
            scratch,
            mirrored,
        } = &mut self.skinning
        else {
            return Err(RenderError::SkinnedOnGpu);
        };
        let of = |part: &DeformedPrimitive| (part.node, part.positions.len());
        let own = self.shape.iter().map(|&(node, len, _)| (node, len));
        if !moment.primitives.iter().map(of).eq(own) {
            return Err(RenderError::OtherCharacter);
        }
        scratch.clear();
        mirrored.clear();
        for part in &moment.primitives {
            mirrored.push(part.mirrored);
            let normal = |v: usize| part.normals.as_ref().map_or(Vec3::Y, |n| n[v]);
            scratch.extend(
                part.positions
                    .iter()
                    .enumerate()
                    .map(|(v, p)| SkinnedVertex {
                        position: p.to_array(),
                        normal: normal(v).to_array(),
                    }),
            );
        }
        gpu.queue
            .write_buffer(vertices, 0, bytemuck::cast_slice(scratch));
        let points = scratch.iter().map(|v| [Vec3::from(v.position); 2]);
        self.bounds = points.reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])]);
        Ok(())
    }

    /// Shows the current pose of an actor. Its rig must be made from the same character.
    ///
    /// # Errors
    /// If the rig belongs to another character, or if the GPU does not support its skinning method.
    pub fn pose_actor(&mut self, gpu: &Gpu, actor: &mut Actor) -> Result<(), RenderError> {
        let Skinning::Gpu(skinned) = &mut self.skinning else {
            return Err(GpuError::NoSuchMethod.into());
        };
        self.bounds = skinned.update_from(gpu, actor)?;
        Ok(())
    }

    /// Shows the materials of the uploaded character as curves set them.
    pub fn show_materials(&mut self, gpu: &Gpu, driven: &Driven, curves: &StageCurves) {
        let materials = driven.materials().iter().zip(&self.materials).enumerate();
        for (index, (material, shown)) in materials {
            let bound = curves.material(&material.name);
            if bound.is_some() || driven.drives(ObjectKind::Material, index) {
                shown.show(gpu, material, &bound.unwrap_or_default());
            }
        }
    }

    /// Enables timing of later skinning, if the device supports timestamps.
    pub fn measure(&mut self, gpu: &Gpu) -> Result<(), RenderError> {
        if let Skinning::Gpu(skinned) = &mut self.skinning {
            skinned.measure(gpu)?;
        }
        Ok(())
    }

    /// GPU time of the last skinning in milliseconds. `None` without timing. Waits for the GPU.
    pub fn skin_ms(&self, gpu: &Gpu) -> Result<Option<f64>, RenderError> {
        match &self.skinning {
            Skinning::Gpu(skinned) => Ok(skinned.skin_ms(gpu)?),
            Skinning::Cpu { .. } => Ok(None),
        }
    }

    /// Number of skinning dispatches so far. Only poses add to it, not passes or lights.
    pub fn skin_dispatches(&self) -> u64 {
        match &self.skinning {
            Skinning::Gpu(skinned) => skinned.dispatched(),
            Skinning::Cpu { .. } => 0,
        }
    }

    /// Sets the transform `world_from_model` of the character.
    pub fn place(&mut self, gpu: &Gpu, world_from_model: &Affine) {
        self.world_from_model = *world_from_model;
        let instance = Instance::at(world_from_model);
        self.surfaces.write_instances(gpu, &[instance]);
    }

    /// Box around the character in world space, as min and max.
    pub fn bounds(&self) -> Option<[Vec3; 2]> {
        Some(box_of(self.bounds?, &self.world_from_model))
    }

    /// Hides the meshes of nodes, and shows all others.
    pub fn hide_nodes(&mut self, is_hidden: impl Fn(usize) -> bool) {
        let nodes = self.shape.iter().map(|(node, _, _)| is_hidden(*node));
        self.hidden = nodes.collect();
    }

    /// Shows weights as colours, or the materials for `None`. `character` must be the uploaded one.
    ///
    /// # Errors
    /// If `character` is another character, or is inconsistent.
    pub fn set_weight_colors(
        &mut self,
        gpu: &Gpu,
        character: &Character,
        weight_colors: Option<WeightColors>,
    ) -> Result<(), RenderError> {
        let paint = weight_colors.map_or(Paint::Materials, Paint::Weights);
        self.set_paint(gpu, character, paint)
    }

    /// Replaces or restores the materials. `character` must be the uploaded one.
    ///
    /// # Errors
    /// If `character` is another character, or is inconsistent.
    pub fn set_paint(
        &mut self,
        gpu: &Gpu,
        character: &Character,
        paint: Paint,
    ) -> Result<(), RenderError> {
        self.check(character)?;
        let mut painted: Vec<SurfaceVertex> = Vec::new();
        for (part, (node, primitive)) in drawn(character).enumerate() {
            let colors: Vec<SurfaceVertex> = match paint {
                Paint::Weights(weight_colors) => {
                    let skin = node.skin.map(|s| &character.skins[s]);
                    weight_colors::surface_vertices(primitive, skin, weight_colors).collect()
                }
                Paint::Materials => surface_vertices(primitive, self.texcoords[part]).collect(),
                Paint::Normals | Paint::UvChecker => surface_vertices(primitive, [0; 2])
                    .map(|vertex| SurfaceVertex {
                        color: [u16::MAX; 4],
                        ..vertex
                    })
                    .collect(),
            };
            match self.skinning.order(part) {
                Some(order) => {
                    let vertices = order.mesh_from_slot.iter();
                    painted.extend(vertices.map(|&v| colors[v as usize]));
                }
                None => painted.extend(colors),
            }
        }
        self.paint = paint::material(gpu, paint)?;
        self.surfaces.repaint(gpu, &painted);
        Ok(())
    }

    fn check(&self, character: &Character) -> Result<(), RenderError> {
        character.check()?;
        if shape(character).eq(self.shape.iter().copied()) {
            Ok(())
        } else {
            Err(RenderError::OtherCharacter)
        }
    }

    pub(crate) fn draws(&self) -> impl Iterator<Item = Draw<'_>> {
        let plain = self.materials.len() - 1;
        let middle = |[low, high]: [Vec3; 2]| (low + high) / 2.0;
        let whole = self.bounds().map_or(Vec3::ZERO, middle);
        let is_mirrored = self.world_from_model.determinant() < 0.0;
        let parts = self.surfaces.parts.iter().enumerate();
        let shown = parts.filter(move |(index, _)| !self.hidden[*index]);
        shown.map(move |(index, part)| {
            let material = match (&self.paint, part.material) {
                (Some(paint), _) => paint,
                (None, Some(material)) => &self.materials[material.min(plain)],
                (None, None) => &self.materials[plain],
            };
            // Blended parts are sorted, so each needs its own centre.
            let own = match &self.skinning {
                Skinning::Gpu(skinned) if material.looks.blended => skinned.bounds_of(index),
                _ => None,
            };
            Draw {
                surfaces: &self.surfaces,
                part,
                tangents: match &self.skinning {
                    Skinning::Gpu(skinned) => skinned.tangents(index),
                    Skinning::Cpu { .. } => None,
                },
                vertices: match &self.skinning {
                    Skinning::Gpu(s) => (s.vertices(), s.vertex_bytes(index).start),
                    Skinning::Cpu { vertices, .. } => (vertices, part.vertex_bytes()),
                },
                material,
                instances: 0..1,
                pulled: None,
                mirrored: is_mirrored != self.skinning.is_mirrored(index),
                inverted: match &self.skinning {
                    Skinning::Gpu(skinned) => skinned.is_mirrored(index),
                    Skinning::Cpu { .. } => false,
                },
                middle: own.map_or(whole, |own| middle(box_of(own, &self.world_from_model))),
            }
        })
    }
}

impl Skinning {
    fn order(&self, part: usize) -> Option<VertexOrder<'_>> {
        match self {
            Self::Gpu(skinned) => {
                let part = &skinned.parts[part];
                Some(VertexOrder {
                    mesh_from_slot: &part.mesh_from_slot,
                    slot_from_mesh: &part.slot_from_mesh,
                })
            }
            Self::Cpu { .. } => None,
        }
    }

    fn is_mirrored(&self, part: usize) -> bool {
        match self {
            Self::Gpu(skinned) => skinned.is_mirrored(part),
            Self::Cpu { mirrored, .. } => mirrored.get(part).is_some_and(|&m| m),
        }
    }
}

/// Node, number of vertices and number of morph targets of every drawn primitive.
pub(crate) fn shape(character: &Character) -> impl Iterator<Item = (usize, usize, usize)> {
    let nodes = character.nodes.iter().enumerate();
    nodes.flat_map(|(index, node)| {
        let mesh = node.mesh.map(|m| &character.meshes[m]);
        let primitives = mesh.into_iter().flat_map(|m| &m.primitives);
        primitives.map(move |p| (index, p.len(), p.morphs.len()))
    })
}

/// Primitives in the order of [`deform`].
fn drawn(character: &Character) -> impl Iterator<Item = (&sinew::Node, &Primitive)> {
    character.nodes.iter().flat_map(|node| {
        let mesh = node.mesh.map(|m| &character.meshes[m]);
        let primitives = mesh.into_iter().flat_map(|m| &m.primitives);
        primitives.map(move |p| (node, p))
    })
}

pub(crate) fn texcoords_of(character: &Character, primitive: &Primitive) -> [usize; 2] {
    let material = primitive.material.and_then(|m| character.materials.get(m));
    material.map_or([0; 2], material::drawn_texcoords)
}

pub(crate) fn box_of(bounds: [Vec3; 2], moved_by: &Affine) -> [Vec3; 2] {
    let moved = corners(bounds).map(|c| moved_by.transform_point(c));
    let start = [moved[0]; 2];
    moved
        .iter()
        .fold(start, |[low, high], &p| [low.min(p), high.max(p)])
}
