//! Reasons why a C3D file was refused.

use std::path::PathBuf;

/// The reason why a C3D file was refused.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum C3dError {
    /// The file itself could not be read.
    #[error("cannot read {}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's message.
        source: std::io::Error,
    },
    /// Something else than a C3D file.
    #[error(
        "this is not a C3D file: its second byte should be 0x50, and the file at least 512 bytes long"
    )]
    NotC3d,
    /// Numbers of a machine that nobody knows.
    #[error(
        "byte {byte}: the processor is {code}, and should be 84 (Intel), 85 (DEC) or 86 (MIPS); export the file again"
    )]
    Processor {
        /// The byte that states it.
        byte: usize,
        /// The code that stands there.
        code: u8,
    },
    /// A section that begins or ends beyond the file.
    #[error(
        "byte {byte}: {what} should be here, but the file has {bytes} bytes; it was cut off, so copy or export it again"
    )]
    CutOff {
        /// The part that is missing.
        what: &'static str,
        /// The byte at which it should be.
        byte: usize,
        /// The length of the file, in bytes.
        bytes: usize,
    },
    /// The list of parameters makes no sense.
    #[error("byte {byte}: {what}; export the file again")]
    Parameter {
        /// The byte.
        byte: usize,
        /// The fault.
        what: &'static str,
    },
    /// A number that everything else depends on.
    #[error(
        "{name} is {found}, but it should be {wanted}; correct it in the capture software and export again"
    )]
    Number {
        /// The parameter.
        name: &'static str,
        /// The value that it has.
        found: String,
        /// The values that it could have.
        wanted: &'static str,
    },
    /// A file of force plates or muscles alone.
    #[error("the file holds no markers: POINT:USED is 0")]
    NoMarkers,
}
