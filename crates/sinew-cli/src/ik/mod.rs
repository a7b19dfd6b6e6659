//! `sinew ik`: turns the joints of chains so that goals are met: positions, orientations, looks.

mod goals;
mod keys;
mod report;
mod solve;

use crate::units::{self, Scale};
use crate::usage::wrong;
use crate::{extent, files, limits, outputs};
use anyhow::{Context, Result};
use clap::ValueEnum;
use glam::{Quat, Vec3};
use goals::{Asked, Position, Sight};
use keys::Span;
use serde::Serialize;
use sinew::Skeleton;
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Arguments {
    /// A glTF, GLB, VRM, FBX, BVH, OBJ, PLY or .sinew file, or - for standard input
    input: PathBuf,
    /// The joints that turn, from the body outward, as FIRST..LAST; more than once for several
    #[arg(long, value_name = "FIRST..LAST", required = true, value_parser = goals::chain)]
    chain: Vec<[String; 2]>,
    /// The position that the end of a chain should reach, in the model, once for each chain in their order; or that a
    /// joint should reach, as JOINT=X,Y,Z
    #[arg(long, value_name = "[JOINT=]X,Y,Z", allow_hyphen_values = true, value_parser = goals::position)]
    goal: Vec<Position>,
    /// The orientation that a joint should have in the model, as degrees about x, then y, then z, or as a quaternion
    /// x,y,z,w
    #[arg(long, value_name = "JOINT=X,Y,Z", value_parser = goals::orientation)]
    orient: Vec<(String, Quat)>,
    /// The point that a joint should look at. It looks along the model's z at rest, or along one of its own axes that
    /// is given as JOINT:AXIS=X,Y,Z
    #[arg(long, value_name = "JOINT=X,Y,Z", value_parser = goals::sight)]
    look_at: Vec<Sight>,
    /// A joint that stays where it is and as it is turned, such as a foot on the ground
    #[arg(long, value_name = "JOINT")]
    pin: Vec<String>,
    /// The point of the last joint's frame that should reach the goal of a chain, in place of its origin
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = goals::point)]
    tip: Option<Vec3>,
    /// The solver
    #[arg(long, value_enum, default_value_t = Solver::Dls)]
    method: Solver,
    /// The pole: a point that the elbow points to, for --method two-bone and dls; one for all chains that have a goal, or
    /// one for each
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = goals::point)]
    pole: Vec<Vec3>,
    /// The tolerance: how near to a goal is near enough, in lengths of the chain
    #[arg(long, value_name = "PART", default_value_t = 1e-4, allow_negative_numbers = true, value_parser = tolerance)]
    tolerance: f32,
    /// The number of restarts of --method dls from other poses, when a goal was not reached
    #[arg(long, value_name = "COUNT", default_value_t = 0, allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(..=10_000))]
    restarts: u32,
    /// The factor from the file's unit to metres, such as 0.01 for centimetres, or `auto`: all lengths of the file are
    /// multiplied by it first, and goals are in metres
    #[arg(
        long,
        value_name = "FACTOR",
        default_value = "1",
        allow_negative_numbers = true
    )]
    scale: Scale,
    /// The template whose limits replace those in the file
    #[arg(long, value_enum, value_name = "TEMPLATE")]
    limits: Option<limits::Template>,
    /// Succeed also when a goal is missed. Without this, to end more than 1 mm from a goal, or 0.1 % of the size of
    /// a character that is smaller than a metre or in another unit, is a failure
    #[arg(long)]
    allow_miss: bool,
    /// The clip to begin from, by name or number; without it the rest pose
    #[arg(long, value_name = "CLIP")]
    clip: Option<String>,
    /// Seconds from the clip's start: one moment, or a range like 0.2..0.8, at every frame of which the goals are met
    #[arg(long, value_name = "SECONDS", default_value = "0", value_parser = keys::span, allow_hyphen_values = true, requires = "clip")]
    time: Span,
    /// Frames per second of a range
    #[arg(long, value_name = "RATE", default_value_t = 30.0, allow_negative_numbers = true, value_parser = files::rate)]
    fps: f64,
    /// Put the turns of the chains' joints into the clip as keys, in place of a clip of their own
    #[arg(long, requires = "clip")]
    keys: bool,
    /// Seconds before and after the time in which the clip leads over to the goals and back, with --keys
    #[arg(long, value_name = "SECONDS", default_value_t = 0.0, allow_negative_numbers = true, value_parser = lead, requires = "keys")]
    blend: f64,
    /// The output: .glb, .gltf or .vrm, with the pose as a clip called "ik", or with --keys; without it only the report is printed
    #[arg(short, long, value_name = "FILE", value_parser = |text: &str| files::output(text, &files::CHARACTERS))]
    output: Option<PathBuf>,
    /// Print the report also when a file is written
    #[arg(long)]
    report: bool,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
enum Solver {
    /// Two bones in closed form: the first joint, the last and the one in the middle
    TwoBone,
    /// Cyclic coordinate descent
    Ccd,
    /// Forward and backward reaching
    Fabrik,
    /// Damped least squares, all goals together
    Dls,
}

fn tolerance(text: &str) -> Result<f32, String> {
    let part = text.trim().parse().ok();
    let part = part.filter(|p: &f32| p.is_finite() && *p > 0.0);
    part.ok_or_else(|| "a part of the chain's length is a number above 0, like 0.001".to_owned())
}

fn lead(text: &str) -> Result<f64, String> {
    let time = files::seconds(text).ok().filter(|time| *time >= 0.0);
    time.ok_or_else(|| "a blend is a number of seconds from 0, like 0.2".to_owned())
}

/// The source of the limits.
#[derive(Clone, Copy, PartialEq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Limited {
    /// There are no limits.
    None,
    /// The file has them.
    File,
    /// A template's were laid over it.
    Biped,
}

impl Limited {
    fn of(arguments: &Arguments, skeleton: &Skeleton) -> Self {
        match arguments.limits {
            Some(limits::Template::Biped) => Self::Biped,
            None if limits::limited_joints(skeleton).next().is_some() => Self::File,
            None => Self::None,
        }
    }
}

pub fn run(arguments: &Arguments) -> Result<()> {
    goals::check(arguments)?;
    let writes_to_standard = arguments.output.as_deref().is_some_and(files::is_standard);
    if writes_to_standard && (arguments.report || arguments.json) {
        return Err(wrong(
            "standard output cannot take both the file and the report",
        ));
    }
    if let Some(output) = &arguments.output {
        outputs::check(output)?;
    }
    let mut import = files::load(&arguments.input)?;
    let name = || files::name(&arguments.input);
    let mut notes = units::apply(arguments.scale, &mut import, &name())?;
    if arguments.limits.is_some() {
        notes.extend(limits::lay_biped(&mut import.character).with_context(name)?);
    }
    let limited = Limited::of(arguments, &import.character.skeleton);
    if limited == Limited::None {
        notes.push(format!(
            "{} has no limits, so joints turn as far as the goal asks; --limits biped lays a person's over them, `sinew limits` sets others",
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
    let asked = Asked::new(arguments, skeleton).with_context(name)?;
    let turning = solve::turning(arguments, skeleton, &asked).with_context(name)?;
    let frames = keys::solve(arguments, skeleton, played, &asked).with_context(name)?;
    notes.iter().for_each(|note| files::say(note));
    let most = extent::size(&import.character).map_or(1e-3, |size| max_miss(size.max_element()));
    let mut document = report::document(arguments, limited, skeleton, &frames, most);
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
        keys::write(output, import, clip, &turning, &frames)?;
    }
    match missed {
        Some(missed) => {
            Err(anyhow::anyhow!("{missed}; --allow-miss lets that be")).with_context(name)
        }
        None => Ok(()),
    }
}

/// The distance from a goal that counts as a miss, for a character of this size. Sizes from one to ten are taken to be
/// in metres.
fn max_miss(size: f32) -> f32 {
    match size {
        1.0..=extent::TALLEST => 1e-3,
        _ => 1e-3 * size,
    }
}
