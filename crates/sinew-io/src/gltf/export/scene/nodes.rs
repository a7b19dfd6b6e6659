use super::flat::settled;
use crate::gltf::document::schema::{self, Scene};
use crate::gltf::export::error::{ExportError, check_reference};
use crate::gltf::export::exporter::{Exporter, name};
use crate::gltf::export::meshes::WrittenMesh;
use crate::gltf::export::plan::{Added, Plan};
use crate::gltf::extras::freedom::write_joint;
use crate::gltf::import::{local_of, rest_of};
use crate::report::Severity;
use sinew::{Affine, Transform};
use std::collections::{HashMap, HashSet};

/// Max shear, relative to scale, of a matrix that counts as translation, rotation and scale.
const SHEAR_TOLERANCE: f32 = 1e-4;

/// Max error of the length of a rotation. Readers tolerate more.
const UNIT_TOLERANCE: f32 = 0.005;

pub(in crate::gltf) fn write(
    exporter: &mut Exporter<'_>,
    plan: &Plan,
    meshes: &[Option<WrittenMesh>],
    skins: &[Option<u32>],
) -> Result<(), ExportError> {
    let own = exporter.character.nodes.len();
    let mut nodes = std::mem::take(&mut exporter.document.nodes);
    nodes.truncate(own);
    nodes.resize_with(plan.parents.len(), schema::Node::default);
    for (index, node) in nodes.iter_mut().enumerate() {
        let location = format!("/nodes/{index}");
        match index.checked_sub(own) {
            None => {
                write_own(exporter, node, index, &location, meshes, skins)?;
                write_transform(exporter, node, index, &location, plan)?;
                let joint = exporter.character.nodes[index].joint;
                limit(exporter, node, joint_at(plan, index, joint), &location)?;
            }
            Some(added) => {
                write_added(exporter, node, plan.added[added], &location)?;
                if let Added::Joint(joint) = plan.added[added] {
                    limit(exporter, node, Some(joint), &location)?;
                }
            }
        }
    }
    write_children(&mut nodes, plan);
    exporter.document.nodes = nodes;
    Ok(())
}

fn write_own(
    exporter: &mut Exporter<'_>,
    node: &mut schema::Node,
    index: usize,
    location: &str,
    meshes: &[Option<WrittenMesh>],
    skins: &[Option<u32>],
) -> Result<(), ExportError> {
    let character = exporter.character;
    let from = &character.nodes[index];
    node.name = name(&from.name);
    let camera = node
        .camera
        .and_then(|camera| exporter.cameras.get(camera as usize));
    node.camera = camera.copied().flatten();
    (node.mesh, node.skin, node.weights) = (None, None, None);
    let Some(mesh_index) = from.mesh else {
        return Ok(());
    };
    check_reference(mesh_index, meshes.len(), || format!("{location}/mesh"))?;
    let Some(mesh) = meshes[mesh_index].as_ref() else {
        return Ok(());
    };
    node.mesh = Some(mesh.index);
    if mesh.targets > 0 && !from.morph_weights.is_empty() {
        let weights = crate::gltf::export::meshes::weights(&from.morph_weights, mesh.targets);
        node.weights = Some(weights.ok_or_else(|| ExportError::not_finite(location))?);
    }
    let Some(skin) = from.skin else {
        return Ok(());
    };
    check_reference(skin, skins.len(), || format!("{location}/skin"))?;
    let joints = character.skins[skin].joints.len();
    if let Some(joint) = mesh.max_joint {
        check_reference(joint, joints, || format!("{location}/mesh"))?;
        node.skin = skins[skin];
    }
    Ok(())
}

/// Joint that moves a node. A joint moves only its first node.
fn joint_at(plan: &Plan, node: usize, joint: Option<usize>) -> Option<usize> {
    joint.filter(|&joint| plan.node_of_joint[joint] == Some(node))
}

fn limit(
    exporter: &mut Exporter<'_>,
    node: &mut schema::Node,
    joint: Option<usize>,
    location: &str,
) -> Result<(), ExportError> {
    let skeleton = &exporter.character.skeleton;
    let freedom = joint.map(|joint| skeleton.freedom(joint));
    let deforms = joint.and_then(|joint| skeleton.deforms(joint));
    if !write_joint(freedom, deforms, &mut node.rest)? {
        let message = "limits were left out, because the extras are not an object";
        let report = &mut exporter.report;
        report.add(Severity::Ignored, "EXTRAS_OCCUPIED", location, message);
    }
    Ok(())
}

/// Writes the transform of a node. Keeps the text of the source if it gives the same transform.
fn write_transform(
    exporter: &mut Exporter<'_>,
    node: &mut schema::Node,
    index: usize,
    location: &str,
    plan: &Plan,
) -> Result<(), ExportError> {
    let character = exporter.character;
    let from = &character.nodes[index];
    let map = from.parent_from_node;
    if !map.is_finite() {
        return Err(ExportError::not_finite(location));
    }
    let is_flat = map.determinant() == 0.0;
    // A flat map that is read without its joint must come back from the map alone.
    let joint = joint_at(plan, index, from.joint).filter(|j| !is_flat || plan.stays_joint[*j]);
    let rest = joint.map(|joint| character.skeleton.rest().get(joint));
    let is_animated = joint.is_some_and(|joint| plan.is_animated[joint]);
    let (nearest, shear) = Transform::from_affine(&map);
    let fits_matrix = !is_animated && !is_flat;
    let source = exporter
        .source
        .and_then(|source| source.document.nodes.get(index));
    if let Some(source) = source
        && is_valid(source, &map, fits_matrix)
        && means(source, &map, rest.as_ref())
    {
        return Ok(());
    }
    match rest {
        // Only a transform that came from a matrix becomes a matrix again.
        Some(rest) if !fits_matrix || rest != nearest || rest.to_affine() == map => {
            set_parts(node, &rest);
        }
        Some(rest) if shear > SHEAR_TOLERANCE => set_parts(node, &rest),
        None if is_flat && nearest.is_finite() => {
            let is_same = |parts: &Transform| bits(&parts.to_affine()) == bits(&map);
            let parts = if is_same(&nearest) {
                nearest
            } else {
                settled(&nearest)
            };
            if !is_same(&parts) {
                let (severity, lost) = if shear > SHEAR_TOLERANCE {
                    (Severity::Ignored, "its shear was left out")
                } else {
                    (Severity::Note, "its values were rounded")
                };
                let message = format_args!(
                    "the node's scale is 0 along an axis, so glTF must store translation, rotation and scale instead of a matrix; {lost}"
                );
                exporter
                    .report
                    .add(severity, "NODE_FLAT", location, message);
            }
            set_parts(node, &parts);
        }
        None if nearest.to_affine() == map => set_parts(node, &nearest),
        _ => {
            if shear > SHEAR_TOLERANCE {
                let message = "the node is sheared, which glTF does not allow; many programs ignore the shear";
                exporter
                    .report
                    .add(Severity::Note, "NODE_MATRIX_NON_TRS", location, message);
            }
            set_matrix(node, &map);
        }
    }
    Ok(())
}

fn is_valid(node: &schema::Node, map: &Affine, fits_matrix: bool) -> bool {
    let has_parts = node.translation.is_some() || node.rotation.is_some() || node.scale.is_some();
    if let Some(matrix) = &node.matrix {
        return fits_matrix && !has_parts && **matrix == map.to_cols_array();
    }
    node.rotation.as_deref().is_none_or(|rotation| {
        let length = rotation.iter().map(|c| c * c).sum::<f32>().sqrt();
        (length - 1.0).abs() < UNIT_TOLERANCE && rotation.iter().all(|c| c.abs() <= 1.0)
    })
}

fn bits(map: &Affine) -> [[u32; 4]; 3] {
    map.rows.map(|row| row.map(f32::to_bits))
}

/// True if a node has exactly this map and, for a joint, this transform.
fn means(node: &schema::Node, map: &Affine, rest: Option<&Transform>) -> bool {
    bits(&local_of(node)) == bits(map) && rest.is_none_or(|rest| *rest == rest_of(node))
}

fn set_parts(node: &mut schema::Node, parts: &Transform) {
    fn unless<const N: usize>(value: [f32; N], default: [f32; N]) -> Option<Box<[f32; N]>> {
        (value.map(f32::to_bits) != default.map(f32::to_bits)).then(|| Box::new(value))
    }
    // Rounding may give a component just above 1, which readers refuse.
    let rotation = parts.rotation.to_array().map(|c| c.clamp(-1.0, 1.0));
    node.matrix = None;
    node.translation = unless(parts.translation.to_array(), [0.0; 3]);
    node.rotation = unless(rotation, [0.0, 0.0, 0.0, 1.0]);
    node.scale = unless(parts.scale.to_array(), [1.0; 3]);
}

fn set_matrix(node: &mut schema::Node, map: &Affine) {
    node.matrix = Some(Box::new(map.to_cols_array()));
    (node.translation, node.rotation, node.scale) = (None, None, None);
}

fn write_added(
    exporter: &Exporter<'_>,
    node: &mut schema::Node,
    added: Added,
    location: &str,
) -> Result<(), ExportError> {
    let skeleton = &exporter.character.skeleton;
    let (Added::Joint(joint) | Added::Copy(joint)) = added;
    node.name = name(skeleton.name(joint));
    if let Added::Joint(joint) = added {
        let rest = skeleton.rest().get(joint);
        if !rest.is_finite() {
            return Err(ExportError::not_finite(location));
        }
        set_parts(node, &rest);
    }
    Ok(())
}

/// Keeps the order of children in the source. New children follow.
fn write_children(nodes: &mut [schema::Node], plan: &Plan) {
    let mut is_listed = vec![false; nodes.len()];
    for (index, node) in nodes.iter_mut().enumerate() {
        let mut children = Vec::new();
        for &child in &node.children {
            let child_index = child as usize;
            if plan.parents.get(child_index) == Some(&Some(index)) && !is_listed[child_index] {
                is_listed[child_index] = true;
                children.push(child);
            }
        }
        node.children = children.into();
    }
    let mut new_children = vec![Vec::new(); nodes.len()];
    for (child, parent) in plan.parents.iter().enumerate() {
        if let (Some(parent), false) = (parent, is_listed[child]) {
            new_children[*parent].push(child as u32);
        }
    }
    for (node, new) in nodes.iter_mut().zip(new_children) {
        if !new.is_empty() {
            let all = node.children.iter().copied().chain(new);
            node.children = all.collect();
        }
    }
}

/// Keeps the scenes of the source and adds new roots to the default scene. Without a source, makes
/// one scene of all roots.
pub(in crate::gltf) fn write_scenes(exporter: &mut Exporter<'_>, plan: &Plan) {
    let is_root = |&node: &usize| plan.parents[node].is_none();
    let nodes = plan.parents.len();
    let Some(source) = exporter.source else {
        if nodes > 0 {
            exporter.document.scenes = vec![Scene {
                nodes: (0..nodes).filter(is_root).map(|node| node as u32).collect(),
                ..Scene::default()
            }];
            exporter.document.scene = Some(0);
        }
        return;
    };
    let followed = followed_roots(exporter, plan);
    let own = exporter.character.nodes.len();
    let first_new = source.document.nodes.len().min(own);
    let document = &mut exporter.document;
    let scenes = document.scenes.len();
    document.scene = document.scene.filter(|&scene| (scene as usize) < scenes);
    let shown = document.scene.unwrap_or(0) as usize;
    for (index, scene) in document.scenes.iter_mut().enumerate() {
        let known = scene.nodes.iter().map(|&node| node as usize);
        let known = known
            .filter(|&node| node < nodes)
            .map(|node| plan.tops[node]);
        let new = (first_new..nodes).filter(|node| index == shown && is_root(node));
        let mut listed = HashSet::new();
        let mut roots: Vec<usize> = known
            .chain(new)
            .filter(|&root| listed.insert(root))
            .collect();
        let mut next = 0;
        while let Some(root) = roots.get(next) {
            let moved_by = followed.get(root).into_iter().flatten().copied();
            let missing: Vec<usize> = moved_by.filter(|&top| listed.insert(top)).collect();
            roots.extend(missing);
            next += 1;
        }
        scene.nodes = roots.into_iter().map(|root| root as u32).collect();
    }
}

/// For every root with skinned meshes, the roots of their joints, which must be in the same scenes.
fn followed_roots(exporter: &Exporter<'_>, plan: &Plan) -> HashMap<usize, HashSet<usize>> {
    let mut followed: HashMap<usize, HashSet<usize>> = HashMap::new();
    for (index, node) in exporter.character.nodes.iter().enumerate() {
        let joints = node.skin.and_then(|skin| plan.skin_nodes.get(skin));
        if let Some(&joint) = joints.and_then(|joints| joints.first()) {
            let followed = followed.entry(plan.tops[index]).or_default();
            followed.insert(plan.tops[joint]);
        }
    }
    followed
}
