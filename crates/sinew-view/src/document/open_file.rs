//! A file that is open.

use super::capture::Captured;
use super::made::MadeFigure;
use super::stamp::Stamp;
use serde::{Deserialize, Serialize};
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
    /// Name in the window.
    pub name: String,
    /// Location on disk; none when it was made by code, or came as bytes.
    pub path: Option<PathBuf>,
    /// The name of the figure, when it was made by code.
    pub made: Option<MadeFigure>,
    /// Length of the file.
    pub bytes: u64,
    /// The content.
    pub character: Arc<Character>,
    /// The rig that plays it, by dual quaternions; other methods are prepared when a pane asks for them.
    pub rig: Rig,
    /// Findings on reading it.
    pub report: FileReport,
    /// The document, when it is glTF, so that it can be saved without loss.
    pub source: Option<Arc<gltf::SourceDocument>>,
    /// Markers, when it is a capture.
    pub capture: Option<Arc<Captured>>,
    /// Counts of what there is to draw.
    pub size: Size,
    /// Number of times that it was read again: another number, another character.
    pub version: u32,
    /// True where it is there only because nothing else is.
    pub is_stand_in: bool,
    /// Its state on disk before it was read.
    pub(crate) stamp: Option<Stamp>,
}

/// Counts of what there is to draw of a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Vertices of all meshes.
    pub vertices: usize,
    /// Triangles of all meshes.
    pub triangles: usize,
    /// Max number of influences of a vertex; `None` where nothing is skinned.
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
    pub(super) fn stand_in(id: FileId, figure: MadeFigure) -> Self {
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

    /// Length of a clip; 0 for the rest pose, and for a length that makes no sense.
    pub fn duration_secs(&self, clip: Option<usize>) -> f64 {
        let clip = clip.and_then(|clip| self.character.clips.get(clip));
        let duration = clip.map_or(0.0, |clip| f64::from(clip.duration_secs));
        if duration.is_finite() {
            duration.max(0.0)
        } else {
            0.0
        }
    }
}
