use super::message::{Message, MessageKind};
use super::open_file::{FileId, OpenFile};
use super::task::{Outcome, Task};
use serde::{Deserialize, Serialize};
use sinew::Character;
use sinew::clip::packed::PackedClip;
use sinew_io::Replacement;
use sinew_io::bvh::{self, BvhOptions};
use sinew_io::gltf::{self, ExportOptions, SourceDocument};
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

    fn write(&self, path: &Path) -> Result<(), String> {
        match self {
            Self::Character(character, source) => {
                let source = source.as_deref();
                let written = gltf::write(path, character, &ExportOptions::new().source(source));
                written.map(|_| ()).map_err(|error| error.to_string())
            }
            Self::Bvh(character, clip) => {
                let options = BvhOptions::default().clip(*clip);
                let export = bvh::export(character, &options);
                let export = export.map_err(|error| error.to_string())?;
                replace(path, export.text.as_bytes())
            }
            Self::Packed(character, clip) => {
                let bytes = sinew_pack::file_bytes(&character.skeleton, &[clip]);
                replace(path, &bytes.map_err(|error| error.to_string())?)
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

#[derive(Debug)]
struct Save {
    path: PathBuf,
    task: Task<Result<(), String>>,
    /// Message after success.
    written: String,
    /// File that is saved, and the position of its history.
    saved: Option<(FileId, i64)>,
}

#[derive(Debug, Default)]
pub(crate) struct Saves {
    under_way: Vec<Save>,
}

impl Saves {
    pub fn start(
        &mut self,
        path: PathBuf,
        saving: Saving,
        written: String,
        saved: Option<(FileId, i64)>,
    ) {
        let target = path.clone();
        let task = Task::start(move |progress| {
            progress.set("writing", None);
            Some(saving.write(&target))
        });
        self.under_way.push(Save {
            path,
            task,
            written,
            saved,
        });
    }

    pub fn is_busy(&self) -> bool {
        !self.under_way.is_empty()
    }

    /// Reports the files that were written since the last call, and the histories that they save.
    pub fn poll(&mut self) -> (Vec<Message>, Vec<(FileId, i64)>) {
        let (mut messages, mut all_saved) = (Vec::new(), Vec::new());
        self.under_way.retain_mut(|save| {
            let result = match save.task.poll() {
                Outcome::Working => return true,
                Outcome::Done(result) => result,
                Outcome::Lost => Err("it failed because of a bug in this program".to_owned()),
            };
            let file = save.path.display().to_string();
            messages.push(match result {
                Ok(()) => {
                    all_saved.extend(save.saved);
                    Message {
                        kind: MessageKind::Notice,
                        file,
                        text: std::mem::take(&mut save.written),
                        way_out: String::new(),
                    }
                }
                Err(text) => Message {
                    kind: MessageKind::Problem,
                    file,
                    text,
                    way_out: "The old file is unchanged; choose another location.".to_owned(),
                },
            });
            false
        });
        (messages, all_saved)
    }
}
