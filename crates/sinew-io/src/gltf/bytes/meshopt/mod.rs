//! Decoders for `EXT_meshopt_compression` and `KHR_meshopt_compression`, and encoders for the
//! first. They follow the texts of the extensions.
//!
//! The document states the count and size of elements, so a stream cannot cause large allocations.

mod error;
mod filters;
mod indices;
mod triangles;
mod varint;
mod vertices;

pub use error::MeshoptError;
pub use filters::Filter;
pub(in crate::gltf) use filters::{apply, exponential_of, octahedral_of, quaternion_of};

/// Kind of the elements of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Vertices, or other elements of a fixed size.
    Attributes,
    /// Vertex indices of triangles, three per triangle.
    Triangles,
    /// Indices in any order.
    Indices,
}

/// Decodes `out.len() / element_bytes` elements into `out`.
///
/// # Errors
/// [`MeshoptError`] if the stream is malformed. It leaves unspecified contents in `out`.
pub fn decode(
    stream: &[u8],
    mode: Mode,
    filter: Filter,
    element_bytes: usize,
    out: &mut [u8],
) -> Result<(), MeshoptError> {
    let sizes: bool = match mode {
        Mode::Attributes => element_bytes.is_multiple_of(4) && (4..=256).contains(&element_bytes),
        Mode::Triangles | Mode::Indices => matches!(element_bytes, 2 | 4),
    };
    if !sizes || !out.len().is_multiple_of(element_bytes) {
        return Err(MeshoptError::ElementSize {
            bytes: element_bytes,
        });
    }
    match mode {
        Mode::Attributes => {
            vertices::decode(stream, element_bytes, out)?;
            apply(filter, element_bytes, out)
        }
        Mode::Triangles => triangles::decode(stream, element_bytes, out),
        Mode::Indices => indices::decode(stream, element_bytes, out),
    }
}

/// Encodes elements of `element_bytes` bytes after filters. [`decode`] restores them, except that
/// the corners of a triangle may be rotated.
pub fn encode(elements: &[u8], mode: Mode, element_bytes: usize) -> Vec<u8> {
    let indices = || -> Vec<u32> {
        let numbers = elements.chunks_exact(element_bytes);
        let read = |bytes: &[u8]| {
            bytes
                .iter()
                .rev()
                .fold(0, |sum, b| sum << 8 | u32::from(*b))
        };
        numbers.map(read).collect()
    };
    match mode {
        Mode::Attributes => vertices::encode(elements, element_bytes),
        Mode::Triangles => triangles::encode(&indices()),
        Mode::Indices => indices::encode(&indices()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Random(u64);

    impl Random {
        fn below(&mut self, end: u64) -> u64 {
            self.0 ^= self.0 << 13;
            self.0 ^= self.0 >> 7;
            self.0 ^= self.0 << 17;
            self.0 % end
        }

        fn fraction(&mut self) -> f32 {
            self.below(20_001) as f32 / 10_000.0 - 1.0
        }
    }

    fn decoded(stream: &[u8], mode: Mode, size: usize, bytes: usize) -> Vec<u8> {
        let mut out = vec![1; bytes];
        decode(stream, mode, Filter::None, size, &mut out).unwrap();
        out
    }

    /// A code for a recent vertex in the older version is a step in the newer version. The stream
    /// has a fan of twenty triangles and a triangle with such a code.
    #[test]
    fn triangles_of_the_older_version_are_read() {
        let fan: Vec<u8> = (0..20_u16)
            .flat_map(|i| [0, i + 1, i + 2].map(u16::to_le_bytes))
            .flatten()
            .collect();
        let mut stream = encode(&fan, Mode::Triangles, 2);
        let decode_fan = |stream: &[u8], count: usize| {
            let bytes = decoded(stream, Mode::Triangles, 2, 6 * count);
            let indices: Vec<u16> = bytes
                .chunks(2)
                .map(|b| u16::from_le_bytes([b[0], b[1]]))
                .collect();
            indices
        };
        let plain = decode_fan(&stream, 20);
        stream[0] = 0xe0;
        assert_eq!(decode_fan(&stream, 20), plain);
        // Adds a triangle on the last edge, with the vertex fourteen before 21: vertex 7.
        stream.insert(21, 0x0e);
        let older = decode_fan(&stream, 21);
        assert_eq!(older[..60], plain);
        assert_eq!(older[62], 7);
        stream[0] = 0xe1;
        assert_ne!(decode_fan(&stream, 21)[62], 7);
    }

    #[test]
    fn elements_come_back_to_the_bit() {
        let mut random = Random(88_172_645_463_325_252);
        for case in 0..400 {
            let size = 4 * (1 + random.below(64) as usize);
            let (count, bits) = (random.below(700), random.below(9));
            let length = count as usize * size;
            let elements: Vec<u8> = (0..length).map(|_| random.below(1 << bits) as u8).collect();
            let stream = encode(&elements, Mode::Attributes, size);
            let again = decoded(&stream, Mode::Attributes, size, length);
            assert_eq!(again, elements, "{case}");
        }
    }

    fn indices(random: &mut Random, case: u64) -> Vec<u32> {
        let count = 3 * random.below(300);
        let bits = random.below(17);
        let span = 1 + random.below(1 << bits);
        let mut base = 0;
        let mut all: Vec<u32> = (0..count)
            .map(|number| {
                base += u64::from(random.below(3) == 0);
                let index = match case % 4 {
                    0 => random.below(span),
                    1 => base + random.below(4),
                    2 => number / 3 + number % 3,
                    _ => base,
                };
                index as u32 & 0xffff
            })
            .collect();
        if case.is_multiple_of(3) {
            let again = all.len() / 6 * 3;
            for (number, index) in all[again..].iter_mut().enumerate() {
                *index = number as u32;
            }
        }
        all
    }

    #[test]
    fn indices_and_triangles_come_back() {
        let mut random = Random(5);
        for case in 0..600 {
            let size = if case % 2 == 0 { 2 } else { 4 };
            let indices = indices(&mut random, case);
            let bytes = indices
                .iter()
                .flat_map(|i| i.to_le_bytes().into_iter().take(size));
            let bytes: Vec<u8> = bytes.collect();
            let stream = encode(&bytes, Mode::Indices, size);
            assert_eq!(decoded(&stream, Mode::Indices, size, bytes.len()), bytes);
            let stream = encode(&bytes, Mode::Triangles, size);
            let again = decoded(&stream, Mode::Triangles, size, bytes.len());
            for (again, before) in again.chunks(3 * size).zip(bytes.chunks(3 * size)) {
                let mut rotated = before.to_vec();
                let is_rotated = (0..3).any(|_| {
                    rotated.rotate_left(size);
                    rotated == again
                });
                assert!(is_rotated, "{case}: {before:?} {again:?}");
            }
        }
    }

    #[test]
    fn a_strip_takes_a_byte_a_triangle() {
        let strip = (0..30_000_u32).flat_map(|i| match i % 2 {
            0 => [i, i + 1, i + 2],
            _ => [i + 1, i, i + 2],
        });
        let bytes: Vec<u8> = strip.flat_map(u32::to_le_bytes).collect();
        let stream = encode(&bytes, Mode::Triangles, 4);
        assert!(stream.len() < 30_100, "{}", stream.len());
    }

    #[test]
    fn filters_lose_no_more_than_they_say() {
        let mut random = Random(7);
        for _ in 0..20_000 {
            let mut q = [(); 4].map(|()| random.fraction());
            let length = q.iter().map(|c| c * c).sum::<f32>().sqrt();
            if length < 0.1 {
                continue;
            }
            q = q.map(|c| c / length);
            let mut bytes: Vec<u8> = quaternion_of(q, 12)
                .iter()
                .flat_map(|c| c.to_le_bytes())
                .collect();
            apply(Filter::Quaternion, 8, &mut bytes).unwrap();
            let again = bytes
                .chunks(2)
                .map(|c| f32::from(i16::from_le_bytes([c[0], c[1]])) / 32767.0);
            let again: Vec<f32> = again.collect();
            let sign = again
                .iter()
                .zip(q)
                .map(|(a, b)| a * b)
                .sum::<f32>()
                .signum();
            let off = again.iter().zip(q).map(|(a, b)| (sign * a - b).abs());
            assert!(off.fold(0.0, f32::max) < 6e-4, "{q:?} {again:?}");

            let [x, y, z, w] = q;
            let length = (x * x + y * y + z * z).sqrt();
            if length > 0.1 {
                let d = [x, y, z].map(|c| c / length);
                let mut bytes = octahedral_of(d, w).map(|c| c as u8);
                apply(Filter::Octahedral, 4, &mut bytes).unwrap();
                for (found, expected) in bytes.iter().zip(d) {
                    assert!(
                        (f32::from(*found as i8) / 127.0 - expected).abs() < 0.02,
                        "{d:?} {bytes:?}"
                    );
                }
            }
            let mut bytes = exponential_of(3.0 * x, -14).to_le_bytes();
            apply(Filter::Exponential, 4, &mut bytes).unwrap();
            assert!((f32::from_le_bytes(bytes) - 3.0 * x).abs() <= 0.5 / 16384.0);
        }
    }
}
