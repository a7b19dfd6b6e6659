//! Benchmarks of pose jobs: `cargo bench -p sinew --bench pose`.

use divan::Bencher;
use divan::counter::ItemsCount;
use glam::{Quat, Vec3};
use sinew::blend::{AdditivePose, BlendJob, Inertia, Layer, Mask};
use sinew::simd::Level;
use sinew::{LocalPose, Transform};

fn main() {
    divan::main();
}

const JOINTS: usize = 67;

fn pose(seed: f32) -> Vec<Transform> {
    let joint = |j: usize| {
        let phase = seed + j as f32;
        Transform {
            translation: Vec3::new(phase.sin(), phase.cos(), 0.5),
            rotation: Quat::from_rotation_x(phase.sin()) * Quat::from_rotation_y(0.3 * seed),
            scale: Vec3::ONE,
        }
    };
    (0..JOINTS).map(joint).collect()
}

fn local(seed: f32) -> LocalPose {
    LocalPose::from_transforms(&pose(seed))
}

/// Baseline: a plain Rust loop.
#[divan::bench]
fn blend_two_plain(bencher: Bencher<'_, '_>) {
    let (a, b, mut out) = (pose(0.1), pose(0.7), pose(0.0));
    bencher.counter(ItemsCount::new(JOINTS)).bench_local(|| {
        let (a, b, out) = divan::black_box((&a, &b, &mut out));
        for ((a, b), out) in a.iter().zip(b).zip(out) {
            *out = Transform {
                translation: a.translation.lerp(b.translation, 0.3),
                rotation: a.rotation.lerp(b.rotation, 0.3),
                scale: a.scale.lerp(b.scale, 0.3),
            };
        }
    });
}

fn levels() -> Vec<Level> {
    Level::all()
}

#[divan::bench(args = levels())]
fn blend_two(bencher: Bencher<'_, '_>, level: &Level) {
    let (rest, a, b, mut out) = (local(0.0), local(0.1), local(0.7), local(0.0));
    bencher.counter(ItemsCount::new(JOINTS)).bench_local(|| {
        let mut layers = [Layer::new(&a, 0.7), Layer::new(&b, 0.3)];
        let job = BlendJob::new(&rest, divan::black_box(&mut layers));
        BlendJob {
            level: *level,
            ..job
        }
        .run(divan::black_box(&mut out))
    });
}

#[divan::bench(args = [1, 3, 4, 8])]
fn blend_many(bencher: Bencher<'_, '_>, count: usize) {
    let rest = local(0.0);
    let poses: Vec<LocalPose> = (0..count).map(|n| local(0.2 * n as f32)).collect();
    let mut out = local(0.0);
    let mut layers: Vec<Layer<'_>> = poses
        .iter()
        .map(|p| Layer::new(p, 1.0 / count as f32))
        .collect();
    bencher.counter(ItemsCount::new(JOINTS)).bench_local(|| {
        BlendJob::new(&rest, divan::black_box(&mut layers)).run(divan::black_box(&mut out))
    });
}

#[divan::bench]
fn blend_two_masked(bencher: Bencher<'_, '_>) {
    let (rest, a, b, mut out) = (local(0.0), local(0.1), local(0.7), local(0.0));
    let weights: Vec<f32> = (0..JOINTS).map(|j| (j % 3) as f32 / 2.0).collect();
    let mask = Mask::new(&weights).expect("weights");
    let others = mask.inverted();
    bencher.counter(ItemsCount::new(JOINTS)).bench_local(|| {
        let mut layers = [
            Layer::new(&a, 1.0).masked(&mask),
            Layer::new(&b, 1.0).masked(&others),
        ];
        BlendJob::new(&rest, divan::black_box(&mut layers)).run(divan::black_box(&mut out))
    });
}

#[divan::bench]
fn add_inertia(bencher: Bencher<'_, '_>) {
    let (rest, a, b, mut out) = (local(0.0), local(0.1), local(0.7), local(0.0));
    let mut inertia = Inertia::new(JOINTS);
    inertia
        .start([&a, &a], [&b, &b], 0.01, 0.5)
        .expect("of this skeleton");
    inertia.advance(0.2);
    bencher.counter(ItemsCount::new(JOINTS)).bench_local(|| {
        let mut layers = [Layer::new(&b, 1.0)];
        let job = BlendJob {
            additions: &mut inertia.additions(),
            ..BlendJob::new(&rest, divan::black_box(&mut layers))
        };
        job.run(divan::black_box(&mut out))
    });
}

#[divan::bench]
fn difference(bencher: Bencher<'_, '_>) {
    let (a, b, mut out) = (local(0.1), local(0.7), AdditivePose::none(JOINTS));
    bencher
        .counter(ItemsCount::new(JOINTS))
        .bench_local(|| out.set_between(Level::best(), divan::black_box(&a), &b));
}
