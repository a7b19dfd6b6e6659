//! Small documents as JSON, read and written.
#![allow(dead_code, reason = "each test uses some of it")]

use serde_json::{Value, json};
use sinew_io::gltf::{ExportOptions, GltfError, GltfImport, export, import_bytes};
use sinew_io::report::FileReport;

/// A PNG of one white pixel.
pub const ONE_PIXEL: &[u8] = &[
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52,
    0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x00, 0x00, 0x00, 0x00, 0x3a, 0x7e, 0x9b,
    0x55, 0x00, 0x00, 0x00, 0x0a, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9c, 0x63, 0xf8, 0x0f, 0x00, 0x01,
    0x01, 0x01, 0x00, 0xb1, 0x38, 0xf6, 0x14, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae,
    0x42, 0x60, 0x82,
];

/// A lossless WebP of one pixel.
pub const WEBP: &[u8] =
    b"RIFF\x1a\x00\x00\x00WEBPVP8L\x0d\x00\x00\x00\x2f\x00\x00\x00\x10\x07\x10\x11\x11\x88\x88\xfe\x07\x00";

/// A KTX2 file of 4 × 4 pixels in UASTC.
pub fn ktx2() -> Vec<u8> {
    let mut bytes = b"\xabKTX 20\xbb\r\n\x1a\n".to_vec();
    for word in [0_u32, 1, 4, 4, 0, 0, 1, 1, 0, 104, 44, 0, 0, 0, 0, 0, 0] {
        bytes.extend(word.to_le_bytes());
    }
    for long in [148_u64, 16, 16] {
        bytes.extend(long.to_le_bytes());
    }
    // The descriptor: its length, a block of version 2, and the colour model UASTC.
    for word in [
        44_u32,
        0,
        40 << 16 | 2,
        0x0001_01a6,
        0x0303,
        16,
        0,
        127 << 16,
        0,
        0,
        !0,
    ] {
        bytes.extend(word.to_le_bytes());
    }
    bytes.resize(164, 0);
    bytes
}

/// Header of an AVIF file.
pub const AVIF: &[u8] = b"\x00\x00\x00\x1cftypavif\x00\x00\x00\x00avifmif1miafMA1B";

/// Bytes as a data URI.
pub fn data_uri(mime_type: &str, bytes: &[u8]) -> String {
    const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = format!("data:{mime_type};base64,");
    for three in bytes.chunks(3) {
        let word = three
            .iter()
            .fold(0_u32, |word, byte| word << 8 | u32::from(*byte));
        let word = word << (8 * (3 - three.len()));
        for digit in 0..4 {
            let value = word >> (18 - 6 * digit) & 63;
            text.push(if digit <= three.len() {
                ALPHABET[value as usize] as char
            } else {
                '='
            });
        }
    }
    text
}

/// A valid triangle on a node, with normals and two sets of texture coordinates.
pub fn triangle() -> Value {
    let mut bytes = Vec::new();
    let positions = [0.0_f32, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let normals = [0.0_f32, 0.0, 1.0].repeat(3);
    let texcoords = [0.0_f32, 0.0, 1.0, 0.0, 0.0, 1.0];
    for value in positions.iter().chain(&normals).chain(&texcoords) {
        bytes.extend(value.to_le_bytes());
    }
    let view = |offset: u32, length: u32| json!({"buffer": 0, "byteOffset": offset, "byteLength": length, "target": 34962});
    json!({
        "asset": {"version": "2.0"},
        "scene": 0,
        "scenes": [{"nodes": [0]}],
        "nodes": [{"mesh": 0}],
        "meshes": [{"primitives": [{
            "attributes": {"POSITION": 0, "NORMAL": 1, "TEXCOORD_0": 2, "TEXCOORD_1": 2},
            "material": 0,
        }]}],
        "materials": [{}],
        "accessors": [
            {"bufferView": 0, "componentType": 5126, "count": 3, "type": "VEC3", "min": [0, 0, 0], "max": [1, 1, 0]},
            {"bufferView": 1, "componentType": 5126, "count": 3, "type": "VEC3"},
            {"bufferView": 2, "componentType": 5126, "count": 3, "type": "VEC2"},
        ],
        "bufferViews": [view(0, 36), view(36, 36), view(72, 24)],
        "buffers": [{"byteLength": 96, "uri": data_uri("application/octet-stream", &bytes)}],
    })
}

/// The triangle with other root members.
pub fn triangle_with(members: Value) -> Value {
    let mut document = triangle();
    for (name, value) in members.as_object().unwrap() {
        document[name] = value.clone();
    }
    document
}

pub fn try_read(document: &Value) -> Result<GltfImport, GltfError> {
    import_bytes(document.to_string().as_bytes(), None)
}

pub fn reads(document: &Value) -> GltfImport {
    try_read(document).unwrap_or_else(|error| panic!("{error}"))
}

/// Exports an import with its source. Checks that a second import is equal.
pub fn exported(import: &GltfImport) -> (Value, FileReport) {
    let source = Some(&import.source);
    let export = export(&import.character, &ExportOptions::new().source(source)).unwrap();
    let text = export.to_gltf().unwrap();
    (serde_json::from_str(&text).unwrap(), export.report)
}

/// Codes of the findings at a pointer.
pub fn codes_at<'a>(report: &'a FileReport, pointer: &str) -> Vec<&'a str> {
    let findings = report.findings.iter().filter(|f| f.pointer == pointer);
    findings.map(|f| f.code).collect()
}
