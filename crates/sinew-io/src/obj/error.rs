/// The reason why an OBJ file cannot be imported.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ObjError {
    /// The text is UTF-16.
    #[error("the text is UTF-16; save it as UTF-8 or plain ASCII")]
    Utf16,
    /// A word is not a number.
    #[error("line {line}: {found:?} is not a number; correct it, or export the file again")]
    Number {
        /// Line number, from 1.
        line: usize,
        /// The word that is not a number.
        found: String,
    },
    /// A statement has too few numbers.
    #[error("line {line}: `{keyword}` needs {expected} numbers, but has {found}")]
    Count {
        /// Line number, from 1.
        line: usize,
        /// Keyword of the statement.
        keyword: &'static str,
        /// Number of required values.
        expected: usize,
        /// Number of values found.
        found: usize,
    },
    /// A corner of a face is malformed.
    #[error("line {line}: {found:?} is not a corner of a face; write it as 1, 1/2, 1//3 or 1/2/3")]
    Corner {
        /// Line number, from 1.
        line: usize,
        /// The malformed word.
        found: String,
    },
    /// A face refers to an item that does not exist.
    #[error("line {line}: the face refers to {what} {index}, but there are {count}")]
    Index {
        /// Line number, from 1.
        line: usize,
        /// Kind of item: position, texture coordinate or normal.
        what: &'static str,
        /// The index in the file.
        index: i64,
        /// Number of items in the file. For a negative index, the number of items before this line.
        count: usize,
    },
    /// The file has more than 2³² items.
    #[error(
        "line {line}: there are more than four thousand million elements, too many for the indices of faces"
    )]
    TooMany {
        /// Line number, from 1.
        line: usize,
    },
    /// The file has no faces.
    #[error("the file has no faces, so there is no mesh")]
    NoFaces,
}
