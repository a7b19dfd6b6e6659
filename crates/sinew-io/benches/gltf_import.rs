//! Time to import a 50 MB GLB, and its ratio to the time for parsing its JSON and copying its
//! buffer, for the fastest of many runs.
//! Run with `cargo bench -p sinew-io --bench gltf_import`.

use glam::{Quat, Vec2, Vec3};
use sinew::mesh::{Influences, Mesh, Primitive};
use sinew::transform::quat;
use sinew::{Character, Clip, Interpolation, Joint, Node, Skeleton, Skin, Track, Transform};
use sinew_io::FileReport;
use sinew_io::gltf::{self, ExportOptions, budget::Budget, schema::Document};
use std::hint::black_box;
use std::sync::Arc;
use std::time::Instant;

const JOINTS: usize = 64;
const VERTICES: usize = 820_000;
const KEYS: usize = 2_000;

fn main() {
    let bytes = gltf::to_glb(&big_character(), &ExportOptions::default()).expect("exports");
    let mut report = FileReport::default();
    let glb = gltf::glb::read(&bytes, &mut report).expect("a GLB");
    let (json, bin) = (glb.json, glb.bin.expect("a buffer"));
    let text = std::str::from_utf8(json).expect("text");
    println!(
        "GLB of {:.1} MB: {:.1} KB of JSON, {VERTICES} vertices, {JOINTS} joints, {KEYS} keys per track",
        bytes.len() as f64 / 1e6,
        json.len() as f64 / 1e3
    );
    let parse = best(|| {
        let mut budget = Budget::for_json(text.len());
        black_box(Document::read(text, &mut FileReport::default(), &mut budget).expect("JSON"));
    });
    let copy = best(|| {
        black_box(bin.to_vec());
    });
    let import = best(|| {
        black_box(gltf::import_bytes(&bytes, None).expect("imports"));
    });
    let floor = parse + copy;
    println!("parse the JSON   {:>8.2} ms", parse * 1e3);
    println!("copy the buffer  {:>8.2} ms", copy * 1e3);
    println!(
        "import           {:>8.2} ms   {:.2} times both",
        import * 1e3,
        import / floor
    );
}

fn best(mut job: impl FnMut()) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..30 {
        let start = Instant::now();
        job();
        best = best.min(start.elapsed().as_secs_f64());
    }
    best
}

fn big_character() -> Character {
    let step = Transform::from_translation(Vec3::Y * 0.1);
    let joints = (0..JOINTS)
        .map(|j| Joint::new(format!("joint {j}"), j.checked_sub(1), step))
        .collect();
    let (skeleton, _) = Skeleton::new(joints).expect("a chain");
    let skin = Skin::bound_at(skeleton.rest_model().as_slice());
    let mut character = Character::from_skeleton(skeleton);

    let along = |v: usize| v as f32 / VERTICES as f32 * (JOINTS - 3) as f32;
    let around = |v: usize| (v % 100) as f32 * 0.063;
    let normals: Vec<Vec3> = (0..VERTICES)
        .map(|v| Vec3::new(around(v).cos(), 0.0, around(v).sin()).normalize())
        .collect();
    let positions = (0..VERTICES).map(|v| normals[v] * 0.2 + Vec3::Y * along(v) * 0.1);
    let (mut indices, mut weights) = (Vec::new(), Vec::new());
    for v in 0..VERTICES {
        let first = along(v) as u16;
        indices.extend([first, first + 1, first + 2, first + 3]);
        let t = along(v).fract();
        weights.extend([0.4 - 0.3 * t, 0.3, 0.2, 0.1 + 0.3 * t]);
    }
    let (influences, _) = Influences::from_padded(&indices, &weights, 4, JOINTS).expect("fours");
    let triangles = (0..VERTICES as u32 - 101).step_by(2);
    let primitive = Primitive {
        positions: Arc::new(positions.collect()),
        normals: Some(Arc::new(normals.clone())),
        texcoords: vec![Arc::new(vec![Vec2::new(0.25, 0.75); VERTICES])],
        influences: Some(Arc::new(influences)),
        indices: Some(Arc::new(
            triangles.flat_map(|v| [v, v + 1, v + 100]).collect(),
        )),
        ..Primitive::default()
    };
    character.meshes.push(Mesh {
        name: "tube".into(),
        primitives: vec![primitive],
        ..Mesh::default()
    });
    character.skins.push(skin);
    character.nodes.push(Node {
        name: "body".into(),
        parent: None,
        parent_from_node: sinew::Affine::IDENTITY,
        joint: None,
        mesh: Some(0),
        skin: Some(0),
        morph_weights: Vec::new(),
        light: None,
    });

    let times: Arc<Vec<f32>> = Arc::new((0..KEYS).map(|k| k as f32 / 60.0).collect());
    let mut clip = Clip::new("sway");
    for joint in 0..JOINTS {
        let angle = |k: usize| ((k + 7 * joint) as f32 * 0.05).sin() * 0.1;
        let turns: Vec<Quat> = (0..KEYS)
            .map(|k| quat::from_axis_angle(Vec3::Z, angle(k)))
            .collect();
        let track = Track::rotations(times.clone(), &turns, Interpolation::Slerp);
        clip.joint_mut(joint).rotation = Some(track.expect("good keys"));
    }
    clip.fit_duration();
    character.clips.push(clip);
    character
}
