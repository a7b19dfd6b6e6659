//! Why a C3D file was refused.

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
        /// What the system said.
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
        /// Where that is said.
        byte: usize,
        /// What is said.
        code: u8,
    },
    /// A section that begins or ends beyond the file.
    #[error(
        "byte {byte}: {what} should be here, but the file has {bytes} bytes; it was cut off, so copy or export it again"
    )]
    CutOff {
        /// What is missing.
        what: &'static str,
        /// Where it should be.
        byte: usize,
        /// How long the file is.
        bytes: usize,
    },
    /// The list of parameters makes no sense.
    #[error("byte {byte}: {what}; export the file again")]
    Parameter {
        /// Where.
        byte: usize,
        /// What is wrong there.
        what: &'static str,
    },
    /// A number that everything else depends on.
    #[error(
        "{name} is {found}, but it should be {wanted}; correct it in the capture software and export again"
    )]
    Number {
        /// Which parameter.
        name: &'static str,
        /// What it is.
        found: String,
        /// What it could be.
        wanted: &'static str,
    },
    /// A file of force plates or muscles alone.
    #[error("the file holds no markers: POINT:USED is 0")]
    NoMarkers,
}
