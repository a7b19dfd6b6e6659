//! Checks of meshes: attributes, indices and morph targets.

use std::collections::HashMap;

use super::checker::Checker;
use super::materials;
use crate::gltf::document::format::{AccessorFormat, ComponentType, ElementType, Semantic};
use crate::gltf::document::json::{NamedIndices, escaped};
use crate::gltf::document::schema::{Accessor, Mesh, Primitive};
use crate::report::Severity;

pub(super) fn check(checker: &mut Checker<'_>) {
    let texcoords_of_material: Vec<Vec<u64>> = checker
        .document
        .materials
        .iter()
        .map(materials::sets_needed)
        .collect();
    for (index, mesh) in checker.document.meshes.iter().enumerate() {
        let pointer = format!("/meshes/{index}");
        check_targets_count(checker, mesh, &pointer);
        for (number, primitive) in mesh.primitives.iter().enumerate() {
            let pointer = format!("{pointer}/primitives/{number}");
            check_primitive(checker, primitive, &pointer);
            materials::check(checker, primitive, &texcoords_of_material, &pointer);
        }
    }
}

fn check_targets_count(checker: &mut Checker<'_>, mesh: &Mesh, pointer: &str) {
    let Some(expected) = mesh
        .primitives
        .first()
        .map(|primitive| primitive.targets.len())
    else {
        return;
    };
    for (number, primitive) in mesh.primitives.iter().enumerate() {
        let found = primitive.targets.len();
        if found != expected {
            let message = format_args!(
                "the primitive has {found} morph targets, but the first primitive has {expected}"
            );
            let member = if found > 0 { "/targets" } else { "" };
            let at = format_args!("{pointer}/primitives/{number}{member}");
            checker.repaired("MESH_PRIMITIVES_UNEQUAL_TARGETS_COUNT", at, message);
        }
    }
    if let Some(weights) = &mesh.weights
        && weights.len() != expected
    {
        let message = format_args!(
            "there are {} weights for {expected} morph targets",
            weights.len()
        );
        checker.ignored(
            "MESH_INVALID_WEIGHTS_COUNT",
            format_args!("{pointer}/weights"),
            message,
        );
    }
}

fn check_primitive(checker: &mut Checker<'_>, primitive: &Primitive, pointer: &str) {
    let document = checker.document;
    check_names(checker, &primitive.attributes, pointer);
    let mut vertex_count = None;
    for (name, index) in &primitive.attributes.0 {
        let at = format!("{pointer}/attributes/{}", escaped(name));
        let Some(accessor) =
            checker.resolve(Some(*index), &document.accessors, Severity::Error, &at)
        else {
            continue;
        };
        check_attribute(checker, name, accessor, false, &at);
        let expected = *vertex_count.get_or_insert(accessor.count);
        if accessor.count != expected {
            let message = format_args!(
                "the attribute has {} elements, but the first attribute has {expected}",
                accessor.count
            );
            checker.error("MESH_PRIMITIVE_UNEQUAL_ACCESSOR_COUNT", &at, message);
        }
    }
    check_indices(checker, primitive, pointer);
    let bases: HashMap<&str, u32> = primitive
        .attributes
        .0
        .iter()
        .map(|(name, index)| (&**name, *index))
        .collect();
    for (number, target) in primitive.targets.iter().enumerate() {
        for (name, index) in &target.0 {
            let at = format!("{pointer}/targets/{number}/{}", escaped(name));
            check_target_attribute(checker, name, *index, &bases, &at);
        }
    }
}

fn check_target_attribute(
    checker: &mut Checker<'_>,
    name: &str,
    index: u32,
    bases: &HashMap<&str, u32>,
    at: &str,
) {
    let document = checker.document;
    let semantic = Semantic::parse(name);
    if !name.starts_with('_') && !semantic.is_some_and(Semantic::can_be_morphed) {
        checker.ignored(
            "MESH_PRIMITIVE_INVALID_ATTRIBUTE",
            at,
            "morph targets cannot have this attribute",
        );
    }
    let Some(accessor) = checker.resolve(Some(index), &document.accessors, Severity::Error, at)
    else {
        return;
    };
    match bases.get(name) {
        None => {
            let message =
                "the primitive does not have this attribute, so there is nothing to displace";
            checker.ignored("MESH_PRIMITIVE_MORPH_TARGET_NO_BASE_ACCESSOR", at, message);
        }
        Some(base) => {
            if let Some(base) = document
                .accessors
                .get(*base as usize)
                .filter(|base| base.count != accessor.count)
            {
                let message = format_args!(
                    "there are {} displacements for {} vertices",
                    accessor.count, base.count
                );
                checker.error(
                    "MESH_PRIMITIVE_MORPH_TARGET_INVALID_ATTRIBUTE_COUNT",
                    at,
                    message,
                );
            }
        }
    }
    check_attribute(checker, name, accessor, true, at);
}

/// Reports unknown names, gaps in numbered names, and joints without weights.
fn check_names(checker: &mut Checker<'_>, attributes: &NamedIndices, pointer: &str) {
    let mut sets: [(&str, u64, u64); 4] =
        ["TEXCOORD", "COLOR", "JOINTS", "WEIGHTS"].map(|name| (name, 0, 0));
    let mut has_position = false;
    for (name, _) in &attributes.0 {
        let (set, number) = match Semantic::parse(name) {
            Some(Semantic::TexCoord(number)) => (0, number),
            Some(Semantic::Color(number)) => (1, number),
            Some(Semantic::Joints(number)) => (2, number),
            Some(Semantic::Weights(number)) => (3, number),
            Some(semantic) => {
                has_position |= semantic == Semantic::Position;
                continue;
            }
            None => {
                if !name.starts_with('_') {
                    let at = format_args!("{pointer}/attributes/{}", escaped(name));
                    let message = format_args!(
                        "the attribute `{name}` is unknown; application-specific names begin with `_`"
                    );
                    checker.ignored("MESH_PRIMITIVE_INVALID_ATTRIBUTE", at, message);
                }
                continue;
            }
        };
        let (_, count, end) = &mut sets[set];
        *count += 1;
        *end = (*end).max(u64::from(number) + 1);
    }
    let at = format!("{pointer}/attributes");
    for (name, count, end) in &mut sets {
        if *count != *end {
            let message =
                format_args!("the sets of `{name}` must be numbered from 0 without a gap");
            checker.repaired("MESH_PRIMITIVE_INDEXED_SEMANTIC_CONTINUITY", &at, message);
            *count = 0;
        }
    }
    let (joints, weights) = (sets[2].1, sets[3].1);
    if joints != weights {
        let message =
            format_args!("there are {joints} sets of joints, but {weights} sets of weights");
        checker.repaired("MESH_PRIMITIVE_JOINTS_WEIGHTS_MISMATCH", &at, message);
    }
    if !has_position && !attributes.0.is_empty() {
        let message = "there is no POSITION; the primitive was left out";
        checker.ignored("MESH_PRIMITIVE_NO_POSITION", &at, message);
    }
}

fn check_attribute(
    checker: &mut Checker<'_>,
    name: &str,
    accessor: &Accessor,
    in_morph_target: bool,
    at: &str,
) {
    let semantic = Semantic::parse(name);
    if semantic == Some(Semantic::Position) && (accessor.min.is_none() || accessor.max.is_none()) {
        let message = "the accessor of positions has no `min` and `max`";
        checker.repaired(
            "MESH_PRIMITIVE_POSITION_ACCESSOR_WITHOUT_BOUNDS",
            at,
            message,
        );
    }
    match (semantic, accessor.format()) {
        (Some(semantic), Some(format)) => {
            check_format(checker, semantic, format, in_morph_target, at);
        }
        (Some(_), None) => {
            let message = "the accessor's format is unknown";
            checker.error(
                "MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT",
                at,
                message,
            );
        }
        (None, Some(format)) if format.component == ComponentType::UnsignedInt => {
            let message = "attributes must not be unsigned integers of 4 bytes";
            checker.ignored(
                "MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_UNSIGNED_INT",
                at,
                message,
            );
        }
        (None, _) => {}
    }
    let Some(format) = accessor.format() else {
        return;
    };
    let view = accessor
        .buffer_view
        .and_then(|view| checker.document.buffer_views.get(view as usize));
    let has_stride = view.is_some_and(|view| view.byte_stride.is_some());
    let offset = if accessor.buffer_view.is_some() {
        accessor.byte_offset.unwrap_or(0)
    } else {
        0
    };
    let packs_oddly = !format.element_length().is_multiple_of(4) && view.is_some() && !has_stride;
    if !offset.is_multiple_of(4) || packs_oddly {
        let message = "elements must begin at multiples of 4 bytes";
        checker.repaired("MESH_PRIMITIVE_ACCESSOR_UNALIGNED", at, message);
    }
}

fn check_format(
    checker: &mut Checker<'_>,
    semantic: Semantic,
    format: AccessorFormat,
    in_morph_target: bool,
    at: &str,
) {
    const CODE: &str = "MESH_PRIMITIVE_ATTRIBUTES_ACCESSOR_INVALID_FORMAT";
    if !semantic.elements(in_morph_target).contains(&format.element) {
        let message = format_args!("the accessor is {format}, which does not fit this attribute");
        checker.error(CODE, at, message);
    } else if !semantic.allows_components(format, in_morph_target, checker.quantized) {
        let message =
            format_args!("{format} is not allowed for this attribute; it was read unchanged");
        checker.repaired(CODE, at, message);
    }
}

fn check_indices(checker: &mut Checker<'_>, primitive: &Primitive, pointer: &str) {
    let document = checker.document;
    let at = format!("{pointer}/indices");
    let Some(accessor) =
        checker.resolve(primitive.indices, &document.accessors, Severity::Error, &at)
    else {
        return;
    };
    if checker.has_stride(accessor) {
        checker.repaired(
            "MESH_PRIMITIVE_INDICES_ACCESSOR_WITH_BYTESTRIDE",
            &at,
            "the buffer view of indices must not have a stride",
        );
    }
    let Some(format) = accessor.format() else {
        let message = "the accessor's format is unknown";
        checker.error(
            "MESH_PRIMITIVE_INDICES_ACCESSOR_INVALID_FORMAT",
            &at,
            message,
        );
        return;
    };
    use ComponentType::{UnsignedByte, UnsignedInt, UnsignedShort};
    let is_unsigned = matches!(format.component, UnsignedByte | UnsignedShort | UnsignedInt);
    if format.element != ElementType::Scalar || !is_unsigned || format.normalized {
        let message = format_args!("the accessor is {format} instead of unsigned scalars");
        checker.error(
            "MESH_PRIMITIVE_INDICES_ACCESSOR_INVALID_FORMAT",
            &at,
            message,
        );
    }
}
