//! Vertices into a caller's own vertex buffer, in batches: skinned into blocks that stay in the first cache, and woven from there.

use crate::batches::Batches;
use crate::bounds::{Bounds, RowBounds};
use crate::error::SkinError;
use crate::job::SkinJob;
use crate::layout::{Layout, Order};
use crate::sink::VertexSink;
use crate::spans::{BATCH, MAX_WIDTH, POSITION_ALONE, Span};
use crate::weave;
use glam::Vec3;
use sinew_math::simd::{LANES, Row};
use std::ops::Range;

/// The positions of the frame before, for motion vectors: written beside the new ones, which then take their place.
#[derive(Debug)]
pub struct Previous<'a> {
    /// Where in a vertex its three floats begin.
    pub offset: usize,
    /// The positions of the frame before, in the order in which vertices are written.
    pub positions: &'a mut [Vec3],
}

impl SkinJob<'_> {
    /// Skins into a caller's interleaved buffer, straight into mapped GPU memory for example; what is between the
    /// parts of a vertex stays as it is. Gives the box around the posed positions as
    /// [`SkinJob::run_with_bounds`] does.
    ///
    /// # Errors
    /// When the layout or the buffer does not fit, or asks for what the mesh does not have; nothing is written then.
    pub fn run_interleaved<B: VertexSink + ?Sized>(
        &self,
        buffer: &mut B,
        layout: &Layout,
    ) -> Result<Option<Bounds>, SkinError> {
        self.run_interleaved_at(buffer, layout, 0, None)
    }

    /// The same from the `first`-th vertex of the buffer on, which several meshes may share, and with the positions
    /// of the frame before.
    ///
    /// # Errors
    /// As [`SkinJob::run_interleaved`].
    pub fn run_interleaved_at<B: VertexSink + ?Sized>(
        &self,
        buffer: &mut B,
        layout: &Layout,
        first: usize,
        previous: Option<Previous<'_>>,
    ) -> Result<Option<Bounds>, SkinError> {
        self.check_layout(buffer.floats(), layout, first, previous.as_ref())?;
        if let Some(floats) = buffer.as_floats() {
            let share = self.whole(floats, layout, first, previous);
            return Ok(self.write_share(layout, share).finish());
        }
        let mut buffer = buffer;
        self.write_sink(&mut buffer, layout, first, previous)
    }

    /// The same on all cores; the same bits. Memory that can only be written is written by one.
    ///
    /// # Errors
    /// As [`SkinJob::run_interleaved`].
    #[cfg(feature = "rayon")]
    pub fn run_interleaved_parallel<B: VertexSink + ?Sized>(
        &self,
        buffer: &mut B,
        layout: &Layout,
        first: usize,
        previous: Option<Previous<'_>>,
    ) -> Result<Option<Bounds>, SkinError> {
        self.check_layout(buffer.floats(), layout, first, previous.as_ref())?;
        if let Some(floats) = buffer.as_floats() {
            let share = self.whole(floats, layout, first, previous);
            return Ok(self.write_parallel(layout, share).finish());
        }
        let mut buffer = buffer;
        self.write_sink(&mut buffer, layout, first, previous)
    }

    // What follows is compiled here, and not in the caller's crate, which may not be optimised.

    /// All vertices, to be written by one.
    fn whole<'b>(
        &self,
        floats: &'b mut [f32],
        layout: &Layout,
        first: usize,
        previous: Option<Previous<'b>>,
    ) -> Share<'b> {
        let vertices = self.plan.len();
        Share {
            vertices: 0..vertices,
            floats: &mut floats[first * layout.stride..(first + vertices) * layout.stride],
            previous,
        }
    }

    /// Writes a share of the vertices.
    fn write_share(&self, layout: &Layout, mut share: Share<'_>) -> RowBounds {
        let (spans, stride) = (layout.spans(), layout.stride);
        if let Some(previous) = &share.previous {
            let vertices = share.floats.chunks_exact_mut(stride);
            for (vertex, position) in vertices.zip(&*previous.positions) {
                vertex[previous.offset..previous.offset + 3].copy_from_slice(&position.to_array());
            }
        }
        let mut batches = self.batches(layout, layout.order, share.vertices.clone());
        while let Some(plan) = batches.skin_next() {
            let rows = batches.rows();
            let start = share.vertices.start;
            for span in spans.as_slice() {
                let memory = (&mut *share.floats, stride);
                self.write_rows(rows, span, memory, layout.order, &plan, start);
            }
            if let Some(previous) = &mut share.previous {
                let memory = (bytemuck::cast_slice_mut(&mut *previous.positions), 3);
                self.write_rows(rows, &POSITION_ALONE, memory, layout.order, &plan, start);
            }
        }
        *batches.bounds()
    }

    /// Writes a span of the plan's vertices into floats of some stride, the first vertex of which is `start`.
    fn write_rows(
        &self,
        rows: &[Row],
        span: &Span,
        (floats, stride): (&mut [f32], usize),
        order: Order,
        plan: &Range<usize>,
        start: usize,
    ) {
        match order {
            Order::Plan => {
                let own = (plan.start - start) * stride..(plan.end - start) * stride;
                weave::in_order(self.level, rows, span, &mut floats[own], stride);
            }
            Order::Mesh => {
                let order = (&self.plan.mesh_from_plan()[plan.clone()], start as u32);
                weave::by_mesh(self.level, rows, span, floats, stride as u32, order);
            }
        }
    }

    /// Writes shares of the vertices on all cores.
    #[cfg(feature = "rayon")]
    fn write_parallel(&self, layout: &Layout, share: Share<'_>) -> RowBounds {
        use rayon::prelude::*;
        // In the mesh's order every share skins the blocks that have any of its vertices, so shares are as few as cores.
        let threads = rayon::current_num_threads();
        let shares = match layout.order {
            Order::Mesh => threads,
            Order::Plan => 4 * threads,
        };
        let length = self.plan.len().div_ceil(shares).max(1024);
        let length = length.next_multiple_of(LANES);
        let mut shares = Vec::new();
        let mut rest = share;
        while rest.vertices.len() > length {
            let (share, after) = rest.split_first(length, layout.stride);
            shares.push(share);
            rest = after;
        }
        shares.push(rest);
        let bounds = shares.into_par_iter().map(|s| self.write_share(layout, s));
        bounds.reduce(|| RowBounds::EMPTY, |a, b| a.union(&b))
    }

    fn batches(&self, layout: &Layout, order: Order, vertices: Range<usize>) -> Batches<'_> {
        let streams =
            1 + usize::from(layout.normal.is_some()) + usize::from(layout.tangent.is_some());
        Batches::new(self, streams, order, vertices)
    }

    fn write_sink(
        &self,
        sink: &mut dyn VertexSink,
        layout: &Layout,
        first: usize,
        previous: Option<Previous<'_>>,
    ) -> Result<Option<Bounds>, SkinError> {
        let (spans, stride) = (layout.spans(), layout.stride);
        let shortest = sink.shortest_run();
        if spans.as_slice().iter().any(|span| span.width() < shortest) {
            let why = "the memory cannot take packed directions that touch no other part";
            return Err(SkinError::Layout { why });
        }
        let order = self.plan.mesh_from_plan();
        let mut previous = previous;
        if let Some(previous) = &previous {
            for (vertex, position) in previous.positions.iter().enumerate() {
                let at = (first + vertex) * stride + previous.offset;
                sink.write(at, position.to_array());
            }
        }
        let mut woven = [0.0; BATCH * LANES * MAX_WIDTH];
        let mut batches = self.batches(layout, Order::Plan, 0..self.plan.len());
        while let Some(plan) = batches.skin_next() {
            let rows = batches.rows();
            for span in spans.as_slice() {
                let width = span.width();
                let mut tight = *span;
                tight.offset = 0;
                let woven = &mut woven[..plan.len() * width];
                weave::in_order(self.level, rows, &tight, woven, width);
                if layout.order == Order::Plan && width == stride {
                    sink.write_run((first + plan.start) * stride, woven);
                    continue;
                }
                for (nth, values) in woven.chunks_exact(width).enumerate() {
                    let vertex = match layout.order {
                        Order::Mesh => order[plan.start + nth] as usize,
                        Order::Plan => plan.start + nth,
                    };
                    sink.write_run((first + vertex) * stride + span.offset, values);
                }
            }
            if let Some(previous) = &mut previous {
                let positions = bytemuck::cast_slice_mut(previous.positions);
                self.write_rows(
                    rows,
                    &POSITION_ALONE,
                    (positions, 3),
                    layout.order,
                    &plan,
                    0,
                );
            }
        }
        Ok(batches.bounds().finish())
    }

    fn check_layout(
        &self,
        floats: usize,
        layout: &Layout,
        first: usize,
        previous: Option<&Previous<'_>>,
    ) -> Result<(), SkinError> {
        self.check()?;
        layout.check(previous.map(|previous| previous.offset))?;
        let wanted = self.plan.blocks();
        if layout.normal.is_some() && self.bind.normals.len() != wanted {
            return Err(SkinError::Missing { what: "normals" });
        }
        if layout.tangent.is_some() && self.bind.tangents.len() != wanted {
            return Err(SkinError::Missing { what: "tangents" });
        }
        if let Some(previous) = previous
            && previous.positions.len() != self.plan.len()
        {
            return Err(SkinError::Length {
                what: "the list of previous positions",
                found: previous.positions.len(),
                wanted: self.plan.len(),
            });
        }
        let vertices = first.checked_add(self.plan.len());
        let need = vertices.and_then(|vertices| vertices.checked_mul(layout.stride));
        if need.is_none_or(|need| need > floats) {
            let why = "the buffer is shorter than its vertices";
            return Err(SkinError::Layout { why });
        }
        Ok(())
    }
}

/// A range of the vertices in the order in which they are written, and the memory of those.
struct Share<'a> {
    vertices: Range<usize>,
    floats: &'a mut [f32],
    previous: Option<Previous<'a>>,
}

#[cfg(feature = "rayon")]
impl<'a> Share<'a> {
    /// So many of its vertices, and the others.
    fn split_first(self, count: usize, stride: usize) -> (Self, Self) {
        let Range { start, end } = self.vertices;
        let (floats, rest) = self.floats.split_at_mut(count * stride);
        let (before, after) = match self.previous {
            Some(previous) => {
                let offset = previous.offset;
                let (positions, rest) = previous.positions.split_at_mut(count);
                let part = |positions| Some(Previous { offset, positions });
                (part(positions), part(rest))
            }
            None => (None, None),
        };
        let share = |vertices, floats, previous| Share {
            vertices,
            floats,
            previous,
        };
        (
            share(start..start + count, floats, before),
            share(start + count..end, rest, after),
        )
    }
}
