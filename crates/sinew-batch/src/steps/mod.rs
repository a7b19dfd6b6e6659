//! Steps of recipes: the verbs of the program, with the same names and options.

pub mod clean;
pub mod clip;
pub mod compress;
pub mod convert;
pub mod markers;
pub mod measure;
pub mod mocap;
pub mod retarget;

use crate::error::StepError;
use clean::Clean;
use clip::{EditClips, Editing};
use compress::Compress;
use convert::Convert;
use markers::read_markers;
use measure::Measure;
use mocap::{Capturer, Mocap};
use retarget::{Receiver, Retarget, mannequin, read_map};
use serde::Deserialize;
use sinew_io::{Import, c3d, import_at};
use std::path::{Path, PathBuf};

/// Names of all steps.
pub const VERBS: [&str; 7] = [
    "clean", "clip", "compress", "convert", "measure", "mocap", "retarget",
];

/// A verb of the program with its options.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Step {
    /// Cleans captured motion.
    Clean(Clean),
    /// Edits clips, and copies clips from other files.
    Clip(EditClips),
    /// Packs clips into a `.sinew` file.
    Compress(Compress),
    /// Writes glTF or BVH.
    Convert(Convert),
    /// Measures motion.
    Measure(Measure),
    /// Fits a body to the markers of a C3D file.
    Mocap(Mocap),
    /// Transfers motions to another character.
    Retarget(Retarget),
}

/// Reads a file that a step names, and says where it lies. The error names the file.
pub(crate) type Read<'a> = dyn FnMut(&Path) -> Result<(Vec<u8>, PathBuf), String> + 'a;

/// What all inputs of a step share.
#[derive(Debug)]
pub(crate) enum Ready {
    Nothing,
    Editing(Editing),
    Capturer(Capturer),
    Receiver(Receiver),
}

/// Reads a character. `mannequin` means the built-in character, made by `figure`, if no file has this name.
fn character(
    path: &Path,
    read: &mut Read<'_>,
    figure: fn() -> Import,
) -> Result<Import, StepError> {
    match read(path) {
        Ok((bytes, there)) => import_at(&bytes, Some(&there)).map_err(|e| of_file(path, &e)),
        Err(_) if path.as_os_str() == "mannequin" => Ok(figure()),
        Err(text) => Err(StepError::Refused(text)),
    }
}

fn of_file(path: &Path, error: &impl std::fmt::Display) -> StepError {
    StepError::Refused(format!("{}: {error}", path.display()))
}

fn prepared_clips(clip: &EditClips, read: &mut Read<'_>) -> Result<Editing, StepError> {
    // Both functions below read.
    let read = std::cell::RefCell::new(read);
    let bytes = |path: &Path| (*read.borrow_mut())(path).map_err(StepError::Refused);
    clip.editing(
        &[],
        |path| {
            let (bytes, there) = bytes(path)?;
            import_at(&bytes, Some(&there)).map_err(|e| of_file(path, &e))
        },
        |path| {
            let text = String::from_utf8(bytes(path)?.0);
            text.map_err(|_| of_file(path, &"it is not text"))
        },
    )
}

impl Step {
    /// Reads the options of a verb. `None` if there is no such verb.
    pub(crate) fn read<'de, D: serde::Deserializer<'de>>(
        verb: &str,
        options: D,
    ) -> Option<Result<Self, D::Error>> {
        Some(match verb {
            "clean" => Clean::deserialize(options).map(Self::Clean),
            "clip" => EditClips::deserialize(options).map(Self::Clip),
            "compress" => Compress::deserialize(options).map(Self::Compress),
            "convert" => Convert::deserialize(options).map(Self::Convert),
            "measure" => Measure::deserialize(options).map(Self::Measure),
            "mocap" => Mocap::deserialize(options).map(Self::Mocap),
            "retarget" => Retarget::deserialize(options).map(Self::Retarget),
            _ => return None,
        })
    }

    /// Name of the verb.
    pub fn verb(&self) -> &'static str {
        match self {
            Self::Clean(_) => "clean",
            Self::Clip(_) => "clip",
            Self::Compress(_) => "compress",
            Self::Convert(_) => "convert",
            Self::Measure(_) => "measure",
            Self::Mocap(_) => "mocap",
            Self::Retarget(_) => "retarget",
        }
    }

    /// Extensions of the output. Empty if there is none.
    pub fn extensions(&self) -> &'static [&'static str] {
        match self {
            Self::Clean(_) | Self::Convert(_) => &["bvh", "glb", "gltf", "vrm"],
            Self::Compress(_) => &["sinew"],
            Self::Measure(_) => &[],
            Self::Clip(_) | Self::Mocap(_) | Self::Retarget(_) => &["glb", "gltf", "vrm"],
        }
    }

    /// True if the result is only a file, which no other step can take.
    pub fn is_end(&self) -> bool {
        matches!(self, Self::Compress(_) | Self::Convert(_))
    }

    /// True if the step does something without an output.
    pub fn measures(&self) -> bool {
        matches!(self, Self::Measure(_))
    }

    /// True if the step reads the bytes of the input itself, and can take from nothing else.
    pub fn reads_markers(&self) -> bool {
        matches!(self, Self::Mocap(_))
    }

    /// Files that the options name.
    pub fn files(&self) -> Vec<PathBuf> {
        match self {
            Self::Clip(clip) => clip.files().map(Path::to_owned).collect(),
            Self::Mocap(mocap) => {
                let more = mocap.markers.iter().chain(&mocap.still);
                std::iter::once(&mocap.onto).chain(more).cloned().collect()
            }
            Self::Retarget(retarget) => {
                let both = std::iter::once(&retarget.onto).chain(&retarget.map);
                both.cloned().collect()
            }
            Self::Clean(_) | Self::Compress(_) | Self::Convert(_) | Self::Measure(_) => Vec::new(),
        }
    }

    /// Prepares what all inputs share. `read` reads a file that the options name, and says where it lies.
    pub(crate) fn ready(&self, read: &mut Read<'_>) -> Result<Ready, StepError> {
        Ok(match self {
            Self::Clip(clip) => Ready::Editing(prepared_clips(clip, read)?),
            Self::Mocap(mocap) => {
                let onto = character(&mocap.onto, read, mocap::figure)?;
                let markers = mocap.markers.as_ref().map(|path| {
                    let (bytes, _) = read(path).map_err(StepError::Refused)?;
                    read_markers(&bytes, &path.display().to_string())
                });
                let still = mocap.still.as_ref().map(|path| {
                    let (bytes, _) = read(path).map_err(StepError::Refused)?;
                    let import = c3d::import_bytes(&bytes).map_err(|e| of_file(path, &e))?;
                    Ok::<_, StepError>(import.trial)
                });
                Ready::Capturer(mocap.capturer(onto, markers.transpose()?, still.transpose()?))
            }
            Self::Retarget(retarget) => {
                let onto = character(&retarget.onto, read, mannequin)?;
                let map = retarget.map.as_ref().map(|path| {
                    let (bytes, _) = read(path).map_err(StepError::Refused)?;
                    read_map(&bytes, &path.display().to_string())
                });
                Ready::Receiver(retarget.receiver(onto, map.transpose()?))
            }
            Self::Clean(_) | Self::Compress(_) | Self::Convert(_) | Self::Measure(_) => {
                Ready::Nothing
            }
        })
    }

    /// Checks options that exclude each other, and those that suit only some outputs.
    pub(crate) fn check(&self, extension: Option<&str>) -> Result<(), &'static str> {
        match self {
            Self::Clean(clean) => clean.check(),
            Self::Clip(clip) => clip.check(),
            Self::Convert(convert) => extension.map_or(Ok(()), |end| convert.check(end)),
            Self::Measure(measure) => measure.check(),
            Self::Retarget(retarget) if retarget.onto.as_os_str().is_empty() => Err(
                "`retarget` needs a character; add `onto = \"hero.glb\"`, or `onto = \"mannequin\"`",
            ),
            Self::Compress(_) | Self::Mocap(_) | Self::Retarget(_) => Ok(()),
        }
    }
}
