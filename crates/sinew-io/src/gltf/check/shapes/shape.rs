//! Tables of members: what an object must have, and of which kinds.

use super::faults::Faults;

/// The members of an object that matter.
pub(in crate::gltf) struct Shape {
    /// The name of the object to extensions; see [`super::extensions::place_of`].
    pub owner: &'static str,
    /// Members that must be there.
    pub required: &'static [&'static str],
    /// The kind of each member; others are anybody's.
    pub members: &'static [(&'static str, Kind)],
    /// Checks that no table states, made when the members are right.
    pub also: Option<fn(&mut Faults<'_>, &str, &str)>,
}

/// The kind of a member.
pub(in crate::gltf) enum Kind {
    Text,
    /// One of these words. The validator only warns of others.
    Word(&'static [&'static str]),
    /// One of these numbers. The validator only warns of others.
    Code(&'static [u64]),
    /// A whole number from zero.
    Whole,
    Number(Range),
    /// So many numbers.
    Numbers(usize, Range),
    Index(List),
    Indices(List),
    Object(&'static Shape),
    Objects(&'static Shape),
}

/// The numbers that are allowed.
#[derive(Clone, Copy)]
pub(in crate::gltf) enum Range {
    Any,
    /// From zero to one.
    Unit,
    /// From this number on.
    From(f64),
    /// Greater than this number.
    Above(f64),
    /// From the first, less than the second.
    Below(f64, f64),
    /// Greater than the first, up to the second.
    Within(f64, f64),
    /// Zero, or from one on.
    ZeroOrFromOne,
}

impl Range {
    pub(super) fn holds(self, value: f64) -> bool {
        match self {
            Self::Any => value.is_finite(),
            Self::Unit => (0.0..=1.0).contains(&value),
            Self::From(least) => value >= least && value.is_finite(),
            Self::Above(least) => value > least && value.is_finite(),
            Self::Below(least, end) => (least..end).contains(&value),
            Self::Within(least, most) => value > least && value <= most,
            Self::ZeroOrFromOne => value == 0.0 || (value >= 1.0 && value.is_finite()),
        }
    }
}

/// The list that an index refers to.
#[derive(Clone, Copy)]
pub(in crate::gltf) enum List {
    Textures,
    Images,
    Materials,
    Lights,
    Variants,
}

/// An object without members that must be there.
pub(super) const fn shape(members: &'static [(&'static str, Kind)]) -> Shape {
    Shape {
        owner: "other",
        required: &[],
        members,
        also: None,
    }
}

/// A use of a texture.
pub(super) const fn texture(members: &'static [(&'static str, Kind)]) -> Shape {
    Shape {
        owner: "texture",
        required: &["index"],
        members,
        also: None,
    }
}
