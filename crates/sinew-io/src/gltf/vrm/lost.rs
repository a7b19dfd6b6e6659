//! Parts of the 0.x extension that are kept but not used. `import::not_drawn` handles 1.0.

use super::extension::{Extension, VrmVersion};
use crate::gltf::document::json::{elements, member, string};
use crate::report::{FileReport, Severity};

pub(in crate::gltf) const MTOON: &str = "MToon is drawn as a plain material";

pub(in crate::gltf) const SPRINGS: &str = "spring bones are kept but not simulated";

pub(super) fn report_lost(extension: &Extension<'_>, report: &mut FileReport) {
    if extension.version == VrmVersion::V1 {
        return;
    }
    let mut not_drawn = |way: &str, message| {
        let pointer = extension.pointer(way);
        report.add(Severity::Ignored, "NOT_DRAWN", pointer, message);
    };
    let materials = extension.at(&["materialProperties"]).and_then(elements);
    for (index, material) in materials.into_iter().flatten().enumerate() {
        let shader = member(material, "shader").and_then(string);
        if shader.is_some_and(|shader| shader == "VRM/MToon") {
            not_drawn(&format!("materialProperties/{index}"), MTOON);
        }
    }
    let springs = extension.at(&["secondaryAnimation", "boneGroups"]);
    let mut springs = springs.and_then(elements).into_iter().flatten();
    if springs.next().is_some() {
        not_drawn("secondaryAnimation", SPRINGS);
    }
}
