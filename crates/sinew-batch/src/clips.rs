//! Finds and names clips.

use sinew::names::did_you_mean;
use sinew::{Character, Clip};
use sinew_io::Import;
use thiserror::Error;

/// A clip that was asked for does not exist.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("there is no clip \"{wanted}\"{rest}")]
pub struct NoSuchClip {
    wanted: String,
    /// The clips that exist, and similar names.
    rest: String,
}

/// Finds a clip by name or index.
///
/// # Errors
/// [`NoSuchClip`], which lists all clips.
pub fn find_clip(character: &Character, wanted: &str) -> Result<usize, NoSuchClip> {
    if let Some(clip) = character.find_clip(wanted) {
        return Ok(clip);
    }
    let rest = if character.clips.is_empty() {
        ": the file has no clips".to_owned()
    } else {
        let clips = character.clips.iter().enumerate();
        let names: Vec<_> = clips
            .map(|(index, clip)| format!("\"{}\" ({index})", clip.name))
            .collect();
        let names = listed(&names, "and");
        let clips = character.clips.iter().map(|clip| clip.name.as_str());
        format!("; available: {names}{}", did_you_mean(wanted, clips))
    };
    let wanted = wanted.to_owned();
    Err(NoSuchClip { wanted, rest })
}

/// Indices of the clip with this name or number, or of all clips.
///
/// # Errors
/// [`NoSuchClip`] if there is no such clip.
pub fn chosen_clips(import: &Import, wanted: Option<&str>) -> Result<Vec<usize>, NoSuchClip> {
    match wanted {
        Some(wanted) => Ok(vec![find_clip(&import.character, wanted)?]),
        None => Ok((0..import.character.clips.len()).collect()),
    }
}

/// Name for a new clip. Adds a number if one of `clips` already has `name`.
pub fn free_name(name: &str, clips: &[Clip]) -> String {
    let is_taken = |name: &String| clips.iter().any(|clip| clip.name == *name);
    let numbered = (2..).map(|number| format!("{name} {number}"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    names.find(|name| !is_taken(name)).unwrap_or_default()
}

/// Joins items as in `a, b and c`.
pub fn listed(items: &[String], word: &str) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [some @ .., last] => format!("{} {word} {last}", some.join(", ")),
    }
}

/// A note for each time outside a clip, where its first or last pose is used.
pub fn times_outside(clip: &Clip, times: &[f64]) -> Vec<String> {
    let end = clip.duration_secs;
    let line = |time: &f64| {
        let held = match time {
            _ if *time < 0.0 => "first",
            _ if *time > f64::from(end) => "last",
            _ => return None,
        };
        Some(format!(
            "clip \"{}\" lasts from 0 to {end} s; at {time} s its {held} pose is used",
            clip.name
        ))
    };
    times.iter().filter_map(line).collect()
}
