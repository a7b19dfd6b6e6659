//! Questions about unsaved edits, and commands that wait for the answers.

use super::pending::Asking;
use crate::document::FileId;
use crate::session::Session;
use crate::state::{Answer, FileCommand, Question, Then};

impl Session {
    /// True if a command loses no unsaved edits of a file. Asks the user otherwise.
    pub(in crate::session) fn may(&mut self, file: FileId, then: Then) -> bool {
        if !self.is_changed(file) || self.asking.given_up.contains(&file) {
            return true;
        }
        // The question is about the file that is seen.
        self.run(FileCommand::Show { file });
        self.state.question = Some(Question::Unsaved { file, then });
        false
    }

    /// True if the window may close: no file has unsaved edits, and none is being written. Asks about unsaved edits,
    /// one file after the other.
    pub fn may_quit(&mut self) -> bool {
        self.asking.is_quitting = false;
        let mut files = self.document.files().iter().map(|file| file.id);
        let is_kept =
            |file: &FileId| self.is_changed(*file) && !self.asking.given_up.contains(file);
        if let Some(file) = files.find(is_kept) {
            if self.state.question.is_none() {
                self.may(file, Then::Quit);
            }
            return false;
        }
        self.asking.is_quitting = self.jobs.saves.is_busy();
        !self.asking.is_quitting
    }

    /// True if the user wants the window to close, and all questions are answered.
    pub fn is_quitting(&self) -> bool {
        self.asking.is_quitting && !self.jobs.saves.is_busy() && self.state.question.is_none()
    }

    pub(in crate::session) fn answer(&mut self, answer: Answer) {
        let Some(question) = self.state.question.take() else {
            return;
        };
        let file = question.file();
        match (question, answer) {
            (Question::Unsaved { then, .. }, Answer::Save) => {
                self.run(FileCommand::Show { file });
                self.save(Some(then));
            }
            (Question::Unsaved { then, .. }, Answer::Discard) => {
                self.asking.given_up.insert(file);
                self.run_then(file, then);
            }
            (Question::SavePath { path, then, .. }, Answer::Save) => {
                self.save_as(Some(path), false, then);
            }
            (Question::Replace { path, then, .. }, Answer::Save) => {
                self.save_as(Some(path), true, then);
            }
            (Question::Replace { path, then, .. }, _) => {
                self.state.question = Some(Question::SavePath { file, path, then });
            }
            _ => self.asking = Asking::default(),
        }
    }

    /// Runs a command that waited for an answer.
    pub(super) fn run_then(&mut self, file: FileId, then: Then) {
        match then {
            Then::Close => self.run(FileCommand::Close { file }),
            Then::Reload => self.run(FileCommand::Reload { file }),
            Then::Quit => self.asking.is_quitting = self.may_quit() || self.asking.is_quitting,
        }
    }

    /// Closes the question if its file is closed.
    pub(in crate::session) fn drop_question(&mut self, file: FileId) {
        if self
            .state
            .question
            .as_ref()
            .is_some_and(|q| q.file() == file)
        {
            self.state.question = None;
        }
    }
}
