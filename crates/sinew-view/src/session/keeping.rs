//! Journals of edits, and edits that are not saved.

use super::Session;
use crate::document::{FileId, Journal, Message, MessageKind, OpenFile};
use sinew_edit::Editor;
use std::path::PathBuf;

impl Session {
    /// True if a file has edits that are not saved.
    pub fn is_changed(&self, file: FileId) -> bool {
        self.editor(file).is_some_and(Editor::is_changed)
    }

    /// Writes the edits of each file to a journal in a folder as they happen, and recovers those of files that are
    /// opened.
    pub fn keep_journals(&mut self, folder: impl Into<PathBuf>) {
        self.edits.folder = Some(folder.into());
        let files: Vec<FileId> = self.document.files().iter().map(|file| file.id).collect();
        files.into_iter().for_each(|file| self.recover(file));
    }

    pub(super) fn write_journal(&mut self, file: &OpenFile) {
        let edits = &mut self.edits;
        let (Some(folder), Some(path)) = (&edits.folder, &file.path) else {
            return;
        };
        let Some(editor) = edits.editors.get(&file.id) else {
            return;
        };
        let opened = match edits.journals.remove(&file.id) {
            Some(journal) => Ok(journal),
            None => Journal::begin(folder, path),
        };
        let written = opened.and_then(|mut journal| {
            journal.update(editor)?;
            Ok(journal)
        });
        match written {
            Ok(journal) => _ = edits.journals.insert(file.id, journal),
            Err(error) => {
                edits.folder = None;
                self.notify(Message {
                    kind: MessageKind::Problem,
                    file: file.name.clone(),
                    text: format!("edits are not written to a journal: {error}"),
                    way_out: "Export the file often; a crash would lose edits.".to_owned(),
                });
            }
        }
    }

    /// Runs the edits of a journal that an earlier program left.
    pub(super) fn recover(&mut self, id: FileId) {
        let (Some(folder), Some(file)) = (&self.edits.folder, self.document.file(id)) else {
            return;
        };
        let found = file
            .path
            .as_ref()
            .and_then(|path| Journal::find(folder, path));
        let (name, shown) = (file.name.clone(), self.state.shown);
        let Some(found) = found.filter(|_| self.editor(id).is_none()) else {
            return;
        };
        let count = found.edits.len();
        let (text, way_out) = if found.fits {
            self.state.shown = id;
            let done = found.edits.into_iter().filter(|edit| {
                let edit = edit.clone();
                self.apply(|editor| editor.run(edit).cloned())
            });
            let done = done.count();
            self.state.shown = shown;
            let text = format!("{done} of {count} edits that were not saved are back");
            (
                text,
                "Export the file to keep them, or undo them.".to_owned(),
            )
        } else {
            let script = found.path.display();
            let text = format!("{count} edits were not saved, and the file has changed since");
            (
                text,
                format!("The edits are in {script}; `sinew edit` can run them."),
            )
        };
        self.notify(Message {
            kind: MessageKind::Notice,
            file: name,
            text,
            way_out,
        });
    }

    /// Position of the history, to be given to [`Session::saved`] when the file is written.
    pub(super) fn history_position(&self, id: FileId) -> Option<i64> {
        self.editor(id).map(Editor::position)
    }

    /// Notes that a file was saved as it was at a position of its history.
    pub(super) fn saved(&mut self, id: FileId, position: i64) {
        let edits = &mut self.edits;
        if let Some(editor) = edits.editors.get_mut(&id) {
            editor.mark_saved(position);
            if !editor.is_changed()
                && let Some(journal) = edits.journals.remove(&id)
            {
                journal.remove();
            }
        }
    }

    /// True if a file has no unsaved edits, or the user asks a second time to give them up. Tells the user otherwise.
    pub(super) fn may_discard(&mut self, id: FileId, again: &str) -> bool {
        if !self.is_changed(id) || self.edits.warned == Some(id) {
            return true;
        }
        self.edits.warned = Some(id);
        let count = self.editor(id).map_or(0, |editor| editor.done().len());
        let name = self.document.file(id).map(|file| file.name.clone());
        self.notify(Message {
            kind: MessageKind::Problem,
            file: name.unwrap_or_default(),
            text: format!("has edits that are not saved ({count})"),
            way_out: format!(
                "Export it as a character to keep them; {again} again to discard them."
            ),
        });
        false
    }

    /// True if no file has unsaved edits, or the user asks to quit a second time.
    pub fn may_quit(&mut self) -> bool {
        let files: Vec<FileId> = self.document.files().iter().map(|file| file.id).collect();
        let changed = files.into_iter().find(|file| self.is_changed(*file));
        changed.is_none_or(|file| self.may_discard(file, "quit"))
    }

    /// Gives up the edits of a file.
    pub(super) fn discard_edits(&mut self, id: FileId) {
        self.edits.editors.remove(&id);
        if let Some(journal) = self.edits.journals.remove(&id) {
            journal.remove();
        }
    }

    /// Gives up the edits of all files: the user quits.
    pub fn discard_all(&mut self) {
        let files: Vec<FileId> = self.edits.editors.keys().copied().collect();
        files.into_iter().for_each(|file| self.discard_edits(file));
    }
}
