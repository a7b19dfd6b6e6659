//! Loads files in the background: first the bytes, then the character, then its rig.

use super::capture::captured;
use super::journal::hash;
use super::load_error::LoadError;
use super::message::{Message, MessageKind};
use super::open_file::{FileId, OpenFile};
use super::stamp::Stamp;
use super::task::{Outcome, Progress, Stage, Task};
use sinew::steps::pause;
use sinew_io::{ImportError, import_in_steps};
use sinew_samples::Figure as MadeFigure;
#[cfg(not(target_family = "wasm"))]
use std::fs::File;
#[cfg(not(target_family = "wasm"))]
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[cfg(not(target_family = "wasm"))]
const CHUNK_BYTES: u64 = 4 << 20;

/// Max number of files that are read at the same time. Without threads, each would take its share of a frame.
const MAX_AT_ONCE: usize = if cfg!(target_family = "wasm") { 1 } else { 4 };

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
                let (id, version, source) = (load.id, load.version, load.source.clone());
                Task::work(|progress| self::load(id, version, source, progress))
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

/// Bytes of a file, with what tells its version.
#[derive(Default)]
struct Content {
    bytes: Vec<u8>,
    stamp: Option<Stamp>,
    /// Hash of bytes without a path.
    hash: Option<u64>,
}

async fn load(
    id: FileId,
    version: u32,
    source: Source,
    progress: Arc<Progress>,
) -> Result<OpenFile, LoadError> {
    let name = source.name();
    let (path, read) = match source {
        Source::Made(figure) => {
            progress.set("preparing", None);
            let file = OpenFile::prepare(id, name, figure.make_in_steps().await).await?;
            return Ok(OpenFile {
                made: Some(figure),
                version,
                ..file
            });
        }
        Source::Bytes(_, bytes) => {
            let read = Content {
                bytes: bytes.to_vec(),
                stamp: None,
                hash: Some(hash(&bytes)),
            };
            (None, read)
        }
        Source::Path(path) => {
            let read = read_path(&path, &progress).await?;
            (Some(path), read)
        }
    };
    progress.set("parsing", None);
    pause().await;
    let file = open(id, name, path, read.bytes, &progress).await?;
    Ok(OpenFile {
        version,
        stamp: read.stamp,
        hash: read.hash,
        ..file
    })
}

#[cfg(target_family = "wasm")]
#[expect(clippy::unused_async)] // as with a disk
async fn read_path(path: &Path, _progress: &Progress) -> Result<Content, LoadError> {
    Ok(Content {
        bytes: sinew_io::memory::take(path)?,
        ..Content::default()
    })
}

#[cfg(not(target_family = "wasm"))]
async fn read_path(path: &Path, progress: &Progress) -> Result<Content, LoadError> {
    // A folder gives a vague error when read, a pipe blocks, and a device never ends.
    let refused = |kind, why| Err(io::Error::new(kind, why));
    let opened = match std::fs::metadata(path) {
        Ok(found) if found.is_dir() => refused(io::ErrorKind::IsADirectory, "this is a folder"),
        Ok(found) if !found.is_file() => refused(io::ErrorKind::InvalidInput, "this is not a file"),
        _ => File::open(path),
    };
    let mut file = opened?;
    let metadata = file.metadata()?;
    let mut read = Content {
        stamp: Some(Stamp::of(&metadata)),
        ..Content::default()
    };
    while file
        .by_ref()
        .take(CHUNK_BYTES)
        .read_to_end(&mut read.bytes)?
        > 0
    {
        let fraction = read.bytes.len() as f32 / metadata.len().max(1) as f32;
        progress.set("reading", Some(fraction.min(1.0)));
        pause().await;
    }
    Ok(read)
}

async fn open(
    id: FileId,
    name: String,
    path: Option<PathBuf>,
    bytes: Vec<u8>,
    progress: &Progress,
) -> Result<OpenFile, LoadError> {
    let size = bytes.len() as u64;
    let import = match import_in_steps(&bytes, path.as_deref()).await {
        Err(ImportError::Markers) => {
            let (character, report, capture) = captured(&bytes, &name, progress)?;
            let file = OpenFile::prepare(id, name, character).await?;
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
    let file = OpenFile::prepare(id, name, import.character).await?;
    Ok(OpenFile {
        path,
        bytes: size,
        report: import.report,
        source: import.source.map(Arc::new),
        ..file
    })
}
