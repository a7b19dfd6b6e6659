//! `sinew info`: what a file holds and what is odd about it.

mod avatar;

use crate::files::{self, FindingInfo, counted};
use crate::limits::limited_joints;
use crate::{extent, outputs, several};
use anyhow::Result;
use avatar::{AvatarInfo, avatar_info};
use serde::Serialize;
use sinew::binding::Binding;
use sinew::clip::Clip;
use sinew::corrective::Corrective;
use sinew::{Character, Mesh, Skeleton};
use sinew_io::{FileReport, Quirk, quirks};
use sinew_rig::units::{Unit, unit_of};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

#[derive(clap::Args, Clone)]
pub struct Arguments {
    /// A glTF, GLB, VRM, FBX, BVH, OBJ, PLY or .sinew file, or - for standard input; or several
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// Print the tree of joints too, with their indices and names
    #[arg(long)]
    joints: bool,
}

#[derive(Serialize)]
struct Info {
    /// The program that wrote the file, where it says.
    exporter: Option<String>,
    /// Of VRM files.
    #[serde(skip_serializing_if = "Option::is_none")]
    avatar: Option<AvatarInfo>,
    /// What is known of it, or of those who name joints so.
    quirks: Vec<QuirkInfo>,
    joints: usize,
    degrees_of_freedom: usize,
    /// How many joints have a limit; with none, all turn as far as they are asked to.
    limited_joints: usize,
    /// The size of the character at rest along x, y and z, taking the file's unit for the metre; nothing without vertices and
    /// bones.
    size_metres: Option<[f32; 3]>,
    /// Metres per unit as --scale auto takes it; nothing where that is not known.
    unit: Option<f64>,
    nodes: usize,
    meshes: Vec<MeshInfo>,
    skins: Vec<SkinInfo>,
    clips: Vec<ClipInfo>,
    /// What curves and events drive, each as `--bind` takes it.
    bindings: Vec<String>,
    /// Poses that drive morph targets.
    correctives: Vec<CorrectiveInfo>,
    materials: usize,
    images: usize,
    bytes: Bytes,
    findings: Vec<FindingInfo>,
    /// Findings that were counted and not stored, because there were so many.
    more_findings: u64,
    /// With --joints.
    #[serde(skip_serializing_if = "Option::is_none")]
    tree: Option<Vec<JointInfo>>,
}

#[derive(Serialize)]
struct QuirkInfo {
    of: &'static str,
    what: &'static str,
}

#[derive(Serialize)]
struct JointInfo {
    name: String,
    parent: Option<usize>,
    degrees_of_freedom: usize,
    limited: bool,
}

#[derive(Serialize)]
struct MeshInfo {
    name: String,
    primitives: usize,
    vertices: usize,
    triangles: usize,
    morph_targets: usize,
    influences_max: usize,
    influences_mean: f64,
}

#[derive(Serialize)]
struct SkinInfo {
    name: String,
    joints: usize,
}

#[derive(Serialize)]
struct ClipInfo {
    name: String,
    duration_secs: f32,
    joints: usize,
    channels: usize,
    keys: usize,
    events: usize,
    curves: usize,
    /// Each once.
    event_names: Vec<String>,
    curve_names: Vec<String>,
    bytes: usize,
    /// What the motion would take as vertices that move by themselves.
    bytes_as_vertices: usize,
}

#[derive(Serialize)]
struct CorrectiveInfo {
    joint: String,
    mesh: String,
    morph_target: String,
    /// How far from the pose that it was made for its shape has gone.
    falloff_deg: f32,
}

/// What the character takes in memory.
#[derive(Serialize)]
struct Bytes {
    vertices: usize,
    clips: usize,
    images: usize,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let report = several::Report::new(arguments.json, true);
    several::each(&arguments.inputs, report, |input| run_one(arguments, input))
}

fn run_one(arguments: &Arguments, input: &Path) -> Result<()> {
    let import = files::load_quietly(input)?;
    let mut info = collect(&import.character, &import.report);
    info.exporter = import.exporter.clone();
    let avatar = import.avatar.as_ref();
    info.avatar = avatar.map(|avatar| avatar_info(avatar, &import.character.skeleton));
    let quirk = |quirk: Quirk| QuirkInfo {
        of: quirk.of,
        what: quirk.what,
    };
    info.quirks = quirks(&import).into_iter().map(quirk).collect();
    info.unit = match unit_of(import.metres_per_unit(), &import.character.skeleton) {
        Unit::Unknown { .. } => None,
        unit => Some(unit.metres()),
    };
    let mut text = String::new();
    if arguments.json {
        info.tree = arguments.joints.then(|| joints(&import.character.skeleton));
        text = several::json(input, &info)?;
    } else {
        describe(&info, &import.report, &mut text)?;
        if arguments.joints {
            tree(&import.character.skeleton, &mut text)?;
        }
    }
    outputs::print(&text)
}

fn collect(character: &Character, report: &FileReport) -> Info {
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
        clips: character
            .clips
            .iter()
            .map(|clip| clip_info(clip, vertices))
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

fn joints(skeleton: &Skeleton) -> Vec<JointInfo> {
    let joint = |joint| JointInfo {
        name: skeleton.name(joint).to_owned(),
        parent: skeleton.parent(joint),
        degrees_of_freedom: skeleton.freedom(joint).count(),
        limited: skeleton.freedom(joint).turn.is_limited(),
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

/// The first of some names, in brackets.
fn listed(names: &[String]) -> String {
    const SHOWN: usize = 6;
    let shown: Vec<String> = names.iter().take(SHOWN).map(|name| quoted(name)).collect();
    let more = if names.len() > SHOWN { ", ..." } else { "" };
    format!(" ({}{more})", shown.join(", "))
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
        bytes: clip.bytes(),
        bytes_as_vertices: clip.bytes_as_vertices(vertices),
    }
}

fn describe(info: &Info, report: &FileReport, out: &mut String) -> std::fmt::Result {
    if let Some(exporter) = &info.exporter {
        writeln!(out, "written by {exporter}")?;
    }
    if let Some(info) = &info.avatar {
        avatar::describe(info, out)?;
    }
    for quirk in &info.quirks {
        writeln!(out, "known of {}: {}", quirk.of, quirk.what)?;
    }
    writeln!(
        out,
        "skeleton   {}, {}; {} in the file",
        counted(info.joints, "joint"),
        counted(info.degrees_of_freedom, "degree of freedom"),
        counted(info.nodes, "node")
    )?;
    match info.limited_joints {
        0 => writeln!(
            out,
            "limits     none: joints turn as far as they are asked to; `sinew limits` sets them"
        )?,
        limited => writeln!(out, "limits     on {}", counted(limited, "joint"))?,
    }
    if let Some([x, y, z]) = info.size_metres {
        write!(
            out,
            "size       {x:.3} × {y:.3} × {z:.3} m (x, y, z) at rest"
        )?;
        match info.unit {
            Some(unit) if unit != 1.0 => {
                write!(
                    out,
                    ", if the unit is the metre; a person with --scale {unit}"
                )?;
            }
            _ if x.max(y).max(z) > extent::TALLEST => {
                write!(out, ", if the unit is the metre; it may be the centimetre")?;
            }
            _ => {}
        }
        writeln!(out)?;
    }
    for mesh in &info.meshes {
        write!(
            out,
            "mesh       {}: {}, {} in {}",
            quoted(&mesh.name),
            counted(mesh.vertices, "vertex"),
            counted(mesh.triangles, "triangle"),
            counted(mesh.primitives, "primitive")
        )?;
        if mesh.influences_max > 0 {
            let (max, mean) = (mesh.influences_max, mesh.influences_mean);
            let max = counted(max, "influence");
            write!(out, ", up to {max} per vertex ({mean:.2} on average)")?;
        }
        if mesh.morph_targets > 0 {
            write!(out, ", {}", counted(mesh.morph_targets, "morph target"))?;
        }
        writeln!(out)?;
    }
    for skin in &info.skins {
        let joints = counted(skin.joints, "joint");
        writeln!(out, "skin       {}: {joints}", quoted(&skin.name))?;
    }
    for clip in &info.clips {
        write!(
            out,
            "clip       {}: {:.3} s, {}, {}, {}",
            quoted(&clip.name),
            clip.duration_secs,
            counted(clip.joints, "joint"),
            counted(clip.channels, "channel"),
            counted(clip.keys, "key")
        )?;
        for (count, what, names) in [
            (clip.events, "event", &clip.event_names),
            (clip.curves, "curve", &clip.curve_names),
        ] {
            if count > 0 {
                write!(out, ", {}{}", counted(count, what), listed(names))?;
            }
        }
        write!(out, "; {}", bytes(clip.bytes))?;
        if clip.bytes_as_vertices > 0 {
            write!(
                out,
                ", as moving vertices {}",
                bytes(clip.bytes_as_vertices)
            )?;
        }
        writeln!(out)?;
    }
    for binding in &info.bindings {
        writeln!(out, "binding    {}", files::printable(binding))?;
    }
    for corrective in &info.correctives {
        writeln!(
            out,
            "corrective {} drives {} of mesh {}, gone at {:.0}° from its pose",
            quoted(&corrective.joint),
            quoted(&corrective.morph_target),
            quoted(&corrective.mesh),
            corrective.falloff_deg
        )?;
    }
    writeln!(out, "materials  {}, images {}", info.materials, info.images)?;
    writeln!(
        out,
        "memory     vertices {}, clips {}, images {}",
        bytes(info.bytes.vertices),
        bytes(info.bytes.clips),
        bytes(info.bytes.images)
    )?;
    if info.findings.is_empty() {
        return writeln!(out, "nothing is odd about this file");
    }
    writeln!(out, "odd about this file:")?;
    for folded in report.folded() {
        let severity = folded.finding.severity.to_string();
        writeln!(out, "  {severity:<9} {folded}")?;
    }
    if info.more_findings > 0 {
        writeln!(out, "  and {} more", info.more_findings)?;
    }
    Ok(())
}

/// How many levels of the tree are indented further than the one above.
const DEEPEST: usize = 64;

fn tree(skeleton: &Skeleton, out: &mut String) -> std::fmt::Result {
    writeln!(out, "joints:")?;
    // Depth first without recursion, so that the print reads like the tree.
    let mut stack = vec![(0, 1)];
    while let Some((joint, depth)) = stack.pop() {
        let dof = counted(skeleton.freedom(joint).count(), "degree of freedom");
        // A chain of a hundred thousand joints needs no staircase.
        let indent = 2 * depth.min(DEEPEST);
        let name = skeleton.name(joint);
        writeln!(out, "{:indent$}{joint} {name} ({dof})", "")?;
        let children: Vec<_> = skeleton.children(joint).collect();
        stack.extend(children.into_iter().rev().map(|child| (child, depth + 1)));
    }
    Ok(())
}

fn quoted(name: &str) -> String {
    if name.is_empty() {
        "(unnamed)".to_owned()
    } else {
        format!("\"{name}\"")
    }
}

fn bytes(bytes: usize) -> String {
    outputs::size(bytes as u64)
}
