//! Commands of the selection.

use super::Session;
use crate::state::{Selection, SelectionCommand};

impl Session {
    pub(super) fn run_selection(&mut self, command: SelectionCommand) {
        match command {
            SelectionCommand::Select { selection } => self.select(selection),
            SelectionCommand::Pick { pane, x, y, aspect } => self.pick(pane, [x, y], aspect),
        }
    }

    pub(super) fn select(&mut self, selection: Selection) {
        if self.shown_file().has(selection) {
            self.state.selection = selection;
            self.state.hit = None;
        }
    }
}
