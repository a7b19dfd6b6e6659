//! Blended maps of a register of vertices at once, for each method.
//!
//! The formulas are those of the scalar reference, regrouped. cof(M) n needs only two cross
//! products: for a = r₂ × n, its rows are r₁ · a, −r₀ · a and r₀ · (r₁ × n).

use fearless_simd::prelude::*;
use glam::Quat;
use sinew_math::DualQuat;
use sinew_math::simd::{reciprocal_sqrt, twice_reciprocal};
use sinew_math::transform::Affine;

pub(super) type Vector<V> = [V; 3];

pub(super) trait BlendedMap<const N: usize> {
    /// Map of a single joint as three rows of four, equal to a blend of that joint alone.
    fn alone(joint: &[f32; N], scale: f32) -> Affine;

    /// True if the numbers begin with a dual quaternion, whose real part can cancel out in a blend.
    const IS_DUAL: bool;

    /// True for [`DualStretched`], whose many numbers are blended faster in two steps.
    const IS_STRETCHED: bool = false;

    /// `scale` is the common scale of all joints, for maps that do not contain it.
    fn position<S: Simd, V: SimdFloat<S, Element = f32>>(
        simd: S,
        map: &[V; N],
        p: Vector<V>,
        scale: f32,
    ) -> Vector<V>;
    /// The mapped normal, of unit length.
    fn normal<S: Simd, V: SimdFloat<S, Element = f32>>(
        simd: S,
        map: &[V; N],
        n: Vector<V>,
    ) -> Vector<V>;
    /// The mapped tangent, of unit length.
    fn tangent<S: Simd, V: SimdFloat<S, Element = f32>>(
        simd: S,
        map: &[V; N],
        t: Vector<V>,
        scale: f32,
    ) -> Vector<V>;
}

/// Three rows of four numbers: linear blend skinning.
pub(super) struct Linear;

/// Real and dual part: dual quaternions of joints with one uniform scale, 1 for rigid joints.
pub(super) struct DualScaled;

/// Dual quaternions of any joints. The numbers are a row of [`crate::palette::dual_quat`].
pub(super) struct DualStretched;

#[inline(always)]
fn dot<S: Simd, V: SimdFloat<S, Element = f32>>(a: Vector<V>, b: Vector<V>) -> V {
    a[0].mul_add(b[0], a[1].mul_add(b[1], a[2] * b[2]))
}

#[inline(always)]
fn cross<S: Simd, V: SimdFloat<S, Element = f32>>(a: Vector<V>, b: Vector<V>) -> Vector<V> {
    [
        a[1].mul_sub(b[2], a[2] * b[1]),
        a[2].mul_sub(b[0], a[0] * b[2]),
        a[0].mul_sub(b[1], a[1] * b[0]),
    ]
}

/// `v` at unit length, or `fallback` if `v` has no length.
#[inline(always)]
pub(super) fn unit_or<S: Simd, V: SimdFloat<S, Element = f32>>(
    simd: S,
    v: Vector<V>,
    fallback: Vector<V>,
) -> Vector<V> {
    let square = dot(v, v);
    let scale = reciprocal_sqrt(simd, square);
    let mut unit = [v[0] * scale, v[1] * scale, v[2] * scale];
    // Below this, the square has lost its digits.
    let vanished = square.simd_lt(1e-30);
    if vanished.any_true() {
        for i in 0..3 {
            unit[i] = vanished.select(fallback[i], unit[i]);
        }
    }
    unit
}

#[inline(always)]
fn transform_area<S: Simd, V: SimdFloat<S, Element = f32>>(
    rows: &[Vector<V>; 3],
    n: Vector<V>,
) -> Vector<V> {
    let [r0, r1, r2] = *rows;
    let a = cross(r2, n);
    [
        dot(r1, a),
        dot([-r0[0], -r0[1], -r0[2]], a),
        dot(r0, cross(r1, n)),
    ]
}

#[inline(always)]
fn transform_vector<S: Simd, V: SimdFloat<S, Element = f32>>(
    rows: &[Vector<V>; 3],
    v: Vector<V>,
) -> Vector<V> {
    [dot(rows[0], v), dot(rows[1], v), dot(rows[2], v)]
}

#[inline(always)]
fn linear_part<S: Simd, V: SimdFloat<S, Element = f32>>(map: &[V; 12]) -> [Vector<V>; 3] {
    [
        [map[0], map[1], map[2]],
        [map[4], map[5], map[6]],
        [map[8], map[9], map[10]],
    ]
}

impl BlendedMap<12> for Linear {
    const IS_DUAL: bool = false;

    #[inline(always)]
    fn alone(joint: &[f32; 12], _: f32) -> Affine {
        bytemuck::cast(*joint)
    }

    #[inline(always)]
    fn position<S: Simd, V: SimdFloat<S, Element = f32>>(
        _: S,
        map: &[V; 12],
        p: Vector<V>,
        _: f32,
    ) -> Vector<V> {
        let mut out = p;
        for (i, out) in out.iter_mut().enumerate() {
            let r = 4 * i;
            let z = map[r + 2].mul_add(p[2], map[r + 3]);
            *out = map[r].mul_add(p[0], map[r + 1].mul_add(p[1], z));
        }
        out
    }

    #[inline(always)]
    fn normal<S: Simd, V: SimdFloat<S, Element = f32>>(
        simd: S,
        map: &[V; 12],
        n: Vector<V>,
    ) -> Vector<V> {
        unit_or(simd, transform_area(&linear_part(map), n), n)
    }

    #[inline(always)]
    fn tangent<S: Simd, V: SimdFloat<S, Element = f32>>(
        simd: S,
        map: &[V; 12],
        t: Vector<V>,
        _: f32,
    ) -> Vector<V> {
        unit_or(simd, transform_vector(&linear_part(map), t), t)
    }
}

#[inline(always)]
pub(super) fn real_square<S: Simd, V: SimdFloat<S, Element = f32>, const N: usize>(
    map: &[V; N],
) -> V {
    let [x, y, z, w] = [map[0], map[1], map[2], map[3]];
    x.mul_add(x, y.mul_add(y, z.mul_add(z, w * w)))
}

#[inline(always)]
fn motion<const N: usize>(joint: &[f32; N]) -> DualQuat {
    let quat = |at: usize| Quat::from_xyzw(joint[at], joint[at + 1], joint[at + 2], joint[at + 3]);
    DualQuat {
        real: quat(0),
        dual: quat(4),
    }
}

/// 2/|q|², where q is the real part.
#[inline(always)]
fn rotation_scale<S: Simd, V: SimdFloat<S, Element = f32>, const N: usize>(
    simd: S,
    map: &[V; N],
) -> V {
    twice_reciprocal(simd, real_square(map))
}

// A quaternion of any length rotates p to p + 2/|q|² q × (q × p + w p), so a blend is not
// normalised. The processor computes the reciprocal and the cross products at the same time.

/// Rotates `v`, given 2/|q|².
#[inline(always)]
fn rotate<S: Simd, V: SimdFloat<S, Element = f32>, const N: usize>(
    map: &[V; N],
    scale: V,
    v: Vector<V>,
) -> Vector<V> {
    let (q, w) = ([map[0], map[1], map[2]], map[3]);
    let mut t = cross(q, v);
    for i in 0..3 {
        t[i] = w.mul_add(v[i], t[i]);
    }
    let mut u = cross(q, t);
    for i in 0..3 {
        u[i] = scale.mul_add(u[i], v[i]);
    }
    u
}

/// Rotates `p` and moves it by a dual part, given 2/|q|². Both share one cross product: the
/// translation is 2/|q|² (w e − `e_w` q + q × e).
#[inline(always)]
fn rotate_and_move<S: Simd, V: SimdFloat<S, Element = f32>, const N: usize>(
    map: &[V; N],
    [x, y, z, ew]: [V; 4],
    scale: V,
    p: Vector<V>,
) -> Vector<V> {
    let (q, w, e) = ([map[0], map[1], map[2]], map[3], [x, y, z]);
    let mut inner = cross(q, p);
    for i in 0..3 {
        inner[i] = w.mul_add(p[i], inner[i]) + e[i];
    }
    let mut u = cross(q, inner);
    for i in 0..3 {
        let moved = (-ew).mul_add(q[i], w.mul_add(e[i], u[i]));
        u[i] = scale.mul_add(moved, p[i]);
    }
    u
}

impl BlendedMap<8> for DualScaled {
    const IS_DUAL: bool = true;

    #[inline(always)]
    fn alone(joint: &[f32; 8], scale: f32) -> Affine {
        let [x, y, z] = motion(joint).to_affine().rows;
        Affine {
            rows: [
                [scale * x[0], scale * x[1], scale * x[2], x[3]],
                [scale * y[0], scale * y[1], scale * y[2], y[3]],
                [scale * z[0], scale * z[1], scale * z[2], z[3]],
            ],
        }
    }

    #[inline(always)]
    fn position<S: Simd, V: SimdFloat<S, Element = f32>>(
        simd: S,
        map: &[V; 8],
        p: Vector<V>,
        scale: f32,
    ) -> Vector<V> {
        let p = [p[0] * scale, p[1] * scale, p[2] * scale];
        let dual = [map[4], map[5], map[6], map[7]];
        rotate_and_move(map, dual, rotation_scale(simd, map), p)
    }

    #[inline(always)]
    fn normal<S: Simd, V: SimdFloat<S, Element = f32>>(
        simd: S,
        map: &[V; 8],
        n: Vector<V>,
    ) -> Vector<V> {
        rotate(map, rotation_scale(simd, map), n)
    }

    #[inline(always)]
    fn tangent<S: Simd, V: SimdFloat<S, Element = f32>>(
        simd: S,
        map: &[V; 8],
        t: Vector<V>,
        scale: f32,
    ) -> Vector<V> {
        let sign = if scale < 0.0 { -1.0 } else { 1.0 };
        let t = [t[0] * sign, t[1] * sign, t[2] * sign];
        rotate(map, rotation_scale(simd, map), t)
    }
}

/// Numbers 8 to 13 of a row: Σ w S.
pub(super) type StretchNumbers<V> = [V; 6];

/// Numbers 14 to 20 of a row: −Σ w S c, Σ w c and s.
pub(super) type CentreNumbers<V> = [V; 7];

#[inline(always)]
fn stretch_rows<S: Simd, V: SimdFloat<S, Element = f32>>(
    stretch: &StretchNumbers<V>,
) -> [Vector<V>; 3] {
    let [xx, xy, xz, yy, yz, zz] = [
        stretch[0], stretch[1], stretch[2], stretch[3], stretch[4], stretch[5],
    ];
    [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]
}

impl DualStretched {
    /// Σ w S (p − c) + s Σ w c.
    #[inline(always)]
    pub fn stretch_position<S: Simd, V: SimdFloat<S, Element = f32>>(
        stretch: &StretchNumbers<V>,
        centre: &CentreNumbers<V>,
        p: Vector<V>,
    ) -> Vector<V> {
        let (rows, scale) = (stretch_rows(stretch), centre[6]);
        let mut out = p;
        for i in 0..3 {
            let [x, y, z] = rows[i];
            let moved = scale.mul_add(centre[3 + i], centre[i]);
            let z = z.mul_add(p[2], moved);
            out[i] = x.mul_add(p[0], y.mul_add(p[1], z));
        }
        out
    }

    /// The normal after a stretch, of any length.
    #[inline(always)]
    pub fn stretch_normal<S: Simd, V: SimdFloat<S, Element = f32>>(
        stretch: &StretchNumbers<V>,
        n: Vector<V>,
    ) -> Vector<V> {
        transform_area(&stretch_rows(stretch), n)
    }

    /// The tangent after a stretch, of any length.
    #[inline(always)]
    pub fn stretch_tangent<S: Simd, V: SimdFloat<S, Element = f32>>(
        stretch: &StretchNumbers<V>,
        t: Vector<V>,
    ) -> Vector<V> {
        transform_vector(&stretch_rows(stretch), t)
    }

    /// Moves a stretched position, given Σ w q, Σ w ½ d q, Σ w ½ q c and s.
    #[inline(always)]
    pub fn move_position<S: Simd, V: SimdFloat<S, Element = f32>>(
        simd: S,
        rotation: &[V; 4],
        dual: [V; 4],
        lever: [V; 4],
        scale: V,
        stretched: Vector<V>,
    ) -> Vector<V> {
        let mut whole = dual;
        for i in 0..4 {
            whole[i] = (-scale).mul_add(lever[i], dual[i]);
        }
        rotate_and_move(rotation, whole, rotation_scale(simd, rotation), stretched)
    }

    /// Rotates a stretched direction and gives it unit length. `fallback` if its length is zero.
    #[inline(always)]
    pub fn move_direction<S: Simd, V: SimdFloat<S, Element = f32>>(
        simd: S,
        rotation: &[V; 4],
        stretched: Vector<V>,
        fallback: Vector<V>,
    ) -> Vector<V> {
        let rotated = rotate(rotation, rotation_scale(simd, rotation), stretched);
        unit_or(simd, rotated, fallback)
    }
}

/// `COUNT` numbers of a map, from number `FROM`.
#[inline(always)]
#[allow(clippy::manual_memcpy, reason = "lanes stay in registers")]
fn part<S: Simd, V: SimdFloat<S, Element = f32>, const FROM: usize, const COUNT: usize>(
    map: &[V; 25],
) -> [V; COUNT] {
    let mut part = [map[FROM]; COUNT];
    for i in 0..COUNT {
        part[i] = map[FROM + i];
    }
    part
}

impl BlendedMap<25> for DualStretched {
    const IS_DUAL: bool = true;
    const IS_STRETCHED: bool = true;

    /// R S (x − c) + d. In a blend of one joint, the terms with the shared scale cancel.
    #[inline(always)]
    fn alone(joint: &[f32; 25], _: f32) -> Affine {
        let [xx, xy, xz, yy, yz, zz, x, y, z] = [0, 1, 2, 3, 4, 5, 6, 7, 8].map(|i| joint[8 + i]);
        let stretch = Affine {
            rows: [[xx, xy, xz, x], [xy, yy, yz, y], [xz, yz, zz, z]],
        };
        motion(joint).to_affine() * stretch
    }

    #[inline(always)]
    fn position<S: Simd, V: SimdFloat<S, Element = f32>>(
        simd: S,
        map: &[V; 25],
        p: Vector<V>,
        _: f32,
    ) -> Vector<V> {
        let (stretch, centre) = (part::<S, V, 8, 6>(map), part::<S, V, 14, 7>(map));
        let stretched = Self::stretch_position(&stretch, &centre, p);
        let (rotation, dual) = (part::<S, V, 0, 4>(map), part::<S, V, 4, 4>(map));
        let lever = part::<S, V, 21, 4>(map);
        Self::move_position(simd, &rotation, dual, lever, centre[6], stretched)
    }

    #[inline(always)]
    fn normal<S: Simd, V: SimdFloat<S, Element = f32>>(
        simd: S,
        map: &[V; 25],
        n: Vector<V>,
    ) -> Vector<V> {
        let stretched = Self::stretch_normal(&part::<S, V, 8, 6>(map), n);
        Self::move_direction(simd, &part::<S, V, 0, 4>(map), stretched, n)
    }

    #[inline(always)]
    fn tangent<S: Simd, V: SimdFloat<S, Element = f32>>(
        simd: S,
        map: &[V; 25],
        t: Vector<V>,
        _: f32,
    ) -> Vector<V> {
        let stretched = Self::stretch_tangent(&part::<S, V, 8, 6>(map), t);
        Self::move_direction(simd, &part::<S, V, 0, 4>(map), stretched, t)
    }
}
