//! Checks the formats and headers of encoded images.

mod fault;
mod formats;
mod heads;
mod ktx2;
mod whole;

use fault::Fault;
use formats::{JPEG, KTX2, PNG, WEBP};

pub(in crate::gltf) use formats::{EXTENSIONS, extension_for, is_known};
pub(crate) use formats::{is_core, mime_type_of};
pub(in crate::gltf) use whole::is_whole;

/// The reason why no image is read in a build without the feature `pictures`.
pub(crate) const LEFT_OUT: &str = "this build lacks the feature `pictures`";

/// Reason why a valid image cannot be drawn. `None` if it can be drawn.
pub(in crate::gltf) fn why_not_drawn(bytes: &[u8]) -> Option<String> {
    match mime_type_of(bytes)? {
        PNG | JPEG | WEBP => None,
        KTX2 => ktx2::why_not_drawn(bytes),
        other => Some(format!("{other} is not decoded")),
    }
}

/// Checks the header of a PNG, JPEG, WebP or KTX2 image. Accepts other formats.
pub(crate) fn examine(bytes: &[u8]) -> Result<(), Fault> {
    match mime_type_of(bytes) {
        Some(PNG) => heads::examine_png(bytes),
        Some(JPEG) => heads::examine_jpeg(bytes),
        Some(WEBP) => heads::examine_webp(bytes),
        Some(KTX2) => ktx2::examine(bytes),
        _ => Ok(()),
    }
}
