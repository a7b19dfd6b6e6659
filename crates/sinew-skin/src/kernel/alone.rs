//! Runs of vertices that follow a single joint, for every method alike: nothing is blended, and the map of normals is
//! found once a run.

use super::blended::{BlendedMap, Vector, unit_or};
use super::lanes::{BlockStreams, Lanes, Wide, load_part, parts, store_part};
use crate::plan::Block;
use fearless_simd::prelude::*;
use glam::Vec3;
use sinew_math::transform::Affine;

/// Maps every block of the streams by a joint; `NORMALS` says whether there are normals.
pub(super) fn skin<S: Wide, M: BlendedMap<N>, const N: usize, const NORMALS: bool>(
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

/// One stream after the other, so that the registers hold all numbers of the map.
#[inline(always)]
fn skin_blocks<S: Wide, const NORMALS: bool>(simd: S, streams: BlockStreams<'_>, map: &Affine) {
    let rows = Rows::<S>::new(simd, &map.rows);
    let (from, to) = streams.positions;
    for (from, to) in from.iter().zip(to) {
        for part in 0..parts::<S>() {
            let p = load_part(simd, from, part);
            store_part::<S>(to, part, rows.transform_point(p));
        }
    }
    if !NORMALS {
        return;
    }
    let (areas, is_rigid) = areas(map);
    let areas = Rows::<S>::new(simd, &areas);
    skin_directions(simd, &areas, is_rigid, streams.normals);
    skin_directions(simd, &rows, is_rigid, streams.tangents);
}

#[inline(always)]
fn skin_directions<S: Wide>(
    simd: S,
    rows: &Rows<S>,
    is_rigid: bool,
    (from, to): (&[Block], &mut [Block]),
) {
    for (from, to) in from.iter().zip(to) {
        for part in 0..parts::<S>() {
            let v = load_part(simd, from, part);
            store_part::<S>(to, part, direction(simd, rows, is_rigid, v));
        }
    }
}

/// The rows of the map of normals, and whether it leaves them at unit length, as that of a rigid joint does.
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
fn direction<S: Wide>(simd: S, rows: &Rows<S>, is_rigid: bool, v: Vector<S>) -> Vector<S> {
    let moved = rows.transform_vector(v);
    if is_rigid {
        moved
    } else {
        unit_or::<S>(simd, moved, v)
    }
}

/// A 3×4 map, every number in all lanes.
struct Rows<S: Wide>([[Lanes<S>; 4]; 3]);

impl<S: Wide> Rows<S> {
    #[inline(always)]
    fn new(simd: S, rows: &[[f32; 4]; 3]) -> Self {
        let mut lanes = [[Lanes::<S>::splat(simd, 0.0); 4]; 3];
        for i in 0..3 {
            for j in 0..4 {
                lanes[i][j] = Lanes::<S>::splat(simd, rows[i][j]);
            }
        }
        Self(lanes)
    }

    #[inline(always)]
    fn transform_point(&self, p: Vector<S>) -> Vector<S> {
        let mut out = p;
        for i in 0..3 {
            let r = &self.0[i];
            out[i] = r[0].mul_add(p[0], r[1].mul_add(p[1], r[2].mul_add(p[2], r[3])));
        }
        out
    }

    #[inline(always)]
    fn transform_vector(&self, v: Vector<S>) -> Vector<S> {
        let mut out = v;
        for i in 0..3 {
            let r = &self.0[i];
            out[i] = r[0].mul_add(v[0], r[1].mul_add(v[1], r[2] * v[2]));
        }
        out
    }
}
