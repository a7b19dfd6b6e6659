//! Documents with one fault each, and documents that round-trip.

use sinew_io::gltf::budget::Budget;
use sinew_io::gltf::schema::Document;
use sinew_io::gltf::{GltfError, import_bytes};
use sinew_io::report::{FileReport, Finding, Severity};

fn document(members: &str) -> String {
    format!(r#"{{"asset":{{"version":"2.0"}},{members}}}"#)
}

fn findings(text: &str) -> Vec<Finding> {
    match import_bytes(text.as_bytes(), None) {
        Ok(import) => import.report.findings,
        Err(refusal) => refusal
            .report()
            .unwrap_or_else(|| panic!("{refusal}"))
            .findings
            .clone(),
    }
}

/// Members, finding code, pointer, and true if the document is refused.
const WRONG: [(&str, &str, &str, bool); 34] = [
    (r#""nodes":{}"#, "TYPE_MISMATCH", "/nodes", true),
    (r#""nodes":[1]"#, "TYPE_MISMATCH", "/nodes/0", true),
    (
        r#""nodes":[{"mesh":-1}]"#,
        "INVALID_INDEX",
        "/nodes/0/mesh",
        true,
    ),
    (
        r#""nodes":[{"mesh":"0"}]"#,
        "TYPE_MISMATCH",
        "/nodes/0/mesh",
        true,
    ),
    (
        r#""nodes":[{"mesh":0}]"#,
        "UNRESOLVED_REFERENCE",
        "/nodes/0/mesh",
        true,
    ),
    (
        r#""nodes":[{"mesh":4294967295}]"#,
        "UNRESOLVED_REFERENCE",
        "/nodes/0/mesh",
        true,
    ),
    (
        r#""nodes":[{}],"skins":[{"joints":[4294967295]}]"#,
        "UNRESOLVED_REFERENCE",
        "/skins/0/joints/0",
        true,
    ),
    (
        r#""nodes":[{}],"skins":[{"joints":[1e300]}]"#,
        "UNRESOLVED_REFERENCE",
        "/skins/0/joints/0",
        true,
    ),
    (
        r#""nodes":[{"children":[0.5]}]"#,
        "INVALID_INDEX",
        "/nodes/0/children/0",
        true,
    ),
    (
        r#""nodes":[{"children":[1,1]},{}]"#,
        "DUPLICATE_ELEMENTS",
        "/nodes/0/children/1",
        false,
    ),
    (
        r#""nodes":[{"children":[0]}]"#,
        "NODE_LOOP",
        "/nodes/0",
        true,
    ),
    (
        r#""nodes":[{"name":7}]"#,
        "TYPE_MISMATCH",
        "/nodes/0/name",
        false,
    ),
    (
        r#""nodes":[{"translation":[1,2]}]"#,
        "ARRAY_LENGTH_NOT_IN_LIST",
        "/nodes/0/translation",
        true,
    ),
    (
        r#""nodes":[{"translation":[1,2,null]}]"#,
        "ARRAY_TYPE_MISMATCH",
        "/nodes/0/translation",
        true,
    ),
    (
        r#""nodes":[{"translation":[1,1e309,0]}]"#,
        "VALUE_NOT_IN_RANGE",
        "/nodes/0/translation/1",
        true,
    ),
    (
        r#""nodes":[{"rotation":[0,0,0,1.5]}]"#,
        "VALUE_NOT_IN_RANGE",
        "/nodes/0/rotation/3",
        false,
    ),
    (
        r#""nodes":[{"rotation":[0,0,0,0]}]"#,
        "ROTATION_NON_UNIT",
        "/nodes/0/rotation",
        false,
    ),
    (
        r#""nodes":[{"extensions":{"A_b/c":{}}}]"#,
        "UNDECLARED_EXTENSION",
        "/nodes/0/extensions/A_b~1c",
        false,
    ),
    (
        r#""nodes":[{},{}],"skins":[{"joints":[0,0]}]"#,
        "DUPLICATE_ELEMENTS",
        "/skins/0/joints/1",
        false,
    ),
    (
        r#""accessors":[{"componentType":5126,"count":0,"type":"VEC3"}]"#,
        "VALUE_NOT_IN_RANGE",
        "/accessors/0/count",
        false,
    ),
    (
        r#""accessors":[{"componentType":5126,"count":-1,"type":"VEC3"}]"#,
        "VALUE_NOT_IN_RANGE",
        "/accessors/0/count",
        false,
    ),
    (
        r#""accessors":[{"componentType":1,"count":1,"type":"VEC3"}]"#,
        "VALUE_NOT_IN_LIST",
        "/accessors/0/componentType",
        false,
    ),
    (
        r#""accessors":[{"componentType":5126,"count":1,"type":"VEC3","min":[0]}]"#,
        "ARRAY_LENGTH_NOT_IN_LIST",
        "/accessors/0/min",
        false,
    ),
    (
        r#""accessors":[{"componentType":5121,"count":1,"type":"SCALAR","max":[300]}]"#,
        "INVALID_GL_VALUE",
        "/accessors/0/max",
        false,
    ),
    (
        r#""accessors":[{"componentType":5126,"count":1,"type":"VEC3","sparse":{}}]"#,
        "UNDEFINED_PROPERTY",
        "/accessors/0/sparse",
        false,
    ),
    (
        r#""bufferViews":[{"buffer":0,"byteLength":8}],"buffers":[{"byteLength":8,"uri":"data:application/octet-stream;base64,AAAA"}]"#,
        "BUFFER_EMBEDDED_BYTELENGTH_MISMATCH",
        "/buffers/0/byteLength",
        false,
    ),
    (
        r#""buffers":[{"byteLength":3,"uri":"data:text/plain;base64,AAAA"}]"#,
        "BUFFER_DATA_URI_MIME_TYPE_INVALID",
        "/buffers/0/uri",
        false,
    ),
    (
        r#""buffers":[{"byteLength":3,"uri":"data:application/octet-stream;base64,A?AA"}]"#,
        "INVALID_URI",
        "/buffers/0/uri",
        false,
    ),
    (
        r#""buffers":[{"byteLength":3,"uri":"../secret.bin"}]"#,
        "IO_ERROR",
        "/buffers/0/uri",
        false,
    ),
    (
        r#""bufferViews":[{"buffer":0,"byteLength":18446744073709551615,"byteOffset":1}],"buffers":[{"byteLength":8}]"#,
        "BUFFER_VIEW_TOO_LONG",
        "/bufferViews/0/byteLength",
        false,
    ),
    (
        r#""meshes":[{"primitives":[{"attributes":{"POSITION":1.5}}]}]"#,
        "INVALID_INDEX",
        "/meshes/0/primitives/0/attributes/POSITION",
        true,
    ),
    (
        r#""meshes":[{"primitives":[{"attributes":{"_A":0},"mode":9}]}],"accessors":[{"componentType":5126,"count":1,"type":"VEC3"}]"#,
        "VALUE_NOT_IN_RANGE",
        "/meshes/0/primitives/0/mode",
        false,
    ),
    (
        r#""animations":[{"channels":[{"sampler":0,"target":{"path":"size"}}],"samplers":[{"input":0,"output":0}]}],"accessors":[{"componentType":5126,"count":1,"type":"SCALAR"}]"#,
        "VALUE_NOT_IN_LIST",
        "/animations/0/channels/0/target/path",
        false,
    ),
    (
        r#""extensionsUsed":["A","A"]"#,
        "DUPLICATE_ELEMENTS",
        "/extensionsUsed/1",
        false,
    ),
];

#[test]
fn each_mistake_is_named_with_its_location() {
    for (members, code, pointer, refused) in WRONG {
        let found = findings(&document(members));
        let finding = found
            .iter()
            .find(|finding| finding.code == code && finding.pointer == pointer);
        assert!(
            finding.is_some(),
            "{members}: no {code} at {pointer} in {found:#?}"
        );
        let has_error = found
            .iter()
            .any(|finding| finding.severity == Severity::Error);
        assert_eq!(has_error, refused, "{members}: {found:#?}");
    }
}

#[test]
fn one_pass_lists_every_mistake() {
    let text = document(
        r#""nodes":[{"mesh":"a","children":{},"scale":[1]},7],"skins":[{}],"accessors":[{"count":true}]"#,
    );
    let pointers: Vec<_> = findings(&text)
        .into_iter()
        .map(|finding| finding.pointer)
        .collect();
    for pointer in [
        "/nodes/0/mesh",
        "/nodes/0/children",
        "/nodes/0/scale",
        "/nodes/1",
        "/skins/0",
        "/accessors/0/count",
    ] {
        assert!(
            pointers.iter().any(|found| found == pointer),
            "{pointer} is not in {pointers:?}"
        );
    }
}

#[test]
fn a_refusal_names_the_locations_and_the_way_out() {
    let refusal = import_bytes(document(r#""nodes":[{"mesh":3}]"#).as_bytes(), None)
        .expect_err("there is no mesh");
    let text = refusal.to_string();
    assert!(
        text.contains("/nodes/0/mesh") && text.contains("export the file again"),
        "{text}"
    );
}

#[test]
fn broken_json_is_refused_with_line_and_column() {
    let refusal = import_bytes(b"{\n  \"asset\": }", None).expect_err("this is not JSON");
    assert!(
        matches!(
            refusal,
            GltfError::Json {
                line: 2,
                column: 12,
                ..
            }
        ),
        "{refusal:?}"
    );
    let refusal = import_bytes(b"{\"a\":\n\"\xff\"}", None).expect_err("this is not UTF-8");
    assert!(
        matches!(
            refusal,
            GltfError::Json {
                line: 2,
                column: 2,
                ..
            }
        ),
        "{refusal:?}"
    );
}

#[test]
fn required_extensions_are_refused_by_name() {
    for name in ["EXT_structural_metadata", "ACME_warp"] {
        let members = format!(r#""extensionsUsed":["{name}"],"extensionsRequired":["{name}"]"#);
        let refusal =
            import_bytes(document(&members).as_bytes(), None).expect_err("it is not known");
        assert!(refusal.to_string().contains(name), "{refusal}");
    }
    let members = r#""extensionsUsed":["KHR_mesh_quantization"],"extensionsRequired":["KHR_mesh_quantization"]"#;
    assert!(import_bytes(document(members).as_bytes(), None).is_ok());
}

#[test]
fn other_versions_are_refused() {
    let refusal =
        import_bytes(br#"{"asset":{"version":"1.0"}}"#, None).expect_err("that is glTF 1");
    assert!(refusal.to_string().contains("/asset/version"), "{refusal}");
    let newer = br#"{"asset":{"version":"2.1","minVersion":"2.1"}}"#;
    let refusal = import_bytes(newer, None).expect_err("2.0 does not do");
    assert!(
        refusal.to_string().contains("/asset/minVersion"),
        "{refusal}"
    );
    let enough = br#"{"asset":{"version":"2.1","minVersion":"2.0"}}"#;
    assert!(import_bytes(enough, None).is_ok());
}

#[test]
fn a_matrix_past_single_precision_is_refused_with_its_location() {
    let text = document(
        r#""nodes":[{},{"matrix":[3e38,3e38,3e38,0,0,1,0,0,0,0,1,0,0,0,0,1]}],"skins":[{"joints":[1]}]"#,
    );
    let refusal = import_bytes(text.as_bytes(), None).expect_err("a matrix that is no transform");
    assert!(refusal.to_string().contains("/nodes/1/matrix"), "{refusal}");
}

#[test]
fn documents_come_back_as_they_were() {
    let text = document(
        r#""extensionsUsed":["ACME_x"],"scene":0,"scenes":[{"name":"s","nodes":[0]}],
        "nodes":[{"name":"a\n\"b\"","children":[1],"matrix":[1,0,0,0,0,1,0,0,0,0,1,0,0.1,3.4028235e38,1e-45,1],"extras":{"k":[1,2.50]}},
                 {"mesh":0,"skin":0,"weights":[0.1],"rotation":[0,0,0,1],"ACME":"kept","extensions":{"ACME_x":{"deep":{}}}}],
        "meshes":[{"primitives":[{"attributes":{"POSITION":0,"_X":1},"indices":2,"mode":5,"targets":[{"POSITION":3}]}],"weights":[1]}],
        "skins":[{"joints":[1],"inverseBindMatrices":4,"skeleton":1}],
        "animations":[{"channels":[{"sampler":0,"target":{"node":0,"path":"scale"}}],"samplers":[{"input":5,"interpolation":"CUBICSPLINE","output":6}]}],
        "materials":[{"pbrMetallicRoughness":{"baseColorFactor":[1,0.5,0.25,1],"baseColorTexture":{"index":0,"texCoord":1}},"alphaMode":"MASK","alphaCutoff":0.3,"doubleSided":true}],
        "textures":[{"source":0,"sampler":0}],"images":[{"uri":"a.png"}],"samplers":[{"wrapS":33071}],"cameras":[{"type":"perspective","perspective":{"yfov":1}}],
        "accessors":[{"componentType":5126,"count":3,"type":"VEC3","min":[0.1,0,0],"normalized":true,"sparse":{"count":1,"indices":{"bufferView":0,"componentType":5123},"values":{"bufferView":1,"byteOffset":4}}}],
        "bufferViews":[{"buffer":0,"byteLength":4,"byteStride":4,"target":34962}],"buffers":[{"byteLength":4,"uri":"b.bin"}]"#,
    );
    let read = |text: &str| {
        let mut budget = Budget::for_json(text.len());
        let document = Document::read(text, &mut FileReport::default(), &mut budget)
            .expect("the text is JSON");
        document.expect("the text is an object")
    };
    let first = read(&text);
    let written = serde_json::to_string(&first).expect("documents can be written");
    assert_eq!(read(&written), first);
    for kept in [
        r#""extras":{"k":[1,2.50]}"#,
        r#""ACME":"kept""#,
        r#""extensions":{"ACME_x":{"deep":{}}}"#,
        "3.4028235e+38",
        "1e-45",
        r#""wrapS":33071"#,
    ] {
        assert!(written.contains(kept), "{kept} is not in {written}");
    }
    let value =
        |text: &str| serde_json::from_str::<serde_json::Value>(text).expect("both are JSON");
    let (before, after) = (value(&text), value(&written));
    for (name, member) in before.as_object().into_iter().flatten() {
        if !["nodes", "accessors", "meshes", "materials"].contains(&name.as_str()) {
            assert_eq!(&after[name], member, "{name}");
        }
    }
}
