//! Writers of vertices, into ordinary or write-only memory.

use super::layout::{Order, VertexLayout};
use super::sink::VertexSink;
use super::snorm::Packer;
use super::spans::{POSITION_ALONE, Span, Spans};
use super::weave;
use crate::job::SkinJob;
use crate::kernel::bounds::RowBounds;
use crate::kernel::lanes::{PIECE, TakeBlocks};
use crate::plan::{Block, SkinPlan};
use glam::Vec3;
use sinew_math::simd::{LANES, Level};
use std::ops::Range;

/// Positions of the previous frame, for motion vectors. Skinning writes them beside the new
/// positions, and then stores the new positions here.
#[derive(Debug)]
pub struct Previous<'a> {
    /// Offset of the previous position (three floats) in a vertex, in floats.
    pub offset: usize,
    /// The positions of the previous frame, in the order in which vertices are written.
    pub positions: &'a mut [Vec3],
}

/// Range of the vertices in writing order, and its memory.
pub(crate) struct Share<'a> {
    pub vertices: Range<usize>,
    pub floats: &'a mut [f32],
    pub previous: Option<Previous<'a>>,
}

#[cfg(feature = "rayon")]
impl<'a> Share<'a> {
    /// Splits off the first `count` vertices.
    pub fn split_first(self, count: usize, stride: usize) -> (Self, Self) {
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

#[derive(Clone, Copy)]
pub(crate) struct Vertices<'a> {
    pub plan: &'a SkinPlan,
    level: Level,
    pub order: Order,
}

impl<'a> Vertices<'a> {
    pub fn new(job: &SkinJob<'a>, order: Order) -> Self {
        Self {
            plan: job.plan,
            level: job.level,
            order,
        }
    }

    /// The vertices of some blocks, as plan indices.
    pub fn of(&self, blocks: &Range<usize>) -> Range<usize> {
        blocks.start * LANES..(blocks.end * LANES).min(self.plan.len())
    }

    /// Writes a span of each vertex into floats with a stride. The memory begins at vertex `start`.
    pub fn write(
        &self,
        range: &Range<usize>,
        streams: &[&[Block]; 3],
        span: &Span,
        (floats, stride): (&mut [f32], usize),
        start: usize,
    ) {
        match self.order {
            Order::Plan => {
                let own = (range.start - start) * stride..(range.end - start) * stride;
                weave::in_order(self.level, streams, span, &mut floats[own], stride);
            }
            Order::Mesh => {
                let order = (&self.plan.mesh_from_plan()[range.clone()], start as u32);
                weave::by_mesh(self.level, streams, span, floats, stride as u32, order);
            }
        }
    }
}

pub(crate) struct FloatWriter<'a> {
    vertices: Vertices<'a>,
    spans: Spans,
    stride: usize,
    packer: Option<Packer<'a>>,
    share: Share<'a>,
    pub bounds: RowBounds,
}

impl<'a> FloatWriter<'a> {
    /// Creates the writer and writes the previous positions.
    pub fn new(job: &SkinJob<'a>, layout: &VertexLayout, share: Share<'a>) -> Self {
        if let Some(previous) = &share.previous {
            let vertices = share.floats.chunks_exact_mut(layout.stride());
            for (vertex, position) in vertices.zip(&*previous.positions) {
                vertex[previous.offset..previous.offset + 3].copy_from_slice(&position.to_array());
            }
        }
        Self {
            vertices: Vertices::new(job, layout.layout.order),
            spans: layout.spans(),
            stride: layout.stride(),
            packer: Packer::new(job, layout),
            share,
            bounds: RowBounds::EMPTY,
        }
    }
}

impl TakeBlocks for FloatWriter<'_> {
    fn take(&mut self, blocks: Range<usize>, streams: [&[Block]; 3]) {
        self.bounds.add(self.vertices.level, streams[0]);
        let (range, start) = (self.vertices.of(&blocks), self.share.vertices.start);
        let streams = match &mut self.packer {
            Some(packer) => packer.pack(&blocks, streams),
            None => streams,
        };
        for span in self.spans.as_slice() {
            let memory = (&mut *self.share.floats, self.stride);
            self.vertices.write(&range, &streams, span, memory, start);
        }
        if let Some(previous) = &mut self.share.previous {
            let memory = (bytemuck::cast_slice_mut(&mut *previous.positions), 3);
            let span = &POSITION_ALONE;
            self.vertices.write(&range, &streams, span, memory, start);
        }
    }
}

pub(crate) struct SinkWriter<'a, 'b> {
    vertices: Vertices<'a>,
    spans: Spans,
    stride: usize,
    packer: Option<Packer<'a>>,
    sink: &'b mut dyn VertexSink,
    first: usize,
    previous: Option<Previous<'b>>,
    pub bounds: RowBounds,
}

impl<'a, 'b> SinkWriter<'a, 'b> {
    /// Creates the writer of vertices from index `first`, and writes the previous positions.
    pub fn new(
        job: &SkinJob<'a>,
        layout: &VertexLayout,
        sink: &'b mut dyn VertexSink,
        first: usize,
        previous: Option<Previous<'b>>,
    ) -> Self {
        if let Some(previous) = &previous {
            for (vertex, position) in previous.positions.iter().enumerate() {
                let at = (first + vertex) * layout.stride() + previous.offset;
                sink.write(at, position.to_array());
            }
        }
        Self {
            vertices: Vertices::new(job, layout.layout.order),
            spans: layout.spans(),
            stride: layout.stride(),
            packer: Packer::new(job, layout),
            sink,
            first,
            previous,
            bounds: RowBounds::EMPTY,
        }
    }
}

impl TakeBlocks for SinkWriter<'_, '_> {
    fn take(&mut self, blocks: Range<usize>, streams: [&[Block]; 3]) {
        let Vertices { plan, level, order } = self.vertices;
        self.bounds.add(level, streams[0]);
        let range = self.vertices.of(&blocks);
        let streams = match &mut self.packer {
            Some(packer) => packer.pack(&blocks, streams),
            None => streams,
        };
        let mut woven = [0.0; PIECE * LANES * 9];
        for span in self.spans.as_slice() {
            let width = span.width();
            let woven = &mut woven[..range.len() * width];
            weave::in_order(level, &streams, &span.alone(), woven, width);
            if order == Order::Plan && width == self.stride {
                let at = (self.first + range.start) * self.stride;
                self.sink.write_run(at, woven);
                continue;
            }
            for (plan_vertex, values) in range.clone().zip(woven.chunks_exact(width)) {
                let vertex = match order {
                    Order::Mesh => plan.mesh_from_plan()[plan_vertex] as usize,
                    Order::Plan => plan_vertex,
                };
                let at = (self.first + vertex) * self.stride + span.offset;
                self.sink.write_run(at, values);
            }
        }
        if let Some(previous) = &mut self.previous {
            let memory = (bytemuck::cast_slice_mut(&mut *previous.positions), 3);
            let span = &POSITION_ALONE;
            self.vertices.write(&range, &streams, span, memory, 0);
        }
    }
}
