//! Reasons why a PLY file was refused.

/// The reason why a PLY file was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PlyError {
    /// A line of the header that says nothing we know.
    #[error("line {line}: {found:?} is no line of a PLY file's header; export the file again")]
    Header {
        /// The line, from 1 on.
        line: usize,
        /// The line.
        found: String,
    },
    /// The header does not end.
    #[error("the file ends in its header; it was cut off, so copy or export it again")]
    NoEnd,
    /// There is no way to read the numbers.
    #[error(
        "line {line}: the format {found:?} is none of ascii, binary_little_endian and binary_big_endian"
    )]
    Format {
        /// The line, from 1 on.
        line: usize,
        /// The word.
        found: String,
    },
    /// Something that should be a number.
    #[error("line {line}: {found:?} is not a number; correct it, or export the file again")]
    Number {
        /// The line, from 1 on.
        line: usize,
        /// The word.
        found: String,
    },
    /// Fewer numbers than the header says.
    #[error(
        "the file ends in {element} {row} of {count}; it was cut off, so copy or export it again"
    )]
    CutOff {
        /// The element's name.
        element: String,
        /// Its number, from 0 on.
        row: usize,
        /// The number that there should be.
        count: usize,
    },
    /// Vertices that are nowhere.
    #[error("vertices have no {property}, so there is no mesh")]
    NoPositions {
        /// The property that is missing.
        property: &'static str,
    },
    /// A vertex that is infinite or not a number.
    #[error("vertex {vertex} is infinite or not a number")]
    NotFinite {
        /// Its number.
        vertex: usize,
    },
    /// A face that names what is not there.
    #[error("face {face} names vertex {index}, and there are {count}")]
    Index {
        /// The face's number, from 0 on.
        face: usize,
        /// The vertex that it names.
        index: String,
        /// The number of vertices.
        count: usize,
    },
    /// Nothing to see.
    #[error("there are no faces in it, so there is no mesh")]
    NoFaces,
}
