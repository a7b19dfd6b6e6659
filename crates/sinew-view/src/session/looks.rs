use crate::state::{Look, LookCommand, MAX_ZOOM, MIN_ZOOM, WindowCommand, WindowState, within};
use std::collections::BTreeSet;

impl Look {
    pub(super) fn run(&mut self, command: LookCommand) {
        match command {
            LookCommand::Surface { surface } => self.surface = surface,
            LookCommand::Overlay { overlay, on } => set(&mut self.overlays, overlay, on),
            LookCommand::Pass { pass, on } => set(&mut self.passes, pass, on),
            LookCommand::Background { background } => self.background = background,
        }
    }
}

impl WindowState {
    pub(super) fn run(&mut self, command: WindowCommand) {
        match command {
            WindowCommand::Panel { panel, on } => set(&mut self.panels, panel, on),
            WindowCommand::PictureOnly { on } => self.is_picture_only = on,
            WindowCommand::Theme { theme } => self.theme = theme,
            WindowCommand::LetterSize { zoom } => {
                self.zoom = within(zoom, MIN_ZOOM, MAX_ZOOM).unwrap_or(self.zoom);
            }
        }
    }
}

fn set<T: Ord>(set: &mut BTreeSet<T>, member: T, on: bool) {
    if on {
        set.insert(member);
    } else {
        set.remove(&member);
    }
}
