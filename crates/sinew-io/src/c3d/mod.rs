//! C3D, the binary format of motion capture: the position of every marker in every frame.
//!
//! This module follows *The C3D File Format User Guide* (Motion Lab Systems, 2008) and the files of
//! exporters. A file has a header, named parameters, and frames of points and analog samples. Each
//! part is aligned to blocks of 512 bytes.
//!
//! - Numbers may be in Intel, DEC (VAX) or MIPS (SGI) format, as floats or as scaled integers.
//! - Parameters override the header, which has fewer bits. A file states the number of frames up to
//!   four times. The largest number that fits into the file counts.
//! - A point was not seen if its residual is negative or it is not finite.
//! - Positions are converted to metres (`POINT:UNITS`, default mm) and y up (`POINT:Y_SCREEN`,
//!   default z).
//! - If all labels begin with the name of the subject (`Anna:LFHD`), the name is removed.
//! - Computed points (angles, forces, axes of segments) stay in the trial. Their labels are in
//!   [`C3dImport::not_markers`].
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
pub use import::{C3dImport, import, import_bytes};
pub use skipped::Skipped;
