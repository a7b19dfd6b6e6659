//! `sinew ik`: turns the joints of a chain so that its end comes to a goal.

mod report;

use crate::units::{self, Scale};
use crate::usage::wrong;
use crate::{extent, files, limits, outputs};
use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use glam::Vec3;
use serde::Serialize;
use sinew::clip::{Clip, OverLimit};
use sinew::ik::{
    Chain, ChainOptions, Dls, DlsOptions, Goal, GoalKind, Tip, TwoBone, ccd, fabrik, two_bone,
};
use sinew::{Affine, LocalPose, ModelPose, Skeleton, sample};
use sinew_io::Import;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct Arguments {
    /// A glTF, GLB, VRM, FBX, BVH, OBJ, PLY or .sinew file, or - for standard input
    input: PathBuf,
    /// The joints that turn, from the body outward, as FIRST..LAST; once for each --goal
    #[arg(long, value_name = "FIRST..LAST", required = true, value_parser = chain)]
    chain: Vec<[String; 2]>,
    /// The position that the end of the chain should reach, in the model
    #[arg(long, value_name = "X,Y,Z", required = true, allow_hyphen_values = true, value_parser = point)]
    goal: Vec<Vec3>,
    /// The point of the last joint's frame that should reach the goal, in place of its origin
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = point)]
    tip: Option<Vec3>,
    /// The solver
    #[arg(long, value_enum, default_value_t = Solver::Dls)]
    method: Solver,
    /// The pole: a point that the elbow points to, for --method two-bone
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = point)]
    pole: Option<Vec3>,
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
    /// Seconds from the clip's start
    #[arg(long, value_name = "SECONDS", default_value_t = 0.0, value_parser = files::seconds, allow_negative_numbers = true, requires = "clip")]
    time: f64,
    /// The output: .glb, .gltf or .vrm, with the pose as a clip called "ik"; without it only the report is printed
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

fn chain(text: &str) -> Result<[String; 2], String> {
    match text.split_once("..") {
        Some((first, last)) if !first.is_empty() && !last.is_empty() => {
            Ok([first.to_owned(), last.to_owned()])
        }
        _ => Err("a chain is two names of joints, like shoulder..hand".to_owned()),
    }
}

fn point(text: &str) -> Result<Vec3, String> {
    let numbers: Vec<f32> = text
        .split(',')
        .map_while(|n| n.trim().parse().ok())
        .collect();
    let is_whole = text.split(',').count() == 3;
    match numbers[..] {
        [x, y, z] if is_whole && numbers.iter().all(|n| n.is_finite()) => Ok(Vec3::new(x, y, z)),
        _ => Err("a point is three numbers, like 0.3,1.2,-0.5".to_owned()),
    }
}

fn tolerance(text: &str) -> Result<f32, String> {
    let part = text.trim().parse().ok();
    let part = part.filter(|p: &f32| p.is_finite() && *p > 0.0);
    part.ok_or_else(|| "a part of the chain's length is a number above 0, like 0.001".to_owned())
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

/// The reports of the solvers, in one form.
struct Solved {
    iterations: u32,
    /// Of each goal.
    goals: Vec<(bool, f32)>,
    at_limits: Vec<usize>,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    if arguments.chain.len() != arguments.goal.len() {
        return Err(wrong("give one --goal for each --chain"));
    }
    if arguments.pole.is_some() && arguments.method != Solver::TwoBone {
        return Err(wrong("--pole is for --method two-bone"));
    }
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
    let mut pose = skeleton.rest().clone();
    if let Some(wanted) = &arguments.clip {
        let clip = files::find_clip(&import.character, wanted).with_context(name)?;
        let clip = &import.character.clips[clip];
        notes.extend(files::times_outside(clip, &[arguments.time]));
        sample(clip, skeleton, arguments.time, &mut pose);
    }
    let find = |joint: &String| files::find_joint(skeleton, joint).with_context(name);
    let chains = arguments.chain.iter();
    let chains = chains.map(|[first, last]| Ok([find(first)?, find(last)?]));
    let chains: Vec<[usize; 2]> = chains.collect::<Result<_>>()?;
    let solved = solve(arguments, skeleton, &chains, &mut pose).with_context(name)?;
    notes.iter().for_each(|note| files::say(note));
    let most = extent::size(&import.character).map_or(1e-3, |size| max_miss(size.max_element()));
    let mut document =
        report::document(arguments, limited, skeleton, &chains, &pose, &solved, most);
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
        write_pose(output, import, &pose)?;
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

/// Writes the character with the pose as a clip.
fn write_pose(output: &Path, mut import: Import, pose: &LocalPose) -> Result<()> {
    let skeleton = &import.character.skeleton;
    let mut clip = Clip::new("ik");
    clip.insert_pose(skeleton, 0.0, pose, OverLimit::Allow)?;
    import.character.clips.push(clip);
    let what = format!(
        "{}, the pose as \"ik\"",
        outputs::contents(&import.character)
    );
    outputs::character(output, &what, &import.character, import.source.as_ref())?;
    Ok(())
}

fn tip(arguments: &Arguments, joint: usize) -> Tip {
    Tip {
        joint,
        offset: arguments.tip.unwrap_or(Vec3::ZERO),
    }
}

fn solve(
    arguments: &Arguments,
    skeleton: &Skeleton,
    chains: &[[usize; 2]],
    pose: &mut LocalPose,
) -> Result<Solved> {
    if arguments.method == Solver::Dls {
        return solve_together(arguments, skeleton, chains, pose);
    }
    let mut solved = Solved {
        iterations: 0,
        goals: Vec::new(),
        at_limits: Vec::new(),
    };
    let options = ChainOptions {
        tolerance: arguments.tolerance,
        ..ChainOptions::default()
    };
    let mut model = ModelPose::identity(skeleton.len());
    for (&[first, last], &goal) in chains.iter().zip(&arguments.goal) {
        model.update(skeleton.hierarchy(), pose, &Affine::IDENTITY)?;
        let parent = skeleton.parent(first);
        let parent = parent.map_or(Affine::IDENTITY, |parent| *model.get(parent));
        if arguments.method == Solver::TwoBone {
            let job = TwoBone {
                pole_in_model: arguments.pole,
                ..TwoBone::new(
                    first,
                    middle(skeleton, first, last)?,
                    tip(arguments, last),
                    goal,
                )
            };
            let report = two_bone(skeleton, pose, &parent, &job)?;
            solved.goals.push((report.reached, report.residual));
            let held = [
                (first, report.upper_at_limit),
                (job.lower, report.lower_at_limit),
            ];
            solved
                .at_limits
                .extend(held.into_iter().filter(|h| h.1).map(|h| h.0));
        } else {
            let mut chain = Chain::new(skeleton, first, tip(arguments, last))?;
            let solver = if arguments.method == Solver::Ccd {
                ccd
            } else {
                fabrik
            };
            let report = solver(&mut chain, skeleton, pose, &parent, goal, &options)?;
            solved.goals.push((report.reached, report.residual));
            solved.iterations += report.iterations;
            solved.at_limits.extend_from_slice(report.at_limits);
        }
    }
    Ok(solved)
}

/// The joint halfway along a chain; with a tip beyond the last joint that one itself may bend.
fn middle(skeleton: &Skeleton, first: usize, last: usize) -> Result<usize> {
    let mut way = vec![last];
    while let Some(&joint) = way.last() {
        if joint == first {
            break;
        }
        match skeleton.parent(joint) {
            Some(parent) => way.push(parent),
            None => bail!(
                "joint \"{}\" does not hang from \"{}\": name the joints of a chain from the body outward",
                skeleton.name(last),
                skeleton.name(first)
            ),
        }
    }
    match way.len() {
        3.. => Ok(way[way.len() / 2]),
        _ => Ok(last),
    }
}

/// All goals at once; only the joints of the chains turn.
fn solve_together(
    arguments: &Arguments,
    skeleton: &Skeleton,
    chains: &[[usize; 2]],
    pose: &mut LocalPose,
) -> Result<Solved> {
    let mut dls = Dls::new(skeleton, chains.len());
    let mut turns = vec![false; skeleton.len()];
    for &[first, last] in chains {
        for joint in Chain::new(skeleton, first, tip(arguments, last))?.joints() {
            turns[joint] = true;
        }
    }
    for joint in (0..skeleton.len()).filter(|&joint| !turns[joint]) {
        dls.set_stiffness(joint, f32::INFINITY)?;
    }
    let goals = chains
        .iter()
        .zip(&arguments.goal)
        .map(|(&[_, last], &at)| Goal {
            joint: last,
            kind: GoalKind::Position {
                offset: arguments.tip.unwrap_or(Vec3::ZERO),
                at,
            },
            weight: 1.0,
        });
    let goals: Vec<Goal> = goals.collect();
    let options = DlsOptions {
        tolerance: arguments.tolerance,
        restarts: arguments.restarts,
        ..DlsOptions::default()
    };
    let report = dls.solve(skeleton, pose, &Affine::IDENTITY, &goals, &options)?;
    Ok(Solved {
        iterations: report.iterations,
        goals: report
            .goals
            .iter()
            .map(|g| (g.reached, g.residual))
            .collect(),
        at_limits: report.at_limits.to_vec(),
    })
}
