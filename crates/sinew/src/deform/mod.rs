//! The whole line in one call: a character, a clip, a time and a method give moved vertices.
//!
//! For tools and tests; it allocates its results. An engine keeps its own poses and palettes and
//! calls the arrows one by one.

pub(crate) mod refuse;

use crate::character::{Character, CharacterError, Node};
use crate::clip::Playable;
use crate::clip::sample::{morph_weights, sample};
use crate::drivers::MorphDrivers;
use crate::mesh::{Influences, Mesh, Primitive, Topology};
use crate::pose::{LocalPose, ModelPose, PoseMismatch};
use crate::skeleton::{Joint, Skeleton};
use glam::{Vec3, Vec4};
use sinew_math::transform::{Affine, Transform};
use sinew_skin::{
    Bounds, DualQuatPalette, Method, Palette, SkinError, Vertices, VerticesMut, unit_or,
};
use std::collections::HashMap;
use std::sync::Arc;
use thiserror::Error;

/// One primitive of one node, moved, in world space.
#[derive(Clone, Debug, PartialEq)]
pub struct DeformedPrimitive {
    /// Index of the node that carries it.
    pub node: usize,
    /// Index of the mesh.
    pub mesh: usize,
    /// Index of the primitive in the mesh.
    pub primitive: usize,
    /// In the mesh's own vertex order.
    pub positions: Vec<Vec3>,
    /// When the mesh has normals.
    pub normals: Option<Vec<Vec3>>,
    /// When the mesh has tangents.
    pub tangents: Option<Vec<Vec4>>,
    /// Whether its node mirrors it, so that its triangles run the other way round.
    pub mirrored: bool,
}

/// A character at a moment.
#[derive(Clone, Debug, PartialEq)]
pub struct Deformed {
    /// `model_from_node` of every node, in the file's order.
    pub node_worlds: Vec<Affine>,
    /// Every primitive of every node that carries a mesh.
    pub primitives: Vec<DeformedPrimitive>,
}

impl Deformed {
    /// The box around all vertices; `None` when there are none.
    pub fn bounds(&self) -> Option<Bounds> {
        let points = self.primitives.iter().flat_map(|part| &part.positions);
        let boxes = points.map(|&point| Bounds {
            min: point,
            max: point,
        });
        boxes.reduce(|a, b| a.union(&b))
    }

    /// The moment as a character of its own that does not move: every node that carries a mesh, with
    /// the moved vertices in place of its skin and morph targets. `source` must be the character that
    /// was deformed.
    ///
    /// # Panics
    /// When it is another, whose nodes or meshes this names past their end.
    pub fn to_character(&self, source: &Character) -> Character {
        let root = Joint::new("root", None, Transform::IDENTITY);
        let (skeleton, _) = Skeleton::new(vec![root]).expect("a single joint is a skeleton");
        let mut still = Character {
            materials: source.materials.clone(),
            textures: source.textures.clone(),
            images: source.images.clone(),
            nodes: Vec::new(),
            ..Character::from_skeleton(skeleton)
        };
        for part in &self.primitives {
            let (node, mesh) = (&source.nodes[part.node], &source.meshes[part.mesh]);
            if part.primitive == 0 {
                still.nodes.push(Node {
                    parent: None,
                    parent_from_node: Affine::IDENTITY,
                    joint: None,
                    mesh: Some(still.meshes.len()),
                    skin: None,
                    morph_weights: Vec::new(),
                    name: node.name.clone(),
                    light: None,
                });
                still.meshes.push(Mesh {
                    name: mesh.name.clone(),
                    ..Mesh::default()
                });
            }
            let primitive = &mesh.primitives[part.primitive];
            let indices = match (part.mirrored, primitive.topology) {
                (true, Topology::Triangles) => {
                    let corners = part.triangles(primitive).flatten();
                    Some(Arc::new(corners.map(|v| v as u32).collect()))
                }
                _ => primitive.indices.clone(),
            };
            let moved = Primitive {
                indices,
                positions: Arc::new(part.positions.clone()),
                normals: part.normals.clone().map(Arc::new),
                tangents: part.tangents.clone().map(Arc::new),
                influences: None,
                morphs: Vec::new(),
                ..primitive.clone()
            };
            if let Some(mesh) = still.meshes.last_mut() {
                mesh.primitives.push(moved);
            }
        }
        still
    }
}

/// The reason why a character could not be deformed.
#[derive(Clone, Debug, PartialEq, Error)]
#[non_exhaustive]
pub enum DeformError {
    /// A character whose parts do not fit together.
    #[error(transparent)]
    Character(#[from] CharacterError),
    /// A skin that does not fit the skeleton.
    #[error(transparent)]
    Palette(#[from] SkinError),
    /// A pose of another skeleton.
    #[error(transparent)]
    Pose(#[from] PoseMismatch),
    /// A primitive that does not fit its skin.
    #[error("node {node}, primitive {primitive}: {source}")]
    Skin {
        /// The node.
        node: usize,
        /// The primitive of its mesh.
        primitive: usize,
        /// What is wrong.
        source: SkinError,
    },
    /// No such clip.
    #[error("there is no clip {clip}; the character has {len}")]
    NoSuchClip {
        /// The clip asked for.
        clip: usize,
        /// How many there are.
        len: usize,
    },
    /// A result that is infinite or not a number, which nothing can be done with.
    #[error(
        "{place} is infinite or not a number at {time_secs} s: what moves it, or a joint above, is too large"
    )]
    NotFinite {
        /// Which joint, node or vertex.
        place: String,
        /// When.
        time_secs: f64,
    },
    /// Meshes on more nodes than fit into memory that follows from the character's own size.
    #[error(
        "{vertices} moved vertices of {nodes} nodes take {wanted} bytes of memory, and this character \
         may take {limit}: put its meshes on fewer nodes, or move them one at a time"
    )]
    TooLarge {
        /// Of all nodes.
        vertices: u64,
        /// How many carry a mesh.
        nodes: usize,
        /// In bytes.
        wanted: u64,
        /// In bytes: 256 MiB and eight times the character's own vertices.
        limit: u64,
    },
}

/// Poses `character` by a clip at a time (or at rest) and moves every vertex. As in glTF, a skinned
/// mesh's own node does not move it. All numbers of the result are finite.
///
/// # Errors
/// [`DeformError`] when parts of the character do not fit together, when numbers grow too large to be
/// finite, or when the result would be far larger than the character.
pub fn deform(
    character: &Character,
    clip: Option<usize>,
    time_secs: f64,
    method: Method,
) -> Result<Deformed, DeformError> {
    character.check()?;
    let mut local = LocalPose::identity(0);
    let clip = match clip {
        Some(clip) => Some(character.clips.get(clip).ok_or(DeformError::NoSuchClip {
            clip,
            len: character.clips.len(),
        })?),
        None => None,
    };
    match clip {
        Some(clip) => sample(clip, &character.skeleton, time_secs, &mut local),
        None => local.copy_from(character.skeleton.rest()),
    }
    let mut morph_tracks = HashMap::new();
    for track in clip.iter().flat_map(|clip| &clip.morphs) {
        morph_tracks.entry(track.node).or_insert(track);
    }
    let drivers = MorphDrivers::new(character);
    let playing = clip.map(|clip| (clip as &dyn Playable, time_secs));
    let weigh = |node: usize, weights: &mut [f32]| {
        let rest = character.rest_morph_weights(node);
        morph_weights(morph_tracks.get(&node).copied(), time_secs, rest, weights);
        if let Some(mesh) = character.nodes[node].mesh {
            drivers.drive(mesh, playing, &character.skeleton, &local, weights);
        }
    };
    moved(character, &local, weigh, method, time_secs)
}

/// Moves every vertex of `character` in a pose that something else gave: a player, a solver, a hand. `weigh` writes
/// the weights of the morph targets of each node that carries a mesh, by the node's index.
///
/// # Errors
/// As [`deform`], whose time is 0 here, and when the pose is of another skeleton.
pub fn deform_pose(
    character: &Character,
    local: &LocalPose,
    weigh: impl FnMut(usize, &mut [f32]),
    method: Method,
) -> Result<Deformed, DeformError> {
    character.check()?;
    moved(character, local, weigh, method, 0.0)
}

/// All vertices of a checked character; the time is for messages.
fn moved(
    character: &Character,
    local: &LocalPose,
    mut weigh: impl FnMut(usize, &mut [f32]),
    method: Method,
    time_secs: f64,
) -> Result<Deformed, DeformError> {
    refuse::too_large(character)?;
    let mut pose = ModelPose::identity(0);
    pose.update(character.skeleton.hierarchy(), local, &Affine::IDENTITY)?;
    refuse::joint_nowhere(character, &pose, time_secs)?;
    let node_worlds = character.node_worlds(&pose);
    refuse::node_nowhere(&node_worlds, time_secs)?;

    let mut skinning = Skinning::new(character, &pose, method);
    let mut primitives = Vec::new();
    for (index, node) in character.nodes.iter().enumerate() {
        let Some(mesh_index) = node.mesh else {
            continue;
        };
        let mesh = &character.meshes[mesh_index];
        let mut weights = vec![0.0; mesh.morph_targets()];
        weigh(index, &mut weights);
        for place in 0..mesh.primitives.len() {
            let mut part = morphed(mesh, place, &weights);
            match (node.skin, &mesh.primitives[place].influences) {
                (Some(skin), Some(influences)) => {
                    let moved = skinning.apply(skin, influences, &mut part);
                    moved.map_err(|source| DeformError::Skin {
                        node: index,
                        primitive: place,
                        source,
                    })?;
                }
                _ => part.transform(&node_worlds[index]),
            }
            part.node = index;
            part.mesh = mesh_index;
            refuse::vertex_nowhere(&part, time_secs)?;
            primitives.push(part);
        }
    }
    Ok(Deformed {
        node_worlds,
        primitives,
    })
}

/// Moves vertices by skins, whose palettes are made when they are first needed.
struct Skinning<'a> {
    character: &'a Character,
    pose: &'a ModelPose,
    method: Method,
    palettes: Vec<Option<SkinPalette>>,
}

enum SkinPalette {
    Matrices(Palette),
    DualQuats(DualQuatPalette),
}

impl<'a> Skinning<'a> {
    fn new(character: &'a Character, pose: &'a ModelPose, method: Method) -> Self {
        Self {
            character,
            pose,
            method,
            palettes: character.skins.iter().map(|_| None).collect(),
        }
    }

    fn palette(&self, skin: usize) -> Result<SkinPalette, SkinError> {
        let (skeleton, skin) = (&self.character.skeleton, &self.character.skins[skin]);
        Ok(match self.method {
            Method::DualQuat | Method::Quaternion => {
                let rest = skeleton.rest_model();
                let mut palette = DualQuatPalette::new(skeleton.hierarchy(), &rest, skin)?;
                palette.update(self.pose)?;
                SkinPalette::DualQuats(palette)
            }
            Method::Rigid | Method::Linear => {
                let mut palette = Palette::default();
                palette.update(skin, self.pose)?;
                SkinPalette::Matrices(palette)
            }
        })
    }

    fn apply(
        &mut self,
        skin: usize,
        influences: &Influences,
        part: &mut DeformedPrimitive,
    ) -> Result<(), SkinError> {
        let method = self.method;
        let bind = part.clone();
        let (bind, mut out) = (bind.as_input(), part.as_output());
        if self.palettes[skin].is_none() {
            self.palettes[skin] = Some(self.palette(skin)?);
        }
        let Some(palette) = &self.palettes[skin] else {
            return Ok(());
        };
        match palette {
            SkinPalette::DualQuats(palette) => {
                let job = match method {
                    Method::Quaternion => sinew_skin::quaternion,
                    _ => sinew_skin::dual_quat,
                };
                job(palette, influences, &bind, &mut out)
            }
            SkinPalette::Matrices(palette) => {
                let job = match method {
                    Method::Rigid => sinew_skin::rigid,
                    _ => sinew_skin::linear,
                };
                job(palette.as_slice(), influences, &bind, &mut out)
            }
        }
    }
}

/// A primitive at its bind pose with its morph targets applied.
pub(crate) fn morphed(mesh: &Mesh, place: usize, weights: &[f32]) -> DeformedPrimitive {
    let primitive: &Primitive = &mesh.primitives[place];
    let mut part = DeformedPrimitive {
        node: 0,
        mesh: 0,
        primitive: place,
        positions: primitive.positions.to_vec(),
        normals: primitive.normals.as_ref().map(|n| n.to_vec()),
        tangents: primitive.tangents.as_ref().map(|t| t.to_vec()),
        mirrored: false,
    };
    for (morph, &weight) in primitive.morphs.iter().zip(weights) {
        if weight == 0.0 {
            continue;
        }
        if let Some(deltas) = &morph.positions {
            deltas.add_to(weight, &mut part.positions);
        }
        if let (Some(deltas), Some(normals)) = (&morph.normals, &mut part.normals) {
            deltas.add_to(weight, normals);
        }
        if let (Some(deltas), Some(tangents)) = (&morph.tangents, &mut part.tangents) {
            let mut vectors: Vec<Vec3> = tangents.iter().map(|t| t.truncate()).collect();
            deltas.add_to(weight, &mut vectors);
            for (tangent, vector) in tangents.iter_mut().zip(vectors) {
                *tangent = vector.extend(tangent.w);
            }
        }
    }
    part
}

impl DeformedPrimitive {
    /// The triangles of the primitive that this was, facing outward where it is now.
    pub fn triangles(&self, source: &Primitive) -> impl Iterator<Item = [usize; 3]> {
        let turned = |[a, b, c]: [usize; 3]| match self.mirrored {
            true => [a, c, b],
            false => [a, b, c],
        };
        source.triangles().map(turned)
    }

    fn as_input(&self) -> Vertices<'_> {
        Vertices {
            positions: &self.positions,
            normals: self.normals.as_deref(),
            tangents: self.tangents.as_deref(),
        }
    }

    fn as_output(&mut self) -> VerticesMut<'_> {
        VerticesMut {
            positions: &mut self.positions,
            normals: self.normals.as_deref_mut(),
            tangents: self.tangents.as_deref_mut(),
        }
    }

    /// A mesh that no skin moves goes where its node is. A mirrored node turns the winding round,
    /// as glTF says, so normals keep pointing outward.
    fn transform(&mut self, model_from_node: &Affine) {
        let outward = model_from_node.determinant().signum();
        self.mirrored = outward < 0.0;
        for p in &mut self.positions {
            *p = model_from_node.transform_point(*p);
        }
        for n in self.normals.iter_mut().flatten() {
            *n = unit_or(model_from_node.transform_area(*n) * outward, *n);
        }
        for t in self.tangents.iter_mut().flatten() {
            let vector = model_from_node.transform_vector(t.truncate());
            *t = unit_or(vector, t.truncate()).extend(t.w);
        }
    }
}
