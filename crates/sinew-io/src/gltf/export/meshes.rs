//! Meshes: vertex attributes, influences and indices.
//!
//! Values are written as they are, in single precision, except where glTF asks for more than the
//! character promises: directions of unit length, colours between 0 and 1, weights that sum to 1.

use super::buffer::Purpose;
use super::error::{check_count, check_reference};
use super::{ExportError, Exporter, materials, morphs, name};
use crate::gltf::NamedIndices;
use crate::gltf::format::ElementType;
use crate::gltf::{extras, schema};
use crate::report::Severity;
use glam::Vec3;
use serde_json::value::to_raw_value;
use sinew::mesh::{CustomAttribute, Influences, Mesh, Primitive, Topology};

/// How far a direction's length may be from one before it is normalised: less than readers accept.
const UNIT_TOLERANCE: f32 = 0.005;

/// How far a sum of weights may be from one, for each of them, before it is normalised: what the
/// Khronos validator accepts.
const SUM_TOLERANCE: f32 = 2e-7;

/// No material asks for more sets of texture coordinates in earnest.
const MOST_TEXCOORDS: u64 = 16;

/// What nodes need to know of a mesh in the document.
pub(super) struct WrittenMesh {
    pub(super) index: u32,
    pub(super) targets: usize,
    /// The highest joint that a vertex follows; none when no skin moves the mesh.
    pub(super) max_joint: Option<usize>,
}

/// Writes every mesh that has vertices; the others have no place in the document.
pub(super) fn write(exporter: &mut Exporter<'_>) -> Result<Vec<Option<WrittenMesh>>, ExportError> {
    let mut written = Vec::new();
    let mut places = Vec::with_capacity(exporter.character.meshes.len());
    let mut source = std::mem::take(&mut exporter.document.meshes);
    source.resize_with(exporter.character.meshes.len(), schema::Mesh::default);
    for (index, (mesh, source)) in exporter.character.meshes.iter().zip(source).enumerate() {
        let influences = mesh.primitives.iter().filter(|p| !is_empty(p));
        let influences = influences.filter_map(|p| p.influences.as_ref());
        let place = WrittenMesh {
            index: written.len() as u32,
            targets: written_targets(mesh),
            max_joint: influences.filter_map(|i| i.max_joint()).max(),
        };
        let mesh = write_mesh(exporter, index, mesh, source, place.targets)?;
        let has_primitives = !mesh.primitives.is_empty();
        places.push(has_primitives.then_some(place));
        if has_primitives {
            written.push(mesh);
        } else {
            exporter.leave_out(format_args!("/meshes/{index}"), "a mesh without vertices");
        }
    }
    exporter.document.meshes = written;
    Ok(places)
}

fn is_empty(primitive: &Primitive) -> bool {
    primitive.is_empty() || primitive.indices.as_ref().is_some_and(|i| i.is_empty())
}

/// How many morph targets the written primitives of a mesh have; glTF wants as many on each.
fn written_targets(mesh: &Mesh) -> usize {
    let written = mesh.primitives.iter().filter(|p| !is_empty(p));
    written.map(|p| p.morphs.len()).max().unwrap_or(0)
}

/// As many weights as there are targets; `None` when one is not finite.
pub(super) fn weights(weights: &[f32], targets: usize) -> Option<Box<[f64]>> {
    let padded = weights
        .iter()
        .copied()
        .chain(std::iter::repeat(0.0))
        .take(targets);
    let weights: Box<[f64]> = padded.map(f64::from).collect();
    weights.iter().all(|w| w.is_finite()).then_some(weights)
}

fn write_mesh(
    exporter: &mut Exporter<'_>,
    index: usize,
    mesh: &Mesh,
    mut written: schema::Mesh,
    targets: usize,
) -> Result<schema::Mesh, ExportError> {
    let place = format!("/meshes/{index}");
    let mut source = std::mem::take(&mut written.primitives);
    if source.len() != mesh.primitives.len() {
        source = vec![schema::Primitive::default(); mesh.primitives.len()];
    }
    for (number, (primitive, source)) in mesh.primitives.iter().zip(source).enumerate() {
        if is_empty(primitive) {
            continue;
        }
        let place = format!("{place}/primitives/{number}");
        let mut part = write_primitive(exporter, primitive, &source, &place)?;
        morphs::write(exporter, primitive, &source, targets, &mut part, &place)?;
        part.rest = source.rest;
        written.primitives.push(part);
    }
    written.name = name(&mesh.name);
    written.weights = None;
    if targets > 0 && !mesh.morph_weights.is_empty() {
        let weights = weights(&mesh.morph_weights, targets);
        written.weights = Some(weights.ok_or_else(|| ExportError::not_finite(&place))?);
    }
    if targets > 0 && !mesh.morph_names.is_empty() {
        let names = to_raw_value(&mesh.morph_names)?;
        if !extras::set_nested(&mut written.rest, "extras", "targetNames", Some(names))? {
            let message = "the extras are no object, so the names of morph targets have no place";
            exporter
                .report
                .add(Severity::Ignored, "EXTRAS_OCCUPIED", &place, message);
        }
    }
    Ok(written)
}

fn write_primitive(
    exporter: &mut Exporter<'_>,
    primitive: &Primitive,
    source: &schema::Primitive,
    place: &str,
) -> Result<schema::Primitive, ExportError> {
    let mut attributes = Attributes {
        exporter,
        place,
        vertices: primitive.len(),
        written: Vec::new(),
    };
    attributes.write(primitive)?;
    if let Some(material) = primitive.material {
        let materials = attributes.exporter.document.materials.len();
        check_reference(material, materials, || format!("{place}/material"))?;
        attributes.pad_texcoords(primitive.texcoords.len(), material);
    }
    let attributes = NamedIndices(attributes.written);
    let indices = match &primitive.indices {
        None => None,
        Some(indices) => {
            let greatest = indices.iter().max().copied().unwrap_or(0) as usize;
            check_reference(greatest, primitive.len(), || format!("{place}/indices"))?;
            Some(exporter.buffer.indices(indices))
        }
    };
    let mode = match primitive.topology {
        Topology::Points => Some(0),
        Topology::Lines => Some(1),
        Topology::Triangles => source.mode.map(|_| 4),
    };
    Ok(schema::Primitive {
        attributes,
        indices,
        material: primitive.material.map(|material| material as u32),
        mode,
        ..schema::Primitive::default()
    })
}

/// The attributes of one primitive.
struct Attributes<'e, 'a> {
    exporter: &'e mut Exporter<'a>,
    place: &'e str,
    vertices: usize,
    written: Vec<(Box<str>, u32)>,
}

impl Attributes<'_, '_> {
    fn write(&mut self, primitive: &Primitive) -> Result<(), ExportError> {
        let positions: &[f32] = bytemuck::cast_slice(&primitive.positions);
        self.floats("POSITION", Purpose::Positions, ElementType::Vec3, positions)?;
        if let Some(normals) = &primitive.normals {
            let mut normals = normals.to_vec();
            self.make_units(&mut normals, "NORMAL");
            self.vectors("NORMAL", bytemuck::cast_slice(&normals), ElementType::Vec3)?;
        }
        if let (Some(tangents), Some(_)) = (&primitive.tangents, &primitive.normals) {
            let mut directions: Vec<Vec3> = tangents.iter().map(|t| t.truncate()).collect();
            self.make_units(&mut directions, "TANGENT");
            let hand = |w: f32| if w < 0.0 { -1.0 } else { 1.0 };
            let tangents = directions.iter().zip(tangents.iter());
            let tangents: Vec<_> = tangents.map(|(d, t)| d.extend(hand(t.w))).collect();
            self.vectors(
                "TANGENT",
                bytemuck::cast_slice(&tangents),
                ElementType::Vec4,
            )?;
        }
        for (set, texcoords) in primitive.texcoords.iter().enumerate() {
            let values = bytemuck::cast_slice(texcoords);
            self.vectors(&format!("TEXCOORD_{set}"), values, ElementType::Vec2)?;
        }
        for (set, colors) in primitive.colors.iter().enumerate() {
            let values: &[f32] = bytemuck::cast_slice(colors);
            let clamped: Vec<f32> = values.iter().map(|c| c.clamp(0.0, 1.0)).collect();
            self.vectors(&format!("COLOR_{set}"), &clamped, ElementType::Vec4)?;
        }
        for attribute in &primitive.custom {
            self.custom(attribute)?;
        }
        match &primitive.influences {
            Some(influences) => self.influences(influences),
            None => Ok(()),
        }
    }

    fn floats(
        &mut self,
        name: &str,
        purpose: Purpose,
        element: ElementType,
        values: &[f32],
    ) -> Result<(), ExportError> {
        let place = || format!("{}/attributes/{name}", self.place);
        check_count(values.len() / element.components(), self.vertices, place)?;
        let accessor = self.exporter.buffer.floats(purpose, element, values);
        let accessor = accessor.ok_or_else(|| ExportError::not_finite(place()))?;
        self.written.push((name.into(), accessor));
        Ok(())
    }

    fn vectors(
        &mut self,
        name: &str,
        values: &[f32],
        element: ElementType,
    ) -> Result<(), ExportError> {
        self.floats(name, Purpose::Attribute, element, values)
    }

    /// Adds the texture coordinates that a material asks for and the mesh lacks, all zero, which is
    /// what readers take them for.
    fn pad_texcoords(&mut self, found: usize, material: usize) {
        let material = &self.exporter.document.materials[material];
        let sets = materials::textures(material).map(|texture| texture.tex_coord.unwrap_or(0) + 1);
        let wanted = sets
            .filter(|&sets| sets <= MOST_TEXCOORDS)
            .max()
            .unwrap_or(0);
        for set in found..wanted as usize {
            let accessor = self.exporter.buffer.zeros(ElementType::Vec2, self.vertices);
            self.written
                .push((format!("TEXCOORD_{set}").into(), accessor));
        }
    }

    /// Normalises directions that readers would refuse; one without a direction points along z.
    fn make_units(&mut self, directions: &mut [Vec3], name: &str) {
        let mut changed = 0;
        for direction in directions.iter_mut().filter(|d| d.is_finite()) {
            if (direction.length() - 1.0).abs() > UNIT_TOLERANCE {
                *direction = direction.normalize_or(Vec3::Z);
                changed += 1;
            }
        }
        if changed > 0 {
            let place = format_args!("{}/attributes/{name}", self.place);
            let message = format_args!("{changed} directions were not of unit length and are now");
            let report = &mut self.exporter.report;
            report.add(
                Severity::Repaired,
                "ACCESSOR_VECTOR3_NON_UNIT",
                place,
                message,
            );
        }
    }

    fn custom(&mut self, attribute: &CustomAttribute) -> Result<(), ExportError> {
        let element = match attribute.width {
            1 => ElementType::Scalar,
            2 => ElementType::Vec2,
            3 => ElementType::Vec3,
            4 => ElementType::Vec4,
            9 => ElementType::Mat3,
            16 => ElementType::Mat4,
            _ => {
                let message = "an attribute of a width that glTF does not have";
                let place = format_args!("{}/attributes/{}", self.place, attribute.name);
                self.exporter.leave_out(place, message);
                return Ok(());
            }
        };
        // Names without an underscore belong to glTF itself.
        let name = match attribute.name.starts_with('_') {
            true => attribute.name.clone(),
            false => format!("_{}", attribute.name),
        };
        if self.written.iter().any(|(written, _)| **written == *name) {
            return Ok(());
        }
        self.vectors(&name, &attribute.values, element)
    }

    /// Joints and weights in as many sets of four as the vertex with most of them needs.
    fn influences(&mut self, influences: &Influences) -> Result<(), ExportError> {
        let place = || format!("{}/attributes/JOINTS_0", self.place);
        check_count(influences.len(), self.vertices, place)?;
        let sets = influences.max_per_vertex().div_ceil(4).max(1);
        let mut joints = vec![vec![0_u16; 4 * self.vertices]; sets];
        let mut weights = vec![vec![0.0_f32; 4 * self.vertices]; sets];
        let mut changed = 0;
        let mut row = Vec::new();
        for vertex in 0..self.vertices {
            let (from_joints, from_weights) = influences.slices(vertex);
            row.clear();
            row.extend_from_slice(from_weights);
            changed += usize::from(normalize(&mut row));
            for (place, (&joint, &weight)) in from_joints.iter().zip(&row).enumerate() {
                joints[place / 4][4 * vertex + place % 4] = joint;
                weights[place / 4][4 * vertex + place % 4] = weight;
            }
        }
        if changed > 0 {
            let message =
                format_args!("the weights of {changed} vertices were brought to sum to 1");
            let report = &mut self.exporter.report;
            report.add(
                Severity::Repaired,
                "ACCESSOR_WEIGHTS_NON_NORMALIZED",
                self.place,
                message,
            );
        }
        let fit_bytes = influences.max_joint().is_none_or(|joint| joint < 256);
        for (set, (joints, weights)) in joints.iter().zip(&weights).enumerate() {
            let accessor = self.exporter.buffer.joints(joints, fit_bytes);
            self.written
                .push((format!("JOINTS_{set}").into(), accessor));
            self.vectors(&format!("WEIGHTS_{set}"), weights, ElementType::Vec4)?;
        }
        Ok(())
    }
}

/// Brings weights to a sum of one if they are further from it than the Khronos validator accepts,
/// which adds them up in single precision: the first of every set, then the second, and so on.
fn normalize(weights: &mut [f32]) -> bool {
    let places = (0..4).flat_map(|place| (place..weights.len()).step_by(4));
    let sum: f32 = places.map(|place| weights[place]).sum();
    if (sum - 1.0).abs() <= SUM_TOLERANCE * weights.len() as f32 {
        return false;
    }
    let sum: f64 = weights.iter().map(|&w| f64::from(w)).sum();
    for weight in weights {
        *weight = (f64::from(*weight) / sum) as f32;
    }
    true
}
