use super::avatar;
use super::collected::{ClipInfo, Info, MeshInfo};
use super::names::{listed, quoted};
use crate::files::{counted, method_reason, one_line};
use crate::{extent, outputs};
use sinew::Skeleton;
use sinew_io::FileReport;
use std::fmt::{self, Write as _};

pub(super) fn describe(info: &Info, report: &FileReport, out: &mut String) -> fmt::Result {
    if let Some(exporter) = &info.exporter {
        writeln!(out, "written by {}", one_line(exporter))?;
    }
    if let Some(info) = &info.avatar {
        avatar::describe(info, out)?;
    }
    for quirk in &info.quirks {
        writeln!(out, "known quirk of {}: {}", quirk.of, quirk.what)?;
    }
    skeleton(info, out)?;
    size(info, out)?;
    for info in &info.meshes {
        mesh(info, out)?;
    }
    for skin in &info.skins {
        let joints = counted(skin.joints, "joint");
        writeln!(out, "skin       {}: {joints}", quoted(&skin.name))?;
    }
    if let Some(method) = info.method {
        let why = method_reason(info.method_stated);
        writeln!(out, "skinning   {method}, {why}")?;
    }
    for info in &info.clips {
        clip(info, out)?;
    }
    driven(info, out)?;
    writeln!(out, "materials  {}, images {}", info.materials, info.images)?;
    writeln!(
        out,
        "memory     vertices {}, clips {}, images {}",
        bytes(info.bytes.vertices),
        bytes(info.bytes.clips),
        bytes(info.bytes.images)
    )?;
    findings(info, report, out)
}

fn skeleton(info: &Info, out: &mut String) -> fmt::Result {
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
            "limits     none: all joints rotate freely; `sinew limits` sets limits"
        ),
        limited => writeln!(out, "limits     on {}", counted(limited, "joint")),
    }
}

fn size(info: &Info, out: &mut String) -> fmt::Result {
    let Some([x, y, z]) = info.size_metres else {
        return Ok(());
    };
    write!(
        out,
        "size       {x:.3} × {y:.3} × {z:.3} m (x, y, z) at rest"
    )?;
    match info.unit {
        Some(unit) if unit != 1.0 => {
            write!(
                out,
                ", if the unit is the metre; with --scale {unit} the figure is as tall as a person"
            )?;
        }
        _ if x.max(y).max(z) > extent::TALLEST => {
            write!(out, ", if the unit is the metre; it may be the centimetre")?;
        }
        _ => {}
    }
    writeln!(out)
}

fn mesh(mesh: &MeshInfo, out: &mut String) -> fmt::Result {
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
    writeln!(out)
}

fn clip(clip: &ClipInfo, out: &mut String) -> fmt::Result {
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
        (clip.layer_names.len(), "layer", &clip.layer_names),
    ] {
        if count > 0 {
            write!(out, ", {}{}", counted(count, what), listed(names))?;
        }
    }
    write!(out, "; {}", bytes(clip.bytes))?;
    if clip.bytes_as_vertices > 0 {
        write!(
            out,
            ", {} if stored as vertex positions",
            bytes(clip.bytes_as_vertices)
        )?;
    }
    writeln!(out)
}

fn driven(info: &Info, out: &mut String) -> fmt::Result {
    for binding in &info.bindings {
        writeln!(out, "binding    {}", one_line(binding))?;
    }
    for corrective in &info.correctives {
        writeln!(
            out,
            "corrective {} drives {} of mesh {}, zero at {:.0}° from its pose",
            quoted(&corrective.joint),
            quoted(&corrective.morph_target),
            quoted(&corrective.mesh),
            corrective.falloff_deg
        )?;
    }
    Ok(())
}

fn findings(info: &Info, report: &FileReport, out: &mut String) -> fmt::Result {
    if info.findings.is_empty() {
        return writeln!(out, "findings   none");
    }
    writeln!(out, "findings:")?;
    for folded in report.folded() {
        let severity = folded.finding.severity.to_string();
        let folded = folded.to_string();
        writeln!(out, "  {severity:<9} {}", one_line(&folded))?;
    }
    if info.more_findings > 0 {
        writeln!(out, "  and {} more", info.more_findings)?;
    }
    Ok(())
}

const DEEPEST: usize = 64;

pub(super) fn tree(skeleton: &Skeleton, out: &mut String) -> fmt::Result {
    writeln!(out, "joints:")?;
    let mut stack = vec![(0, 1)];
    while let Some((joint, depth)) = stack.pop() {
        let dof = counted(skeleton.freedom(joint).count(), "degree of freedom");
        // The indent is limited, because a chain may have a hundred thousand joints.
        let indent = 2 * depth.min(DEEPEST);
        let name = one_line(skeleton.name(joint));
        writeln!(out, "{:indent$}{joint} {name} ({dof})", "")?;
        let children: Vec<_> = skeleton.children(joint).collect();
        stack.extend(children.into_iter().rev().map(|child| (child, depth + 1)));
    }
    Ok(())
}

fn bytes(bytes: usize) -> String {
    outputs::size(bytes as u64)
}
