//! Meshes with skins and morph targets, one primitive per material.

pub(super) mod morphs;
pub(super) mod skins;
pub(super) mod vertices;

use super::error::FbxError;
use super::load::Memory;
use super::nodes::Tree;
use crate::report::FileReport;
use sinew::mesh::Morph;
use sinew::{Mesh, Node, Primitive, Skin};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::Arc;
use ufbx::Scene;

#[derive(Default)]
pub(super) struct Meshes {
    pub(super) meshes: Vec<Mesh>,
    pub(super) skins: Vec<Skin>,
}

struct Built {
    mesh: Mesh,
    /// Index in the materials of the mesh, per primitive.
    slots: Vec<usize>,
    skin: Option<usize>,
}

/// Builds every mesh once. A node with other materials gets a copy that shares the vertices.
pub(super) fn meshes(
    scene: &Scene,
    tree: &Tree,
    nodes: &mut [Node],
    memory: &mut Memory,
    report: &mut FileReport,
) -> Result<Meshes, FbxError> {
    let mut out = Meshes::default();
    let mut built: HashMap<u32, Built> = HashMap::new();
    let mut known: HashMap<(u32, Vec<u32>), usize> = HashMap::new();
    for (index, source) in scene.nodes.as_ref().iter().enumerate() {
        let (Some(mesh), Some(node)) = (source.mesh.as_deref(), tree.node_of[index]) else {
            continue;
        };
        let id = mesh.element.typed_id;
        let of_mesh = match built.entry(id) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(entry) => {
                entry.insert(build(mesh, tree, &mut out.skins, memory, report)?)
            }
        };
        let listed = |list: &ufbx::RefList<ufbx::Material>| -> Vec<u32> {
            list.into_iter()
                .map(|material| material.element.typed_id)
                .collect()
        };
        let materials = if source.materials.is_empty() {
            listed(&mesh.materials)
        } else {
            listed(&source.materials)
        };
        let mesh_index = match known.get(&(id, materials.clone())) {
            Some(mesh_index) => *mesh_index,
            None => {
                memory.take(bytes_of_copy(&of_mesh.mesh))?;
                let mut mesh = of_mesh.mesh.clone();
                for (primitive, slot) in mesh.primitives.iter_mut().zip(&of_mesh.slots) {
                    primitive.material = materials.get(*slot).map(|material| *material as usize);
                }
                out.meshes.push(mesh);
                known.insert((id, materials), out.meshes.len() - 1);
                out.meshes.len() - 1
            }
        };
        nodes[node].mesh = Some(mesh_index);
        nodes[node].skin = of_mesh.skin;
    }
    Ok(out)
}

fn build(
    mesh: &ufbx::Mesh,
    tree: &Tree,
    all_skins: &mut Vec<Skin>,
    memory: &mut Memory,
    report: &mut FileReport,
) -> Result<Built, FbxError> {
    let name = if mesh.element.name.is_empty() {
        mesh.element
            .instances
            .first()
            .map_or("", |node| &node.element.name)
    } else {
        &mesh.element.name
    };
    let pointer = format!("mesh `{name}`");
    let placement = skins::placement_of(mesh);
    let deformer = skins::skin_of(mesh);
    let skin = match deformer {
        Some(deformer) => {
            all_skins.push(skins::skin(mesh, deformer, &placement, tree, memory)?);
            Some(all_skins.len() - 1)
        }
        None => None,
    };
    let (mut primitives, mut slots) = (Vec::new(), Vec::new());
    let of_faces = size_of::<u32>() * mesh.num_faces;
    memory.take(of_faces)?;
    for (slot, faces) in parts(mesh) {
        let faces = faces.iter().map(|face| *face as usize);
        let read = vertices::primitive_of(mesh, faces, &placement, memory)?;
        let Some((mut primitive, points)) = read else {
            continue;
        };
        primitive.morphs = {
            let has_normals = primitive.normals.is_some();
            morphs::targets(mesh, &points, has_normals, &placement, memory)?
        };
        if let (Some(deformer), Some(skin)) = (deformer, skin) {
            let joints = all_skins[skin].joints.len();
            let influences =
                skins::influences(deformer, &points, joints, &pointer, memory, report)?;
            primitive.influences = influences.map(Arc::new);
        }
        primitives.push(primitive);
        slots.push(slot);
    }
    memory.give_back(of_faces);
    let weights = morphs::channels(mesh).flat_map(|c| morphs::share(c, c.weight));
    let mesh = Mesh {
        name: name.to_owned(),
        primitives,
        morph_names: morphs::names(mesh),
        morph_weights: weights.map(super::plain::number).collect(),
    };
    memory.take(bytes_of_copy(&mesh))?;
    Ok(Built { mesh, slots, skin })
}

/// Bytes of a mesh that shares its vertices with another mesh: names, primitives and lists.
fn bytes_of_copy(mesh: &Mesh) -> usize {
    let a_name = |name: &String| size_of::<String>() + size_of::<f32>() + name.len();
    let a_primitive = |primitive: &Primitive| {
        let sets = primitive.texcoords.len() + primitive.colors.len();
        size_of::<Primitive>()
            + size_of::<Morph>() * primitive.morphs.len()
            + size_of::<usize>() * sets
    };
    let names = mesh.morph_names.iter().map(a_name).sum::<usize>();
    let primitives = mesh.primitives.iter().map(a_primitive).sum::<usize>();
    size_of::<Mesh>() + mesh.name.len() + names + primitives
}

fn parts(mesh: &ufbx::Mesh) -> Vec<(usize, Vec<u32>)> {
    if mesh.material_parts.is_empty() {
        let all = u32::try_from(mesh.num_faces).unwrap_or(u32::MAX);
        return vec![(0, (0..all).collect())];
    }
    let parts = mesh.material_parts.iter();
    parts
        .map(|part| (part.index as usize, part.face_indices.to_vec()))
        .collect()
}
