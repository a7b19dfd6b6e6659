//! BVH, the text format of motion capture: a tree of joints, and a row of numbers per frame.
//!
//! There is no maintained standard. This module follows J. Thingvold and others (*Biovision BVH*,
//! University of Wisconsin, 1999) and the files of exporters. Import:
//!
//! - A joint is at its `OFFSET`. A position channel **replaces** the offset along its axis.
//! - The rotation channels are multiplied, the first outermost. Angles are in degrees.
//! - In the rest pose every joint is at its `OFFSET`, without rotation.
//! - An `End Site` becomes a fixed joint, such as `Head_end`, so that the last bone has an end.
//! - Each joint of the file has a node. Several `ROOT`s get a common root joint without a node.
//! - The channels of a joint define its freedom ([`sinew::skeleton::limits::Freedom`]).
//! - Frame `n` is at `n` times the frame time. `Frames:` limits the number of frames.
//! - Units and axes stay as in the file.
//!
//! Keywords may be in any case. A name may contain any character and ends at the end of the line.
//! White space, commas and minus signs separate numbers. A frame may continue on the next line. The
//! report lists repairs and omissions with their lines. A file without a clear meaning is refused.
//!
//! Export writes every joint of the skeleton. The root has six channels, and so has each joint that
//! moves relative to its parent. Other joints have three. Rotations are in the order ZXY. Each
//! angle is within 180° of the angle in the frame before. An `End Site` is a joint without children
//! or motion that is named after its parent (`Head_end`). There is one `ROOT`, even if several were
//! read. Joints keep their positions in model space, at rest and in every frame. Angles do not
//! include rest rotations. Lengths stay unchanged.

mod channel;
mod error;
mod export;
mod header;
mod hierarchy;
mod import;
mod keys;
mod left_out;
mod memory;
mod motion;
mod options;
mod rate;
mod standing;
mod text;
mod written_names;

pub use error::{BvhError, BvhExportError, TextLocation};
pub use export::{BvhExport, export};
pub use import::{BvhImport, import, import_bytes};
pub(crate) use import::{import_named, looks_like_bvh};
pub use options::{BvhOptions, MovedOffsets};
