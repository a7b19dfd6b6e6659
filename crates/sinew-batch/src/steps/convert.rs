//! `convert`: writes a character as glTF or BVH.

use crate::clips::find_clip;
use crate::error::StepError;
use crate::notation::{Scale, some_rate};
use crate::units;
use serde::Deserialize;
use sinew_io::bvh::{self, BvhExport, BvhOptions, MovedOffsets};
use sinew_io::gltf::{self, Export, ExportOptions};
use sinew_io::{Format, Import};

/// Options of conversion.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Convert {
    /// Metres per unit of the file, such as 0.01 for centimetres. All lengths in the file are multiplied by this factor
    /// first. `auto` uses the unit that the file states. If the file states none, `auto` uses a unit that makes the
    /// skeleton as tall as a person
    #[cfg_attr(
        feature = "clap",
        arg(
            long,
            value_name = "FACTOR",
            default_value_t = Convert::default().scale,
            allow_negative_numbers = true
        )
    )]
    pub scale: Scale,
    /// The clip to write to a .bvh, by name or number. Default: the first clip
    #[cfg_attr(feature = "clap", arg(long, value_name = "CLIP"))]
    pub clip: Option<String>,
    /// Frames per second of a .bvh. Default: the rate of the keys of the clip, or 60 if they are not evenly spaced
    #[serde(deserialize_with = "some_rate")]
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "RATE", allow_negative_numbers = true, value_parser = crate::notation::rate)
    )]
    pub fps: Option<f64>,
    /// The OFFSET of joints with position channels in a .bvh. `zero`: all programs show the same motion, although
    /// three.js adds positions to offsets and other programs replace offsets. `rest`: the rest positions. Default:
    /// `rest` if the input is a .bvh, otherwise `zero`
    #[cfg_attr(feature = "clap", arg(long, value_enum, value_name = "WHICH"))]
    pub offsets: Option<Offsets>,
    /// Compress meshes and clips of a .glb, .gltf or .vrm with `EXT_meshopt_compression`. Positions are rounded to
    /// 2^-14 of the size of the mesh, texture coordinates to 2^-12, normals and weights to 8 bits, rotations to 12
    /// bits. Tracks that keep joints at rest are removed
    #[cfg_attr(feature = "clap", arg(long, value_enum, value_name = "HOW"))]
    pub compress: Option<Compression>,
}

/// Offset of a joint with position channels in a BVH file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Offsets {
    /// Zero.
    #[cfg_attr(feature = "clap", value(help = Option::<&'static str>::None))]
    Zero,
    /// The rest position.
    #[cfg_attr(feature = "clap", value(help = Option::<&'static str>::None))]
    Rest,
}

/// Compression of a glTF file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Compression {
    /// `EXT_meshopt_compression`.
    #[cfg_attr(feature = "clap", value(help = Option::<&'static str>::None))]
    Meshopt,
}

impl Default for Convert {
    fn default() -> Self {
        Self {
            scale: Scale::Factor(1.0),
            clip: None,
            fps: None,
            offsets: None,
            compress: None,
        }
    }
}

impl Convert {
    /// Checks that the options suit the extension of the output.
    ///
    /// # Errors
    /// A message with the extensions that they suit.
    pub fn check(&self, extension: &str) -> Result<(), &'static str> {
        let is_bvh = extension == "bvh";
        if !is_bvh && (self.clip.is_some() || self.fps.is_some() || self.offsets.is_some()) {
            return Err("--clip, --fps and --offsets are for .bvh files");
        }
        if is_bvh && self.compress.is_some() {
            return Err("--compress is for .glb, .gltf and .vrm files");
        }
        Ok(())
    }

    /// Scales a character to metres. `is_bvh`: the output is BVH, which has no unit.
    ///
    /// # Errors
    /// [`StepError::Scale`] if a number becomes too large.
    pub fn scale(
        &self,
        import: &mut Import,
        is_bvh: bool,
        name: &str,
        notes: &mut Vec<String>,
    ) -> Result<(), StepError> {
        notes.extend(units::apply(self.scale, import, name)?);
        if !is_bvh {
            notes.extend(units::doubt(import, 1.0, name));
        }
        Ok(())
    }

    /// Index of the clip to write to BVH. `None` for the first.
    ///
    /// # Errors
    /// [`StepError::NoSuchClip`] if there is no such clip.
    pub fn index(&self, import: &Import) -> Result<Option<usize>, StepError> {
        let find = |clip: &String| find_clip(&import.character, clip);
        Ok(self.clip.as_ref().map(find).transpose()?)
    }

    /// The joints and one clip as BVH.
    ///
    /// # Errors
    /// [`StepError::Bvh`] if a number cannot be written.
    pub fn bvh(&self, import: &Import, clip: Option<usize>) -> Result<BvhExport, StepError> {
        let offsets = match (self.offsets, import.format) {
            (Some(Offsets::Rest), _) | (None, Some(Format::Bvh)) => MovedOffsets::Rest,
            _ => MovedOffsets::Zero,
        };
        let options = BvhOptions::new().clip(clip).fps(self.fps).offsets(offsets);
        Ok(bvh::export(&import.character, &options)?)
    }

    /// The character as glTF.
    ///
    /// # Errors
    /// [`StepError::Export`] if a number cannot be written.
    pub fn gltf(&self, import: &Import) -> Result<Export, StepError> {
        let source = import.source.as_ref();
        let export = gltf::export(&import.character, &ExportOptions::new().source(source))?;
        Ok(match self.compress {
            Some(Compression::Meshopt) => export.compressed()?,
            None => export,
        })
    }
}
