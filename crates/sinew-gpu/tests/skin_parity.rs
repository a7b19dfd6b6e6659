//! GPU skinning matches the CPU within 1e-5 of the extent, for every method.

use crate::common;
use crate::foreign::foreign_files;

use common::posed::posed_on_gpu;
use common::with_gpu;
use glam::Vec3;
use sinew::skin::Order;
use sinew::{Character, Method, deform};
use sinew_gpu::{Gpu, Skinner};

const METHODS: [Method; 3] = [Method::Rigid, Method::Linear, Method::DualQuat];

/// Max error of positions relative to the extent, and of normals and tangents.
fn difference(
    gpu: &Gpu,
    skinner: &mut Skinner,
    character: &Character,
    clip: Option<usize>,
    time: f64,
    method: Method,
    order: Order,
) -> (f32, f32) {
    let wanted = deform(character, clip, time, method).unwrap();
    let found = posed_on_gpu(gpu, skinner, character, clip, time, method, order);
    assert_eq!(found.len(), wanted.primitives.len());
    let positions = wanted.primitives.iter().flat_map(|p| &p.positions);
    let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
    for &p in positions {
        (low, high) = (low.min(p), high.max(p));
    }
    let extent = (high - low).length();
    let (mut off, mut bent) = (0.0_f32, 0.0_f32);
    for (wanted, found) in wanted.primitives.iter().zip(&found) {
        assert_eq!(found.vertices.len(), wanted.positions.len());
        let moved = wanted.positions.iter().zip(&found.vertices);
        for (&wanted, found) in moved {
            off = off.max((Vec3::from(found.position) - wanted).length() / extent);
        }
        let outward = if wanted.mirrored { -1.0 } else { 1.0 };
        for (&wanted, found) in wanted.normals.iter().flatten().zip(&found.vertices) {
            bent = bent.max((Vec3::from(found.normal) * outward - wanted).length());
        }
        for (&wanted, found) in wanted.tangents.iter().flatten().zip(&found.tangents) {
            bent = bent.max((glam::Vec4::from(found.tangent) - wanted).length());
        }
    }
    (off, bent)
}

/// Checks every method in both orders, at rest and at some moments of every clip.
fn check_character(gpu: &Gpu, skinner: &mut Skinner, name: &str, character: &Character) -> usize {
    let mut moments = vec![(None, 0.0)];
    for (index, clip) in character.clips.iter().enumerate() {
        let duration = f64::from(clip.duration_secs);
        moments.extend([0.0, 0.31, 0.77].map(|part| (Some(index), part * duration)));
    }
    let mut compared = 0;
    for (clip, time) in moments {
        for method in METHODS {
            for order in [Order::Plan, Order::Mesh] {
                let (off, bent) = difference(gpu, skinner, character, clip, time, method, order);
                let what =
                    format!("{name}, clip {clip:?} at {time} s, {method:?}, {order:?} order");
                assert!(off <= 1e-5, "{what}: positions off by {off} of the extent");
                assert!(bent <= 1e-4, "{what}: normals or tangents off by {bent}");
                compared += 1;
            }
        }
    }
    compared
}

#[test]
fn the_figures_skin_on_the_gpu_as_on_the_cpu() {
    with_gpu(|gpu| {
        let mut skinner = Skinner::new(gpu, &[]).unwrap();
        check_character(
            gpu,
            &mut skinner,
            "mannequin",
            &sinew_samples::mannequin::Mannequin::default().build(),
        );
        check_character(gpu, &mut skinner, "tube", &sinew_samples::tube_character());
    });
}

#[test]
fn the_conformance_models_skin_on_the_gpu_as_on_the_cpu() {
    let files = ["gltf", "asset-generator"].map(|folder| foreign_files(folder, &["glb", "gltf"]));
    let files = files.concat();
    if files.is_empty() {
        return;
    }
    with_gpu(|gpu| {
        let mut skinner = Skinner::new(gpu, &[]).unwrap();
        let mut compared = 0;
        for path in &files {
            // sinew-io tests files that cannot be read.
            let Ok(import) = sinew_io::gltf::import(path) else {
                continue;
            };
            let name = path.display().to_string();
            compared += check_character(gpu, &mut skinner, &name, &import.character);
        }
        assert!(compared > 500, "{compared} comparisons");
    });
}
