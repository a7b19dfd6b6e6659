//! Compressed export: within the stated precision, and no larger than the output of gltfpack.

use crate::foreign::foreign;
use crate::made;

use super::gltf_optimised::{distance, models_in, positions};
use super::made_meshopt::apart;
use crate::hostile::Random;
use glam::{Vec2, Vec3};
use sinew::{Character, Interpolation, Mesh, Node, Primitive};
use sinew_io::gltf::{ExportOptions, GltfImport, export, import, import_bytes};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

fn compressed(character: &Character, options: &ExportOptions<'_>) -> Vec<u8> {
    let export = export(character, options).unwrap();
    export.compressed().unwrap().to_glb().unwrap()
}

fn count(character: &Character) -> [usize; 3] {
    let primitives = || character.meshes.iter().flat_map(|mesh| &mesh.primitives);
    [
        primitives().map(|p| p.triangles().count()).sum(),
        character.clips.len(),
        character.skeleton.len(),
    ]
}

fn check(name: &str, before: &Character, bytes: &[u8], max: f32) -> GltfImport {
    let read = import_bytes(bytes, None).unwrap_or_else(|error| panic!("{name}: {error}"));
    let after = &read.character;
    assert_eq!(count(after), count(before), "{name}");
    for (clip, before) in after.clips.iter().zip(&before.clips) {
        let off = (clip.duration_secs - before.duration_secs).abs();
        assert!(off < 1e-6, "{name}: {} lasts another time", clip.name);
    }
    for time_secs in [0.0, 0.4, 1.1] {
        let [a, b] = [before, after].map(|character| positions(character, time_secs));
        if a.is_empty() || a.len() > 20_000 {
            continue;
        }
        let off = distance(&a, &b);
        assert!(off < max, "{name} at {time_secs}: {off}");
    }
    read
}

#[test]
fn what_is_made_by_code_is_compressed_and_read_again() {
    use Interpolation::{CubicHermite, Linear, Slerp, Step};
    for (name, character) in [
        ("skinned", made::skinned(9, 700, 3)),
        ("many influences", made::skinned(40, 300, 13)),
        ("many vertices", made::skinned(2, 70_000, 4)),
        ("morphed", made::morphed()),
        (
            "animated",
            made::animated(&[Step, Linear, Slerp, CubicHermite]),
        ),
        ("painted", made::painted()),
        ("eventful", made::eventful()),
    ] {
        let options = ExportOptions::default();
        let bytes = compressed(&character, &options);
        let plain = export(&character, &options).unwrap().to_glb().unwrap();
        let plain = import_bytes(&plain, None).unwrap();
        let read = check(name, &plain.character, &bytes, 5e-3);
        assert_eq!(read.report.to_string(), plain.report.to_string(), "{name}");
        assert_eq!(bytes, compressed(&character, &options), "{name}");
        // A second export without compression is plain. With compression it is no larger.
        let source = Some(&read.source);
        let again = compressed(&read.character, &ExportOptions::new().source(source));
        assert!(again.len() <= bytes.len() + bytes.len() / 50, "{name}");
        check(name, &plain.character, &again, 1e-2);
    }
}

#[test]
fn positions_are_as_fine_as_is_said() {
    let character = made::skinned(2, 2000, 1);
    let plain = &character.meshes[0].primitives[0].positions;
    let bytes = compressed(&character, &ExportOptions::default());
    let read = import_bytes(&bytes, None).unwrap().character;
    let mut after: Vec<[f32; 3]> = read.meshes[0].primitives[0]
        .positions
        .iter()
        .map(|p| (*p).into())
        .collect();
    let mut before: Vec<[f32; 3]> = plain.iter().map(|p| (*p).into()).collect();
    let extent = |axis: usize| {
        let along = || before.iter().map(|p| p[axis]);
        along().fold(f32::MIN, f32::max) - along().fold(f32::MAX, f32::min)
    };
    let step = (0..3).map(extent).fold(0.0, f32::max) / 16384.0;
    // Each point is close to a point of the other set.
    let key = |p: &[f32; 3]| p.map(|c| (c / (4.0 * step)).round() as i64);
    before.sort_by_key(key);
    after.sort_by_key(key);
    for p in &before {
        let near = after
            .iter()
            .any(|q| (0..3).all(|i| (p[i] - q[i]).abs() <= step / 2.0 + 1e-7));
        assert!(near, "{p:?}");
    }
}

/// A grid of ten by ten. Its triangles share no vertex, because each corner is slightly off.
/// Texture coordinates have a seam along a column.
#[test]
fn vertices_that_are_the_same_once_rounded_become_one() {
    let mut random = Random(9);
    let mut off = || (random.below(2001) as f32 / 1000.0 - 1.0) * 1e-5;
    let mut primitive = Primitive::default();
    let (mut positions, mut normals, mut coordinates) = (Vec::new(), Vec::new(), Vec::new());
    for cell in 0..81 {
        let (x, y) = (cell % 9, cell / 9);
        for (right, up) in [(0, 0), (1, 0), (1, 1), (0, 0), (1, 1), (0, 1)] {
            let position = Vec3::new((x + right) as f32, (y + up) as f32, 0.0);
            positions.push(position + Vec3::new(off(), off(), off()));
            normals.push(Vec3::new(off(), off(), 1.0).normalize());
            let u = if x < 4 { 0.0 } else { 0.25 } + position.x / 16.0;
            coordinates.push(Vec2::new(u + off(), position.y / 16.0 + off()));
        }
    }
    let corners = positions.len() as u32;
    primitive.positions = Arc::new(positions);
    primitive.normals = Some(Arc::new(normals));
    primitive.texcoords = vec![Arc::new(coordinates)];
    primitive.indices = Some(Arc::new((0..corners).collect()));
    let mut character = made::skinned(2, 5, 1);
    character.meshes.push(Mesh {
        primitives: vec![primitive],
        ..Mesh::default()
    });
    character.nodes.push(Node {
        mesh: Some(1),
        ..made::still("grid", None)
    });
    let bytes = compressed(&character, &ExportOptions::default());
    let read = import_bytes(&bytes, None).unwrap().character;
    let grid = &read.meshes[1].primitives[0];
    assert_eq!((grid.positions.len(), grid.triangles().count()), (110, 162));
}

#[test]
fn what_something_unknown_may_read_stays_as_it_is() {
    let mut document = crate::plain_gltf::triangle();
    document["extensionsUsed"] = serde_json::json!(["ACME_reads_accessors"]);
    document["extensions"] = serde_json::json!({"ACME_reads_accessors": {"accessor": 0}});
    let import = crate::plain_gltf::reads(&document);
    let options = ExportOptions::new().source(Some(&import.source));
    let plain = export(&import.character, &options).unwrap();
    let after = plain.clone().compressed().unwrap();
    assert_eq!(after.bytes, plain.bytes);
    assert!(
        after.report.to_string().contains("NOT_COMPRESSED"),
        "{}",
        after.report
    );
}

fn length(glb: &[u8]) -> usize {
    let (document, _) = apart(glb);
    let images = document["images"].as_array().cloned().unwrap_or_default();
    let views = images
        .iter()
        .filter_map(|image| image["bufferView"].as_u64());
    let lengths = views.map(|view| document["bufferViews"][view as usize]["byteLength"].as_u64());
    glb.len() - lengths.flatten().sum::<u64>() as usize
}

fn attributes(glb: &[u8]) -> BTreeSet<String> {
    let (document, _) = apart(glb);
    let meshes = document["meshes"].as_array().into_iter().flatten();
    let primitives = meshes.flat_map(|mesh| mesh["primitives"].as_array().into_iter().flatten());
    let named = primitives.flat_map(|primitive| primitive["attributes"].as_object());
    named.flat_map(|named| named.keys().cloned()).collect()
}

#[test]
fn real_models_are_compressed_and_read_again() {
    let Some(folder) = foreign("gltf") else {
        return;
    };
    let packed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/compressed");
    let mut compared = 0;
    let materials = models_in(&folder.join("materials"));
    for path in models_in(&folder).into_iter().chain(materials) {
        let name = path.file_stem().unwrap().to_string_lossy().into_owned();
        let plain = import(&path).unwrap();
        let options = ExportOptions::new().source(Some(&plain.source));
        let bytes = compressed(&plain.character, &options);
        // The comparison takes quadratic time, which is minutes for large models.
        if !path.starts_with(folder.join("materials")) {
            check(&name, &plain.character, &bytes, 5e-3);
        }
        let whole = export(&plain.character, &options)
            .unwrap()
            .to_glb()
            .unwrap();
        // `scripts/compressed-variants` makes these files.
        let theirs = |options: &str| {
            let file = packed.join(format!("{name}--gltfpack-{options}.glb"));
            std::fs::read(file).ok()
        };
        let Some(mut other) = theirs("cc") else {
            println!("{name}: {} of {}", length(&bytes), length(&whole));
            continue;
        };
        // By default, gltfpack drops attributes that no material uses.
        let is_less = !attributes(&bytes).is_subset(&attributes(&other));
        if is_less {
            other = theirs("cc-kv").unwrap();
        }
        let ratio = length(&bytes) as f64 / length(&other) as f64;
        println!(
            "{name}: {} of {}, gltfpack's {}{}, ratio {ratio:.3}",
            length(&bytes),
            length(&whole),
            length(&other),
            if is_less { " with all attributes" } else { "" },
        );
        assert!(ratio <= 1.1, "{name}: {ratio}");
        compared += 1;
    }
    if compared == 0 {
        println!("SKIPPED: no folder target/compressed; scripts/compressed-variants makes it");
    }
}
