//! Cost of binding by vertices and joints; the nearest bone alone is the baseline.

use divan::Bencher;
use glam::Vec3;
use sinew_rig::weights::{BindMethod, BindOptions, Bones, Surface, bind};

fn main() {
    divan::main();
}

/// A bumpy tube of `vertices` vertices up the y axis around a chain of `joints` joints, one high.
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
/// Ten times the bone length of a chain of sixty.
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
