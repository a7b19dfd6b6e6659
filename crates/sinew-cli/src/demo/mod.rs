//! `sinew demo`: runs all steps on built-in characters, or on a mesh of the user.

mod binding;
mod bodies;
mod closing;
mod exhibits;
mod figures;
mod names;
mod own;
mod page;
mod pictures;
mod sheet;
mod speed;

use crate::{files, outputs};
use anyhow::{Context, Result};
use binding::Bound;
use figures::{Moment, Row, Shoulder};
use names::{PERSON, TUBE};
use pictures::{Drawing, Pictures};
use serde::Serialize;
use sinew::Character;
use sinew_gpu::Gpu;
use sinew_io::gltf::{self, ExportOptions};
use sinew_samples::mannequin::{Mannequin, grow};
use speed::Speed;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct Arguments {
    /// A bare mesh, such as scan.obj: makes the pictures with it, from bare to walking. Default: built-in characters
    #[arg(conflicts_with_all = ["no_pictures", "json"])]
    mesh: Option<PathBuf>,
    /// The output folder. It is created if it does not exist
    #[arg(short, long, value_name = "FOLDER", default_value = "out")]
    output: PathBuf,
    /// Skip the pictures and the automatic weights. Only write two files and print the tables
    #[arg(long)]
    no_pictures: bool,
    /// Make small pictures, which is faster
    #[arg(long, conflicts_with = "no_pictures")]
    small: bool,
    /// Print the measurements as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report<'a> {
    moments: &'a [Moment],
    shoulder: &'a [Shoulder],
    table: &'a [Row],
    bound: Option<&'a Bound>,
    pictures: Option<&'a Pictures>,
    speed: &'a Speed,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let folder = &arguments.output;
    std::fs::create_dir_all(folder).with_context(|| {
        format!(
            "cannot create the folder {}; choose another with -o",
            folder.display()
        )
    })?;
    if let Some(mesh) = &arguments.mesh {
        return own::run(mesh, folder, arguments.small);
    }
    let demo = Demo::make(folder)?;
    let mut text = String::new();
    figures::describe(
        &demo.person,
        &demo.tube,
        &demo.moments,
        &demo.table,
        &mut text,
    )?;
    let show = |text: &mut String| {
        let text = std::mem::take(text);
        if arguments.json {
            Ok(())
        } else {
            outputs::print(&text)
        }
    };
    show(&mut text)?;
    let mut shoulder = vec![figures::shoulder(&demo.person, "hand")?];
    let (mut bound, mut pictures) = (None, None);
    if !arguments.no_pictures {
        let mut by_hand = Mannequin::default().textured();
        // The new clip is inserted first, because the grove plays the last clip.
        by_hand.clips.insert(0, grow(&by_hand.skeleton));
        let (by_bind, took) = binding::bind(&by_hand)?;
        write_glb(folder, "bound.glb", &by_bind)?;
        let mut drawing = begin_drawing(folder, &by_bind, arguments.small)?;
        shoulder.push(figures::shoulder(&by_bind, "bind")?);
        let report = Bound::of(took, &by_bind, &by_hand)?;
        report.describe(&mut text)?;
        bound = Some(report);
        show(&mut text)?;
        if let Some(drawing) = &mut drawing {
            pictures = Some(drawing.rest([&by_bind, &by_hand])?);
        }
    }
    let speed = speed::of(&demo.person)?;
    if arguments.json {
        let report = Report {
            moments: &demo.moments,
            shoulder: &shoulder,
            table: &demo.table,
            bound: bound.as_ref(),
            pictures: pictures.as_ref(),
            speed: &speed,
        };
        let text = serde_json::to_string_pretty(&report)?;
        return outputs::print(&format!("{text}\n"));
    }
    figures::describe_shoulder(&shoulder, &mut text)?;
    if let Some(pictures) = &pictures {
        pictures.describe(&mut text)?;
    }
    describe_next_steps(folder, &mut text)?;
    let moment = demo.moments.iter().find(|m| m.angle_deg == 170.0);
    closing::describe(moment, bound.as_ref(), &speed, &mut text)?;
    closing::describe_viewing(folder, pictures.as_ref(), &mut text)?;
    outputs::print(&text)
}

struct Demo {
    person: Character,
    tube: Character,
    moments: Vec<Moment>,
    table: Vec<Row>,
}

impl Demo {
    fn make(folder: &Path) -> Result<Self> {
        let person = Mannequin::default().build();
        let tube = sinew_samples::tube_character();
        let demo = Self {
            moments: figures::moments(&tube)?,
            table: figures::table(&person),
            person,
            tube,
        };
        write_glb(folder, PERSON, &demo.person)?;
        write_glb(folder, TUBE, &demo.tube)?;
        Ok(demo)
    }
}

/// Draws the first picture. On a machine that cannot draw, prints a message and returns `None`.
fn begin_drawing(folder: &Path, person: &Character, small: bool) -> Result<Option<Drawing>> {
    match Gpu::new() {
        Ok(gpu) => Ok(Some(Drawing::begin(gpu, folder, person, small)?)),
        Err(why) => {
            files::print_message(&format!("no pictures were made: {why}"));
            Ok(None)
        }
    }
}

fn describe_next_steps(folder: &Path, text: &mut String) -> std::fmt::Result {
    let [person, tube] = [PERSON, TUBE].map(|file| folder.join(file).display().to_string());
    write!(
        text,
        "\nnext steps:\n  sinew info {person}\n  sinew skin {person} --clip walk --time 0.3 --method dqs -o {}\n  sinew render {tube} --clip twist --method lbs,dqs --fps 30 -o {}\n",
        folder.join("mannequin.obj").display(),
        folder.join("twist.png").display()
    )
}

fn write_glb(folder: &Path, name: &str, character: &Character) -> Result<()> {
    let path = folder.join(name);
    let bytes = gltf::to_glb(character, &ExportOptions::default())?;
    outputs::write(&path, &outputs::contents(character), |out| {
        out.write_all(&bytes)
    })
}
