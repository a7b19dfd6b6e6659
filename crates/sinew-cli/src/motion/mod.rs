//! Measures of motion as text, JSON and a drawing, for `sinew measure --motion` and `sinew clean`.

pub mod json;
pub mod picture;
pub mod text;

use crate::files;
use crate::units::Scale;
use anyhow::{Context, Result};
use sinew_io::Import;
use sinew_rig::motion::person_metres;
use std::path::Path;

/// Metres per unit of a file: the factor of --scale. By default, the unit that the file states or that fits its person.
pub fn metres(scale: Scale, import: &Import) -> f64 {
    match scale {
        Scale::Factor(factor) if factor != 1.0 => factor,
        _ => {
            let stated = import.metres_per_unit();
            let stated = stated.filter(|metres| metres.is_finite() && *metres > 0.0);
            stated.unwrap_or_else(|| person_metres(&import.character.skeleton))
        }
    }
}

/// Index of the clip with this name or number, or of the first clip.
pub fn clip(import: &Import, wanted: Option<&str>, input: &Path) -> Result<usize> {
    let name = || files::name(input);
    let clips = &import.character.clips;
    match wanted {
        Some(wanted) => files::find_clip(&import.character, wanted).with_context(name),
        None if clips.is_empty() => anyhow::bail!("{}: there is no clip, so nothing moves", name()),
        None => Ok(0),
    }
}
