//! Crowd to draw. One buffer holds all vertices, so a part is one draw for all members.

use super::bounds::CrowdBounds;
use super::order::{self, Group, Ordered};
use super::simplify;
use crate::device::bind;
use crate::device::error::GpuError;
use crate::device::gpu::Gpu;
use crate::device::timer::Timer;
use crate::draw::camera::Camera;
use crate::draw::error::RenderError;
use crate::draw::figure::character::{box_of, shape, texcoords_of};
use crate::draw::figure::tangents::needs_tangents;
use crate::draw::surface::instance::Instance;
use crate::draw::surface::material::{self, GpuMaterial};
use crate::draw::surface::surfaces::{Draw, Part, Pulled, Surfaces, SurfacesBuilder, VertexOrder};
use crate::skin::batch::SkinOptions;
use crate::skin::crowd::GpuCrowd;
use crate::skin::vertex::SkinnedVertex;
use bytemuck::{Pod, Zeroable};
use glam::Vec3;
use sinew::rig::{Actor, CrowdPlayer};
use sinew::skin::PaletteRef;
use sinew::steps::finish;
use sinew::{Affine, Character, Rig};
use std::ops::Range;
use wgpu::{BindGroup, BindGroupLayout, Buffer, BufferUsages};

/// Crowd of one rig on a [`Stage`](crate::Stage). Set poses and transforms, skin, then draw.
///
/// ```
/// use sinew::{Affine, Method, Rig, glam::Vec3};
/// use sinew_gpu::{DrawnCrowd, Gpu, GpuError, Stage};
///
/// # let gpu = match Gpu::new() {
/// #     Err(GpuError::NoAdapter) => return Ok(()),
/// #     other => other?,
/// # };
/// let person = sinew_samples::mannequin::Mannequin::default().build();
/// let rig = Rig::new(&person, Method::DualQuat)?;
/// let mut crowd = DrawnCrowd::new(&gpu, &person, &rig, 10)?;
/// for member in 0..crowd.len() {
///     crowd.place(member, &Affine::from_translation(Vec3::X * member as f32))?;
/// }
/// let (mut hero, mut player) = (rig.actor(), rig.player("walk")?);
/// player.advance(1.0 / 60.0, |_| {});
/// hero.sample(&player)?;
/// crowd.set(0, &mut hero)?;
/// crowd.skin(&gpu)?;
/// let stage = Stage { crowds: vec![&crowd], ..Stage::default() };
/// # assert!(stage.bounds().is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias = "instancing")]
#[doc(alias = "LOD")]
#[derive(Debug)]
pub struct DrawnCrowd {
    crowd: GpuCrowd,
    surfaces: Surfaces,
    /// Materials of the character, followed by a default material.
    materials: Vec<GpuMaterial>,
    problems: Vec<RenderError>,
    parts: Vec<CrowdPart>,
    /// Approximate error of each level of detail, 0 for the first.
    errors: Vec<f32>,
    has_detail: bool,
    members: Vec<Member>,
    bounds: CrowdBounds,
    order: Buffer,
    timer: Option<Timer>,
}

#[derive(Debug)]
struct CrowdPart {
    group: BindGroup,
    has_tangents: bool,
    mirrored: bool,
}

#[derive(Clone, Copy, Debug)]
struct Member {
    instance: Instance,
    world_from_model: Affine,
    bounds: Option<[Vec3; 2]>,
}

/// Approximate errors of the levels of detail, relative to the size of the model.
const LEVELS: [f32; 4] = [0.001, 0.003, 0.009, 0.027];

#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
struct PulledUniform {
    first: u32,
    stride: u32,
    unused: [u32; 2],
}

pub(crate) const MEMBER_LAYOUT: wgpu::VertexBufferLayout<'static> = wgpu::VertexBufferLayout {
    array_stride: size_of::<u32>() as u64,
    step_mode: wgpu::VertexStepMode::Instance,
    attributes: &wgpu::vertex_attr_array![0 => Uint32],
};

pub(crate) fn layout(gpu: &Gpu) -> BindGroupLayout {
    let kinds = [bind::STORAGE, bind::STORAGE, bind::UNIFORM];
    bind::layout(gpu, "crowd", &kinds)
}

impl DrawnCrowd {
    /// Uploads members in the rest pose at the origin. `rig` must be made from `character`.
    /// [`DrawnCrowd::problems`] reports textures that cannot be decoded.
    ///
    /// # Errors
    /// [`RenderError`] if the rig belongs to another character, or if the GPU is out of memory.
    pub fn new(
        gpu: &Gpu,
        character: &Character,
        rig: &Rig,
        members: usize,
    ) -> Result<Self, RenderError> {
        character.check()?;
        let theirs = rig.parts().iter().map(|part| {
            let surface = part.surface();
            (part.node, surface.len(), surface.morphs.len())
        });
        if !theirs.eq(shape(character)) {
            return Err(RenderError::OtherCharacter);
        }
        let (materials, problems) = finish(material::upload_all(gpu, character))?;
        let options = SkinOptions {
            tangents: needs_tangents(character, rig.parts().iter().map(|p| p.surface())),
            ..SkinOptions::default()
        };
        let crowd = GpuCrowd::new(gpu, rig, members, options)?;
        let mut rest = rig.actor();
        let bounds = CrowdBounds::new(rig);
        let at_rest = bounds.of_actor(&mut rest)?;
        let [low, high] = at_rest.unwrap_or_default();
        let mut errors = vec![0.0];
        errors.extend(LEVELS.map(|part| part * (high - low).max_element()));
        let (mut builder, mut parts) = (SurfacesBuilder::default(), Vec::new());
        let mut fewer = Vec::new();
        let layout = layout(gpu);
        for (index, (part, packed)) in rig.parts().iter().zip(crowd.parts()).enumerate() {
            let surface = part.surface();
            let order = VertexOrder {
                mesh_from_slot: &packed.mesh_from_slot,
                slot_from_mesh: &packed.slot_from_mesh,
            };
            builder.add(surface, texcoords_of(character, surface), Some(order));
            fewer.push((simplify::levels(surface, &errors[1..]), order));
            parts.push(CrowdPart {
                group: pulled_group(gpu, &layout, &crowd, index)?,
                has_tangents: options.tangents && surface.tangents.is_some(),
                mirrored: match rest.palette(index).map_err(GpuError::from)? {
                    PaletteRef::Linear([map]) if part.skin().is_none() => map.determinant() < 0.0,
                    _ => false,
                },
            });
        }
        for level in 0..LEVELS.len() {
            for (part, (levels, order)) in fewer.iter().enumerate() {
                builder.add_level(part, &levels[level], *order);
            }
        }
        let member = Member {
            instance: Instance::at(&Affine::IDENTITY),
            world_from_model: Affine::IDENTITY,
            bounds: at_rest,
        };
        let usage = BufferUsages::VERTEX | BufferUsages::COPY_DST;
        let mut drawn = Self {
            surfaces: builder.upload(gpu, members)?,
            materials,
            problems,
            parts,
            errors,
            has_detail: true,
            members: vec![member; members],
            bounds,
            order: gpu.buffer("order of a crowd", usage, 4 * members as u64)?,
            timer: None,
            crowd,
        };
        for member in 0..members {
            drawn.crowd.set(member, &mut rest)?;
        }
        drawn.skin(gpu)?;
        Ok(drawn)
    }

    /// Number of members.
    pub fn len(&self) -> usize {
        self.members.len()
    }

    /// True if there are no members.
    pub fn is_empty(&self) -> bool {
        self.members.is_empty()
    }

    /// Errors of parts that are not drawn as intended.
    pub fn problems(&self) -> &[RenderError] {
        &self.problems
    }

    /// Sets the pose and morph weights of a member.
    ///
    /// # Errors
    /// If the index is out of range, or the actor belongs to another rig.
    pub fn set(&mut self, member: usize, actor: &mut Actor) -> Result<(), RenderError> {
        self.crowd.set(member, actor)?;
        self.members[member].bounds = self.bounds.of_actor(actor)?;
        Ok(())
    }

    /// Sets all members from a crowd of the same rig. Ignores surplus members of the larger crowd.
    ///
    /// # Errors
    /// If the crowd belongs to another rig.
    pub fn set_all(&mut self, players: &mut CrowdPlayer) -> Result<(), RenderError> {
        self.crowd.set_all(players)?;
        for (index, member) in self.members.iter_mut().take(players.len()).enumerate() {
            member.bounds = self.bounds.of_member(players, index);
        }
        Ok(())
    }

    /// Sets the transform `world_from_model` of a member.
    ///
    /// # Errors
    /// If the index is out of range.
    pub fn place(&mut self, member: usize, world_from_model: &Affine) -> Result<(), RenderError> {
        let member = self.member(member)?;
        member.world_from_model = *world_from_model;
        member.instance.rows = world_from_model.rows;
        Ok(())
    }

    /// Sets the factor on the colours of a member: linear red, green, blue and opacity.
    ///
    /// # Errors
    /// If the index is out of range.
    pub fn tint(&mut self, member: usize, color: [f32; 4]) -> Result<(), RenderError> {
        self.member(member)?.instance.color = color;
        Ok(())
    }

    fn member(&mut self, index: usize) -> Result<&mut Member, GpuError> {
        let (what, len) = ("member of the crowd", self.members.len());
        let no_such = GpuError::NoSuch { what, index, len };
        self.members.get_mut(index).ok_or(no_such)
    }

    /// Skins all members at their current poses.
    ///
    /// # Errors
    /// If the GPU is out of memory.
    pub fn skin(&mut self, gpu: &Gpu) -> Result<(), RenderError> {
        let mut encoder = gpu.encoder();
        let timing = self.timer.as_ref().map(|timer| timer.compute(0));
        self.crowd.encode_timed(gpu, &mut encoder, timing)?;
        if let Some(timer) = &self.timer {
            timer.resolve(&mut encoder);
        }
        gpu.submit(encoder);
        Ok(())
    }

    /// Enables timing of later skinning, if the device supports timestamps.
    pub fn measure(&mut self, gpu: &Gpu) -> Result<(), RenderError> {
        self.timer = Timer::new(gpu, 1)?;
        Ok(())
    }

    /// GPU time of the last skinning in milliseconds. `None` without timing. Waits for the GPU.
    pub fn skin_ms(&self, gpu: &Gpu) -> Result<Option<f64>, RenderError> {
        match &self.timer {
            Some(timer) => Ok(timer.read_ms(gpu)?.first().copied()),
            None => Ok(None),
        }
    }

    /// Box around all members in world space, as min and max. It can be slightly too large.
    pub fn bounds(&self) -> Option<[Vec3; 2]> {
        let bounds_of = |m: &Member| Some(box_of(m.bounds?, &m.world_from_model));
        let boxes = self.members.iter().filter_map(bounds_of);
        boxes.reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])])
    }

    /// Enables levels of detail for members that are small in the picture. Default: enabled.
    pub fn set_detail(&mut self, has_detail: bool) {
        self.has_detail = has_detail;
    }

    /// Number of all triangles, and of those drawn per pass in a picture of `size` pixels.
    pub fn triangles(&self, camera: &Camera, size: [u32; 2]) -> [usize; 2] {
        let parts = |level: usize| self.level(level).iter().map(Part::triangles).sum::<usize>();
        let levels: Vec<usize> = (0..self.errors.len()).map(parts).collect();
        let drawn = self.ordered(camera, size).into_iter();
        [
            levels[0] * self.members.len(),
            drawn.map(|m| levels[m.level]).sum(),
        ]
    }

    fn level(&self, level: usize) -> &[Part] {
        let parts = self.parts.len();
        &self.surfaces.parts[level * parts..][..parts]
    }

    fn ordered(&self, camera: &Camera, size: [u32; 2]) -> Vec<Ordered> {
        let errors = if self.has_detail { &*self.errors } else { &[] };
        let members = self.members.iter().map(|m| (&m.world_from_model, m.bounds));
        order::ordered(members, errors, camera, size)
    }

    pub(crate) fn draws(&self, gpu: &Gpu, camera: &Camera, size: [u32; 2]) -> Vec<Draw<'_>> {
        let ordered = self.ordered(camera, size);
        let members: Vec<u32> = ordered.iter().map(|m| m.member as u32).collect();
        let instance = |m: &Ordered| self.members[m.member].instance;
        let instances: Vec<Instance> = ordered.iter().map(instance).collect();
        self.surfaces.write_instances(gpu, &instances);
        gpu.queue
            .write_buffer(&self.order, 0, bytemuck::cast_slice(&members));
        let mut draws = Vec::new();
        for Group { nearest, members } in order::groups(&ordered) {
            for (part, own) in self.level(nearest.level).iter().zip(&self.parts) {
                let draw = self.draw(part, own, nearest, members.clone());
                if draw.material.looks.blended {
                    draws.extend(members.clone().map(|index| Draw {
                        instances: index..index + 1,
                        middle: ordered[index as usize].middle,
                        ..draw.clone()
                    }));
                } else {
                    draws.push(draw);
                }
            }
        }
        draws
    }

    fn draw<'a>(
        &'a self,
        part: &'a Part,
        own: &'a CrowdPart,
        nearest: Ordered,
        members: Range<u32>,
    ) -> Draw<'a> {
        let plain = self.materials.len() - 1;
        Draw {
            surfaces: &self.surfaces,
            part,
            vertices: (&self.order, 0),
            tangents: None,
            pulled: Some(Pulled {
                group: &own.group,
                has_tangents: own.has_tangents,
            }),
            material: &self.materials[part.material.unwrap_or(plain).min(plain)],
            instances: members,
            mirrored: nearest.mirrored != own.mirrored,
            inverted: false,
            middle: nearest.middle,
        }
    }
}

fn pulled_group(
    gpu: &Gpu,
    layout: &BindGroupLayout,
    crowd: &GpuCrowd,
    part: usize,
) -> Result<BindGroup, GpuError> {
    let bytes = crowd.vertex_bytes(0, part);
    let vertices = |bytes: u64| (bytes / size_of::<SkinnedVertex>() as u64) as u32;
    let pulled = PulledUniform {
        first: vertices(bytes.start),
        stride: vertices(bytes.end - bytes.start),
        unused: [0; 2],
    };
    let uniform = gpu.buffer_with(
        "part of a crowd",
        BufferUsages::UNIFORM,
        bytemuck::bytes_of(&pulled),
    )?;
    let vertices = crowd.vertices();
    let tangents = crowd.batch().tangents().unwrap_or(vertices);
    let bound = [vertices, tangents, &uniform].map(|b| b.as_entire_binding());
    Ok(bind::group(gpu, layout, &bound))
}
