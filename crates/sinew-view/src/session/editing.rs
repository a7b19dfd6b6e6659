//! Edits of the shown file, and their history.

use super::Session;
use crate::document::{FileId, Message, MessageKind};
use crate::state::HistoryCommand;
use sinew_edit::{Edit, EditError, Editor, Report};

impl Session {
    /// History of a file. `None` before its first edit.
    pub fn editor(&self, file: FileId) -> Option<&Editor> {
        self.editors.get(&file)
    }

    pub(super) fn run_edit(&mut self, edit: Edit) {
        self.change(|editor| editor.run(edit).cloned());
    }

    pub(super) fn run_history(&mut self, command: HistoryCommand) {
        match command {
            HistoryCommand::Undo => self.change(|editor| {
                editor.undo();
                Ok(Report::default())
            }),
            HistoryCommand::Redo => self.change(|editor| {
                editor.redo();
                Ok(Report::default())
            }),
            HistoryCommand::Drag { edit } => self.change(|editor| editor.drag(edit).cloned()),
            HistoryCommand::Cancel => self.change(|editor| {
                editor.cancel();
                Ok(Report::default())
            }),
            HistoryCommand::Release => {
                if let Some(editor) = self.editors.get_mut(&self.state.shown) {
                    editor.release();
                }
            }
        }
    }

    /// Changes the shown file, and keeps what plays where possible.
    fn change(&mut self, edit: impl FnOnce(&mut Editor) -> Result<Report, EditError>) {
        let id = self.shown_file().id;
        let before = self.shown_file().clone();
        let editor = self.editors.entry(id);
        let editor = editor.or_insert_with(|| Editor::new(before.character.clone()));
        match edit(editor) {
            Ok(report) => {
                let document = editor.document().clone();
                if let Some(file) = self.document.file_mut(id) {
                    file.take_edits(&document);
                }
                self.keep_playback(&before);
                self.state.edited = report;
            }
            Err(error) => self.notify(Message {
                kind: MessageKind::Problem,
                file: before.name,
                text: error.to_string(),
                way_out: "Nothing changed.".to_owned(),
            }),
        }
    }
}
