//! glTF import of models that are built number by number.

use glam::{Vec3, Vec4};
use sinew::mesh::Topology;
use sinew::{Affine, Interpolation, Transform};
use sinew_io::gltf::{GltfImport, import, import_bytes};
use sinew_io::report::Severity;

#[derive(Default)]
struct Model {
    bin: Vec<u8>,
    views: Vec<String>,
    accessors: Vec<String>,
}

impl Model {
    fn view(&mut self, bytes: &[u8], members: &str) -> usize {
        let begin = self.bin.len();
        self.bin.extend(bytes);
        self.bin.resize(self.bin.len().next_multiple_of(4), 0);
        let length = bytes.len();
        self.views.push(format!(
            r#"{{"buffer":0,"byteOffset":{begin},"byteLength":{length}{members}}}"#
        ));
        self.views.len() - 1
    }

    fn accessor(
        &mut self,
        bytes: &[u8],
        component: u32,
        element: &str,
        count: usize,
        members: &str,
    ) -> usize {
        let view = self.view(bytes, "");
        self.accessors.push(format!(
            r#"{{"bufferView":{view},"componentType":{component},"type":"{element}","count":{count}{members}}}"#
        ));
        self.accessors.len() - 1
    }

    fn floats(&mut self, values: &[f32], element: &str, count: usize) -> usize {
        let bytes: Vec<u8> = values
            .iter()
            .flat_map(|value| value.to_le_bytes())
            .collect();
        self.accessor(&bytes, 5126, element, count, "")
    }

    fn import(self, members: &str) -> GltfImport {
        let base64 = base64(&self.bin);
        let text = format!(
            r#"{{"asset":{{"version":"2.0"}},"extensionsUsed":["KHR_mesh_quantization","KHR_materials_unlit"],{members},
            "accessors":[{}],"bufferViews":[{}],"buffers":[{{"byteLength":{},"uri":"data:application/octet-stream;base64,{base64}"}}]}}"#,
            self.accessors.join(","),
            self.views.join(","),
            self.bin.len()
        );
        import_bytes(text.as_bytes(), None).unwrap_or_else(|refusal| panic!("{refusal}"))
    }
}

fn base64(bytes: &[u8]) -> String {
    let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for three in bytes.chunks(3) {
        let word = three
            .iter()
            .fold(0_u32, |word, byte| word << 8 | u32::from(*byte))
            << (8 * (3 - three.len()));
        for number in 0..4 {
            let digit = alphabet[(word >> (18 - 6 * number) & 63) as usize] as char;
            text.push(if number <= three.len() { digit } else { '=' });
        }
    }
    text
}

const TRIANGLE: [f32; 9] = [0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, 0.0];

#[test]
fn every_way_to_write_numbers_gives_the_same_numbers() {
    let mut model = Model::default();
    let normalized = r#","normalized":true"#;
    model.accessor(&[0, 127, 129, 128], 5120, "SCALAR", 4, normalized);
    model.accessor(&[0, 255, 51, 102], 5121, "SCALAR", 4, normalized);
    model.accessor(&[0, 128, 255, 127], 5122, "VEC2", 1, normalized);
    model.accessor(&[255, 255, 0, 0], 5123, "VEC2", 1, normalized);
    model.accessor(&[1, 2, 0, 0, 3, 4, 0, 0], 5121, "MAT2", 1, "");
    let columns = [
        1, 0, 2, 0, 3, 0, 9, 9, 4, 0, 5, 0, 6, 0, 9, 9, 7, 0, 8, 0, 9, 0,
    ];
    model.accessor(&columns, 5123, "MAT3", 1, "");
    let interleaved = [1.0_f32, 2.0, 3.0, 4.0].map(f32::to_le_bytes).concat();
    let view = model.view(&interleaved, r#","byteStride":8"#);
    model.accessors.push(format!(
        r#"{{"bufferView":{view},"byteOffset":4,"componentType":5126,"type":"SCALAR","count":2}}"#
    ));
    model
        .accessors
        .push(r#"{"componentType":5126,"type":"VEC2","count":2}"#.to_owned());
    let expected: [(usize, &[f32]); 8] = [
        (4, &[0.0, 1.0, -1.0, -1.0]),
        (4, &[0.0, 1.0, 0.2, 0.4]),
        (1, &[-1.0, 1.0]),
        (1, &[1.0, 0.0]),
        (1, &[1.0, 2.0, 3.0, 4.0]),
        (1, &[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]),
        (2, &[2.0, 4.0]),
        (2, &[0.0; 4]),
    ];
    let mut primitives = Vec::new();
    for (accessor, (count, _)) in expected.iter().enumerate() {
        let position = model.accessors.len();
        model.accessors.push(format!(
            r#"{{"componentType":5126,"type":"VEC3","count":{count}}}"#
        ));
        primitives.push(format!(
            r#"{{"attributes":{{"POSITION":{position},"_X":{accessor}}}}}"#
        ));
    }
    let import = model.import(&format!(
        r#""meshes":[{{"primitives":[{}]}}]"#,
        primitives.join(",")
    ));
    let primitives = &import.character.meshes[0].primitives;
    for (primitive, (_, values)) in primitives.iter().zip(expected) {
        assert_eq!(primitive.custom[0].values.to_vec(), values);
    }
}

#[test]
fn sparse_values_lie_over_a_view_or_over_zeros() {
    let mut model = Model::default();
    let position = model.floats(&TRIANGLE, "VEC3", 3);
    let indices = model.view(&[1], "");
    let values = model.view(&[5.0_f32, 6.0, 7.0].map(f32::to_le_bytes).concat(), "");
    let sparse = format!(
        r#""sparse":{{"count":1,"indices":{{"bufferView":{indices},"componentType":5121}},"values":{{"bufferView":{values}}}}}"#
    );
    model.accessors.push(format!(
        r#"{{"bufferView":0,"componentType":5126,"type":"VEC3","count":3,{sparse}}}"#
    ));
    model.accessors.push(format!(
        r#"{{"componentType":5126,"type":"VEC3","count":3,{sparse}}}"#
    ));
    let import = model.import(&format!(
        r#""meshes":[{{"primitives":[{{"attributes":{{"POSITION":1}},"targets":[{{"POSITION":2}},{{"POSITION":{position}}}]}}],"weights":[0.5,0],"extras":{{"targetNames":["wink","frown"]}}}}],"nodes":[{{"mesh":0}}]"#
    ));
    let mesh = &import.character.meshes[0];
    assert_eq!(
        mesh.primitives[0].positions.to_vec(),
        [Vec3::ZERO, Vec3::new(5.0, 6.0, 7.0), Vec3::Y]
    );
    let sparse = mesh.primitives[0].morphs[0]
        .positions
        .as_ref()
        .expect("the target moves positions");
    assert_eq!(sparse.vertices.as_deref(), Some(&vec![1]));
    assert_eq!(sparse.values.to_vec(), [Vec3::new(5.0, 6.0, 7.0)]);
    let dense = mesh.primitives[0].morphs[1]
        .positions
        .as_ref()
        .expect("the target moves positions");
    assert_eq!((&dense.vertices, dense.values.len()), (&None, 3));
    assert_eq!(
        (&mesh.morph_names[..], &mesh.morph_weights[..]),
        (
            &["wink".to_owned(), "frown".to_owned()][..],
            &[0.5, 0.0][..]
        )
    );
}

#[test]
fn influences_of_any_number_are_repaired_and_reported() {
    let mut model = Model::default();
    let position = model.floats(&TRIANGLE, "VEC3", 3);
    let joints = [
        model.accessor(&[0, 1, 0, 0, 1, 0, 0, 0, 1, 9, 0, 0], 5121, "VEC4", 3, ""),
        model.accessor(&[1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], 5121, "VEC4", 3, ""),
    ];
    let weights = [
        model.floats(
            &[0.5, 0.25, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.5, 0.5, 0.0, 0.0],
            "VEC4",
            3,
        ),
        model.floats(
            &[0.25, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0],
            "VEC4",
            3,
        ),
    ];
    let import = model.import(&format!(
        r#""meshes":[{{"primitives":[{{"attributes":{{"POSITION":{position},"JOINTS_0":{},"WEIGHTS_0":{},"JOINTS_1":{},"WEIGHTS_1":{}}}}}]}}],
        "nodes":[{{"mesh":0,"skin":0}},{{}},{{}}],"skins":[{{"joints":[1,2]}}]"#,
        joints[0], weights[0], joints[1], weights[1]
    ));
    let influences = import.character.meshes[0].primitives[0]
        .influences
        .as_ref()
        .expect("the mesh is skinned");
    let of = |vertex| influences.get(vertex).collect::<Vec<_>>();
    assert_eq!(of(0), [(0, 0.5), (1, 0.5)]);
    assert_eq!(
        of(1),
        [(1, 1.0)],
        "a vertex without weights follows its first joint"
    );
    assert_eq!(of(2), [(1, 1.0)]);
    let codes: Vec<_> = import
        .report
        .findings
        .iter()
        .map(|finding| (finding.code, finding.pointer.rsplit('/').next()))
        .collect();
    for expected in [
        ("ACCESSOR_JOINTS_INDEX_OOB", Some("JOINTS_0")),
        ("ACCESSOR_JOINTS_INDEX_DUPLICATE", Some("JOINTS_1")),
        ("ACCESSOR_WEIGHTS_NON_NORMALIZED", Some("WEIGHTS_0")),
    ] {
        assert!(
            codes.contains(&expected),
            "{expected:?} is not in {codes:?}"
        );
    }
    assert_eq!(
        import.character.skins[0].joint_from_model,
        [Affine::IDENTITY; 2],
        "no inverse binds are identities"
    );
}

#[test]
fn joints_under_several_roots_hang_under_one() {
    let import = Model::default().import(
        r#""nodes":[{"name":"a","translation":[1,0,0]},{"name":"b","children":[2]},{"name":"between","children":[3]},{"name":"c"},{"name":"aside"}],"skins":[{"joints":[3,0]}]"#,
    );
    let skeleton = &import.character.skeleton;
    assert_eq!(
        skeleton.len(),
        5,
        "a root, the joints and what is above them"
    );
    assert_eq!(skeleton.name(0), "root");
    let joints: Vec<_> = import.character.skins[0]
        .joints
        .iter()
        .map(|joint| skeleton.name(*joint))
        .collect();
    assert_eq!(joints, ["c", "a"]);
    assert_eq!(import.character.nodes[4].joint, None);
    assert_eq!(import.character.nodes[0].joint, skeleton.find("a"));
}

#[test]
fn matrices_are_split_and_shear_is_reported() {
    let import = Model::default().import(
        r#""nodes":[{"matrix":[0,2,0,0,-2,0,0,0,0,0,2,0,1,2,3,1]},{"matrix":[1,0,0,0,1,1,0,0,0,0,1,0,0,0,0,1]}],"skins":[{"joints":[0,1]}]"#,
    );
    let joint = import.character.nodes[0].joint.expect("it is a joint");
    let rest: Transform = import.character.skeleton.rest().get(joint);
    assert!(
        (rest.scale - Vec3::splat(2.0)).length() < 1e-6
            && rest.translation == Vec3::new(1.0, 2.0, 3.0),
        "{rest:?}"
    );
    let sheared: Vec<_> = import
        .report
        .findings
        .iter()
        .filter(|finding| finding.code == "NODE_MATRIX_NON_TRS")
        .collect();
    assert_eq!(sheared.len(), 1);
    assert_eq!(sheared[0].pointer, "/nodes/1/matrix");
    assert_eq!(
        import.character.nodes[1].parent_from_node.rows[0][1], 1.0,
        "the node itself keeps its shear"
    );
}

#[test]
fn strips_become_lists_and_bad_triangles_go() {
    let mut model = Model::default();
    let position = model.floats(&TRIANGLE, "VEC3", 3);
    let bad = model.accessor(&[0, 1, 2, 0, 1, 7], 5121, "SCALAR", 6, "");
    let import = model.import(&format!(
        r#""meshes":[{{"primitives":[{{"attributes":{{"POSITION":{position}}},"mode":5}},{{"attributes":{{"POSITION":{position}}},"mode":2}},{{"attributes":{{"POSITION":{position}}},"indices":{bad}}}]}}]"#
    ));
    let primitives = &import.character.meshes[0].primitives;
    let indices = |primitive: usize| primitives[primitive].indices.as_deref().cloned();
    assert_eq!(indices(0), Some(vec![0, 1, 2]));
    assert_eq!(
        (primitives[1].topology, indices(1)),
        (Topology::Lines, Some(vec![0, 1, 1, 2, 2, 0]))
    );
    assert_eq!(indices(2), Some(vec![0, 1, 2]));
    assert!(
        import
            .report
            .findings
            .iter()
            .any(|finding| finding.code == "ACCESSOR_INDEX_OOB")
    );
    assert!(
        std::sync::Arc::ptr_eq(&primitives[0].positions, &primitives[2].positions),
        "arrays are shared"
    );
}

#[test]
fn animations_become_clips() {
    let mut model = Model::default();
    let position = model.floats(&TRIANGLE, "VEC3", 3);
    let times = model.floats(&[0.0, 1.0], "SCALAR", 2);
    let backward = model.floats(&[0.0, 1.0, 0.5, 2.0], "SCALAR", 4);
    let rotations = model.floats(&[0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 1.0, 0.0], "VEC4", 2);
    let spline = model.floats(&[0.0; 18], "VEC3", 6);
    let moves = model.floats(
        &[0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 9.0, 0.0, 0.0, 2.0, 0.0, 0.0],
        "VEC3",
        4,
    );
    let weights = model.floats(&[0.0, 1.0, 1.0, 0.0], "SCALAR", 4);
    let import = model.import(&format!(
        r#""meshes":[{{"primitives":[{{"attributes":{{"POSITION":{position}}},"targets":[{{"POSITION":{position}}},{{"POSITION":{position}}}]}}]}}],
        "nodes":[{{"mesh":0}},{{"children":[0]}}],
        "animations":[{{"name":"walk","channels":[
            {{"sampler":0,"target":{{"node":1,"path":"rotation"}}}},{{"sampler":1,"target":{{"node":1,"path":"scale"}}}},
            {{"sampler":2,"target":{{"node":1,"path":"translation"}}}},{{"sampler":3,"target":{{"node":0,"path":"weights"}}}},
            {{"sampler":2,"target":{{"node":1,"path":"translation"}}}}],
          "samplers":[{{"input":{times},"output":{rotations}}},{{"input":{times},"output":{spline},"interpolation":"CUBICSPLINE"}},
            {{"input":{backward},"output":{moves},"interpolation":"STEP"}},{{"input":{times},"output":{weights}}}]}}]"#
    ));
    let clip = &import.character.clips[0];
    assert_eq!((clip.name.as_str(), clip.duration_secs), ("walk", 2.0));
    let joint = import.character.nodes[1].joint.expect("it is animated");
    let tracks = clip.joint(joint).expect("it has tracks");
    let rotation = tracks.rotation.as_ref().expect("a rotation");
    assert_eq!(
        (rotation.interpolation(), &rotation.values()[..4]),
        (Interpolation::Slerp, &[0.0, 0.0, 0.0, 1.0][..])
    );
    assert_eq!(
        tracks.scale.as_ref().map(|track| track.interpolation()),
        Some(Interpolation::CubicHermite)
    );
    let translation = tracks.translation.as_ref().expect("it moves");
    assert_eq!(translation.times().to_vec(), [0.0, 1.0, 2.0]);
    assert_eq!(translation.key(2), [2.0, 0.0, 0.0]);
    assert_eq!(
        (clip.morphs[0].node, clip.morphs[0].weights.width()),
        (0, 2)
    );
    let codes: Vec<_> = import
        .report
        .findings
        .iter()
        .map(|finding| finding.code)
        .collect();
    for code in [
        "ACCESSOR_ANIMATION_INPUT_NON_INCREASING",
        "ANIMATION_DUPLICATE_TARGETS",
        "ACCESSOR_ANIMATION_SAMPLER_OUTPUT_NON_NORMALIZED_QUATERNION",
    ] {
        assert!(codes.contains(&code), "{code} is not in {codes:?}");
    }
}

#[test]
fn quantized_meshes_colours_and_materials_are_read() {
    let mut model = Model::default();
    model.accessors.push(r#"{"bufferView":0,"componentType":5120,"normalized":true,"type":"VEC3","count":3,"min":[0,-127,0],"max":[127,0,0]}"#.to_owned());
    let bytes = [0_u8, 0, 0, 0, 127, 0, 0, 0, 0, 129, 0, 0];
    model.view(&bytes, r#","byteStride":4"#);
    let color = model.accessor(
        &[255, 0, 0, 0, 0, 255, 0, 0, 0, 0, 255, 0],
        5121,
        "VEC4",
        3,
        r#","normalized":true"#,
    );
    let import = model.import(&format!(
        r#""meshes":[{{"primitives":[{{"attributes":{{"POSITION":0,"COLOR_0":{color}}},"material":0}}]}}],
        "materials":[{{"pbrMetallicRoughness":{{"baseColorFactor":[1,0,0,0.5],"metallicFactor":0}},"alphaMode":"BLEND","extensions":{{"KHR_materials_unlit":{{}}}}}}],
        "images":[{{"uri":"data:image/png;base64,iVBORw0KGgo="}}],"textures":[{{"source":0}}]"#
    ));
    let primitive = &import.character.meshes[0].primitives[0];
    assert_eq!(
        primitive.positions.to_vec(),
        [Vec3::ZERO, Vec3::X, -Vec3::Y]
    );
    assert_eq!(primitive.colors[0][1], Vec4::new(0.0, 1.0, 0.0, 0.0));
    let material = &import.character.materials[0];
    assert!(material.unlit && material.metallic == 0.0 && material.base_color[3] == 0.5);
    assert_eq!(import.character.images[0].mime_type, "image/png");
    assert_eq!(
        import.report.count(Severity::Repaired),
        0,
        "{}",
        import.report
    );
}

#[test]
fn external_buffers_are_read_once_and_only_beside_the_document() {
    let folder = std::env::temp_dir().join(format!("sinew-gltf-{}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("temporary folders can be made");
    let bytes = TRIANGLE.map(f32::to_le_bytes).concat();
    std::fs::write(folder.join("a b.bin"), &bytes).expect("temporary files can be written");
    let document = |uri: &str, length: usize| {
        let buffer = format!(r#"{{"byteLength":{length},"uri":"{uri}"}}"#);
        format!(
            r#"{{"asset":{{"version":"2.0"}},"buffers":[{buffer},{buffer}],"bufferViews":[{{"buffer":1,"byteLength":36}}],
            "accessors":[{{"bufferView":0,"componentType":5126,"type":"VEC3","count":3,"min":[0,0,0],"max":[1,1,0]}}],
            "meshes":[{{"primitives":[{{"attributes":{{"POSITION":0}}}}]}}]}}"#
        )
    };
    let path = folder.join("model.gltf");
    std::fs::write(&path, document("a%20b.bin", 36)).expect("temporary files can be written");
    let imported = import(&path).expect("the file is beside the document");
    assert_eq!(
        imported.character.meshes[0].primitives[0].positions[1],
        Vec3::X
    );
    for (uri, length) in [
        ("missing.bin", 36),
        ("a%20b.bin", 4_000_000_000),
        ("/a%20b.bin", 36),
        ("http://a/b.bin", 36),
    ] {
        let refusal = import_bytes(document(uri, length).as_bytes(), Some(&folder)).expect_err(uri);
        // No object uses the first buffer, so it may be missing.
        assert!(refusal.to_string().contains("/buffers/1"), "{refusal}");
    }
    std::fs::remove_dir_all(&folder).expect("it was made a moment ago");
}
