//! PLY import of files from scanners and modellers.

use crate::hostile;

use glam::{Vec2, Vec3, Vec4};
use hostile::{Random, is_whole, mutated, rounds, within_limits};
use sinew::{Method, Primitive, deform};
use sinew_io::{Format, Import, import_at, import_bytes, write_ply};
use std::path::Path;

const HEADER: &str = "element vertex 4\n\
    property double x\nproperty float y\nproperty short z\n\
    property list uchar int parts\n\
    property float nx\nproperty float ny\nproperty float nz\n\
    property uchar red\nproperty uchar green\nproperty uchar blue\nproperty uchar alpha\n\
    property float s\nproperty float t\nproperty int quality\n\
    element edge 1\nproperty int a\nproperty list ushort double b\n\
    element face 1\nproperty uchar flags\nproperty list uint ushort vertex_indices\nend_header\n";

const ROWS: &str = "0 0 0 2 7 8 0 0 1 255 0 0 255 0.25 0.75 9\n\
    1 0 0 0 0 0 1 0 0 0 255 0 0 9\n\
    1 1 0 1 5 0 0 1 0 0 0 255 0 0 9\n0 1 0 0 0 0 1 0 0 0 128 0 0 9\n\
    3 2 1.5 2.5\n7 4 0 1 2 3\n";

fn binary(is_big: bool) -> Vec<u8> {
    let name = if is_big { "big" } else { "little" };
    let mut bytes =
        format!("ply\nformat binary_{name}_endian 1.0\ncomment Created by A Scanner 2.0\n{HEADER}")
            .into_bytes();
    let types = |row: usize, rest: &[f64]| -> Vec<(char, f64)> {
        let vertex = |rest: &[f64]| {
            let parts = rest[3] as usize;
            let kinds = format!("dfhB{}fffBBBBffi", "i".repeat(parts));
            kinds.chars().zip(rest.iter().copied()).collect::<Vec<_>>()
        };
        match row {
            0..4 => vertex(rest),
            4 => "iHdd".chars().zip(rest.iter().copied()).collect(),
            _ => "BIHHHH".chars().zip(rest.iter().copied()).collect(),
        }
    };
    for (row, line) in ROWS.lines().enumerate() {
        let numbers: Vec<f64> = line
            .split(' ')
            .map(|n| n.parse().expect("a number"))
            .collect();
        for (kind, number) in types(row, &numbers) {
            let mut word = match kind {
                'B' => vec![number as u8],
                'h' => (number as i16).to_le_bytes().to_vec(),
                'H' => (number as u16).to_le_bytes().to_vec(),
                'i' => (number as i32).to_le_bytes().to_vec(),
                'I' => (number as u32).to_le_bytes().to_vec(),
                'f' => (number as f32).to_le_bytes().to_vec(),
                _ => number.to_le_bytes().to_vec(),
            };
            if is_big {
                word.reverse();
            }
            bytes.extend(word);
        }
    }
    bytes
}

fn text() -> String {
    format!("ply\nformat ascii 1.0\ncomment Created by A Scanner 2.0\n{HEADER}{ROWS}")
}

fn codes(import: &Import) -> Vec<&'static str> {
    import.report.findings.iter().map(|f| f.code).collect()
}

fn primitive(import: &Import) -> &Primitive {
    &import.character.meshes[0].primitives[0]
}

/// Blender 2.47 wrote its name without the word `comment`.
#[test]
fn a_strange_line_before_the_elements_is_taken_for_a_comment() {
    let file = "ply\nformat ascii 1.0\nCreated by Blender3D 247 - www.blender.org, source file: \n\
                element vertex 3\nproperty float x\nproperty float y\nproperty float z\n\
                element face 1\nproperty list uchar int vertex_index\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n";
    let import = import_bytes(file.as_bytes()).unwrap();
    let reported: Vec<_> = import
        .report
        .findings
        .iter()
        .map(|f| (f.code, f.pointer.as_str()))
        .collect();
    assert!(reported.contains(&("HEADER", "line 3")), "{reported:?}");
    assert!(import.exporter.unwrap().starts_with("Blender3D 247"));
    assert!(import.character.materials[0].double_sided);
}

#[test]
fn text_and_both_orders_of_bytes_are_the_same_mesh() {
    let files = [text().into_bytes(), binary(false), binary(true)];
    let windows = text().replace('\n', "\r\n").into_bytes();
    for bytes in files.into_iter().chain([windows]) {
        let import = import_bytes(&bytes).expect("it is whole");
        assert_eq!(import.format, Some(Format::Ply));
        assert_eq!(import.exporter.as_deref(), Some("A Scanner 2.0"));
        import.character.check().expect("it is whole");
        let primitive = primitive(&import);
        assert_eq!(
            **primitive.positions,
            [Vec3::ZERO, Vec3::X, Vec3::new(1.0, 1.0, 0.0), Vec3::Y]
        );
        assert_eq!(primitive.normals.as_ref().expect("normals")[2], Vec3::Z);
        assert_eq!(primitive.colors[0][0], Vec4::new(1.0, 0.0, 0.0, 1.0));
        assert!((primitive.colors[0][3].w - 128.0 / 255.0).abs() < 1e-6);
        assert_eq!(primitive.texcoords[0][0], Vec2::new(0.25, 0.25));
        assert_eq!(
            primitive.triangles().collect::<Vec<_>>(),
            [[0, 1, 2], [0, 2, 3]]
        );
        assert_eq!(
            codes(&import),
            ["PROPERTY", "PROPERTY", "ELEMENT", "PROPERTY"]
        );
    }
}

#[test]
fn a_bare_mesh_has_computed_normals_and_the_files_name() {
    let text = "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n\
                element face 1\nproperty list uchar int vertex_index\nend_header\n0 0 0 1 0 0\n0 1 0\n3 0 1 2";
    let import = import_at(text.as_bytes(), Some(Path::new("scan.ply"))).expect("it is whole");
    assert_eq!(import.character.meshes[0].name, "scan");
    assert_eq!(
        primitive(&import).normals.as_ref().expect("normals")[0],
        Vec3::Z
    );
    assert_eq!(codes(&import), ["NORMALS"]);
}

#[test]
fn what_is_written_is_read_again() {
    let person = sinew_samples::mannequin::Mannequin::default().build();
    let moved = deform(&person, None, 0.0, Method::Linear).expect("it moves");
    let mut bytes = Vec::new();
    write_ply(&person, &moved, &mut bytes).expect("memory");
    let again = import_bytes(&bytes).expect("it is whole");
    let wanted: Vec<Vec3> = moved
        .primitives
        .iter()
        .flat_map(|p| p.positions.clone())
        .collect();
    assert_eq!(**primitive(&again).positions, wanted);
    assert_eq!(again.exporter.as_deref(), Some("sinew"));
}

#[test]
fn what_has_no_meaning_is_refused() {
    let refused = |text: &str, wanted: &str| {
        let error = import_at(text.as_bytes(), Some(Path::new("a.ply"))).expect_err(wanted);
        assert_eq!(error.to_string(), wanted);
    };
    refused(
        "plx\n",
        "line 1: \"plx\" is not a valid line of a PLY header; export the file again",
    );
    refused(
        "ply\nformat ascii 1.0\n",
        "the file ends within its header, so it is incomplete; copy or export it again",
    );
    refused(
        "ply\nformat middle_endian 1.0\n",
        "line 2: the format \"middle_endian\" is not ascii, binary_little_endian or binary_big_endian",
    );
    refused(
        &text().replace("property float y", "property number y"),
        "line 6: \"property number y\" is not a valid line of a PLY header; export the file again",
    );
    refused(
        &text().replace("0.25", "a"),
        "line 26: \"a\" is not a number; correct it, or export the file again",
    );
    refused(
        &text().replace("7 4 0 1 2 3\n", "7 4 0 1"),
        "the file ends within face 0 of 1, so it is incomplete; copy or export it again",
    );
    refused(
        &text().replace("4 0 1 2 3", "4 0 1 2 4"),
        "face 0 refers to vertex 4, but there are 4 vertices",
    );
    refused(
        &text().replace("float y", "float why"),
        "vertices have no y, so there is no mesh",
    );
    refused(
        &text().replace("element face 1", "element face 0"),
        "the file has no faces, so there is no mesh",
    );
    refused(
        &text().replace("\n1 0 0 0", "\n1 nan 0 0"),
        "vertex 1 is infinite or not a number",
    );
}

#[test]
fn broken_files_are_read_or_refused_within_limits() {
    let mut random = Random(0x917);
    let plain = [text().into_bytes(), binary(false), binary(true)];
    for round in 0..rounds(20_000) {
        let bytes = mutated(&plain[round % 3], &mut random);
        if let Ok(import) = import_at(&bytes, Some(Path::new("a.ply"))) {
            assert!(import.character.check().is_ok(), "round {round}");
            let moved = deform(&import.character, None, 0.0, Method::Linear);
            assert!(is_whole(&moved), "round {round}");
        }
    }
    let vertices = "property float x\nproperty float y\nproperty float z\n";
    for (name, text) in [
        (
            "vertices that are only declared",
            format!(
                "ply\nformat binary_little_endian 1.0\nelement vertex 4000000000\n{vertices}end_header\n"
            ),
        ),
        (
            "rows of nothing",
            "ply\nformat ascii 1.0\nelement x 18446744073709551615\nend_header\n".to_owned(),
        ),
        (
            "elements",
            format!(
                "ply\nformat ascii 1.0\n{}end_header\n",
                "element a 9\n".repeat(300_000)
            ),
        ),
        (
            "properties",
            format!(
                "ply\nformat ascii 1.0\nelement a 1\n{}end_header\n",
                "property int a\n".repeat(300_000)
            ),
        ),
        (
            "a long list",
            format!(
                "ply\nformat ascii 1.0\nelement vertex 1\n{vertices}element face 1\nproperty list double int vertex_index\nend_header\n0 0 0 1e300 {}",
                "0 ".repeat(1_000_000)
            ),
        ),
        (
            "comments",
            format!("ply\n{}", "comment made by me\n".repeat(300_000)),
        ),
        ("a long line", format!("ply\n{}", "a".repeat(8_000_000))),
    ] {
        let _ = within_limits(name, text.as_bytes(), 64, || import_bytes(text.as_bytes()));
    }
}

#[test]
fn faces_may_come_before_their_vertices() {
    let faces = "element face 1\nproperty list uchar int vertex_indices\n";
    let vertices = "element vertex 3\nproperty float x\nproperty float y\nproperty float z\n";
    let (face, points) = ("3 0 1 2\n", "0 0 0\n1 0 0\n0 1 0\n");
    let begin = "ply\nformat ascii 1.0\n";
    let early = format!("{begin}{faces}{vertices}end_header\n{face}{points}");
    let late = format!("{begin}{vertices}{faces}end_header\n{points}{face}");
    let [early, late] = [early, late].map(|text| {
        let import = import_bytes(text.as_bytes()).expect("a mesh");
        import.character.meshes[0].primitives[0].clone()
    });
    assert_eq!(early, late);
    assert_eq!(early.triangles().count(), 1);
    let nothing = format!("{begin}{faces}end_header\n{face}");
    assert!(import_bytes(nothing.as_bytes()).is_err());
}
