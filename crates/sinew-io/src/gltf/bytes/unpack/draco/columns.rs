//! Attributes and indices of a decoded stream as bytes of accessors.

use draco_core::Mesh;
use draco_core::draco_types::DataType;
use draco_core::geometry_attribute::PointAttribute;
use draco_core::geometry_indices::PointIndex;

use crate::gltf::document::format::ComponentType;
use crate::gltf::document::schema::Accessor;

/// Decoded numbers for an accessor, in the type of the stream.
pub(super) struct Column {
    pub bytes: Vec<u8>,
    pub count: usize,
    pub stride: Option<usize>,
    pub component: ComponentType,
    pub normalized: bool,
}

pub(super) fn attribute_column(
    accessor: &Accessor,
    mesh: &Mesh,
    id: u32,
) -> Result<Column, String> {
    let attribute = mesh.attribute_by_unique_id(id);
    let attribute = attribute.ok_or_else(|| format!("the stream has no attribute {id}"))?;
    let expected = accessor.component_type.zip(accessor.element_type);
    let (expected, element) = expected.ok_or("the accessor has no type")?;
    let found = attribute.data_type();
    let component = component_of(found)
        .ok_or_else(|| format!("attribute {id} has numbers of a type that glTF lacks"))?;
    if usize::from(attribute.num_components()) != element.components() {
        return Err(format!(
            "attribute {id} has {} components and its accessor {}",
            attribute.num_components(),
            element.components()
        ));
    }
    let size = component.size() * element.components();
    let stride = size.next_multiple_of(4);
    let points = mesh.num_points();
    let mut bytes = vec![0; points * stride];
    for (point, out) in bytes.chunks_exact_mut(stride).enumerate() {
        copy_value(attribute, point as u32, &mut out[..size])
            .ok_or_else(|| format!("attribute {id} has no value for vertex {point}"))?;
    }
    Ok(Column {
        bytes,
        count: points,
        stride: Some(stride),
        component,
        normalized: match (expected, component) {
            (_, ComponentType::Float) => false,
            (ComponentType::Float, _) => attribute.normalized(),
            _ => accessor.normalized,
        },
    })
}

fn copy_value(attribute: &PointAttribute, point: u32, out: &mut [u8]) -> Option<()> {
    let value = attribute.mapped_index(PointIndex(point)).0 as usize;
    let stride = usize::try_from(attribute.byte_stride()).ok()?;
    let begin = value.checked_mul(stride)?;
    let bytes = attribute
        .buffer()
        .data()
        .get(begin..begin.checked_add(out.len())?)?;
    out.copy_from_slice(bytes);
    Some(())
}

fn component_of(found: DataType) -> Option<ComponentType> {
    Some(match found {
        DataType::Int8 => ComponentType::Byte,
        DataType::Uint8 => ComponentType::UnsignedByte,
        DataType::Int16 => ComponentType::Short,
        DataType::Uint16 => ComponentType::UnsignedShort,
        DataType::Uint32 => ComponentType::UnsignedInt,
        DataType::Float32 => ComponentType::Float,
        _ => return None,
    })
}

/// Indices in the type of the accessor, or in four bytes if an index does not fit.
pub(super) fn index_column(accessor: &Accessor, mesh: &Mesh) -> Result<Column, String> {
    let expected = accessor.component_type.ok_or("the accessor has no type")?;
    let corners = || mesh.faces().iter().flatten().map(|corner| corner.0);
    let largest = corners().max().unwrap_or(0);
    // The largest number of a type is not an index.
    let component = match expected {
        ComponentType::UnsignedByte if largest < u32::from(u8::MAX) => expected,
        ComponentType::UnsignedShort if largest < u32::from(u16::MAX) => expected,
        _ => ComponentType::UnsignedInt,
    };
    let mut bytes = Vec::with_capacity(mesh.num_faces() * 3 * component.size());
    for corner in corners() {
        bytes.extend_from_slice(&corner.to_le_bytes()[..component.size()]);
    }
    Ok(Column {
        bytes,
        count: mesh.num_faces() * 3,
        stride: None,
        component,
        normalized: accessor.normalized,
    })
}
