//! Repairs of faulty files. All are reported, because other programs may choose other repairs.

use crate::report::{FileReport, Severity};
use ufbx::{Mesh, Node, Scene, Vec3};

pub(super) fn defects(scene: &Scene, report: &mut FileReport) {
    let mut repaired = |code, pointer: &str, message: String| {
        report.add(Severity::Repaired, code, pointer, message);
    };
    let unit = scene.settings.unit_meters;
    if !(unit > 0.0 && unit.is_finite()) {
        let message = format!(
            "the file's unit of {unit} m is not usable, so metres are assumed; if lengths are in centimetres, import with `--scale 0.01`"
        );
        repaired("FBX_NO_UNIT", "", message);
    }
    if !ufbx::coordinate_axes_valid(scene.settings.axes) {
        let message = "the three axes of the file are not different, so the scene was not rotated";
        repaired("FBX_NO_AXES", "", message.to_owned());
    }
    let clusters = scene.skin_clusters.into_iter();
    let boneless = clusters.filter(|cluster| cluster.bone_node.is_none());
    if let count @ 1.. = boneless.count() {
        let message = format!("{count} clusters of weights have no joint and were left out");
        repaired("FBX_NO_JOINT", "", message);
    }
    for mesh in &scene.meshes {
        let name = super::findings::name_of(mesh);
        if let count @ 1.. = beyond(mesh) {
            let message = format!(
                "{count} weights and offsets are for vertices that the mesh does not have, and were left out"
            );
            repaired("FBX_NO_VERTEX", &name, message);
        }
        let points = mesh.vertices.into_iter().copied();
        if let count @ 1.. = points.filter(|point| !is_number(*point)).count() {
            let message =
                format!("{count} positions are infinite or not numbers and were set to 0");
            repaired("FBX_NOT_FINITE", &name, message);
        }
    }
    let nodes = scene.nodes.into_iter();
    for node in nodes.filter(|node| scales_about_a_pivot(node)) {
        let message = "this node scales about a pivot and its children do not inherit the scale; the children are positioned as if the node scaled about its origin";
        report.add(
            Severity::Ignored,
            "FBX_SCALING_PIVOT",
            &node.element.name,
            message,
        );
    }
}

/// Number of weights and offsets of vertices that are not in the mesh.
fn beyond(mesh: &Mesh) -> usize {
    let has = |vertex: &&u32| **vertex as usize >= mesh.num_vertices;
    let skins = mesh.skin_deformers.into_iter();
    let clusters = skins.flat_map(|skin| &skin.clusters);
    let weights = clusters.flat_map(|cluster| &cluster.vertices);
    let channels = mesh
        .blend_deformers
        .into_iter()
        .flat_map(|blend| &blend.channels);
    let shapes = channels.flat_map(|channel| &channel.keyframes);
    let offsets = shapes.flat_map(|key| &key.shape.offset_vertices);
    weights.filter(has).count() + offsets.filter(has).count()
}

fn is_number(v: Vec3) -> bool {
    [v.x, v.y, v.z]
        .iter()
        .all(|part| (*part as f32).is_finite())
}

/// True if a node scales about a pivot and its scale is in a helper node, which supports no pivot.
fn scales_about_a_pivot(node: &Node) -> bool {
    let pivot = ufbx::find_prop(&node.element.props, "ScalingPivot");
    let pivot = pivot.map_or([0.0; 3], |prop| {
        [prop.value_vec4.x, prop.value_vec4.y, prop.value_vec4.z]
    });
    node.scale_helper.is_some() && pivot.iter().any(|part| *part != 0.0)
}
