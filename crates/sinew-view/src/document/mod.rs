//! Open files, their characters, and the findings of their import.

mod capture;
mod edits;
mod journal;
mod load_error;
mod loading;
mod measured;
mod message;
mod open_file;
mod packed;
mod saving;
mod stamp;
mod task;
mod watching;

pub use capture::{Captured, MarkerAttachment};
pub use loading::Loading;
pub use measured::{Deformation, DeformationCurve, Measure, WorstMoment};
pub use message::{Message, MessageKind};
pub use open_file::{FileId, OpenFile, Size};
pub use packed::PackedMotion;
pub use saving::Export;
pub use task::{Progress, Stage, Work};

pub use sinew_samples::Figure as MadeFigure;

pub(crate) use edits::Edits;
#[cfg(all(feature = "window", not(target_family = "wasm")))]
pub(crate) use journal::folder as journal_folder;
pub(crate) use journal::{Found, Journal};
pub(crate) use loading::{Loads, Source};
pub(crate) use measured::measure_deformation;
pub(crate) use packed::pack_motion;
pub(crate) use saving::{Saved, SavedState, Saves, Saving};
pub(crate) use stamp::Stamp;
pub(crate) use task::{Outcome, Results, Task};
pub(crate) use watching::{FileChange, Watch};

/// Open files, at least one: the mannequin, if the user has opened no file.
#[derive(Clone, Debug)]
pub struct Document {
    files: Vec<OpenFile>,
    next_id: u32,
}

impl Document {
    pub(crate) fn standing_in(figure: MadeFigure) -> Self {
        Self {
            files: vec![OpenFile::stand_in(FileId(0), figure)],
            next_id: 1,
        }
    }

    /// Files in the order in which they were opened.
    pub fn files(&self) -> &[OpenFile] {
        &self.files
    }

    /// Open file with an id.
    pub fn file(&self, id: FileId) -> Option<&OpenFile> {
        self.files.iter().find(|file| file.id == id)
    }

    pub(crate) fn file_mut(&mut self, id: FileId) -> Option<&mut OpenFile> {
        self.files.iter_mut().find(|file| file.id == id)
    }

    pub(crate) fn new_id(&mut self) -> FileId {
        let id = FileId(self.next_id);
        self.next_id += 1;
        id
    }

    pub(crate) fn put(&mut self, file: OpenFile) {
        match self.files.binary_search_by_key(&file.id, |f| f.id) {
            Ok(index) => self.files[index] = file,
            Err(index) => self.files.insert(index, file),
        }
    }

    /// Closes a file. If it was the last, the mannequin replaces it.
    pub(crate) fn remove(&mut self, id: FileId) {
        self.files.retain(|file| file.id != id);
        if self.files.is_empty() {
            let id = self.new_id();
            self.files
                .push(OpenFile::stand_in(id, MadeFigure::Mannequin));
        }
    }

    pub(crate) fn remove_stand_in(&mut self) {
        if self.files.iter().any(|file| !file.is_stand_in) {
            self.files.retain(|file| !file.is_stand_in);
        }
    }
}

impl Default for Document {
    fn default() -> Self {
        Self::standing_in(MadeFigure::Mannequin)
    }
}
