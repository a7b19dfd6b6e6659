mod attributes;
mod morphs;

use super::error::{ExportError, check_reference};
use super::exporter::{Exporter, name};
use super::plan::Plan;
use super::shared::address;
use crate::gltf::check::variant_materials;
use crate::gltf::document::{nested, schema};
use crate::gltf::extras::correctives::write_correctives;
use crate::report::Severity;
use attributes::Attributes;
use serde_json::value::to_raw_value;
use sinew::mesh::{Mesh, Primitive, Topology};
use sinew::steps::pause;
use std::sync::Arc;

pub(super) struct WrittenMesh {
    pub(super) index: u32,
    pub(super) targets: usize,
    /// Largest joint index of any vertex. `None` without a skin.
    pub(super) max_joint: Option<usize>,
}

pub(super) async fn write(
    exporter: &mut Exporter<'_>,
    plan: &Plan,
) -> Result<Vec<Option<WrittenMesh>>, ExportError> {
    let mut written = Vec::new();
    let mut written_meshes = Vec::with_capacity(exporter.character.meshes.len());
    let mut source = std::mem::take(&mut exporter.document.meshes);
    source.resize_with(exporter.character.meshes.len(), schema::Mesh::default);
    for (index, (mesh, source)) in exporter.character.meshes.iter().zip(source).enumerate() {
        let influences = mesh.primitives.iter().filter(|p| !is_empty(p));
        let influences = influences.filter_map(|p| p.influences.as_ref());
        let written_mesh = WrittenMesh {
            index: written.len() as u32,
            targets: written_targets(mesh),
            max_joint: influences.filter_map(|i| i.max_joint()).max(),
        };
        let targets = written_mesh.targets;
        let mut mesh = write_mesh(exporter, index, mesh, source, targets).await?;
        let own = exporter.character.correctives.iter();
        let own = own.filter(|corrective| corrective.mesh == index);
        if own
            .clone()
            .any(|own| !own.rotation.is_finite() || !own.falloff_rad.is_finite())
        {
            return Err(ExportError::not_finite(format!("/meshes/{index}")));
        }
        if !write_correctives(own, &plan.node_of_joint, &mut mesh.rest)? {
            let message = "correctives were left out, because the extras are not an object";
            let (report, location) = (&mut exporter.report, format_args!("/meshes/{index}"));
            report.add(Severity::Ignored, "EXTRAS_OCCUPIED", location, message);
        }
        let has_primitives = !mesh.primitives.is_empty();
        written_meshes.push(has_primitives.then_some(written_mesh));
        if has_primitives {
            written.push(mesh);
        } else if exporter
            .character
            .nodes
            .iter()
            .any(|node| node.mesh == Some(index))
        {
            exporter.leave_out(format_args!("/meshes/{index}"), "a mesh without vertices");
        }
    }
    exporter.document.meshes = written;
    Ok(written_meshes)
}

fn is_empty(primitive: &Primitive) -> bool {
    primitive.is_empty() || primitive.indices.as_ref().is_some_and(|i| i.is_empty())
}

/// Max number of morph targets per primitive. glTF requires the same number on each primitive.
fn written_targets(mesh: &Mesh) -> usize {
    let written = mesh.primitives.iter().filter(|p| !is_empty(p));
    written.map(|p| p.morphs.len()).max().unwrap_or(0)
}

/// Weights, padded to the number of targets. `None` if a weight is not finite.
pub(super) fn weights(weights: &[f32], targets: usize) -> Option<Box<[f64]>> {
    let padded = weights
        .iter()
        .copied()
        .chain(std::iter::repeat(0.0))
        .take(targets);
    let weights: Box<[f64]> = padded.map(f64::from).collect();
    weights.iter().all(|w| w.is_finite()).then_some(weights)
}

async fn write_mesh(
    exporter: &mut Exporter<'_>,
    index: usize,
    mesh: &Mesh,
    mut written: schema::Mesh,
    targets: usize,
) -> Result<schema::Mesh, ExportError> {
    let location = format!("/meshes/{index}");
    let mut source = std::mem::take(&mut written.primitives);
    if source.len() != mesh.primitives.len() {
        source = vec![schema::Primitive::default(); mesh.primitives.len()];
    }
    for (number, (primitive, source)) in mesh.primitives.iter().zip(source).enumerate() {
        let location = format!("{location}/primitives/{number}");
        if is_empty(primitive) {
            exporter.leave_out(&location, "a primitive without vertices or indices");
            continue;
        }
        pause().await;
        let mut part = write_primitive(exporter, primitive, &source, &location)?;
        morphs::write(exporter, primitive, &source, targets, &mut part, &location)?;
        part.rest = source.rest;
        written.primitives.push(part);
    }
    written.name = name(&mesh.name);
    written.weights = None;
    if targets > 0 && !mesh.morph_weights.is_empty() {
        let weights = weights(&mesh.morph_weights, targets);
        written.weights = Some(weights.ok_or_else(|| ExportError::not_finite(&location))?);
    }
    if targets > 0 && !mesh.morph_names.is_empty() {
        let names = to_raw_value(&mesh.morph_names)?;
        if !nested::set_nested(&mut written.rest, "extras", "targetNames", Some(names))? {
            let message =
                "the names of morph targets were left out, because the extras are not an object";
            exporter
                .report
                .add(Severity::Ignored, "EXTRAS_OCCUPIED", &location, message);
        }
    }
    Ok(written)
}

fn write_primitive(
    exporter: &mut Exporter<'_>,
    primitive: &Primitive,
    source: &schema::Primitive,
    location: &str,
) -> Result<schema::Primitive, ExportError> {
    let mut attributes = Attributes::new(exporter, location, primitive.len());
    attributes.write(primitive)?;
    if let Some(material) = primitive.material {
        let materials = attributes.exporter.document.materials.len();
        check_reference(material, materials, || format!("{location}/material"))?;
        let variants = variant_materials(source).map(|(_, material)| material);
        let materials: Vec<usize> = variants.chain([material]).collect();
        attributes.pad_texcoords(primitive.texcoords.len(), &materials);
    }
    let attributes = attributes.finish();
    let indices = match &primitive.indices {
        None => None,
        Some(indices) => Some(write_indices(exporter, indices, primitive.len(), location)?),
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

fn write_indices(
    exporter: &mut Exporter<'_>,
    indices: &Arc<Vec<u32>>,
    vertices: usize,
    location: &str,
) -> Result<u32, ExportError> {
    let known = exporter.shared.indices.get(&address(indices)).copied();
    let (accessor, greatest) = known.unwrap_or_else(|| {
        let greatest = indices.iter().max().copied().unwrap_or(0) as usize;
        (exporter.buffer.indices(indices), greatest)
    });
    check_reference(greatest, vertices, || format!("{location}/indices"))?;
    let written = (accessor, greatest);
    exporter.shared.indices.insert(address(indices), written);
    Ok(accessor)
}
