//! Four rotations between keys, in lanes, with the operations of [`quat::slerp`] in the same order. The angles between
//! keys are computed beforehand, because the arc tangent takes most of the time.

use fearless_simd::prelude::*;
use fearless_simd::{f32x4, f32x8, f64x4};
use glam::Quat;
use sinew_math::simd::transposed;
use sinew_math::transform::quat;

/// Cosine above which [`quat::slerp`] takes the chord.
const CHORD: f32 = 0.999_999;

/// Half the angle that [`quat::slerp`] computes. Any number where it takes the chord.
pub(super) fn half_angle(a: Quat, b: Quat) -> f32 {
    let cosine = quat::dot(a, quat::aligned(b, a));
    if cosine > CHORD {
        return 0.0;
    }
    libm::atan2f(((1.0 - cosine) * (1.0 + cosine)).sqrt(), cosine)
}

/// Pairs of keys, one per lane.
#[derive(Default)]
pub(super) struct Arcs {
    pub from: [[f32; 4]; 4],
    pub to: [[f32; 4]; 4],
    pub half_angle: [f32; 4],
    /// Fraction of the way, in [0, 1].
    pub along: [f32; 4],
}

/// Components of the rotations, by lane.
#[inline(always)]
pub(super) fn slerp<S: Simd>(simd: S, arcs: &Arcs) -> [[f32; 4]; 4] {
    let load = |v: &[f32; 4]| f32x4::load_array_ref(simd, v);
    let [a, b] = [&arcs.from, &arcs.to];
    let a = transposed([load(&a[0]), load(&a[1]), load(&a[2]), load(&a[3])]);
    let b = transposed([load(&b[0]), load(&b[1]), load(&b[2]), load(&b[3])]);
    let dot = b[0] * a[0] + b[1] * a[1] + b[2] * a[2] + b[3] * a[3];
    let is_far = dot.simd_lt(0.0);
    let cosine = dot.abs();
    let one = f32x4::splat(simd, 1.0);
    let sine = ((one - cosine) * (one + cosine)).sqrt();
    let (t, half) = (load(&arcs.along), load(&arcs.half_angle));
    let left = one - t;
    let (sa, sb) = simd.split_f32x8(sines(simd, simd.combine_f32x4(left * half, t * half)));
    let is_chord = cosine.simd_gt(CHORD);
    let (wa, wb) = (
        is_chord.select(left, sa / sine),
        is_chord.select(t, sb / sine),
    );
    let mut turned = [[0.0; 4]; 4];
    for c in 0..4 {
        (a[c] * wa + is_far.select(-b[c], b[c]) * wb).store_array(&mut turned[c]);
    }
    turned
}

/// Sines of angles in [0, π/2], with the bits of `libm::sinf`.
#[inline(always)]
fn sines<S: Simd>(simd: S, angle_rad: f32x8<S>) -> f32x8<S> {
    /// Largest angle for which `libm::sinf` uses the polynomial alone.
    const LARGEST_RAD: f32 = f32::from_bits(0x3f49_0fda);
    let (low, high) = simd.widen_f32x8(angle_rad);
    let sines = simd.narrow_f64x4(polynomial(simd, low), polynomial(simd, high));
    let is_large = angle_rad.simd_gt(LARGEST_RAD);
    if !is_large.any_true() {
        return sines;
    }
    // Keys more than 90° apart are rare.
    let (mut angles, mut exact) = ([0.0; 8], [0.0; 8]);
    angle_rad.store_array(&mut angles);
    for (exact, angle) in exact.iter_mut().zip(angles) {
        *exact = libm::sinf(angle);
    }
    f32x8::load_array(simd, exact)
}

/// Sine of a small angle, as in `k_sinf` of FreeBSD (Taylor 1993), which `libm` uses.
#[inline(always)]
fn polynomial<S: Simd>(simd: S, x: f64x4<S>) -> f64x4<S> {
    let splat = |c: f64| f64x4::splat(simd, c);
    let z = x * x;
    let w = z * z;
    let r = splat(-0.000198393348360966317347) + z * splat(0.0000027183114939898219064);
    let s = z * x;
    let q = splat(-0.166666666416265235595) + z * splat(0.0083333293858894631756);
    (x + s * q) + s * w * r
}

#[cfg(test)]
mod tests {
    //! Lanes and scalar code must give the same bits on every instruction set.

    use super::*;
    use glam::Vec3;
    use sinew_math::dispatch;
    use sinew_math::simd::Level;

    fn key(n: usize) -> Quat {
        let angle = libm::sinf(n as f32 * 1.7) * 1.5 * (n % 5) as f32;
        quat::from_axis_angle(Vec3::new(1.0, n as f32, -3.0), angle)
    }

    #[test]
    fn four_lanes_have_the_bits_of_one_rotation_at_every_level() {
        for n in 0..4000 {
            let pairs: [[Quat; 2]; 4] =
                std::array::from_fn(|lane| [key(n + lane), key(n + 7 * lane + 1)]);
            let arcs = Arcs {
                from: pairs.map(|pair| pair[0].to_array()),
                to: pairs.map(|pair| pair[1].to_array()),
                half_angle: pairs.map(|[a, b]| half_angle(a, b)),
                along: [0.0, 1.0, 0.3, 1e-7 * n as f32],
            };
            for level in Level::all() {
                let turned = dispatch!(level, simd => simd.vectorize(#[inline(always)] || slerp(simd, &arcs)));
                for (lane, [a, b]) in pairs.into_iter().enumerate() {
                    let expected = quat::slerp(a, b, arcs.along[lane]).to_array();
                    let found = turned.map(|row| row[lane]);
                    assert_eq!(
                        found.map(f32::to_bits),
                        expected.map(f32::to_bits),
                        "{level}: {a} to {b}"
                    );
                }
            }
        }
    }
}
