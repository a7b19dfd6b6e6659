//! Skinning, compared with a copy of 24 bytes per vertex and a plain loop.

use super::table::{Bench, Row};
use anyhow::Result;
use glam::{Affine3A, Vec3};
use sinew::skin::{
    DualQuatPalette, Palette, PaletteRef, SkinJob, SkinPlan, Streams, Vertices, WeightFormat,
};
use sinew_samples::SkinLoad;
use std::hint::black_box;

const METHODS: [&str; 4] = ["rigid", "lbs", "dqs", "dqs-scaled"];
/// Streams: positions (p), normals (n) and tangents (t). The last case uses all cores.
const STREAMS: [&str; 4] = ["p", "pn", "pnt", "pn-parallel"];

pub fn run(bench: &mut Bench<'_>) -> Result<()> {
    for items in [5_000, 17_000, 1_000_000] {
        for influences in [1, 2, 4, 8] {
            for method in METHODS {
                let cases = STREAMS.map(|streams| format!("skin/{method}/{streams}"));
                if !cases.iter().any(|name| bench.wants(name)) {
                    continue;
                }
                let load = SkinLoad::new(items, influences, method == "dqs-scaled");
                for (name, streams) in cases.into_iter().zip(STREAMS) {
                    if bench.wants(&name) {
                        let row = skin_case(bench, name, method, streams, &load, influences)?;
                        bench.add(row);
                    }
                }
            }
        }
    }
    Ok(())
}

fn skin_case(
    bench: &Bench<'_>,
    name: String,
    method: &str,
    streams: &str,
    load: &SkinLoad,
    influences: usize,
) -> Result<Row> {
    let level = bench.level;
    let plan = match method {
        "rigid" => SkinPlan::rigid(&load.influences),
        _ => SkinPlan::new(&load.influences, WeightFormat::F32),
    };
    let mut matrices = Palette::default();
    matrices
        .update(&load.skin, load.pose.as_slice())
        .expect("of this skeleton");
    let mut dual = DualQuatPalette::new(
        load.skeleton.hierarchy(),
        load.skeleton.rest_model().as_slice(),
        &load.skin,
    )
    .expect("of this skeleton");
    dual.update(load.pose.as_slice()).expect("of this skeleton");
    let palette = match method {
        "rigid" | "lbs" => PaletteRef::Linear(matrices.as_slice()),
        _ => PaletteRef::DualQuat(&dual),
    };
    let vertices = load.vertices();
    let vertices = Vertices {
        normals: vertices.normals.filter(|_| streams.contains('n')),
        tangents: vertices.tangents.filter(|_| streams == "pnt"),
        ..vertices
    };
    let bind = Streams::gather(&plan, &vertices)?;
    let mut out = bind.clone();
    let job = SkinJob {
        level,
        ..SkinJob::new(&plan, palette, &bind)
    };
    let mut glam = GlamLoop::new(load, matrices.as_slice());
    // Written first. Memory that was never written is one page of zeros, which is fast to read.
    let from: Vec<[f32; 6]> = (0..load.positions.len()).map(|v| [v as f32; 6]).collect();
    let mut to = from.clone();
    let run = |out: &mut Streams| {
        if streams.ends_with("parallel") {
            job.run_parallel(out)
        } else {
            job.run(out)
        }
    };
    run(&mut out)?;
    let [skin, copy, plain] = bench.fastest([
        &mut || _ = run(black_box(&mut out)),
        &mut || {
            to.copy_from_slice(black_box(&from));
            black_box(&mut to);
        },
        &mut || glam.run(),
    ]);
    let items = load.positions.len();
    Ok(Row {
        name,
        influences: Some(influences),
        items,
        ns_per_item: skin * 1e9 / items as f64,
        times_copy: Some(skin / copy),
        times_glam: Some(skin / plain),
        level: level.name(),
        ..Row::default()
    })
}

/// Handwritten skinning: blends four matrices per vertex and applies them. Does not renormalise normals.
struct GlamLoop {
    palette: Vec<Affine3A>,
    bind: Vec<([u16; 4], [f32; 4], Vec3, Vec3)>,
    out: Vec<(Vec3, Vec3)>,
}

impl GlamLoop {
    fn new(load: &SkinLoad, palette: &[sinew::Affine]) -> Self {
        let vertex = |v: usize| {
            let (mut joints, mut weights) = ([0; 4], [0.0; 4]);
            for (k, (joint, weight)) in load.influences.get(v).take(4).enumerate() {
                (joints[k], weights[k]) = (joint as u16, weight);
            }
            (joints, weights, load.positions[v], load.normals[v])
        };
        let vertices = load.positions.len();
        Self {
            palette: palette.iter().map(|&a| a.into()).collect(),
            bind: (0..vertices).map(vertex).collect(),
            out: vec![(Vec3::ZERO, Vec3::ZERO); vertices],
        }
    }

    fn run(&mut self) {
        let palette = self.palette.as_slice();
        for ((joints, weights, p, n), out) in self.bind.iter().zip(&mut self.out) {
            let first = &palette[usize::from(joints[0])];
            let mut matrix = first.matrix3 * weights[0];
            let mut translation = first.translation * weights[0];
            for k in 1..4 {
                let joint = &palette[usize::from(joints[k])];
                matrix += joint.matrix3 * weights[k];
                translation += joint.translation * weights[k];
            }
            let blended = Affine3A {
                matrix3: matrix,
                translation,
            };
            *out = (blended.transform_point3(*p), blended.transform_vector3(*n));
        }
        black_box(&mut self.out);
    }
}
