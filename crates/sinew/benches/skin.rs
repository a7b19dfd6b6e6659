//! Benchmarks of skinning: `cargo bench -p sinew --bench skin`, `SINEW_LEVEL=avx2` (or `sse2`).

use divan::Bencher;
use divan::counter::ItemsCount;
use sinew::simd::Level;
use sinew::skin::{
    DualQuatPalette, Layout, Order, Palette, PaletteRef, SkinJob, SkinPlan, Streams, Vertices,
    WeightFormat,
};
use sinew_samples::SkinLoad;

fn main() {
    divan::main();
}

const SIZES: [usize; 3] = [5_000, 17_000, 1_000_000];
const INFLUENCES: [usize; 4] = [1, 2, 4, 8];
const STRIDES: [usize; 2] = [6, 8];

#[divan::bench(args = SIZES)]
fn copy_24_bytes(bencher: Bencher<'_, '_>, vertices: usize) {
    // Written first, because untouched memory is one shared page of zeros that is free to read.
    let from: Vec<[f32; 6]> = (0..vertices).map(|v| [v as f32; 6]).collect();
    let mut to = from.clone();
    bencher
        .counter(ItemsCount::new(vertices))
        .bench_local(|| divan::black_box(&mut to).copy_from_slice(divan::black_box(&from)));
}

fn level() -> Level {
    match std::env::var("SINEW_LEVEL") {
        Ok(name) => name.parse().expect("an instruction set of this machine"),
        Err(_) => Level::best(),
    }
}

fn vertices_of(load: &SkinLoad) -> Vertices<'_> {
    Vertices {
        tangents: None,
        ..load.vertices()
    }
}

fn positions_of(load: &SkinLoad) -> Vertices<'_> {
    Vertices {
        normals: None,
        ..vertices_of(load)
    }
}

fn linear_streams(bencher: Bencher<'_, '_>, load: &SkinLoad, vertices: &Vertices<'_>) {
    let plan = SkinPlan::new(&load.influences, WeightFormat::F32);
    let bind = Streams::gather(&plan, vertices).expect("made to fit");
    let mut palette = Palette::default();
    palette
        .update(&load.skin, load.pose.as_slice())
        .expect("of this skeleton");
    let job = SkinJob {
        level: level(),
        ..SkinJob::new(&plan, PaletteRef::Linear(palette.as_slice()), &bind)
    };
    let mut out = bind.clone();
    bencher
        .counter(ItemsCount::new(plan.len()))
        .bench_local(|| job.run(divan::black_box(&mut out)));
}

#[divan::bench(args = SIZES, consts = INFLUENCES)]
fn linear<const K: usize>(bencher: Bencher<'_, '_>, vertices: usize) {
    let load = SkinLoad::new(vertices, K, false);
    linear_streams(bencher, &load, &vertices_of(&load));
}

#[divan::bench(args = SIZES)]
fn linear_positions(bencher: Bencher<'_, '_>, vertices: usize) {
    let load = SkinLoad::new(vertices, 4, false);
    linear_streams(bencher, &load, &positions_of(&load));
}

#[divan::bench(args = SIZES)]
fn linear_with_tangents(bencher: Bencher<'_, '_>, vertices: usize) {
    let load = SkinLoad::new(vertices, 4, false);
    linear_streams(bencher, &load, &load.vertices());
}

/// Joint sets as in real characters.
#[divan::bench(args = SIZES)]
fn linear_real_sets(bencher: Bencher<'_, '_>, vertices: usize) {
    let load = SkinLoad::with_real_sets(vertices, 4);
    linear_streams(bencher, &load, &vertices_of(&load));
}

fn interleaved(bencher: Bencher<'_, '_>, vertices: usize, stride: usize, order: Order) {
    let load = SkinLoad::with_real_sets(vertices, 4);
    let plan = SkinPlan::new(&load.influences, WeightFormat::F32);
    let bind = Streams::gather(&plan, &vertices_of(&load)).expect("made to fit");
    let mut palette = Palette::default();
    palette
        .update(&load.skin, load.pose.as_slice())
        .expect("of this skeleton");
    let job = SkinJob {
        level: level(),
        ..SkinJob::new(&plan, PaletteRef::Linear(palette.as_slice()), &bind)
    };
    let layout = Layout {
        stride,
        position: 0,
        normal: Some(3),
        tangent: None,
        order,
    };
    let mut buffer = vec![1.0_f32; vertices * stride];
    bencher
        .counter(ItemsCount::new(vertices))
        .bench_local(|| job.run_interleaved(divan::black_box(&mut buffer), &layout));
}

#[divan::bench(args = SIZES, consts = STRIDES)]
fn interleaved_in_plan_order<const STRIDE: usize>(bencher: Bencher<'_, '_>, vertices: usize) {
    interleaved(bencher, vertices, STRIDE, Order::Plan);
}

#[divan::bench(args = SIZES, consts = STRIDES)]
fn interleaved_in_mesh_order<const STRIDE: usize>(bencher: Bencher<'_, '_>, vertices: usize) {
    interleaved(bencher, vertices, STRIDE, Order::Mesh);
}

fn dual_quat(bencher: Bencher<'_, '_>, load: &SkinLoad, vertices: &Vertices<'_>) {
    let plan = SkinPlan::new(&load.influences, WeightFormat::F32);
    let bind = Streams::gather(&plan, vertices).expect("made to fit");
    let mut palette = DualQuatPalette::new(
        load.skeleton.hierarchy(),
        load.skeleton.rest_model().as_slice(),
        &load.skin,
    )
    .expect("of this skeleton");
    palette
        .update(load.pose.as_slice())
        .expect("of this skeleton");
    let job = SkinJob {
        level: level(),
        ..SkinJob::new(&plan, PaletteRef::DualQuat(&palette), &bind)
    };
    let mut out = bind.clone();
    bencher
        .counter(ItemsCount::new(plan.len()))
        .bench_local(|| job.run(divan::black_box(&mut out)));
}

#[divan::bench(args = SIZES, consts = INFLUENCES)]
fn dual_quat_rigid<const K: usize>(bencher: Bencher<'_, '_>, vertices: usize) {
    let load = SkinLoad::new(vertices, K, false);
    dual_quat(bencher, &load, &vertices_of(&load));
}

#[divan::bench(args = SIZES, consts = INFLUENCES)]
fn dual_quat_scaled<const K: usize>(bencher: Bencher<'_, '_>, vertices: usize) {
    let load = SkinLoad::new(vertices, K, true);
    dual_quat(bencher, &load, &vertices_of(&load));
}

#[divan::bench(args = SIZES, consts = [false, true])]
fn dual_quat_positions<const SCALED: bool>(bencher: Bencher<'_, '_>, vertices: usize) {
    let load = SkinLoad::new(vertices, 4, SCALED);
    dual_quat(bencher, &load, &positions_of(&load));
}

#[divan::bench(args = SIZES, consts = [false, true])]
fn dual_quat_with_tangents<const SCALED: bool>(bencher: Bencher<'_, '_>, vertices: usize) {
    let load = SkinLoad::new(vertices, 4, SCALED);
    dual_quat(bencher, &load, &load.vertices());
}

#[divan::bench(args = [17_000, 100_000])]
fn plan(bencher: Bencher<'_, '_>, vertices: usize) {
    let load = SkinLoad::new(vertices, 4, false);
    bencher
        .counter(ItemsCount::new(vertices))
        .bench_local(|| SkinPlan::new(divan::black_box(&load.influences), WeightFormat::F32));
}
