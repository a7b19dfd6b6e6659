use super::journal::Journal;
use super::open_file::FileId;
use sinew_edit::Editor;
use std::collections::BTreeMap;
use std::path::PathBuf;

/// Editors of the open files, and the journals of their edits.
#[derive(Debug, Default)]
pub(crate) struct Edits {
    pub editors: BTreeMap<FileId, Editor>,
    pub journals: BTreeMap<FileId, Journal>,
    /// Folder of the journals. `None` to write none.
    pub folder: Option<PathBuf>,
    /// File whose unsaved edits the user was told about. The next request discards them.
    pub warned: Option<FileId>,
}
