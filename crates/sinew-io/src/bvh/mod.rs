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

mod channel;
mod error;
mod header;
mod hierarchy;
mod import;
mod keys;
mod memory;
mod motion;
mod text;

pub use error::{BvhError, TextPosition};
pub use import::{BvhImport, import, import_bytes};
pub(crate) use import::{import_named, looks_like_bvh};
