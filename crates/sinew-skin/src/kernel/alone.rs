//! Runs of vertices that follow a single joint, for every method, without blending.

use super::blended::{BlendedMap, unit_or};
use super::lanes::{BlockStreams, load, store};
use fearless_simd::f32x16;
use fearless_simd::prelude::*;
use glam::Vec3;
use sinew_math::transform::Affine;

/// Maps every block of the streams by one joint. `NORMALS` is true if there are normals.
pub(super) fn skin<S: Simd, M: BlendedMap<N>, const N: usize, const NORMALS: bool>(
    simd: S,
    streams: BlockStreams<'_>,
    joint: &[f32; N],
    scale: f32,
) {
    simd.vectorize(
        #[inline(always)]
        || skin_blocks::<S, NORMALS>(simd, streams, &M::alone(joint, scale)),
    );
}

#[inline(always)]
fn skin_blocks<S: Simd, const NORMALS: bool>(simd: S, streams: BlockStreams<'_>, map: &Affine) {
    let rows = Rows::<S>::new(simd, &map.rows);
    let (from, to) = streams.positions;
    if !NORMALS {
        for (from, to) in from.iter().zip(to) {
            store(to, rows.transform_point(load(simd, from)));
        }
        return;
    }
    let (areas, is_rigid) = areas(map);
    let areas = Rows::<S>::new(simd, &areas);
    let (normals, normals_to) = streams.normals;
    for nth in 0..from.len() {
        let (p, n) = (load(simd, &from[nth]), load(simd, &normals[nth]));
        store(&mut normals_to[nth], direction(simd, &areas, is_rigid, n));
        store(&mut to[nth], rows.transform_point(p));
    }
    // A separate loop: above, tangents would push other numbers out of registers.
    let (from, to) = streams.tangents;
    for (from, to) in from.iter().zip(to) {
        store(to, direction(simd, &rows, is_rigid, load(simd, from)));
    }
}

/// Rows of the map of normals. The flag is true if the map keeps unit length, as rigid joints do.
#[inline(always)]
fn areas(map: &Affine) -> ([[f32; 4]; 3], bool) {
    let x = map.transform_area(Vec3::X);
    let y = map.transform_area(Vec3::Y);
    let z = map.transform_area(Vec3::Z);
    let is_unit = |v: Vec3| (v.length_squared() - 1.0).abs() < 1e-6;
    let is_right = |a: Vec3, b: Vec3| a.dot(b).abs() < 1e-6;
    let is_rigid = is_unit(x) & is_unit(y) & is_unit(z);
    let is_rigid = is_rigid & is_right(x, y) & is_right(x, z) & is_right(y, z);
    let rows = [
        [x.x, y.x, z.x, 0.0],
        [x.y, y.y, z.y, 0.0],
        [x.z, y.z, z.z, 0.0],
    ];
    (rows, is_rigid)
}

#[inline(always)]
fn direction<S: Simd>(
    simd: S,
    rows: &Rows<S>,
    is_rigid: bool,
    v: [f32x16<S>; 3],
) -> [f32x16<S>; 3] {
    let moved = rows.transform_vector(v);
    if is_rigid {
        moved
    } else {
        unit_or(simd, moved, v)
    }
}

/// 3×4 map with each number in all lanes.
struct Rows<S: Simd>([[f32x16<S>; 4]; 3]);

impl<S: Simd> Rows<S> {
    #[inline(always)]
    fn new(simd: S, rows: &[[f32; 4]; 3]) -> Self {
        let mut lanes = [[f32x16::splat(simd, 0.0); 4]; 3];
        for i in 0..3 {
            for j in 0..4 {
                lanes[i][j] = f32x16::splat(simd, rows[i][j]);
            }
        }
        Self(lanes)
    }

    #[inline(always)]
    fn transform_point(&self, p: [f32x16<S>; 3]) -> [f32x16<S>; 3] {
        let mut out = p;
        for i in 0..3 {
            let r = &self.0[i];
            out[i] = r[0].mul_add(p[0], r[1].mul_add(p[1], r[2].mul_add(p[2], r[3])));
        }
        out
    }

    #[inline(always)]
    fn transform_vector(&self, v: [f32x16<S>; 3]) -> [f32x16<S>; 3] {
        let mut out = v;
        for i in 0..3 {
            let r = &self.0[i];
            out[i] = r[0].mul_add(v[0], r[1].mul_add(v[1], r[2] * v[2]));
        }
        out
    }
}
