//! Bones of a skeleton at the bind pose, as line segments.
//!
//! Files give only joint positions. These rules find the joints that move skin, and the ends of chains:
//! - A joint with a parent, with more children than a hand has fingers and with most children farther away than their
//!   own chains are long, is the root of a face. Joints below it are details: only the ends of their chains take
//!   weights, near by, and the bones between belong to the root. A jaw is an exception: it owns its bones and those
//!   below. The legs of a spider are too long, and fingers are known by name.
//! - A root whose several children all start at one position only connects them.
//! - The last bone of a chain has the length and direction of the one before, or ends at the skin (`pieces::ends`).
//!   When a sibling with children starts at the same position, there is no last bone.
//! - A joint without children on the bone to a sibling is a twist joint and divides that bone.

pub(super) mod details;
mod faces;
mod hints;
pub(super) mod joints;
mod of_skin;
pub(super) mod roots;
pub(super) mod segments;
pub(super) mod sides;
pub(super) mod unweighted;
