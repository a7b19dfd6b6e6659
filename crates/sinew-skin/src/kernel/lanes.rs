//! Data that kernels read and write, and its transfer between blocks and registers.

use super::blended::BlendedMap;
use crate::plan::{Block, MAX_SHARED, Run, SkinPlan};
use fearless_simd::prelude::*;
use fearless_simd::{f32x4, f32x8, f32x16};
use sinew_math::simd::{LANES, Row};
use std::ops::Range;

/// Input of a kernel: the numbers of the joints, and the streams of the blocks to skin.
#[derive(Clone, Copy)]
pub(crate) struct Input<'a, const N: usize> {
    pub plan: &'a SkinPlan,
    pub palette: &'a [[f32; N]],
    /// The common scale of all joints, for maps that do not contain it.
    pub scale: f32,
    pub blocks: &'a Range<usize>,
    /// Index of the run of the first block, or of an earlier run.
    pub first_run: usize,
    /// True if the palette is finite. Only mixed blocks read it.
    pub is_finite: bool,
    pub positions: &'a [Block],
    pub normals: &'a [Block],
    pub tangents: &'a [Block],
}

/// Max number of blocks per call of a receiver. The first-level cache holds them.
pub(crate) const PIECE: usize = 16;

/// Receiver of blocks as soon as they are skinned, so that they need not be stored.
pub(crate) trait TakeBlocks {
    /// Receives positions, normals and tangents of up to [`PIECE`] blocks.
    fn take(&mut self, blocks: Range<usize>, streams: [&[Block]; 3]);

    /// The number of blocks to hand over at a time, up to [`PIECE`].
    fn piece(&self) -> usize {
        PIECE
    }
}

/// Streams that a kernel writes, for the range of blocks. Streams that are not requested are empty.
pub(crate) struct Output<'a> {
    pub positions: &'a mut [Block],
    pub normals: &'a mut [Block],
    pub tangents: &'a mut [Block],
    /// Optional receiver of the blocks. The streams then hold one piece at a time.
    pub taker: Option<&'a mut dyn TakeBlocks>,
    /// The number of blocks that wait for the receiver.
    pub waiting: usize,
}

impl<'a> Output<'a> {
    /// Output into streams that are kept, without a receiver.
    pub fn new([positions, normals, tangents]: [&'a mut [Block]; 3]) -> Self {
        Self {
            positions,
            normals,
            tangents,
            taker: None,
            waiting: 0,
        }
    }

    /// Number of blocks that still fit into the streams.
    #[inline(always)]
    pub fn capacity(&self) -> usize {
        if self.taker.is_some() {
            self.positions.len() - self.waiting
        } else {
            usize::MAX
        }
    }

    /// Counts `count` new blocks before `end`, and hands them over when a piece is full.
    #[inline(always)]
    pub fn written(&mut self, count: usize, end: usize) {
        if self.taker.is_some() {
            self.waiting += count;
            if self.waiting == self.positions.len() {
                self.hand_over(end);
            }
        }
    }

    /// Hands over the waiting blocks before `end`.
    pub fn hand_over(&mut self, end: usize) {
        let count = std::mem::take(&mut self.waiting);
        if let Some(taker) = &mut self.taker
            && count > 0
        {
            let streams = [
                self.positions.get(..count).unwrap_or_default(),
                self.normals.get(..count).unwrap_or_default(),
                self.tangents.get(..count).unwrap_or_default(),
            ];
            taker.take(end - count..end, streams);
        }
    }

    /// Output for a part of the blocks.
    pub fn range(&mut self, blocks: Range<usize>) -> Output<'_> {
        Output {
            positions: &mut self.positions[blocks.clone()],
            normals: self.normals.get_mut(blocks.clone()).unwrap_or_default(),
            tangents: self.tangents.get_mut(blocks).unwrap_or_default(),
            taker: None,
            waiting: 0,
        }
    }
}

/// Numbers of a joint at the start of a cache line: written as a vector, read without a stall.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct JointNumbers<const N: usize>(pub [f32; N]);

/// Map of the first joint, and the differences of the other maps from it.
pub(super) type Differences<const N: usize> = [JointNumbers<N>; MAX_SHARED];

pub(super) struct Piece<'a> {
    pub run: &'a Run,
    pub blocks: Range<usize>,
    pub weights: &'a [Row],
}

/// Streams of the current blocks, cut to the same length so that each block has only one bounds
/// check. A stream that is not requested is empty.
pub(super) struct BlockStreams<'a> {
    pub positions: (&'a [Block], &'a mut [Block]),
    pub normals: (&'a [Block], &'a mut [Block]),
    pub tangents: (&'a [Block], &'a mut [Block]),
    scale: f32,
}

impl<'a> BlockStreams<'a> {
    #[inline(always)]
    pub fn new<const N: usize>(
        input: &Input<'a, N>,
        out: &'a mut Output<'_>,
        blocks: &Range<usize>,
        has_normals: bool,
    ) -> Self {
        let (start, count) = (blocks.start - input.blocks.start, blocks.len());
        let to = if out.taker.is_some() {
            out.waiting
        } else {
            start
        };
        let range = |is_there: bool, start: usize| {
            if is_there { start..start + count } else { 0..0 }
        };
        let has_tangents = has_normals && !out.tangents.is_empty();
        Self {
            positions: (
                &input.positions[range(true, start)],
                &mut out.positions[range(true, to)],
            ),
            normals: (
                &input.normals[range(has_normals, start)],
                &mut out.normals[range(has_normals, to)],
            ),
            tangents: (
                &input.tangents[range(has_tangents, start)],
                &mut out.tangents[range(has_tangents, to)],
            ),
            scale: input.scale,
        }
    }

    /// Maps the position, normal and, if requested, tangent of a part of a block, if the streams
    /// exist. Reads everything before it writes: streams often begin at the same offset of their
    /// memory pages, and a load waits for an earlier store with seemingly the same address.
    #[inline(always)]
    pub fn apply<S: Wide, M: BlendedMap<N>, const N: usize>(
        &mut self,
        simd: S,
        at: [usize; 2],
        [has_normals, with_tangents]: [bool; 2],
        map: &[Lanes<S>; N],
    ) {
        let [nth, part] = at;
        let p: [Lanes<S>; 3] = load_part(simd, &self.positions.0[nth], part);
        let n = if has_normals {
            load_part(simd, &self.normals.0[nth], part)
        } else {
            p
        };
        if with_tangents {
            self.apply_tangent::<S, M, N>(simd, at, map);
        }
        let moved = M::position(simd, map, p, self.scale);
        store_part(&mut self.positions.1[nth], part, moved);
        if has_normals {
            store_part(&mut self.normals.1[nth], part, M::normal(simd, map, n));
        }
    }

    /// Maps the tangent of a part of a block, if there is one.
    #[inline(always)]
    pub fn apply_tangent<S: Wide, M: BlendedMap<N>, const N: usize>(
        &mut self,
        simd: S,
        [nth, part]: [usize; 2],
        map: &[Lanes<S>; N],
    ) {
        let scale = self.scale;
        if let Some((from, to)) = self.tangent(nth) {
            let t: [Lanes<S>; 3] = load_part(simd, from, part);
            store_part(to, part, M::tangent(simd, map, t, scale));
        }
    }

    /// Tangents of a block to read and to write, if there are any.
    #[inline(always)]
    pub fn tangent(&mut self, nth: usize) -> Option<(&Block, &mut Block)> {
        let (from, to) = &mut self.tangents;
        from.get(nth).zip(to.get_mut(nth))
    }
}

/// Instruction set and the number of lanes that its kernels process at a time.
pub(super) trait Wide: Simd<f32s: Register<Self>> {}

impl<S: Simd<f32s: Register<S>>> Wide for S {}

pub(super) trait Register<S: Simd> {
    /// Lanes that kernels process at a time: one block or less.
    type Lanes: SimdFloat<S, Element = f32>;
}

impl<S: Simd> Register<S> for f32x16<S> {
    type Lanes = Self;
}

/// One register, because a map of twelve numbers in two would not fit the sixteen registers.
impl<S: Simd> Register<S> for f32x8<S> {
    type Lanes = Self;
}

/// Four registers, because broadcasts are slow here and each should serve a whole block.
impl<S: Simd> Register<S> for f32x4<S> {
    type Lanes = f32x16<S>;
}

/// Lanes that kernels process at a time. A block has one or several such parts.
pub(super) type Lanes<S> = <<S as Simd>::f32s as Register<S>>::Lanes;

#[inline(always)]
pub(super) const fn parts<S: Wide>() -> usize {
    LANES / Lanes::<S>::LEN
}

#[inline(always)]
pub(super) fn load_row<S: Simd, V: SimdFloat<S, Element = f32>>(
    simd: S,
    row: &Row,
    part: usize,
) -> V {
    V::from_slice(simd, &row.0[part * V::LEN..(part + 1) * V::LEN])
}

#[inline(always)]
pub(super) fn store_row<S: Simd, V: SimdFloat<S, Element = f32>>(
    row: &mut Row,
    part: usize,
    values: V,
) {
    values.store_slice(&mut row.0[part * V::LEN..(part + 1) * V::LEN]);
}

#[inline(always)]
pub(super) fn load_part<S: Simd, V: SimdFloat<S, Element = f32>>(
    simd: S,
    block: &Block,
    part: usize,
) -> [V; 3] {
    [
        load_row(simd, &block[0], part),
        load_row(simd, &block[1], part),
        load_row(simd, &block[2], part),
    ]
}

#[inline(always)]
pub(super) fn store_part<S: Simd, V: SimdFloat<S, Element = f32>>(
    block: &mut Block,
    part: usize,
    values: [V; 3],
) {
    for i in 0..3 {
        store_row(&mut block[i], part, values[i]);
    }
}

#[inline(always)]
pub(crate) fn load<S: Simd>(simd: S, block: &Block) -> [f32x16<S>; 3] {
    [
        f32x16::from_slice(simd, &block[0].0),
        f32x16::from_slice(simd, &block[1].0),
        f32x16::from_slice(simd, &block[2].0),
    ]
}

#[inline(always)]
pub(crate) fn store<S: Simd>(block: &mut Block, values: [f32x16<S>; 3]) {
    for i in 0..3 {
        values[i].store_slice(&mut block[i].0);
    }
}
