use super::message::{Message, MessageKind};
use super::open_file::{FileId, OpenFile};
use super::stamp::Stamp;
use super::task::{Outcome, Progress, Task};
use serde::{Deserialize, Serialize};
use sinew::Character;
use sinew::clip::packed::PackedClip;
use sinew_io::bvh::{self, BvhOptions};
use sinew_io::gltf::{self, ExportOptions, SourceDocument};
use sinew_io::{Finding, Replacement, Severity};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Kind of file to export.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Export {
    /// Picture as PNG.
    Picture,
    /// Animated picture of the clip as GIF or APNG.
    Animation,
    /// Shown file as GLB or glTF, with all of its data.
    Glb,
    /// Current clip, packed, as a `.sinew` file.
    Packed,
}

/// Data of an exported file that is not a picture.
#[derive(Clone, Debug)]
pub(crate) enum Saving {
    Character(Arc<Character>, Option<Arc<SourceDocument>>),
    /// The skeleton and a clip.
    Bvh(Arc<Character>, Option<usize>),
    Packed(Arc<Character>, Arc<PackedClip<'static>>),
}

impl Saving {
    pub fn character(file: &OpenFile) -> Self {
        Self::Character(file.edited(), file.source.clone())
    }

    /// Same file with another character.
    pub fn with(self, character: Character) -> Self {
        match self {
            Self::Character(_, source) => Self::Character(Arc::new(character), source),
            Self::Bvh(_, clip) => Self::Bvh(Arc::new(character), clip),
            Self::Packed(..) => self,
        }
    }

    /// Writes the file. Returns the findings about parts of clips that the format does not hold.
    async fn write(&self, path: &Path) -> Result<Vec<String>, String> {
        match self {
            Self::Character(character, source) => {
                let source = source.as_deref();
                let options = ExportOptions::new().source(source);
                let written = gltf::write_in_steps(path, character, &options);
                let report = written.await.map_err(|error| error.to_string())?;
                let is_edit = |finding: &&Finding| {
                    let location = &finding.pointer;
                    let is_edit = location.starts_with("/animations") || location == "/extras";
                    is_edit && finding.severity == Severity::Ignored
                };
                let lost = report.findings.iter().filter(is_edit);
                Ok(lost.map(|finding| finding.message.clone()).collect())
            }
            Self::Bvh(character, clip) => {
                let options = BvhOptions::default().clip(*clip);
                let export = bvh::export(character, &options);
                let export = export.map_err(|error| error.to_string())?;
                let lost = "all but one clip as frames: a BVH file has no keys, tangents, layers, events, curves or meshes";
                replace(path, export.text.as_bytes()).map(|()| vec![lost.to_owned()])
            }
            Self::Packed(character, clip) => {
                let bytes = sinew_pack::file_bytes(&character.skeleton, &[clip]);
                let lost = "all but one clip, packed with an error of up to 0.1 mm: a .sinew file has no keys, tangents, layers or meshes";
                let written = replace(path, &bytes.map_err(|error| error.to_string())?);
                written.map(|()| vec![lost.to_owned()])
            }
        }
    }
}

fn replace(path: &Path, bytes: &[u8]) -> Result<(), String> {
    let written = Replacement::new(path).and_then(|mut file| {
        file.write_all(bytes)?;
        file.finish()
    });
    written.map_err(|error| error.to_string())
}

/// State of a file that a save writes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct SavedState {
    pub file: FileId,
    /// Position of the history. `None` without edits.
    pub position: Option<i64>,
    /// Serial number of the last step. 0 if there is none.
    pub serial: u64,
    /// Number of posed joints, which files do not hold.
    pub posed: usize,
}

/// A file that was saved.
#[derive(Clone, Debug)]
pub(crate) struct Saved {
    pub state: SavedState,
    pub path: PathBuf,
    pub stamp: Option<Stamp>,
    /// Parts of clips that were left out.
    pub lost: Vec<String>,
}

/// Parts of clips that were left out, and the stamp of the file.
type Written = (Vec<String>, Option<Stamp>);

#[derive(Debug)]
struct Save {
    path: PathBuf,
    task: Task<Result<Written, String>>,
    /// Message after success.
    written: String,
    /// State that is saved. `None` for a copy.
    state: Option<SavedState>,
}

#[derive(Debug, Default)]
pub(crate) struct Saves {
    under_way: Vec<Save>,
}

/// Results of the files that were written since the last call.
#[derive(Debug, Default)]
pub(crate) struct Outcomes {
    pub messages: Vec<Message>,
    pub saved: Vec<Saved>,
    /// Files that could not be saved.
    pub failed: Vec<FileId>,
}

impl Saves {
    pub fn start(
        &mut self,
        path: PathBuf,
        saving: Saving,
        written: String,
        state: Option<SavedState>,
    ) {
        let target = path.clone();
        let task = Task::work(async move |progress: Arc<Progress>| {
            progress.set("writing", None);
            let lost = saving.write(&target).await?;
            let stamp = std::fs::metadata(&target).ok();
            Ok((lost, stamp.map(|found| Stamp::of(&found))))
        });
        self.under_way.push(Save {
            path,
            task,
            written,
            state,
        });
    }

    pub fn is_busy(&self) -> bool {
        !self.under_way.is_empty()
    }

    /// True while a file is being saved.
    pub fn is_saving(&self, file: FileId) -> bool {
        let mut states = self.under_way.iter().filter_map(|save| save.state);
        states.any(|state| state.file == file)
    }

    /// Returns the files that were written since the last call. Does not wait.
    pub fn poll(&mut self) -> Outcomes {
        let mut outcomes = Outcomes::default();
        self.under_way.retain_mut(|save| {
            let result = match save.task.poll() {
                Outcome::Working => return true,
                Outcome::Done(result) => result,
                Outcome::Lost => Err("it failed because of a bug in this program".to_owned()),
            };
            match (result, save.state) {
                (Ok((lost, stamp)), Some(state)) => outcomes.saved.push(Saved {
                    state,
                    path: save.path.clone(),
                    stamp,
                    lost,
                }),
                (Ok((lost, _)), None) => outcomes.messages.push(Message {
                    kind: MessageKind::Notice,
                    file: save.path.display().to_string(),
                    text: std::mem::take(&mut save.written),
                    way_out: match lost.is_empty() {
                        true => String::new(),
                        false => format!("Without {}.", lost.join("; ")),
                    },
                }),
                (Err(text), state) => {
                    outcomes.failed.extend(state.map(|state| state.file));
                    outcomes.messages.push(Message {
                        kind: MessageKind::Problem,
                        file: save.path.display().to_string(),
                        text,
                        way_out: "The old file is unchanged; choose another location.".to_owned(),
                    });
                }
            }
            false
        });
        outcomes
    }
}
