//! Character that the GPU skins, with one instance per primitive of every node.

use super::tangents::{needs_tangents, with_tangents};
use crate::device::error::GpuError;
use crate::device::gpu::Gpu;
use crate::device::timer::Timer;
use crate::draw::camera::corners;
use crate::skin::arrange::{PaletteSlot, SkinInstance};
use crate::skin::batch::{SkinBatch, SkinOptions};
use crate::skin::mesh::SkinMesh;
use crate::skin::skinner::Skinner;
use glam::Vec3;
use sinew::rig::{Actor, ActorError};
use sinew::skin::{DualQuatPalette, Order, Palette, PaletteRef, Skin, SkinError};
use sinew::steps::pause;
use sinew::{
    Affine, Character, LocalPose, Method, ModelPose, MorphDrivers, Playable, Primitive, sample,
    sample_morphs,
};
use std::collections::HashMap;
use std::ops::Range;

#[derive(Debug)]
pub(crate) struct Skinned {
    batch: SkinBatch,
    pub parts: Vec<SkinnedPart>,
    palettes: Vec<PaletteSource>,
    skins: Vec<Skin>,
    local: LocalPose,
    pose: ModelPose,
    worlds: Vec<Affine>,
    drivers: MorphDrivers,
    timer: Option<Timer>,
}

#[derive(Debug)]
pub(crate) struct SkinnedPart {
    node: usize,
    mesh: usize,
    /// Mesh vertex of every slot of the skinned buffer.
    pub mesh_from_slot: Vec<u32>,
    pub slot_from_mesh: Vec<u32>,
    palette: usize,
    morph_targets: usize,
    /// Boxes around the vertices that each joint of the palette moves, in the bind pose.
    boxes: Vec<(usize, [Vec3; 2])>,
    has_tangents: bool,
}

#[derive(Debug)]
enum PaletteSource {
    Linear(usize, Palette),
    Dual(usize, Box<DualQuatPalette>),
    Node(usize, Affine),
}

impl PaletteSource {
    fn as_ref(&self) -> PaletteRef<'_> {
        match self {
            Self::Linear(_, palette) => PaletteRef::Linear(palette.as_slice()),
            Self::Dual(_, palette) => PaletteRef::DualQuat(palette),
            Self::Node(_, model_from_node) => {
                PaletteRef::Linear(std::slice::from_ref(model_from_node))
            }
        }
    }
}

impl Skinned {
    /// Uploads a character that is known to be consistent. The GPU must support the method.
    pub async fn new(gpu: &Gpu, character: &Character, method: Method) -> Result<Self, GpuError> {
        let mut meshes = Vec::new();
        let mut mesh_of = HashMap::new();
        let mut palette_of = HashMap::new();
        let (mut slots, mut palettes) = (Vec::new(), Vec::new());
        let (mut parts, mut instances) = (Vec::new(), Vec::new());
        for (index, node) in character.nodes.iter().enumerate() {
            let Some(mesh) = node.mesh else {
                continue;
            };
            for (primitive_index, primitive) in character.meshes[mesh].primitives.iter().enumerate()
            {
                pause().await;
                let primitive = &*with_tangents(character, primitive);
                let skin = node.skin.filter(|_| primitive.influences.is_some());
                let method = if skin.is_some() {
                    method
                } else {
                    Method::Linear
                };
                let key = match skin {
                    Some(skin) => (true, skin),
                    None => (false, index),
                };
                let palette = match palette_of.get(&key) {
                    Some(&palette) => palette,
                    None => {
                        let (joints, source) = source(character, skin, index, method)?;
                        slots.push(PaletteSlot { method, joints });
                        palettes.push(source);
                        palette_of.insert(key, palettes.len() - 1);
                        palettes.len() - 1
                    }
                };
                let packed = match mesh_of.get(&(mesh, primitive_index, skin.is_some())) {
                    Some(&packed) => packed,
                    None => {
                        let packed = match skin {
                            Some(_) => {
                                SkinMesh::new_in_steps(primitive, method, Order::Plan).await?
                            }
                            None => {
                                let still = still(primitive);
                                SkinMesh::new_in_steps(&still, method, Order::Plan).await?
                            }
                        };
                        meshes.push(packed);
                        mesh_of.insert((mesh, primitive_index, skin.is_some()), meshes.len() - 1);
                        meshes.len() - 1
                    }
                };
                pause().await;
                parts.push(SkinnedPart {
                    node: index,
                    mesh,
                    mesh_from_slot: meshes[packed].mesh_from_slot().to_vec(),
                    slot_from_mesh: meshes[packed].slot_from_mesh().to_vec(),
                    palette,
                    morph_targets: primitive.morphs.len(),
                    boxes: boxes(primitive, skin.is_some()),
                    has_tangents: needs_tangents(character, std::iter::once(primitive)),
                });
                instances.push(SkinInstance {
                    mesh: packed,
                    palette,
                });
            }
        }
        pause().await;
        let skinner = Skinner::new(gpu, &meshes)?;
        pause().await;
        let options = SkinOptions {
            tangents: parts.iter().any(|part: &SkinnedPart| part.has_tangents),
            ..SkinOptions::default()
        };
        Ok(Self {
            batch: SkinBatch::new(gpu, &skinner, &slots, &instances, options)?,
            parts,
            palettes,
            skins: character.skins.clone(),
            local: LocalPose::identity(0),
            pose: ModelPose::identity(0),
            worlds: Vec::new(),
            drivers: MorphDrivers::new(character),
            timer: None,
        })
    }

    /// Enables timing, if the device supports timestamps.
    pub fn measure(&mut self, gpu: &Gpu) -> Result<(), GpuError> {
        self.timer = Timer::new(gpu, 1)?;
        Ok(())
    }

    /// GPU time of the last skinning in milliseconds. `None` without timing.
    pub fn skin_ms(&self, gpu: &Gpu) -> Result<Option<f64>, GpuError> {
        match &self.timer {
            Some(timer) => Ok(timer.read_ms(gpu)?.first().copied()),
            None => Ok(None),
        }
    }

    /// Poses and skins a character that was checked. Returns a box in model space, which may be slightly too large.
    pub fn update(
        &mut self,
        gpu: &Gpu,
        character: &Character,
        clip: Option<usize>,
        time_secs: f64,
    ) -> Result<Option<[Vec3; 2]>, GpuError> {
        let clip = clip.and_then(|c| character.clips.get(c));
        self.local.copy_from(character.skeleton.rest());
        if let Some(clip) = clip {
            sample(clip, &character.skeleton, time_secs, &mut self.local)
                .expect("the character was checked, so its clips move joints that it has");
        }
        let root = Affine::IDENTITY;
        let updated = self
            .pose
            .update(character.skeleton.hierarchy(), &self.local, &root);
        updated.expect("a sampled pose has its skeleton's joints");
        character.node_worlds_into(&self.pose, &mut self.worlds);
        for source in &mut self.palettes {
            if let PaletteSource::Node(node, map) = source {
                *map = self.worlds[*node];
            }
        }
        let mut weights = Vec::new();
        let playing = clip.map(|clip| (clip as &dyn Playable, time_secs));
        for (instance, part) in self.parts.iter().enumerate() {
            if part.morph_targets > 0 {
                weights.resize(part.morph_targets, 0.0);
                let rest = character.rest_morph_weights(part.node);
                sample_morphs(clip, part.node, time_secs, rest, &mut weights);
                let (skeleton, pose) = (&character.skeleton, &self.local);
                self.drivers
                    .drive(part.mesh, playing, skeleton, pose, &mut weights);
                self.batch.set_morph_weights(instance, &weights)?;
            }
        }
        self.skin(gpu)
    }

    /// Like `update`, but with the pose of an actor.
    pub fn update_from(
        &mut self,
        gpu: &Gpu,
        actor: &mut Actor,
    ) -> Result<Option<[Vec3; 2]>, GpuError> {
        let theirs = actor
            .rig()
            .parts()
            .iter()
            .map(|p| (p.node, p.surface().len()));
        let ours = self.parts.iter().map(|p| (p.node, p.slot_from_mesh.len()));
        if !theirs.eq(ours) || actor.rig().skins() != self.skins {
            return Err(GpuError::OtherRig);
        }
        self.pose
            .clone_from(actor.model_pose().map_err(ActorError::from)?);
        for (index, part) in self.parts.iter().enumerate() {
            if let PaletteSource::Node(_, map) = &mut self.palettes[part.palette]
                && let PaletteRef::Linear([model_from_node]) = actor.palette(index)?
            {
                *map = *model_from_node;
            }
            if part.morph_targets > 0 {
                let weights = actor.morph_weights(index);
                self.batch.set_morph_weights(index, weights)?;
            }
        }
        self.skin(gpu)
    }

    fn skin(&mut self, gpu: &Gpu) -> Result<Option<[Vec3; 2]>, GpuError> {
        for (index, source) in self.palettes.iter_mut().enumerate() {
            match source {
                PaletteSource::Linear(skin, palette) => {
                    palette.update(&self.skins[*skin], self.pose.as_slice())?;
                }
                PaletteSource::Dual(_, palette) => palette.update(self.pose.as_slice())?,
                PaletteSource::Node(..) => {}
            }
            self.batch.set_palette(index, source.as_ref())?;
        }
        let mut encoder = gpu.encoder();
        let timing = self.timer.as_ref().map(|timer| timer.compute(0));
        self.batch.encode(gpu, &mut encoder, timing)?;
        if let Some(timer) = &self.timer {
            timer.resolve(&mut encoder);
        }
        gpu.submit(encoder);
        Ok(self.bounds())
    }

    fn bounds(&self) -> Option<[Vec3; 2]> {
        let parts = (0..self.parts.len()).filter_map(|part| self.bounds_of(part));
        parts.reduce(|a, b| [a[0].min(b[0]), a[1].max(b[1])])
    }

    /// Box around a part: the union of the boxes of its joints. It also contains blended vertices.
    pub fn bounds_of(&self, part: usize) -> Option<[Vec3; 2]> {
        let mut bounds: Option<[Vec3; 2]> = None;
        let part = &self.parts[part];
        for (joint, around) in &part.boxes {
            let moved_by = match &self.palettes[part.palette] {
                PaletteSource::Linear(_, palette) => palette.as_slice()[*joint],
                PaletteSource::Node(_, map) => *map,
                PaletteSource::Dual(skin, _) => {
                    let skin = &self.skins[*skin];
                    *self.pose.get(skin.joints[*joint]) * skin.joint_from_model[*joint]
                }
            };
            for corner in corners(*around) {
                let p = moved_by.transform_point(corner);
                let [low, high] = bounds.unwrap_or([p; 2]);
                bounds = Some([low.min(p), high.max(p)]);
            }
        }
        bounds
    }

    /// Number of skinning dispatches so far.
    pub fn dispatched(&self) -> u64 {
        self.batch.dispatched()
    }

    /// Buffer of the skinned vertices.
    pub fn vertices(&self) -> &wgpu::Buffer {
        self.batch.vertices()
    }

    /// Byte range of a part in [`Self::vertices`].
    pub fn vertex_bytes(&self, part: usize) -> Range<u64> {
        self.batch.vertex_bytes(part)
    }

    /// Buffer and byte offset of the tangents of a part, if a normal map needs them.
    pub fn tangents(&self, part: usize) -> Option<(&wgpu::Buffer, u64)> {
        let tangents = self.batch.tangents()?;
        let has_tangents = self.parts[part].has_tangents;
        has_tangents.then(|| (tangents, self.batch.tangent_bytes(part).start))
    }

    /// True if the transform of a part mirrors it.
    pub fn is_mirrored(&self, part: usize) -> bool {
        match &self.palettes[self.parts[part].palette] {
            PaletteSource::Node(_, map) => map.determinant() < 0.0,
            _ => false,
        }
    }
}

fn source(
    character: &Character,
    skin: Option<usize>,
    node: usize,
    method: Method,
) -> Result<(usize, PaletteSource), SkinError> {
    let Some(skin) = skin else {
        return Ok((1, PaletteSource::Node(node, Affine::IDENTITY)));
    };
    let joints = character.skins[skin].joints.len();
    let source = match method {
        Method::DualQuat => {
            let (skeleton, bound) = (&character.skeleton, &character.skins[skin]);
            let rest = skeleton.rest_model();
            let palette = DualQuatPalette::new(skeleton.hierarchy(), rest.as_slice(), bound)?;
            PaletteSource::Dual(skin, Box::new(palette))
        }
        _ => PaletteSource::Linear(skin, Palette::default()),
    };
    Ok((joints, source))
}

fn still(primitive: &Primitive) -> Primitive {
    Primitive {
        influences: None,
        ..primitive.clone()
    }
}

/// Boxes around the vertices that each joint moves, including morph targets with weight 1.
pub(crate) fn boxes(primitive: &Primitive, is_skinned: bool) -> Vec<(usize, [Vec3; 2])> {
    let mut boxes: HashMap<usize, [Vec3; 2]> = HashMap::new();
    let mut reach = vec![Vec3::ZERO; primitive.len()];
    for deltas in primitive.morphs.iter().filter_map(|m| m.positions.as_ref()) {
        let mut own = vec![Vec3::ZERO; primitive.len()];
        deltas.add_to(1.0, &mut own);
        for (reach, delta) in reach.iter_mut().zip(own) {
            *reach += delta.abs();
        }
    }
    let influences = primitive.influences.as_ref().filter(|_| is_skinned);
    for (vertex, &p) in primitive.positions.iter().enumerate() {
        let mut add = |joint: usize| {
            let [low, high] = boxes.entry(joint).or_insert([p; 2]);
            *low = low.min(p - reach[vertex]);
            *high = high.max(p + reach[vertex]);
        };
        match influences {
            Some(influences) => influences.get(vertex).for_each(|(joint, _)| add(joint)),
            None => add(0),
        }
    }
    let mut boxes: Vec<_> = boxes.into_iter().collect();
    boxes.sort_by_key(|b| b.0);
    boxes
}
