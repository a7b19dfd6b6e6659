//! Compares files from optimisers (`scripts/compressed-variants` makes them) with the plain files.

use std::path::{Path, PathBuf};

use glam::Vec3;
use serde_json::Value;
use sinew::{Character, Interpolation, Method, deform};
use sinew_io::gltf::{GltfImport, import, import_bytes};

use crate::foreign::foreign;
use crate::made_meshopt::apart;

pub(crate) fn models_in(folder: &Path) -> Vec<PathBuf> {
    let listed = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut models: Vec<PathBuf> = listed.map(|entry| entry.path()).collect();
    models.retain(|path| path.extension().is_some_and(|e| e == "glb" || e == "gltf"));
    models.sort();
    models
}

pub(crate) fn positions(character: &Character, time_secs: f64) -> Vec<Vec3> {
    let clip = (!character.clips.is_empty()).then_some(0);
    let moved = deform(character, clip, time_secs, Method::Linear).unwrap();
    let parts = moved.primitives.into_iter();
    let drawn = parts.flat_map(|part| {
        let primitive = &character.meshes[part.mesh].primitives[part.primitive];
        let all = 0..part.positions.len() as u32;
        let mut drawn = match &primitive.indices {
            Some(indices) => indices.to_vec(),
            None => all.collect(),
        };
        drawn.sort_unstable();
        drawn.dedup();
        let positions = drawn
            .into_iter()
            .map(|vertex| part.positions[vertex as usize]);
        positions.collect::<Vec<_>>()
    });
    drawn.collect()
}

/// Max distance of a point of either set from the other set, relative to the extent. Above 4,000
/// vertices a sample is compared. Encoders reorder vertices and drop unused vertices.
pub(crate) fn distance(a: &[Vec3], b: &[Vec3]) -> f32 {
    let min = a.iter().fold(Vec3::INFINITY, |m, p| m.min(*p));
    let max = a.iter().fold(Vec3::NEG_INFINITY, |m, p| m.max(*p));
    let far = |a: &[Vec3], b: &[Vec3]| {
        let nearest = |p: &Vec3| {
            b.iter()
                .map(|q| p.distance_squared(*q))
                .fold(f32::INFINITY, f32::min)
        };
        let tried = a
            .iter()
            .step_by((a.len() * b.len()).div_ceil(20_000_000).max(1));
        tried.map(nearest).fold(0.0, f32::max).sqrt()
    };
    far(a, b).max(far(b, a)) / (max - min).max_element()
}

#[test]
fn draco_files_are_the_same_as_plain_ones() {
    let Some(folder) = foreign("gltf/variants") else {
        return;
    };
    for name in ["CesiumMan", "RiggedFigure", "RiggedSimple"] {
        let read = |kind: &str| import(folder.join(format!("{name}-{kind}/{name}.gltf"))).unwrap();
        let (plain, packed) = (read("glTF"), read("Draco"));
        for time_secs in [0.0, 0.7, 1.3] {
            let [a, b] = [&plain, &packed].map(|read| positions(&read.character, time_secs));
            let off = distance(&a, &b);
            assert!(off < 2e-3, "{name} at {time_secs}: {off}");
        }
        let meshes = packed.character.meshes.iter();
        let mut primitives = meshes.flat_map(|mesh| &mesh.primitives);
        assert!(primitives.all(|primitive| primitive.influences.is_some()));
    }
}

const VARIANTS: [&str; 8] = [
    "meshopt-medium",
    "meshopt-high",
    "draco",
    "draco-sequential",
    "quantize",
    "gltfpack-c",
    "gltfpack-cc",
    "gltfpack-cc-kv",
];

#[test]
fn files_of_the_usual_optimisers_are_the_same_as_before() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/compressed");
    if !folder.is_dir() {
        println!("SKIPPED: no folder target/compressed; scripts/compressed-variants makes it");
        return;
    }
    let groups = foreign("asset-generator").map(|groups| std::fs::read_dir(groups).unwrap());
    let groups = groups.into_iter().flatten().flatten();
    let folders = ["gltf", "gltf/materials"].into_iter().filter_map(foreign);
    let folders = folders.chain(groups.map(|group| group.path()));
    let models: Vec<PathBuf> = folders.flat_map(|folder| models_in(&folder)).collect();
    let (mut compared, mut wrong) = (0, Vec::new());
    for model in &models {
        let model = model.file_stem().unwrap().to_string_lossy();
        let glb = std::fs::read(folder.join(format!("{model}.glb")));
        let glb = glb.expect("scripts/compressed-variants writes every model");
        let plain = import_bytes(&glb, None).unwrap();
        for variant in VARIANTS {
            let name = format!("{model}--{variant}");
            let file = folder.join(format!("{name}.glb"));
            if let Ok(words) = std::fs::read_to_string(file.with_extension("refused")) {
                println!("SKIPPED: {name}, which its tool refused: {words}");
                continue;
            }
            if let Some(why) = differs(variant, &plain, &glb) {
                println!("SKIPPED: {name}, {why}");
                continue;
            }
            let packed = import(&file).unwrap_or_else(|refusal| {
                panic!("{name}: {refusal}; was scripts/compressed-variants run?")
            });
            for time_secs in [0.0, 0.4, 1.1] {
                let [a, b] = [&plain, &packed].map(|read| positions(&read.character, time_secs));
                let off = distance(&a, &b);
                compared += 1;
                if off.is_nan() || off >= 1e-2 {
                    wrong.push(format!("{name} at {time_secs} s is {off} off"));
                }
            }
        }
        // Skips missing images of the model.
        let images = plain.character.images;
        if !images.is_empty() {
            let others = import(folder.join(format!("{model}--webp.glb")));
            let others = others.unwrap().character.images;
            assert_eq!(others.len(), images.len(), "{model}");
            assert!(
                others.iter().all(|i| i.mime_type == "image/webp"),
                "{model}"
            );
        }
    }
    println!("{compared} compared, of {} models", models.len());
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Reason for a known difference. `None` if the reader would be at fault.
fn differs(variant: &str, plain: &GltfImport, glb: &[u8]) -> Option<&'static str> {
    let clips = plain.character.clips.iter().take(1);
    let mut rotations =
        clips.flat_map(|clip| clip.joints.iter().filter_map(|j| j.rotation.as_ref()));
    let has_splines = rotations.any(|track| track.interpolation() == Interpolation::CubicHermite);
    let (document, _) = apart(glb);
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let meshes = list(&document["meshes"]);
    let mut primitives = meshes.iter().flat_map(|mesh| list(&mesh["primitives"]));
    let has_sparse_indices = primitives.any(|primitive| {
        let accessor = primitive["indices"].as_u64().unwrap_or(u64::MAX) as usize;
        document["accessors"][accessor]["sparse"].is_object()
    });
    if variant == "meshopt-high" && has_splines {
        Some("whose tool normalises slopes of rotations: three.js moves it differently, too")
    } else if variant.starts_with("gltfpack") && has_sparse_indices {
        Some("whose tool leaves out meshes with sparse indices: three.js lacks them, too")
    } else {
        None
    }
}
