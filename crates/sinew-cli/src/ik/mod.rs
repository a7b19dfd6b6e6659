//! `sinew ik`: rotates the joints of chains to reach goals for positions, rotations and lines of sight.

mod arguments;
mod goals;
mod keys;
mod notation;
mod report;
mod solve;

pub use arguments::Arguments;

use arguments::Solver;

use crate::usage::wrong;
use crate::{extent, files, limits, outputs, units};
use anyhow::{Context, Result};
use goals::Request;
use report::Limited;

pub fn run(arguments: &Arguments) -> Result<()> {
    goals::check(arguments)?;
    let writes_to_standard = arguments.output.as_deref().is_some_and(files::is_standard);
    if writes_to_standard && (arguments.report || arguments.json) {
        return Err(wrong(
            "the file and the report cannot both go to standard output",
        ));
    }
    if let Some(output) = &arguments.output {
        outputs::check(output)?;
    }
    let mut import = files::load(&arguments.input)?;
    let name = || files::name(&arguments.input);
    let mut notes = units::apply(arguments.unit.scale, &mut import, &name())?;
    if arguments.limits.is_some() {
        notes.extend(limits::apply_biped(&mut import.character).with_context(name)?);
    }
    let limited = Limited::of(arguments, &import.character.skeleton);
    if limited == Limited::None {
        notes.push(format!(
            "{} has no limits, so joints rotate freely; --limits biped applies the limits of a person, and `sinew limits` sets other limits",
            name()
        ));
    }
    notes.extend(units::doubt(&import, 1.0, &name()));
    let skeleton = &import.character.skeleton;
    let clip = match &arguments.clip {
        Some(wanted) => Some(files::find_clip(&import.character, wanted).with_context(name)?),
        None => None,
    };
    let played = clip.map(|clip| &import.character.clips[clip]);
    if let Some(clip) = played {
        let (from, to) = arguments.time;
        if arguments.keys && to > f64::from(clip.duration_secs) + 1e-4 {
            let (name, end) = (&clip.name, clip.duration_secs);
            return Err(wrong(&format!(
                "--time: keys at {to} s are after the end of \"{name}\", which is {end} s long"
            )));
        }
        let mut outside = files::times_outside(clip, &[from, to]);
        outside.dedup();
        notes.extend(outside);
    }
    let request = Request::new(arguments, skeleton).with_context(name)?;
    let rotating = solve::rotating_joints(arguments, skeleton, &request).with_context(name)?;
    let sliding = solve::sliding_joints(skeleton, &request).with_context(name)?;
    if arguments.method != Solver::Dls && !sliding.is_empty() {
        let names: Vec<&str> = sliding.iter().map(|&joint| skeleton.name(joint)).collect();
        notes.push(format!(
            "joints that slide stay where they are, because only --method dls moves them: {}",
            files::names(&names)
        ));
    }
    let frames = keys::solve(arguments, skeleton, played, &request).with_context(name)?;
    notes.iter().for_each(|note| files::print_message(note));
    let max_error =
        extent::size(&import.character).map_or(1e-3, |size| max_miss(size.max_element()));
    let mut document = report::document(arguments, limited, skeleton, &frames, max_error);
    document.notes = notes;
    if arguments.report || arguments.json || arguments.output.is_none() {
        let text = if arguments.json {
            serde_json::to_string_pretty(&document)? + "\n"
        } else {
            report::text(&document)?
        };
        outputs::print(&text)?;
    }
    let missed = document.misses().filter(|_| !arguments.allow_miss);
    if let Some(output) = &arguments.output {
        let clip = clip.filter(|_| arguments.keys);
        keys::write(output, import, clip, [&rotating, &sliding], &frames)?;
    }
    match missed {
        Some(missed) => {
            Err(anyhow::anyhow!("{missed}; --allow-miss accepts misses")).with_context(name)
        }
        None => Ok(()),
    }
}

/// Max distance from a goal that does not count as a miss, in the unit of the file. 1 mm for a size in [1, 10], which
/// is probably in metres.
fn max_miss(size: f32) -> f32 {
    match size {
        1.0..=extent::TALLEST => 1e-3,
        _ => 1e-3 * size,
    }
}
