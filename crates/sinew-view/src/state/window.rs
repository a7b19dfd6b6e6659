use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

pub(crate) const MIN_ZOOM: f32 = 0.5;
pub(crate) const MAX_ZOOM: f32 = 3.0;

/// Open panels, theme and letter size.
#[derive(Clone, Debug, PartialEq)]
pub struct WindowState {
    /// Open panels.
    pub panels: BTreeSet<PanelKind>,
    /// True to show neither bars nor panels.
    pub is_picture_only: bool,
    /// Dark or light.
    pub theme: Theme,
    /// Factor on the size of letters, in [0.5, 3]. Default 1.
    pub zoom: f32,
}

impl Default for WindowState {
    fn default() -> Self {
        Self {
            panels: BTreeSet::from([
                PanelKind::Files,
                PanelKind::Joints,
                PanelKind::Look,
                PanelKind::Timeline,
            ]),
            is_picture_only: false,
            theme: Theme::Dark,
            zoom: 1.0,
        }
    }
}

/// Panel of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PanelKind {
    /// Files and clips.
    Files,
    /// Trees of joints and nodes.
    Joints,
    /// Surface, overlays and effects.
    Look,
    /// Ruler, transport buttons and keys.
    Timeline,
    /// Import findings.
    Findings,
    /// Values of the selected item.
    Selected,
    /// Deformation over the clip.
    Deformation,
    /// Frame times and counts.
    Numbers,
    /// Export of pictures, characters and clips.
    Export,
    /// Edits that were done and undone.
    History,
    /// Layers of the clip that plays.
    Layers,
    /// Materials of the file.
    Materials,
    /// Weights of morph targets.
    Morphs,
    /// Keys and help.
    Help,
}

impl PanelKind {
    /// All panels, in the order of the menu.
    pub const ALL: [Self; 14] = [
        Self::Files,
        Self::Joints,
        Self::Look,
        Self::Timeline,
        Self::Findings,
        Self::Selected,
        Self::Deformation,
        Self::Numbers,
        Self::Export,
        Self::History,
        Self::Layers,
        Self::Materials,
        Self::Morphs,
        Self::Help,
    ];
}

/// Colours of the window.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Theme {
    /// Light text on a dark background.
    #[default]
    Dark,
    /// Dark text on a light background.
    Light,
}
