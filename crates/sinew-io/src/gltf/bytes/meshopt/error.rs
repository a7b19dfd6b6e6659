//! Reasons why a compressed stream was refused.

use thiserror::Error;

/// The reason why a stream was refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum MeshoptError {
    /// Another codec, or a newer one.
    #[error("the stream begins with byte {found:#04x}, which is no {wanted} stream that is known")]
    Header {
        /// The first byte.
        found: u8,
        /// The kind of stream that was expected.
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
        /// The number of indices.
        count: usize,
    },
    /// It ends too early.
    #[error("the stream ends before all elements are decoded")]
    Short,
    /// It goes on after the last element.
    #[error("the stream has {bytes} bytes more than its elements need")]
    Long {
        /// The number of bytes that are left over.
        bytes: usize,
    },
    /// A control byte that has no meaning.
    #[error("the stream asks for a delta of kind {kind}, which there is not")]
    Channel {
        /// The number of the kind.
        kind: u8,
    },
}
