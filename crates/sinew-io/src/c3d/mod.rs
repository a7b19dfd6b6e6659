//! C3D, the binary format of motion capture: the position of every marker in every frame.
//!
//! This follows *The C3D File Format User Guide* (Motion Lab Systems, 2008) and the files of exporters. A file has a
//! header, a section of named parameters, and frames of points and analog samples, each aligned to blocks of 512
//! bytes.
//!
//! - Numbers may be in Intel, DEC (VAX) or MIPS (SGI) format, as floats or as scaled integers.
//! - Parameters override the header, which has fewer bits. A file states the number of frames up to four times. The
//!   largest number that fits into the file counts.
//! - A point with a negative residual, or one that is not finite, was not seen.
//! - Positions are converted to metres by `POINT:UNITS` (default millimetres) and to y up by `POINT:Y_SCREEN` (default
//!   z).
//! - If all labels begin with the name of the subject (`Anna:LFHD`), it is removed.
//! - Computed points (angles, forces, axes of segments) stay in the trial, and their labels are listed beside it.
//! - Analog samples (force plates, muscles) and events are counted but not read.

mod computed;
mod error;
mod frames;
mod header;
mod import;
mod labels;
mod numbers;
mod parameters;
mod skipped;

pub use error::C3dError;
pub(crate) use header::looks_like_c3d;
pub use import::{C3dImport, import, import_bytes};
pub use skipped::Skipped;
