use thiserror::Error;

/// The reason why a stream cannot be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
pub enum MeshoptError {
    /// The stream uses another codec or a newer version.
    #[error("the first byte is {found:#04x}, which is not a known {expected} stream")]
    Header {
        /// First byte of the stream.
        found: u8,
        /// The expected kind of stream.
        expected: &'static str,
    },
    /// The mode does not allow elements of this size.
    #[error("elements of {bytes} bytes are not allowed here")]
    ElementSize {
        /// Size of an element, in bytes.
        bytes: usize,
    },
    /// The number of indices is not a multiple of three.
    #[error("{count} indices are not a multiple of 3")]
    Triangles {
        /// Number of indices.
        count: usize,
    },
    /// The stream is too short.
    #[error("the stream ends before all elements are decoded")]
    Short,
    /// The stream is too long.
    #[error("the stream has {bytes} bytes more than its elements need")]
    Long {
        /// Number of surplus bytes.
        bytes: usize,
    },
    /// The kind of delta is not valid.
    #[error("the kind of delta {kind} is unknown")]
    Channel {
        /// The kind that was found.
        kind: u8,
    },
}
