//! Skins blocks vertex by vertex, like the scalar reference. Builds without optimisation use it,
//! because their vector kernels are much larger and slower.

use super::lanes::Output;
use crate::palette::PaletteRef;
use crate::plan::{Block, Run, SkinPlan, Streams};
use crate::reference::dual_quat::{JointSum, StretchThenMove};
use crate::vertices::{VertexMap, unit_or};
use glam::Vec3;
use sinew_math::simd::LANES;
use sinew_math::transform::Affine;
use std::ops::Range;

/// Skins blocks. The first block is in the given run or in a later run.
pub(crate) fn skin(
    plan: &SkinPlan,
    palette: PaletteRef<'_>,
    bind: &Streams,
    first_run: usize,
    blocks: &Range<usize>,
    out: &mut Output<'_>,
) {
    let runs = plan.runs().get(first_run..).unwrap_or_default();
    for run in runs {
        let start = run.first_block.max(blocks.start);
        let end = (run.first_block + run.blocks).min(blocks.end);
        for block in start..end {
            let to = match out.taker {
                Some(_) => out.waiting,
                None => block - blocks.start,
            };
            for lane in 0..LANES {
                skin_lane(plan, palette, bind, run, [block, to, lane], out);
            }
            out.written(1, block + 1);
        }
    }
}

fn skin_lane(
    plan: &SkinPlan,
    palette: PaletteRef<'_>,
    bind: &Streams,
    run: &Run,
    [block, to, lane]: [usize; 3],
    out: &mut Output<'_>,
) {
    let nth = block - run.first_block;
    let influences = plan.influences_of(run, nth, lane);
    match palette {
        PaletteRef::Linear(palette) => {
            let mut map = Affine::ZERO;
            for (joint, weight) in influences {
                map.add_scaled(&palette[joint], weight);
            }
            apply(&map, bind, [block, to, lane], out);
        }
        PaletteRef::DualQuat(palette) => {
            let heaviest = plan.heaviest(run, nth, lane);
            let (sum, _) = JointSum::blend(palette, influences, Some(heaviest));
            apply(&StretchThenMove::new(&sum), bind, [block, to, lane], out);
        }
    }
}

fn apply(
    map: &impl VertexMap,
    bind: &Streams,
    [block, to, lane]: [usize; 3],
    out: &mut Output<'_>,
) {
    let position = map.position(read(&bind.positions[block], lane));
    write(&mut out.positions[to], lane, position);
    if let Some(out) = out.normals.get_mut(to) {
        let normal = read(&bind.normals[block], lane);
        write(out, lane, unit_or(map.normal(normal), normal));
    }
    if let Some(out) = out.tangents.get_mut(to) {
        let tangent = read(&bind.tangents[block], lane);
        write(out, lane, unit_or(map.tangent(tangent), tangent));
    }
}

fn read(block: &Block, lane: usize) -> Vec3 {
    let [x, y, z] = block;
    Vec3::new(x.0[lane], y.0[lane], z.0[lane])
}

fn write(block: &mut Block, lane: usize, v: Vec3) {
    let [x, y, z] = block;
    (x.0[lane], y.0[lane], z.0[lane]) = (v.x, v.y, v.z);
}
