//! `sinew demo`: the whole line on figures made by code.

mod exhibits;
mod pictures;

use crate::{files, outputs};
use anyhow::{Context, Result};
use pictures::{Pictures, Sizes};
use serde::Serialize;
use sinew::mesh::volume;
use sinew::{Character, Method, deform};
use sinew_gpu::Gpu;
use sinew_io::gltf::{self, ExportOptions};
use sinew_samples::mannequin::Mannequin;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

#[derive(clap::Args)]
pub struct Arguments {
    /// The folder to write to, made when it is not there
    #[arg(short, long, value_name = "FOLDER", default_value = "out")]
    output: PathBuf,
    /// Make no pictures: only the files and the table
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
    pictures: Option<&'a Pictures>,
}

/// A figure at a moment, by every method.
#[derive(Serialize)]
struct Moment {
    figure: &'static str,
    clip: &'static str,
    angle_deg: Option<f64>,
    time_secs: f64,
    /// Volume over the volume at rest.
    rigid: f64,
    lbs: f64,
    dqs: f64,
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

    let mut moments = Vec::new();
    for (clip, full_turn) in [("twist", 180.0), ("bend", 120.0)] {
        for angle in [45.0, 90.0, 120.0, 170.0] {
            if angle <= full_turn {
                moments.push(moment(&tube, "tube", clip, Some((angle, full_turn)))?);
            }
        }
    }
    for clip in ["shoulder twist", "walk"] {
        moments.push(moment(&person, "mannequin", clip, None)?);
    }

    let made = [
        write_glb(folder, "mannequin.glb", &person)?,
        write_glb(folder, "tube.glb", &tube)?,
    ];
    let mut text = String::new();
    if !arguments.json {
        // Shown before the pictures, which take a while.
        describe(&person, &tube, &moments, &mut text)?;
        outputs::print(&text)?;
        text.clear();
    }
    let pictures = match arguments.no_pictures {
        true => None,
        false => match Gpu::new() {
            Ok(gpu) => {
                let sizes = Sizes::new(arguments.small);
                Some(pictures::draw(&gpu, folder, &person, &sizes)?)
            }
            Err(why) => {
                files::say(&format!("no pictures were made: {why}"));
                None
            }
        },
    };
    if arguments.json {
        let report = Report {
            moments: &moments,
            pictures: pictures.as_ref(),
        };
        let text = serde_json::to_string_pretty(&report)?;
        return outputs::print(&format!("{text}\n"));
    }
    if let Some(pictures) = &pictures {
        writeln!(
            text,
            "\ngrove      {:.1} frames per second at {} × {} with all passes, by {}",
            pictures.grove_fps, pictures.grove_size[0], pictures.grove_size[1], pictures.adapter
        )?;
        writeln!(
            text,
            "pictures   {}, {} and, moving, {} and {}",
            pictures.sheet.display(),
            pictures.still.display(),
            pictures.moving.display(),
            pictures.exhibits.display()
        )?;
    }
    let [person, tube] = made.map(|path| path.display().to_string());
    write!(
        text,
        "\nto go on:\n  sinew info {person}\n  sinew skin {person} --clip walk --time 0.3 --method dqs -o {}\n  sinew render {tube} --clip twist --method lbs,dqs --fps 30 -o {}\n",
        folder.join("mannequin.obj").display(),
        folder.join("twist.png").display()
    )?;
    outputs::print(&text)
}

fn describe(
    person: &Character,
    tube: &Character,
    moments: &[Moment],
    out: &mut String,
) -> std::fmt::Result {
    let skeleton = &person.skeleton;
    let clips = person.clips.iter().map(|c| format!("\"{}\"", c.name));
    writeln!(
        out,
        "mannequin  {} joints, {} degrees of freedom, {} vertices, clips {}",
        skeleton.len(),
        skeleton.degrees_of_freedom(),
        vertices(person),
        clips.collect::<Vec<_>>().join(", ")
    )?;
    writeln!(
        out,
        "tube       {} joints, {} vertices, clips \"twist\" and \"bend\"\n",
        tube.skeleton.len(),
        vertices(tube)
    )?;
    writeln!(out, "volume kept, of what it is at rest:\n")?;
    writeln!(
        out,
        "{:<34} {:>7}   linear blend{:16}dual quaternion",
        "", "rigid", ""
    )?;
    for m in moments {
        let what = match m.angle_deg {
            Some(angle) => format!("{} {} {angle:.0}°", m.figure, m.clip),
            None => format!("{} {} at {:.2} s", m.figure, m.clip, m.time_secs),
        };
        let (rigid, lbs, dqs) = (percent(m.rigid), percent(m.lbs), percent(m.dqs));
        writeln!(
            out,
            "{what:<34} {rigid:>7}   {lbs:>7} {:<20} {dqs:>7} {}",
            bar(m.lbs),
            bar(m.dqs)
        )?;
    }
    Ok(())
}

/// `turn` is the angle wanted and the one that the clip reaches at its end.
fn moment(
    character: &Character,
    figure: &'static str,
    clip: &'static str,
    turn: Option<(f64, f64)>,
) -> Result<Moment> {
    let index = files::find_clip(character, clip)?;
    let duration = f64::from(character.clips[index].duration_secs);
    let time_secs = turn.map_or(duration / 4.0, |(angle, full)| duration * angle / full);
    let rest = volume_at(character, None, 0.0, Method::Linear)?;
    let at = |method| {
        Ok::<_, anyhow::Error>(volume_at(character, Some(index), time_secs, method)? / rest)
    };
    Ok(Moment {
        figure,
        clip,
        angle_deg: turn.map(|(angle, _)| angle),
        time_secs,
        rigid: at(Method::Rigid)?,
        lbs: at(Method::Linear)?,
        dqs: at(Method::DualQuat)?,
    })
}

fn volume_at(character: &Character, clip: Option<usize>, time: f64, method: Method) -> Result<f64> {
    let moment = deform(character, clip, time, method)?;
    let parts = moment.primitives.iter().map(|part| {
        let primitive = &character.meshes[part.mesh].primitives[part.primitive];
        volume(&part.positions, primitive.triangles())
    });
    Ok(parts.sum())
}

fn vertices(character: &Character) -> usize {
    let primitives = character.meshes.iter().flat_map(|m| &m.primitives);
    primitives.map(|p| p.len()).sum()
}

fn percent(ratio: f64) -> String {
    format!("{:.1} %", 100.0 * ratio)
}

/// Twenty characters for the whole.
fn bar(ratio: f64) -> String {
    "█".repeat((ratio * 20.0).round().clamp(0.0, 40.0) as usize)
}

fn write_glb(folder: &Path, name: &str, character: &Character) -> Result<PathBuf> {
    let path = folder.join(name);
    let bytes = gltf::to_glb(character, &ExportOptions::default())?;
    outputs::write(&path, &outputs::contents(character), |out| {
        out.write_all(&bytes)
    })?;
    Ok(path)
}
