//! Filters that change decoded elements.

use super::error::MeshoptError;

/// A filter that is applied after decoding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Filter {
    /// No change.
    #[default]
    None,
    /// Converts octahedral directions to normalised integers.
    Octahedral,
    /// Converts three components of a quaternion to four.
    Quaternion,
    /// Converts mantissa and exponent to floats.
    Exponential,
    /// Converts luma and two chroma values to red, green and blue.
    Color,
}

pub(in crate::gltf) fn apply(
    filter: Filter,
    size: usize,
    out: &mut [u8],
) -> Result<(), MeshoptError> {
    let fits = match filter {
        Filter::None => true,
        Filter::Octahedral | Filter::Color => matches!(size, 4 | 8),
        Filter::Quaternion => size == 8,
        Filter::Exponential => size.is_multiple_of(4),
    };
    if !fits {
        return Err(MeshoptError::ElementSize { bytes: size });
    }
    match (filter, size) {
        (Filter::None, _) => {}
        (Filter::Octahedral, 4) => each(out, |v: [i8; 4]| {
            let [x, y, z] = octahedral([v[0], v[1], v[2]].map(f32::from), 127.0);
            [x as i8, y as i8, z as i8, v[3]]
        }),
        (Filter::Octahedral, _) => each(out, |v: [i16; 4]| {
            let [x, y, z] = octahedral([v[0], v[1], v[2]].map(f32::from), 32767.0);
            [x as i16, y as i16, z as i16, v[3]]
        }),
        (Filter::Quaternion, _) => each(out, quaternion),
        (Filter::Exponential, _) => each(out, |[v]: [i32; 1]| [exponential(v)]),
        (Filter::Color, 4) => each(out, |v: [u8; 4]| {
            let signed = [v[1] as i8, v[2] as i8].map(i32::from);
            color([v[0], v[3]].map(i32::from), signed, 255.0).map(|c| c as u8)
        }),
        (Filter::Color, _) => each(out, |v: [u16; 4]| {
            let signed = [v[1] as i16, v[2] as i16].map(i32::from);
            color([v[0], v[3]].map(i32::from), signed, 65535.0).map(|c| c as u16)
        }),
    }
    Ok(())
}

trait Number: Copy + Default {
    const BYTES: usize;
    fn read(bytes: &[u8]) -> Self;
    fn write(self, bytes: &mut [u8]);
}

macro_rules! number {
    ($($type:ty)*) => {$(
        impl Number for $type {
            const BYTES: usize = size_of::<Self>();

            fn read(bytes: &[u8]) -> Self {
                let mut own = [0; size_of::<Self>()];
                own.copy_from_slice(bytes);
                Self::from_le_bytes(own)
            }

            fn write(self, bytes: &mut [u8]) {
                bytes.copy_from_slice(&self.to_le_bytes());
            }
        }
    )*};
}

number!(u8 i8 u16 i16 i32);

fn each<T: Number, const N: usize>(out: &mut [u8], change: impl Fn([T; N]) -> [T; N]) {
    for element in out.chunks_exact_mut(N * T::BYTES) {
        let mut numbers = [T::default(); N];
        for (number, bytes) in numbers.iter_mut().zip(element.chunks_exact(T::BYTES)) {
            *number = T::read(bytes);
        }
        let numbers = change(numbers);
        for (number, bytes) in numbers.into_iter().zip(element.chunks_exact_mut(T::BYTES)) {
            number.write(bytes);
        }
    }
}

/// Rounds to the nearest integer, halves away from zero.
fn rounded(value: f32) -> f32 {
    let half = if value >= 0.0 { 0.5 } else { -0.5 };
    (value + half).trunc()
}

/// Decodes a direction on an octahedron of size `size` to a vector of length `one`.
fn octahedral([x, y, size]: [f32; 3], one: f32) -> [f32; 3] {
    let z = size - x.abs() - y.abs();
    // Unfolds the lower half of the octahedron.
    let fold = z.min(0.0);
    let x = x + if x >= 0.0 { fold } else { -fold };
    let y = y + if y >= 0.0 { fold } else { -fold };
    let scale = one / (x * x + y * y + z * z).sqrt();
    [x, y, z].map(|c| rounded(c * scale))
}

/// Restores the largest component. Its index is in the lowest two bits of `last`.
fn quaternion([x, y, z, last]: [i16; 4]) -> [i16; 4] {
    let scale = std::f32::consts::FRAC_1_SQRT_2 / f32::from(last | 3);
    let three = [x, y, z].map(|c| f32::from(c) * scale);
    let [x, y, z] = three;
    let w = (1.0 - x * x - y * y - z * z).max(0.0).sqrt();
    let mut out = [0; 4];
    let largest = usize::from(last as u16 & 3);
    for (component, value) in [w, x, y, z].into_iter().enumerate() {
        out[(largest + component) & 3] = rounded(value * 32767.0) as i16;
    }
    out
}

/// Bits of a float from a 24-bit mantissa and an 8-bit exponent.
fn exponential(value: i32) -> i32 {
    let (mantissa, exponent) = ((value << 8) >> 8, value >> 24);
    let power = f32::from_bits(((exponent + 127) as u32) << 23);
    (power * mantissa as f32).to_bits() as i32
}

/// Colour from luma, alpha and two chroma values. The highest set bit of alpha gives the precision.
fn color([luma, alpha]: [i32; 2], [orange, green]: [i32; 2], one: f32) -> [f32; 4] {
    let mut ones = alpha;
    for shift in [1, 2, 4, 8] {
        ones |= ones >> shift;
    }
    let rgb = [luma + orange - green, luma + green, luma - orange - green];
    let alpha = ((alpha << 1) & ones) | (alpha & 1);
    let scale = one / ones as f32;
    let [r, g, b] = rgb;
    [r, g, b, alpha].map(|c| (c as f32 * scale + 0.5).trunc())
}

/// Encodes a direction and a number `w` in [-1, 1]. The third byte is the octahedron size, 127.
pub(in crate::gltf) fn octahedral_of([x, y, z]: [f32; 3], w: f32) -> [i8; 4] {
    let sum = x.abs() + y.abs() + z.abs();
    let scale = if sum > 0.0 { 1.0 / sum } else { 0.0 };
    let [x, y, z] = [x, y, z].map(|c| c * scale);
    let folded = |c: f32, other: f32| (1.0 - other.abs()) * if c >= 0.0 { 1.0 } else { -1.0 };
    let [u, v] = if z >= 0.0 {
        [x, y]
    } else {
        [folded(x, y), folded(y, x)]
    };
    let of_127 = |c: f32| rounded(c.clamp(-1.0, 1.0) * 127.0) as i8;
    [of_127(u), of_127(v), 127, of_127(w)]
}

/// Encodes a quaternion without its largest component, with `bits` bits per component.
pub(in crate::gltf) fn quaternion_of(q: [f32; 4], bits: u32) -> [i16; 4] {
    let largest = (0..4).max_by(|&a, &b| q[a].abs().total_cmp(&q[b].abs()));
    let largest = largest.unwrap_or(3);
    let one = (1 << (bits - 1)) - 1;
    let scale = std::f32::consts::SQRT_2.copysign(q[largest]) * one as f32;
    let max = f32::from(one);
    let other = |after: usize| {
        let value = q[(largest + after) & 3] * scale;
        rounded(value.clamp(-max, max)) as i16
    };
    let last = (one & !3) | largest as i16;
    [other(1), other(2), other(3), last]
}

/// The nearest multiple of 2^`exponent`, as a 24-bit mantissa and the exponent.
pub(in crate::gltf) fn exponential_of(value: f32, exponent: i8) -> i32 {
    let mantissa = f64::from(value) * f64::from(-i32::from(exponent)).exp2();
    let mantissa = mantissa.round().clamp(-8_388_608.0, 8_388_607.0) as i32;
    (mantissa & 0x00ff_ffff) | i32::from(exponent) << 24
}
