//! `compress`: packs clips into a `.sinew` file.

use crate::clips::chosen_clips;
use crate::error::StepError;
use crate::notation::{Length, Scale};
use crate::units;
use serde::Deserialize;
use sinew_io::Import;
use sinew_pack::{PackError, PackOptions, Packed, file_bytes, pack};

/// Options of packing.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Compress {
    /// The max distance between a point of the packed clip and the same point of the original, such as 0.1mm
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "LENGTH", default_value = "0.1mm")
    )]
    pub max_error: Length,
    /// The shell distance, such as 3cm: the distance from each joint to the points where errors are measured
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "LENGTH", default_value = "3cm")
    )]
    pub shell: Length,
    /// Metres per unit of the file, such as 0.01 for centimetres, to measure errors; the motion is not changed. `auto`
    /// uses the unit that the file states. If the file states none, `auto` uses a unit that makes the skeleton as tall as
    /// a person
    #[cfg_attr(
        feature = "clap",
        arg(
            long,
            value_name = "FACTOR",
            default_value_t = Compress::default().scale,
            allow_negative_numbers = true
        )
    )]
    pub scale: Scale,
    /// Pack only this clip, given by name or number. Default: all clips
    #[cfg_attr(feature = "clap", arg(long, value_name = "CLIP"))]
    pub clip: Option<String>,
}

impl Default for Compress {
    fn default() -> Self {
        Self {
            max_error: Length(1e-4),
            shell: Length(0.03),
            scale: Scale::Factor(1.0),
            clip: None,
        }
    }
}

/// Packed clips.
#[derive(Debug)]
pub struct Compressed {
    /// The `.sinew` file.
    pub bytes: Vec<u8>,
    /// The clips, at least one.
    pub packed: Vec<Packed>,
    /// Metres per unit of the file.
    pub metres: f64,
}

impl Compress {
    /// Packs the chosen clips. `name` is the name of the file, for notes.
    ///
    /// # Errors
    /// [`StepError`] if there is no such clip, or a clip or option is not valid.
    pub fn run(
        &self,
        import: &Import,
        name: &str,
        notes: &mut Vec<String>,
    ) -> Result<Compressed, StepError> {
        let character = &import.character;
        let clips = chosen_clips(import, self.clip.as_deref())?;
        if clips.is_empty() {
            return Err(StepError::NoClips("s to compress".to_owned()));
        }
        let (metres, note) = units::metres(self.scale, import, name);
        notes.extend(note.into_iter().chain(units::doubt(import, metres, name)));
        let options = PackOptions::new()
            .max_error((self.max_error.0 / metres) as f32)
            .shell((self.shell.0 / metres) as f32);
        let mut packed = Vec::new();
        for clip in clips {
            let clip = &character.clips[clip];
            let millimetres = |length: f32| 1e3 * f64::from(length) * metres;
            let one = pack(&character.skeleton, clip, &options).map_err(|error| match error {
                PackError::TooFine { requested, reached } => StepError::TooFine {
                    requested_mm: millimetres(requested),
                    reached_mm: millimetres(reached),
                },
                other => other.into(),
            });
            packed.push(one.map_err(|error| error.of_clip(&clip.name))?);
        }
        let clips: Vec<_> = packed.iter().map(|p: &Packed| &p.clip).collect();
        let bytes = file_bytes(&character.skeleton, &clips)?;
        Ok(Compressed {
            bytes,
            packed,
            metres,
        })
    }
}
