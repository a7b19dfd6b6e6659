use serde::{Deserialize, Serialize};
use sinew::Character;
use sinew_samples::mannequin::Mannequin;

/// Figure made by code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MadeFigure {
    /// Person with a sword, who walks, runs, waves and fences.
    Mannequin,
    /// Person of ten parts, who walks.
    Humanoid,
    /// Limb of two joints, which twists and bends.
    Tube,
}

impl MadeFigure {
    /// All figures, in the order of the menu.
    pub const ALL: [Self; 3] = [Self::Mannequin, Self::Humanoid, Self::Tube];

    /// Name in the window and in `sinew render --figure`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Mannequin => "mannequin",
            Self::Humanoid => "humanoid",
            Self::Tube => "tube",
        }
    }

    pub(crate) fn make(self) -> Character {
        match self {
            Self::Mannequin => Mannequin::default().build(),
            Self::Humanoid => sinew_samples::humanoid_character(),
            Self::Tube => sinew_samples::tube_character(),
        }
    }
}
