//! Rows of sixteen vertices turned into vertices: four by four in registers, then straight to where they belong.
//!
//! Four lanes at a time on every instruction set: what takes the time is the number of stores, two for the six floats
//! of a position and a normal, and not the shuffles before them. Wider ones were tried, and were slower where lanes had to be
//! taken apart again.

use crate::spans::{MAX_WIDTH, Span};
use fearless_simd::prelude::*;
use fearless_simd::{f32x4, f64x2};
use sinew_math::simd::{LANES, Level, Row};

/// Runs an expression with the token of the narrowest instruction set of a platform.
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

/// Runs an expression with the width of a span as a constant.
macro_rules! with_width {
    ($width:expr, $c:ident => $op:expr) => {
        match $width {
            2 => {
                const $c: usize = 2;
                $op
            }
            3 => {
                const $c: usize = 3;
                $op
            }
            5 => {
                const $c: usize = 5;
                $op
            }
            6 => {
                const $c: usize = 6;
                $op
            }
            7 => {
                const $c: usize = 7;
                $op
            }
            MAX_WIDTH => {
                const $c: usize = MAX_WIDTH;
                $op
            }
            _ => unreachable!("spans are made of these widths"),
        }
    };
}

/// Writes blocks one vertex after the other, as many as there is room for.
pub(crate) fn in_order(level: Level, rows: &[Row], span: &Span, floats: &mut [f32], stride: usize) {
    with_narrow!(level, simd => with_width!(span.width(), C => weave_in_order::<_, C>(simd, rows, span, floats, stride)));
}

/// Writes blocks where the mesh has their vertices: vertex `order[p]` is the `order[p] - first`-th of `floats`; those that
/// `floats` does not have are left out.
pub(crate) fn by_mesh(
    level: Level,
    rows: &[Row],
    span: &Span,
    floats: &mut [f32],
    stride: u32,
    (order, first): (&[u32], u32),
) {
    with_narrow!(level, simd => with_width!(span.width(), C => weave_by_mesh::<_, C>(simd, rows, span, floats, stride, (order, first))));
}

#[inline(always)]
fn weave_in_order<S: Simd, const C: usize>(
    simd: S,
    rows: &[Row],
    span: &Span,
    floats: &mut [f32],
    stride: usize,
) {
    let mut vertices = floats.chunks_exact_mut(LANES * stride);
    let mut block = 0;
    for vertices in &mut vertices {
        let rows = span.rows_of::<C>(rows, block);
        block += 1;
        let mut vertices = vertices.chunks_exact_mut(stride);
        for first in (0..LANES).step_by(4) {
            let four = Four::new(simd, &rows, first);
            for nth in 0..4 {
                let vertex = vertices.next().and_then(|v| v.get_mut(span.offset..));
                let Some(place) = vertex.and_then(|v| v.first_chunk_mut()) else {
                    return;
                };
                four.store(nth, place);
            }
        }
    }
    let vertices = vertices.into_remainder().chunks_exact_mut(stride);
    if vertices.len() > 0 {
        let rows = span.rows_of::<C>(rows, block);
        for (lane, vertex) in vertices.enumerate() {
            for (k, row) in rows.iter().enumerate() {
                vertex[span.offset + k] = row.0[lane];
            }
        }
    }
}

#[inline(always)]
fn weave_by_mesh<S: Simd, const C: usize>(
    simd: S,
    rows: &[Row],
    span: &Span,
    floats: &mut [f32],
    stride: u32,
    (order, first_vertex): (&[u32], u32),
) {
    let Some(floats) = floats.get_mut(span.offset..) else {
        return;
    };
    let (blocks, rest) = order.as_chunks::<LANES>();
    let mut last = [u32::MAX; LANES];
    last[..rest.len()].copy_from_slice(rest);
    let last = (!rest.is_empty()).then_some(&last);
    for (block, order) in blocks.iter().chain(last).enumerate() {
        let rows = span.rows_of::<C>(rows, block);
        for first in (0..LANES).step_by(4) {
            let four = Four::new(simd, &rows, first);
            for nth in 0..4 {
                let vertex = order[first + nth].wrapping_sub(first_vertex);
                // The product of two 32-bit numbers, so nothing overflows.
                let at = u64::from(vertex) * u64::from(stride);
                let (at, end) = (at as usize, at + C as u64);
                if end > floats.len() as u64 {
                    continue;
                }
                if let Some(place) = floats.get_mut(at..).and_then(|v| v.first_chunk_mut()) {
                    four.store(nth, place);
                }
            }
        }
    }
}

/// Four vertices in registers, C numbers each: by fours, then two, then one.
struct Four<S: Simd, const C: usize> {
    quads: [[f32x4<S>; 4]; 2],
    pairs: [f64x2<S>; 2],
    last: [f32; 4],
}

impl<S: Simd, const C: usize> Four<S, C> {
    #[inline(always)]
    fn new(simd: S, rows: &[&Row; C], first: usize) -> Self {
        let mut quads = [[f32x4::splat(simd, 0.0); 4]; 2];
        for quad in 0..C / 4 {
            let at = 4 * quad;
            let rows = [rows[at], rows[at + 1], rows[at + 2], rows[at + 3]];
            quads[quad] = transposed(simd, rows, first);
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
    fn store(&self, nth: usize, place: &mut [f32; C]) {
        for quad in 0..C / 4 {
            self.quads[quad][nth].store_slice(&mut place[4 * quad..4 * quad + 4]);
        }
        if C % 4 >= 2 {
            // A pair is moved as one number: two would be shuffled once more.
            let rest = C / 4 * 4;
            let pair: [f32; 2] = bytemuck::cast(self.pairs[nth / 2].as_slice()[nth % 2]);
            place[rest..rest + 2].copy_from_slice(&pair);
        }
        if C % 2 == 1 {
            place[C - 1] = self.last[nth];
        }
    }
}

#[inline(always)]
fn part<S: Simd>(simd: S, row: &Row, first: usize) -> f32x4<S> {
    f32x4::from_slice(simd, &row.0[first..first + 4])
}

/// Four rows of four vertices as four vertices.
#[inline(always)]
fn transposed<S: Simd>(simd: S, rows: [&Row; 4], first: usize) -> [f32x4<S>; 4] {
    let (x, y) = (part(simd, rows[0], first), part(simd, rows[1], first));
    let (z, w) = (part(simd, rows[2], first), part(simd, rows[3], first));
    let (xz, yw) = (x.zip_low(z), y.zip_low(w));
    let (xz_high, yw_high) = (x.zip_high(z), y.zip_high(w));
    [
        xz.zip_low(yw),
        xz.zip_high(yw),
        xz_high.zip_low(yw_high),
        xz_high.zip_high(yw_high),
    ]
}
