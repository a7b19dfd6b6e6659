//! Skinning into a vertex buffer, compared with skinning into blocks and with a copy of 24 bytes per vertex.

use super::table::{Bench, Row};
use anyhow::{Context, Result};
use sinew::skin::{
    Layout, Order, Palette, PaletteRef, SkinJob, SkinPlan, Streams, Vertices, WeightFormat,
};
use sinew::{Affine, Influences, Method, Rig};
use sinew_samples::SkinLoad;
use std::hint::black_box;
use std::path::Path;

const INFLUENCES: usize = 4;
const ORDERS: [(&str, Order); 2] = [("plan", Order::Plan), ("mesh", Order::Mesh)];
/// Strides in bytes: position and normal, and the same with eight other bytes.
const STRIDES: [usize; 2] = [24, 32];

pub fn run(bench: &mut Bench<'_>, model: Option<&Path>) -> Result<()> {
    let cases = Case::all();
    if !cases.iter().any(|case| bench.wants(&case.name)) {
        return Ok(());
    }
    if let Some(path) = model {
        let mesh = Mesh::of_file(path)?;
        return mesh.time(bench, &cases, None);
    }
    for vertices in [5_000, 17_000, 1_000_000] {
        let load = SkinLoad::with_real_sets(vertices, INFLUENCES);
        Mesh::of_load(&load).time(bench, &cases, Some(INFLUENCES))?;
    }
    Ok(())
}

struct Case {
    name: String,
    layout: Layout,
    is_parallel: bool,
}

impl Case {
    fn all() -> Vec<Self> {
        let mut cases = Vec::new();
        for is_parallel in [false, true] {
            for (order_name, order) in ORDERS {
                for stride in STRIDES {
                    let cores = if is_parallel { "-parallel" } else { "" };
                    cases.push(Self {
                        name: format!("skin/buffer/{order_name}/{stride}{cores}"),
                        layout: Layout {
                            stride: stride / 4,
                            position: 0,
                            normal: Some(3),
                            tangent: None,
                            order,
                        },
                        is_parallel,
                    });
                }
            }
        }
        cases
    }
}

struct Mesh {
    plan: SkinPlan,
    bind: Streams,
    palette: Vec<Affine>,
}

impl Mesh {
    fn new(influences: &Influences, vertices: &Vertices<'_>, palette: Vec<Affine>) -> Result<Self> {
        let plan = SkinPlan::new(influences, WeightFormat::F32);
        let vertices = Vertices {
            tangents: None,
            ..*vertices
        };
        let bind = Streams::gather(&plan, &vertices)?;
        Ok(Self {
            plan,
            bind,
            palette,
        })
    }

    fn of_load(load: &SkinLoad) -> Self {
        let mut palette = Palette::default();
        palette
            .update(&load.skin, load.pose.as_slice())
            .expect("of this skeleton");
        let palette = palette.as_slice().to_vec();
        Self::new(&load.influences, &load.vertices(), palette).expect("made to fit")
    }

    /// Skins the part of a file that has the most skinned vertices, at rest.
    fn of_file(path: &Path) -> Result<Self> {
        let character = sinew_io::import(path)?.character;
        let rig = Rig::new(&character, Method::Linear)?;
        let parts = rig.parts().iter().enumerate();
        let skinned = parts.filter(|(_, part)| part.surface().influences.is_some());
        let (index, part) = skinned
            .max_by_key(|(_, part)| part.vertices().len())
            .context("no part of this file is moved by joints")?;
        let surface = part.surface();
        let influences = surface.influences.as_deref().context("it has influences")?;
        let mut actor = rig.actor();
        let palette = match actor.palette(index)? {
            PaletteRef::Linear(palette) => palette.to_vec(),
            PaletteRef::DualQuat(_) => Vec::new(),
        };
        Self::new(influences, &surface.vertices(), palette)
    }

    fn time(&self, bench: &mut Bench<'_>, cases: &[Case], influences: Option<usize>) -> Result<()> {
        let job = SkinJob {
            level: bench.level,
            ..SkinJob::new(&self.plan, PaletteRef::Linear(&self.palette), &self.bind)
        };
        let vertices = self.plan.len();
        let from: Vec<[f32; 6]> = (0..vertices).map(|v| [v as f32; 6]).collect();
        let (mut to, mut blocks) = (from.clone(), self.bind.clone());
        for case in cases {
            if !bench.wants(&case.name) {
                continue;
            }
            let layout = &case.layout;
            let mut buffer = vec![1.0_f32; vertices * layout.stride];
            let mut write = || {
                if case.is_parallel {
                    job.run_interleaved_parallel(black_box(&mut buffer), layout, 0, None)
                } else {
                    job.run_interleaved(black_box(&mut buffer), layout)
                }
            };
            let mut write_blocks = || {
                if case.is_parallel {
                    job.run_parallel(black_box(&mut blocks))
                } else {
                    job.run(black_box(&mut blocks))
                }
            };
            write()?;
            write_blocks()?;
            let [time, in_blocks, copy] = bench.fastest_in_a_row(
                3,
                [
                    &mut || _ = black_box(write()),
                    &mut || _ = write_blocks(),
                    &mut || {
                        to.copy_from_slice(black_box(&from));
                        black_box(&mut to);
                    },
                ],
            );
            bench.add(Row {
                name: case.name.clone(),
                influences,
                items: vertices,
                ns_per_item: time * 1e9 / vertices as f64,
                times_copy: Some(time / copy),
                times_blocks: Some(time / in_blocks),
                copies_beyond_blocks: Some((time - in_blocks) / copy),
                level: bench.level.name(),
                ..Row::default()
            });
        }
        Ok(())
    }
}
