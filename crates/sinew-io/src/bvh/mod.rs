//! BVH, the text format of motion capture: a tree of joints, and a row of numbers per frame.
//!
//! There is no maintained standard. This follows J. Thingvold and others (*Biovision BVH*, University of Wisconsin,
//! 1999) and the files of exporters. Import:
//!
//! - A joint is at its `OFFSET`. A position channel **replaces** the offset along its axis.
//! - A rotation is the product of any number of rotation channels, the first one outermost. Angles are in degrees.
//! - In the rest pose every joint is at its `OFFSET`, without rotation.
//! - An `End Site` becomes a fixed joint named after its parent (`Head_end`), so that the last bone has an end.
//! - Nodes are the joints of the file, in its order. Several `ROOT`s get a common root joint without a node.
//! - The channels of a joint define its freedom ([`sinew::skeleton::limits::Freedom`]).
//! - Frame `n` is at `n` frame times. If the number of frames differs from `Frames:`, the smaller number counts.
//! - Units and axes stay as in the file.
//!
//! Keywords may be in any case. Names may contain any character up to the end of the line. White space and commas
//! separate numbers, and a minus sign starts a new one. A frame is a line, but may continue on the next. The report
//! lists repairs and omissions with their lines. A file without a clear meaning is refused, with the location.
//!
//! Export writes every joint of the skeleton. The root, and joints that move relative to their parents, have six
//! channels; other joints have three. Rotations are in the order ZXY. Each angle is within 180° of that in the frame
//! before. A joint without children or motion that is named after its parent (`Head_end`) becomes an `End Site`. There
//! is one `ROOT`, even if several were read. Joints keep their rest positions along the axes of the model. Angles do
//! not include rest rotations. So the rest pose keeps the shape of the character, and joints keep their positions in
//! every frame. Lengths stay unchanged.

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
