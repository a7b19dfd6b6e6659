//! All measurements as JSON, with the same names as in checks.

use super::findings::Findings;
use super::not_finite;
use serde_json::{Value, json};
use sinew::measure::{Check, JointRotation, MethodReport, Reading, Violation};

pub(super) fn document(findings: &Findings<'_>) -> Value {
    let found = &findings.measurement;
    let (surface, weights) = (&found.surface, &found.weights);
    let methods = found.methods.iter().map(|m| method(findings, m));
    json!({
        "clip": findings.clip.map(|c| &findings.character.clips[c].name),
        "fps": findings.fps,
        "method": findings.character.method().name(),
        "surface": {
            "vertices": surface.vertices,
            "triangles": surface.triangles,
            "extent": surface.extent,
            "volume": surface.volume,
            "open": surface.open.iter().map(|open| json!({
                "node": open.node,
                "name": findings.character.nodes[open.node].name,
                "open_edges": open.open_edges,
                "open_triangles": open.open_triangles,
            })).collect::<Vec<_>>(),
        },
        "weights": {
            "influences_mean": weights.influences_mean,
            "influences_max": weights.influences_max,
            "joint_sets": weights.joint_sets,
            "single_joint_vertices": weights.single_joint_vertices,
        },
        "joints": found.rotations.iter().map(|t| rotation(findings, t)).collect::<Vec<_>>(),
        "far_joints": found.far_joints().map(|t| t.joint).collect::<Vec<_>>(),
        "methods": methods.collect::<Vec<_>>(),
        "notes": findings.notes,
        "not_finite": not_finite::line(findings),
        "failed": findings.failed.iter().map(|f| failure(findings, f)).collect::<Vec<_>>(),
    })
}

fn rotation(findings: &Findings<'_>, rotation: &JointRotation) -> Value {
    json!({
        "joint": rotation.joint,
        "name": findings.joint_name(rotation.joint),
        "angle_max": rotation.angle_deg,
        "frame": rotation.frame,
    })
}

fn method(findings: &Findings<'_>, report: &MethodReport) -> Value {
    let times = &findings.measurement.times_secs;
    let frames = times.iter().zip(&report.frames).map(|(time_secs, frame)| {
        let mut values = json!(frame);
        values["time_secs"] = json!(time_secs);
        values
    });
    let at = |reading: &Reading| json!({ "value": reading.value, "frame": reading.frame });
    let sections = report.sections.iter().map(|section| {
        json!({
            "joint": section.joint,
            "section_min": at(&section.narrowest),
            "section_max": section.widest.as_ref().map(at),
        })
    });
    json!({
        "method": report.method.name(),
        "sections": sections.collect::<Vec<_>>(),
        "frames": frames.collect::<Vec<_>>(),
    })
}

fn failure(findings: &Findings<'_>, (check, violation): &(Check, Violation)) -> Value {
    let reading = violation.reading;
    let joint = reading.and_then(|r| r.joint);
    json!({
        "check": check.to_string(),
        "method": violation.method.name(),
        "value": reading.map(|r| r.value),
        "frame": reading.map(|r| r.frame),
        "time_secs": reading.map(|r| findings.measurement.times_secs[r.frame]),
        "joint": joint,
        "joint_name": joint.map(|j| findings.joint_name(j)),
    })
}
