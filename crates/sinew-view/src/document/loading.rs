//! Loads files in the background: first the bytes, then the character, then its rig.

use super::capture::captured;
use super::journal::hash;
use super::load_error::LoadError;
use super::made::MadeFigure;
use super::message::{Message, MessageKind};
use super::open_file::{FileId, OpenFile};
use super::stamp::Stamp;
use super::task::{Outcome, Progress, Stage, Task};
use sinew_io::{ImportError, import_at};
#[cfg(not(target_family = "wasm"))]
use std::fs::File;
#[cfg(not(target_family = "wasm"))]
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[cfg(not(target_family = "wasm"))]
const CHUNK_BYTES: u64 = 4 << 20;

/// Max number of files that are read at the same time.
const MAX_AT_ONCE: usize = 4;

/// File that is being loaded.
#[derive(Clone, Debug, PartialEq)]
pub struct Loading {
    /// Id that the file gets when it is open.
    pub file: FileId,
    /// Name that the window shows.
    pub name: String,
    /// Current step of loading.
    pub stage: Stage,
}

#[derive(Clone, Debug)]
pub(crate) enum Source {
    Path(PathBuf),
    Bytes(String, Arc<[u8]>),
    Made(MadeFigure),
}

impl Source {
    fn name(&self) -> String {
        match self {
            Self::Path(path) => {
                let name = path.file_name().unwrap_or(path.as_os_str());
                name.to_string_lossy().into_owned()
            }
            Self::Bytes(name, _) => name.clone(),
            Self::Made(figure) => figure.name().to_owned(),
        }
    }
}

#[derive(Debug, Default)]
pub(crate) struct Loads {
    waiting: Vec<Load>,
}

#[derive(Debug)]
struct Load {
    id: FileId,
    version: u32,
    source: Source,
    task: Option<Task<Result<OpenFile, LoadError>>>,
}

impl Loads {
    pub fn start(&mut self, id: FileId, version: u32, source: Source) {
        self.waiting.retain(|load| load.id != id);
        self.waiting.push(Load {
            id,
            version,
            source,
            task: None,
        });
    }

    pub fn cancel(&mut self) {
        self.waiting.clear();
    }

    /// Cancels one file.
    pub fn cancel_file(&mut self, id: FileId) {
        self.waiting.retain(|load| load.id != id);
    }

    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }

    /// Id of the file that is being loaded from a path.
    pub fn find(&self, path: &PathBuf) -> Option<FileId> {
        let is_it = |load: &&Load| matches!(&load.source, Source::Path(other) if other == path);
        self.waiting.iter().find(is_it).map(|load| load.id)
    }

    /// Files that are being loaded, in the order of the requests.
    pub fn list(&self) -> impl Iterator<Item = Loading> + '_ {
        self.waiting.iter().map(|load| Loading {
            file: load.id,
            name: load.source.name(),
            stage: load.task.as_ref().map_or(
                Stage {
                    name: "waiting",
                    fraction: None,
                },
                Task::stage,
            ),
        })
    }

    /// Returns the files that are ready. Does not wait.
    pub fn poll(&mut self) -> Vec<Result<OpenFile, Message>> {
        let mut finished = Vec::new();
        for load in self.waiting.iter_mut().take(MAX_AT_ONCE) {
            let task = load.task.get_or_insert_with(|| {
                let mut loader = Loader::new(load.id, load.version, load.source.clone());
                Task::start(move |progress| loader.step(progress))
            });
            let result = match task.poll() {
                Outcome::Working => continue,
                Outcome::Done(result) => result,
                Outcome::Lost => Err(LoadError::Lost),
            };
            let message = |error: LoadError| Message {
                kind: MessageKind::Problem,
                file: load.source.name(),
                text: error.to_string(),
                way_out: error.way_out().to_owned(),
            };
            finished.push((load.id, result.map_err(message)));
        }
        self.waiting
            .retain(|load| !finished.iter().any(|(id, _)| *id == load.id));
        finished.into_iter().map(|(_, result)| result).collect()
    }
}

struct Loader {
    id: FileId,
    version: u32,
    source: Source,
    #[cfg(not(target_family = "wasm"))]
    reader: Option<(File, u64)>,
    bytes: Vec<u8>,
    stamp: Option<Stamp>,
    hash: Option<u64>,
    is_read: bool,
}

impl Loader {
    fn new(id: FileId, version: u32, source: Source) -> Self {
        Self {
            id,
            version,
            source,
            #[cfg(not(target_family = "wasm"))]
            reader: None,
            bytes: Vec::new(),
            stamp: None,
            hash: None,
            is_read: false,
        }
    }

    fn step(&mut self, progress: &Progress) -> Option<Result<OpenFile, LoadError>> {
        if !self.is_read {
            return self.read(progress).map(Err);
        }
        progress.set("parsing", None);
        let opened = self.open(progress);
        Some(opened.map(|file| OpenFile {
            version: self.version,
            stamp: self.stamp,
            hash: self.hash,
            ..file
        }))
    }

    /// Reads the next chunk. Returns an error if the read fails.
    fn read(&mut self, progress: &Progress) -> Option<LoadError> {
        let path = match &self.source {
            Source::Made(_) => {
                self.is_read = true;
                return None;
            }
            Source::Bytes(_, bytes) => {
                self.bytes = bytes.to_vec();
                self.hash = Some(hash(bytes));
                self.is_read = true;
                return None;
            }
            Source::Path(path) => path.clone(),
        };
        self.read_path(&path, progress)
    }

    #[cfg(target_family = "wasm")]
    fn read_path(&mut self, path: &Path, _progress: &Progress) -> Option<LoadError> {
        match sinew_io::memory::take(path) {
            Ok(bytes) => self.bytes = bytes,
            Err(error) => return Some(error.into()),
        }
        self.is_read = true;
        None
    }

    #[cfg(not(target_family = "wasm"))]
    fn read_path(&mut self, path: &Path, progress: &Progress) -> Option<LoadError> {
        let (file, length) = match &mut self.reader {
            Some(reader) => reader,
            None => {
                // A folder gives a vague error when read, a pipe blocks, and a device never ends.
                let refused = |kind, why| Err(io::Error::new(kind, why));
                let opened = match std::fs::metadata(path) {
                    Ok(found) if found.is_dir() => {
                        refused(io::ErrorKind::IsADirectory, "this is a folder")
                    }
                    Ok(found) if !found.is_file() => {
                        refused(io::ErrorKind::InvalidInput, "this is not a file")
                    }
                    _ => File::open(path),
                };
                match opened.and_then(|file| Ok((file.metadata()?, file))) {
                    Ok((metadata, file)) => {
                        self.stamp = Some(Stamp::of(&metadata));
                        self.reader.insert((file, metadata.len()))
                    }
                    Err(error) => return Some(error.into()),
                }
            }
        };
        match file.take(CHUNK_BYTES).read_to_end(&mut self.bytes) {
            Ok(0) => {
                self.is_read = true;
                self.reader = None;
            }
            Ok(_) => {
                let fraction = self.bytes.len() as f32 / (*length).max(1) as f32;
                progress.set("reading", Some(fraction.min(1.0)));
            }
            Err(error) => return Some(error.into()),
        }
        None
    }

    fn open(&mut self, progress: &Progress) -> Result<OpenFile, LoadError> {
        let name = self.source.name();
        let bytes = std::mem::take(&mut self.bytes);
        let path = match &self.source {
            Source::Path(path) => Some(path.clone()),
            Source::Bytes(..) => None,
            Source::Made(figure) => {
                let file = OpenFile::new(self.id, name, figure.make())?;
                return Ok(OpenFile {
                    made: Some(*figure),
                    ..file
                });
            }
        };
        let size = bytes.len() as u64;
        let import = match import_at(&bytes, path.as_deref()) {
            Err(ImportError::Markers) => {
                let (character, report, capture) = captured(&bytes, &name, progress)?;
                let file = OpenFile::new(self.id, name, character)?;
                return Ok(OpenFile {
                    path,
                    bytes: size,
                    report,
                    capture: Some(Arc::new(capture)),
                    ..file
                });
            }
            import => import?,
        };
        drop(bytes);
        progress.set("preparing", None);
        let file = OpenFile::new(self.id, name, import.character)?;
        Ok(OpenFile {
            path,
            bytes: size,
            report: import.report,
            source: import.source.map(Arc::new),
            ..file
        })
    }
}
