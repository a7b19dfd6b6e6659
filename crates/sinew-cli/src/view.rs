//! `sinew view`: the viewer, or a picture of it without a window.

use crate::{files, outputs};
use anyhow::{Context, Result, bail};
use sinew_gpu::Gpu;
use sinew_view::document::MessageKind;
use sinew_view::headless::Headless;
use sinew_view::script::{self, Step};
use sinew_view::{Session, open_window};
use std::path::{Path, PathBuf};
use std::sync::Arc;

#[derive(clap::Args)]
pub struct Arguments {
    /// glTF, GLB, VRM, FBX, BVH, C3D, OBJ, PLY or .sinew files; several are opened side by side in tabs
    files: Vec<PathBuf>,
    /// Run the commands of a JSON file first: a list like `[{"do": "seek", "time_secs": 0.4}, {"do": "wait", "secs": 0.5}]`;
    /// docs/view.md lists them all
    #[arg(long, value_name = "FILE.json")]
    script: Option<PathBuf>,
    /// Write a picture of the whole window and end; no window is opened
    #[arg(long, value_name = "FILE.png")]
    screenshot: Option<PathBuf>,
    /// Width and height of that picture in pixels
    #[arg(
        long,
        value_name = "WIDTHxHEIGHT",
        default_value = "1280x800",
        requires = "screenshot"
    )]
    size: Size,
    /// Pixels to a point of it: 2 for screens whose letters are drawn twice as large
    #[arg(
        long,
        value_name = "FACTOR",
        default_value = "1",
        requires = "screenshot"
    )]
    scale: Scale,
}

/// Width and height.
#[derive(Clone, Copy)]
struct Size([u32; 2]);

impl std::str::FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = || format!("\"{text}\" is not like 1280x800");
        let (width, height) = text.split_once('x').ok_or_else(wrong)?;
        let side = |text: &str| match text.parse::<u32>() {
            Ok(side) if side > 0 => Ok(side),
            _ => Err(wrong()),
        };
        Ok(Self([side(width)?, side(height)?]))
    }
}

/// Pixels to a point.
#[derive(Clone, Copy)]
struct Scale(f32);

impl std::str::FromStr for Scale {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.parse::<f32>() {
            Ok(scale) if (0.5..=4.0).contains(&scale) => Ok(Self(scale)),
            _ => Err(format!("\"{text}\" is not a number from 0.5 to 4")),
        }
    }
}

/// Runs it.
pub fn run(arguments: &Arguments) -> Result<()> {
    let steps = match &arguments.script {
        Some(script) => read_script(script)?,
        None => Vec::new(),
    };
    let session = Session::opening(arguments.files.iter().cloned());
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
    session: Session,
    arguments: &Arguments,
    output: &Path,
    steps: &[Step],
) -> Result<()> {
    let gpu = Arc::new(Gpu::new()?);
    let (Size(size), Scale(scale)) = (arguments.size, arguments.scale);
    let mut window = Headless::new(session, gpu, size, scale)?;
    for (number, step) in (1..).zip(steps) {
        let taken = window.step(step);
        taken.with_context(|| format!("step {number} of the script"))?;
    }
    let picture = window.screenshot()?;
    let viewer = window.viewer();
    if let Some(why) = viewer.failure() {
        bail!("nothing can be drawn: {why}");
    }
    let messages = viewer.session().messages();
    if let Some(problem) = messages.iter().find(|m| m.kind == MessageKind::Problem) {
        let way_out = problem.way_out.trim_end_matches('.');
        bail!("{}: {}; {way_out}", problem.file, problem.text);
    }
    let mut bytes = Vec::new();
    sinew_gpu::write_png(&mut bytes, &picture)?;
    outputs::write(output, "the window", |out| out.write_all(&bytes))
}
