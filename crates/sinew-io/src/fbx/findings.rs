//! Findings about a file: its origin, repairs and omissions.

use super::error::FbxError;
use super::meshes::vertices::MAX_SETS;
use crate::folder::Folder;
use crate::report::{FileReport, Severity};
use ufbx::{CoordinateAxis, MirrorAxis, Scene, WarningType};

pub(super) fn origin(scene: &Scene, report: &mut FileReport) {
    let kind = if scene.metadata.ascii {
        "ASCII"
    } else {
        "binary"
    };
    let version = scene.metadata.version;
    let by = exporter(scene).map_or(String::new(), |by| format!(", written by {by}"));
    let message = format_args!("FBX {}.{}, {kind}{by}", version / 1000, version / 100 % 10);
    report.add(Severity::Note, "FBX_ORIGIN", "", message);
    let unit = scene.metadata.geometry_scale;
    if (unit - 1.0).abs() > 1e-9 {
        let message =
            format_args!("one unit of the file is {unit} m; all lengths were converted to metres");
        report.add(Severity::Note, "FBX_UNIT", "", message);
    }
    let up = scene.settings.axes.up;
    if !matches!(up, CoordinateAxis::PositiveY | CoordinateAxis::Unknown) {
        let message = format_args!(
            "the up axis of the file is {}; the scene was rotated to +Y",
            axis_name(up)
        );
        report.add(Severity::Note, "FBX_AXES", "", message);
    }
    if scene.metadata.mirror_axis != MirrorAxis::None {
        let message = "the file is left-handed; it was mirrored";
        report.add(Severity::Note, "FBX_LEFT_HANDED", "", message);
    }
}

pub(super) fn exporter(scene: &Scene) -> Option<String> {
    let program = &scene.metadata.original_application;
    let program = format!("{} {}", &*program.name, &*program.version);
    let (program, creator) = (program.trim(), scene.metadata.creator.trim());
    match (program.is_empty(), creator.is_empty()) {
        (true, true) => None,
        (true, false) => Some(creator.to_owned()),
        (false, true) => Some(program.to_owned()),
        (false, false) => Some(format!("{program} ({creator})")),
    }
}

fn axis_name(axis: CoordinateAxis) -> &'static str {
    match axis {
        CoordinateAxis::PositiveX => "+X",
        CoordinateAxis::NegativeX => "-X",
        CoordinateAxis::PositiveY => "+Y",
        CoordinateAxis::NegativeY => "-Y",
        CoordinateAxis::PositiveZ => "+Z",
        CoordinateAxis::NegativeZ => "-Z",
        CoordinateAxis::Unknown => "nothing",
    }
}

pub(super) fn warnings(scene: &Scene, report: &mut FileReport) {
    for warning in &scene.metadata.warnings {
        let severity = match warning.type_ {
            WarningType::MissingExternalFile => Severity::Ignored,
            WarningType::UnsupportedVersion => Severity::Note,
            _ => Severity::Repaired,
        };
        let message = match warning.count {
            0 | 1 => warning.description.to_string(),
            count => format!("{} ({count} times)", &*warning.description),
        };
        let named = scene.elements.get(warning.element_id as usize);
        let pointer = named.map_or("", |element| &element.name);
        report.add(severity, "FBX_WARNING", pointer, message);
    }
}

pub(super) fn left_out(scene: &Scene, report: &mut FileReport) {
    let surfaces = scene.nurbs_surfaces.count + scene.nurbs_trim_surfaces.count;
    let curves = scene.nurbs_curves.count + scene.line_curves.count;
    let caches: usize = scene
        .meshes
        .into_iter()
        .map(|m| m.cache_deformers.count)
        .sum();
    let skins = scene
        .meshes
        .into_iter()
        .map(|mesh| mesh.skin_deformers.count);
    let more_skins: usize = skins.map(|count| count.saturating_sub(1)).sum();
    let hidden = scene.nodes.into_iter().filter(|node| !node.visible).count();
    let edges = scene
        .meshes
        .into_iter()
        .map(|m| m.num_point_faces + m.num_line_faces);
    let sets = scene.meshes.into_iter().map(|m| {
        let over = |count: usize| count.saturating_sub(MAX_SETS);
        over(m.uv_sets.count) + over(m.color_sets.count)
    });
    let active = scene.constraints.into_iter().filter(|c| c.active).count();
    let lost: [(usize, &'static str, &str); 11] = [
        (
            scene.cameras.count,
            "FBX_CAMERA",
            "cameras are not imported",
        ),
        (
            surfaces,
            "FBX_NURBS",
            "NURBS surfaces are not imported; convert them to polygons",
        ),
        (curves, "FBX_CURVE", "curves are not imported"),
        (
            caches,
            "FBX_CACHE",
            "geometry caches are not imported; the mesh keeps its rest shape",
        ),
        (
            more_skins,
            "FBX_SECOND_SKIN",
            "a mesh has more than one skin; only the first was imported",
        ),
        (
            active,
            "FBX_CONSTRAINT",
            "constraints are not evaluated; bake them into keys",
        ),
        (
            scene.lod_groups.count,
            "FBX_LOD",
            "all levels of detail were imported and are drawn together",
        ),
        (hidden, "FBX_HIDDEN", "hidden nodes are drawn"),
        (
            edges.sum(),
            "FBX_EDGE",
            "faces of one or two corners are not drawn",
        ),
        (
            sets.sum(),
            "FBX_SETS",
            "only the first eight sets of texture coordinates and of colours were imported",
        ),
        (
            scene.audio_clips.count,
            "FBX_AUDIO",
            "sound is not imported",
        ),
    ];
    for (count, code, message) in lost {
        if count > 0 {
            report.add(
                Severity::Ignored,
                code,
                "",
                format_args!("{message} ({count})"),
            );
        }
    }
}

pub(super) fn check_caches(scene: &Scene, folder: &Folder<'_>) -> Result<(), FbxError> {
    for mesh in &scene.meshes {
        for cache in &mesh.cache_deformers {
            let Some(file) = &cache.file else { continue };
            if folder
                .locate(&[&file.relative_filename, &file.filename])
                .is_err()
            {
                return Err(FbxError::MissingCache {
                    mesh: name_of(mesh),
                    file: file.filename.to_string(),
                });
            }
        }
    }
    Ok(())
}

/// Name of a mesh, or the name of its first node if the mesh has no name.
pub(super) fn name_of(mesh: &ufbx::Mesh) -> String {
    let node = mesh
        .element
        .instances
        .first()
        .map(|node| &node.element.name);
    match (mesh.element.name.is_empty(), node) {
        (true, Some(node)) => node.to_string(),
        _ => mesh.element.name.to_string(),
    }
}
