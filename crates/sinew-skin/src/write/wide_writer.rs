//! Writes positions and normals into ordinary memory with AVX-512, a few blocks at a time. Stores
//! then overlap with the skinning of the next blocks.

use super::layout::{Order, VertexLayout};
use super::lines::{Lines, weave_lines};
use super::spans::Span;
use super::weave::weave_by_mesh;
use super::writers::{Share, Vertices};
use crate::job::SkinJob;
use crate::kernel::bounds::{RowBounds, widen};
use crate::kernel::lanes::TakeBlocks;
use crate::plan::Block;
use fearless_simd::{Avx512, Level};
use fearless_simd_macros::simd;
use sinew_math::simd::LANES;
use std::ops::Range;

/// Bytes of output that fit the second-level cache together with the input.
const SECOND_CACHE: usize = 1 << 20;

pub(crate) struct WideWriter<'a> {
    avx512: Avx512,
    vertices: Vertices<'a>,
    span: Span,
    stride: usize,
    /// First vertex of the share, at the beginning of its memory.
    start: usize,
    floats: &'a mut [f32],
    lines: Option<Lines>,
    pub bounds: RowBounds,
}

impl<'a> WideWriter<'a> {
    /// Returns the share unchanged if positions and normals are not adjacent, or without AVX-512.
    pub fn new(
        job: &SkinJob<'a>,
        layout: &VertexLayout,
        share: Share<'a>,
    ) -> Result<Self, Share<'a>> {
        let spans = layout.spans();
        let (Level::Avx512(avx512), [span], None) =
            (job.level.0, spans.as_slice(), &share.previous)
        else {
            return Err(share);
        };
        let Some(floats) = share.floats.get(span.offset..) else {
            return Err(share);
        };
        if span.widths() != [3, 3, 0] {
            return Err(share);
        }
        let (stride, order) = (layout.stride(), layout.layout.order);
        Ok(Self {
            avx512,
            vertices: Vertices::new(job, order),
            span: *span,
            stride,
            start: share.vertices.start,
            lines: Lines::of(floats, stride).filter(|_| order == Order::Plan),
            floats: share.floats,
            bounds: RowBounds::EMPTY,
        })
    }
}

impl TakeBlocks for WideWriter<'_> {
    fn take(&mut self, blocks: Range<usize>, streams: [&[Block]; 3]) {
        write(self.avx512, self, &blocks, &streams);
    }

    /// Four blocks, because switching for two takes longer than it saves. Whole lines into memory
    /// that fits the second-level cache hardly wait, so eight blocks are faster there.
    fn piece(&self) -> usize {
        match self.lines {
            Some(_) if size_of_val(self.floats) <= SECOND_CACHE => 8,
            _ => 4,
        }
    }
}

#[simd]
fn write(avx512: Avx512, to: &mut WideWriter<'_>, blocks: &Range<usize>, streams: &[&[Block]; 3]) {
    widen(avx512, &mut to.bounds, streams[0]);
    let range = to.vertices.of(blocks);
    let parts = to.span.streams(streams);
    let floats = to.floats.get_mut(to.span.offset..).unwrap_or_default();
    if to.vertices.order == Order::Mesh {
        let order = (&to.vertices.plan.mesh_from_plan()[range], to.start as u32);
        weave_by_mesh::<_, 3, 6>(avx512, parts, floats, to.stride as u32, order);
        return;
    }
    let first = blocks.start - to.start / LANES;
    let is_done = to
        .lines
        .as_ref()
        .is_some_and(|lines| weave_lines(avx512, lines, [parts[0], parts[1]], floats, first));
    if !is_done {
        let memory = (&mut *to.floats, to.stride);
        to.vertices
            .write(&range, streams, &to.span, memory, to.start);
    }
}
