//! Blocks skinned a batch at a time, into rows that stay in the first cache.

use crate::bounds::RowBounds;
use crate::job::SkinJob;
use crate::lanes::Output;
use crate::layout::Order;
use crate::pass::Pass;
use crate::plan::SkinPlan;
use crate::spans::{BATCH, Batch};
use sinew_math::simd::{LANES, Level, Row};
use std::ops::Range;

/// The batches of a range of vertices in some order.
pub(crate) struct Batches<'a> {
    plan: &'a SkinPlan,
    level: Level,
    pass: Pass<'a>,
    /// Positions, with normals, with tangents.
    streams: usize,
    /// The vertices that are wanted, where blocks have others too.
    wanted: Option<Range<usize>>,
    left: Range<usize>,
    batch: Batch,
    bounds: RowBounds,
}

impl<'a> Batches<'a> {
    /// The batches that hold a range of vertices; in the plan's order it begins with a block.
    pub fn new(job: &SkinJob<'a>, streams: usize, order: Order, vertices: Range<usize>) -> Self {
        let plan = job.plan;
        let (left, wanted) = match order {
            Order::Plan => (vertices.start / LANES..vertices.end.div_ceil(LANES), None),
            Order::Mesh => (
                0..plan.blocks(),
                (vertices.len() < plan.len()).then_some(vertices),
            ),
        };
        Self {
            plan,
            level: job.level,
            pass: job.pass(left.start),
            streams,
            wanted,
            left,
            batch: [[[Row::default(); 3]; BATCH]; 3],
            bounds: RowBounds::EMPTY,
        }
    }

    /// Skins the next batch; gives its vertices, counted as the plan counts them, or `None` at the end.
    pub fn skin_next(&mut self) -> Option<Range<usize>> {
        let is_wanted = |block: usize| match &self.wanted {
            Some(wanted) => self.plan.has_any_of(block, wanted),
            None => true,
        };
        let start = self.left.find(|&block| is_wanted(block))?;
        let limit = (start + BATCH).min(self.left.end);
        let end = (start + 1..limit)
            .find(|&block| !is_wanted(block))
            .unwrap_or(limit);
        self.left.start = end;
        let count = end - start;
        let [positions, normals, tangents] = &mut self.batch;
        let mut output = Output {
            positions: &mut positions[..count],
            normals: &mut normals[..if self.streams > 1 { count } else { 0 }],
            tangents: &mut tangents[..if self.streams > 2 { count } else { 0 }],
        };
        self.pass.skin(start..end, &mut output);
        self.bounds.add(self.level, output.positions);
        Some(start * LANES..(end * LANES).min(self.plan.len()))
    }

    /// All rows of the batch, as [`Span`](crate::spans::Span) counts them.
    pub fn rows(&self) -> &[Row] {
        self.batch.as_flattened().as_flattened()
    }

    /// The box around what was skinned.
    pub fn bounds(&self) -> &RowBounds {
        &self.bounds
    }
}
