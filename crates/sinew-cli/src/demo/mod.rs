//! `sinew demo`: the whole line on figures made by code.

mod binding;
mod bodies;
mod exhibits;
mod figures;
mod pictures;
mod sheet;

use crate::{files, outputs};
use anyhow::{Context, Result};
use binding::Bound;
use figures::{Moment, Row, Shoulder};
use pictures::{Pictures, Sizes};
use serde::Serialize;
use sinew::Character;
use sinew_gpu::Gpu;
use sinew_io::gltf::{self, ExportOptions};
use sinew_samples::mannequin::{Mannequin, grow};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct Arguments {
    /// The folder to write to, made when it is not there
    #[arg(short, long, value_name = "FOLDER", default_value = "out")]
    output: PathBuf,
    /// Make no pictures, and bind nothing: only two files and the tables
    #[arg(long)]
    no_pictures: bool,
    /// Make small pictures, which takes less time
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
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let folder = &arguments.output;
    std::fs::create_dir_all(folder).with_context(|| {
        format!(
            "cannot make the folder {}; name another with -o",
            folder.display()
        )
    })?;
    let person = Mannequin::default().build();
    let tube = sinew_samples::tube_character();
    let moments = figures::moments(&tube)?;
    let mut shoulder = vec![figures::shoulder(&person, "hand")?];
    let table = figures::table(&person);
    let mut made = vec![
        write_glb(folder, "mannequin.glb", &person)?,
        write_glb(folder, "tube.glb", &tube)?,
    ];
    let mut text = String::new();
    figures::describe(&person, &tube, &moments, &table, &mut text)?;
    let show = |text: &mut String| match arguments.json {
        true => Ok(()),
        // Shown as it comes: what follows takes a while.
        false => outputs::print(&std::mem::take(text)),
    };
    show(&mut text)?;
    let (mut bound, mut pictures) = (None, None);
    if !arguments.no_pictures {
        let mut by_hand = Mannequin::default().textured();
        // The last clip is the one that is played in the grove.
        by_hand.clips.insert(0, grow(&by_hand.skeleton));
        let (by_bind, report) = binding::bind(&by_hand)?;
        made.push(write_glb(folder, "bound.glb", &by_bind)?);
        shoulder.push(figures::shoulder(&by_bind, "bind")?);
        report.describe(&mut text)?;
        bound = Some(report);
        show(&mut text)?;
        match Gpu::new() {
            Ok(gpu) => {
                let sizes = Sizes::new(arguments.small);
                let pair = [&by_bind, &by_hand];
                pictures = Some(pictures::draw(&gpu, folder, pair, &sizes)?);
            }
            Err(why) => files::say(&format!("no pictures were made: {why}")),
        }
    }
    if arguments.json {
        let report = Report {
            moments: &moments,
            shoulder: &shoulder,
            table: &table,
            bound: bound.as_ref(),
            pictures: pictures.as_ref(),
        };
        let text = serde_json::to_string_pretty(&report)?;
        return outputs::print(&format!("{text}\n"));
    }
    figures::describe_shoulder(&shoulder, &mut text)?;
    if let Some(pictures) = &pictures {
        writeln!(
            text,
            "\ngrove      {:.1} frames per second at {} × {} with all passes, by {}",
            pictures.grove_fps, pictures.grove_size[0], pictures.grove_size[1], pictures.adapter
        )?;
        writeln!(
            text,
            "pictures   {}, {}, {} and, moving, {} and {}",
            pictures.sheet.display(),
            pictures.bodies.display(),
            pictures.still.display(),
            pictures.moving.display(),
            pictures.exhibits.display()
        )?;
    }
    let [person, tube] = [0, 1].map(|file| made[file].display().to_string());
    write!(
        text,
        "\nto go on:\n  sinew info {person}\n  sinew skin {person} --clip walk --time 0.3 --method dqs -o {}\n  sinew render {tube} --clip twist --method lbs,dqs --fps 30 -o {}\n",
        folder.join("mannequin.obj").display(),
        folder.join("twist.png").display()
    )?;
    outputs::print(&text)
}

fn write_glb(folder: &Path, name: &str, character: &Character) -> Result<PathBuf> {
    let path = folder.join(name);
    let bytes = gltf::to_glb(character, &ExportOptions::default())?;
    outputs::write(&path, &outputs::contents(character), |out| {
        out.write_all(&bytes)
    })?;
    Ok(path)
}
