//! Hostile FBX files must not crash, hang or use too much memory for their size.

use crate::binary_fbx::{Value, file, node};
use crate::foreign::foreign_files;
use crate::hostile::{Random, is_whole, mutated, within_limits};
use crate::made_fbx::{Fbx, Y_UP, Z_UP, array, bending_strip, translation};
use sinew::{Method, deform};
use sinew_io::fbx::{FbxError, FbxImport, import_bytes, memory_limit};
use std::path::PathBuf;

fn import_within_limits(name: &str, bytes: &[u8]) -> Result<FbxImport, FbxError> {
    // `ufbx` takes the limit twice, and the import once.
    let per_byte = 3 * memory_limit(bytes) / bytes.len().max(1);
    within_limits(name, bytes, per_byte, || import_bytes(bytes))
}

/// True if the file is accepted. Asserts that its character can be deformed.
fn hold(name: &str, bytes: &[u8]) -> bool {
    let Ok(import) = import_within_limits(name, bytes) else {
        return false;
    };
    let character = &import.character;
    for clip in std::iter::once(None).chain((0..character.clips.len()).map(Some)) {
        let secs = clip.map_or(0.0, |clip| {
            0.37 * f64::from(character.clips[clip].duration_secs)
        });
        assert!(
            is_whole(&deform(character, clip, secs, Method::Linear)),
            "{name}"
        );
    }
    true
}

fn files(folder: &str) -> Vec<(String, Vec<u8>)> {
    let paths = foreign_files(folder, &["fbx"]);
    let name = |path: &PathBuf| {
        path.file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned()
    };
    paths
        .iter()
        .map(|path| (name(path), std::fs::read(path).expect("it can be read")))
        .collect()
}

#[test]
fn mutations_of_our_own_file_do_no_harm() {
    let seeds = [bending_strip(Z_UP).bytes(), bending_strip(Y_UP).bytes()];
    let mut accepted = 0;
    let mut random = Random(0x51ed_270b);
    for round in 0..crate::hostile::rounds(5_000) {
        let bytes = mutated(&seeds[round % seeds.len()], &mut random);
        accepted += usize::from(hold(&format!("mutation {round}"), &bytes));
    }
    assert!(accepted > 0);
}

#[test]
fn mutations_of_real_files_do_no_harm() {
    let mut seeds = files("fbx/ufbx");
    seeds.retain(|(_, bytes)| bytes.len() < 60_000);
    let mut random = Random(0x0f3a_77e1);
    if seeds.is_empty() {
        return;
    }
    for round in 0..crate::hostile::rounds(5_000) {
        let (name, bytes) = &seeds[round % seeds.len()];
        hold(&format!("{name}, {round}"), &mutated(bytes, &mut random));
    }
}

#[test]
fn broken_files_are_read_or_refused_as_they_say() {
    for (name, bytes) in files("bad/ufbx-synthetic") {
        let accepted = hold(&name, &bytes);
        assert_eq!(accepted, !name.contains("_fail"), "{name}");
    }
}

#[test]
fn small_files_that_ask_for_much_stay_in_proportion() {
    let mut long = bending_strip(Z_UP);
    long.objects = long.objects.replace("46186158000", "4618615800000000");
    hold("a long take", &long.bytes());

    let mut deep = Fbx::new(Y_UP);
    for id in 1..20_000_i64 {
        deep.node(id, "n", "Null", &[])
            .connect(id, if id == 1 { 0 } else { id - 1 });
    }
    let error = import_within_limits("deep", &deep.bytes()).expect_err("no character is so deep");
    assert!(error.to_string().contains("depth"), "{error}");

    let mut wide = Fbx::new(Y_UP);
    for id in 1..5_000_i64 {
        wide.node(id, "n", "Null", &[]).connect(id, 0);
    }
    assert!(hold("wide", &wide.bytes()));

    let mut fan = Fbx::new(Y_UP);
    let corners: Vec<i32> = (0..100_000).flat_map(|_| [0, 1, -3]).collect();
    let points = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let inside = array("Vertices", &points) + &array("PolygonVertexIndex", &corners);
    fan.object("Geometry", 1, "", "Mesh", &inside)
        .node(2, "fan", "Mesh", &[]);
    fan.connect(1, 2).connect(2, 0);
    assert!(hold("fan", &fan.bytes()));
}

/// Every vertex of a control point gets all influences of the point.
#[test]
fn many_influences_on_many_vertices_stay_in_proportion() {
    const JOINTS: i64 = 600;
    let mut fbx = Fbx::new(Y_UP);
    let triangles: Vec<&[i32]> = vec![&[0, 1, 2]; 10_000];
    let corners = 3 * triangles.len();
    let normals: Vec<usize> = (0..corners).flat_map(|c| [c % 200, c / 200, 99]).collect();
    let layer = format!(
        "LayerElementNormal: 0 {{\nMappingInformationType: \"ByPolygonVertex\"\nReferenceInformationType: \"Direct\"\n{}}}\n\
         Layer: 0 {{\nLayerElement: {{\nType: \"LayerElementNormal\"\nTypedIndex: 0\n}}\n}}\n",
        array("Normals", &normals)
    );
    let points = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    fbx.mesh(1, &points, &triangles, &layer);
    fbx.node(2, "mesh", "Mesh", &[]).connect(1, 2).connect(2, 0);
    fbx.object("Deformer", 3, "", "Skin", "").connect(3, 1);
    fbx.node(4, "joint", "LimbNode", &[]).connect(4, 0);
    for cluster in 10..10 + JOINTS {
        let weights = [(0, 1.0), (1, 1.0), (2, 1.0)];
        fbx.cluster(cluster, &weights, translation(0.0, 0.0, 0.0));
        fbx.connect(cluster, 3).connect(4, cluster);
    }
    assert!(!hold("influences", &fbx.bytes()), "it is too much");
}

/// Each mesh gets its own copy of the joints in the shared skin.
#[test]
fn one_skin_on_many_meshes_stays_in_proportion() {
    let mut fbx = Fbx::new(Y_UP);
    fbx.object("Deformer", 3, "", "Skin", "");
    fbx.node(4, "joint", "LimbNode", &[]).connect(4, 0);
    let inside =
        array("Vertices", &[0, 0, 0, 1, 0, 0, 0, 1, 0]) + &array("PolygonVertexIndex", &[0, 1, -3]);
    for mesh in (10_000..13_000).step_by(2) {
        fbx.object("Geometry", mesh, "", "Mesh", &inside);
        fbx.object("Model", mesh + 1, "", "Mesh", "");
        fbx.connect(mesh, mesh + 1).connect(mesh + 1, 0);
        fbx.connect(3, mesh);
    }
    for cluster in 20_000..24_000 {
        fbx.object("Cluster", cluster, "", "Cluster", "");
        fbx.connect(cluster, 3).connect(4, cluster);
    }
    assert!(!hold("skins", &fbx.bytes()), "it is too much");
}

#[test]
fn numbers_that_are_none_make_a_character_of_finite_ones() {
    for number in ["1e400", "-1e39", "nan", "1e38", "1e-400"] {
        let text = String::from_utf8(bending_strip(Z_UP).bytes()).expect("it is text");
        for numbers in ["-10,0,50", "90", "0.5,0.5,1,1"] {
            let text = text.replace(
                numbers,
                &numbers.replacen(|c: char| c.is_ascii_digit(), number, 1),
            );
            hold(number, text.as_bytes());
        }
    }
}

/// Indices that repeat are compressed a hundredfold and more.
#[test]
fn arrays_may_unpack_to_far_more_than_the_file() {
    let (corners, triangles) = Value::repeated([0, 1, -3], 10_000);
    let points = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];
    let geometry = [
        node("Vertices", vec![Value::doubles(&points)], &[]),
        node("PolygonVertexIndex", vec![corners], &[]),
    ];
    let named = |id, name: &str| vec![Value::Long(id), Value::text(name), Value::text("Mesh")];
    let joined = |a, b| vec![Value::text("OO"), Value::Long(a), Value::Long(b)];
    let bytes = file(&[
        node(
            "FBXHeaderExtension",
            vec![],
            &[node("FBXVersion", vec![Value::Int(7400)], &[])],
        ),
        node(
            "Objects",
            vec![],
            &[
                node("Geometry", named(1, "\0\u{1}Geometry"), &geometry),
                node("Model", named(2, "fan\0\u{1}Model"), &[]),
            ],
        ),
        node(
            "Connections",
            vec![],
            &[node("C", joined(1, 2), &[]), node("C", joined(2, 0), &[])],
        ),
    ]);
    assert!(bytes.len() < 60_000, "{} bytes", bytes.len());
    let import = import_within_limits("fan", &bytes).unwrap_or_else(|error| panic!("{error}"));
    let read = import.character.meshes[0].primitives[0].indices.as_ref();
    assert_eq!(read.expect("indices").len(), 3 * triangles);
}

/// Text of a take in the style of FBX 6, whose second key is at `time`.
fn legacy_take(time: &str) -> String {
    format!(
        r#"; FBX 6.1.0 project file
FBXHeaderExtension: {{ FBXHeaderVersion: 1003, FBXVersion: 6100 }}
Objects: {{
    Model: "Model::bone", "Limb" {{
        Version: 232
        Properties60: {{ Property: "Lcl Translation", "Lcl Translation", "A+",0,0,0 }}
    }}
}}
Connections: {{ Connect: "OO", "Model::bone", "Model::Scene" }}
Takes: {{
    Current: "walk"
    Take: "walk" {{
        LocalTime: 0,46186158000
        ReferenceTime: 0,46186158000
        Model: "Model::bone" {{
            Version: 1.1
            Channel: "Transform" {{
                Channel: "T" {{
                    Channel: "X" {{
                        Default: 0
                        KeyVer: 4005
                        KeyCount: 2
                        Key: 0,0,L,{time},1,L
                    }}
                    LayerType: 1
                }}
            }}
        }}
    }}
}}
"#
    )
}

#[test]
fn a_take_with_a_key_at_no_time_is_left_out() {
    let read = |time: &str| import_bytes(legacy_take(time).as_bytes()).unwrap();
    assert_eq!(read("46186158000").character.clips.len(), 1);
    for time in ["NaN", "1e400"] {
        let import = read(time);
        assert!(import.character.clips.is_empty(), "{time}");
        let report = import.report.to_string();
        assert!(
            report.contains("the time of a key is not finite"),
            "{time}: {report}"
        );
    }
}
