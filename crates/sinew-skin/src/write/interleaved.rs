//! Skins into a vertex buffer of the caller in batches that fit the first-level cache.

use super::layout::{Order, VertexLayout};
use super::sink::VertexSink;
#[cfg(all(target_arch = "x86_64", not(sinew_unoptimised)))]
use super::wide_writer::WideWriter;
use super::writers::{FloatWriter, Previous, Share, SinkWriter};
use crate::error::SkinError;
use crate::job::SkinJob;
use crate::kernel::bounds::{Bounds, RowBounds};
use crate::kernel::lanes::{Output, PIECE, TakeBlocks};
use sinew_math::simd::{LANES, Row};
use std::ops::Range;

impl SkinJob<'_> {
    /// Skins into an interleaved buffer of the caller, for example mapped GPU memory. Keeps the
    /// bytes between the parts of a vertex. Returns the box of [`SkinJob::run_with_bounds`].
    ///
    /// # Errors
    /// If layout or buffer does not fit, or the mesh lacks a stream. Nothing is written then.
    pub fn run_interleaved<B: VertexSink + ?Sized>(
        &self,
        buffer: &mut B,
        layout: impl Into<VertexLayout>,
    ) -> Result<Option<Bounds>, SkinError> {
        self.run_interleaved_at(buffer, layout, 0, None)
    }

    /// Like [`SkinJob::run_interleaved`], from vertex `first` of a buffer that several meshes may
    /// share. Also writes the positions of the previous frame.
    ///
    /// # Errors
    /// As [`SkinJob::run_interleaved`].
    pub fn run_interleaved_at<B: VertexSink + ?Sized>(
        &self,
        buffer: &mut B,
        layout: impl Into<VertexLayout>,
        first: usize,
        previous: Option<Previous<'_>>,
    ) -> Result<Option<Bounds>, SkinError> {
        self.run_into(buffer, &layout.into(), first, previous, Self::write_share)
    }

    /// Like [`SkinJob::run_interleaved`], on all cores (one for write-only memory). Same bits.
    ///
    /// # Errors
    /// As [`SkinJob::run_interleaved`].
    #[cfg(feature = "rayon")]
    pub fn run_interleaved_parallel<B: VertexSink + ?Sized>(
        &self,
        buffer: &mut B,
        layout: impl Into<VertexLayout>,
        first: usize,
        previous: Option<Previous<'_>>,
    ) -> Result<Option<Bounds>, SkinError> {
        self.run_into(
            buffer,
            &layout.into(),
            first,
            previous,
            Self::write_parallel,
        )
    }

    /// Checks what [`SkinJob::run_interleaved_at`] checks before it writes to a buffer of `floats`
    /// floats, so that no part of several is written if one does not fit.
    ///
    /// # Errors
    /// As [`SkinJob::run_interleaved`].
    pub fn check_interleaved_at(
        &self,
        floats: usize,
        layout: impl Into<VertexLayout>,
        first: usize,
        previous_offset: Option<usize>,
    ) -> Result<(), SkinError> {
        self.check_layout(floats, &layout.into(), first, previous_offset)
    }

    fn run_into<B: VertexSink + ?Sized>(
        &self,
        mut buffer: &mut B,
        layout: &VertexLayout,
        first: usize,
        previous: Option<Previous<'_>>,
        write: fn(&Self, &VertexLayout, Share<'_>) -> RowBounds,
    ) -> Result<Option<Bounds>, SkinError> {
        let offset = previous.as_ref().map(|previous| previous.offset);
        self.check_layout(buffer.floats(), layout, first, offset)?;
        if let Some(previous) = &previous
            && previous.positions.len() != self.plan.len()
        {
            return Err(SkinError::Length {
                what: "the list of previous positions",
                found: previous.positions.len(),
                expected: self.plan.len(),
            });
        }
        match buffer.as_floats() {
            Some(floats) => {
                let share = self.whole(floats, layout, first, previous);
                Ok(write(self, layout, share).finish())
            }
            None => self.write_sink(&mut buffer, layout, first, previous),
        }
    }

    // Not generic, so the following functions compile in this crate, not in an unoptimised caller.

    fn whole<'b>(
        &self,
        floats: &'b mut [f32],
        layout: &VertexLayout,
        first: usize,
        previous: Option<Previous<'b>>,
    ) -> Share<'b> {
        let vertices = self.plan.len();
        Share {
            vertices: 0..vertices,
            floats: &mut floats[first * layout.stride()..(first + vertices) * layout.stride()],
            previous,
        }
    }

    fn write_share(&self, layout: &VertexLayout, share: Share<'_>) -> RowBounds {
        let vertices = share.vertices.clone();
        let blocks = match layout.layout.order {
            Order::Plan => vertices.start / LANES..vertices.end.div_ceil(LANES),
            Order::Mesh => 0..self.plan.blocks(),
        };
        let is_all = vertices.len() == self.plan.len();
        let is_wanted = |block: &usize| {
            let has_all = layout.layout.order == Order::Plan || is_all;
            has_all || self.plan.has_any_of(*block, &vertices)
        };
        #[cfg(all(target_arch = "x86_64", not(sinew_unoptimised)))]
        let share = match WideWriter::new(self, layout, share) {
            Ok(mut writer) => {
                self.hand_over(blocks, is_wanted, layout, &mut writer);
                return writer.bounds;
            }
            Err(share) => share,
        };
        let mut writer = FloatWriter::new(self, layout, share);
        self.hand_over(blocks, is_wanted, layout, &mut writer);
        writer.bounds
    }

    fn hand_over(
        &self,
        blocks: Range<usize>,
        is_wanted: impl Fn(&usize) -> bool,
        layout: &VertexLayout,
        writer: &mut dyn TakeBlocks,
    ) {
        let mut scratch = [[[Row::default(); 3]; PIECE]; 3];
        let [positions, normals, tangents] = &mut scratch;
        let piece = writer.piece();
        let expected = |part: Option<usize>| if part.is_some() { piece } else { 0 };
        let mut output = Output {
            positions: &mut positions[..piece],
            normals: &mut normals[..expected(layout.layout.normal)],
            tangents: &mut tangents[..expected(layout.layout.tangent)],
            taker: Some(writer),
            waiting: 0,
        };
        let mut pass = self.pass(blocks.start);
        let (mut rest, last) = (blocks.clone(), blocks.end);
        while let Some(start) = rest.find(&is_wanted) {
            let end = rest.find(|block| !is_wanted(block)).unwrap_or(last);
            pass.skin(start..end, &mut output);
        }
    }

    #[cfg(feature = "rayon")]
    fn write_parallel(&self, layout: &VertexLayout, share: Share<'_>) -> RowBounds {
        use rayon::prelude::*;
        // In mesh order, a share skins all blocks with one of its vertices: one share per core.
        let threads = rayon::current_num_threads();
        let shares = match layout.layout.order {
            Order::Mesh => threads,
            Order::Plan => 4 * threads,
        };
        let length = self.plan.len().div_ceil(shares).max(1024);
        let length = length.next_multiple_of(LANES);
        let mut shares = Vec::new();
        let mut rest = share;
        while rest.vertices.len() > length {
            let (share, after) = rest.split_first(length, layout.stride());
            shares.push(share);
            rest = after;
        }
        shares.push(rest);
        let bounds = shares.into_par_iter().map(|s| self.write_share(layout, s));
        bounds.reduce(|| RowBounds::EMPTY, |a, b| a.union(&b))
    }

    fn write_sink(
        &self,
        sink: &mut dyn VertexSink,
        layout: &VertexLayout,
        first: usize,
        previous: Option<Previous<'_>>,
    ) -> Result<Option<Bounds>, SkinError> {
        let spans = layout.spans();
        let shortest = sink.shortest_run();
        if spans.as_slice().iter().any(|span| span.width() < shortest) {
            let why = "the memory cannot store packed directions without a neighbouring part";
            return Err(SkinError::Layout { why });
        }
        let mut writer = SinkWriter::new(self, layout, sink, first, previous);
        self.hand_over(0..self.plan.blocks(), |_| true, layout, &mut writer);
        Ok(writer.bounds.finish())
    }

    fn check_layout(
        &self,
        floats: usize,
        layout: &VertexLayout,
        first: usize,
        previous_offset: Option<usize>,
    ) -> Result<(), SkinError> {
        self.check()?;
        layout.check(previous_offset)?;
        let expected = self.plan.blocks();
        if layout.layout.normal.is_some() && self.bind.normals.len() != expected {
            return Err(SkinError::Missing { what: "normals" });
        }
        if layout.layout.tangent.is_some() && self.bind.tangents.len() != expected {
            return Err(SkinError::Missing { what: "tangents" });
        }
        let vertices = first.checked_add(self.plan.len());
        let need = vertices.and_then(|vertices| vertices.checked_mul(layout.stride()));
        if need.is_none_or(|need| need > floats) {
            let why = "the buffer is shorter than its vertices";
            return Err(SkinError::Layout { why });
        }
        Ok(())
    }
}
