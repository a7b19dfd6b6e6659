//! Cost of binding by vertices and joints; the nearest bone alone is the baseline.

use divan::Bencher;
use glam::Vec3;
use sinew_rig::weights::{BindMethod, BindOptions, Bones, Surface, bind};
use sinew_samples::bodies;
use std::collections::HashMap;

fn main() {
    divan::main();
}

/// A bumpy tube of `vertices` vertices along y around a chain of `joints` joints, 1 unit high.
struct Limb {
    positions: Vec<Vec3>,
    triangles: Vec<[u32; 3]>,
    bones: Bones,
}

fn limb(vertices: usize, joints: usize, radius: f32) -> Limb {
    let sectors = ((vertices as f64).sqrt() / 2.0).ceil() as usize;
    let rings = vertices / sectors;
    let mut positions = Vec::with_capacity(rings * sectors);
    for ring in 0..rings {
        for sector in 0..sectors {
            let angle = sector as f32 / sectors as f32 * std::f32::consts::TAU;
            let height = ring as f32 / (rings - 1) as f32;
            let radius = radius * (1.0 + 0.25 * (40.0 * height).sin());
            positions.push(Vec3::new(
                radius * angle.cos(),
                height,
                radius * angle.sin(),
            ));
        }
    }
    let mut triangles = Vec::new();
    for ring in 0..rings - 1 {
        for sector in 0..sectors {
            let next = (sector + 1) % sectors;
            let v = |ring: usize, sector: usize| (ring * sectors + sector) as u32;
            triangles.push([v(ring, sector), v(ring + 1, sector), v(ring, next)]);
            triangles.push([v(ring, next), v(ring + 1, sector), v(ring + 1, next)]);
        }
    }
    let parents = (0..joints)
        .map(|joint: usize| joint.checked_sub(1))
        .collect();
    let heads = (0..joints).map(|joint| Vec3::Y * (joint as f32 / joints as f32));
    Limb {
        positions,
        triangles,
        bones: Bones::new(parents, heads.collect()),
    }
}

const SLENDER: f32 = 0.08;
/// Radius: ten times the bone length of a chain of sixty joints.
const THICK: f32 = 0.17;

fn run(
    bencher: Bencher<'_, '_>,
    (vertices, joints): (usize, usize),
    radius: f32,
    method: BindMethod,
) {
    let limb = limb(vertices, joints, radius);
    let options = BindOptions::default().method(method);
    bencher
        .counter(divan::counter::ItemsCount::new(vertices))
        .bench(|| {
            let surface = Surface {
                positions: &limb.positions,
                triangles: &limb.triangles,
            };
            bind(&surface, &limb.bones, &options).unwrap()
        });
}

const SIZES: [(usize, usize); 5] = [
    (3_000, 20),
    (13_000, 60),
    (13_000, 160),
    (50_000, 60),
    (100_000, 60),
];

#[divan::bench(args = SIZES, sample_count = 3, sample_size = 1)]
fn auto(bencher: Bencher<'_, '_>, size: (usize, usize)) {
    run(bencher, size, SLENDER, BindMethod::Auto);
}

#[divan::bench(args = [(100_000, 60)], sample_count = 3, sample_size = 1)]
fn auto_thick(bencher: Bencher<'_, '_>, size: (usize, usize)) {
    run(bencher, size, THICK, BindMethod::Auto);
}

#[divan::bench(args = SIZES, sample_count = 3, sample_size = 1)]
fn heat(bencher: Bencher<'_, '_>, size: (usize, usize)) {
    run(bencher, size, SLENDER, BindMethod::Heat);
}

#[divan::bench(args = SIZES, sample_count = 3, sample_size = 1)]
fn nearest_bone(bencher: Bencher<'_, '_>, size: (usize, usize)) {
    run(bencher, size, SLENDER, BindMethod::Rigid);
}

/// A person in a shirt and one trouser leg. Each triangle is cut into four, `times` times.
fn clothed(times: usize) -> (Limb, usize) {
    let mut body = bodies::person();
    body.clothes = vec![
        ("shirt".to_owned(), bodies::shirt(&body)),
        ("trouser leg".to_owned(), bodies::trouser_leg(&body)),
    ];
    let character = body.character();
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    for primitive in character.meshes.iter().flat_map(|mesh| &mesh.primitives) {
        let first = positions.len();
        triangles.extend(primitive.triangles().map(|t| t.map(|v| (first + v) as u32)));
        positions.extend_from_slice(&primitive.positions);
    }
    for _ in 0..times {
        cut_in_four(&mut positions, &mut triangles);
    }
    let bones = Bones::of_skin(&character.skeleton, &character.skins[0]).unwrap();
    let vertices = positions.len();
    let limb = Limb {
        positions,
        triangles,
        bones,
    };
    (limb, vertices)
}

fn cut_in_four(positions: &mut Vec<Vec3>, triangles: &mut Vec<[u32; 3]>) {
    let mut middles: HashMap<[u32; 2], u32> = HashMap::new();
    let mut middle = |a: u32, b: u32| {
        *middles.entry([a.min(b), a.max(b)]).or_insert_with(|| {
            positions.push(0.5 * (positions[a as usize] + positions[b as usize]));
            positions.len() as u32 - 1
        })
    };
    let cut = |&[a, b, c]: &[u32; 3]| {
        let [ab, bc, ca] = [middle(a, b), middle(b, c), middle(c, a)];
        [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
    };
    *triangles = triangles.iter().flat_map(cut).collect();
}

/// Clothes at 1, 4, 16 and 64 times as many triangles.
#[divan::bench(args = [0, 1, 2, 3], sample_count = 3, sample_size = 1)]
fn auto_clothed(bencher: Bencher<'_, '_>, times: usize) {
    let (limb, vertices) = clothed(times);
    bencher
        .counter(divan::counter::ItemsCount::new(vertices))
        .bench(|| {
            let surface = Surface {
                positions: &limb.positions,
                triangles: &limb.triangles,
            };
            bind(&surface, &limb.bones, &BindOptions::default()).unwrap()
        });
}
