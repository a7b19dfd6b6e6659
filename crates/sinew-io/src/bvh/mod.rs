//! BVH, the text format of motion capture: a tree of joints, and a row of numbers for every frame.
//!
//! Nobody maintains a standard. The format is as J. Thingvold and others described it (*Biovision BVH*, University of
//! Wisconsin, 1999), and as exporters write it. What is decided here:
//!
//! - A joint's place is its `OFFSET`. Along each axis that has a position channel, the channel **replaces** it.
//! - A rotation is the product of the joint's rotation channels in the order of `CHANNELS`, the first one outermost,
//!   whatever their number. Angles are degrees.
//! - The rest pose is every joint at its `OFFSET`, unturned.
//! - `End Site`s are joints that cannot move, named after their parent (`Head_end`), so that the last bone of a limb
//!   has an end. Nodes of the character are the joints of the file, in its order; several `ROOT`s hang from one root
//!   of the skeleton that is no node.
//! - What a joint can do ([`sinew::skeleton::limits::Freedom`]) is what it has channels for.
//! - Frame `n` is at `n` frame times. When more or fewer frames follow than `Frames:` says, the shorter wins.
//! - Units and axes stay the file's own.
//!
//! Keywords may be in any case, names may hold anything up to the end of the line, white space and commas separate
//! numbers, and a minus sign begins a new one. A frame is a line; it may be broken into several. What was repaired or
//! left out is in the report, with its line. A file whose meaning is lost is refused with the place.
//!
//! Written are: every joint of the skeleton, the root and joints that move on their parents with six channels, the
//! others with three, rotations as ZXY for all of them, each angle within half a turn of the one before. A joint
//! without children that stands still and is called after its parent (`Head_end`) is an `End Site`; none are made up.
//! There is one `ROOT`, that of the skeleton, also above several that were read. Joints rest where they rested, in the
//! axes of the model: rotations at rest are no part of the angles, so that the rest pose has the character's shape and
//! every frame its places. Lengths stay as they are.

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

pub use error::{BvhError, BvhExportError, TextPosition};
pub use export::{BvhExport, export};
pub use import::{BvhImport, import, import_bytes};
pub(crate) use import::{import_named, looks_like_bvh};
pub use options::{BvhOptions, MovedOffsets};
