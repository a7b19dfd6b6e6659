//! What is open: files, their characters, and what was found on reading them.

use serde::{Deserialize, Serialize};
use sinew::Character;
use sinew_io::{FileReport, gltf};
use std::path::PathBuf;
use std::sync::Arc;

/// The number of an open file. It is never given to another one.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
pub struct FileId(pub u32);

/// A file that is open.
#[derive(Clone, Debug)]
pub struct OpenFile {
    /// Its number.
    pub id: FileId,
    /// How it is called in the window.
    pub name: String,
    /// Where it lies; nowhere when it was made by code.
    pub path: Option<PathBuf>,
    /// How large it is.
    pub bytes: u64,
    /// What is in it.
    pub character: Arc<Character>,
    /// What was found on reading it.
    pub report: FileReport,
    /// The document, when it is glTF, so that it can be saved without loss.
    pub source: Option<Arc<gltf::SourceDocument>>,
    /// How often it was read: another number, another character.
    pub version: u32,
}

/// What is open. There is always a file: without one of the user's, the mannequin.
#[derive(Clone, Debug)]
pub struct Document {
    files: Vec<OpenFile>,
}

impl Document {
    /// The files in the order in which they were opened.
    pub fn files(&self) -> &[OpenFile] {
        &self.files
    }

    /// One of them.
    pub fn file(&self, id: FileId) -> Option<&OpenFile> {
        self.files.iter().find(|file| file.id == id)
    }
}

impl Default for Document {
    fn default() -> Self {
        let character = sinew_samples::mannequin::Mannequin::default().build();
        Self {
            files: vec![OpenFile {
                id: FileId(0),
                name: "mannequin".to_owned(),
                path: None,
                bytes: 0,
                character: Arc::new(character),
                report: FileReport::default(),
                source: None,
                version: 0,
            }],
        }
    }
}
