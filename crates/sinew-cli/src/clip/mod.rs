//! `sinew clip`: edits clips, and copies clips from other files.

mod curve;
mod keyed;
mod take;

use crate::files::{self, counted};
use crate::{outputs, usage};
use anyhow::{Context, Result, bail};
use serde::Serialize;
use sinew::{Character, Clip, Skeleton};
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Arguments {
    /// The character: a glTF, GLB, VRM, FBX, BVH, OBJ, PLY or .sinew file, or - for standard input. The clips of
    /// further files are added, as with --take
    #[arg(required = true)]
    inputs: Vec<PathBuf>,
    /// The output: .glb, .gltf with embedded buffer, or .vrm for an avatar; - writes GLB to standard output
    #[arg(short, long, value_name = "FILE", value_parser = |text: &str| files::output(text, &files::CHARACTERS))]
    output: PathBuf,
    /// Make a new clip from poses, each at a time in seconds: a JSON file with joints, or a time of a clip of the file;
    /// can be repeated. --rename names the clip; other edits apply to it
    #[arg(long, value_name = "SECONDS=POSE.json|CLIP@SECONDS", value_parser = keyed::key)]
    key: Vec<keyed::PoseKey>,
    /// Add the clips of another file. Joints are matched by name; can be repeated
    #[arg(long, value_name = "FILE")]
    take: Vec<PathBuf>,
    /// The clips to edit, by name or number, separated by commas. Default: all clips
    #[arg(long, value_name = "CLIPS", value_delimiter = ',')]
    clip: Vec<String>,
    /// Remove all clips except those of --clip
    #[arg(long)]
    only: bool,
    /// Join the clips of --clip into one, in that order
    #[arg(long)]
    join: bool,
    /// Keep only the part between two times in seconds, like 0.2..1.4. Either time may be omitted
    #[arg(long, value_name = "FROM..TO", allow_hyphen_values = true, value_parser = part)]
    trim: Option<(Option<f32>, Option<f32>)>,
    /// Play the clips backwards
    #[arg(long)]
    reverse: bool,
    /// Exchange left and right. Joints are matched by body part or name, events and curves by name
    #[arg(long)]
    mirror: bool,
    /// Distribute a correction over the clip so that it ends in its first pose. The path of the root stays
    #[arg(long = "loop")]
    looped: bool,
    /// Resample every track to this many keys per second
    #[arg(long, value_name = "RATE", allow_negative_numbers = true, value_parser = files::rate)]
    fps: Option<f64>,
    /// Add an event at a time in the edited clip, like 0.3=grasp; can be repeated
    #[arg(long, value_name = "SECONDS=NAME", allow_hyphen_values = true, value_parser = event)]
    event: Vec<(f32, String)>,
    /// Add a curve to the edited clips, or replace it: keys as SECONDS:VALUE with commas between them, like
    /// fade=0:0,0.5:1, with / between the values of a wider curve; or a part of the motion of a joint, like
    /// eye=camera.translation, lift=hips.translation.y or bend=elbow.angle (degrees); can be repeated
    #[arg(long, value_name = "NAME=KEYS", value_parser = curve::curve)]
    curve: Vec<curve::NewCurve>,
    /// New name of the edited clip. Requires that only one clip is edited
    #[arg(long, value_name = "NAME")]
    rename: Option<String>,
    /// Print the edited clips as JSON
    #[arg(long)]
    json: bool,
}

impl Arguments {
    fn changes(&self) -> bool {
        self.inputs.len() > 1
            || !self.take.is_empty()
            || !self.key.is_empty()
            || (self.only && !self.clip.is_empty())
            || self.join
            || self.trim.is_some()
            || self.reverse
            || self.mirror
            || self.looped
            || self.fps.is_some()
            || !self.event.is_empty()
            || !self.curve.is_empty()
            || self.rename.is_some()
    }
}

#[derive(Serialize)]
struct Document {
    format: &'static str,
    clips: Vec<ClipRow>,
    notes: Vec<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ClipRow {
    name: String,
    duration_secs: f32,
    tracks: usize,
    keys: usize,
    events: usize,
    curves: usize,
}

impl ClipRow {
    fn new(clip: &Clip) -> Self {
        Self {
            name: clip.name.clone(),
            duration_secs: clip.duration_secs,
            tracks: clip.tracks().count(),
            keys: clip.tracks().map(|track| track.keys()).sum(),
            events: clip.events.len(),
            curves: clip.curves.len(),
        }
    }
}

fn part(text: &str) -> Result<(Option<f32>, Option<f32>), String> {
    let wrong = || "a part is FROM..TO in seconds, like 0.2..1.4".to_owned();
    let (from, to) = text.split_once("..").ok_or_else(wrong)?;
    let time = |text: &str| match text.trim() {
        "" => Ok(None),
        text => text.parse().map(Some).map_err(|_| wrong()),
    };
    Ok((time(from)?, time(to)?))
}

fn event(text: &str) -> Result<(f32, String), String> {
    let wrong = || "an event is SECONDS=NAME, like 0.3=grasp".to_owned();
    let (time, name) = text.split_once('=').ok_or_else(wrong)?;
    let time: f32 = time.trim().parse().map_err(|_| wrong())?;
    if time.is_finite() && time >= 0.0 && !name.is_empty() {
        Ok((time, name.to_owned()))
    } else {
        Err(wrong())
    }
}

pub fn run(arguments: &Arguments) -> Result<()> {
    if arguments.json && files::is_standard(&arguments.output) {
        let message = "--json and the file cannot both go to standard output";
        return Err(usage::wrong(message));
    }
    outputs::check(&arguments.output)?;
    let mut notes = Vec::new();
    let Some((input, others)) = arguments.inputs.split_first() else {
        bail!("there is no file to edit");
    };
    let mut import = files::load(input)?;
    let character = &mut import.character;
    for other in others.iter().chain(&arguments.take) {
        notes.extend(take::take(other, character)?);
    }
    let name = || files::name(input);
    if !arguments.key.is_empty() {
        keyed::add(character, &arguments.key).with_context(name)?;
    }
    if character.clips.is_empty() {
        bail!(
            "{}: there is no clip; `--take FILE` adds the clips of another file",
            name()
        );
    }
    let chosen: Vec<usize> = if !arguments.key.is_empty() {
        vec![character.clips.len() - 1]
    } else if arguments.clip.is_empty() {
        (0..character.clips.len()).collect()
    } else {
        let found = arguments
            .clip
            .iter()
            .map(|clip| files::find_clip(character, clip));
        found.collect::<Result<_, _>>().with_context(name)?
    };
    if !arguments.changes() {
        return Err(usage::wrong(
            "nothing to do: add an edit, such as --trim 0.2..1.4, --clip CLIP --only or --take FILE; `sinew convert` writes \
             the file unchanged",
        ));
    }
    let mut edited = Vec::new();
    for &clip in &chosen {
        let clip = &character.clips[clip];
        let what = || format!("{}: clip \"{}\"", name(), clip.name);
        edited.push(edit(arguments, &character.skeleton, clip, &mut notes).with_context(what)?);
    }
    if arguments.join {
        edited = vec![join(edited, &character.skeleton).with_context(name)?];
    }
    add_events(&mut edited, &arguments.event)?;
    for clip in &mut edited {
        curve::add(clip, &character.skeleton, &arguments.curve).with_context(name)?;
    }
    if let Some(name) = &arguments.rename {
        let others = character.clips.iter().enumerate();
        let mut others = others.filter(|(at, _)| !arguments.only && !chosen.contains(at));
        if others.any(|(_, clip)| clip.name == *name) {
            bail!("--rename: there is a clip \"{name}\" already; choose another name");
        }
        match edited.as_mut_slice() {
            [one] => one.name.clone_from(name),
            many => bail!(
                "--rename needs one clip, not {}; choose one with --clip",
                many.len()
            ),
        }
    }
    notes.iter().for_each(|note| files::print_message(note));
    let rows: Vec<ClipRow> = edited.iter().map(ClipRow::new).collect();
    for clip in &rows {
        files::print_message(&format!(
            "clip \"{}\": {:.3} s, {}, {}",
            clip.name,
            clip.duration_secs,
            counted(clip.tracks, "track"),
            counted(clip.events, "event"),
        ));
    }
    put_back(character, &chosen, edited, arguments);
    if !character.layers.is_empty() {
        files::print_message("clips that have layers are flattened; `sinew edit` keeps layers");
        character.layers.clear();
    }
    let what = outputs::contents(character);
    outputs::character(&arguments.output, &what, character, import.source.as_ref())?;
    if !arguments.json {
        return Ok(());
    }
    let document = Document {
        format: "sinew-clip/1",
        clips: rows,
        notes,
    };
    outputs::print(&format!("{}\n", serde_json::to_string_pretty(&document)?))
}

fn add_events(edited: &mut [Clip], events: &[(f32, String)]) -> Result<()> {
    for clip in edited {
        for (time, name) in events {
            // The ends of trimmed clips are rounded.
            if *time > clip.duration_secs + 1e-4 {
                let clip = (&clip.name, clip.duration_secs);
                bail!(
                    "the event {name} at {time} s is after the end of \"{}\" at {} s",
                    clip.0,
                    clip.1
                );
            }
            clip.add_event(time.min(clip.duration_secs), name.clone());
        }
    }
    Ok(())
}

fn edit(
    arguments: &Arguments,
    skeleton: &Skeleton,
    clip: &Clip,
    notes: &mut Vec<String>,
) -> Result<Clip> {
    let mut clip = clip.clone();
    if let Some((from, to)) = arguments.trim {
        let to = to.unwrap_or(clip.duration_secs);
        clip = clip.trimmed(from.unwrap_or(0.0), to)?;
    }
    if arguments.reverse {
        clip = clip.reversed();
    }
    if arguments.mirror {
        let (mirrored, new_notes) = sinew_edit::mirrored(&clip, skeleton)?;
        clip = mirrored;
        notes.extend(
            new_notes
                .into_iter()
                .filter(|note| !notes.contains(note))
                .collect::<Vec<_>>(),
        );
    }
    if arguments.looped {
        clip = clip.looped(skeleton);
    }
    if let Some(fps) = arguments.fps {
        clip = clip.resampled(fps)?;
    }
    Ok(clip)
}

fn join(clips: Vec<Clip>, skeleton: &Skeleton) -> Result<Clip> {
    let mut clips = clips.into_iter();
    let Some(mut whole) = clips.next() else {
        bail!("there is no clip to join");
    };
    for next in clips {
        let what = || format!("\"{}\" and \"{}\" cannot be joined", whole.name, next.name);
        whole = whole.joined(&next, skeleton).with_context(what)?;
    }
    Ok(whole)
}

/// Puts edited clips back at their indices. A joined clip gets the first index.
fn put_back(character: &mut Character, chosen: &[usize], edited: Vec<Clip>, arguments: &Arguments) {
    if arguments.only {
        character.clips = edited;
        return;
    }
    let is_joined = edited.len() < chosen.len();
    for (&index, clip) in chosen.iter().zip(edited) {
        character.clips[index] = clip;
    }
    if is_joined {
        let mut index = 0;
        character.clips.retain(|_| {
            index += 1;
            !chosen[1..].contains(&(index - 1)) || index - 1 == chosen[0]
        });
    }
}
