//! Roles of accessors. The role decides the precision.

use crate::gltf::document::format::Semantic;
use crate::gltf::document::schema::{Document, Interpolation, Primitive, Target, TargetPath};
use crate::gltf::extras::layers::is_layered;
use std::collections::HashSet;

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Role {
    Positions,
    Normals,
    Tangents,
    Coordinates,
    Colors,
    Weights,
    MorphPositions,
    MorphDirections,
    /// Any other attribute, without rounding.
    Attribute,
    Triangles,
    Indices,
    Rotations,
    Keys,
    MorphWeights,
    /// Any other accessor, without rounding.
    Exact,
}

impl Role {
    pub(super) fn target(self) -> Option<Target> {
        match self {
            Self::Triangles | Self::Indices => Some(Target::ElementArrayBuffer),
            Self::Rotations | Self::Keys | Self::MorphWeights | Self::Exact => None,
            _ => Some(Target::ArrayBuffer),
        }
    }
}

/// True if only known objects refer to the buffer.
pub(super) fn are_all_known(document: &Document) -> bool {
    let images = document.images.iter().filter_map(|image| image.buffer_view);
    let mut views: HashSet<u32> = images.collect();
    for accessor in &document.accessors {
        views.extend(accessor.buffer_view);
        let sparse = accessor.sparse.as_deref();
        let indices = sparse.and_then(|sparse| sparse.indices.as_ref());
        views.extend(indices.and_then(|indices| indices.buffer_view));
        let values = sparse.and_then(|sparse| sparse.values.as_ref());
        views.extend(values.and_then(|values| values.buffer_view));
    }
    views.len() == document.buffer_views.len() && roles(document).iter().all(Option::is_some)
}

/// The role of each accessor. `None` if no known object refers to it.
pub(super) fn roles(document: &Document) -> Vec<Option<Role>> {
    let mut roles = Roles(vec![None; document.accessors.len()]);
    for primitive in document.meshes.iter().flat_map(|mesh| &mesh.primitives) {
        roles.primitive(primitive);
    }
    for skin in &document.skins {
        roles.add(skin.inverse_bind_matrices, Role::Exact);
    }
    for animation in &document.animations {
        let is_layered = is_layered(&animation.rest);
        for channel in &animation.channels {
            let Some(sampler) = animation
                .samplers
                .get(channel.sampler.unwrap_or(0) as usize)
            else {
                continue;
            };
            let path = channel.target.as_ref().and_then(|target| target.path);
            let is_cubic = sampler.interpolation == Some(Interpolation::CubicSpline);
            roles.add(sampler.input, Role::Exact);
            let role = match path {
                // Rounded layers would not give the rounded clip.
                _ if is_layered => Role::Exact,
                Some(TargetPath::Rotation) if !is_cubic => Role::Rotations,
                // Readers check that cubic rotations have unit length, so they are not rounded.
                Some(TargetPath::Rotation) => Role::Exact,
                Some(TargetPath::Weights) if !is_cubic => Role::MorphWeights,
                Some(TargetPath::Pointer) | None => Role::Exact,
                _ => Role::Keys,
            };
            roles.add(sampler.output, role);
        }
    }
    roles.0
}

struct Roles(Vec<Option<Role>>);

impl Roles {
    fn add(&mut self, accessor: Option<u32>, role: Role) {
        let known = accessor.and_then(|accessor| self.0.get_mut(accessor as usize));
        if let Some(known) = known {
            *known = match *known {
                // `Role::Attribute` suits each of the two uses.
                Some(other) if other != role && role.target().is_some() => Some(Role::Attribute),
                Some(other) if other != role => Some(Role::Exact),
                _ => Some(role),
            };
        }
    }

    fn primitive(&mut self, primitive: &Primitive) {
        for (name, accessor) in &primitive.attributes.0 {
            let role = match Semantic::parse(name) {
                Some(Semantic::Position) => Role::Positions,
                Some(Semantic::Normal) => Role::Normals,
                Some(Semantic::Tangent) => Role::Tangents,
                Some(Semantic::TexCoord(_)) => Role::Coordinates,
                Some(Semantic::Color(_)) => Role::Colors,
                Some(Semantic::Weights(_)) => Role::Weights,
                _ => Role::Attribute,
            };
            self.add(Some(*accessor), role);
        }
        for (name, accessor) in primitive.targets.iter().flat_map(|target| &target.0) {
            let role = match Semantic::parse(name) {
                Some(Semantic::Position) => Role::MorphPositions,
                Some(Semantic::Normal | Semantic::Tangent) => Role::MorphDirections,
                _ => Role::Attribute,
            };
            self.add(Some(*accessor), role);
        }
        let are_triangles = primitive.mode.is_none_or(|mode| mode == 4);
        let role = if are_triangles {
            Role::Triangles
        } else {
            Role::Indices
        };
        self.add(primitive.indices, role);
    }
}
