//! What is open: files, their characters, and what was found on reading them.

mod capture;
mod loading;
mod made;
mod measured;
mod packed;
mod saving;
mod task;
mod watching;

pub use loading::{Loading, Message, MessageKind};
pub use measured::{Deformation, DeformationCurve, Measure, WorstMoment};
pub use packed::PackedMotion;
pub use saving::Export;
pub use task::{Progress, Stage, Work};

pub(crate) use loading::{Loads, Source};
pub(crate) use measured::measure_deformation;
pub(crate) use packed::pack_motion;
pub(crate) use saving::{Saves, Saving};
pub(crate) use task::{Outcome, Results, Task};
pub(crate) use watching::{FileChange, Watch};

use serde::{Deserialize, Serialize};
use sinew::markers::Trial;
use sinew::{Character, Method, Rig, RigError};
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
    /// Where it lies; nowhere when it was made by code, or came as bytes.
    pub path: Option<PathBuf>,
    /// The name of the figure, when it was made by code.
    pub made: Option<MadeFigure>,
    /// How large it is.
    pub bytes: u64,
    /// What is in it.
    pub character: Arc<Character>,
    /// What plays it, by dual quaternions; other methods are prepared when a pane asks for them.
    pub rig: Rig,
    /// What was found on reading it.
    pub report: FileReport,
    /// The document, when it is glTF, so that it can be saved without loss.
    pub source: Option<Arc<gltf::SourceDocument>>,
    /// What cameras saw, when it is a capture.
    pub capture: Option<Arc<Captured>>,
    /// How much there is to draw.
    pub size: Size,
    /// How often it was read again: another number, another character.
    pub version: u32,
    /// Whether it is there only because nothing else is.
    pub is_stand_in: bool,
    /// When it was changed before it was read, and how long it was then.
    pub(crate) stamp: Option<watching::Stamp>,
}

/// How much of a character there is to draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Of all meshes.
    pub vertices: usize,
    /// Of all meshes.
    pub triangles: usize,
    /// The most that a vertex has; `None` where nothing is skinned.
    pub max_influences: Option<usize>,
}

impl Size {
    fn of(character: &Character) -> Self {
        let primitives = || character.meshes.iter().flat_map(|m| &m.primitives);
        let influences = primitives().filter_map(|p| p.influences.as_ref());
        Self {
            vertices: primitives().map(|p| p.len()).sum(),
            triangles: primitives().map(|p| p.triangles().count()).sum(),
            max_influences: influences.map(|i| i.max_per_vertex()).max(),
        }
    }
}

/// The markers of a capture, and where they sit on the body.
#[derive(Clone, Debug, PartialEq)]
pub struct Captured {
    /// Where they were seen, in the body's frame of reference.
    pub trial: Trial,
    /// Where each of them sits; of labels that the marker set does not have, nowhere.
    pub on_body: Vec<Option<MarkerPlace>>,
}

/// Where a marker sits on the body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MarkerPlace {
    /// The joint that it moves with.
    pub joint: usize,
    /// In the joint's frame.
    pub offset: glam::Vec3,
}

/// A figure made by code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MadeFigure {
    /// A person with a sword, who walks, runs, waves and fences.
    Mannequin,
    /// A person of ten parts, who walks.
    Humanoid,
    /// A limb of two joints, which twists and bends.
    Tube,
}

/// What is open. There is always a file: without one of the user's, the mannequin.
#[derive(Clone, Debug)]
pub struct Document {
    files: Vec<OpenFile>,
    next_id: u32,
}

impl Document {
    /// Nothing of the user's, but a figure in its place.
    pub(crate) fn standing_in(figure: MadeFigure) -> Self {
        Self {
            files: vec![OpenFile::stand_in(FileId(0), figure)],
            next_id: 1,
        }
    }

    /// The files in the order in which they were opened.
    pub fn files(&self) -> &[OpenFile] {
        &self.files
    }

    /// One of them.
    pub fn file(&self, id: FileId) -> Option<&OpenFile> {
        self.files.iter().find(|file| file.id == id)
    }

    /// A number for a file that is about to be opened.
    pub(crate) fn new_id(&mut self) -> FileId {
        let id = FileId(self.next_id);
        self.next_id += 1;
        id
    }

    /// Takes in a file that was read, in the place of the one with its number, or among the others by it.
    pub(crate) fn put(&mut self, file: OpenFile) {
        match self.files.binary_search_by_key(&file.id, |f| f.id) {
            Ok(place) => self.files[place] = file,
            Err(place) => self.files.insert(place, file),
        }
    }

    /// Closes a file. Where none is left, the stand-in comes.
    pub(crate) fn remove(&mut self, id: FileId) {
        self.files.retain(|file| file.id != id);
        if self.files.is_empty() {
            let id = self.new_id();
            self.files
                .push(OpenFile::stand_in(id, MadeFigure::Mannequin));
        }
    }

    /// Closes the stand-in when there is another file.
    pub(crate) fn remove_stand_in(&mut self) {
        if self.files.iter().any(|file| !file.is_stand_in) {
            self.files.retain(|file| !file.is_stand_in);
        }
    }
}

impl OpenFile {
    /// A file of a character alone.
    pub(crate) fn new(id: FileId, name: String, character: Character) -> Result<Self, RigError> {
        let rig = Rig::new(&character, Method::DualQuat)?;
        Ok(Self {
            id,
            name,
            path: None,
            made: None,
            bytes: 0,
            size: Size::of(&character),
            character: Arc::new(character),
            rig,
            report: FileReport::default(),
            source: None,
            capture: None,
            version: 0,
            is_stand_in: false,
            stamp: None,
        })
    }

    /// A figure for want of a file.
    fn stand_in(id: FileId, figure: MadeFigure) -> Self {
        let made = Self::new(id, figure.name().to_owned(), figure.make());
        Self {
            made: Some(figure),
            is_stand_in: true,
            ..made.expect("figures made by code are rigs")
        }
    }

    /// The clip that plays when it is shown.
    pub(crate) fn first_clip(&self) -> Option<usize> {
        let walk = self.made.and_then(|_| self.character.find_clip("walk"));
        walk.or((!self.character.clips.is_empty()).then_some(0))
    }

    /// How long a clip is; 0 for the rest pose, and for a length that makes no sense.
    pub fn duration_secs(&self, clip: Option<usize>) -> f64 {
        let clip = clip.and_then(|clip| self.character.clips.get(clip));
        let duration = clip.map_or(0.0, |clip| f64::from(clip.duration_secs));
        match duration.is_finite() {
            true => duration.max(0.0),
            false => 0.0,
        }
    }
}

impl Default for Document {
    fn default() -> Self {
        Self::standing_in(MadeFigure::Mannequin)
    }
}
