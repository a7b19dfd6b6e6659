//! Panels and theme.

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The smallest and the largest letters.
pub(crate) const MIN_ZOOM: f32 = 0.5;
pub(crate) const MAX_ZOOM: f32 = 3.0;

/// The panels that are open, and how they look.
#[derive(Clone, Debug, PartialEq)]
pub struct WindowState {
    /// Those that are open.
    pub panels: BTreeSet<PanelKind>,
    /// Dark or light.
    pub theme: Theme,
    /// How large letters are: 1 is 100 %.
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
            theme: Theme::Dark,
            zoom: 1.0,
        }
    }
}

/// A panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PanelKind {
    /// Files and clips.
    Files,
    /// The trees of joints and nodes.
    Joints,
    /// What is drawn.
    Look,
    /// Time.
    Timeline,
    /// What was found on reading the file.
    Findings,
    /// What is selected, in numbers.
    Selected,
    /// Deformation over the clip.
    Deformation,
    /// Frame time and counts.
    Numbers,
    /// Ways out.
    Export,
    /// Keys and help.
    Help,
}

impl PanelKind {
    /// All of them, in the order of the menu.
    pub const ALL: [Self; 10] = [
        Self::Files,
        Self::Joints,
        Self::Look,
        Self::Timeline,
        Self::Findings,
        Self::Selected,
        Self::Deformation,
        Self::Numbers,
        Self::Export,
        Self::Help,
    ];
}

/// Dark or light.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Theme {
    /// Light on dark.
    #[default]
    Dark,
    /// Dark on light.
    Light,
}
