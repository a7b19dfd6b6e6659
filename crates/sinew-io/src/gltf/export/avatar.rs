//! Updates the indices of meshes and images in avatar extensions. Other objects keep their indices.

use super::error::ExportError;
use super::exporter::leave_out;
use super::meshes::WrittenMesh;
use crate::gltf::document::json::{elements, natural};
use crate::gltf::document::nested;
use crate::gltf::document::schema::Document;
use crate::report::FileReport;
use serde_json::value::{RawValue, to_raw_value};

/// Locations of indices: an extension, a path (`*` for every element of a list) and a list.
const REFERENCES: [(&str, &[&str], List); 3] = [
    (
        "VRM",
        &[
            "blendShapeMaster",
            "blendShapeGroups",
            "*",
            "binds",
            "*",
            "mesh",
        ],
        List::Meshes,
    ),
    (
        "VRM",
        &["firstPerson", "meshAnnotations", "*", "mesh"],
        List::Meshes,
    ),
    ("VRMC_vrm", &["meta", "thumbnailImage"], List::Images),
];

#[derive(Clone, Copy)]
enum List {
    Meshes,
    Images,
}

pub(super) fn renumber(
    document: &mut Document,
    meshes: &[Option<WrittenMesh>],
    images: &[Option<u32>],
    report: &mut FileReport,
) -> Result<(), ExportError> {
    let meshes: Vec<_> = meshes
        .iter()
        .map(|mesh| Some(mesh.as_ref()?.index))
        .collect();
    for (extension, way, list) in REFERENCES {
        let now = match list {
            List::Meshes => &meshes[..],
            List::Images => images,
        };
        let has_moved = now
            .iter()
            .enumerate()
            .any(|(before, now)| *now != Some(before as u32));
        let Some(text) = document.rest.extension(extension).filter(|_| has_moved) else {
            continue;
        };
        let mut lost = false;
        let changed = renumbered(text, way, now, &mut lost)?;
        nested::set_nested(&mut document.rest, "extensions", extension, changed)?;
        if lost {
            let at = format_args!("/extensions/{extension}/{}", way.join("/"));
            leave_out(
                report,
                at,
                "a reference to a mesh or an image that was left out",
            );
        }
    }
    Ok(())
}

/// Updates the index at the end of the path. `None` if it refers to an omitted object. A value
/// without this path stays unchanged.
fn renumbered(
    text: &str,
    way: &[&str],
    now: &[Option<u32>],
    lost: &mut bool,
) -> Result<Option<Box<RawValue>>, serde_json::Error> {
    let same = || RawValue::from_string(text.to_owned()).map(Some);
    let Some((step, way)) = way.split_first() else {
        let Some(before) = natural(text) else {
            return same();
        };
        let now = now.get::<usize>(before).copied();
        return match now {
            Some(Some(now)) => to_raw_value(&now).map(Some),
            Some(None) => {
                *lost = true;
                Ok(None)
            }
            // The index was already invalid in the source.
            None => same(),
        };
    };
    if *step == "*" {
        let Some(list) = elements(text) else {
            return same();
        };
        let mut kept = Vec::new();
        for element in list {
            kept.extend(renumbered(element, way, now, lost)?);
        }
        return to_raw_value(&kept).map(Some);
    }
    let Some(mut members) = nested::members(text) else {
        return same();
    };
    let Some(value) = members.get(step) else {
        return same();
    };
    match renumbered(value.get(), way, now, lost)? {
        Some(value) => members.insert(step, value),
        // If a mesh was omitted, the whole element is removed, otherwise only the member.
        None if *step == "mesh" => return Ok(None),
        None => members = nested::without(&members, step),
    }
    nested::object(members).map(Some)
}
