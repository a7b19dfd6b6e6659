//! Commands of selection, of turning by hand, and of looks.

use super::Session;
use crate::state::{Command, MAX_ZOOM, MIN_ZOOM, Selection, State, within};
use glam::Quat;
use std::collections::BTreeSet;

impl Session {
    pub(super) fn select(&mut self, selection: Selection) {
        if self.shown_file().has(selection) {
            self.state.selection = selection;
            self.state.hit = None;
        }
    }

    pub(super) fn turn_joint(&mut self, joint: usize, rotation: Quat) {
        let joints = self.shown_file().character.skeleton.len();
        let length = rotation.length();
        if joint >= joints || !(rotation.is_finite() && length > 1e-6 && length.is_finite()) {
            return;
        }
        let turn = rotation.normalize();
        match turn == Quat::IDENTITY {
            true => self.state.turns.remove(&joint),
            false => self.state.turns.insert(joint, turn),
        };
    }
}

impl State {
    pub(super) fn run_looks(&mut self, command: &Command) {
        let look = &mut self.look;
        match *command {
            Command::Surface { surface } => look.surface = surface,
            Command::Overlay { overlay, on } => set(&mut look.overlays, overlay, on),
            Command::Pass { pass, on } => set(&mut look.passes, pass, on),
            Command::Background { background } => look.background = background,
            Command::Panel { panel, on } => set(&mut self.window.panels, panel, on),
            Command::Theme { theme } => self.window.theme = theme,
            Command::LetterSize { zoom } => {
                self.window.zoom = within(zoom, MIN_ZOOM, MAX_ZOOM).unwrap_or(self.window.zoom);
            }
            _ => {}
        }
    }
}

fn set<T: Ord>(set: &mut BTreeSet<T>, member: T, on: bool) {
    match on {
        true => set.insert(member),
        false => set.remove(&member),
    };
}
