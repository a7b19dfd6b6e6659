//! `clip`: edits clips, and copies clips from other files.

mod curve;
mod keyed;
mod take;

pub use curve::NewCurve;
pub use keyed::PoseKey;

use crate::clips::find_clip;
use crate::error::StepError;
use crate::notation::{NewEvent, Part, some_rate, texts};
use keyed::ReadKey;
use serde::{Deserialize, Serialize};
use sinew::{Character, Clip, Skeleton};
use sinew_io::Import;
use std::path::{Path, PathBuf};

/// Options of editing clips.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields, default)]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct EditClips {
    /// Make a new clip from poses, each at a time in seconds: a JSON file with joints, or a time of a clip of the file;
    /// can be repeated. --rename names the clip; other edits apply to it
    #[serde(deserialize_with = "texts")]
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "SECONDS=POSE.json|CLIP@SECONDS")
    )]
    pub key: Vec<PoseKey>,
    /// Add the clips of another file. Joints are matched by name; can be repeated
    #[serde(deserialize_with = "texts")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "FILE"))]
    pub take: Vec<PathBuf>,
    /// The clips to edit, by name or number, separated by commas. Default: all clips
    #[serde(deserialize_with = "texts")]
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "CLIPS", value_delimiter = ',')
    )]
    pub clip: Vec<String>,
    /// Remove all clips except those of --clip
    #[cfg_attr(feature = "clap", arg(long))]
    pub only: bool,
    /// Join the clips of --clip into one, in that order
    #[cfg_attr(feature = "clap", arg(long))]
    pub join: bool,
    /// Keep only the part between two times in seconds, like 0.2..1.4. Either time may be omitted
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "FROM..TO", allow_hyphen_values = true)
    )]
    pub trim: Option<Part>,
    /// Play the clips backwards
    #[cfg_attr(feature = "clap", arg(long))]
    pub reverse: bool,
    /// Exchange left and right. Joints are matched by body part or name, events and curves by name
    #[cfg_attr(feature = "clap", arg(long))]
    pub mirror: bool,
    /// Distribute a correction over the clip so that it ends in its first pose. The path of the root stays
    #[serde(rename = "loop")]
    #[cfg_attr(feature = "clap", arg(long = "loop"))]
    pub looped: bool,
    /// Resample every track to this many keys per second
    #[serde(deserialize_with = "some_rate")]
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "RATE", allow_negative_numbers = true, value_parser = crate::notation::rate)
    )]
    pub fps: Option<f64>,
    /// Add an event at a time in the edited clip, like 0.3=grasp; can be repeated
    #[serde(deserialize_with = "texts")]
    #[cfg_attr(
        feature = "clap",
        arg(long, value_name = "SECONDS=NAME", allow_hyphen_values = true)
    )]
    pub event: Vec<NewEvent>,
    /// Add a curve to the edited clips, or replace it: keys as SECONDS:VALUE with commas between them, like
    /// fade=0:0,0.5:1, with / between the values of a wider curve; or a part of the motion of a joint, like
    /// eye=camera.translation, lift=hips.translation.y or bend=elbow.angle (degrees); can be repeated
    #[serde(deserialize_with = "texts")]
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME=KEYS"))]
    pub curve: Vec<NewCurve>,
    /// New name of the edited clip. Requires that only one clip is edited
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME"))]
    pub rename: Option<String>,
}

/// Edits with the files that they name, prepared once.
#[derive(Debug)]
pub struct Editing {
    options: EditClips,
    /// Files whose clips are added, with their names.
    taken: Vec<(String, Import)>,
    keys: Vec<ReadKey>,
}

/// What an edited clip has.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ClipRow {
    /// Name of the clip.
    pub name: String,
    /// Duration in seconds.
    pub duration_secs: f32,
    /// Number of tracks of joints and morph targets.
    pub tracks: usize,
    /// Number of keys of all tracks.
    pub keys: usize,
    /// Number of events.
    pub events: usize,
    /// Number of curves.
    pub curves: usize,
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

fn refused(text: impl ToString) -> StepError {
    StepError::Refused(text.to_string())
}

impl EditClips {
    /// True if an option changes something.
    pub fn changes(&self) -> bool {
        !self.take.is_empty()
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

    pub(crate) fn check(&self) -> Result<(), &'static str> {
        match self.changes() {
            true => Ok(()),
            false => Err("nothing to do; add an edit, such as `trim = \"0.2..1.4\"`"),
        }
    }

    /// Files of poses, and of clips to add.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Path> {
        let poses = self.key.iter().filter_map(PoseKey::file);
        self.take.iter().map(PathBuf::as_path).chain(poses)
    }

    /// Reads the files that the options name, and `further` files whose clips are added first. `load` reads a character,
    /// and `read` a text.
    ///
    /// # Errors
    /// Those of `load` and `read`, and [`StepError::Refused`] for a file that is not a pose.
    pub fn editing<E: From<StepError>>(
        &self,
        further: &[PathBuf],
        mut load: impl FnMut(&Path) -> Result<Import, E>,
        mut read: impl FnMut(&Path) -> Result<String, E>,
    ) -> Result<Editing, E> {
        let mut taken = Vec::new();
        for path in further.iter().chain(&self.take) {
            taken.push((path.display().to_string(), load(path)?));
        }
        let keys = self.key.iter().map(|key| key.read(&mut read));
        Ok(Editing {
            options: self.clone(),
            taken,
            keys: keys.collect::<Result<_, _>>()?,
        })
    }

    fn edited(
        &self,
        skeleton: &Skeleton,
        clip: &Clip,
        notes: &mut Vec<String>,
    ) -> Result<Clip, StepError> {
        let mut clip = clip.clone();
        if let Some(Part([from, to])) = self.trim {
            let to = to.unwrap_or(clip.duration_secs);
            clip = clip.trimmed(from.unwrap_or(0.0), to).map_err(refused)?;
        }
        if self.reverse {
            clip = clip.reversed();
        }
        if self.mirror {
            let (mirrored, new) = sinew_edit::mirrored(&clip, skeleton).map_err(refused)?;
            clip = mirrored;
            for note in new {
                if !notes.contains(&note) {
                    notes.push(note);
                }
            }
        }
        if self.looped {
            clip = clip.looped(skeleton);
        }
        if let Some(fps) = self.fps {
            clip = clip.resampled(fps).map_err(refused)?;
        }
        Ok(clip)
    }

    fn add_events(&self, clip: &mut Clip) -> Result<(), StepError> {
        for NewEvent(time, name) in &self.event {
            // The ends of trimmed clips are rounded.
            if *time > clip.duration_secs + 1e-4 {
                return Err(refused(format!(
                    "the event {name} at {time} s is after the end of \"{}\" at {} s",
                    clip.name, clip.duration_secs
                )));
            }
            clip.add_event(time.min(clip.duration_secs), name.clone());
        }
        Ok(())
    }

    fn rename(&self, edited: &mut [Clip], chosen: &[usize], all: &[Clip]) -> Result<(), StepError> {
        let Some(name) = &self.rename else {
            return Ok(());
        };
        let others = all.iter().enumerate();
        let mut others = others.filter(|(at, _)| !self.only && !chosen.contains(at));
        if others.any(|(_, clip)| clip.name == *name) {
            return Err(refused(format!(
                "--rename: there is a clip \"{name}\" already; choose another name"
            )));
        }
        match edited {
            [one] => one.name.clone_from(name),
            many => {
                return Err(refused(format!(
                    "--rename needs one clip, not {}; choose one with --clip",
                    many.len()
                )));
            }
        }
        Ok(())
    }

    /// Puts edited clips back at their indices. A joined clip gets the first index.
    fn put_back(&self, character: &mut Character, chosen: &[usize], edited: Vec<Clip>) {
        if self.only {
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
}

impl Editing {
    /// Edits the chosen clips of a character.
    ///
    /// # Errors
    /// [`StepError`] if there is no such clip, or an edit is not possible.
    pub fn run(
        &self,
        import: &mut Import,
        notes: &mut Vec<String>,
    ) -> Result<Vec<ClipRow>, StepError> {
        let character = &mut import.character;
        for (name, other) in &self.taken {
            take::take(name, other.clone(), character, notes)?;
        }
        if !self.keys.is_empty() {
            keyed::add(character, &self.keys)?;
        }
        let chosen = self.chosen(character)?;
        let options = &self.options;
        let mut edited = Vec::new();
        for &index in &chosen {
            let clip = &character.clips[index];
            let one = options.edited(&character.skeleton, clip, notes);
            edited.push(one.map_err(|error| error.of_clip(&clip.name))?);
        }
        if options.join {
            edited = joined(edited, &character.skeleton)?;
        }
        for clip in &mut edited {
            options.add_events(clip)?;
            curve::add(clip, &character.skeleton, &options.curve)?;
        }
        options.rename(&mut edited, &chosen, &character.clips)?;
        let rows = edited.iter().map(ClipRow::new).collect();
        options.put_back(character, &chosen, edited);
        if !character.layers.is_empty() {
            let note = "clips that have layers are flattened; `sinew edit` keeps layers";
            notes.push(note.to_owned());
            character.layers.clear();
        }
        Ok(rows)
    }

    fn chosen(&self, character: &Character) -> Result<Vec<usize>, StepError> {
        if character.clips.is_empty() {
            let more = "; `--take FILE` adds the clips of another file";
            return Err(StepError::NoClips(more.to_owned()));
        }
        let wanted = &self.options.clip;
        Ok(match (self.keys.is_empty(), wanted.is_empty()) {
            (false, _) => vec![character.clips.len() - 1],
            (true, true) => (0..character.clips.len()).collect(),
            (true, false) => {
                let found = wanted.iter().map(|clip| find_clip(character, clip));
                found.collect::<Result<_, _>>()?
            }
        })
    }
}

fn joined(clips: Vec<Clip>, skeleton: &Skeleton) -> Result<Vec<Clip>, StepError> {
    let mut clips = clips.into_iter();
    let Some(mut whole) = clips.next() else {
        return Err(refused("there is no clip to join"));
    };
    for next in clips {
        let joined = whole.joined(&next, skeleton);
        whole = joined.map_err(|error| {
            let names = (&whole.name, &next.name);
            refused(format!(
                "\"{}\" and \"{}\" cannot be joined: {error}",
                names.0, names.1
            ))
        })?;
    }
    Ok(vec![whole])
}
