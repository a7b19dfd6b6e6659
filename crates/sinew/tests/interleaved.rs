//! Vertices in a buffer have the bits of the blocks, and other floats stay unchanged.

use crate::plan::{Figure, Scaled};
use glam::Vec3;
use sinew::simd::{LANES, Level};
use sinew::skin::{
    Directions, Layout, Order, PaletteRef, Previous, SkinError, SkinJob, SkinPlan, Streams,
    VertexSink, WeightFormat,
};

const MARK: u32 = 0x7fc1_2345;
const ORDERS: [Order; 2] = [Order::Mesh, Order::Plan];

fn layouts(stride: usize) -> Vec<Layout> {
    let orders: [&[usize]; 9] = [
        &[0],
        &[0, 1],
        &[1, 0],
        &[0, 1, 2],
        &[0, 2, 1],
        &[1, 0, 2],
        &[1, 2, 0],
        &[2, 0, 1],
        &[2, 1, 0],
    ];
    let mut layouts = Vec::new();
    for parts in orders {
        for start in 0..3 {
            for gaps in [[0, 0], [1, 0], [0, 1], [1, 1]] {
                let mut places = [None; 3];
                let mut at = start;
                for (nth, &part) in parts.iter().enumerate() {
                    at += if nth > 0 { 3 + gaps[nth - 1] } else { 0 };
                    places[part] = Some(at);
                }
                if at + 3 > stride {
                    continue;
                }
                for order in ORDERS {
                    layouts.push(Layout {
                        stride,
                        position: places[0].unwrap(),
                        normal: places[1],
                        tangent: places[2],
                        order,
                    });
                }
            }
        }
    }
    layouts
}

fn wanted(job: &SkinJob<'_>, layout: &Layout) -> Vec<u32> {
    let mut out = job.bind.clone();
    job.run(&mut out).unwrap();
    let mut buffer = vec![MARK; job.plan.len() * layout.stride];
    for (plan, &mesh) in job.plan.mesh_from_plan().iter().enumerate() {
        let vertex = match layout.order {
            Order::Mesh => mesh as usize,
            Order::Plan => plan,
        };
        let parts = [
            (Some(layout.position), &out.positions),
            (layout.normal, &out.normals),
            (layout.tangent, &out.tangents),
        ];
        for (offset, blocks) in parts {
            for axis in 0..3 {
                if let Some(offset) = offset {
                    let x = blocks[plan / LANES][axis].0[plan % LANES];
                    buffer[vertex * layout.stride + offset + axis] = x.to_bits();
                }
            }
        }
    }
    buffer
}

fn marked(floats: usize) -> Vec<f32> {
    vec![f32::from_bits(MARK); floats]
}

fn bits(floats: &[f32]) -> Vec<u32> {
    floats.iter().map(|x| x.to_bits()).collect()
}

fn with_jobs(figure: &Figure, mut each: impl FnMut(&SkinJob<'_>)) {
    let plans = [
        SkinPlan::new(&figure.influences, WeightFormat::F32),
        SkinPlan::new(&figure.influences, WeightFormat::U16),
        SkinPlan::rigid(&figure.influences),
    ];
    let (matrices, dual) = (figure.linear_palette(), figure.dual_palette());
    for plan in &plans {
        let bind = Streams::gather(plan, &figure.vertices()).unwrap();
        for palette in [
            PaletteRef::Linear(matrices.as_slice()),
            PaletteRef::DualQuat(&dual),
        ] {
            for level in Level::all() {
                each(&SkinJob {
                    level,
                    ..SkinJob::new(plan, palette, &bind)
                });
            }
        }
    }
}

/// Write-only memory that accepts three floats at a time.
struct WriteOnly(Vec<f32>);

impl VertexSink for WriteOnly {
    fn floats(&self) -> usize {
        self.0.len()
    }

    fn write(&mut self, at: usize, values: [f32; 3]) {
        self.0[at..at + 3].copy_from_slice(&values);
    }
}

#[test]
fn memory_may_begin_anywhere_in_a_cache_line() {
    let figure = Figure::new(5, 333, 12, 4, Scaled::No);
    let plan = SkinPlan::new(&figure.influences, WeightFormat::F32);
    let bind = Streams::gather(&plan, &figure.vertices()).unwrap();
    let palette = figure.linear_palette();
    let job = SkinJob::new(&plan, PaletteRef::Linear(palette.as_slice()), &bind);
    for layout in [6, 8].into_iter().flat_map(layouts) {
        let wanted = wanted(&job, &layout);
        for begin in 0..LANES {
            let mut buffer = marked(begin + wanted.len() + 1);
            let end = begin + wanted.len();
            job.run_interleaved(&mut buffer[begin..end], &layout)
                .unwrap();
            let found = bits(&buffer);
            assert_eq!(found[begin..end], wanted, "{layout:?} from {begin}");
            let outside = found[..begin].iter().chain(&found[end..]);
            assert!(outside.into_iter().all(|&x| x == MARK), "{layout:?}");
        }
    }
}

#[test]
fn every_layout_has_the_bits_of_the_blocks() {
    for vertices in [0, 1, 15, 16, 17, 333] {
        let figure = Figure::new(vertices as u64 + 9, vertices, 12, 4, Scaled::No);
        let plan = SkinPlan::new(&figure.influences, WeightFormat::F32);
        let bind = Streams::gather(&plan, &figure.vertices()).unwrap();
        let palette = figure.linear_palette();
        for level in Level::all() {
            let job = SkinJob {
                level,
                ..SkinJob::new(&plan, PaletteRef::Linear(palette.as_slice()), &bind)
            };
            for layout in (3..=12).flat_map(layouts) {
                let mut buffer = marked(vertices * layout.stride);
                let bounds = job.run_interleaved(&mut buffer, &layout).unwrap();
                assert_eq!(bits(&buffer), wanted(&job, &layout), "{layout:?} {level}");
                let mut blocks = bind.clone();
                assert_eq!(bounds, job.run_with_bounds(&mut blocks).unwrap());
            }
        }
    }
}

#[test]
fn every_method_and_level_has_the_bits_of_the_blocks() {
    for scaled in [Scaled::No, Scaled::Some, Scaled::Unit] {
        for vertices in [0, 1, 15, 16, 17, 700] {
            let figure = Figure::new(vertices as u64 * 7 + 1, vertices, 9, 5, scaled);
            with_jobs(&figure, |job| {
                for layout in [6, 8, 10].into_iter().flat_map(layouts).step_by(7) {
                    let mut buffer = marked(vertices * layout.stride);
                    job.run_interleaved(&mut buffer, &layout).unwrap();
                    assert_eq!(bits(&buffer), wanted(job, &layout), "{layout:?}");
                }
            });
        }
    }
}

#[test]
fn every_kind_of_memory_gets_the_same_bits() {
    let figure = Figure::new(5, 300, 20, 4, Scaled::Some);
    with_jobs(&figure, |job| {
        for layout in [3, 6, 9, 11].into_iter().flat_map(layouts).step_by(5) {
            let wanted = wanted(job, &layout);
            let mut sink = WriteOnly(marked(wanted.len()));
            let bounds = job.run_interleaved(&mut sink, &layout).unwrap();
            assert_eq!(bits(&sink.0), wanted, "{layout:?}");
            let mut bytes = vec![0; 4 * wanted.len() + 4];
            for start in [0, 1] {
                let bytes = &mut bytes[start..start + 4 * wanted.len() + 3];
                let (whole, _) = bytes.as_chunks_mut::<4>();
                whole.fill(MARK.to_ne_bytes());
                let found = job.run_interleaved(bytes, &layout).unwrap();
                assert_eq!(found, bounds);
                let (whole, _) = bytes.as_chunks::<4>();
                let found: Vec<u32> = whole.iter().map(|b| u32::from_ne_bytes(*b)).collect();
                assert_eq!(found, wanted, "{layout:?} from byte {start}");
            }
        }
    });
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    let figure = Figure::new(77, 9_001, 150, 4, Scaled::Some);
    let pools: Vec<_> = [1, 2, 3, 7]
        .into_iter()
        .map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            pool.build().unwrap()
        })
        .collect();
    let first = 3;
    with_jobs(&figure, |job| {
        for layout in [6, 8, 10].into_iter().flat_map(layouts).step_by(31) {
            let mut one = marked((first + 9_001) * layout.stride);
            let mut before = vec![Vec3::ZERO; 9_001];
            let offset = [layout.stride - 3, 0]
                .into_iter()
                .find(|offset| overlaps(&layout, *offset).is_none());
            let bounds = run(job, &mut one, &layout, first, offset, &mut before, false);
            for pool in &pools {
                let mut many = marked(one.len());
                let mut found = vec![Vec3::ZERO; 9_001];
                let go = || run(job, &mut many, &layout, first, offset, &mut found, true);
                assert_eq!(pool.install(go), bounds);
                assert!(bits(&many) == bits(&one), "{layout:?}");
                assert_eq!(found, before);
            }
        }
    });
}

fn overlaps(layout: &Layout, offset: usize) -> Option<usize> {
    let parts = [Some(layout.position), layout.normal, layout.tangent];
    let on = |part: &usize| part.abs_diff(offset) < 3;
    parts.into_iter().flatten().find(on)
}

/// Runs twice, with the previous positions if the layout has space for them.
fn run(
    job: &SkinJob<'_>,
    buffer: &mut [f32],
    layout: &Layout,
    first: usize,
    offset: Option<usize>,
    before: &mut [Vec3],
    on_all_cores: bool,
) -> Option<sinew::skin::Bounds> {
    let mut bounds = None;
    for _ in 0..2 {
        let positions = &mut *before;
        let previous = offset.map(|offset| Previous { offset, positions });
        let found = match on_all_cores {
            true => job.run_interleaved_parallel(buffer, layout, first, previous),
            false => job.run_interleaved_at(buffer, layout, first, previous),
        };
        bounds = found.unwrap();
    }
    bounds
}

#[test]
fn the_frame_before_is_beside_in_both_orders_and_every_memory() {
    let figure = Figure::new(3, 100, 8, 4, Scaled::No);
    let plan = SkinPlan::new(&figure.influences, WeightFormat::F32);
    let bind = Streams::gather(&plan, &figure.vertices()).unwrap();
    let palette = figure.linear_palette();
    let job = SkinJob::new(&plan, PaletteRef::Linear(palette.as_slice()), &bind);
    for order in ORDERS {
        let layout = Layout {
            stride: 10,
            position: 1,
            normal: Some(7),
            tangent: None,
            order,
        };
        let old: Vec<Vec3> = (0..100).map(|v| Vec3::splat(v as f32)).collect();
        let mut wanted = wanted(&job, &layout);
        for (vertex, old) in wanted.chunks_mut(10).zip(&old) {
            vertex[4..7].copy_from_slice(&old.to_array().map(f32::to_bits));
        }
        let new =
            |v: usize| Vec3::from_array([1, 2, 3].map(|k| f32::from_bits(wanted[10 * v + k])));
        let new: Vec<Vec3> = (0..100).map(new).collect();

        let (mut floats, mut sink) = (marked(1000), WriteOnly(marked(1000)));
        let mut positions = old.clone();
        let previous = Previous {
            offset: 4,
            positions: &mut positions,
        };
        job.run_interleaved_at(&mut floats, &layout, 0, Some(previous))
            .unwrap();
        assert_eq!((bits(&floats), &positions), (wanted.clone(), &new));
        positions = old;
        let previous = Previous {
            offset: 4,
            positions: &mut positions,
        };
        job.run_interleaved_at(&mut sink, &layout, 0, Some(previous))
            .unwrap();
        assert_eq!((bits(&sink.0), &positions), (wanted.clone(), &new));
    }
}

#[test]
fn parts_that_overlap_are_refused() {
    let figure = Figure::new(3, 20, 2, 4, Scaled::No);
    let plan = SkinPlan::new(&figure.influences, WeightFormat::F32);
    let bind = Streams::gather(&plan, &figure.vertices()).unwrap();
    let palette = figure.linear_palette();
    let job = SkinJob::new(&plan, PaletteRef::Linear(palette.as_slice()), &bind);
    let mut buffer = marked(20 * 8);
    for (position, normal) in [(0, 2), (2, 0), (3, 3)] {
        let layout = Layout {
            stride: 8,
            position,
            normal: Some(normal),
            tangent: None,
            order: Order::Mesh,
        };
        let refused = job.run_interleaved(&mut buffer, &layout);
        assert!(matches!(refused, Err(SkinError::Layout { .. })));
        let refused = job.run_interleaved_parallel(&mut buffer, &layout, 0, None);
        assert!(matches!(refused, Err(SkinError::Layout { .. })));
    }
    assert!(bits(&buffer).iter().all(|&bits| bits == MARK));
}

fn snorm(x: f32) -> u32 {
    let whole = (x.clamp(-1.0, 1.0) * 32767.0).round_ties_even() as i16;
    u32::from(whole as u16)
}

/// Write-only memory that accepts any number of floats at a time.
struct WriteRuns(WriteOnly);

impl VertexSink for WriteRuns {
    fn floats(&self) -> usize {
        self.0.floats()
    }

    fn write(&mut self, at: usize, values: [f32; 3]) {
        self.0.write(at, values);
    }

    fn write_run(&mut self, at: usize, values: &[f32]) {
        self.0.0[at..at + values.len()].copy_from_slice(values);
    }

    fn shortest_run(&self) -> usize {
        1
    }
}

#[test]
fn directions_in_16_bits_are_the_nearest_to_those_of_the_blocks() {
    let mut figure = Figure::new(21, 333, 12, 4, Scaled::Some);
    for tangent in figure.tangents.iter_mut().step_by(3) {
        tangent.w = 1.0;
    }
    with_jobs(&figure, |job| {
        let mut out = job.bind.clone();
        job.run(&mut out).unwrap();
        for (position, normal, tangent) in [
            (0, 3, Some(5)),
            (0, 3, None),
            (4, 2, Some(0)),
            (1, 6, Some(4)),
            (5, 0, Some(3)),
        ] {
            for order in ORDERS {
                let layout = Layout {
                    stride: 9,
                    position,
                    normal: Some(normal),
                    tangent,
                    order,
                };
                let positions = Layout {
                    normal: None,
                    tangent: None,
                    ..layout
                };
                let mut wanted = wanted(job, &positions);
                for (plan, &mesh) in job.plan.mesh_from_plan().iter().enumerate() {
                    let vertex = match order {
                        Order::Mesh => mesh as usize,
                        Order::Plan => plan,
                    };
                    let mut put = |offset: usize, blocks: &[sinew::skin::Block], fourth: f32| {
                        let [x, y, z] = blocks[plan / LANES].map(|row| snorm(row.0[plan % LANES]));
                        wanted[9 * vertex + offset] = x | y << 16;
                        wanted[9 * vertex + offset + 1] = z | snorm(fourth) << 16;
                    };
                    put(normal, &out.normals, 0.0);
                    if let Some(tangent) = tangent {
                        put(tangent, &out.tangents, figure.tangents[mesh as usize].w);
                    }
                }
                let packed = layout.with_directions(Directions::Snorm16);
                let mut buffer = marked(wanted.len());
                job.run_interleaved(&mut buffer, packed).unwrap();
                assert!(bits(&buffer) == wanted, "{layout:?}");
                buffer.fill(f32::from_bits(MARK));
                job.run_interleaved_parallel(&mut buffer, packed, 0, None)
                    .unwrap();
                assert!(bits(&buffer) == wanted, "{layout:?}");
                let mut sink = WriteRuns(WriteOnly(marked(wanted.len())));
                job.run_interleaved(&mut sink, packed).unwrap();
                assert!(bits(&sink.0.0) == wanted, "{layout:?}");
            }
        }
    });
}

#[test]
fn memory_that_takes_three_floats_refuses_two() {
    let figure = Figure::new(3, 20, 2, 4, Scaled::No);
    let plan = SkinPlan::new(&figure.influences, WeightFormat::F32);
    let bind = Streams::gather(&plan, &figure.vertices()).unwrap();
    let palette = figure.linear_palette();
    let job = SkinJob::new(&plan, PaletteRef::Linear(palette.as_slice()), &bind);
    for (normal, fits) in [(3, true), (4, false)] {
        let layout = Layout {
            stride: 6,
            position: 0,
            normal: Some(normal),
            tangent: None,
            order: Order::Mesh,
        };
        let mut sink = WriteOnly(marked(20 * 6));
        let done = job.run_interleaved(&mut sink, layout.with_directions(Directions::Snorm16));
        assert_eq!(done.is_ok(), fits);
        let is_untouched = bits(&sink.0).iter().all(|&bits| bits == MARK);
        assert_eq!(is_untouched, !fits);
    }
}
