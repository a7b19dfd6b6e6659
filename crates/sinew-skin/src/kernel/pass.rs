//! A pass over the blocks of a plan: chooses the kernel of each block and keeps shared data.

use super::blended::{BlendedMap, DualScaled, DualStretched, Linear};
use super::lanes::{Input, Output};
use super::plain;
use super::skin::skin;
use crate::palette::{DualQuatPalette, PaletteRef};
use crate::plan::{Block, SkinPlan, Streams};
use sinew_math::dispatch;
use sinew_math::simd::Level;
use std::ops::Range;

/// Pass that skins blocks in ascending order, one batch at a time.
pub(crate) struct Pass<'a> {
    plan: &'a SkinPlan,
    palette: PaletteRef<'a>,
    bind: &'a Streams,
    level: Level,
    /// True if the pass works vertex by vertex, as in builds without optimisation.
    pub is_plain: bool,
    run: usize,
    /// Scale of all joints, if they share one scale.
    common_scale: Option<f32>,
    /// Index of the last run that was looked up, and the scale that its joints share, if any.
    run_scale: Option<(usize, Option<f32>)>,
    /// True if matrices or dual quaternions are finite, and if stretches are. For mixed blocks.
    is_finite: [bool; 2],
}

impl<'a> Pass<'a> {
    /// A pass that begins at block `start`.
    pub fn new(
        plan: &'a SkinPlan,
        palette: PaletteRef<'a>,
        bind: &'a Streams,
        level: Level,
        start: usize,
    ) -> Self {
        let common_scale = match palette {
            PaletteRef::Linear(_) => None,
            PaletteRef::DualQuat(palette) => palette.common_scale(),
        };
        let is_mixed = !plan.patches().is_empty();
        let is_finite = match palette {
            _ if !is_mixed => [true; 2],
            PaletteRef::Linear(palette) => [all_finite::<12>(bytemuck::cast_slice(palette)); 2],
            PaletteRef::DualQuat(palette) => [
                all_finite(palette.motions()),
                common_scale.is_some() || all_finite(palette.rows()),
            ],
        };
        Self {
            plan,
            palette,
            bind,
            level,
            is_plain: cfg!(sinew_unoptimised),
            run: plan
                .runs()
                .partition_point(|r| r.first_block + r.blocks <= start),
            common_scale,
            run_scale: None,
            is_finite,
        }
    }

    /// Skins blocks. The range must not begin before the end of the previous range.
    pub fn skin(&mut self, blocks: Range<usize>, out: &mut Output<'_>) {
        let runs = self.plan.runs();
        let is_behind = |run: usize| {
            runs.get(run)
                .is_some_and(|r| r.first_block + r.blocks <= blocks.start)
        };
        while is_behind(self.run) {
            self.run += 1;
        }
        if self.is_plain {
            plain::skin(self.plan, self.palette, self.bind, self.run, &blocks, out);
        } else {
            self.skin_by_kernel(&blocks, out);
        }
        out.hand_over(blocks.end);
    }

    #[cfg(sinew_unoptimised)]
    fn skin_by_kernel(&mut self, _blocks: &Range<usize>, _out: &mut Output<'_>) {}

    #[cfg(not(sinew_unoptimised))]
    fn skin_by_kernel(&mut self, blocks: &Range<usize>, out: &mut Output<'_>) {
        match self.palette {
            PaletteRef::Linear(palette) => {
                let (palette, is_finite) = (bytemuck::cast_slice(palette), self.is_finite[0]);
                self.skin_by::<Linear, 12>(palette, is_finite, 1.0, blocks, out);
            }
            PaletteRef::DualQuat(palette) => match self.common_scale {
                Some(scale) => self.skin_alike(palette, scale, blocks, out),
                None => self.skin_stretched(palette, blocks.clone(), out),
            },
        }
    }

    /// Skins with dual quaternions of which some stretch. Runs that share a scale skip the stretch.
    fn skin_stretched(
        &mut self,
        palette: &DualQuatPalette,
        blocks: Range<usize>,
        out: &mut Output<'_>,
    ) {
        let runs = self.plan.runs();
        let mut start = blocks.start;
        while start < blocks.end {
            let scale = self.scale_of(palette, self.run);
            let mut next = self.run + 1;
            while next < runs.len()
                && runs[next].first_block < blocks.end
                && self.scale_of(palette, next) == scale
            {
                next += 1;
            }
            let end = runs
                .get(next)
                .map_or(blocks.end, |run| run.first_block.min(blocks.end));
            let part = start - blocks.start..end - blocks.start;
            let range = start..end;
            match out.taker {
                Some(_) => self.skin_at(palette, scale, &range, out),
                None => self.skin_at(palette, scale, &range, &mut out.range(part)),
            }
            // The last run may continue in the next batch.
            self.run = if end < blocks.end { next } else { next - 1 };
            start = end;
        }
    }

    fn skin_at(
        &self,
        palette: &DualQuatPalette,
        scale: Option<f32>,
        blocks: &Range<usize>,
        out: &mut Output<'_>,
    ) {
        match scale {
            Some(scale) => self.skin_alike(palette, scale, blocks, out),
            None => {
                let (rows, is_finite) = (palette.rows(), self.is_finite[1]);
                self.skin_by::<DualStretched, 25>(rows, is_finite, 1.0, blocks, out);
            }
        }
    }

    fn scale_of(&mut self, palette: &DualQuatPalette, run: usize) -> Option<f32> {
        if let Some((_, scale)) = self.run_scale.filter(|(known, _)| *known == run) {
            return scale;
        }
        let joints = self.plan.joints_of(&self.plan.runs()[run]);
        let scale = palette.common_scale_of(joints);
        self.run_scale = Some((run, scale));
        scale
    }

    fn skin_alike(
        &self,
        palette: &DualQuatPalette,
        scale: f32,
        blocks: &Range<usize>,
        out: &mut Output<'_>,
    ) {
        let (rows, is_finite) = (palette.motions(), self.is_finite[0]);
        self.skin_by::<DualScaled, 8>(rows, is_finite, scale, blocks, out);
    }

    fn skin_by<M: BlendedMap<N>, const N: usize>(
        &self,
        palette: &[[f32; N]],
        is_finite: bool,
        scale: f32,
        blocks: &Range<usize>,
        out: &mut Output<'_>,
    ) {
        let bind = self.bind;
        let part = |stream: &'a [Block]| stream.get(blocks.clone()).unwrap_or_default();
        let input = Input {
            plan: self.plan,
            palette,
            scale,
            blocks,
            first_run: self.run,
            is_finite,
            positions: part(&bind.positions),
            normals: part(&bind.normals),
            tangents: part(&bind.tangents),
        };
        if out.normals.is_empty() {
            dispatch!(self.level, simd => skin::<_, M, N, false>(simd, input, out));
        } else {
            dispatch!(self.level, simd => skin::<_, M, N, true>(simd, input, out));
        }
    }
}

/// Has no early exit, so that it compiles to vector instructions.
fn all_finite<const N: usize>(rows: &[[f32; N]]) -> bool {
    let numbers = rows.as_flattened().iter();
    numbers.fold(true, |all, x| all & x.is_finite())
}
