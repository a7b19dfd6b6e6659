//! Cameras of the source, because a character holds no cameras.

use crate::gltf::check::shapes::{CAMERA, Walk};
use crate::gltf::export::exporter::Exporter;
use crate::report::FileReport;

/// Keeps every valid camera. Returns the new indices.
pub(in crate::gltf) fn write(exporter: &mut Exporter<'_>) -> Vec<Option<u32>> {
    let cameras = std::mem::take(&mut exporter.document.cameras);
    let mut indices = Vec::with_capacity(cameras.len());
    for (index, camera) in cameras.into_iter().enumerate() {
        let text = serde_json::to_string(&camera).unwrap_or_default();
        let mut found = FileReport::default();
        Walk::alone(&mut found).object(&text, &CAMERA, "");
        // The validator only warns about unknown types of cameras, but no reader supports them.
        if found.is_empty() {
            indices.push(Some(exporter.document.cameras.len() as u32));
            exporter.document.cameras.push(camera);
        } else {
            exporter.leave_out(format_args!("/cameras/{index}"), "an invalid camera");
            indices.push(None);
        }
    }
    indices
}
