//! `--scale`: the unit of a file, given by the user or detected, and warnings about unlikely units.

use crate::error::StepError;
use crate::notation::Scale;
use sinew_io::{Format, Import};
use sinew_rig::motion::person_metres;
use sinew_rig::units::{Unit, longest_side, scaled, unit_of, unit_of_height};

/// Plausible lengths of the longest side of the box around the joints, in metres.
const SIZES: std::ops::RangeInclusive<f32> = 0.05..=10.0;

/// Metres per unit of the file. With `auto`, also a message with the chosen unit and the reason.
pub fn metres(scale: Scale, import: &Import, name: &str) -> (f64, Option<String>) {
    match scale {
        Scale::Factor(factor) => (factor, None),
        Scale::Auto => {
            let unit = unit_of(import.metres_per_unit(), &import.character.skeleton);
            (unit.metres(), Some(took(&unit, import, name)))
        }
    }
}

/// Message with the unit that `auto` chose, and the reason.
fn took(unit: &Unit, import: &Import, name: &str) -> String {
    let why = match unit {
        Unit::Stated { .. } => match import.format {
            Some(Format::Fbx) => "the importer has converted it to metres".to_owned(),
            _ => "glTF files are in metres".to_owned(),
        },
        Unit::Fitting { height, .. } => {
            let tall = f64::from(*height) * unit.metres();
            format!("with this unit the skeleton is {tall:.2} m tall")
        }
        Unit::Unknown {
            longest: Some(longest),
        } => format!(
            "its unit is unknown: with a longest side of {longest:.4}, no common unit makes it as tall as a person"
        ),
        Unit::Unknown { longest: None } => {
            "its unit is unknown, and there is no skeleton to measure".to_owned()
        }
    };
    format!("{name}: --scale auto uses {}: {why}", unit.metres())
}

/// Scales a file to metres. Returns notes for the user.
///
/// # Errors
/// [`StepError::Scale`] if a number becomes too large.
pub fn apply(scale: Scale, import: &mut Import, name: &str) -> Result<Vec<String>, StepError> {
    let (metres, note) = metres(scale, import, name);
    scale_by(metres, note.into_iter().collect(), import, name)
}

/// Scales a file whose mesh is a person of `height` file units. Without a stated unit, `auto` gives a human height.
///
/// # Errors
/// Same as [`apply`].
pub fn apply_to_person(
    scale: Scale,
    height: f32,
    import: &mut Import,
    name: &str,
) -> Result<Vec<String>, StepError> {
    if scale != Scale::Auto || import.metres_per_unit().is_some() {
        return apply(scale, import, name);
    }
    let unit = unit_of_height(height);
    let note = took(&unit, import, name);
    scale_by(unit.metres(), vec![note], import, name)
}

fn scale_by(
    metres: f64,
    mut notes: Vec<String>,
    import: &mut Import,
    name: &str,
) -> Result<Vec<String>, StepError> {
    if metres != 1.0 {
        let scaled = scaled(&import.character, metres as f32);
        import.character = scaled.map_err(|cause| {
            let name = name.to_owned();
            StepError::Scale {
                name,
                metres,
                cause,
            }
        })?;
        if import.avatar.is_some() {
            let what = "lengths in its VRM extensions, such as spring radii, are not scaled";
            notes.push(format!("{name}: {what}"));
        }
    }
    Ok(notes)
}

/// Longest side of the box around the joints, in metres, if it is not plausible for a figure.
fn unlikely_size(import: &Import, metres: f64) -> Option<f32> {
    let longest = longest_side(&import.character.skeleton)? * metres as f32;
    // Joints that share one position have no size.
    (longest != 0.0 && !SIZES.contains(&longest)).then_some(longest)
}

/// Warning that a file is probably not in metres. `what` states the consequence.
pub fn doubt_and(import: &Import, name: &str, what: &str) -> Option<String> {
    let longest = unlikely_size(import, 1.0)?;
    Some(format!(
        "{name}: its joints at rest span {longest:.4} m, so its unit is probably not the metre; {what}"
    ))
}

/// Warning that the size of the skeleton is not plausible with this unit, with advice.
pub fn doubt(import: &Import, metres: f64, name: &str) -> Option<String> {
    let longest = unlikely_size(import, metres)?;
    let (tall, advice) = match unit_of(import.metres_per_unit(), &import.character.skeleton) {
        Unit::Fitting { metres, .. } => (
            ", which is also the height of the person",
            format!("--scale auto converts it to metres (by {metres})"),
        ),
        _ if longest > 1.0 => (
            "",
            "--scale converts it to metres (0.01 for centimetres)".to_owned(),
        ),
        _ => (
            "",
            "--scale converts it to metres (100 for units of 100 m)".to_owned(),
        ),
    };
    Some(format!(
        "{name}: its joints at rest span {longest:.4} m{tall}, so its unit is probably not the metre; {advice}"
    ))
}

/// Metres per unit of a file, to measure its motion: the factor, or else the unit that the file states or that fits its
/// person.
pub fn motion_metres(scale: Scale, import: &Import) -> f64 {
    match scale {
        Scale::Factor(factor) if factor != 1.0 => factor,
        _ => {
            let stated = import.metres_per_unit();
            let stated = stated.filter(|metres| metres.is_finite() && *metres > 0.0);
            stated.unwrap_or_else(|| person_metres(&import.character.skeleton))
        }
    }
}
