//! A writer of positions and normals into ordinary memory by AVX-512, a few blocks at a time: so few that what is written
//! to the second cache or to memory is on its way while the next ones are being skinned.

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

/// Bytes that fit the second cache beside what is read.
const SECOND_CACHE: usize = 1 << 20;

pub(crate) struct WideWriter<'a> {
    avx512: Avx512,
    vertices: Vertices<'a>,
    span: Span,
    stride: usize,
    /// The first of its vertices, and the memory that begins with it.
    start: usize,
    floats: &'a mut [f32],
    lines: Option<Lines>,
    pub bounds: RowBounds,
}

impl<'a> WideWriter<'a> {
    /// Gives the share back where it is not positions and normals beside each other, or another instruction set is asked for.
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

    /// Four: with two, changing hands takes longer than what it saves. Whole lines into memory that fits the second cache wait
    /// for little, and eight take less.
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
