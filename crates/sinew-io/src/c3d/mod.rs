//! C3D, the binary format of motion capture: where every marker was in every frame.
//!
//! As described in *The C3D File Format User Guide* (Motion Lab Systems, 2008), and as exporters write it: a header, a
//! section of named parameters, and frames of points and analog samples, each beginning at a block of 512 bytes. What
//! is decided here:
//!
//! - Numbers of Intel, DEC (VAX) and MIPS (SGI) machines, as floats or as scaled integers.
//! - Parameters win over the header, which says the same in fewer bits. How many frames there are is said in up to
//!   four places: the largest that the file has room for is taken.
//! - A point of negative residual, or one that is not finite, was not seen.
//! - Positions are brought to metres by `POINT:UNITS` (millimetres where it is missing) and to y up by
//!   `POINT:Y_SCREEN` (z up where it is missing).
//! - A subject's name that all labels begin with (`Anna:LFHD`) is left out.
//! - Points that were computed from the markers (angles, forces, axes of segments) stay in the trial; their labels are
//!   listed beside it.
//! - Analog samples (force plates, muscles) and events are skipped, and counted.
//! - What cameras saw as pictures is in no C3D file, and finding markers in pictures is not done here.

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
