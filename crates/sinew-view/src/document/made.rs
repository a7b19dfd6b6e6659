//! Figures made by code.

use super::MadeFigure;
use sinew::Character;
use sinew_samples::mannequin::Mannequin;

impl MadeFigure {
    /// All of them, in the order of the menu.
    pub const ALL: [Self; 3] = [Self::Mannequin, Self::Humanoid, Self::Tube];

    /// What `sinew render --figure` calls it, and the window.
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
