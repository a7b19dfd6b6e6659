//! `sinew retarget`: transfers a motion to another character.

mod report;

use crate::progress::Bar;
use crate::{files, outputs, several, usage};
use anyhow::{Context, Result, bail};
use report::{describe, summary};
use sinew::Character;
use sinew_batch::StepError;
use sinew_batch::steps::retarget::{Receiver, Retarget, mannequin};
use sinew_io::Import;
use sinew_rig::retarget::{NameMap, RetargetReport};
use std::cell::OnceCell;
use std::path::{Path, PathBuf};

#[derive(clap::Args, Clone)]
pub struct Arguments {
    /// Motion files, each with a skeleton and a clip: glTF, GLB, VRM, FBX, BVH or .sinew; - is standard input
    #[arg(required = true, value_name = "MOTION")]
    motions: Vec<PathBuf>,
    #[arg(skip)]
    motion: PathBuf,
    /// The output: .glb, .gltf with embedded buffer, or .vrm for an avatar; - writes GLB to standard output. With
    /// several motions, {name} in the file name stands for the name of each motion
    #[arg(short, long, value_name = "FILE", value_parser = |text: &str| files::output(text, &files::CHARACTERS))]
    output: PathBuf,
    #[command(flatten)]
    retarget: Retarget,
    /// Write the joint map of this run to a JSON file. Edit it and pass it to --map
    #[arg(long, value_name = "FILE")]
    write_map: Option<PathBuf>,
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
    // Made once for all motions, when the first one needs it.
    let receiver = OnceCell::new();
    several::each(&arguments.motions, report, |motion| {
        let own = |output: &PathBuf| several::output(output, motion);
        let arguments = Arguments {
            motion: motion.to_owned(),
            output: own(&arguments.output),
            write_map: arguments.write_map.as_ref().map(own),
            ..arguments.clone()
        };
        run_one(&arguments, &receiver)
    })
}

fn run_one(arguments: &Arguments, receiver: &OnceCell<Receiver>) -> Result<()> {
    for output in [Some(&arguments.output), arguments.write_map.as_ref()] {
        output.map_or(Ok(()), |output| outputs::check(output))?;
    }
    let motion = files::load(&arguments.motion)?;
    let receiver = match receiver.get() {
        Some(receiver) => receiver,
        None => {
            let options = &arguments.retarget;
            let map = options.map.as_deref().map(read_map).transpose()?;
            let made = options.receiver(character(&options.onto)?, map);
            receiver.get_or_init(|| made)
        }
    };
    let name = files::name(&arguments.motion);
    if let Some(path) = &arguments.write_map {
        let source = &motion.character.skeleton;
        let map = receiver.map(source, &name)?;
        let text = format!("{}\n", serde_json::to_string_pretty(&map)?);
        let what = format!("joint map, {}", files::counted(map.len(), "joint"));
        outputs::write(path, &what, |out| out.write_all(text.as_bytes()))?;
    }
    let mut notes = Vec::new();
    let bar = Bar::percent();
    let mut watch = |part: f32| bar.set(100.0 * f64::from(part));
    let done = receiver.run(motion, &name, &mut notes, &mut watch);
    bar.clear();
    notes.iter().for_each(|note| files::print_message(note));
    let done = match done {
        // These errors name the file.
        Err(error @ (StepError::Pairs { .. } | StepError::Scale { .. })) => bail!(error),
        done => done.context(name)?,
    };
    let first = &done.reports[0].1;
    if !first.unused_source.is_empty() {
        files::print_message(&format!(
            "the character has no joints for {} of the motion: {}",
            files::counted(first.unused_source.len(), "joint"),
            first.unused_source.join(", ")
        ));
    }
    let onto = &done.import;
    let what = contents(&onto.character, &done.reports);
    let source = onto.source.as_ref();
    outputs::character(&arguments.output, &what, &onto.character, source)?;
    if !(arguments.json || arguments.report) {
        return Ok(());
    }
    let summary = summary(notes, &done);
    let text = if arguments.json {
        several::json(&arguments.motion, &summary)?
    } else {
        describe(&summary)
    };
    outputs::report(&arguments.output, &text)
}

fn contents(onto: &Character, new: &[(usize, RetargetReport)]) -> String {
    let what = match new {
        [(number, report)] => format!(
            "clip \"{}\" ({number}), {} in {:.2} s",
            onto.clips[*number].name,
            files::counted(report.frames, "frame"),
            onto.clips[*number].duration_secs
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
    Ok(mannequin())
}

fn read_map(path: &Path) -> Result<NameMap> {
    let name = path.display().to_string();
    let text = std::fs::read(path).with_context(|| format!("cannot read {name}"))?;
    Ok(sinew_batch::steps::retarget::read_map(&text, &name)?)
}
