//! Buffers that stand only for readers that do not know compression.

use crate::gltf::document::json;
use crate::gltf::document::schema::Buffer;

/// Both names of the extension: the second one has a newer codec of vertices and one filter more.
pub(super) const MESHOPT: [&str; 2] = ["EXT_meshopt_compression", "KHR_meshopt_compression"];

/// True where a buffer stands only for readers that do not know the extension, and may hold nothing.
pub(super) fn is_fallback(buffer: &Buffer) -> bool {
    let mut extensions = MESHOPT
        .iter()
        .filter_map(|name| buffer.rest.extension(name));
    extensions
        .any(|text| json::member(text, "fallback").is_some_and(|value| value.trim() == "true"))
}
