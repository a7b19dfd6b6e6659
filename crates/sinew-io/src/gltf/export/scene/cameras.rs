//! Cameras, which a character does not hold: those of the source that are as they should be.

use crate::gltf::check::shapes::{CAMERA, Walk};
use crate::gltf::export::exporter::Exporter;
use crate::report::FileReport;

/// Keeps every camera that other readers will take. The answer is where each went.
pub(in crate::gltf) fn write(exporter: &mut Exporter<'_>) -> Vec<Option<u32>> {
    let cameras = std::mem::take(&mut exporter.document.cameras);
    let mut indices = Vec::with_capacity(cameras.len());
    for (index, camera) in cameras.into_iter().enumerate() {
        let text = serde_json::to_string(&camera).unwrap_or_default();
        let mut found = FileReport::default();
        Walk::alone(&mut found).object(&text, &CAMERA, "");
        // A type that nobody knows is only warned of, but nobody can use it.
        if found.is_empty() {
            indices.push(Some(exporter.document.cameras.len() as u32));
            exporter.document.cameras.push(camera);
        } else {
            exporter.leave_out(format_args!("/cameras/{index}"), "a camera that is none");
            indices.push(None);
        }
    }
    indices
}
