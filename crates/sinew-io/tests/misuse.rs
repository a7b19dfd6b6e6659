//! Public functions with invalid bytes, lengths, indices or numbers return a typed error.
//! `gltf_export` covers faulty characters. The tests of each format cover broken files.

use crate::made;
use glam::Vec3;
use sinew::skeleton::limits::{AngleRange, Freedom, RotationLimit};
use sinew::{Character, Deformed, Method, deform};
use sinew_io::gltf::accessor::Decoder;
use sinew_io::gltf::budget::Budget;
use sinew_io::gltf::buffers::{Buffers, Source};
use sinew_io::gltf::check::check;
use sinew_io::gltf::load::load;
use sinew_io::gltf::schema::{Buffer, Document, Node};
use sinew_io::gltf::{
    self, ExportError, ExportOptions, GltfError, SourceDocument, freedom_json, glb,
};
use sinew_io::packed::PackedImportError;
use sinew_io::{
    FileReport, Foreign, Format, ImportError, Replacement, Severity, bvh, c3d, import,
    import_bytes, packed, save, write_obj, write_ply,
};
use std::io::ErrorKind;
use std::path::Path;

const NOWHERE: &str = "no/such/folder/file.glb";

#[test]
fn no_bytes_and_no_file() {
    assert!(matches!(import_bytes(b""), Err(ImportError::Empty)));
    let unknown = import_bytes(b"\0\0\0\0");
    assert!(matches!(unknown, Err(ImportError::UnknownFormat)));
    assert!(matches!(import(NOWHERE), Err(ImportError::Io { .. })));
    assert!(matches!(gltf::import(NOWHERE), Err(GltfError::Io { .. })));
    let read = bvh::import(NOWHERE);
    assert!(matches!(read, Err(bvh::BvhError::Io { .. })));
    let read = c3d::import(NOWHERE);
    assert!(matches!(read, Err(c3d::C3dError::Io { .. })));

    let empty = gltf::import_bytes(b"", None);
    assert!(matches!(empty, Err(GltfError::Glb(_))), "{empty:?}");
    let empty = bvh::import_bytes(b"");
    assert!(
        matches!(empty, Err(bvh::BvhError::NotBvh { .. })),
        "{empty:?}"
    );
    assert!(matches!(c3d::import_bytes(b""), Err(c3d::C3dError::NotC3d)));
    let empty = packed::import_bytes(b"");
    assert!(
        matches!(empty, Err(PackedImportError::Bytes(_))),
        "{empty:?}"
    );
    assert!(matches!(load(b"", None, None), Err(GltfError::Glb(_))));
    let mut report = FileReport::default();
    assert_eq!(glb::read(b"", &mut report).map(|glb| glb.bin), None);
    assert!(report.count(Severity::Error) > 0);
    assert_eq!(
        (Format::of(b"", None), Foreign::of(b"", None)),
        (None, None)
    );
}

#[test]
fn paths_that_cannot_be_written_to() {
    let tube = sinew_samples::tube_character();
    for name in ["tube", "tube.obj", ""] {
        let refused = save(name, &tube);
        let is_name = matches!(refused, Err(ExportError::UnknownFormat { .. }));
        assert!(is_name, "{name}: {refused:?}");
    }
    for name in [NOWHERE, "no/such/folder/file.gltf"] {
        let refused = save(name, &tube);
        assert!(
            matches!(refused, Err(ExportError::Io { .. })),
            "{refused:?}"
        );
    }
    let folder = std::env::temp_dir();
    let refused = Replacement::new(&folder).map_err(|error| error.kind());
    assert!(
        matches!(refused, Err(ErrorKind::IsADirectory)),
        "{refused:?}"
    );
    let refused = Replacement::new(Path::new(NOWHERE)).map_err(|error| error.kind());
    assert!(matches!(refused, Err(ErrorKind::NotFound)), "{refused:?}");
}

#[test]
fn moments_of_another_character() {
    let tube = sinew_samples::tube_character();
    let moment = deform(&tube, None, 0.0, Method::Linear).expect("at rest");
    let written = |character: &Character, moment: &Deformed| {
        let (mut text, mut mesh) = (Vec::new(), Vec::new());
        let obj = write_obj(character, moment, &mut text).map_err(|error| error.kind());
        let ply = write_ply(character, moment, &mut mesh).map_err(|error| error.kind());
        assert_eq!(obj, ply);
        obj.map(|()| text)
    };
    assert!(written(&tube, &moment).is_ok());
    let edits: [fn(&mut Deformed); 6] = [
        |m| m.primitives[0].mesh = 99,
        |m| m.primitives[0].primitive = 99,
        |m| m.primitives[0].positions.truncate(1),
        |m| m.primitives[0].positions.clear(),
        |m| m.primitives[0].positions[3].y = f32::NAN,
        |m| m.primitives[0].positions[3] = Vec3::INFINITY,
    ];
    for edit in edits {
        let mut wrong = moment.clone();
        edit(&mut wrong);
        assert_eq!(written(&tube, &wrong), Err(ErrorKind::InvalidInput));
    }
    let mut bare = tube.clone();
    bare.meshes.clear();
    assert_eq!(written(&bare, &moment), Err(ErrorKind::InvalidInput));
    // Incomplete normals and texture coordinates are omitted, so that corners stay valid.
    let (mut odd, mut short) = (tube.clone(), moment.clone());
    odd.meshes[0].primitives[0].texcoords = vec![vec![glam::Vec2::ZERO].into()];
    short.primitives[0].normals = Some(vec![Vec3::Y]);
    let text = written(&odd, &short).expect("it has vertices");
    let text = String::from_utf8(text).expect("text");
    let face = text.lines().find(|line| line.starts_with("f "));
    assert!(face.is_some_and(|face| !face.contains('/')), "{face:?}");
    let nothing = Deformed {
        primitives: Vec::new(),
        ..moment
    };
    assert_eq!(written(&tube, &nothing), Ok(Vec::new()));
}

#[test]
fn indices_that_a_document_does_not_have() {
    let mut document = Document {
        nodes: vec![Node {
            mesh: Some(7),
            skin: Some(u32::MAX),
            children: [3, 0].into(),
            ..Node::default()
        }],
        buffers: vec![Buffer {
            byte_length: u64::MAX,
            ..Buffer::default()
        }],
        ..Document::default()
    };
    let mut report = FileReport::default();
    check(&document, &mut report);
    let has = |code: &str| report.of(Severity::Error).any(|found| found.code == code);
    assert!(has("UNRESOLVED_REFERENCE"), "{report:?}");

    let (mut report, mut budget) = (FileReport::default(), Budget::for_json(0));
    let nothing = Source {
        bin: Some(&[]),
        folder: None,
    };
    let buffers = Buffers::load(&mut document, nothing, &mut report, &mut budget);
    let buffers = buffers.expect("nothing was taken");
    assert!(report.count(Severity::Error) > 0);
    for index in [0, 1, u32::MAX] {
        assert_eq!(buffers.get(index), None);
        assert_eq!(buffers.view(&document, index), None);
    }
    let mut decoder = Decoder::new(&document, &buffers, &mut budget, &mut report);
    for index in [0, u32::MAX] {
        let refused = decoder.values::<f32>(index);
        assert!(matches!(refused, Err(GltfError::Invalid(_))), "{refused:?}");
        let refused = decoder.elements::<[f32; 3], f32>(index);
        assert!(matches!(refused, Err(GltfError::Invalid(_))), "{refused:?}");
        let refused = decoder.sparse_elements::<[f32; 3]>(index);
        assert!(matches!(refused, Err(GltfError::Invalid(_))), "{refused:?}");
        assert!(!decoder.was_checked(index));
    }
}

#[test]
fn elements_of_another_shape_than_their_use() {
    let glb = gltf::to_glb(&made::painted(), &ExportOptions::default()).expect("it can be written");
    let loaded = load(&glb, None, None).expect("it can be read");
    let mut report = FileReport::default();
    let mut budget = Budget::for_json(glb.len());
    let document = &loaded.document;
    let mut decoder = Decoder::new(document, &loaded.buffers, &mut budget, &mut report);
    let positions = document.meshes[0].primitives[0].attributes.get("POSITION");
    let positions = positions.expect("it has positions");
    assert!(decoder.elements::<[f32; 3], f32>(positions).is_ok());
    let refused = |outcome: Result<(), GltfError>| {
        assert!(matches!(outcome, Err(GltfError::Invalid(_))), "{outcome:?}");
    };
    refused(decoder.elements::<[f32; 4], f32>(positions).map(|_| ()));
    refused(decoder.elements::<f32, f32>(positions).map(|_| ()));
    // The size is right, but the alignment is too small.
    refused(decoder.elements::<[u8; 12], f32>(positions).map(|_| ()));
}

#[test]
fn memory_that_a_file_does_not_justify() {
    let mut budget = Budget::for_json(usize::MAX);
    budget.grow_for(usize::MAX);
    assert_eq!(budget.limit(), isize::MAX as u64);
    let mut small = Budget::for_json(0);
    let limit = small.limit();
    for wanted in [limit + 1, u64::MAX] {
        let refused = small.charge(wanted, "everything", "/");
        assert!(matches!(refused, Err(GltfError::MemoryLimit { .. })));
    }
    small.release(u64::MAX);
    assert!(small.charge(limit, "what there is", "/").is_ok());
}

#[test]
fn limits_that_are_none_are_not_written() {
    let hinge = |axis, min_rad, max_rad| Freedom {
        rotation: RotationLimit::Hinge {
            axis,
            range: AngleRange { min_rad, max_rad },
        },
        ..Freedom::default()
    };
    assert!(freedom_json(&hinge(Vec3::X, -1.0, 1.0)).is_ok());
    for wrong in [
        hinge(Vec3::splat(f32::NAN), -1.0, 1.0),
        hinge(Vec3::ZERO, -1.0, 1.0),
        hinge(Vec3::X, f32::NAN, 1.0),
        hinge(Vec3::X, 1.0, -1.0),
    ] {
        assert!(freedom_json(&wrong).is_err(), "{wrong:?}");
    }
}

/// The lists of the source have other lengths, and its references are invalid.
#[test]
fn sources_of_another_character() {
    let painted = made::painted();
    let glb = gltf::to_glb(&painted, &ExportOptions::default()).expect("it can be written");
    let own = gltf::import_bytes(&glb, None)
        .expect("it can be read")
        .source;
    let edits: [fn(&mut SourceDocument); 8] = [
        |s| s.buffers = vec![vec![1, 2, 3]; 5],
        |s| s.buffers = vec![Vec::new()],
        |s| s.document.buffers.clear(),
        |s| s.document.buffer_views.clear(),
        |s| s.document.nodes.truncate(1),
        |s| {
            s.document
                .meshes
                .iter_mut()
                .for_each(|m| m.primitives.clear());
        },
        |s| {
            let nodes = s.document.nodes.clone();
            s.document.nodes.extend(nodes);
        },
        |s| s.document = Document::default(),
    ];
    for edit in edits {
        let mut source = own.clone();
        edit(&mut source);
        for character in [&painted, &sinew_samples::tube_character()] {
            let options = ExportOptions::new().source(Some(&source));
            let glb = gltf::to_glb(character, &options).expect("the character is whole");
            let read = gltf::import_bytes(&glb, None).expect("so is what was written");
            assert_eq!(read.character.skeleton.len(), character.skeleton.len());
        }
    }
}
