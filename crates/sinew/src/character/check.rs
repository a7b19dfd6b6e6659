//! Consistency checks of a character. Importers return only consistent characters.

use super::Character;
use crate::clip::{Clip, Track};
use crate::mesh::Primitive;
use sinew_math::hierarchy::{Hierarchy, HierarchyError};
use thiserror::Error;

/// Inconsistency between parts of a character.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum CharacterError {
    /// Cycle or missing parent among the nodes.
    #[error("the nodes are not a forest: {0}")]
    Nodes(#[from] HierarchyError),
    /// Index out of range.
    #[error("{location} refers to {what} {index}, but there are only {len}")]
    Reference {
        /// Part of the character that holds the index.
        location: String,
        /// Kind of the indexed item.
        what: &'static str,
        /// Index out of range.
        index: usize,
        /// Number of such items.
        len: usize,
    },
    /// Wrong number of items.
    #[error("{location} has {found} {what} instead of {expected}")]
    Count {
        /// Part of the character that holds the items.
        location: String,
        /// Kind of the counted items.
        what: &'static str,
        /// Number of items found.
        found: usize,
        /// Number of items required.
        expected: usize,
    },
}

impl Character {
    /// Checks that indices are in range, that related arrays have equal lengths and that tracks
    /// have the right width. Skinning checks influences, because several skins may share a mesh.
    pub fn check(&self) -> Result<(), CharacterError> {
        let parents: Vec<_> = self.nodes.iter().map(|n| n.parent).collect();
        Hierarchy::sort(&parents)?;
        let joints = self.skeleton.len();
        for (index, node) in self.nodes.iter().enumerate() {
            let location = || format!("node {index}");
            named(node.joint, "joint", joints, location)?;
            named(node.mesh, "mesh", self.meshes.len(), location)?;
            named(node.skin, "skin", self.skins.len(), location)?;
            named(node.light, "light", self.lights.len(), location)?;
        }
        for (index, camera) in self.cameras.iter().enumerate() {
            named(camera.node, "node", self.nodes.len(), || {
                format!("camera {index}")
            })?;
        }
        for (index, skin) in self.skins.iter().enumerate() {
            let location = || format!("skin {index}");
            for &joint in &skin.joints {
                named(Some(joint), "joint", joints, location)?;
            }
            let inverse_binds = Some(skin.joint_from_model.len());
            counted(inverse_binds, "inverse binds", skin.joints.len(), location)?;
        }
        for (index, mesh) in self.meshes.iter().enumerate() {
            for (number, primitive) in mesh.primitives.iter().enumerate() {
                check_streams(primitive, || format!("mesh {index}, primitive {number}"))?;
            }
        }
        for (index, corrective) in self.correctives.iter().enumerate() {
            let location = || format!("corrective {index}");
            named(Some(corrective.joint), "joint", joints, location)?;
            named(Some(corrective.mesh), "mesh", self.meshes.len(), location)?;
            let targets = self.meshes[corrective.mesh].morph_targets();
            named(Some(corrective.morph), "morph target", targets, location)?;
        }
        for (index, clip) in self.clips.iter().enumerate() {
            check_tracks(clip, index, joints, self.nodes.len())?;
        }
        for (index, layers) in self.layers.iter().enumerate() {
            let location = || format!("layers {index}");
            named(Some(layers.clip), "clip", self.clips.len(), location)?;
            let above = layers.layers.iter().flat_map(|layer| &layer.tracks);
            let tracks = layers.base.iter().chain(above).map(|tracks| tracks.joint);
            let masks = layers
                .layers
                .iter()
                .flat_map(|layer| layer.joints.iter().copied());
            for joint in tracks.chain(masks) {
                named(Some(joint), "joint", joints, location)?;
            }
        }
        Ok(())
    }
}

fn named(
    index: Option<usize>,
    what: &'static str,
    len: usize,
    location: impl Fn() -> String,
) -> Result<(), CharacterError> {
    match index {
        Some(index) if index >= len => Err(CharacterError::Reference {
            location: location(),
            what,
            index,
            len,
        }),
        _ => Ok(()),
    }
}

fn counted(
    found: Option<usize>,
    what: &'static str,
    expected: usize,
    location: impl Fn() -> String,
) -> Result<(), CharacterError> {
    match found {
        Some(found) if found != expected => Err(CharacterError::Count {
            location: location(),
            what,
            found,
            expected,
        }),
        _ => Ok(()),
    }
}

fn check_streams(
    primitive: &Primitive,
    location: impl Fn() -> String,
) -> Result<(), CharacterError> {
    let streams = [
        ("normals", primitive.normals.as_ref().map(|n| n.len())),
        ("tangents", primitive.tangents.as_ref().map(|t| t.len())),
        (
            "influence lists",
            primitive.influences.as_ref().map(|i| i.len()),
        ),
    ];
    for (what, found) in streams {
        counted(found, what, primitive.len(), &location)?;
    }
    Ok(())
}

fn check_tracks(
    clip: &Clip,
    index: usize,
    joints: usize,
    nodes: usize,
) -> Result<(), CharacterError> {
    let of_clip = || format!("clip {index}");
    for morph in &clip.morphs {
        named(Some(morph.node), "node", nodes, of_clip)?;
    }
    for tracks in &clip.joints {
        named(Some(tracks.joint), "joint", joints, of_clip)?;
        let location = || format!("clip {index}, joint {}", tracks.joint);
        let width = |track: &Option<Track>| track.as_ref().map(Track::width);
        counted(
            width(&tracks.translation),
            "numbers per translation",
            3,
            location,
        )?;
        counted(width(&tracks.rotation), "numbers per rotation", 4, location)?;
        counted(width(&tracks.scale), "numbers per scale", 3, location)?;
    }
    Ok(())
}
