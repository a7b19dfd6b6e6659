//! Vertex attributes, including influences. Values stay unchanged, except where glTF has rules:
//! directions have unit length, colours are in [0, 1], weights sum to 1.

use crate::gltf::check::sets_needed;
use crate::gltf::check::shapes::MAX_TEXCOORDS;
use crate::gltf::document::format::ElementType;
use crate::gltf::document::json::NamedIndices;
use crate::gltf::export::buffer::Purpose;
use crate::gltf::export::error::{ExportError, check_count};
use crate::gltf::export::exporter::Exporter;
use crate::gltf::export::shared::address;
use crate::report::Severity;
use glam::{DVec3, Vec3};
use sinew::mesh::{CustomAttribute, Influences, Primitive};
use std::collections::HashSet;
use std::sync::Arc;

/// Max error of the length of a direction that is not normalised. Readers tolerate more.
const UNIT_TOLERANCE: f32 = 0.005;

/// Max error of a sum of weights, per weight: the tolerance of the Khronos validator.
const SUM_TOLERANCE: f32 = 2e-7;

pub(super) struct Attributes<'e, 'a> {
    pub(super) exporter: &'e mut Exporter<'a>,
    location: &'e str,
    vertices: usize,
    written: Vec<(Box<str>, u32)>,
    custom_names: HashSet<String>,
}

impl<'e, 'a> Attributes<'e, 'a> {
    pub(super) fn new(exporter: &'e mut Exporter<'a>, location: &'e str, vertices: usize) -> Self {
        Self {
            exporter,
            location,
            vertices,
            written: Vec::new(),
            custom_names: HashSet::new(),
        }
    }

    pub(super) fn finish(self) -> NamedIndices {
        NamedIndices(self.written)
    }

    pub(super) fn write(&mut self, primitive: &Primitive) -> Result<(), ExportError> {
        self.once(
            "POSITION",
            "POSITION",
            &primitive.positions,
            |all, positions| {
                let positions = bytemuck::cast_slice(positions);
                all.floats("POSITION", Purpose::Positions, ElementType::Vec3, positions)
            },
        )?;
        if let Some(normals) = &primitive.normals {
            self.once("NORMAL", "NORMAL", normals, |all, normals| {
                let mut normals = normals.to_vec();
                all.make_units(&mut normals, "NORMAL");
                all.vectors("NORMAL", bytemuck::cast_slice(&normals), ElementType::Vec3)
            })?;
        }
        if primitive.tangents.is_some() && primitive.normals.is_none() {
            let location = format_args!("{}/attributes/TANGENT", self.location);
            self.exporter
                .leave_out(location, "tangents without normals");
        }
        if let (Some(tangents), Some(_)) = (&primitive.tangents, &primitive.normals) {
            self.once("TANGENT", "TANGENT", tangents, |all, tangents| {
                let mut directions: Vec<Vec3> = tangents.iter().map(|t| t.truncate()).collect();
                all.make_units(&mut directions, "TANGENT");
                let hand = |w: f32| if w < 0.0 { -1.0 } else { 1.0 };
                let tangents = directions.iter().zip(tangents);
                let tangents: Vec<_> = tangents.map(|(d, t)| d.extend(hand(t.w))).collect();
                let values = bytemuck::cast_slice(&tangents);
                all.vectors("TANGENT", values, ElementType::Vec4)
            })?;
        }
        for (set, texcoords) in primitive.texcoords.iter().enumerate() {
            let name = format!("TEXCOORD_{set}");
            self.once(&name, "TEXCOORD", texcoords, |all, texcoords| {
                let values = bytemuck::cast_slice(texcoords);
                all.vectors(&name, values, ElementType::Vec2)
            })?;
        }
        for (set, colors) in primitive.colors.iter().enumerate() {
            let name = format!("COLOR_{set}");
            self.once(&name, "COLOR", colors, |all, colors| {
                all.colors(&name, bytemuck::cast_slice(colors))
            })?;
        }
        for attribute in &primitive.custom {
            self.custom(attribute)?;
        }
        match &primitive.influences {
            Some(influences) => self.influences(influences),
            None => Ok(()),
        }
    }

    /// Writes an attribute, or reuses the accessor of the same array.
    fn once<T>(
        &mut self,
        name: &str,
        kind: &'static str,
        array: &Arc<Vec<T>>,
        write: impl FnOnce(&mut Self, &[T]) -> Result<(), ExportError>,
    ) -> Result<(), ExportError> {
        let key = (address(array), kind);
        if let Some(&known) = self.exporter.shared.attributes.get(&key) {
            let location = || format!("{}/attributes/{name}", self.location);
            check_count(array.len(), self.vertices, location)?;
            self.written.push((name.into(), known));
            return Ok(());
        }
        write(self, array)?;
        if let Some((_, accessor)) = self.written.last() {
            self.exporter.shared.attributes.insert(key, *accessor);
        }
        Ok(())
    }

    fn colors(&mut self, name: &str, values: &[f32]) -> Result<(), ExportError> {
        let clamped: Vec<f32> = values.iter().map(|c| c.clamp(0.0, 1.0)).collect();
        if clamped != values {
            let location = format_args!("{}/attributes/{name}", self.location);
            let message = "colours outside 0 to 1 were clamped";
            let report = &mut self.exporter.report;
            report.add(
                Severity::Repaired,
                "ACCESSOR_NON_CLAMPED",
                location,
                message,
            );
        }
        self.vectors(name, &clamped, ElementType::Vec4)
    }

    fn floats(
        &mut self,
        name: &str,
        purpose: Purpose,
        element: ElementType,
        values: &[f32],
    ) -> Result<(), ExportError> {
        let location = || format!("{}/attributes/{name}", self.location);
        check_count(values.len() / element.components(), self.vertices, location)?;
        let accessor = self.exporter.buffer.floats(purpose, element, values);
        let accessor = accessor.ok_or_else(|| ExportError::not_finite(location()))?;
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

    /// Adds texture coordinates that a material needs. They are 0, which readers assume.
    pub(super) fn pad_texcoords(&mut self, found: usize, materials: &[usize]) {
        let all = &self.exporter.document.materials;
        let used = materials.iter().filter_map(|material| all.get(*material));
        let sets = used.flat_map(sets_needed).map(|set| set.saturating_add(1));
        let expected = sets
            .filter(|&sets| sets <= MAX_TEXCOORDS)
            .max()
            .unwrap_or(0);
        for set in found..expected as usize {
            let accessor = self.exporter.buffer.zeros(ElementType::Vec2, self.vertices);
            self.written
                .push((format!("TEXCOORD_{set}").into(), accessor));
        }
    }

    /// Normalises directions that readers would refuse. A zero vector becomes z.
    fn make_units(&mut self, directions: &mut [Vec3], name: &str) {
        let mut changed = 0;
        for direction in directions.iter_mut().filter(|d| d.is_finite()) {
            if (direction.length() - 1.0).abs() > UNIT_TOLERANCE {
                // Double precision, because squares of tiny numbers underflow in single precision.
                *direction = direction.as_dvec3().normalize_or(DVec3::Z).as_vec3();
                changed += 1;
            }
        }
        if changed > 0 {
            let location = format_args!("{}/attributes/{name}", self.location);
            let message =
                format_args!("{changed} directions were not of unit length and were normalised");
            let report = &mut self.exporter.report;
            report.add(
                Severity::Repaired,
                "ACCESSOR_VECTOR3_NON_UNIT",
                location,
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
                let message = "an attribute whose number of components glTF does not support";
                let location = format_args!("{}/attributes/{}", self.location, attribute.name);
                self.exporter.leave_out(location, message);
                return Ok(());
            }
        };
        // Names without an underscore at the start are reserved for glTF.
        let name = if attribute.name.starts_with('_') {
            attribute.name.clone()
        } else {
            format!("_{}", attribute.name)
        };
        if !self.custom_names.insert(name.clone()) {
            return Ok(());
        }
        self.vectors(&name, &attribute.values, element)
    }

    fn influences(&mut self, influences: &Arc<Influences>) -> Result<(), ExportError> {
        let location = || format!("{}/attributes/JOINTS_0", self.location);
        check_count(influences.len(), self.vertices, location)?;
        let key = address(influences);
        if let Some(known) = self.exporter.shared.influences.get(&key) {
            self.written.extend(known.iter().cloned());
            return Ok(());
        }
        let first = self.written.len();
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
            for (slot, (&joint, &weight)) in from_joints.iter().zip(&row).enumerate() {
                joints[slot / 4][4 * vertex + slot % 4] = joint;
                weights[slot / 4][4 * vertex + slot % 4] = weight;
            }
        }
        if changed > 0 {
            let message = format_args!(
                "the weights of {changed} vertices did not sum to 1 and were normalised"
            );
            let report = &mut self.exporter.report;
            report.add(
                Severity::Repaired,
                "ACCESSOR_WEIGHTS_NON_NORMALIZED",
                self.location,
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
        let written = self.written[first..].to_vec();
        self.exporter.shared.influences.insert(key, written);
        Ok(())
    }
}

/// Normalises weights if their sum exceeds the tolerance of the Khronos validator. Adds them in the
/// order and precision of the validator: the first weight of every set, then the second, and so on.
fn normalize(weights: &mut [f32]) -> bool {
    let order = (0..4).flat_map(|index| (index..weights.len()).step_by(4));
    let sum: f32 = order.map(|index| weights[index]).sum();
    if (sum - 1.0).abs() <= SUM_TOLERANCE * weights.len() as f32 {
        return false;
    }
    let sum: f64 = weights.iter().map(|&w| f64::from(w)).sum();
    for weight in weights {
        *weight = (f64::from(*weight) / sum) as f32;
    }
    true
}
