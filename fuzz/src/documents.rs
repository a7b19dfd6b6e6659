//! Checks that a character from a file of any format can be deformed, written and read again.

use crate::finite::{assert_character, assert_deformed, reach};
use glam::Vec3;
use sinew::{Character, DeformError, Method, deform};
use sinew_io::gltf::{
    ExportError, ExportOptions, GltfImport, SourceDocument, export, import_bytes,
};
use sinew_io::report::{FileReport, Finding, Severity};

/// Distance beyond which numbers may overflow in single precision.
const FAR: f64 = 1e15;

/// Checks a character after import.
pub fn hold(character: &Character) {
    assert_character(character);
    move_it(character);
}

/// Skins a character with every method at the start, middle and end of its first clip.
fn move_it(character: &Character) {
    let stays_near = reach(character) < FAR;
    let clip = (!character.clips.is_empty()).then_some(0);
    let end = clip.map_or(0.0, |clip| f64::from(character.clips[clip].duration_secs));
    let moments: &[f64] = if clip.is_some() {
        &[0.0, 0.37, 1.0]
    } else {
        &[0.0]
    };
    for part in moments {
        for method in [
            Method::Rigid,
            Method::Linear,
            Method::DualQuat,
            Method::Quaternion,
        ] {
            let moved = deform(character, clip, part * end, method);
            match moved {
                Ok(moved) if stays_near => assert_deformed(&moved),
                Ok(_) => {}
                // Overflow far from the origin, and too many nodes, are valid errors.
                Err(DeformError::NotFinite { .. }) if !stays_near => {}
                Err(DeformError::TooLarge { .. }) => {}
                Err(refusal) => panic!("what was imported cannot be deformed: {refusal}"),
            }
        }
    }
}

/// Writes a character, reads it back, compares the characters, and runs our checker on the file.
pub fn round_trip(character: &Character, source: Option<&SourceDocument>) -> Option<GltfImport> {
    let options = ExportOptions::new().source(source);
    let written = match export(character, &options) {
        // Keys before time 0 can be played, but not exported.
        Err(ExportError::NegativeTime { .. }) => return None,
        written => written.expect("what was read can be written"),
    };
    let glb = written.to_glb().expect("and put into a file");
    let again = import_bytes(&glb, None).expect("and read again");
    assert_clean(&again.report);
    let text = written.to_gltf().expect("as text, too");
    let from_text = import_bytes(text.as_bytes(), None).expect("and read again");
    assert_same(&again.character, &from_text.character);
    // If the export reports a loss, the characters may differ. Empty primitives are lost silently.
    let mut primitives = character.meshes.iter().flat_map(|m| &m.primitives);
    if written.report.is_empty() && primitives.all(|p| !p.is_empty()) {
        assert_same_vertices(character, &again.character);
    }
    Some(again)
}

/// Checks that only the first import repairs a file: another round trip changes nothing.
pub fn is_settled(first: &GltfImport, source: Option<&SourceDocument>) {
    let again = round_trip(&first.character, source).expect("it was written before");
    assert_same(&first.character, &again.character);
}

/// Checks that vertices have the same bits. A repaired skeleton may have one more node.
fn assert_same_vertices(a: &Character, b: &Character) {
    for part in [0.0, 0.37] {
        let [a, b] = [a, b].map(|character| {
            let clip = (!character.clips.is_empty()).then_some(0);
            let end = clip.map_or(0.0, |clip| f64::from(character.clips[clip].duration_secs));
            deform(character, clip, part * end, Method::Linear)
        });
        let (a, b) = match (a, b) {
            (Ok(a), Ok(b)) => (a, b),
            (Err(a), Err(b)) if std::mem::discriminant(&a) == std::mem::discriminant(&b) => {
                continue;
            }
            (a, b) => panic!("one is refused: {:?}, {:?}", a.err(), b.err()),
        };
        assert_eq!(a.primitives.len(), b.primitives.len(), "other primitives");
        for (a, b) in a.primitives.iter().zip(&b.primitives) {
            // glTF has an offset of 0 for each vertex that a morph target leaves alone: −0 becomes 0.
            let bits = |v: &Vec3| v.to_array().map(|x| (x + 0.0).to_bits());
            let same = a
                .positions
                .iter()
                .map(bits)
                .eq(b.positions.iter().map(bits));
            assert!(same, "other vertices of node {}", a.node);
        }
    }
}

/// Checks that our checker finds no faults in our own file, except known codes.
fn assert_clean(report: &FileReport) {
    // The exporter keeps some faults, such as missing files, shear and unknown images.
    let known = [
        "NOT_DRAWN",
        "IO_ERROR",
        "NODE_MATRIX_NON_TRS",
        "VALUE_NOT_IN_LIST",
        "IMAGE_UNRECOGNIZED_FORMAT",
        "IMAGE_DATA_INVALID",
        "VRM_UNREADABLE",
    ];
    let is_fault =
        |finding: &&Finding| finding.severity != Severity::Note && !known.contains(&finding.code);
    let faults: Vec<String> = report
        .findings
        .iter()
        .filter(is_fault)
        .map(Finding::to_string)
        .collect();
    assert!(faults.is_empty(), "we wrote {faults:?}");
}

/// Compares part by part, so that a failure states the part.
pub fn assert_same(a: &Character, b: &Character) {
    assert_eq!(a.skeleton, b.skeleton, "another skeleton");
    assert_eq!(a.nodes, b.nodes, "other nodes");
    assert_eq!(a.skins, b.skins, "other skins");
    assert_eq!(a.clips, b.clips, "other clips");
    assert_eq!(a.materials, b.materials, "other materials");
    assert_eq!(a.textures, b.textures, "other textures");
    assert_eq!(a.images, b.images, "other images");
    assert_eq!(a.meshes, b.meshes, "other meshes");
}
