use crate::state::window::{PanelKind, Theme};
use serde::{Deserialize, Serialize};

/// Change of the window around the picture.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "do", rename_all = "snake_case")]
pub enum WindowCommand {
    /// Opens or closes a panel.
    Panel {
        /// Panel to open or close.
        panel: PanelKind,
        /// True to open it.
        on: bool,
    },
    /// Hides all bars and panels, or shows them again.
    PictureOnly {
        /// True to hide them.
        on: bool,
    },
    /// Sets the theme.
    Theme {
        /// Dark or light.
        theme: Theme,
    },
    /// Sets the size of letters.
    LetterSize {
        /// Factor in [0.5, 3]. Default 1.
        zoom: f32,
    },
}
