use super::faults::Faults;

/// The known members of an object.
pub(in crate::gltf) struct Shape {
    /// Name of the owner of extensions, for [`super::extensions::allowed_in`].
    pub owner: &'static str,
    /// Names of required members.
    pub required: &'static [&'static str],
    /// Known members and their kinds. Other members are not checked.
    pub members: &'static [(&'static str, Kind)],
    /// Further checks if all members are valid.
    pub also: Option<fn(&mut Faults<'_>, &str, &str)>,
}

pub(in crate::gltf) enum Kind {
    Text,
    /// One of these words. The validator only warns about other words.
    Word(&'static [&'static str]),
    /// One of these numbers. The validator only warns about other numbers.
    Code(&'static [u64]),
    Whole,
    Number(Range),
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
    /// At least the first number, less than the second.
    Below(f64, f64),
    /// Greater than the first number, at most the second.
    Within(f64, f64),
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
