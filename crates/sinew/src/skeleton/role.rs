use std::fmt;

/// Side of the body, as seen by the person.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names say it all")]
pub enum Side {
    Left,
    Right,
}

impl Side {
    /// Both sides, left first.
    pub const ALL: [Self; 2] = [Self::Left, Self::Right];

    /// Opposite side.
    pub fn other(self) -> Self {
        match self {
            Self::Left => Self::Right,
            Self::Right => Self::Left,
        }
    }
}

/// Finger of a hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names say it all")]
pub enum Finger {
    Thumb,
    Index,
    Middle,
    Ring,
    Little,
}

impl Finger {
    /// All fingers, from the thumb.
    pub const ALL: [Self; 5] = [
        Self::Thumb,
        Self::Index,
        Self::Middle,
        Self::Ring,
        Self::Little,
    ];
}

/// Role of a joint on a human body. A joint rotates the bone after it: `LowerArm` is the elbow.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs, reason = "the names say it all")]
pub enum Role {
    Hips,
    /// Spine joint, counted from 0 at the hips up to the arms.
    Spine(usize),
    /// Neck joint, counted from 0 at the arms up to the head.
    Neck(usize),
    Head,
    /// Joint of the collarbone.
    Shoulder(Side),
    UpperArm(Side),
    LowerArm(Side),
    Hand(Side),
    /// Finger joint, counted from 0 at the knuckle.
    Finger(Side, Finger, usize),
    UpperLeg(Side),
    LowerLeg(Side),
    Foot(Side),
    Toes(Side),
}

impl Role {
    /// Same role on the other side. Roles in the middle do not change.
    pub fn mirrored(self) -> Self {
        match self {
            Self::Hips | Self::Spine(_) | Self::Neck(_) | Self::Head => self,
            Self::Shoulder(side) => Self::Shoulder(side.other()),
            Self::UpperArm(side) => Self::UpperArm(side.other()),
            Self::LowerArm(side) => Self::LowerArm(side.other()),
            Self::Hand(side) => Self::Hand(side.other()),
            Self::Finger(side, finger, k) => Self::Finger(side.other(), finger, k),
            Self::UpperLeg(side) => Self::UpperLeg(side.other()),
            Self::LowerLeg(side) => Self::LowerLeg(side.other()),
            Self::Foot(side) => Self::Foot(side.other()),
            Self::Toes(side) => Self::Toes(side.other()),
        }
    }
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let side = |side: &Side| match side {
            Side::Left => "left",
            Side::Right => "right",
        };
        match self {
            Self::Hips => write!(f, "hips"),
            Self::Spine(k) => write!(f, "spine {}", k + 1),
            Self::Neck(k) => write!(f, "neck {}", k + 1),
            Self::Head => write!(f, "head"),
            Self::Shoulder(s) => write!(f, "{} shoulder", side(s)),
            Self::UpperArm(s) => write!(f, "{} upper arm", side(s)),
            Self::LowerArm(s) => write!(f, "{} lower arm", side(s)),
            Self::Hand(s) => write!(f, "{} hand", side(s)),
            Self::Finger(s, finger, k) => {
                let finger = format!("{finger:?}").to_lowercase();
                write!(f, "{} {finger} {}", side(s), k + 1)
            }
            Self::UpperLeg(s) => write!(f, "{} upper leg", side(s)),
            Self::LowerLeg(s) => write!(f, "{} lower leg", side(s)),
            Self::Foot(s) => write!(f, "{} foot", side(s)),
            Self::Toes(s) => write!(f, "{} toes", side(s)),
        }
    }
}
