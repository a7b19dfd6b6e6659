//! Image formats, their first bytes, and the glTF extensions that allow them.

pub(super) const PNG: &str = "image/png";
pub(super) const JPEG: &str = "image/jpeg";
pub(super) const WEBP: &str = "image/webp";
pub(super) const KTX2: &str = "image/ktx2";

pub(in crate::gltf) const EXTENSIONS: [(&str, &str); 4] = [
    (WEBP, "EXT_texture_webp"),
    (KTX2, "KHR_texture_basisu"),
    ("image/avif", "EXT_texture_avif"),
    ("image/vnd-ms.dds", "MSFT_texture_dds"),
];

pub(crate) fn is_core(mime_type: &str) -> bool {
    [PNG, JPEG].contains(&mime_type)
}

pub(in crate::gltf) fn is_known(mime_type: &str) -> bool {
    is_core(mime_type) || extension_for(mime_type).is_some()
}

pub(in crate::gltf) fn extension_for(mime_type: &str) -> Option<&'static str> {
    let known = EXTENSIONS.iter().find(|(known, _)| *known == mime_type);
    known.map(|(_, extension)| *extension)
}

/// Detects the MIME type by the first bytes.
pub(crate) fn mime_type_of(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0x89, b'P', b'N', b'G', b'\r', b'\n', 0x1a, b'\n', ..] => Some(PNG),
        [0xff, 0xd8, 0xff, ..] => Some(JPEG),
        [
            b'R',
            b'I',
            b'F',
            b'F',
            _,
            _,
            _,
            _,
            b'W',
            b'E',
            b'B',
            b'P',
            ..,
        ] => Some(WEBP),
        [0xab, b'K', b'T', b'X', b' ', b'2', b'0', 0xbb, ..] => Some(KTX2),
        [
            _,
            _,
            _,
            _,
            b'f',
            b't',
            b'y',
            b'p',
            b'a',
            b'v',
            b'i',
            b'f' | b's',
            ..,
        ] => Some("image/avif"),
        [b'D', b'D', b'S', b' ', ..] => Some("image/vnd-ms.dds"),
        _ => None,
    }
}
