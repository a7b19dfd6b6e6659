//! The bones of a skeleton at the bind pose: what a joint carries, as line segments.
//!
//! Skeletons of files say where joints are and no more. Which of them move skin, and where the last
//! bone of a chain ends, has to be concluded:
//! - A joint with more children than a hand has fingers, that hangs from another and whose children are
//!   mostly farther from it than what hangs from them is long, is the root of a face. Joints below it
//!   are details on the solid that it moves: only the ends of their chains take weights, near by, and
//!   the bones between belong to the face's root. A jaw is an exception: its bones, and those below, are
//!   its own. The legs of a spider are long, and fingers are known by their names: neither is a face.
//! - A root whose several children all begin at one position only holds them together.
//! - The last bone of a chain is as long as the one before it, in its direction, or as far as the flesh
//!   reaches (`pieces::ends`); where a sibling with children begins at the same position, that direction is
//!   the sibling's, and there is no last bone.
//! - A joint without children that lies on the bone to a sibling is a twist joint and divides that bone.
//!
//! What a skin tells besides is taken in `hints`.

pub(super) mod details;
mod faces;
mod hints;
pub(super) mod joints;
mod of_skin;
pub(super) mod roots;
pub(super) mod segments;
pub(super) mod sides;
pub(super) mod unweighted;
