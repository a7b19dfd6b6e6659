//! Fallback buffers, for readers that do not support compression.

use crate::gltf::document::json;
use crate::gltf::document::schema::Buffer;

/// Names of the extension. The second has a newer vertex codec and one more filter.
pub(super) const MESHOPT: [&str; 2] = ["EXT_meshopt_compression", "KHR_meshopt_compression"];

/// True if a buffer is a fallback, which may have no bytes.
pub(super) fn is_fallback(buffer: &Buffer) -> bool {
    let mut extensions = MESHOPT
        .iter()
        .filter_map(|name| buffer.rest.extension(name));
    extensions
        .any(|text| json::member(text, "fallback").is_some_and(|value| value.trim() == "true"))
}
