//! Leaves out primitives that are compressed with Draco, in a build without the feature `draco`.

use super::unpacking::Unpacking;
use crate::gltf::document::error::GltfError;
use crate::report::Severity;

const DRACO: &str = "KHR_draco_mesh_compression";

/// Empties every compressed primitive whose accessors have no other bytes. Never fails or pauses, unlike decoding.
#[expect(clippy::unused_async)] // as decoding
pub(super) async fn unpack(unpacking: &mut Unpacking<'_, '_>) -> Result<(), GltfError> {
    for mesh in 0..unpacking.document.meshes.len() {
        for index in 0..unpacking.document.meshes[mesh].primitives.len() {
            let primitive = &unpacking.document.meshes[mesh].primitives[index];
            let attributes = primitive.attributes.0.iter().map(|(_, accessor)| *accessor);
            let mut accessors = attributes.chain(primitive.indices);
            if primitive.rest.extension(DRACO).is_none()
                || accessors.all(|accessor| unpacking.has_bytes(accessor))
            {
                continue;
            }
            let pointer = format_args!("/meshes/{mesh}/primitives/{index}/extensions/{DRACO}");
            let message = "the primitive was left out: this build lacks the feature `draco`";
            let report = &mut *unpacking.report;
            report.add(Severity::Ignored, "DRACO", pointer, message);
            unpacking.document.meshes[mesh].primitives[index].clear();
        }
    }
    Ok(())
}
