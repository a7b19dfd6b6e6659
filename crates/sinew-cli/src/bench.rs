//! `sinew bench`: what this machine does, beside a copy and a plain loop in the same run.

use crate::{bench_clip, files};
use anyhow::Result;
use glam::{Affine3A, Vec3};
use serde::Serialize;
use sinew::examples::SkinLoad;
use sinew::simd::Level;
use sinew::skin::{
    DualQuatPalette, Palette, PaletteRef, SkinJob, SkinPlan, Streams, Vertices, WeightFormat,
};
use std::hint::black_box;
use std::time::{Duration, Instant};

#[derive(clap::Args)]
pub struct Arguments {
    /// Print JSON, a row a case
    #[arg(long)]
    json: bool,
    /// The instruction set; the best one by default
    #[arg(long, value_name = "LEVEL")]
    level: Option<Level>,
    /// Only cases whose name contains this, such as skin/lbs/pn
    #[arg(long, value_name = "PART", default_value = "")]
    filter: String,
    /// Milliseconds for each case; more of them make the minimum surer
    #[arg(long, value_name = "MS", default_value_t = 150)]
    budget: u64,
}

#[derive(Serialize)]
struct Row {
    name: String,
    influences: usize,
    items: usize,
    ns_per_item: f64,
    /// Over copying 24 bytes an item in the same run.
    #[serde(skip_serializing_if = "Option::is_none")]
    times_copy: Option<f64>,
    /// Over a plain loop that blends four `Affine3A` a vertex, in the same run.
    #[serde(skip_serializing_if = "Option::is_none")]
    times_glam: Option<f64>,
    /// Over a plain loop that interpolates two unpacked frames, in the same run.
    #[serde(skip_serializing_if = "Option::is_none")]
    times_plain: Option<f64>,
    level: &'static str,
}

const METHODS: [&str; 4] = ["rigid", "lbs", "dqs", "dqs-scaled"];
/// Positions, normals and tangents; the last on all cores.
const STREAMS: [&str; 4] = ["p", "pn", "pnt", "pn-parallel"];

pub fn run(arguments: &Arguments) -> Result<()> {
    let level = arguments.level.unwrap_or_else(Level::best);
    let budget = Duration::from_millis(arguments.budget);
    let mut rows = Vec::new();
    if !arguments.json {
        println!(
            "{:<22} {:>4} {:>9} {:>9} {:>8} {:>8} {:>8}",
            "case", "infl", "items", "ns", "×copy", "×glam", "×plain"
        );
    }
    for items in [5_000, 17_000, 1_000_000] {
        for influences in [1, 2, 4, 8] {
            for method in METHODS {
                let cases = STREAMS.map(|streams| format!("skin/{method}/{streams}"));
                if !cases.iter().any(|name| name.contains(&arguments.filter)) {
                    continue;
                }
                let load = SkinLoad::new(items, influences, method == "dqs-scaled");
                for (name, streams) in cases.into_iter().zip(STREAMS) {
                    if !name.contains(&arguments.filter) {
                        continue;
                    }
                    let row = skin_case(name, method, streams, &load, influences, level, budget)?;
                    if !arguments.json {
                        print_row(&row);
                    }
                    rows.push(row);
                }
            }
        }
    }
    for name in bench_clip::NAMES {
        if !name.contains(&arguments.filter) {
            continue;
        }
        let timing = bench_clip::decode(name, arguments.level, budget)?;
        let row = Row {
            name: name.to_owned(),
            influences: 0,
            items: timing.joints,
            ns_per_item: timing.packed_secs * 1e9 / timing.joints as f64,
            times_copy: None,
            times_glam: None,
            times_plain: Some(timing.packed_secs / timing.plain_secs),
            level: timing.level.name(),
        };
        if !arguments.json {
            print_row(&row);
        }
        rows.push(row);
    }
    if arguments.json {
        let text = serde_json::to_string_pretty(&rows)?;
        files::write("-".as_ref(), |out| writeln!(out, "{text}"))?;
    } else {
        println!(
            "on {level}; the minimum of many runs, {} ms a case",
            arguments.budget
        );
    }
    Ok(())
}

fn print_row(row: &Row) {
    let ratio = |r: Option<f64>| r.map_or_else(String::new, |r| format!("{r:.2}"));
    println!(
        "{:<22} {:>4} {:>9} {:>9.3} {:>8} {:>8} {:>8}",
        row.name,
        row.influences,
        row.items,
        row.ns_per_item,
        ratio(row.times_copy),
        ratio(row.times_glam),
        ratio(row.times_plain)
    );
}

fn skin_case(
    name: String,
    method: &str,
    streams: &str,
    load: &SkinLoad,
    influences: usize,
    level: Level,
    budget: Duration,
) -> Result<Row> {
    let plan = match method {
        "rigid" => SkinPlan::rigid(&load.influences),
        _ => SkinPlan::new(&load.influences, WeightFormat::F32),
    };
    let mut matrices = Palette::default();
    matrices.update(&load.skin, &load.pose);
    let mut dual = DualQuatPalette::new(&load.skeleton, &load.skin);
    dual.update(&load.pose);
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
    let from = vec![[0.0_f32; 6]; load.positions.len()];
    let mut to = from.clone();
    let run = |out: &mut Streams| match streams.ends_with("parallel") {
        true => job.run_parallel(out),
        false => job.run(out),
    };
    run(&mut out)?;
    // In turn, so that a slow moment of the machine falls on all three alike.
    let (mut skin, mut copy, mut plain) = (f64::INFINITY, f64::INFINITY, f64::INFINITY);
    let begin = Instant::now();
    while begin.elapsed() < budget || skin.is_infinite() {
        for _ in 0..4 {
            // It ran once already, so it runs.
            skin = skin.min(seconds(|| _ = run(black_box(&mut out))));
            copy = copy.min(seconds(|| {
                to.copy_from_slice(black_box(&from));
                black_box(&mut to);
            }));
        }
        plain = plain.min(seconds(|| glam.run()));
    }
    let items = load.positions.len();
    Ok(Row {
        name,
        influences,
        items,
        ns_per_item: skin * 1e9 / items as f64,
        times_copy: Some(skin / copy),
        times_glam: Some(skin / plain),
        times_plain: None,
        level: level.name(),
    })
}

fn seconds(job: impl FnOnce()) -> f64 {
    let start = Instant::now();
    job();
    start.elapsed().as_secs_f64()
}

/// What a Rust user writes by hand today: four influences a vertex, blended and applied, normals not
/// renormalised.
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
