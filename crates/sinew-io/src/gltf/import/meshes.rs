use std::borrow::Cow;
use std::sync::Arc;

use glam::{Vec3, Vec4};
use sinew::mesh::{CustomAttribute, Deltas, Morph};
use sinew::steps::pause;
use sinew::{Mesh, Primitive};

use super::influences;
use super::shared::Arrays;
use super::topology::Mode;
use crate::gltf::bytes::accessor::Decoder;
use crate::gltf::check::data;
use crate::gltf::document::error::GltfError;
use crate::gltf::document::format::{ElementType, Semantic};
use crate::gltf::document::json::{self, NamedIndices};
use crate::gltf::document::schema;
use crate::report::Severity;

/// The meshes of the file. A primitive that cannot be drawn becomes empty.
pub(super) async fn meshes(decoder: &mut Decoder<'_>) -> Result<Vec<Mesh>, GltfError> {
    let document = decoder.document();
    let joint_counts = influences::joint_counts(document);
    let mut arrays = Arrays::default();
    let mut meshes = Vec::with_capacity(document.meshes.len());
    for (index, mesh) in document.meshes.iter().enumerate() {
        let mut primitives = Vec::with_capacity(mesh.primitives.len());
        for (number, primitive) in mesh.primitives.iter().enumerate() {
            let pointer = format!("/meshes/{index}/primitives/{number}");
            decoder.budget().charge(
                size_of::<Primitive>() as u64,
                "a primitive",
                pointer.as_str(),
            )?;
            let joint_count = joint_counts[index];
            let primitive = primitive_of(decoder, &mut arrays, primitive, joint_count, &pointer);
            primitives.push(primitive.await?);
        }
        let targets = mesh
            .primitives
            .first()
            .map_or(0, |first| first.targets.len());
        let weights = mesh
            .weights
            .as_deref()
            .filter(|weights| weights.len() == targets)
            .unwrap_or_default();
        meshes.push(Mesh {
            name: mesh.name.as_deref().unwrap_or_default().to_owned(),
            primitives,
            morph_names: morph_names(decoder, mesh, index)?,
            morph_weights: weights.iter().map(|weight| *weight as f32).collect(),
        });
    }
    Ok(meshes)
}

fn morph_names(
    decoder: &mut Decoder<'_>,
    mesh: &schema::Mesh,
    index: usize,
) -> Result<Vec<String>, GltfError> {
    let extras = mesh.rest.get("extras").map(|extras| extras.get());
    let Some(list) = extras.and_then(|extras| json::member(extras, "targetNames")) else {
        return Ok(Vec::new());
    };
    // An empty name takes three bytes in the file and a whole string in memory.
    let count = json::strings(list).count();
    let bytes = count * size_of::<String>() + list.len();
    let pointer = format!("/meshes/{index}/extras/targetNames");
    decoder
        .budget()
        .charge(bytes as u64, "names of morph targets", pointer)?;
    let mut names = Vec::with_capacity(count);
    names.extend(json::strings(list).map(Cow::into_owned));
    Ok(names)
}

async fn primitive_of(
    decoder: &mut Decoder<'_>,
    arrays: &mut Arrays,
    source: &schema::Primitive,
    joint_count: Option<usize>,
    pointer: &str,
) -> Result<Primitive, GltfError> {
    let mut primitive = Primitive::default();
    let (Some(position), Some(mode)) = (
        source.attributes.get("POSITION"),
        Mode::from_number(source.mode.unwrap_or(4)),
    ) else {
        return Ok(primitive);
    };
    pause().await;
    primitive.positions = arrays.vec3.get::<f32>(decoder, position, |_, _| {})?;
    primitive.topology = mode.topology();
    let materials = decoder.document().materials.len();
    primitive.material = source
        .material
        .map(|material| material as usize)
        .filter(|material| *material < materials);
    read_attributes(decoder, arrays, &source.attributes, &mut primitive, pointer).await?;
    pause().await;
    primitive.influences = influences::influences(
        decoder,
        arrays,
        &source.attributes,
        joint_count,
        &format!("{pointer}/attributes"),
    )?;
    pause().await;
    primitive.indices = indices_of(decoder, arrays, source, mode, primitive.len(), pointer)?;
    let bytes = source.targets.len() * size_of::<Morph>();
    decoder
        .budget()
        .charge(bytes as u64, "morph targets", pointer)?;
    primitive.morphs.reserve_exact(source.targets.len());
    for target in &source.targets {
        pause().await;
        let morph = morph_of(decoder, arrays, target, &primitive)?;
        primitive.morphs.push(morph);
    }
    Ok(primitive)
}

async fn read_attributes(
    decoder: &mut Decoder<'_>,
    arrays: &mut Arrays,
    attributes: &NamedIndices,
    primitive: &mut Primitive,
    pointer: &str,
) -> Result<(), GltfError> {
    // Sorted by set number, which materials use as the index.
    let mut numbered = Vec::new();
    for (name, accessor) in &attributes.0 {
        let at = format!("{pointer}/attributes/{name}");
        pause().await;
        match Semantic::parse(name) {
            Some(Semantic::Normal) => {
                let check = |normals: &mut Vec<Vec3>, decoder: &mut Decoder<'_>| {
                    data::check_normals(normals, &at, decoder.report());
                };
                primitive.normals = Some(arrays.vec3.get::<f32>(decoder, *accessor, check)?);
            }
            Some(Semantic::Tangent) => {
                let check = |tangents: &mut Vec<Vec4>, decoder: &mut Decoder<'_>| {
                    data::check_tangents(tangents, &at, decoder.report());
                };
                primitive.tangents = Some(arrays.vec4.get::<f32>(decoder, *accessor, check)?);
            }
            Some(semantic @ (Semantic::TexCoord(_) | Semantic::Color(_))) => {
                numbered.push((semantic, *accessor, at));
            }
            Some(_) => {}
            None if name.starts_with('_') => {
                let format = decoder
                    .document()
                    .accessors
                    .get(*accessor as usize)
                    .and_then(|accessor| accessor.format());
                let Some(format) = format else { continue };
                primitive.custom.push(CustomAttribute {
                    name: name.to_string(),
                    width: format.element.components(),
                    values: arrays
                        .numbers
                        .get_or_make(*accessor, || decoder.values::<f32>(*accessor))?,
                });
            }
            None => {}
        }
    }
    numbered.sort_unstable();
    for (semantic, accessor, at) in numbered {
        pause().await;
        match semantic {
            Semantic::TexCoord(_) => {
                primitive
                    .texcoords
                    .push(arrays.vec2.get::<f32>(decoder, accessor, |_, _| {})?);
            }
            _ => primitive
                .colors
                .push(colors_of(decoder, arrays, accessor, &at)?),
        }
    }
    Ok(())
}

fn colors_of(
    decoder: &mut Decoder<'_>,
    arrays: &mut Arrays,
    accessor: u32,
    at: &str,
) -> Result<Arc<Vec<Vec4>>, GltfError> {
    let element = decoder
        .document()
        .accessors
        .get(accessor as usize)
        .and_then(|accessor| accessor.element_type);
    arrays.colors.get_or_make(accessor, || {
        let colors = if element == Some(ElementType::Vec3) {
            let opaque = decoder.elements::<Vec3, f32>(accessor)?;
            let bytes = (opaque.len() as u64).saturating_mul(size_of::<Vec4>() as u64);
            decoder.budget().charge(bytes, "colours", at)?;
            let colors = opaque.iter().map(|color| color.extend(1.0)).collect();
            decoder
                .budget()
                .release((opaque.len() * size_of::<Vec3>()) as u64);
            colors
        } else {
            decoder.elements::<Vec4, f32>(accessor)?
        };
        data::check_colors(bytemuck::cast_slice(&colors), at, decoder.report());
        Ok(colors)
    })
}

fn indices_of(
    decoder: &mut Decoder<'_>,
    arrays: &mut Arrays,
    source: &schema::Primitive,
    mode: Mode,
    vertices: usize,
    pointer: &str,
) -> Result<Option<Arc<Vec<u32>>>, GltfError> {
    let at = format!("{pointer}/indices");
    let mut all_exist = true;
    let mut restart_at = None;
    let indices = match source.indices {
        Some(accessor) => {
            let indices = arrays.indices.get::<u32>(decoder, accessor, |_, _| {})?;
            let greatest = arrays.greatest_index.entry(accessor);
            let greatest = *greatest.or_insert_with(|| {
                indices
                    .iter()
                    .fold(0, |greatest, index| (*index).max(greatest))
            });
            let component = decoder
                .document()
                .accessors
                .get(accessor as usize)
                .and_then(|accessor| accessor.component_type);
            let restart = component.map_or(u32::MAX, |component| component.range().1 as u32);
            let exists = |index: &u32| *index == restart || (*index as usize) < vertices;
            if greatest == restart
                && restarts(decoder.document(), mode)
                && indices.iter().all(exists)
            {
                restart_at = Some(restart);
            } else if greatest == restart || greatest as usize >= vertices {
                let known = arrays.all_exist.entry((accessor, vertices));
                all_exist = *known.or_insert_with(|| {
                    data::check_indices(&indices, vertices, restart, &at, decoder.report())
                });
            }
            Some(indices)
        }
        None => None,
    };
    if mode.is_list() && all_exist {
        return Ok(indices);
    }
    let key = (source.indices, source.mode.unwrap_or(4), vertices);
    if let Some(list) = arrays.lists.get(&key) {
        return Ok(Some(Arc::clone(list)));
    }
    let count = indices.as_ref().map_or(vertices, |indices| indices.len());
    let bytes = (mode.listed_length(count) as u64).saturating_mul(size_of::<u32>() as u64);
    decoder
        .budget()
        .charge(bytes.saturating_mul(2), "indices", at)?;
    let list = match &indices {
        Some(indices) => match restart_at {
            Some(restart) => mode.to_list_of_many(indices, restart, vertices),
            None => mode.to_list(indices, vertices),
        },
        None => mode.to_list(
            &(0..u32::try_from(vertices).unwrap_or(u32::MAX)).collect::<Vec<_>>(),
            vertices,
        ),
    };
    let list = Arc::new(list);
    arrays.lists.insert(key, Arc::clone(&list));
    Ok(Some(list))
}

/// True if the max index value starts a new strip, fan or loop.
fn restarts(document: &schema::Document, mode: Mode) -> bool {
    let mut used = document.extensions_used.iter();
    !mode.is_list() && used.any(|name| &**name == "KHR_mesh_primitive_restart")
}

fn morph_of(
    decoder: &mut Decoder<'_>,
    arrays: &mut Arrays,
    target: &NamedIndices,
    primitive: &Primitive,
) -> Result<Morph, GltfError> {
    let mut morph = Morph::default();
    for (name, accessor) in &target.0 {
        let slot = match Semantic::parse(name) {
            Some(Semantic::Position) => &mut morph.positions,
            Some(Semantic::Normal) if primitive.normals.is_some() => &mut morph.normals,
            Some(Semantic::Tangent) if primitive.tangents.is_some() => &mut morph.tangents,
            Some(_) => {
                let at = format_args!("/accessors/{accessor}");
                let message =
                    format_args!("morph targets of `{name}` are not supported and were left out");
                decoder.report().add(
                    Severity::Ignored,
                    "UNSUPPORTED_MORPH_ATTRIBUTE",
                    at,
                    message,
                );
                continue;
            }
            None => continue,
        };
        *slot = Some(deltas_of(decoder, arrays, *accessor)?);
    }
    Ok(morph)
}

fn deltas_of(
    decoder: &mut Decoder<'_>,
    arrays: &mut Arrays,
    accessor: u32,
) -> Result<Deltas, GltfError> {
    if let Some(known) = arrays.deltas.get(&accessor) {
        return Ok(known.clone());
    }
    let deltas = match decoder.sparse_elements::<Vec3>(accessor)? {
        Some(sparse) => Deltas {
            vertices: Some(Arc::new(sparse.indices)),
            values: Arc::new(sparse.elements),
        },
        None => Deltas {
            vertices: None,
            values: arrays.vec3.get::<f32>(decoder, accessor, |_, _| {})?,
        },
    };
    arrays.deltas.insert(accessor, deltas.clone());
    Ok(deltas)
}
