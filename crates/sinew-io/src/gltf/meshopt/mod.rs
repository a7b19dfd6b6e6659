//! Decoders of `EXT_meshopt_compression` and `KHR_meshopt_compression`, from the extensions' text: a file per codec.
//!
//! Each writes a list of elements whose count and size the document states, so that nothing is allocated by what the
//! stream says.

mod filters;
mod indices;
mod triangles;
mod varint;
mod vertices;

use thiserror::Error;

/// What the elements of a stream are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Vertices, or other elements of a fixed size.
    Attributes,
    /// Indices, three to a triangle.
    Triangles,
    /// Indices in any order.
    Indices,
}

/// What is done to elements once they are decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Filter {
    /// Nothing.
    #[default]
    None,
    /// Directions on an octahedron, to normalised integers.
    Octahedral,
    /// Three components of a quaternion, to four.
    Quaternion,
    /// Mantissa and exponent, to floats.
    Exponential,
    /// Brightness and two differences, to red, green and blue.
    Color,
}

/// The reason why a stream was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum MeshoptError {
    /// Another codec, or a newer one.
    #[error("the stream begins with byte {found:#04x}, which is no {wanted} stream that is known")]
    Header {
        /// The first byte.
        found: u8,
        /// What was expected.
        wanted: &'static str,
    },
    /// Elements of a size that the mode does not have.
    #[error("elements of {bytes} bytes are not allowed here")]
    ElementSize {
        /// Their size.
        bytes: usize,
    },
    /// Indices that do not make whole triangles.
    #[error("{count} indices do not make whole triangles")]
    Triangles {
        /// How many.
        count: usize,
    },
    /// It ends too early.
    #[error("the stream ends before all elements are decoded")]
    Short,
    /// It goes on after the last element.
    #[error("the stream has {bytes} bytes more than its elements need")]
    Long {
        /// How many.
        bytes: usize,
    },
    /// A control byte that has no meaning.
    #[error("the stream asks for a delta of kind {kind}, which there is not")]
    Channel {
        /// Which.
        kind: u8,
    },
}

/// Decodes `out.len() / element_bytes` elements into `out`.
///
/// # Errors
/// [`MeshoptError`] when the stream is not one of these elements; `out` then holds anything.
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
            filters::apply(filter, element_bytes, out)
        }
        Mode::Triangles => triangles::decode(stream, element_bytes, out),
        Mode::Indices => indices::decode(stream, element_bytes, out),
    }
}

/// Writes an index of two or four bytes.
fn write_index(out: &mut [u8], index: u32) {
    let size = out.len();
    out.copy_from_slice(&index.to_le_bytes()[..size]);
}
