//! Tests of what a build without a feature says. `scripts/io-features` runs them without the default features.

use sinew_io::gltf::GltfError;
use sinew_io::{ImportError, Severity, import_bytes};

const OBJ: &[u8] = b"o a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";

/// A triangle that is compressed with Draco, without its stream.
const DRACO: &str = r#"{"asset":{"version":"2.0"},"extensionsUsed":["KHR_draco_mesh_compression"],
    "meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1,
    "extensions":{"KHR_draco_mesh_compression":{"bufferView":0,"attributes":{"POSITION":0}}}}]}],
    "nodes":[{"mesh":0}],"scenes":[{"nodes":[0]}],
    "accessors":[{"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]},
    {"componentType":5125,"count":3,"type":"SCALAR"}],
    "buffers":[{"byteLength":4,"uri":"data:application/octet-stream;base64,AAAAAA=="}],
    "bufferViews":[{"buffer":0,"byteLength":4}]"#;

fn missing_feature(bytes: &[u8]) -> Option<&'static str> {
    match import_bytes(bytes) {
        Err(error @ ImportError::MissingFeature { feature, .. }) => {
            assert!(error.to_string().contains(&format!("`{feature}`")));
            Some(feature)
        }
        _ => None,
    }
}

/// The name of a feature that this build lacks.
fn lacking(feature: &'static str, is_on: bool) -> Option<&'static str> {
    (!is_on).then_some(feature)
}

#[test]
fn a_file_of_a_format_that_is_left_out_names_the_feature() {
    let mut c3d = vec![0; 512];
    c3d[..2].copy_from_slice(&[2, 0x50]);
    assert_eq!(missing_feature(OBJ), lacking("obj", cfg!(feature = "obj")));
    assert_eq!(missing_feature(&c3d), lacking("c3d", cfg!(feature = "c3d")));
    let bvh = b"HIERARCHY ROOT hips { OFFSET 0 0 0 CHANNELS 0 End Site { OFFSET 0 1 0 } } MOTION";
    assert_eq!(missing_feature(bvh), lacking("bvh", cfg!(feature = "bvh")));
    let ply = b"ply\nformat ascii 1.0\nend_header\n";
    assert_eq!(missing_feature(ply), lacking("ply", cfg!(feature = "ply")));
    let fbx = b"; FBX 7.4.0 project file";
    assert_eq!(missing_feature(fbx), lacking("fbx", cfg!(feature = "fbx")));
}

#[test]
fn a_required_extension_names_the_feature_and_others_leave_a_primitive_out() {
    let required = format!("{DRACO},\"extensionsRequired\":[\"KHR_draco_mesh_compression\"]}}");
    let refused = match import_bytes(required.as_bytes()) {
        Err(ImportError::Gltf(GltfError::UnsupportedExtension { reason, .. })) => reason,
        _ => "",
    };
    assert_eq!(refused.contains("`draco`"), !cfg!(feature = "draco"));
    let import = import_bytes(format!("{DRACO}}}").as_bytes()).unwrap();
    assert!(
        import.character.meshes[0]
            .primitives
            .iter()
            .all(|p| p.is_empty())
    );
    let mut said = import
        .report
        .of(Severity::Ignored)
        .filter(|f| f.code == "DRACO");
    let said = said.next().expect("a finding").message.contains("`draco`");
    assert_eq!(said, !cfg!(feature = "draco"));
}

#[test]
fn images_that_are_left_out_are_reported_with_the_feature() {
    let text = r#"{"asset":{"version":"2.0"},
        "images":[{"uri":"data:image/png;base64,iVBORw0KGgo="}],"textures":[{"source":0}]}"#;
    let import = import_bytes(text.as_bytes()).unwrap();
    let has_bytes = !import.character.images[0].bytes.is_empty();
    assert_eq!(has_bytes, cfg!(feature = "pictures"));
    let mut findings = import.report.of(Severity::Ignored);
    let said = findings.any(|finding| finding.message.contains("`pictures`"));
    assert_eq!(said, !cfg!(feature = "pictures"));
}
