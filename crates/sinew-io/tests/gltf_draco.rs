//! Draco streams that differ from their accessors or cannot be decoded, beside valid primitives.

use serde_json::{Value, json};
use sinew::{Mesh, Method, deform};
use sinew_io::gltf::{ExportOptions, GltfImport, import_bytes, to_glb};
use sinew_io::report::Severity;

use crate::made_meshopt::together;

const DRACO: &str = "KHR_draco_mesh_compression";

/// Type codes in a stream.
const UBYTE: u8 = 2;
const USHORT: u8 = 4;
const FLOAT: u8 = 9;

/// An attribute of a stream: type code, number of components, and the numbers as bytes.
struct Attribute(u8, u8, Vec<u8>);

fn varint(mut number: u32, out: &mut Vec<u8>) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// A stream of the sequential method without compression. Attributes have the ids 0, 1, ...
fn stream(points: u32, triangles: &[[u32; 3]], attributes: &[Attribute]) -> Vec<u8> {
    let mut out = b"DRACO\x02\x02\x01\x00\x00\x00".to_vec();
    varint(triangles.len() as u32, &mut out);
    varint(points, &mut out);
    out.push(1);
    for index in triangles.iter().flatten() {
        match points {
            ..256 => out.push(*index as u8),
            256..65536 => out.extend((*index as u16).to_le_bytes()),
            _ => varint(*index, &mut out),
        }
    }
    out.push(1);
    varint(attributes.len() as u32, &mut out);
    for (id, Attribute(kind, components, _)) in attributes.iter().enumerate() {
        let meaning = if id == 0 { 0 } else { 4 };
        out.extend([meaning, *kind, *components, 0]);
        varint(id as u32, &mut out);
    }
    out.extend(attributes.iter().map(|_| 0));
    for Attribute(_, _, numbers) in attributes {
        out.extend(numbers);
    }
    out
}

fn positions(points: u32) -> Attribute {
    let place = |i: u32| [i as f32, (i % 2) as f32, (i % 3) as f32];
    let numbers = (0..points).flat_map(place).flat_map(f32::to_le_bytes);
    Attribute(FLOAT, 3, numbers.collect())
}

fn accessor(component: u32, count: u32, shape: &str) -> Value {
    json!({"componentType": component, "count": count, "type": shape})
}

/// A primitive with stream and accessors. The stream has the first `packed` attributes.
struct Packed {
    stream: Vec<u8>,
    indices: Value,
    attributes: Vec<(&'static str, Value)>,
    packed: usize,
}

fn plain() -> Packed {
    Packed {
        stream: stream(3, &[[0, 1, 2]], &[positions(3)]),
        indices: accessor(5123, 3, "SCALAR"),
        attributes: vec![("POSITION", accessor(5126, 3, "VEC3"))],
        packed: 1,
    }
}

fn file(primitives: &[Packed]) -> Vec<u8> {
    let (mut bin, mut views, mut accessors) = (Vec::new(), Vec::new(), Vec::new());
    let mut list = Vec::new();
    for primitive in primitives {
        let at = bin.len();
        bin.extend(&primitive.stream);
        bin.resize(bin.len().next_multiple_of(4), 0);
        let length = primitive.stream.len();
        views.push(json!({"buffer": 0, "byteOffset": at, "byteLength": length}));
        accessors.push(primitive.indices.clone());
        let indices = accessors.len() - 1;
        let (mut names, mut ids) = (json!({}), json!({}));
        for (id, (name, accessor)) in primitive.attributes.iter().enumerate() {
            names[name] = json!(accessors.len());
            accessors.push(accessor.clone());
            if id < primitive.packed {
                ids[name] = json!(id);
            }
        }
        list.push(json!({
            "attributes": names, "indices": indices,
            "extensions": {DRACO: {"bufferView": views.len() - 1, "attributes": ids}},
        }));
    }
    let document = json!({
        "asset": {"version": "2.0"}, "extensionsUsed": [DRACO], "extensionsRequired": [DRACO],
        "nodes": [{"mesh": 0}], "meshes": [{"primitives": list}],
        "accessors": accessors, "bufferViews": views, "buffers": [{"byteLength": bin.len()}],
    });
    together(&document, &bin)
}

fn read(primitives: &[Packed]) -> GltfImport {
    let import = import_bytes(&file(primitives), None).unwrap_or_else(|error| panic!("{error}"));
    assert!(deform(&import.character, None, 0.0, Method::Linear).is_ok());
    let source = Some(&import.source);
    let again = to_glb(&import.character, &ExportOptions::new().source(source)).unwrap();
    import_bytes(&again, None).unwrap_or_else(|error| panic!("written: {error}"));
    import
}

fn mesh(import: &GltfImport) -> &Mesh {
    &import.character.meshes[0]
}

fn said(import: &GltfImport, severity: Severity, words: &str) -> bool {
    let mut found = import.report.of(severity);
    found.any(|finding| finding.code == "DRACO" && finding.message.contains(words))
}

#[test]
fn a_primitive_whose_stream_is_broken_is_left_out_and_the_others_are_read() {
    let mut broken = plain();
    broken.stream.truncate(20);
    let mut primitives = vec![plain(), broken];
    primitives.extend((0..20).map(|_| plain()));
    let import = read(&primitives);
    let read = &mesh(&import).primitives;
    assert_eq!(read.len(), 22);
    assert!(read[1].is_empty());
    let drawn = read.iter().filter(|primitive| primitive.len() == 3);
    assert_eq!(drawn.count(), 21);
    assert!(said(
        &import,
        Severity::Ignored,
        "the primitive was left out"
    ));
    assert_eq!(
        import.report.findings[0].pointer,
        format!("/meshes/0/primitives/1/extensions/{DRACO}")
    );
}

#[test]
fn indices_that_do_not_fit_their_accessor_are_those_of_the_stream() {
    let many = 70_000;
    let narrow = Packed {
        stream: stream(many, &[[0, 1, many - 1]], &[positions(many)]),
        indices: accessor(5123, 3, "SCALAR"),
        attributes: vec![("POSITION", accessor(5126, many, "VEC3"))],
        packed: 1,
    };
    let import = read(&[narrow]);
    let indices = mesh(&import).primitives[0].indices.as_ref().unwrap();
    assert_eq!(indices[..], [0, 1, many - 1]);
    assert!(said(
        &import,
        Severity::Repaired,
        "UnsignedShort is declared"
    ));
}

#[test]
fn more_indices_and_vertices_than_declared_are_those_of_the_stream() {
    let more = Packed {
        stream: stream(5, &[[0, 1, 2], [2, 3, 4]], &[positions(5)]),
        ..plain()
    };
    let import = read(&[more]);
    let primitive = &mesh(&import).primitives[0];
    assert_eq!(primitive.len(), 5);
    assert_eq!(primitive.indices.as_ref().unwrap()[..], [0, 1, 2, 2, 3, 4]);
    assert!(said(&import, Severity::Repaired, "3 elements are declared"));
}

#[test]
fn numbers_of_another_type_than_declared_are_those_of_the_stream() {
    let joints = Attribute(
        USHORT,
        4,
        [1_u16, 0, 0, 0].map(u16::to_le_bytes).concat().repeat(3),
    );
    let weights = Attribute(
        FLOAT,
        4,
        [1.0_f32, 0.0, 0.0, 0.0]
            .map(f32::to_le_bytes)
            .concat()
            .repeat(3),
    );
    let colors = Attribute(UBYTE, 3, [9, 8, 7].repeat(3));
    let other = Packed {
        stream: stream(3, &[[0, 1, 2]], &[positions(3), joints, weights, colors]),
        attributes: vec![
            ("POSITION", accessor(5126, 3, "VEC3")),
            ("JOINTS_0", accessor(5121, 3, "VEC4")),
            ("WEIGHTS_0", accessor(5121, 3, "VEC4")),
            ("COLOR_0", accessor(5126, 3, "VEC4")),
        ],
        packed: 4,
        ..plain()
    };
    let import = read(&[other]);
    let primitive = &mesh(&import).primitives[0];
    let influences = primitive.influences.as_ref().unwrap();
    assert_eq!(influences.slices(2), (&[1_u16][..], &[1.0_f32][..]));
    assert!(said(
        &import,
        Severity::Repaired,
        "UnsignedByte is declared, but the stream has UnsignedShort"
    ));
    assert!(said(
        &import,
        Severity::Repaired,
        "UnsignedByte is declared, but the stream has Float"
    ));
    assert!(primitive.colors.is_empty());
    assert!(said(&import, Severity::Ignored, "`COLOR_0` was left out"));
}

#[test]
fn joints_that_are_nowhere_leave_a_primitive_without_weights() {
    let weights = Attribute(
        FLOAT,
        4,
        [1.0_f32, 0.0, 0.0, 0.0]
            .map(f32::to_le_bytes)
            .concat()
            .repeat(3),
    );
    let bare = Packed {
        stream: stream(3, &[[0, 1, 2]], &[positions(3), weights]),
        attributes: vec![
            ("POSITION", accessor(5126, 3, "VEC3")),
            ("WEIGHTS_0", accessor(5126, 3, "VEC4")),
            ("JOINTS_0", accessor(5121, 3, "VEC4")),
        ],
        packed: 2,
        ..plain()
    };
    let import = read(&[bare]);
    let primitive = &mesh(&import).primitives[0];
    assert_eq!(primitive.len(), 3);
    assert!(primitive.influences.is_none());
    assert!(said(
        &import,
        Severity::Ignored,
        "`JOINTS_0` was left out: it is neither"
    ));
}
