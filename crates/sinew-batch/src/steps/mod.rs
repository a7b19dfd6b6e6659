//! Steps of recipes: the verbs of the program, with the same names and options.

pub mod clean;
pub mod compress;
pub mod convert;
pub mod measure;
pub mod retarget;

use clean::Clean;
use compress::Compress;
use convert::Convert;
use measure::Measure;
use retarget::Retarget;
use serde::Deserialize;

/// Names of all steps.
pub const VERBS: [&str; 5] = ["clean", "compress", "convert", "measure", "retarget"];

/// A verb of the program with its options.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Step {
    /// Cleans captured motion.
    Clean(Clean),
    /// Packs clips into a `.sinew` file.
    Compress(Compress),
    /// Writes glTF or BVH.
    Convert(Convert),
    /// Measures motion.
    Measure(Measure),
    /// Transfers motions to another character.
    Retarget(Retarget),
}

impl Step {
    /// Reads the options of a verb. `None` if there is no such verb.
    pub(crate) fn read<'de, D: serde::Deserializer<'de>>(
        verb: &str,
        options: D,
    ) -> Option<Result<Self, D::Error>> {
        Some(match verb {
            "clean" => Clean::deserialize(options).map(Self::Clean),
            "compress" => Compress::deserialize(options).map(Self::Compress),
            "convert" => Convert::deserialize(options).map(Self::Convert),
            "measure" => Measure::deserialize(options).map(Self::Measure),
            "retarget" => Retarget::deserialize(options).map(Self::Retarget),
            _ => return None,
        })
    }

    /// Name of the verb.
    pub fn verb(&self) -> &'static str {
        match self {
            Self::Clean(_) => "clean",
            Self::Compress(_) => "compress",
            Self::Convert(_) => "convert",
            Self::Measure(_) => "measure",
            Self::Retarget(_) => "retarget",
        }
    }

    /// Extensions of the output. Empty if there is none.
    pub fn extensions(&self) -> &'static [&'static str] {
        match self {
            Self::Clean(_) | Self::Convert(_) => &["bvh", "glb", "gltf", "vrm"],
            Self::Compress(_) => &["sinew"],
            Self::Measure(_) => &[],
            Self::Retarget(_) => &["glb", "gltf", "vrm"],
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

    /// Checks options that exclude each other, and those that suit only some outputs.
    pub(crate) fn check(&self, extension: Option<&str>) -> Result<(), &'static str> {
        match self {
            Self::Clean(clean) => clean.check(),
            Self::Convert(convert) => extension.map_or(Ok(()), |end| convert.check(end)),
            Self::Measure(measure) => measure.check(),
            Self::Retarget(retarget) if retarget.onto.as_os_str().is_empty() => Err(
                "`retarget` needs a character; add `onto = \"hero.glb\"`, or `onto = \"mannequin\"`",
            ),
            Self::Compress(_) | Self::Retarget(_) => Ok(()),
        }
    }
}
