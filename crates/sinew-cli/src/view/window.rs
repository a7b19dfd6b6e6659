//! The viewer in a window, or its picture without a window.

use super::arguments::{Arguments, Scale, Size};
use crate::{files, outputs};
use anyhow::{Context, Result, bail};
use sinew_gpu::Gpu;
use sinew_view::document::MessageKind;
use sinew_view::headless::Headless;
use sinew_view::script::{self, Step};
use sinew_view::{FileCommand, Session, open_window};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// Number of antialiasing layers that a software adapter draws for a screenshot without a script, as `sinew render` does.
const SOFTWARE_LAYERS: u32 = 4;

pub fn run(arguments: &Arguments) -> Result<()> {
    let steps = match &arguments.script {
        Some(script) => read_script(script)?,
        None => Vec::new(),
    };
    let mut session = match arguments.files.is_empty() {
        true => Session::default(),
        false => Session::standing_in(),
    };
    session.show_only(arguments.shown.names());
    for path in &arguments.files {
        session.run(match files::figure(path) {
            Some(figure) => FileCommand::OpenMade { figure },
            None => FileCommand::Open { path: path.clone() },
        });
    }
    match &arguments.screenshot {
        Some(output) => screenshot(session, arguments, output, &steps),
        None => Ok(open_window(session, &steps)?),
    }
}

fn read_script(path: &Path) -> Result<Vec<Step>> {
    let name = files::name(path);
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read {name}"))?;
    script::parse(&text).with_context(|| name.to_string())
}

fn screenshot(
    mut session: Session,
    arguments: &Arguments,
    output: &Path,
    steps: &[Step],
) -> Result<()> {
    while session.is_opening() {
        session.advance(0.0);
        std::thread::sleep(Duration::from_millis(1));
    }
    check(&session)?;
    let gpu = Arc::new(Gpu::new()?);
    let (Size(size), Scale(scale)) = (arguments.size, arguments.scale);
    let is_slow = gpu.is_software() && arguments.script.is_none();
    let mut window = Headless::new(session, gpu, size, scale)?;
    if is_slow {
        window.set_layers(SOFTWARE_LAYERS);
    }
    for (number, step) in (1..).zip(steps) {
        let taken = window.step(step);
        taken.with_context(|| format!("step {number} of the script"))?;
    }
    let picture = window.screenshot()?;
    let viewer = window.viewer();
    if let Some(why) = viewer.failure() {
        bail!("cannot draw: {why}");
    }
    check(viewer.session())?;
    let mut bytes = Vec::new();
    sinew_gpu::write_png(&mut bytes, &picture)?;
    outputs::write(output, "the window", |out| out.write_all(&bytes))
}

fn check(session: &Session) -> Result<()> {
    let mut messages = session.messages().iter();
    match messages.find(|m| m.kind == MessageKind::Problem) {
        None => Ok(()),
        Some(problem) => {
            let way_out = problem.way_out.trim_end_matches('.');
            let mut rest = way_out.chars();
            let first = rest.next().map(|c| c.to_lowercase().to_string());
            let (first, rest) = (first.unwrap_or_default(), rest.as_str());
            bail!("{}: {}; {first}{rest}", problem.file, problem.text)
        }
    }
}
