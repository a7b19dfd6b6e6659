//! Writes adjacent positions and normals with AVX-512: six rows in, whole cache lines out.
//!
//! On other instruction sets, two stores per vertex take most of the time. Here a register collects
//! a line. Other data in the line is read and written back. Stores are aligned to cache lines,
//! because a store across two lines takes twice as long.

use crate::plan::Block;
use fearless_simd::prelude::*;
use fearless_simd::{Avx512, f32x16, u32x16};
use fearless_simd_macros::simd;
use sinew_math::simd::{LANES, Row};

const LINE: usize = 16;
/// Number of vertices to combine at a time: half a block, so that two numbers fill a register.
const HALF: usize = LANES / 2;
/// Max size of a vertex, in floats.
const MAX_STRIDE: usize = 8;
const MAX_LINES: usize = MAX_STRIDE * HALF / LINE + 1;

/// The source of each float of a line, among the numbers of half a block.
#[derive(Clone, Copy)]
struct Line {
    /// Indices into the first four numbers, in pairs: 0 to 15 for the first pair, then 16 to 31.
    four: [u32; LINE],
    /// Indices into the result of `four` (0 to 15) or into the last two numbers (16 to 31).
    six: [u32; LINE],
    /// One bit per float that stays unchanged.
    kept: u16,
}

impl Line {
    const KEPT: Self = Self {
        four: [0; LINE],
        six: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
        kept: u16::MAX,
    };
}

/// Lines of vertices of six floats with a stride. Half a block fills whole lines.
#[derive(Clone, Copy)]
pub(crate) struct Lines {
    lines: [Line; MAX_LINES],
    step: usize,
    /// Offset of the first whole line, and the number of earlier lines of the first vertex.
    head: usize,
    before: usize,
}

impl Lines {
    /// Vertices of exactly six floats, the first at the beginning of a line.
    pub const DENSE: Self = Self::new(6, 0);

    /// Lines of memory with any alignment. `None` if half a block cannot fill whole lines.
    pub fn of(floats: &[f32], stride: usize) -> Option<Self> {
        let head = floats.as_ptr().align_offset(LINE * size_of::<f32>());
        let fits = (6..=MAX_STRIDE).contains(&stride) && stride.is_multiple_of(2);
        (fits && head < LINE).then(|| Self::new(stride, head))
    }

    /// `head` is the offset of the first whole line.
    const fn new(stride: usize, head: usize) -> Self {
        let shift = (LINE - head) % LINE;
        let step = stride * HALF / LINE;
        let mut lines = [Line::KEPT; MAX_LINES];
        let mut nth = 0;
        while nth < HALF * 6 {
            let (vertex, number) = (nth / 6, nth % 6);
            let index = shift + vertex * stride + number;
            let (line, at) = (&mut lines[index / LINE], index % LINE);
            let in_pair = (2 * vertex + number % 2) as u32;
            line.kept &= !(1 << at);
            match number / 2 {
                0 => line.four[at] = in_pair,
                1 => line.four[at] = 16 + in_pair,
                _ => line.six[at] = 16 + in_pair,
            }
            nth += 1;
        }
        let begins_before = shift > 0;
        Self {
            lines,
            step,
            head,
            before: begins_before as usize,
        }
    }
}

/// Writes blocks from block `first` of `floats`. False, without writing, if a line is not whole.
#[simd]
pub(crate) fn weave_lines(
    avx512: Avx512,
    lines: &Lines,
    blocks: [&[Block]; 2],
    floats: &mut [f32],
    first: usize,
) -> bool {
    let whole = floats.get_mut(lines.head..).unwrap_or_default();
    let whole = whole.as_chunks_mut::<LINE>().0;
    let Some(begin) = (2 * first * lines.step).checked_sub(lines.before) else {
        return false;
    };
    let end = begin + 2 * blocks[0].len() * lines.step + lines.before;
    let Some(whole) = whole.get_mut(begin..end) else {
        return false;
    };
    match lines.step + lines.before {
        3 => weave::<3>(avx512, lines, blocks, whole),
        4 => weave::<4>(avx512, lines, blocks, whole),
        _ => weave::<5>(avx512, lines, blocks, whole),
    }
    true
}

#[inline(always)]
fn weave<const TOUCHED: usize>(
    avx512: Avx512,
    lines: &Lines,
    [a, b]: [&[Block]; 2],
    mut whole: &mut [[f32; LINE]],
) {
    let mut four = [u32x16::splat(avx512, 0); TOUCHED];
    let mut six = four;
    let mut kept = [0; TOUCHED];
    for nth in 0..TOUCHED {
        let line = &lines.lines[nth];
        four[nth] = u32x16::from_slice(avx512, &line.four);
        six[nth] = u32x16::from_slice(avx512, &line.six);
        kept[nth] = line.kept;
    }
    for (a, b) in a.iter().zip(b) {
        let row = |row: &Row| f32x16::from_slice(avx512, &row.0).into();
        let rows = [
            row(&a[0]),
            row(&a[1]),
            row(&a[2]),
            row(&b[0]),
            row(&b[1]),
            row(&b[2]),
        ];
        for pairs in x86::pairs(avx512, rows) {
            let Some(places) = whole.first_chunk_mut::<TOUCHED>() else {
                return;
            };
            for nth in 0..TOUCHED {
                let old = f32x16::from_slice(avx512, &places[nth]).into();
                let (four, six) = (four[nth].into(), six[nth].into());
                let woven = x86::line(avx512, pairs, four, six, kept[nth], old);
                let woven: f32x16<Avx512> = woven.simd_into(avx512);
                woven.store_slice(&mut places[nth]);
            }
            whole = whole.get_mut(lines.step..).unwrap_or_default();
        }
    }
}

/// Shuffles that `fearless_simd` does not offer.
mod x86 {
    use std::arch::x86_64::{
        __m512, __m512i, _mm512_mask_blend_ps, _mm512_permutex2var_ps, _mm512_setr_epi32,
    };

    fearless_simd::kernel!(
        /// Converts six rows of sixteen vertices to pairs: three vectors for each half.
        #[inline]
        pub fn pairs(avx512: Avx512, rows: [__m512; 6]) -> [[__m512; 3]; 2] {
            let halves = [
                _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23),
                _mm512_setr_epi32(8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31),
            ];
            let mut out = [[rows[0]; 3]; 2];
            for half in 0..2 {
                for pair in 0..3 {
                    out[half][pair] =
                        _mm512_permutex2var_ps(rows[2 * pair], halves[half], rows[2 * pair + 1]);
                }
            }
            out
        }
    );

    fearless_simd::kernel!(
        /// Combines three vectors of pairs and the previous content of a line.
        #[inline]
        pub fn line(
            avx512: Avx512,
            pairs: [__m512; 3],
            four: __m512i,
            six: __m512i,
            kept: u16,
            old: __m512,
        ) -> __m512 {
            let four = _mm512_permutex2var_ps(pairs[0], four, pairs[1]);
            let six = _mm512_permutex2var_ps(four, six, pairs[2]);
            _mm512_mask_blend_ps(kept, six, old)
        }
    );
}
