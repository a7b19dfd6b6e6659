//! Skin deformers: bind pose, joints, weights and skinning method.

use super::vertices::Placement;
use crate::fbx::error::FbxError;
use crate::fbx::load::Memory;
use crate::fbx::nodes::Tree;
use crate::fbx::plain;
use crate::report::{FileReport, Severity};
use sinew::skin::Method;
use sinew::{Affine, Influences, Skin};
use ufbx::{Matrix, Mesh, SkinDeformer, SkinningMethod};

/// Marks the nodes that are joints of a skin, by scene index.
pub(in crate::fbx) fn mark_joints(scene: &ufbx::Scene, moving: &mut [bool]) {
    let mut mark = |node: &ufbx::Node| {
        if let Some(moving) = moving.get_mut(node.element.typed_id as usize) {
            *moving = true;
        }
    };
    for mesh in &scene.meshes {
        let Some(skin) = skin_of(mesh) else { continue };
        for cluster in &skin.clusters {
            cluster.bone_node.iter().for_each(|bone| mark(bone));
        }
        if has_loose_vertices(mesh, skin) {
            mesh.element
                .instances
                .first()
                .iter()
                .for_each(|node| mark(node));
        }
    }
}

/// The skin of a mesh. `None` if it has no joints, or too many.
pub(in crate::fbx) fn skin_of(mesh: &Mesh) -> Option<&SkinDeformer> {
    let skin = mesh.skin_deformers.first()?;
    let count = skin.clusters.count;
    // Joint indices have 16 bits, and one joint may be added.
    (count > 0 && count < usize::from(u16::MAX)).then_some(skin)
}

/// `model_from_geometry` at the bind pose, for the vertices of a mesh.
pub(in crate::fbx) fn placement_of(mesh: &Mesh) -> Placement {
    let bound = skin_of(mesh)
        .and_then(|skin| skin.clusters.first())
        .map(|cluster| ufbx::matrix_mul(&cluster.bind_to_world, &cluster.geometry_to_bone));
    let can_be_undone = |matrix: &Matrix| {
        plain::is_finite(matrix) && plain::is_finite(&ufbx::matrix_invert(matrix)) && {
            let determinant = ufbx::matrix_determinant(matrix).abs();
            determinant > 1e-18 && determinant < 1e18
        }
    };
    Placement {
        matrix: bound.filter(can_be_undone),
    }
}

/// Skin with joints of the skeleton and inverse binds. Several meshes may share it.
pub(in crate::fbx) fn skin(
    mesh: &Mesh,
    skin: &SkinDeformer,
    placement: &Placement,
    tree: &Tree,
    memory: &mut Memory,
) -> Result<Skin, FbxError> {
    let a_joint = size_of::<usize>() + size_of::<Affine>();
    memory.take(2 * a_joint * (skin.clusters.count + 1) + skin.element.name.len())?;
    let geometry_from_model = match &placement.matrix {
        Some(matrix) => ufbx::matrix_invert(matrix),
        None => ufbx::identity_matrix(),
    };
    let mut built = Skin {
        name: skin.element.name.to_string(),
        ..Skin::default()
    };
    let mut add = |node: Option<&ufbx::Node>, node_from_geometry: &Matrix| {
        let joint = node.and_then(|node| tree.joint_of[node.element.typed_id as usize]);
        let inverse_bind = ufbx::matrix_mul(node_from_geometry, &geometry_from_model);
        built.joints.push(joint.unwrap_or(0));
        built.joint_from_model.push(plain::affine(&inverse_bind));
    };
    for cluster in &skin.clusters {
        add(cluster.bone_node.as_deref(), &cluster.geometry_to_bone);
    }
    if has_loose_vertices(mesh, skin)
        && let Some(node) = mesh.element.instances.first()
    {
        add(Some(node), &node.geometry_to_node);
    }
    Ok(built)
}

/// Influences of vertices that come from these control points. Vertices without a joint follow the
/// node of the mesh.
pub(in crate::fbx) fn influences(
    skin: &SkinDeformer,
    points: &[u32],
    joints: usize,
    pointer: &str,
    memory: &mut Memory,
    report: &mut FileReport,
) -> Result<Option<Influences>, FbxError> {
    let listed = |point: &u32| weights_of(skin, *point).len().max(1);
    let all = points.iter().map(listed).fold(0, usize::saturating_add);
    memory.take(all.saturating_mul(6).saturating_add(4 * points.len()))?;
    // A list grows to twice its length, and to at least four items.
    let a_list = size_of::<Vec<(u16, f32)>>() + 4 * size_of::<(u16, f32)>();
    let meanwhile = all.saturating_mul(2 * size_of::<(u16, f32)>());
    let meanwhile = meanwhile.saturating_add(points.len() * a_list);
    memory.take(meanwhile)?;
    let loose = u16::try_from(joints.saturating_sub(1)).unwrap_or(u16::MAX);
    let list = |point: &u32| -> Vec<(u16, f32)> {
        let weights = weights_of(skin, *point);
        let listed = weights.iter().filter(|weight| weight.weight > 0.0);
        let listed = listed.filter_map(|weight| {
            Some((
                u16::try_from(weight.cluster_index).ok()?,
                plain::number(weight.weight),
            ))
        });
        let listed: Vec<_> = listed.collect();
        if listed.is_empty() {
            vec![(loose, 1.0)]
        } else {
            listed
        }
    };
    let lists: Vec<_> = points.iter().map(list).collect();
    let read = Influences::from_lists(&lists, joints);
    drop(lists);
    memory.give_back(meanwhile);
    let Ok((influences, repairs)) = read else {
        return Ok(None);
    };
    if repairs.renormalized > 0 {
        let message = format_args!(
            "the weights of {} of {} vertices did not sum to 1 and were normalised",
            repairs.renormalized,
            influences.len()
        );
        report.add(
            Severity::Repaired,
            "FBX_WEIGHTS_NOT_NORMALIZED",
            pointer,
            message,
        );
    }
    Ok(Some(influences))
}

fn weights_of(skin: &SkinDeformer, point: u32) -> &[ufbx::SkinWeight] {
    let Some(vertex) = skin.vertices.get(point as usize) else {
        return &[];
    };
    let begin = vertex.weight_begin as usize;
    let weights = skin.weights.get(begin..begin + vertex.num_weights as usize);
    weights.unwrap_or_default()
}

fn has_loose_vertices(mesh: &Mesh, skin: &SkinDeformer) -> bool {
    let is_loose = |point: u32| weights_of(skin, point).iter().all(|w| w.weight <= 0.0);
    let points = u32::try_from(mesh.num_vertices).unwrap_or(u32::MAX);
    (0..points).any(is_loose)
}

/// Method of the first skin that is not linear, else linear. `None` without skins.
pub(in crate::fbx) fn method_of(scene: &ufbx::Scene, report: &mut FileReport) -> Option<Method> {
    let mut method = None;
    for skin in &scene.skin_deformers {
        let pointer = format_args!("skin `{}`", &*skin.element.name);
        let stated = match skin.skinning_method {
            SkinningMethod::Linear => Method::Linear,
            SkinningMethod::Rigid => Method::Rigid,
            SkinningMethod::DualQuaternion => Method::DualQuat,
            SkinningMethod::BlendedDqLinear => {
                let weights = skin.vertices.iter().map(|vertex| vertex.dq_weight);
                let half = 0.5 * skin.vertices.count as f64;
                let message = "the skin blends linear and dual quaternion skinning per vertex; the method of more vertices is used for all";
                report.add(Severity::Ignored, "FBX_BLENDED_SKINNING", pointer, message);
                if weights.sum::<f64>() > half {
                    Method::DualQuat
                } else {
                    Method::Linear
                }
            }
        };
        match method {
            None | Some(Method::Linear) => method = Some(stated),
            Some(_) => {}
        }
    }
    if let Some(Method::DualQuat) = method {
        let message = "the file requests dual quaternion skinning";
        report.add(Severity::Note, "FBX_DUAL_QUATERNION", "", message);
    }
    method
}
