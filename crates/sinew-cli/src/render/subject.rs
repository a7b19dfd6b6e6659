//! The character of a picture, loaded or built-in, with bindings and pose from the arguments.

use super::arguments::Arguments;
use super::machine::{self, State};
use super::posed;
use crate::files::listed;
use crate::{files, usage};
use anyhow::{Context, Result, bail};
use sinew::Character;
use sinew::binding::Target;
use sinew::names::did_you_mean;
use sinew_gpu::Shot;
use sinew_io::Import;

pub struct Subject {
    pub character: Character,
    /// Index of the clip. `None` for the rest pose.
    pub clip: Option<usize>,
    /// States of the state machine, if it plays one.
    pub states: Vec<State>,
    /// Name of the character in messages.
    pub name: String,
}

impl Subject {
    pub fn new(arguments: &Arguments) -> Result<Self> {
        let name = files::name(&arguments.input);
        let mut import = files::load(&arguments.input)?;
        show_expressions(&mut import, &arguments.expression).with_context(|| name.clone())?;
        let mut character = import.character;
        let shown = arguments.shown.apply(&mut character);
        shown.with_context(|| name.clone())?;
        bind(arguments, &mut character).with_context(|| name.clone())?;
        if arguments.machine.is_some() {
            let (clip, states) = machine::play(arguments, &mut character)?;
            return Ok(Self {
                character,
                clip: Some(clip),
                states,
                name,
            });
        }
        let clip = match &arguments.clip {
            Some(clip) => Some(files::find_clip(&character, clip).with_context(|| name.clone())?),
            None if arguments.rest || !arguments.set.is_empty() => None,
            None => (!character.clips.is_empty()).then_some(0),
        };
        let angles = arguments.set.iter().map(|text| posed::angles(text));
        let angles: Vec<posed::Angles> = angles
            .collect::<Result<_, _>>()
            .map_err(|error| usage::wrong(&format!("--set: {error}")))?;
        let clip = posed::pose(&mut character, clip, &angles);
        Ok(Self {
            clip: clip.with_context(|| name.clone())?,
            character,
            states: Vec::new(),
            name,
        })
    }
}

/// Adds the bindings of the command line to the bindings of the file. --camera overrides the camera of the clip.
fn bind(arguments: &Arguments, character: &mut Character) -> Result<()> {
    for binding in &arguments.bind {
        if matches!(binding.target, Target::Parameter(_)) && arguments.machine.is_none() {
            return Err(usage::wrong(&format!(
                "{binding}: without --machine, `sinew render` plays a clip, so there are no parameters"
            )));
        }
        character.check_binding(binding, &Shot::names())?;
    }
    character.bindings.extend(arguments.bind.iter().cloned());
    if arguments.camera.is_some() {
        let is_camera = |target: &Target| {
            use Target::{CameraEye, CameraFov, CameraTarget};
            matches!(target, CameraEye | CameraTarget | CameraFov)
        };
        if let Some(bound) = arguments.bind.iter().find(|own| is_camera(&own.target)) {
            return Err(usage::wrong(&format!(
                "--camera and --bind {bound} both set the camera: remove one"
            )));
        }
        character.bindings.retain(|own| !is_camera(&own.target));
    }
    Ok(())
}

/// Shows expressions of an avatar with full weight.
fn show_expressions(import: &mut Import, names: &[String]) -> Result<()> {
    for name in names {
        let Some(avatar) = &import.avatar else {
            bail!("there is no expression \"{name}\": the file is not an avatar (VRM)");
        };
        let Some(expression) = avatar.expression(name) else {
            let all = || avatar.expressions.iter().map(|e| e.name.as_str());
            let known: Vec<String> = all().map(|name| format!("\"{name}\"")).collect();
            let known = match known.as_slice() {
                [] => "the avatar has no expression that moves vertices".to_owned(),
                known => format!("available: {}", listed(known, "and")),
            };
            let near = did_you_mean(name, all());
            bail!("there is no expression \"{name}\"; {known}{near}");
        };
        expression.show(&mut import.character, 1.0);
    }
    Ok(())
}
