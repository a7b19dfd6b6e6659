use super::faults::Faults;

/// The known members of an object.
pub(in crate::gltf) struct Shape {
    /// Owner name for extensions; see [`super::extensions::place_of`].
    pub owner: &'static str,
    /// Names of required members.
    pub required: &'static [&'static str],
    /// Known members and their kinds. Others are not checked.
    pub members: &'static [(&'static str, Kind)],
    /// Further checks, made if the members are valid.
    pub also: Option<fn(&mut Faults<'_>, &str, &str)>,
}

pub(in crate::gltf) enum Kind {
    Text,
    /// One of these words. For others, the validator only warns.
    Word(&'static [&'static str]),
    /// One of these numbers. For others, the validator only warns.
    Code(&'static [u64]),
    /// A non-negative integer.
    Whole,
    Number(Range),
    /// A fixed count of numbers.
    Numbers(usize, Range),
    Index(List),
    Indices(List),
    Object(&'static Shape),
    Objects(&'static Shape),
}

#[derive(Clone, Copy)]
pub(in crate::gltf) enum Range {
    Any,
    Unit,
    From(f64),
    Above(f64),
    /// At least the first, less than the second.
    Below(f64, f64),
    /// Greater than the first, at most the second.
    Within(f64, f64),
    /// 0, or at least 1.
    ZeroOrFromOne,
}

impl Range {
    pub(super) fn holds(self, value: f64) -> bool {
        match self {
            Self::Any => value.is_finite(),
            Self::Unit => (0.0..=1.0).contains(&value),
            Self::From(min) => value >= min && value.is_finite(),
            Self::Above(min) => value > min && value.is_finite(),
            Self::Below(min, end) => (min..end).contains(&value),
            Self::Within(min, max) => value > min && value <= max,
            Self::ZeroOrFromOne => value == 0.0 || (value >= 1.0 && value.is_finite()),
        }
    }
}

#[derive(Clone, Copy)]
pub(in crate::gltf) enum List {
    Textures,
    Images,
    Materials,
    Lights,
    Variants,
}

/// A shape without required members.
pub(super) const fn shape(members: &'static [(&'static str, Kind)]) -> Shape {
    Shape {
        owner: "other",
        required: &[],
        members,
        also: None,
    }
}

pub(super) const fn texture(members: &'static [(&'static str, Kind)]) -> Shape {
    Shape {
        owner: "texture",
        required: &["index"],
        members,
        also: None,
    }
}
