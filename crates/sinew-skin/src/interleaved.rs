//! Vertices into a caller's own vertex buffer: slices of floats or bytes, or memory that can only be written.

use crate::bounds::{Bounds, RowBounds};
use crate::error::SkinError;
use crate::job::{BATCH, SkinJob};
use crate::lanes::Output;
use crate::streams::Block;
use glam::Vec3;
use sinew_math::simd::{LANES, Row};

/// In which order vertices are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Order {
    /// The mesh's own: indices stay as they are.
    #[default]
    Mesh,
    /// The plan's: faster; indices go through [`SkinPlan::remap_indices`](crate::SkinPlan::remap_indices).
    Plan,
}

/// Where in a caller's buffer the parts of a vertex go, in floats of four bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// From one vertex to the next.
    pub stride: usize,
    /// Where the position's three floats begin.
    pub position: usize,
    /// Where the normal's three floats begin.
    pub normal: Option<usize>,
    /// Where the tangent's three floats begin; its handedness is the caller's.
    pub tangent: Option<usize>,
    /// The order of vertices.
    pub order: Order,
}

/// Memory that vertices are written to and never read from, such as a mapped buffer of a GPU.
///
/// ```
/// use sinew_skin::VertexSink;
/// /// Memory that belongs to somebody else.
/// struct Mapped<'a>(&'a mut [u8]);
/// impl VertexSink for Mapped<'_> {
///     fn floats(&self) -> usize {
///         self.0.len() / 4
///     }
///     fn write(&mut self, at: usize, values: [f32; 3]) {
///         VertexSink::write(self.0, at, values);
///     }
/// }
/// ```
pub trait VertexSink {
    /// How many floats it has room for.
    fn floats(&self) -> usize;

    /// Writes three floats, the first of them the `at`-th; what is around them stays. Never called with less room than
    /// that.
    fn write(&mut self, at: usize, values: [f32; 3]);

    /// The memory itself where it is ordinary memory, which is written faster.
    fn as_floats(&mut self) -> Option<&mut [f32]> {
        None
    }
}

impl<B: VertexSink + ?Sized> VertexSink for &mut B {
    fn floats(&self) -> usize {
        (**self).floats()
    }

    fn write(&mut self, at: usize, values: [f32; 3]) {
        (**self).write(at, values);
    }

    fn as_floats(&mut self) -> Option<&mut [f32]> {
        (**self).as_floats()
    }
}

impl VertexSink for [f32] {
    #[inline(always)]
    fn floats(&self) -> usize {
        self.len()
    }

    #[inline(always)]
    fn write(&mut self, at: usize, values: [f32; 3]) {
        self[at..at + 3].copy_from_slice(&values);
    }

    fn as_floats(&mut self) -> Option<&mut [f32]> {
        Some(self)
    }
}

impl VertexSink for [u8] {
    #[inline(always)]
    fn floats(&self) -> usize {
        self.len() / 4
    }

    #[inline(always)]
    fn write(&mut self, at: usize, values: [f32; 3]) {
        self[4 * at..4 * at + 12].copy_from_slice(bytemuck::bytes_of(&values));
    }

    fn as_floats(&mut self) -> Option<&mut [f32]> {
        bytemuck::try_cast_slice_mut(self).ok()
    }
}

impl<T> VertexSink for Vec<T>
where
    [T]: VertexSink,
{
    #[inline(always)]
    fn floats(&self) -> usize {
        self.as_slice().floats()
    }

    #[inline(always)]
    fn write(&mut self, at: usize, values: [f32; 3]) {
        self.as_mut_slice().write(at, values);
    }

    fn as_floats(&mut self) -> Option<&mut [f32]> {
        self.as_mut_slice().as_floats()
    }
}

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
            return Ok(self.write_floats(floats, layout, first, previous));
        }
        let mut buffer = buffer;
        Ok(self.write_sink(&mut buffer, layout, first, previous))
    }

    // Both are compiled here, and not in the caller's crate, which may not be optimised.

    fn write_floats(
        &self,
        floats: &mut [f32],
        layout: &Layout,
        first: usize,
        previous: Option<Previous<'_>>,
    ) -> Option<Bounds> {
        self.write_vertices(floats, layout, first, previous)
    }

    fn write_sink(
        &self,
        sink: &mut dyn VertexSink,
        layout: &Layout,
        first: usize,
        previous: Option<Previous<'_>>,
    ) -> Option<Bounds> {
        self.write_vertices(sink, layout, first, previous)
    }

    #[inline(always)]
    fn write_vertices<B: VertexSink + ?Sized>(
        &self,
        buffer: &mut B,
        layout: &Layout,
        first: usize,
        mut previous: Option<Previous<'_>>,
    ) -> Option<Bounds> {
        let mut scratch = [[[Row::default(); 3]; BATCH]; 3];
        let mut bounds = RowBounds::EMPTY;
        let blocks = self.plan.blocks();
        let mut pass = self.pass(0);
        for start in (0..blocks).step_by(BATCH) {
            let range = start..(start + BATCH).min(blocks);
            let count = range.len();
            let [positions, normals, tangents] = &mut scratch;
            let wanted = |part: Option<usize>| if part.is_some() { count } else { 0 };
            let mut output = Output {
                positions: &mut positions[..count],
                normals: &mut normals[..wanted(layout.normal)],
                tangents: &mut tangents[..wanted(layout.tangent)],
            };
            pass.skin(range, &mut output);
            bounds.add(self.level, output.positions);
            let parts = [
                (Some(layout.position), &*output.positions),
                (layout.normal, &*output.normals),
                (layout.tangent, &*output.tangents),
            ];
            let order = &self.plan.mesh_from_plan()[start * LANES..];
            for (lane, &mesh) in order.iter().take(count * LANES).enumerate() {
                let vertex = match layout.order {
                    Order::Mesh => mesh as usize,
                    Order::Plan => start * LANES + lane,
                };
                let at = (first + vertex) * layout.stride;
                for (offset, blocks) in parts {
                    if let Some(offset) = offset {
                        buffer.write(at + offset, lane_of(blocks, lane));
                    }
                }
                if let Some(previous) = &mut previous {
                    let position = &mut previous.positions[vertex];
                    buffer.write(at + previous.offset, position.to_array());
                    *position = Vec3::from_array(lane_of(output.positions, lane));
                }
            }
        }
        bounds.finish()
    }

    fn check_layout(
        &self,
        floats: usize,
        layout: &Layout,
        first: usize,
        previous: Option<&Previous<'_>>,
    ) -> Result<(), SkinError> {
        self.check()?;
        let wanted = self.plan.blocks();
        let parts = [
            Some(layout.position),
            layout.normal,
            layout.tangent,
            previous.map(|previous| previous.offset),
        ];
        let reach = |offset: usize| offset.checked_add(3).is_none_or(|end| end > layout.stride);
        if parts.into_iter().flatten().any(reach) {
            let why = "a part reaches past the stride";
            return Err(SkinError::Layout { why });
        }
        if layout.normal.is_some() && self.bind.normals.len() != wanted {
            return Err(SkinError::Missing { what: "normals" });
        }
        if layout.tangent.is_some() && layout.normal.is_none() {
            return Err(SkinError::TangentsAlone);
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

/// One vertex of some blocks.
#[inline(always)]
fn lane_of(blocks: &[Block], lane: usize) -> [f32; 3] {
    let block = &blocks[lane / LANES];
    [
        block[0].0[lane % LANES],
        block[1].0[lane % LANES],
        block[2].0[lane % LANES],
    ]
}
