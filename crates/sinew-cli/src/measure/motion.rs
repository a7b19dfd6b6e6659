//! `sinew measure --motion`: measures of a clip without a mesh.

use super::arguments::Arguments;
use crate::motion::{json, picture, text};
use crate::progress::waiting;
use crate::{files, outputs, several};
use anyhow::{Context, Result};
use std::path::Path;

pub(super) fn run(arguments: &Arguments, input: &Path) -> Result<()> {
    let name = || files::name(input);
    let import = files::load(input)?;
    let reference = arguments.reference.as_deref();
    let reference = reference.map(|path| {
        let import = files::load(path)?;
        arguments
            .measure
            .index(&import)
            .with_context(|| files::name(path))?;
        Ok::<_, anyhow::Error>(import)
    });
    let reference = reference.transpose()?;
    let working = waiting(format!("measuring {}", files::one_line(&name())));
    let measured = arguments.measure.run(&import, reference.as_ref());
    drop(working);
    let (index, found) = measured.with_context(name)?;
    let (skeleton, clip) = (&import.character.skeleton, &import.character.clips[index]);
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
