//! Rejection of results that are too large or not finite.

use super::deformed::DeformedPrimitive;
use super::error::DeformError;
use crate::character::Character;
use crate::mesh::Primitive;
use crate::pose::ModelPose;
use glam::{Vec3, Vec4};
use sinew_math::transform::Affine;
use std::collections::HashSet;
use std::sync::Arc;

/// Memory for moved vertices that every character may use, in bytes.
const FLOOR: u64 = 256 << 20;

/// Additional memory, as a multiple of the memory of the vertices of the character.
const TIMES: u64 = 8;

/// Rejects meshes on too many nodes. A file of 700 KB could require gigabytes.
pub(crate) fn too_large(character: &Character) -> Result<(), DeformError> {
    let mut seen = HashSet::new();
    let primitives = character.meshes.iter().flat_map(|mesh| &mesh.primitives);
    let own: u64 = primitives
        .filter(|primitive| seen.insert(Arc::as_ptr(&primitive.positions).addr()))
        .map(bytes)
        .sum();
    let (mut nodes, mut vertices, mut requested) = (0, 0_u64, 0_u64);
    for mesh in character.nodes.iter().filter_map(|node| node.mesh) {
        nodes += 1;
        for primitive in &character.meshes[mesh].primitives {
            vertices = vertices.saturating_add(primitive.len() as u64);
            requested = requested.saturating_add(bytes(primitive));
        }
    }
    let limit = FLOOR.saturating_add(own.saturating_mul(TIMES));
    if requested > limit {
        return Err(DeformError::TooLarge {
            vertices,
            nodes,
            requested,
            limit,
        });
    }
    Ok(())
}

fn bytes(primitive: &Primitive) -> u64 {
    let normal = primitive.normals.as_ref().map_or(0, |_| size_of::<Vec3>());
    let tangent = primitive.tangents.as_ref().map_or(0, |_| size_of::<Vec4>());
    let vertex = size_of::<Vec3>() + normal + tangent;
    (primitive.len() as u64).saturating_mul(vertex as u64)
}

pub(crate) fn joint_nowhere(
    character: &Character,
    pose: &ModelPose,
    time_secs: f64,
) -> Result<(), DeformError> {
    let Some(joint) = pose.first_not_finite() else {
        return Ok(());
    };
    Err(DeformError::NotFinite {
        location: format!("joint \"{}\"", character.skeleton.name(joint)),
        time_secs,
    })
}

pub(super) fn node_nowhere(worlds: &[Affine], time_secs: f64) -> Result<(), DeformError> {
    match worlds.iter().position(|world| !world.is_finite()) {
        None => Ok(()),
        Some(node) => Err(DeformError::NotFinite {
            location: format!("node {node}"),
            time_secs,
        }),
    }
}

pub(super) fn vertex_nowhere(part: &DeformedPrimitive, time_secs: f64) -> Result<(), DeformError> {
    let position = part.positions.iter().position(|p| !p.is_finite());
    let normal = || part.normals.iter().flatten().position(|n| !n.is_finite());
    let tangent = || part.tangents.iter().flatten().position(|t| !t.is_finite());
    match position.or_else(normal).or_else(tangent) {
        None => Ok(()),
        Some(vertex) => Err(DeformError::NotFinite {
            location: format!(
                "vertex {vertex} of node {}, primitive {}",
                part.node, part.primitive
            ),
            time_secs,
        }),
    }
}
