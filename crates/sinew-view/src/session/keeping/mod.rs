//! Journals of edits, saved files, and questions about unsaved edits.

mod asking;
mod pending;
mod saving;

pub(super) use pending::Asking;
pub(super) use saving::is_same;

use super::Session;
use crate::document::{FileId, Found, Journal, Message, MessageKind};
use std::path::PathBuf;

impl Session {
    /// True if a file has edits that are not saved.
    pub fn is_changed(&self, file: FileId) -> bool {
        self.editor(file).is_some_and(|editor| {
            let is_incomplete = self.edits.incomplete.get(&file) == Some(&editor.position());
            editor.is_changed() || is_incomplete
        })
    }

    /// Writes the edits of each file to a journal in a folder as they happen, and recovers those of files that are
    /// opened.
    pub fn keep_journals(&mut self, folder: impl Into<PathBuf>) {
        self.edits.folder = Some(folder.into());
        let files: Vec<FileId> = self.document.files().iter().map(|file| file.id).collect();
        files.into_iter().for_each(|file| self.recover(file));
    }

    /// Writes the edits of a file to its journal.
    pub(super) fn write_journal(&mut self, id: FileId) {
        let edits = &mut self.edits;
        let (Some(folder), Some(file)) = (&edits.folder, self.document.file(id)) else {
            return;
        };
        let Some(editor) = edits.editors.get(&id).filter(|_| !edits.is_recovering) else {
            return;
        };
        let base = edits.bases.get(&id).copied().unwrap_or(0);
        let opened = match edits.journals.remove(&id) {
            Some(journal) => Ok(journal),
            None => Journal::begin(folder, file, base, &Default::default()),
        };
        let written = opened.and_then(|mut journal| {
            journal.update(editor)?;
            Ok(journal)
        });
        self.keep_journal(id, written);
    }

    fn keep_journal(&mut self, id: FileId, written: std::io::Result<Journal>) {
        match written {
            Ok(journal) => _ = self.edits.journals.insert(id, journal),
            Err(error) => {
                self.edits.folder = None;
                let name = self.document.file(id).map(|file| file.name.clone());
                self.notify(Message {
                    kind: MessageKind::Problem,
                    file: name.unwrap_or_default(),
                    text: format!("edits are not written to a journal: {error}"),
                    way_out: "Save the file often; a crash would lose edits.".to_owned(),
                });
            }
        }
    }

    /// Begins the journal of a file again that was just saved.
    fn restart_journal(&mut self, id: FileId, base: u64) {
        let is_changed = self.is_changed(id);
        let edits = &mut self.edits;
        edits.bases.insert(id, base);
        let old = edits.journals.remove(&id);
        if let (Some(folder), Some(editor)) = (&edits.folder, edits.editors.get(&id))
            && let Some(file) = self.document.file(id).filter(|_| is_changed)
        {
            let pose = editor.document().pose();
            let begun = Journal::begin(folder, file, base, pose).and_then(|mut journal| {
                journal.update(editor)?;
                Ok(journal)
            });
            self.keep_journal(id, begun);
        }
        // Only now, so that one of the two is always there.
        if let Some(old) = old {
            old.remove();
        }
    }

    /// Runs the edits of a journal that an earlier program left.
    pub(super) fn recover(&mut self, id: FileId) {
        let (Some(folder), Some(file)) = (&self.edits.folder, self.document.file(id)) else {
            return;
        };
        // A stand-in is another figure than the one that the user will see.
        let is_passing = file.is_stand_in && !self.loads.is_empty();
        if is_passing || self.editor(id).is_some() {
            return;
        }
        let mut is_first = true;
        for found in Journal::find(folder, file) {
            if found.fits && std::mem::take(&mut is_first) {
                self.run_found(id, found);
            } else {
                self.set_aside(id, found);
            }
        }
    }

    fn run_found(&mut self, id: FileId, mut found: Found) {
        let shown = std::mem::replace(&mut self.state.shown, id);
        self.edits.is_recovering = true;
        let (mut done, count) = (0, found.edits.len());
        for (edit, is_joined) in std::mem::take(&mut found.edits) {
            let is_done = self.apply(|editor| match is_joined {
                true => editor.run_joined(edit).cloned(),
                false => editor.run(edit).cloned(),
            });
            done += usize::from(is_done);
        }
        self.edits.is_recovering = false;
        self.state.shown = shown;
        self.write_journal(id);
        let way_out = if done < count {
            let script = found.set_aside();
            format!("All edits are in {}.", script.display())
        } else {
            if self.edits.journals.contains_key(&id) {
                found.remove();
            }
            "Save the file to keep them, or undo them.".to_owned()
        };
        let text = format!("{done} of {count} edits that were not saved are back");
        self.tell(id, text, way_out);
    }

    fn set_aside(&mut self, id: FileId, found: Found) {
        let count = found.edits.len();
        let text = match found.fits {
            true => format!("another window left {count} edits that were not saved"),
            false => format!("{count} edits were not saved, and the file has changed since"),
        };
        let script = found.set_aside();
        let script = script.display();
        let way_out = format!("The edits are in {script}; `sinew edit` can run them.");
        self.tell(id, text, way_out);
    }

    /// Adds a notice about a file.
    fn tell(&mut self, id: FileId, text: String, way_out: String) {
        let name = self.document.file(id).map(|file| file.name.clone());
        self.notify(Message {
            kind: MessageKind::Notice,
            file: name.unwrap_or_default(),
            text,
            way_out,
        });
    }

    /// Gives up the edits of a file.
    pub(super) fn discard_edits(&mut self, id: FileId) {
        let edits = &mut self.edits;
        edits.editors.remove(&id);
        edits.bases.remove(&id);
        edits.incomplete.remove(&id);
        self.asking.given_up.remove(&id);
        if let Some(journal) = edits.journals.remove(&id) {
            journal.remove();
        }
    }

    /// Gives up the edits of all files: the user quits.
    pub fn discard_all(&mut self) {
        let files: Vec<FileId> = self.edits.editors.keys().copied().collect();
        files.into_iter().for_each(|file| self.discard_edits(file));
    }

    /// Position of the history at which a file was saved. `None` if it was not, or if no step leads there.
    pub fn saved_position(&self, file: FileId) -> Option<i64> {
        let is_saved = self.edits.saved_to.contains_key(&file);
        self.editor(file).filter(|_| is_saved)?.saved()
    }
}
