//! A document, how it is looked at, and the commands that change both.

use crate::document::Document;
use crate::state::{Command, Pane, State};
use sinew::Method;

/// A document and how it is looked at.
#[derive(Debug)]
pub struct Session {
    document: Document,
    state: State,
}

impl Default for Session {
    fn default() -> Self {
        let document = Document::default();
        let mut state = State::default();
        state.panes.push(Pane {
            file: state.shown,
            method: Method::DualQuat,
            is_packed: false,
        });
        state.playback.clip = Some(0);
        Self { document, state }
    }
}

impl Session {
    /// What is open.
    pub fn document(&self) -> &Document {
        &self.document
    }

    /// How it is looked at.
    pub fn state(&self) -> &State {
        &self.state
    }

    /// Carries out a command.
    pub fn run(&mut self, command: &Command) {
        match command {
            Command::Play => self.state.playback.is_playing = true,
            Command::Pause => self.state.playback.is_playing = false,
            _ => {}
        }
    }

    /// Lets time pass: moves the clock and takes in what threads have finished. Whether anything changed.
    pub fn advance(&mut self, elapsed_secs: f64) -> bool {
        let _ = elapsed_secs;
        false
    }
}
