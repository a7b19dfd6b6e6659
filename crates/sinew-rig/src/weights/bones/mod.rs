//! Bones of a skeleton at the bind pose, as line segments.
//!
//! Files give only joint positions. These rules find joints that move skin, and ends of chains:
//! - The root of a face has a parent and more children than a hand has fingers. Most children are
//!   farther away than their own chains are long. The joints below are details: only the ends of
//!   their chains get weights, in a small area. The bones between belong to the root. A jaw is an
//!   exception: it owns its bones and the bones below it. The legs of a spider are too long for
//!   this rule, and fingers are recognised by name.
//! - A root with several children at one position only connects them.
//! - The last bone of a chain has the length and direction of the previous bone, or ends at the
//!   skin (`pieces::ends`). It is missing if a sibling with children is at the same position.
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
