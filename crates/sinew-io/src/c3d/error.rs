use std::path::PathBuf;

/// The reason why a C3D file cannot be imported.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum C3dError {
    /// The file could not be opened or read.
    #[error("cannot read {}: {source}", path.display())]
    Io {
        /// The path of the file.
        path: PathBuf,
        /// The error of the operating system.
        source: std::io::Error,
    },
    /// The file is not C3D.
    #[error(
        "this is not a C3D file: it must have at least 512 bytes, and its second byte must be 0x50"
    )]
    NotC3d,
    /// The file is a Git LFS pointer: the real file was not fetched.
    #[error(
        "this is a Git LFS pointer instead of the file itself; `git lfs pull` fetches the file"
    )]
    LfsPointer,
    /// The number format is unknown.
    #[error(
        "byte {byte}: the processor type is {code} instead of 84 (Intel), 85 (DEC) or 86 (MIPS); export the file again"
    )]
    Processor {
        /// Offset of the processor code, in bytes.
        byte: usize,
        /// The processor code that was found.
        code: u8,
    },
    /// A section starts or ends beyond the end of the file.
    #[error(
        "byte {byte}: expected {what} here, but the file has only {bytes} bytes; copy or export it again"
    )]
    CutOff {
        /// The missing part.
        what: &'static str,
        /// Expected offset of that part, in bytes.
        byte: usize,
        /// Length of the file, in bytes.
        bytes: usize,
    },
    /// The parameter section is malformed.
    #[error("byte {byte}: {what}; export the file again")]
    Parameter {
        /// Offset of the fault, in bytes.
        byte: usize,
        /// Description of the fault.
        what: &'static str,
    },
    /// An essential parameter has an invalid value.
    #[error(
        "{name} is {found} instead of {expected}; correct it in the capture software and export again"
    )]
    Number {
        /// Name of the parameter.
        name: &'static str,
        /// The value that was found.
        found: String,
        /// Description of the valid values.
        expected: &'static str,
    },
    /// The file has no markers, only data such as force plates or muscles.
    #[error("the file has no markers: POINT:USED is 0")]
    NoMarkers,
}
