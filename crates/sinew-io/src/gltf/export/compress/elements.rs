//! Quantizes numbers by role, in the form that compresses best.

use super::numbers::Numbers;
use super::roles::Role;
use crate::gltf::bytes::meshopt::{
    Filter, Mode, apply, exponential_of, octahedral_of, quaternion_of,
};
use crate::gltf::document::format::{AccessorFormat, ComponentType, ElementType, Semantic};
use crate::gltf::document::schema::Document;

/// Precision of positions, in bits relative to the size of the mesh.
const POSITION_BITS: i32 = 14;
/// Exponent of the step of texture coordinates and morph weights.
const FINE: i8 = -12;
/// Exponent of the step of morphed normals and of colours above 1.
const COARSE: i8 = -8;
/// Precision of keys, in bits relative to the largest key.
const KEY_BITS: i32 = 15;
const ROTATION_BITS: u32 = 12;
const MANTISSA_BITS: i32 = 22;

/// Rounding steps of positions. Parts of a mesh have equal steps, so that they still touch.
pub(super) struct Scales(Vec<Option<i8>>);

impl Scales {
    /// Finds a step, as an exponent of 2, for each accessor of positions or of their displacements.
    pub(super) fn new(document: &Document, numbers: &[Option<Numbers>]) -> Self {
        let mut exponents = vec![None; numbers.len()];
        for mesh in &document.meshes {
            let mut all = Vec::new();
            let (mut extent, mut max) = (0.0_f32, 0.0_f32);
            let lists = mesh.primitives.iter().flat_map(|primitive| {
                std::iter::once((&primitive.attributes, true))
                    .chain(primitive.targets.iter().map(|target| (target, false)))
            });
            for (named, is_position) in lists {
                let of = |(name, accessor): &(Box<str>, u32)| {
                    let is_position = Semantic::parse(name) == Some(Semantic::Position);
                    is_position.then_some(*accessor as usize)
                };
                for accessor in named.0.iter().filter_map(of) {
                    let own = numbers.get(accessor).and_then(Option::as_ref);
                    let Some(own) = own.and_then(Numbers::floats) else {
                        continue;
                    };
                    all.push(accessor);
                    max = own.iter().fold(max, |max, c| max.max(c.abs()));
                    for axis in 0..3 {
                        let along = || own.iter().skip(axis).step_by(3).copied();
                        let (low, high) = (
                            along().fold(f32::INFINITY, f32::min),
                            along().fold(f32::NEG_INFINITY, f32::max),
                        );
                        if is_position {
                            extent = extent.max(high - low);
                        }
                    }
                }
            }
            let extent = if extent > 0.0 { extent } else { max };
            let exponent = (power(extent) - POSITION_BITS).max(power(max) - MANTISSA_BITS);
            let exponent = exponent.clamp(-100, 100) as i8;
            for accessor in all {
                let finest: &mut Option<i8> = &mut exponents[accessor];
                *finest = Some(finest.map_or(exponent, |finest| finest.min(exponent)));
            }
        }
        Self(exponents)
    }
}

/// Exponent of the largest power of two up to `value`.
fn power(value: f32) -> i32 {
    if value > 0.0 {
        value.log2().floor() as i32
    } else {
        0
    }
}

pub(super) struct Elements {
    pub(super) role: Role,
    pub(super) mode: Mode,
    pub(super) filter: Filter,
    pub(super) stride: usize,
    pub(super) bytes: Vec<u8>,
    pub(super) format: AccessorFormat,
}

impl Elements {
    pub(super) fn new(role: Role, numbers: &Numbers, scales: &Scales, accessor: usize) -> Self {
        let floats = numbers.floats();
        let shape = numbers.format.element;
        let made = floats.and_then(|floats| match role {
            Role::Positions | Role::MorphPositions => {
                let exponent = scales.0.get(accessor).copied().flatten()?;
                Some(exponential(role, shape, &floats, exponent))
            }
            Role::Normals | Role::Tangents => Some(directions(role, shape, &floats)),
            Role::Coordinates => fitting(role, shape, &floats, FINE),
            Role::MorphWeights => fitting(role, shape, &floats, FINE),
            Role::MorphDirections => fitting(role, shape, &floats, COARSE),
            Role::Colors => {
                if floats.iter().all(|c| (0.0..=1.0).contains(c)) {
                    Some(colors(role, shape, &floats))
                } else {
                    fitting(role, shape, &floats, COARSE)
                }
            }
            Role::Rotations => Some(rotations(&floats)),
            Role::Keys => {
                let max = floats.iter().fold(0.0_f32, |max, c| max.max(c.abs()));
                let exponent = (power(max) - KEY_BITS).clamp(-100, 100);
                fitting(role, shape, &floats, exponent as i8)
            }
            Role::Weights | Role::Attribute | Role::Triangles | Role::Indices | Role::Exact => None,
        });
        made.unwrap_or_else(|| unchanged(role, numbers))
    }

    pub(super) fn element(&self, index: usize) -> &[u8] {
        &self.bytes[index * self.stride..][..self.stride]
    }

    pub(super) fn decoded(&self) -> Vec<u8> {
        let mut bytes = self.bytes.clone();
        // The filter fits the stride, so there is no error.
        let _ = apply(self.filter, self.stride, &mut bytes);
        bytes
    }
}

/// Vectors as multiples of a power of two. `None` if a number is too large.
fn fitting(role: Role, shape: ElementType, floats: &[f32], exponent: i8) -> Option<Elements> {
    let max = floats.iter().fold(0.0_f32, |max, c| max.max(c.abs()));
    let fits = power(max) - i32::from(exponent) <= MANTISSA_BITS;
    fits.then(|| exponential(role, shape, floats, exponent))
}

fn exponential(role: Role, shape: ElementType, floats: &[f32], exponent: i8) -> Elements {
    let words = floats.iter().map(|c| exponential_of(*c, exponent));
    Elements {
        role,
        mode: Mode::Attributes,
        filter: Filter::Exponential,
        stride: 4 * shape.components(),
        bytes: words.flat_map(i32::to_le_bytes).collect(),
        format: AccessorFormat {
            element: shape,
            component: ComponentType::Float,
            normalized: false,
        },
    }
}

fn small(role: Role, shape: ElementType, component: ComponentType, bytes: Vec<u8>) -> Elements {
    Elements {
        role,
        mode: Mode::Attributes,
        filter: Filter::None,
        stride: (shape.components() * component.size()).next_multiple_of(4),
        bytes,
        format: AccessorFormat {
            element: shape,
            component,
            normalized: true,
        },
    }
}

fn directions(role: Role, shape: ElementType, floats: &[f32]) -> Elements {
    let each = floats.chunks_exact(shape.components());
    let bytes = each.flat_map(|d| {
        let w = d.get(3).copied().unwrap_or(0.0);
        octahedral_of([d[0], d[1], d[2]], w).map(|c| c as u8)
    });
    Elements {
        filter: Filter::Octahedral,
        ..small(role, shape, ComponentType::Byte, bytes.collect())
    }
}

fn colors(role: Role, shape: ElementType, floats: &[f32]) -> Elements {
    let each = floats.chunks_exact(shape.components());
    let bytes = each.flat_map(|color| {
        let mut four = [0; 4];
        for (byte, c) in four.iter_mut().zip(color) {
            *byte = (c * 255.0).round() as u8;
        }
        four
    });
    small(role, shape, ComponentType::UnsignedByte, bytes.collect())
}

fn rotations(floats: &[f32]) -> Elements {
    let each = floats.as_chunks::<4>().0.iter();
    let shorts = each.flat_map(|q| quaternion_of(*q, ROTATION_BITS));
    let bytes = shorts.flat_map(i16::to_le_bytes).collect();
    Elements {
        filter: Filter::Quaternion,
        ..small(
            Role::Rotations,
            ElementType::Vec4,
            ComponentType::Short,
            bytes,
        )
    }
}

/// Numbers without rounding. Attributes are aligned to 4 bytes.
fn unchanged(role: Role, numbers: &Numbers) -> Elements {
    let packed = numbers.stride();
    let is_index = matches!(role, Role::Triangles | Role::Indices);
    let has_triangles = numbers.count().is_multiple_of(3);
    let mode = match (role, is_index) {
        (Role::Triangles, _) if has_triangles => Mode::Triangles,
        (_, true) => Mode::Indices,
        _ => Mode::Attributes,
    };
    let stride = match (is_index, role.target()) {
        (false, Some(_)) => packed.next_multiple_of(4),
        _ => packed,
    };
    let elements = numbers.bytes.chunks_exact(packed);
    let padding = || std::iter::repeat_n(0, stride - packed);
    Elements {
        role,
        mode,
        filter: Filter::None,
        stride,
        bytes: elements
            .flat_map(|e| e.iter().copied().chain(padding()))
            .collect(),
        format: numbers.format,
    }
}
