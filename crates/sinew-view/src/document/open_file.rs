use super::capture::Captured;
use super::stamp::Stamp;
use serde::{Deserialize, Serialize};
use sinew::steps::{finish, pause};
use sinew::{Character, Clip, Rig, RigError, Transform};
use sinew_edit::{Document, Motion};
use sinew_io::{FileReport, gltf};
use sinew_samples::Figure as MadeFigure;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

/// Id of an open file. Ids are never reused.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
pub struct FileId(pub u32);

/// Open file with its character and rig.
#[derive(Clone, Debug)]
pub struct OpenFile {
    /// Unique id.
    pub id: FileId,
    /// Name that the window shows.
    pub name: String,
    /// Path on disk, `None` for figures made by code and for bytes.
    pub path: Option<PathBuf>,
    /// Kind of figure, if code made it.
    pub made: Option<MadeFigure>,
    /// Length of the file in bytes.
    pub bytes: u64,
    /// Skeleton, meshes, clips and materials.
    pub character: Arc<Character>,
    /// Rig for the method of the character. Panes prepare the rigs of other methods.
    pub rig: Rig,
    /// Findings of the import.
    pub report: FileReport,
    /// Original glTF document, for export without loss.
    pub source: Option<Arc<gltf::SourceDocument>>,
    /// Markers, if the file is a motion capture.
    pub capture: Option<Arc<Captured>>,
    /// Counts of vertices, triangles and influences.
    pub size: Size,
    /// Clips with their layers, as they are now. [`OpenFile::character`] has those that were opened.
    pub motions: Vec<Arc<Motion>>,
    /// Joints that are posed by hand and not keyed, relative to their parents.
    pub pose: Arc<BTreeMap<usize, Transform>>,
    /// Number of edits since the file was opened, including those undone and redone.
    pub edits: u64,
    /// Number of reloads. Each reload gives a new character.
    pub version: u32,
    /// True for a figure that is shown only until a file is open.
    pub is_stand_in: bool,
    pub(crate) stamp: Option<Stamp>,
    /// Hash of the content, if the file has no path.
    pub(crate) hash: Option<u64>,
}

/// Counts of the geometry of a character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Size {
    /// Number of vertices of all meshes.
    pub vertices: usize,
    /// Number of triangles of all meshes.
    pub triangles: usize,
    /// Max number of influences of a vertex. `None` without a skin.
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
    /// Prepares the rig of a character, in [steps](sinew::steps).
    pub(super) async fn prepare(
        id: FileId,
        name: String,
        character: Character,
    ) -> Result<Self, RigError> {
        let rig = Rig::new_in_steps(&character, character.method()).await?;
        pause().await;
        let size = Size::of(&character);
        let document = Document::new(character);
        Ok(Self {
            id,
            name,
            path: None,
            made: None,
            bytes: 0,
            size,
            character: document.opened().clone(),
            motions: document.motions().to_vec(),
            pose: document.pose().clone(),
            edits: 0,
            rig,
            report: FileReport::default(),
            source: None,
            capture: None,
            version: 0,
            is_stand_in: false,
            stamp: None,
            hash: None,
        })
    }

    pub(super) fn stand_in(id: FileId, figure: MadeFigure) -> Self {
        let character = figure.make();
        let made = finish(Self::prepare(id, figure.name().to_owned(), character));
        Self {
            made: Some(figure),
            is_stand_in: true,
            ..made.expect("figures made by code are rigs")
        }
    }

    pub(crate) fn first_clip(&self) -> Option<usize> {
        let walk = || self.clips().position(|clip| clip.name == "walk");
        let walk = self.made.and_then(|_| walk());
        walk.or((!self.motions.is_empty()).then_some(0))
    }

    /// Clips as they are now.
    pub fn clips(&self) -> impl ExactSizeIterator<Item = &Clip> {
        self.motions.iter().map(|motion| &motion.clip)
    }

    /// Clip as it is now.
    pub fn clip(&self, clip: usize) -> Option<&Clip> {
        self.motions.get(clip).map(|motion| &motion.clip)
    }

    /// Number of morph targets of the mesh of a node. 0 without such a node.
    pub fn morph_targets(&self, node: usize) -> usize {
        let mesh = self.character.nodes.get(node).and_then(|node| node.mesh);
        let mesh = mesh.and_then(|mesh| self.character.meshes.get(mesh));
        mesh.map_or(0, |mesh| mesh.morph_targets())
    }

    /// Character with the clips as they are now. Copies the meshes if there were edits.
    pub fn edited(&self) -> Arc<Character> {
        if self.edits == 0 {
            return self.character.clone();
        }
        let layers = self
            .motions
            .iter()
            .enumerate()
            .filter_map(|(clip, motion)| {
                let layers = motion.layers.clone()?;
                Some(sinew::clip::ClipLayers { clip, ..layers })
            });
        Arc::new(Character {
            clips: self.clips().cloned().collect(),
            layers: layers.collect(),
            ..Character::clone(&self.character)
        })
    }

    pub(crate) fn take_edits(&mut self, document: &Document) {
        self.motions = document.motions().to_vec();
        self.pose = document.pose().clone();
        self.edits += 1;
    }

    /// Duration of a clip, in seconds. 0 for the rest pose and for invalid durations.
    pub fn duration_secs(&self, clip: Option<usize>) -> f64 {
        let clip = clip.and_then(|clip| self.clip(clip));
        let duration = clip.map_or(0.0, |clip| f64::from(clip.duration_secs));
        if duration.is_finite() {
            duration.max(0.0)
        } else {
            0.0
        }
    }
}
