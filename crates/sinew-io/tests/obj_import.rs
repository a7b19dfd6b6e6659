//! OBJ import of real-world variants.

use crate::hostile;

use glam::{Vec2, Vec3};
use hostile::{Random, mutated, rounds, within_limits};
use sinew::character::Alpha;
use sinew::{Character, Method, deform};
use sinew_io::{Format, Import, import, import_at, import_bytes, write_obj};
use std::path::{Path, PathBuf};

const SQUARE: &str = "# a square\nv 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nf 1 2 3 4\n";

#[track_caller]
fn read(text: &str) -> Import {
    match import_bytes(text.as_bytes()) {
        Ok(import) => import,
        Err(error) => panic!("{error}\n{text}"),
    }
}

#[track_caller]
fn refused(text: &str, wanted: &str) {
    let error = import_at(text.as_bytes(), Some(Path::new("a.obj"))).expect_err(wanted);
    assert_eq!(error.to_string(), wanted);
}

fn codes(import: &Import) -> Vec<&'static str> {
    import.report.findings.iter().map(|f| f.code).collect()
}

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).expect("the folder is ours");
    folder
}

#[test]
fn faces_become_triangles_with_normals() {
    let import = read(SQUARE);
    assert_eq!(import.format, Some(Format::Obj));
    assert_eq!(import.metres_per_unit(), None);
    assert_eq!(codes(&import), ["NORMALS"]);
    let character = import.character;
    character.check().expect("it is whole");
    assert_eq!((character.skeleton.len(), character.nodes.len()), (1, 2));
    let primitive = &character.meshes[0].primitives[0];
    assert_eq!(primitive.positions.len(), 4);
    assert_eq!(
        **primitive.indices.as_ref().expect("indices"),
        [0, 1, 2, 0, 2, 3]
    );
    let normals = primitive.normals.as_ref().expect("normals");
    assert!(
        normals.iter().all(|n| n.distance(Vec3::Z) < 1e-6),
        "{normals:?}"
    );
    let material = &character.materials[primitive.material.expect("one")];
    assert_eq!((material.metallic, material.base_color), (0.0, [1.0; 4]));
}

#[test]
fn every_spelling_of_a_corner_is_read() {
    let attributes = "v 0 0 0\nv 1 0 0\nv 0 1 0\nvt 0.25 0.75\nvn 0 0 2\n";
    for (face, has_texcoords, has_normals) in [
        ("f 1 2 3", false, false),
        ("f 1/1 2/1 3/1", true, false),
        ("f 1//1 2//1 3//1", false, true),
        ("f 1/1/1 2/1/1 3/1/1", true, true),
        ("f -3/-1/-1 -2/-1/-1 -1/-1/-1", true, true),
        ("f \\\n 1/1/1 \\\r\n2/1/1 3/1/1 # one", true, true),
        ("f 1/1/ 2/1/ 3/1/", true, false),
        ("fo 1 2 3", false, false),
    ] {
        for text in [
            format!("{attributes}{face}\n"),
            format!("\u{feff}{attributes}{face}")
                .replace("\r\n", "\n")
                .replace('\n', "\r\n"),
            // Attributes may come after the faces.
            match face.contains('-') {
                true => format!("{attributes}{face}\n"),
                false => format!("o late\n{face}\n{attributes}"),
            },
        ] {
            let import = read(&text);
            let primitive = &import.character.meshes[0].primitives[0];
            assert_eq!(primitive.positions[1], Vec3::X, "{text}");
            assert_eq!(!primitive.texcoords.is_empty(), has_texcoords, "{text}");
            if has_texcoords {
                assert_eq!(primitive.texcoords[0][0], Vec2::new(0.25, 0.25), "{text}");
            }
            assert_eq!(codes(&import).is_empty(), has_normals, "{text}");
            let normals = primitive.normals.as_ref().expect("normals");
            assert_eq!(normals[0], Vec3::Z, "{text}");
        }
    }
}

#[test]
fn a_concave_face_is_cut_within_its_outline() {
    // An arrow head. A fan from its first corner would leave the outline.
    let import = read("v 0 0 0\nv 2 2 0\nv 0 1 0\nv -2 2 0\nf 2 3 4 1\n");
    let primitive = &import.character.meshes[0].primitives[0];
    let area: f32 = primitive
        .triangles()
        .map(|t| {
            let [a, b, c] = t.map(|v| primitive.positions[v]);
            0.5 * (b - a).cross(c - a).z
        })
        .sum();
    assert!((area - 2.0).abs() < 1e-6, "{area}");
    assert!(primitive.triangles().all(|t| {
        let [a, b, c] = t.map(|v| primitive.positions[v]);
        (b - a).cross(c - a).z > 0.0
    }));
}

#[test]
fn objects_are_meshes_materials_are_primitives_and_groups_name_where_there_is_no_object() {
    let points = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    let text = format!(
        "{points}o left arm\ng x\nusemtl skin\nf 1 2 3\nusemtl cloth\nf 1 2 3\ns 1\nusemtl skin\nf 3 2 1\no empty\no right\nf 1 2 3\n"
    );
    let character = read(&text).character;
    let shape = |character: &Character| -> Vec<(String, Vec<usize>)> {
        let triangles = |mesh: &sinew::Mesh| {
            let primitives = mesh.primitives.iter();
            primitives.map(|p| p.triangles().count()).collect()
        };
        let meshes = character.meshes.iter();
        meshes
            .map(|mesh| (mesh.name.clone(), triangles(mesh)))
            .collect()
    };
    let wanted = [
        ("left arm".to_owned(), vec![2, 1]),
        ("right".to_owned(), vec![1]),
    ];
    assert_eq!(shape(&character), wanted);
    let names: Vec<&str> = character
        .materials
        .iter()
        .map(|m| m.name.as_str())
        .collect();
    assert_eq!(names, ["skin", "cloth"]);
    assert_eq!(character.nodes[2].mesh, Some(1));
    character.check().expect("it is whole");
    let text = format!("{points}f 1 2 3\ng arm\nf 1 2 3\ng leg\nf 1 2 3\n");
    let path = Some(Path::new("dir/body.obj"));
    let character = import_at(text.as_bytes(), path)
        .expect("it is whole")
        .character;
    let names: Vec<_> = character.meshes.iter().map(|m| m.name.as_str()).collect();
    assert_eq!(names, ["body", "arm", "leg"]);
}

#[test]
fn colours_of_vertices_are_linear_light() {
    let import = read("v 0 0 0 1 0.5 0\nv 1 0 0 1\nv 0 1 0 0 0 1 0.25\nf 1 2 3\n");
    let colors = &import.character.meshes[0].primitives[0].colors[0];
    let [red, green, blue, alpha] = colors[0].to_array();
    assert_eq!((red, blue, alpha), (1.0, 0.0, 1.0));
    assert!((green - 0.214).abs() < 1e-3, "{green}");
    assert_eq!(colors[1].to_array(), [1.0; 4]);
    assert_eq!(colors[2].to_array(), [0.0, 0.0, 1.0, 0.25]);
    let import = read("v 0 0 0 1e30 0 0\nv 1 0 0 1\nv 0 1 0 1\nf 1 2 3\n");
    let colors = &import.character.meshes[0].primitives[0].colors[0];
    assert!(colors[0].is_finite(), "{}", colors[0]);
}

#[test]
fn materials_come_from_the_library_beside_the_file() {
    let folder = folder("obj_materials");
    let write = |name: &str, bytes: &[u8]| {
        std::fs::write(folder.join(name), bytes).expect("the folder is ours");
    };
    let png: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\0\0\0\0:~\x9bU\0\0\0\nIDATx\x9cc`\0\0\0\x02\0\x01H\xaf\xa4q\0\0\0\0IEND\xaeB`\x82";
    write("skin colour.png", png);
    write(
        "the looks.mtl",
        b"newmtl skin\nKd 0.5 0.25 0.125\nd 0.5\nKe 1 2 3\nPr 0.75\nPm 1\nillum 2\n\
          newmtl cloth\nKd 0.1 0.1 0.1\nNs 250\nmap_Kd -s 1 1 1 -clamp on skin colour.png\nmap_Bump a.png\n\
          newmtl unused\nmap_Kd missing.png\n",
    );
    let faces = "v 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl skin\nf 1 2 3\nusemtl cloth\nf 1 2 3\nusemtl odd\nf 1 2 3\n";
    write(
        "body.obj",
        format!("mtllib the looks.mtl\nmtllib none.mtl\n{faces}").as_bytes(),
    );
    let read = import(folder.join("body.obj")).expect("it is whole");
    let [skin, cloth, odd] = &read.character.materials[..] else {
        panic!("{:?}", read.character.materials);
    };
    assert_eq!(skin.base_color, [0.5, 0.25, 0.125, 0.5]);
    assert_eq!(skin.alpha, Alpha::Blend);
    assert_eq!((skin.roughness, skin.metallic), (0.75, 1.0));
    assert_eq!(skin.emissive, [1.0, 2.0, 3.0]);
    assert_eq!((cloth.base_color, cloth.roughness), ([1.0; 4], 0.5));
    assert_eq!(cloth.base_color_texture.map(|used| used.texture), Some(0));
    assert_eq!(read.character.images[0].name, "skin colour");
    assert_eq!((odd.metallic, odd.roughness), (0.0, 1.0));
    let mut found = codes(&read);
    found.sort_unstable();
    assert_eq!(found, ["IO_ERROR", "MATERIAL", "NORMALS", "PICTURE"]);
    // Bytes have no folder, and files outside a folder are not read.
    let read = import_bytes(format!("mtllib ../secret.mtl\n{faces}").as_bytes()).expect("a mesh");
    assert!(codes(&read).contains(&"IO_ERROR"));
}

#[test]
fn what_has_no_meaning_is_refused_with_its_line() {
    refused("v 0 0\nf 1 1 1\n", "line 1: `v` needs 3 numbers, but has 2");
    refused(
        "v 0 0 x\n",
        "line 1: \"x\" is not a number; correct it, or export the file again",
    );
    refused(
        "v 0 0 1e99\n",
        "line 1: \"1e99\" is not a number; correct it, or export the file again",
    );
    refused(
        "v 0 0 0\n\nf 1 1 2\n",
        "line 3: the face refers to position 2, but there are 1",
    );
    refused(
        "v 0 0 0\nf 1 1 -2\n",
        "line 2: the face refers to position -2, but there are 1",
    );
    refused(
        "v 0 0 0\nf 0 1 1\n",
        "line 2: the face refers to position 0, but there are 1",
    );
    refused(
        "v 0 0 0\nf 1/1 1 1\n",
        "line 2: the face refers to texture coordinate 1, but there are 0",
    );
    refused(
        "v 0 0 0\nf 1 1 1/1/1/1\n",
        "line 2: \"1/1/1/1\" is not a corner of a face; write it as 1, 1/2, 1//3 or 1/2/3",
    );
    refused(
        "v 0 0 0\nf 1 a 1\n",
        "line 2: \"a\" is not a corner of a face; write it as 1, 1/2, 1//3 or 1/2/3",
    );
    refused("v 0 0 0\n", "the file has no faces, so there is no mesh");
    refused("\u{0}\u{0}", "the file has no faces, so there is no mesh");
    let import = read(&format!("{SQUARE}f 1 2\nl 1 2\np 1\ncurv 0 1 1 2\n"));
    let mut found = codes(&import);
    found.sort_unstable();
    assert_eq!(
        found,
        ["FACE_CORNERS", "LINES", "LINES", "NORMALS", "STATEMENT"]
    );
}

#[test]
fn what_is_written_is_read_again() {
    let person = sinew_samples::mannequin::Mannequin::default().build();
    let moved = deform(&person, None, 0.0, Method::Linear).expect("it moves");
    let mut text = Vec::new();
    write_obj(&person, &moved, &mut text).expect("memory");
    let again = import_bytes(&text).expect("it is whole").character;
    assert_eq!(again.meshes.len(), moved.primitives.len());
    for (part, mesh) in moved.primitives.iter().zip(&again.meshes) {
        let primitive = &mesh.primitives[0];
        let source = &person.meshes[part.mesh].primitives[part.primitive];
        let corners = |positions: &[Vec3], triangles: Vec<[usize; 3]>| -> Vec<[Vec3; 3]> {
            triangles
                .into_iter()
                .map(|t| t.map(|v| positions[v]))
                .collect()
        };
        let wanted = corners(&part.positions, part.triangles(source).collect());
        assert_eq!(
            corners(&primitive.positions, primitive.triangles().collect()),
            wanted
        );
    }
}

#[test]
fn broken_files_are_read_or_refused_within_limits() {
    let plain = format!(
        "mtllib a.mtl\no body\n{}vt 0 1\nvn 0 0 1\nusemtl skin\nf 1/1/1 2/1/1 3/1/1 4/1/1\nf -1 -2 -3\ng x\ns off\nv 1 2 3 0.5 0.5 0.5\nf 1 2 \\\n5\n",
        SQUARE
    );
    let mut random = Random(0x0b1);
    for round in 0..rounds(20_000) {
        let bytes = mutated(plain.as_bytes(), &mut random);
        let import = import_at(&bytes, Some(Path::new("a.obj")));
        if let Ok(import) = import {
            assert!(import.character.check().is_ok(), "round {round}");
            let moved = deform(&import.character, None, 0.0, Method::Linear);
            assert!(hostile::is_whole(&moved), "round {round}");
        }
    }
    let many = |thing: &str, count: usize| thing.repeat(count);
    let points = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    let comb: String = (0..20_000)
        .map(|k| format!("v {} {} 0\n", k, if k % 2 == 0 { 0 } else { 9 + k % 5 }))
        .collect();
    let all: String = (1..=20_000).map(|k| format!(" {k}")).collect();
    for (name, text) in [
        ("vertices", many("v 0 0 0\n", 500_000)),
        ("faces", format!("{points}{}", many("f 1 2 3\n", 300_000))),
        (
            "a face of many corners",
            format!("{points}f{}\n", many(" 1 2 3", 200_000)),
        ),
        ("a comb", format!("{comb}f{all}\n")),
        (
            "objects",
            format!("{points}{}", many("o a\nf 1 2 3\n", 20_000)),
        ),
        ("objects without faces", many("o a\n", 500_000)),
        (
            "materials",
            format!(
                "{points}{}",
                (0..20_000)
                    .map(|k| format!("usemtl {k}\nf 1 2 3\n"))
                    .collect::<String>()
            ),
        ),
        (
            "libraries",
            (0..100_000).map(|k| format!("mtllib {k}\n")).collect(),
        ),
        (
            "a library of many names",
            format!("mtllib{}\n", many(" a", 500_000)),
        ),
        ("joined lines", many("\\\n", 1_000_000)),
        ("nonsense", many("x\n", 500_000)),
        ("blank lines", many("\n", 4_000_000)),
    ] {
        let path = Some(Path::new("none/a.obj"));
        let _ = within_limits(name, text.as_bytes(), 96, || {
            import_at(text.as_bytes(), path)
        });
    }
}
