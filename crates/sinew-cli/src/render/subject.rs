//! The character of a picture, loaded or built-in, with bindings and pose from the arguments.

use super::arguments::Arguments;
use super::{face, posed};
use crate::{files, usage};
use anyhow::{Context, Result, bail};
use sinew::binding::Target;
use sinew::{Character, Method};
use sinew_gpu::Shot;

pub struct Subject {
    pub character: Character,
    /// Index of the clip. `None` for the rest pose.
    pub clip: Option<usize>,
    /// Skinning method that the file requests.
    pub method: Option<Method>,
    /// Name of the character in messages.
    pub name: String,
}

impl Subject {
    pub fn new(arguments: &Arguments) -> Result<Self> {
        let (mut character, method, name) = match (&arguments.input, arguments.figure) {
            (Some(input), _) => {
                let name = files::name(input);
                let mut import = files::load(input)?;
                face::show(&mut import, &arguments.expression).with_context(|| name.clone())?;
                (import.character, import.method, name)
            }
            (None, Some(figure)) => (figure.make(), None, "the figure".to_owned()),
            (None, None) => bail!("give a file, or a built-in character with --figure"),
        };
        bind(arguments, &mut character).with_context(|| name.clone())?;
        let clip = match &arguments.clip {
            Some(clip) => Some(files::find_clip(&character, clip).with_context(|| name.clone())?),
            None if arguments.rest || !arguments.set.is_empty() => None,
            None => (!character.clips.is_empty()).then_some(0),
        };
        let clip = posed::pose(&mut character, clip, &arguments.set);
        Ok(Self {
            clip: clip.with_context(|| name.clone())?,
            character,
            method,
            name,
        })
    }
}

/// Adds the bindings of the command line to the bindings of the file. --camera overrides the camera of the clip.
fn bind(arguments: &Arguments, character: &mut Character) -> Result<()> {
    for binding in &arguments.bind {
        if matches!(binding.target, Target::Parameter(_)) {
            return Err(usage::wrong(&format!(
                "{binding}: `sinew render` plays a clip, not a state machine, so there are no parameters"
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
