//! `sinew measure --motion`: measures of a clip without a mesh.

use super::arguments::Arguments;
use crate::motion::{clip, json, metres, picture, text};
use crate::{files, outputs, several};
use anyhow::{Context, Result};
use sinew_rig::motion::{MotionOptions, measure_motion};
use std::path::Path;

pub(super) fn run(arguments: &Arguments, input: &Path) -> Result<()> {
    let name = || files::name(input);
    let import = files::load(input)?;
    let index = clip(&import, arguments.clip.as_deref(), input)?;
    let (skeleton, clip) = (&import.character.skeleton, &import.character.clips[index]);
    let reference = match &arguments.reference {
        Some(path) => Some((files::load(path)?, path)),
        None => None,
    };
    let reference = match &reference {
        Some((import, path)) => {
            let wanted = arguments.clip.as_deref();
            let index = crate::motion::clip(import, wanted, path)?;
            Some((&import.character.skeleton, &import.character.clips[index]))
        }
        None => None,
    };
    let metres = metres(arguments.unit.scale, &import);
    let options = MotionOptions::new()
        .metres(Some(metres))
        .floor(arguments.floor.map(|floor| floor / metres));
    let found = measure_motion(skeleton, clip, reference, &options).with_context(name)?;
    if let Some(path) = &arguments.plot {
        let path = several::output(path, input);
        let drawing = picture::draw(&format!("{}: {}", name(), clip.name), None, &found);
        outputs::write(&path, "feet and jerk", |out| {
            out.write_all(drawing.as_bytes())
        })?;
    }
    let text = if arguments.json {
        several::json(input, &json::document(skeleton, &found))?
    } else {
        text::describe(skeleton, &[(&clip.name, &found)])
    };
    outputs::print(&text)
}
