//! Reasons why an OBJ file was refused.

/// The reason why an OBJ file was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ObjError {
    /// Text of two bytes a letter.
    #[error("the text is UTF-16; save it as UTF-8 or plain ASCII")]
    Utf16,
    /// Something that should be a number.
    #[error("line {line}: {found:?} is not a number; correct it, or export the file again")]
    Number {
        /// The line, from 1 on.
        line: usize,
        /// The word.
        found: String,
    },
    /// Fewer numbers than a statement needs.
    #[error("line {line}: `{keyword}` needs {wanted} numbers and has {found}")]
    Count {
        /// The line, from 1 on.
        line: usize,
        /// The statement.
        keyword: &'static str,
        /// The number that it needs.
        wanted: usize,
        /// The number that it has.
        found: usize,
    },
    /// A corner of a face that is no number, or numbers and slashes.
    #[error(
        "line {line}: {found:?} is not the corner of a face; it should be like 1, 1/2, 1//3 or 1/2/3"
    )]
    Corner {
        /// The line, from 1 on.
        line: usize,
        /// The word.
        found: String,
    },
    /// A face that names what is not there.
    #[error("line {line}: the face names {what} {index}, and there are {count}")]
    Index {
        /// The line, from 1 on.
        line: usize,
        /// Position, texture coordinate or normal.
        what: &'static str,
        /// As it is written.
        index: i64,
        /// The number that there are; for numbers below zero, before this line.
        count: usize,
    },
    /// More vertices than can be counted.
    #[error("line {line}: there are more than four thousand million of what faces can name")]
    TooMany {
        /// The line, from 1 on.
        line: usize,
    },
    /// Nothing to see.
    #[error("there are no faces in it, so there is no mesh")]
    NoFaces,
}
