/// The reason why a PLY file cannot be imported.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlyError {
    /// A line of the header is unknown.
    #[error("line {line}: {found:?} is not a valid line of a PLY header; export the file again")]
    Header {
        /// Line number, from 1.
        line: usize,
        /// Text of the line.
        found: String,
    },
    /// The header has no end.
    #[error("the file ends within its header, so it is incomplete; copy or export it again")]
    NoEnd,
    /// The number format is unknown.
    #[error(
        "line {line}: the format {found:?} is not ascii, binary_little_endian or binary_big_endian"
    )]
    Format {
        /// Line number, from 1.
        line: usize,
        /// The unknown word.
        found: String,
    },
    /// A word is not a number.
    #[error("line {line}: {found:?} is not a number; correct it, or export the file again")]
    Number {
        /// Line number, from 1.
        line: usize,
        /// The word that is not a number.
        found: String,
    },
    /// The file ends before the declared data.
    #[error(
        "the file ends within {element} {row} of {count}, so it is incomplete; copy or export it again"
    )]
    CutOff {
        /// Name of the element.
        element: String,
        /// Row of the element, from 0.
        row: usize,
        /// Declared number of rows.
        count: usize,
    },
    /// Vertices have no positions.
    #[error("vertices have no {property}, so there is no mesh")]
    NoPositions {
        /// Name of the missing property.
        property: &'static str,
    },
    /// A vertex is infinite or NaN.
    #[error("vertex {vertex} is infinite or not a number")]
    NotFinite {
        /// Index of the vertex.
        vertex: usize,
    },
    /// A face refers to a missing vertex.
    #[error("face {face} refers to vertex {index}, but there are {count} vertices")]
    Index {
        /// Index of the face.
        face: usize,
        /// The vertex index as read.
        index: String,
        /// Number of vertices.
        count: usize,
    },
    /// The file has no faces.
    #[error("the file has no faces, so there is no mesh")]
    NoFaces,
}
