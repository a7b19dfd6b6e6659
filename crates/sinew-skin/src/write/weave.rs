//! Converts rows of sixteen vertices to vertices, four by four in registers, and stores them.
//!
//! Every instruction set processes four lanes at a time. The stores (two for position and normal)
//! take most of the time, not the shuffles. Wider versions were slower if they separated lanes.

#[cfg(all(target_arch = "x86_64", not(sinew_unoptimised)))]
use super::lines::{Lines, weave_lines};
use super::spans::Span;
use crate::plan::Block;
use fearless_simd::prelude::*;
use fearless_simd::{f32x4, f64x2};
use sinew_math::simd::{LANES, Level, Row, transposed};

/// Evaluates an expression with the token of the narrowest instruction set of the platform.
#[cfg(target_arch = "x86_64")]
macro_rules! with_narrow {
    ($level:expr, $simd:ident => $op:expr) => {
        match $level.0.as_sse2() {
            Some($simd) => $op,
            None => unreachable!("x86-64 has SSE2"),
        }
    };
}
#[cfg(not(target_arch = "x86_64"))]
macro_rules! with_narrow {
    ($level:expr, $simd:ident => $op:expr) => {
        sinew_math::dispatch!($level, $simd => $op)
    };
}

/// Evaluates an expression with the widths of a span's parts, and their sum, as constants.
macro_rules! with_widths {
    ($widths:expr, $w:ident, $c:ident => $op:expr) => {
        match $widths {
            [3, 0, 0] => {
                const $w: usize = 0;
                const $c: usize = 3;
                $op
            }
            [3, 3, 0] => {
                const $w: usize = 3;
                const $c: usize = 6;
                $op
            }
            [3, 3, 3] => {
                const $w: usize = 3;
                const $c: usize = 9;
                $op
            }
            [2, 0, 0] => {
                const $w: usize = 0;
                const $c: usize = 2;
                $op
            }
            [3, 2, 0] => {
                const $w: usize = 2;
                const $c: usize = 5;
                $op
            }
            [3, 2, 2] => {
                const $w: usize = 2;
                const $c: usize = 7;
                $op
            }
            _ => unreachable!("spans are made of these"),
        }
    };
}

/// Writes as many blocks as fit, one vertex after the other.
pub(crate) fn in_order(
    level: Level,
    streams: &[&[Block]; 3],
    span: &Span,
    floats: &mut [f32],
    stride: usize,
) {
    #[allow(unused_mut, reason = "AVX-512 takes whole lines first")]
    let (mut parts, mut floats) = (span.streams(streams), floats);
    let offset = span.offset;
    #[cfg(all(target_arch = "x86_64", not(sinew_unoptimised)))]
    if let (fearless_simd::Level::Avx512(avx512), [3, 3, 0], 6) = (level.0, span.widths(), stride) {
        let whole = parts[0].len().min(floats.len() / (LANES * stride));
        let dense = [&parts[0][..whole], &parts[1][..whole]];
        let is_done = weave_lines(avx512, &Lines::DENSE, dense, floats, 0);
        let done = if is_done { whole } else { 0 };
        parts = parts.map(|part| &part[done..]);
        floats = &mut floats[done * LANES * stride..];
    }
    with_narrow!(level, simd => with_widths!(span.widths(), W, C =>
        weave_in_order::<_, W, C>(simd, parts, floats, stride, offset)));
}

/// Writes blocks in mesh order: vertex `order[p]` at index `order[p] - first`, if in `floats`.
pub(crate) fn by_mesh(
    level: Level,
    streams: &[&[Block]; 3],
    span: &Span,
    floats: &mut [f32],
    stride: u32,
    order: (&[u32], u32),
) {
    let (parts, offset) = (span.streams(streams), span.offset);
    let Some(floats) = floats.get_mut(offset..) else {
        return;
    };
    with_narrow!(level, simd => with_widths!(span.widths(), W, C =>
        weave_by_mesh_alone::<_, W, C>(simd, parts, floats, stride, order)));
}

#[inline(never)]
fn weave_by_mesh_alone<S: Simd, const W: usize, const C: usize>(
    simd: S,
    parts: [&[Block]; 3],
    floats: &mut [f32],
    stride: u32,
    order: (&[u32], u32),
) {
    weave_by_mesh::<S, W, C>(simd, parts, floats, stride, order);
}

#[inline(never)]
fn weave_in_order<S: Simd, const W: usize, const C: usize>(
    simd: S,
    [a, b, c]: [&[Block]; 3],
    floats: &mut [f32],
    stride: usize,
    offset: usize,
) {
    // Splits vertices off one by one, as chunks of a variable stride take a division each.
    let mut rest = floats;
    for ((a, b), c) in a.iter().zip(b).zip(c) {
        let rows = rows_of::<W, C>([a, b, c]);
        for group in 0..LANES / 4 {
            let four = Four::new(simd, &rows, group);
            for nth in 0..4 {
                let Some((vertex, after)) = rest.split_at_mut_checked(stride) else {
                    return;
                };
                rest = after;
                let part = vertex.get_mut(offset..);
                let Some(slot) = part.and_then(|part| part.first_chunk_mut()) else {
                    return;
                };
                four.store(nth, slot);
            }
        }
    }
}

#[inline(always)]
pub(crate) fn weave_by_mesh<S: Simd, const W: usize, const C: usize>(
    simd: S,
    [a, b, c]: [&[Block]; 3],
    floats: &mut [f32],
    stride: u32,
    (order, first): (&[u32], u32),
) {
    let (orders, rest) = order.as_chunks::<LANES>();
    let mut last = [u32::MAX; LANES];
    last[..rest.len()].copy_from_slice(rest);
    let orders = orders.iter().chain([&last]);
    for (order, ((a, b), c)) in orders.zip(a.iter().zip(b).zip(c)) {
        let rows = rows_of::<W, C>([a, b, c]);
        for (group, order) in order.as_chunks::<4>().0.iter().enumerate() {
            let four = Four::new(simd, &rows, group);
            for nth in 0..4 {
                // The product of two 32-bit numbers, so a `u64` cannot overflow.
                let at = u64::from(order[nth].wrapping_sub(first)) * u64::from(stride);
                if at + C as u64 > floats.len() as u64 {
                    continue;
                }
                let slot = floats.get_mut(at as usize..);
                if let Some(slot) = slot.and_then(|v| v.first_chunk_mut()) {
                    four.store(nth, slot);
                }
            }
        }
    }
}

/// Rows of the parts of a block: three of the first part, W of each other part.
#[inline(always)]
fn rows_of<const W: usize, const C: usize>([a, b, c]: [&Block; 3]) -> [&Row; C] {
    let mut rows = [&a[0]; C];
    for k in 0..C {
        rows[k] = if k < 3 {
            &a[k]
        } else if k < 3 + W {
            &b[k - 3]
        } else {
            &c[k - 3 - W]
        };
    }
    rows
}

/// Four vertices in registers, C numbers each: groups of four, then two, then one.
struct Four<S: Simd, const C: usize> {
    quads: [[f32x4<S>; 4]; 2],
    pairs: [f64x2<S>; 2],
    last: [f32; 4],
}

impl<S: Simd, const C: usize> Four<S, C> {
    #[inline(always)]
    fn new(simd: S, rows: &[&Row; C], group: usize) -> Self {
        let first = group % 4 * 4;
        let mut quads = [[f32x4::splat(simd, 0.0); 4]; 2];
        for quad in 0..C / 4 {
            let at = 4 * quad;
            let rows = [rows[at], rows[at + 1], rows[at + 2], rows[at + 3]];
            quads[quad] = vertices(simd, rows, first);
        }
        let rest = C / 4 * 4;
        let mut pairs = [f64x2::splat(simd, 0.0); 2];
        if C % 4 >= 2 {
            let a = part(simd, rows[rest], first);
            let b = part(simd, rows[rest + 1], first);
            pairs = [a.zip_low(b).bitcast(), a.zip_high(b).bitcast()];
        }
        let mut last = [0.0; 4];
        if C % 2 == 1 {
            last.copy_from_slice(&rows[C - 1].0[first..first + 4]);
        }
        Self { quads, pairs, last }
    }

    #[inline(always)]
    fn store(&self, nth: usize, slot: &mut [f32; C]) {
        for quad in 0..C / 4 {
            self.quads[quad][nth].store_slice(&mut slot[4 * quad..4 * quad + 4]);
        }
        if C % 4 >= 2 {
            // A pair moves as one number, which saves a shuffle.
            let rest = C / 4 * 4;
            let pair: [f32; 2] = bytemuck::cast(self.pairs[nth / 2].as_slice()[nth % 2]);
            slot[rest..rest + 2].copy_from_slice(&pair);
        }
        if C % 2 == 1 {
            slot[C - 1] = self.last[nth];
        }
    }
}

#[inline(always)]
fn part<S: Simd>(simd: S, row: &Row, first: usize) -> f32x4<S> {
    f32x4::from_slice(simd, &row.0[first..first + 4])
}

#[inline(always)]
fn vertices<S: Simd>(simd: S, rows: [&Row; 4], first: usize) -> [f32x4<S>; 4] {
    transposed([
        part(simd, rows[0], first),
        part(simd, rows[1], first),
        part(simd, rows[2], first),
        part(simd, rows[3], first),
    ])
}
