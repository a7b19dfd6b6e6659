//! `sinew bind`: weights for meshes that have none.

use crate::files;
use anyhow::{Context, Result, bail};
use serde::Serialize;
use sinew_io::gltf::{self, ExportOptions};
use sinew_rig::weights::{
    BindCharacterError, BindOptions, Bound, Method, bind_character, bind_to_skeleton,
};
use std::path::PathBuf;
use std::time::Instant;

#[derive(clap::Args)]
pub struct Arguments {
    /// A glTF or GLB file with meshes to bind, or - for standard input
    mesh: PathBuf,
    /// A file whose skeleton to bind to; without it, the skin in the mesh's own file
    skeleton: Option<PathBuf>,
    /// Where to: .glb, or .gltf with its buffer inside; - for GLB on standard output
    #[arg(short, long, value_name = "FILE", value_parser = |text: &str| files::output(text, &["glb", "gltf"]))]
    output: PathBuf,
    /// How weights are found
    #[arg(long, value_enum, default_value = "auto")]
    method: Way,
    /// The most influences on a vertex
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..))]
    influences: u8,
    /// Keep the weights that there are, and find new ones only near joints
    #[arg(long)]
    correct: bool,
    /// Say what was bound to what
    #[arg(long)]
    report: bool,
    /// Say it as JSON
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Way {
    /// Curves over joints, which bones a vertex sees through the solid, and smoothing
    Auto,
    /// The paper's equation (2): the nearest curve, blending near joints
    Bezier,
    /// The paper's equation (1): blending from the middle of a bone to the middle of the next
    BezierWide,
    /// Diffusion from the bones through the solid
    Heat,
    /// The nearest bone alone
    Rigid,
}

impl From<Way> for Method {
    fn from(way: Way) -> Self {
        match way {
            Way::Auto => Self::Auto,
            Way::Bezier => Self::Bezier,
            Way::BezierWide => Self::BezierWide,
            Way::Heat => Self::Heat,
            Way::Rigid => Self::Rigid,
        }
    }
}

#[derive(Serialize)]
struct Report {
    meshes: usize,
    vertices: usize,
    joints: usize,
    joints_used: usize,
    vertices_by_influences: Vec<usize>,
    carried_meshes: usize,
    seconds: f64,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let mut import = files::load(&arguments.mesh)?;
    let options = BindOptions {
        method: arguments.method.into(),
        influences: usize::from(arguments.influences),
        correct: arguments.correct,
    };
    let character = &mut import.character;
    let start = Instant::now();
    let bound = match &arguments.skeleton {
        Some(path) => {
            if arguments.correct {
                bail!("--correct keeps the weights of the mesh's own skin; leave the skeleton out");
            }
            let other = files::load(path)?;
            bind_to_skeleton(character, &other.character, &options)
        }
        None => bind_character(character, &options),
    };
    let file = || files::name(&arguments.mesh);
    let bound = match bound {
        Err(BindCharacterError::NoSkin) => {
            let error = BindCharacterError::NoSkin;
            bail!(
                "{}: {error}; give a skeleton file as the second argument",
                file()
            )
        }
        bound => bound.with_context(file)?,
    };
    let seconds = start.elapsed().as_secs_f64();
    let export_options = ExportOptions {
        source: import.source.as_ref(),
    };
    let export = gltf::export(&import.character, &export_options)?;
    files::say_findings(&export.report);
    let bytes = match files::extension(&arguments.output).as_str() {
        "gltf" => export.to_gltf()?.into_bytes(),
        _ => export.to_glb()?,
    };
    files::write(&arguments.output, |out| out.write_all(&bytes))?;
    let joints = import.character.skins[bound.skin].joints.len();
    report(arguments, bound, joints, seconds)
}

fn report(arguments: &Arguments, bound: Bound, joints: usize, seconds: f64) -> Result<()> {
    if !arguments.report && !arguments.json {
        return Ok(());
    }
    let to_stdout = !files::is_standard(&arguments.output);
    let report = Report {
        meshes: bound.meshes,
        vertices: bound.vertices,
        joints,
        joints_used: bound.joints_used,
        vertices_by_influences: bound.vertices_by_influences,
        carried_meshes: bound.carried,
        seconds,
    };
    let text = if arguments.json {
        serde_json::to_string_pretty(&report)?
    } else {
        report.text()
    };
    if to_stdout {
        files::write("-".as_ref(), |out| writeln!(out, "{text}"))
    } else {
        text.lines().for_each(files::say);
        Ok(())
    }
}

impl Report {
    fn text(&self) -> String {
        use files::counted;
        let mut text = format!(
            "bound {} of {} to {} of {} in {:.3} s",
            counted(self.vertices, "vertex"),
            counted(self.meshes, "mesh"),
            self.joints_used,
            counted(self.joints, "joint"),
            self.seconds
        );
        for (count, &vertices) in self.vertices_by_influences.iter().enumerate() {
            if vertices > 0 {
                let (vertices, influences) =
                    (counted(vertices, "vertex"), counted(count, "influence"));
                text.push_str(&format!("\n{vertices} with {influences}"));
            }
        }
        if self.carried_meshes > 0 {
            let meshes = counted(self.carried_meshes, "mesh");
            text.push_str(&format!("\n{meshes} left alone: they hang from a joint"));
        }
        text
    }
}
