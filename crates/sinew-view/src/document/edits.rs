use super::journal::Journal;
use super::open_file::FileId;
use super::stamp::Stamp;
use sinew_edit::Editor;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Editors of the open files, the journals of their edits, and what is saved of them.
#[derive(Debug, Default)]
pub(crate) struct Edits {
    pub editors: BTreeMap<FileId, Editor>,
    pub journals: BTreeMap<FileId, Journal>,
    /// Folder of the journals. `None` to write none.
    pub folder: Option<PathBuf>,
    /// True while edits of a journal are run, which stay in that journal until all are done.
    pub is_recovering: bool,
    /// Serial number of the last step that is in the file on disk. Not there if the file is as it was opened.
    pub bases: BTreeMap<FileId, u64>,
    /// Path that a file was saved to, and its stamp then.
    pub saved_to: BTreeMap<FileId, (PathBuf, Option<Stamp>)>,
    /// Position of the history at which a file was saved without a part of it.
    pub incomplete: BTreeMap<FileId, i64>,
}
