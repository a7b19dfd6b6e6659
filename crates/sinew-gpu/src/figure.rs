//! A character on the GPU: its vertices move once a frame, and every pass draws them as if they stood
//! still.

use crate::camera::corners;
use crate::heat::Heat;
use crate::material::{self, GpuMaterial};
use crate::render::RenderError;
use crate::surfaces::{Draw, Surfaces, SurfacesBuilder, surface_vertices};
use crate::vertex::{SkinnedVertex, SurfaceVertex};
use crate::{Gpu, Instance, heat};
use glam::Vec3;
use sinew::{Affine, Character, Method, deform};

/// A character to be drawn.
#[derive(Debug)]
pub struct Figure {
    surfaces: Surfaces,
    /// The character's own, then one for primitives without.
    materials: Vec<GpuMaterial>,
    problems: Vec<RenderError>,
    /// In model space.
    bounds: Option<[Vec3; 2]>,
    world_from_model: Affine,
    mirrored: Vec<bool>,
    /// Whether colours stand for weights, on a plain material.
    heated: bool,
    /// Which set of texture coordinates each part uses.
    texcoords: Vec<usize>,
    scratch: Vec<SkinnedVertex>,
}

impl Figure {
    /// Takes a character to the GPU, at its rest pose. A texture that cannot be decoded is left out and
    /// noted in [`Figure::problems`].
    pub fn new(gpu: &Gpu, character: &Character) -> Result<Self, RenderError> {
        character.check()?;
        let (materials, problems) = material::upload_all(gpu, character)?;
        let mut builder = SurfacesBuilder::default();
        let mut texcoords = Vec::new();
        for primitive in drawn(character) {
            texcoords.push(texcoord(character, primitive));
            builder.add(primitive, texcoords[texcoords.len() - 1]);
        }
        let surfaces = builder.upload(gpu, 1)?;
        let mut figure = Self {
            mirrored: vec![false; surfaces.parts.len()],
            surfaces,
            materials,
            problems,
            bounds: None,
            world_from_model: Affine::IDENTITY,
            heated: false,
            texcoords,
            scratch: Vec::new(),
        };
        figure.place(gpu, &Affine::IDENTITY);
        figure.pose(gpu, character, None, 0.0, Method::Linear)?;
        Ok(figure)
    }

    /// What could not be shown as it should.
    pub fn problems(&self) -> &[RenderError] {
        &self.problems
    }

    /// Poses it; `character` must be the one it was made from.
    pub fn pose(
        &mut self,
        gpu: &Gpu,
        character: &Character,
        clip: Option<usize>,
        time_secs: f64,
        method: Method,
    ) -> Result<(), RenderError> {
        self.skin_on_cpu(character, clip, time_secs, method)?;
        self.surfaces.write_vertices(gpu, &self.scratch);
        Ok(())
    }

    fn skin_on_cpu(
        &mut self,
        character: &Character,
        clip: Option<usize>,
        time_secs: f64,
        method: Method,
    ) -> Result<(), RenderError> {
        let moment = deform(character, clip, time_secs, method)?;
        self.scratch.clear();
        self.bounds = None;
        for (part, mirrored) in moment.primitives.iter().zip(&mut self.mirrored) {
            *mirrored = part.mirrored;
            let normal = |v: usize| part.normals.as_ref().map_or(Vec3::Y, |n| n[v]);
            for (v, position) in part.positions.iter().enumerate() {
                self.scratch.push(SkinnedVertex {
                    position: position.to_array(),
                    normal: normal(v).to_array(),
                });
                let [low, high] = self.bounds.unwrap_or([*position; 2]);
                self.bounds = Some([low.min(*position), high.max(*position)]);
            }
        }
        Ok(())
    }

    /// Stands it somewhere.
    pub fn place(&mut self, gpu: &Gpu, world_from_model: &Affine) {
        self.world_from_model = *world_from_model;
        let instance = Instance::at(world_from_model);
        self.surfaces.write_instances(gpu, &[instance]);
    }

    /// The box around it where it stands, as its lowest and highest corner.
    pub fn bounds(&self) -> Option<[Vec3; 2]> {
        Some(box_of(self.bounds?, &self.world_from_model))
    }

    /// Shows weights as colours, or its own colours again. `character` must be the one it was made from.
    pub fn set_heat(&mut self, gpu: &Gpu, character: &Character, heat: Option<Heat>) {
        let mut painted: Vec<SurfaceVertex> = Vec::new();
        let nodes = character.nodes.iter().filter(|n| n.mesh.is_some());
        let owners = nodes.flat_map(|node| {
            let mesh = &character.meshes[node.mesh.unwrap_or_default()];
            mesh.primitives.iter().map(move |p| (node, p))
        });
        for ((node, primitive), &texcoord) in owners.zip(&self.texcoords) {
            match heat {
                Some(heat) => {
                    let skin = node.skin.map(|s| &character.skins[s]);
                    painted.extend(heat::surface_vertices(primitive, skin, heat));
                }
                None => painted.extend(surface_vertices(primitive, texcoord)),
            }
        }
        self.heated = heat.is_some();
        self.surfaces.repaint(gpu, &painted);
    }

    pub(crate) fn draws(&self) -> impl Iterator<Item = Draw<'_>> {
        let plain = self.materials.len() - 1;
        let middle = self.bounds().map_or(Vec3::ZERO, |[a, b]| (a + b) / 2.0);
        let parts = self.surfaces.parts.iter().zip(&self.mirrored);
        parts.map(move |(part, &mirrored)| Draw {
            surfaces: &self.surfaces,
            part,
            material: match part.material {
                Some(material) if !self.heated => &self.materials[material],
                _ => &self.materials[plain],
            },
            instances: 0..1,
            mirrored: mirrored != (self.world_from_model.determinant() < 0.0),
            of_figure: true,
            middle,
        })
    }
}

/// The primitives in the order in which [`deform`] gives them.
fn drawn(character: &Character) -> impl Iterator<Item = &sinew::Primitive> {
    let meshes = character.nodes.iter().filter_map(|n| n.mesh);
    meshes.flat_map(|mesh| &character.meshes[mesh].primitives)
}

/// The texture coordinates of the base colour, or of the normal map where there is no other texture.
fn texcoord(character: &Character, primitive: &sinew::Primitive) -> usize {
    let material = primitive.material.map(|m| &character.materials[m]);
    let used = material.and_then(|m| m.base_color_texture.or(m.normal_texture));
    used.map_or(0, |t| t.texcoord)
}

/// The box around a box that is moved.
pub(crate) fn box_of(bounds: [Vec3; 2], moved_by: &Affine) -> [Vec3; 2] {
    let moved = corners(bounds).map(|c| moved_by.transform_point(c));
    moved
        .iter()
        .fold([moved[0]; 2], |[low, high], &p| [low.min(p), high.max(p)])
}
