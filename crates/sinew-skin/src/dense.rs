//! Positions and normals one after the other with nothing between them, by AVX-512: six rows in, six whole vectors out.
//!
//! Elsewhere two stores a vertex are what takes the time, and these are six for sixteen vertices.

use crate::streams::Block;
use fearless_simd::prelude::*;
use fearless_simd::{Avx512, f32x16};
use fearless_simd_macros::simd;
use sinew_math::simd::{LANES, Row};

/// Floats of sixteen vertices.
const FLOATS: usize = 6 * LANES;

/// Writes whole blocks, as many as there is room for; gives how many.
#[simd]
pub(crate) fn weave_dense(avx512: Avx512, a: &[Block], b: &[Block], floats: &mut [f32]) -> usize {
    let places = floats.as_chunks_mut::<FLOATS>().0;
    let blocks = places.len().min(a.len()).min(b.len());
    for ((a, b), place) in a.iter().zip(b).zip(places) {
        let row = |row: &Row| f32x16::from_slice(avx512, &row.0).into();
        let rows = [
            row(&a[0]),
            row(&a[1]),
            row(&a[2]),
            row(&b[0]),
            row(&b[1]),
            row(&b[2]),
        ];
        let vectors = x86::interleaved(avx512, rows);
        for (vector, place) in vectors.into_iter().zip(place.as_chunks_mut::<LANES>().0) {
            let vector: f32x16<Avx512> = vector.simd_into(avx512);
            vector.store_slice(place);
        }
    }
    blocks
}

/// Shuffles that `fearless_simd` has no portable name for.
mod x86 {
    use std::arch::x86_64::{
        __m512, __m512i, _mm512_castpd_ps, _mm512_castps_pd, _mm512_permutex2var_pd,
        _mm512_permutex2var_ps, _mm512_setr_epi32, _mm512_setr_epi64,
    };

    fearless_simd::kernel!(
        /// Six rows of sixteen vertices as sixteen vertices of six numbers: pairs of numbers first (0 to 7 of the first
        /// pair, 8 to 15 of the second), then three pairs a vertex.
        #[inline]
        pub fn interleaved(avx512: Avx512, rows: [__m512; 6]) -> [__m512; 6] {
            let halves = [
                _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23),
                _mm512_setr_epi32(8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31),
            ];
            // What comes of the first two pairs, and then what of those stays and where the third goes in.
            let two: [__m512i; 3] = [
                _mm512_setr_epi64(0, 8, 0, 1, 9, 0, 2, 10),
                _mm512_setr_epi64(0, 3, 11, 0, 4, 12, 0, 5),
                _mm512_setr_epi64(13, 0, 6, 14, 0, 7, 15, 0),
            ];
            let third: [__m512i; 3] = [
                _mm512_setr_epi64(0, 1, 8, 3, 4, 9, 6, 7),
                _mm512_setr_epi64(10, 1, 2, 11, 4, 5, 12, 7),
                _mm512_setr_epi64(0, 13, 2, 3, 14, 5, 6, 15),
            ];
            let mut out = rows;
            for half in 0..2 {
                let pairs = halves[half];
                let xy = _mm512_castps_pd(_mm512_permutex2var_ps(rows[0], pairs, rows[1]));
                let za = _mm512_castps_pd(_mm512_permutex2var_ps(rows[2], pairs, rows[3]));
                let bc = _mm512_castps_pd(_mm512_permutex2var_ps(rows[4], pairs, rows[5]));
                for k in 0..3 {
                    let two = _mm512_permutex2var_pd(xy, two[k], za);
                    let three = _mm512_permutex2var_pd(two, third[k], bc);
                    out[3 * half + k] = _mm512_castpd_ps(three);
                }
            }
            out
        }
    );
}
