//! Deformation in one call: a character, a clip, a time and a method give moved vertices. These
//! functions allocate their results, so they are for tools. An engine calls each step itself.

mod deformed;
mod error;
mod exact;
mod options;
mod palette;
pub(crate) mod refuse;

pub(crate) use deformed::morphed;
pub use deformed::{Deformed, DeformedPrimitive};
pub use error::DeformError;
pub use options::{Normals, SkinnedBy};

use crate::character::Character;
use crate::clip::Playable;
use crate::clip::sample::{morph_weights, sample};
use crate::drivers::MorphDrivers;
use crate::mesh::{Influences, Primitive};
use crate::pose::{LocalPose, ModelPose};
use palette::SkinPalette;
use sinew_math::transform::Affine;
use sinew_skin::{DualQuatPalette, Method, Palette, SkinError};
use std::collections::HashMap;

/// Poses `character` by a clip at `time_secs`, or at rest without a clip, and moves every vertex.
/// As in glTF, the transform of a node has no effect on a skinned mesh. All results are finite.
/// `by` is a [`Method`], or [`SkinnedBy`] to choose the normals too.
///
/// # Errors
/// [`DeformError`] if the character is inconsistent, or if a result is not finite or too large.
#[doc(alias = "skin mesh")]
#[doc(alias = "bake mesh")]
pub fn deform(
    character: &Character,
    clip: Option<usize>,
    time_secs: f64,
    by: impl Into<SkinnedBy>,
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
        Some(clip) => sample(clip, &character.skeleton, time_secs, &mut local)?,
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
    moved(character, &local, weigh, by.into(), time_secs)
}

/// Moves every vertex of `character` in a pose. `weigh` writes the morph weights of a node.
///
/// # Errors
/// As [`deform`], or if the pose belongs to another skeleton. Messages state time 0.
pub fn deform_pose(
    character: &Character,
    local: &LocalPose,
    weigh: impl FnMut(usize, &mut [f32]),
    by: impl Into<SkinnedBy>,
) -> Result<Deformed, DeformError> {
    character.check()?;
    moved(character, local, weigh, by.into(), 0.0)
}

/// `time_secs` is for error messages.
fn moved(
    character: &Character,
    local: &LocalPose,
    mut weigh: impl FnMut(usize, &mut [f32]),
    by: SkinnedBy,
    time_secs: f64,
) -> Result<Deformed, DeformError> {
    refuse::too_large(character)?;
    let mut pose = ModelPose::identity(0);
    pose.update(character.skeleton.hierarchy(), local, &Affine::IDENTITY)?;
    refuse::joint_nowhere(character, &pose, time_secs)?;
    let node_worlds = character.node_worlds(&pose);
    refuse::node_nowhere(&node_worlds, time_secs)?;

    let mut skinning = Skinning::new(character, &pose, by);
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
            let primitive = &mesh.primitives[place];
            match (node.skin, &primitive.influences) {
                (Some(skin), Some(influences)) => {
                    let moved = skinning.apply(skin, primitive, influences, &mut part);
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

struct Skinning<'a> {
    character: &'a Character,
    pose: &'a ModelPose,
    by: SkinnedBy,
    palettes: Vec<Option<SkinPalette>>,
}

impl<'a> Skinning<'a> {
    fn new(character: &'a Character, pose: &'a ModelPose, by: SkinnedBy) -> Self {
        Self {
            character,
            pose,
            by,
            palettes: character.skins.iter().map(|_| None).collect(),
        }
    }

    fn palette(&self, skin: usize) -> Result<SkinPalette, SkinError> {
        let (skeleton, skin) = (&self.character.skeleton, &self.character.skins[skin]);
        Ok(match self.by.method {
            Method::DualQuat | Method::Quaternion => {
                let rest = skeleton.rest_model();
                let mut palette =
                    DualQuatPalette::new(skeleton.hierarchy(), rest.as_slice(), skin)?;
                palette.update(self.pose.as_slice())?;
                SkinPalette::DualQuats(palette)
            }
            Method::Rigid | Method::Linear => {
                let mut palette = Palette::default();
                palette.update(skin, self.pose.as_slice())?;
                SkinPalette::Matrices(palette)
            }
        })
    }

    fn apply(
        &mut self,
        skin: usize,
        primitive: &Primitive,
        influences: &Influences,
        part: &mut DeformedPrimitive,
    ) -> Result<(), SkinError> {
        let method = self.by.method;
        let still = part.clone();
        let (bind, mut out) = (still.as_input(), part.as_output());
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
                job(palette, influences, &bind, &mut out)?;
            }
            SkinPalette::Matrices(palette) => {
                let job = match method {
                    Method::Rigid => sinew_skin::rigid,
                    _ => sinew_skin::linear,
                };
                job(palette.as_slice(), influences, &bind, &mut out)?;
            }
        }
        match self.by.normals {
            Normals::Exact => exact::replace(method, palette, primitive, influences, &still, part),
            Normals::Skinned => Ok(()),
        }
    }
}
