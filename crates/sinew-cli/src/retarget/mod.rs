//! `sinew retarget`: transfers a motion to another character.

mod report;

use crate::progress::Bar;
use crate::units::{self, Scale};
use crate::{files, outputs, several, usage};
use anyhow::{Context, Result, anyhow, bail};
use report::{describe, summary};
use sinew::{Character, Clip, Skeleton};
use sinew_io::{FileReport, Import, leave_out_calibration};
use sinew_rig::retarget::{
    NameMap, Pair, RetargetOptions, RetargetReport, Stance, check_limbs, names_of_pairs,
    pair_joints, pairs_from_names, retarget_watched, stance_of,
};
use std::path::{Path, PathBuf};

#[derive(clap::Args, Clone)]
pub struct Arguments {
    /// Motion files, each with a skeleton and a clip: glTF, GLB, VRM, FBX, BVH or .sinew; - is standard input
    #[arg(required = true, value_name = "MOTION")]
    motions: Vec<PathBuf>,
    #[arg(skip)]
    motion: PathBuf,
    /// The character that receives the motion: a file, or `mannequin` for the built-in character
    #[arg(long, value_name = "CHARACTER")]
    onto: PathBuf,
    /// The output: .glb, .gltf with embedded buffer, or .vrm for an avatar; - writes GLB to standard output. With
    /// several motions, {name} in the file name stands for the name of each motion
    #[arg(short, long, value_name = "FILE", value_parser = |text: &str| files::output(text, &files::CHARACTERS))]
    output: PathBuf,
    /// Retarget only this clip, given by name or number. Default: all clips
    #[arg(long, value_name = "CLIP")]
    clip: Option<String>,
    /// A JSON file with the joint map: {"source joint": "target joint" or null, …}. Source joints belong to the motion,
    /// target joints to the character. Default: joints are paired by name
    #[arg(long, value_name = "FILE")]
    map: Option<PathBuf>,
    /// Write the joint map of this run to a JSON file. Edit it and pass it to --map
    #[arg(long, value_name = "FILE")]
    write_map: Option<PathBuf>,
    /// Continue even if most arm and leg joints of the motion have no counterpart. With --map this is not checked
    #[arg(long)]
    partial: bool,
    /// Remove the clips that the character already has. Otherwise the new clips are added after them
    #[arg(long)]
    replace: bool,
    /// Do not lock the feet to the ground; they may slide
    #[arg(long)]
    no_feet: bool,
    /// Move each hand to its position in the motion, measured from the shoulder in arm lengths, within the limits of
    /// joints. Otherwise hands follow the rotations of the arms
    #[arg(long)]
    hands: bool,
    /// The factor from lengths of the motion to lengths of the character. Default: the ratio of hip heights. `auto`
    /// uses the units of both files, so that a metre stays a metre
    #[arg(long, value_name = "FACTOR", allow_negative_numbers = true)]
    scale: Option<Scale>,
    /// The time whose pose is used as the rest pose of the motion, such as 0 for a T pose in the first frame. Needed if
    /// the rest pose of the file is not a standing pose
    #[arg(long, value_name = "SECONDS", value_parser = files::seconds, allow_negative_numbers = true)]
    rest_time: Option<f64>,
    /// Keep the first frame even if it is a T pose for calibration, as in the CMU captures. Default: leave it out
    #[arg(long)]
    keep_first: bool,
    /// Print the joint map and the ground contacts of the feet
    #[arg(long)]
    report: bool,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    if arguments.json && files::is_standard(&arguments.output) {
        let message = "--json and the file cannot both go to standard output";
        return Err(usage::wrong(message));
    }
    several::check_outputs(&arguments.output.to_string_lossy(), &arguments.motions)?;
    let report = several::Report::new(arguments.json, arguments.report);
    several::each(&arguments.motions, report, |motion| {
        let own = |output: &PathBuf| several::output(output, motion);
        run_one(&Arguments {
            motion: motion.to_owned(),
            output: own(&arguments.output),
            write_map: arguments.write_map.as_ref().map(own),
            ..arguments.clone()
        })
    })
}

fn run_one(arguments: &Arguments) -> Result<()> {
    for output in [Some(&arguments.output), arguments.write_map.as_ref()] {
        output.map_or(Ok(()), |output| outputs::check(output))?;
    }
    let mut motion = files::load(&arguments.motion)?;
    let mut onto = character(&arguments.onto)?;
    let clips = clips(arguments, &motion.character, &onto.character)?;
    let mut notes = swapped(arguments, &onto.character);
    let scale = scale(arguments, &motion, &onto, &mut notes);
    for &clip in &clips {
        let rest_time = arguments.rest_time.as_slice();
        notes.extend(files::times_outside(
            &motion.character.clips[clip],
            rest_time,
        ));
    }
    let target = &onto.character.skeleton;
    let stances = [&motion.character.skeleton, target].map(stance_of);
    notes.extend(legs_differ(arguments, stances));
    let mut options = RetargetOptions::default()
        .feet(!arguments.no_feet)
        .hands(arguments.hands)
        .scale(scale)
        .rest_secs(arguments.rest_time);
    let left_out = if arguments.keep_first {
        Vec::new()
    } else {
        let (left_out, rest_secs) = leave_out_calibration(&mut motion, &clips, options.rest_secs);
        options.rest_secs = rest_secs;
        left_out
    };
    for clip in &left_out {
        notes.push(format!(
            "{}: the first frame of clip \"{clip}\" is a T pose for calibration and is left out; --keep-first keeps it",
            files::name(&arguments.motion)
        ));
    }
    notes.iter().for_each(|note| files::print_message(note));
    let pairs = pairs(arguments, &motion.character.skeleton, target)?;
    let retargeted = retarget_clips(
        arguments,
        &motion.character,
        &clips,
        target,
        &pairs,
        &options,
    )?;
    let first = &retargeted[0].1;
    if !first.unused_source.is_empty() {
        files::print_message(&format!(
            "the character has no joints for {} of the motion: {}",
            files::counted(first.unused_source.len(), "joint"),
            first.unused_source.join(", ")
        ));
    }
    let reports = add(&mut onto.character, retargeted, arguments.replace);
    let what = contents(&onto.character, &reports);
    let source = onto.source.as_ref();
    outputs::character(&arguments.output, &what, &onto.character, source)?;
    if !(arguments.json || arguments.report) {
        return Ok(());
    }
    let summary = summary(notes, stances, left_out, &reports);
    let text = if arguments.json {
        several::json(&arguments.motion, &summary)?
    } else {
        describe(&summary)
    };
    outputs::report(&arguments.output, &text)
}

fn clips(arguments: &Arguments, from: &Character, onto: &Character) -> Result<Vec<usize>> {
    let file = || files::name(&arguments.motion);
    if from.clips.is_empty() {
        let swapped = match onto.clips.len() {
            0 => "",
            _ => {
                "; the character has clips: if you swapped the two files, give the motion first and the \
                 character after --onto"
            }
        };
        bail!("{}: there is no clip to retarget{swapped}", file());
    }
    Ok(match &arguments.clip {
        Some(name) => vec![files::find_clip(from, name).with_context(file)?],
        None => (0..from.clips.len()).collect(),
    })
}

fn swapped(arguments: &Arguments, onto: &Character) -> Vec<String> {
    if !onto.meshes.is_empty() {
        return Vec::new();
    }
    vec![format!(
        "{} has no mesh, so it will not be visible; if it is the motion, give it first and the character after --onto",
        files::name(&arguments.onto)
    )]
}

fn legs_differ(arguments: &Arguments, stances: [Option<Stance>; 2]) -> Option<String> {
    let [motion, onto] = [&arguments.motion, &arguments.onto].map(|path| files::name(path));
    let (four, two) = match stances {
        [Some(Stance::FourLegs), Some(Stance::TwoLegs)] => (motion, onto),
        [Some(Stance::TwoLegs), Some(Stance::FourLegs)] => (onto, motion),
        _ => return None,
    };
    Some(format!(
        "{four} stands on four legs and {two} on two: arms are paired with front legs, and the gait is not adapted"
    ))
}

/// Scale that the user requests from motion to character. Adds a note for each file that is probably not in metres.
fn scale(
    arguments: &Arguments,
    motion: &Import,
    onto: &Import,
    notes: &mut Vec<String>,
) -> Option<f32> {
    let both = [(motion, &arguments.motion), (onto, &arguments.onto)];
    let scale = match arguments.scale {
        Some(Scale::Auto) => {
            let [motion, onto] = both.map(|(import, path)| {
                let (metres, note) = units::metres(Scale::Auto, import, &files::name(path));
                notes.extend(note);
                metres
            });
            return Some((motion / onto) as f32);
        }
        Some(Scale::Factor(factor)) => Some(factor as f32),
        None => None,
    };
    if scale.is_none() {
        let whats = [
            "the path of the hips is scaled by the hip height, so no option is needed",
            "the output has the same unit; `sinew convert --scale auto` converts it to metres",
        ];
        for ((import, path), what) in both.into_iter().zip(whats) {
            notes.extend(units::doubt_and(import, &files::name(path), what));
        }
    }
    scale
}

/// Pairs joints by the map of the user, or by name. Writes the map if requested.
fn pairs(arguments: &Arguments, source: &Skeleton, target: &Skeleton) -> Result<Vec<Pair>> {
    let pairs = match &arguments.map {
        Some(path) => {
            pairs_from_names(source, target, &read_map(path)?).with_context(|| files::name(path))?
        }
        None => pair_joints(source, target).with_context(|| {
            let [motion, onto] = [&arguments.motion, &arguments.onto].map(|path| files::name(path));
            format!("{motion} onto {onto}, without --map")
        })?,
    };
    if let Some(path) = &arguments.write_map {
        let map = names_of_pairs(source, target, &pairs);
        let text = format!("{}\n", serde_json::to_string_pretty(&map)?);
        let what = format!("joint map, {}", files::counted(map.len(), "joint"));
        outputs::write(path, &what, |out| out.write_all(text.as_bytes()))?;
    }
    if !arguments.partial && arguments.map.is_none() {
        check_limbs(source, target, &pairs).map_err(|error| {
            let (motion, onto) = (&arguments.motion, &arguments.onto);
            let (motion, onto) = (files::name(motion), files::name(onto));
            anyhow!(
                "{motion} onto {onto}: {error} (--write-map FILE writes a map to edit, --map FILE reads it; or add --partial)"
            )
        })?;
    }
    Ok(pairs)
}

fn retarget_clips(
    arguments: &Arguments,
    from: &Character,
    clips: &[usize],
    target: &Skeleton,
    pairs: &[Pair],
    options: &RetargetOptions,
) -> Result<Vec<(Clip, RetargetReport)>> {
    let bar = Bar::percent();
    let mut retargeted = Vec::new();
    for (done, clip) in clips.iter().enumerate() {
        let clip = &from.clips[*clip];
        let what = || format!("{}: clip \"{}\"", files::name(&arguments.motion), clip.name);
        let mut watch = |part: f32| {
            let all = (done as f64 + f64::from(part)) / clips.len() as f64;
            bar.set(100.0 * all);
        };
        let done = retarget_watched(&from.skeleton, clip, target, pairs, options, &mut watch);
        let done = done.with_context(what)?;
        retargeted.push((done.clip, done.report));
    }
    bar.clear();
    Ok(retargeted)
}

/// Adds clips under unused names.
fn add(
    onto: &mut Character,
    retargeted: Vec<(Clip, RetargetReport)>,
    replace: bool,
) -> Vec<(usize, Clip, RetargetReport)> {
    if replace {
        onto.clips.clear();
        onto.layers.clear();
    }
    let own = onto.clips.len();
    let mut reports = Vec::new();
    for (mut clip, report) in retargeted {
        clip.name = files::free_name(&clip.name, &onto.clips[..own]);
        reports.push((onto.clips.len(), clip.clone(), report));
        onto.clips.push(clip);
    }
    reports
}

fn contents(onto: &Character, new: &[(usize, Clip, RetargetReport)]) -> String {
    let what = match new {
        [(number, clip, report)] => format!(
            "clip \"{}\" ({number}), {} in {:.2} s",
            clip.name,
            files::counted(report.frames, "frame"),
            clip.duration_secs
        ),
        _ => files::counted(new.len(), "new clip"),
    };
    let own = match onto.clips.len() - new.len() {
        0 => String::new(),
        own => format!(", after {own} that the character had"),
    };
    format!("{what}{own}")
}

/// Loads the character. `mannequin` means the built-in character if no file has this name.
fn character(path: &Path) -> Result<Import> {
    if path.as_os_str() != "mannequin" || path.exists() {
        return files::load(path);
    }
    Ok(Import {
        character: files::mannequin(),
        report: FileReport::default(),
        source: None,
        method: None,
        exporter: None,
        format: None,
        avatar: None,
    })
}

fn read_map(path: &Path) -> Result<NameMap> {
    let text = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    serde_json::from_slice(&text).with_context(|| {
        let wanted = "{\"source joint\": \"target joint\", \"other\": null}";
        format!("{}: a joint map is JSON such as {wanted}", path.display())
    })
}
