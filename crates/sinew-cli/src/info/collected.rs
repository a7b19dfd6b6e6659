use super::avatar::AvatarInfo;
use crate::extent;
use crate::files::{self, FindingInfo};
use crate::limits::limited_joints;
use serde::Serialize;
use sinew::binding::Binding;
use sinew::clip::Clip;
use sinew::corrective::Corrective;
use sinew::{Character, Mesh, Skeleton};
use sinew_io::FileReport;
use std::collections::BTreeSet;

#[derive(Serialize)]
pub(super) struct Info {
    /// Program that wrote the file, if the file states it.
    pub exporter: Option<String>,
    /// VRM only.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub avatar: Option<AvatarInfo>,
    /// Known quirks of the exporter, or of programs with the same joint names.
    pub quirks: Vec<QuirkInfo>,
    pub joints: usize,
    pub degrees_of_freedom: usize,
    /// Number of joints with a limit. Other joints rotate freely.
    pub limited_joints: usize,
    /// Size at rest along x, y and z, in the unit of the file. `None` if there are no vertices and bones.
    pub size_metres: Option<[f32; 3]>,
    /// Metres per unit, as in --scale auto. `None` if unknown.
    pub unit: Option<f64>,
    pub nodes: usize,
    pub meshes: Vec<MeshInfo>,
    pub skins: Vec<SkinInfo>,
    /// Skinning method that is used without --method. `None` without skins.
    pub method: Option<&'static str>,
    /// True if the file states the method.
    pub method_stated: bool,
    pub clips: Vec<ClipInfo>,
    /// Targets of curves and events, in the notation of `--bind`.
    pub bindings: Vec<String>,
    /// Poses that drive morph targets.
    pub correctives: Vec<CorrectiveInfo>,
    pub materials: usize,
    pub images: usize,
    pub bytes: Bytes,
    pub findings: Vec<FindingInfo>,
    /// Number of findings that were not stored.
    pub more_findings: u64,
    /// Only with --joints.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tree: Option<Vec<JointInfo>>,
}

#[derive(Serialize)]
pub(super) struct QuirkInfo {
    pub of: &'static str,
    pub what: &'static str,
}

#[derive(Serialize)]
pub(super) struct JointInfo {
    pub name: String,
    pub parent: Option<usize>,
    pub degrees_of_freedom: usize,
    pub limited: bool,
}

#[derive(Serialize)]
pub(super) struct MeshInfo {
    pub name: String,
    pub primitives: usize,
    pub vertices: usize,
    pub triangles: usize,
    pub morph_targets: usize,
    pub influences_max: usize,
    pub influences_mean: f64,
}

#[derive(Serialize)]
pub(super) struct SkinInfo {
    pub name: String,
    pub joints: usize,
}

#[derive(Serialize)]
pub(super) struct ClipInfo {
    pub name: String,
    pub duration_secs: f32,
    pub joints: usize,
    pub channels: usize,
    pub keys: usize,
    pub events: usize,
    pub curves: usize,
    /// Names of events, without duplicates.
    pub event_names: Vec<String>,
    pub curve_names: Vec<String>,
    /// Names of the layers that the clip is the result of, in order.
    pub layer_names: Vec<String>,
    pub bytes: usize,
    /// Size of the motion if it were stored as vertex positions, in bytes.
    pub bytes_as_vertices: usize,
}

#[derive(Serialize)]
pub(super) struct CorrectiveInfo {
    pub joint: String,
    pub mesh: String,
    pub morph_target: String,
    /// Angle from the pose at which the weight reaches 0, in degrees.
    pub falloff_deg: f32,
}

#[derive(Serialize)]
pub(super) struct Bytes {
    pub vertices: usize,
    pub clips: usize,
    pub images: usize,
}

pub(super) fn collect(character: &Character, report: &FileReport) -> Info {
    let primitives = character.meshes.iter().flat_map(|m| &m.primitives);
    let vertices = primitives.map(|p| p.len()).sum();
    Info {
        exporter: None,
        avatar: None,
        quirks: Vec::new(),
        joints: character.skeleton.len(),
        degrees_of_freedom: character.skeleton.degrees_of_freedom(),
        limited_joints: limited_joints(&character.skeleton).count(),
        size_metres: extent::size(character).map(|size| size.to_array()),
        unit: None,
        nodes: character.nodes.len(),
        meshes: character.meshes.iter().map(mesh_info).collect(),
        skins: character
            .skins
            .iter()
            .map(|skin| SkinInfo {
                name: skin.name.clone(),
                joints: skin.joints.len(),
            })
            .collect(),
        method: (!character.skins.is_empty()).then(|| character.method().name()),
        method_stated: character.stated_method.is_some(),
        clips: character
            .clips
            .iter()
            .enumerate()
            .map(|(index, clip)| ClipInfo {
                layer_names: layer_names(character, index),
                ..clip_info(clip, vertices)
            })
            .collect(),
        bindings: character.bindings.iter().map(Binding::to_string).collect(),
        correctives: character
            .correctives
            .iter()
            .map(|corrective| corrective_info(character, corrective))
            .collect(),
        materials: character.materials.len(),
        images: character.images.len(),
        bytes: Bytes {
            vertices: character.meshes.iter().map(Mesh::bytes).sum(),
            clips: character.clips.iter().map(Clip::bytes).sum(),
            images: character.images.iter().map(|i| i.bytes.len()).sum(),
        },
        findings: files::findings(report),
        more_findings: report.omitted(),
        tree: None,
    }
}

pub(super) fn joints(skeleton: &Skeleton) -> Vec<JointInfo> {
    let joint = |joint| JointInfo {
        name: skeleton.name(joint).to_owned(),
        parent: skeleton.parent(joint),
        degrees_of_freedom: skeleton.freedom(joint).count(),
        limited: skeleton.freedom(joint).is_limited(),
    };
    (0..skeleton.len()).map(joint).collect()
}

fn mesh_info(mesh: &Mesh) -> MeshInfo {
    let vertices: usize = mesh.primitives.iter().map(|p| p.len()).sum();
    let influences = || mesh.primitives.iter().filter_map(|p| p.influences.as_ref());
    let total: usize = influences().map(|i| i.total()).sum();
    let weighted: usize = influences().map(|i| i.len()).sum();
    MeshInfo {
        name: mesh.name.clone(),
        primitives: mesh.primitives.len(),
        vertices,
        triangles: mesh.primitives.iter().map(|p| p.triangles().count()).sum(),
        morph_targets: mesh.morph_targets(),
        influences_max: influences().map(|i| i.max_per_vertex()).max().unwrap_or(0),
        influences_mean: total as f64 / weighted.max(1) as f64,
    }
}

fn corrective_info(character: &Character, corrective: &Corrective) -> CorrectiveInfo {
    let mesh = &character.meshes[corrective.mesh];
    let named = mesh.morph_names.get(corrective.morph).cloned();
    CorrectiveInfo {
        joint: character.skeleton.name(corrective.joint).to_owned(),
        mesh: mesh.name.clone(),
        morph_target: named.unwrap_or_else(|| corrective.morph.to_string()),
        falloff_deg: corrective.falloff_rad.to_degrees(),
    }
}

fn each_once<'a>(names: impl Iterator<Item = &'a String>) -> Vec<String> {
    let names: BTreeSet<&String> = names.collect();
    names.into_iter().cloned().collect()
}

fn layer_names(character: &Character, clip: usize) -> Vec<String> {
    let layers = character.layers.iter().find(|layers| layers.clip == clip);
    let layers = layers.into_iter().flat_map(|layers| &layers.layers);
    layers.map(|layer| layer.name.clone()).collect()
}

fn clip_info(clip: &Clip, vertices: usize) -> ClipInfo {
    ClipInfo {
        name: clip.name.clone(),
        duration_secs: clip.duration_secs,
        joints: clip.joints.len(),
        channels: clip.channels(),
        keys: clip.tracks().map(|t| t.keys()).sum(),
        events: clip.events.len(),
        curves: clip.curves.len(),
        event_names: each_once(clip.events.iter().map(|event| &event.name)),
        curve_names: each_once(clip.curves.iter().map(|curve| &curve.name)),
        layer_names: Vec::new(),
        bytes: clip.bytes(),
        bytes_as_vertices: clip.bytes_as_vertices(vertices),
    }
}
