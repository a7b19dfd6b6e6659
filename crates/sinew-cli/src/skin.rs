//! `sinew skin`: writes the deformed mesh at a time of a clip.

use crate::shown::ShownOption;
use crate::{files, outputs, usage};
use anyhow::{Context, Result};
use clap::ValueEnum;
use glam::Vec3;
use serde::Serialize;
use sinew::{Character, Deformed, Method, Normals, SkinnedBy};
use std::io::{self, IsTerminal};
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Arguments {
    /// A glTF, GLB, VRM, FBX, BVH, OBJ, PLY or .sinew file, or - for standard input
    input: PathBuf,
    /// The output: .json, .obj, .ply or .glb, or - for JSON on standard output (default)
    #[arg(short, long, value_name = "FILE", value_parser = |text: &str| files::output(text, &["json", "obj", "ply", "glb"]))]
    output: Option<PathBuf>,
    /// The clip, by name or number. Default: the first clip if --time is given, otherwise the rest pose
    #[arg(long, value_name = "CLIP")]
    clip: Option<String>,
    /// Times in the clip in seconds, separated by commas. Default: 0. Outside the clip, its first or last pose is used.
    /// With several times, the output is JSON with one sample per time
    #[arg(
        long,
        value_name = "SECONDS",
        value_delimiter = ',',
        value_parser = files::seconds,
        allow_negative_numbers = true
    )]
    time: Vec<f64>,
    /// The skinning method. Default: the method that the file states, otherwise lbs. `sinew info` shows it
    #[arg(long, value_enum)]
    method: Option<Skinning>,
    #[command(flatten)]
    normals: NormalsOption,
    #[command(flatten)]
    shown: ShownOption,
}

#[derive(clap::Args, Clone, Copy)]
pub struct NormalsOption {
    /// The normals of skinned vertices. They change shading, not positions
    #[arg(long, value_enum, default_value_t)]
    normals: NormalsBy,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, ValueEnum)]
enum NormalsBy {
    /// Normals that move like positions
    #[default]
    Skinned,
    /// Normals of the bent surface, for lbs and dqs: the CPU computes them from the gradients of the weights in every
    /// frame, at several times the cost of skinning
    Exact,
}

impl NormalsOption {
    /// Checks that every method has such normals. No method means the method of the character.
    pub fn check(self, methods: &[Skinning]) -> Result<Normals> {
        let has_none = |method: &&Skinning| matches!(method, Skinning::Rigid | Skinning::Quat);
        match (self.normals, methods.iter().find(has_none)) {
            (NormalsBy::Skinned, _) => Ok(Normals::Skinned),
            (NormalsBy::Exact, None) => Ok(Normals::Exact),
            (NormalsBy::Exact, Some(&method)) => Err(usage::wrong(&format!(
                "--normals exact is for lbs and dqs, not for {}",
                Method::from(method).name()
            ))),
        }
    }
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum Skinning {
    /// Rigid skinning: a vertex follows only its heaviest joint
    Rigid,
    /// Linear blend skinning
    #[value(alias = "linear")]
    Lbs,
    /// Dual quaternion skinning with scale
    #[value(alias = "dual-quat")]
    Dqs,
    /// Direct blending of quaternions, only for comparison
    Quat,
}

impl From<Skinning> for Method {
    fn from(skinning: Skinning) -> Self {
        match skinning {
            Skinning::Rigid => Self::Rigid,
            Skinning::Lbs => Self::Linear,
            Skinning::Dqs => Self::DualQuat,
            Skinning::Quat => Self::Quaternion,
        }
    }
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let standard = PathBuf::from("-");
    if arguments.output.is_none() && io::stdout().is_terminal() {
        return Err(usage::wrong(
            "this prints thousands of numbers: write them to a file with -o FILE, or print them with `-o -`",
        ));
    }
    let normals = arguments.normals.check(arguments.method.as_slice())?;
    let output = arguments.output.as_ref().unwrap_or(&standard);
    let kind = match files::extension(output) {
        _ if files::is_standard(output) => "json".to_owned(),
        kind => kind,
    };
    if kind != "json" && arguments.time.len() > 1 {
        let text =
            format!("a .{kind} file holds the mesh at one time: give one --time, or write .json");
        return Err(usage::wrong(&text));
    }
    outputs::check(output)?;
    let times = match arguments.time.as_slice() {
        [] => &[0.0],
        times => times,
    };

    let mut import = files::load(&arguments.input)?;
    let shown = arguments.shown.apply(&mut import.character);
    shown.with_context(|| files::name(&arguments.input))?;
    let character = &import.character;
    let named = |clip| files::find_clip(character, clip).context(files::name(&arguments.input));
    let clip = match &arguments.clip {
        Some(name) => Some(named(name)?),
        None if arguments.time.is_empty() => None,
        None => Some(named("0")?),
    };
    if let Some(clip) = clip {
        let outside = files::times_outside(&character.clips[clip], times);
        outside.iter().for_each(|line| files::print_message(line));
    }
    let chosen = arguments.method.map(Method::from);
    let method = chosen.unwrap_or(character.method());
    let by = SkinnedBy { method, normals };
    let moments = times
        .iter()
        .map(|&time| sinew::deform(character, clip, time, by))
        .collect::<Result<Vec<_>, _>>()
        .with_context(|| files::name(&arguments.input))?;

    if kind != "json" && moments[0].primitives.is_empty() {
        let name = files::name(&arguments.input);
        files::print_message(&format!(
            "{name} has no mesh, so {} has none either",
            output.display()
        ));
    }
    let what = contents(character, clip, times, &moments);
    let exact = match normals.is_exact_for(method) {
        true => ", with exact normals",
        false => "",
    };
    let what = format!("{what}, by {}{exact}", method.name());
    match kind.as_str() {
        "obj" => outputs::write(output, &what, |mut out| {
            sinew_io::write_obj(character, &moments[0], &mut out)
        }),
        "ply" => outputs::write(output, &what, |mut out| {
            sinew_io::write_ply(character, &moments[0], &mut out)
        }),
        "glb" => {
            let baked = moments[0].to_character(character);
            outputs::character(output, &what, &baked, None)?;
            Ok(())
        }
        _ => {
            let document = document(character, clip, times, &moments);
            outputs::write(output, &what, |out| outputs::write_json(out, &document))
        }
    }
}

fn contents(
    character: &Character,
    clip: Option<usize>,
    times: &[f64],
    moments: &[Deformed],
) -> String {
    let parts = moments[0].primitives.iter();
    let vertices = files::counted(parts.map(|part| part.positions.len()).sum(), "vertex");
    match (clip, times) {
        (None, _) => format!("{vertices} at rest"),
        (Some(clip), [time]) => {
            format!(
                "{vertices} at {time} s of \"{}\"",
                character.clips[clip].name
            )
        }
        (Some(clip), _) => {
            let times = files::counted(times.len(), "time");
            format!(
                "{vertices} at {times} of \"{}\"",
                character.clips[clip].name
            )
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Document<'a> {
    format: &'static str,
    clip: Option<ClipName<'a>>,
    matrix_order: &'static str,
    space: &'static str,
    vertex_stride: usize,
    node_stride: usize,
    mesh_stride: usize,
    meshes: Vec<MeshName<'a>>,
    node_indices: Vec<usize>,
    samples: Vec<Sample<'a>>,
}

#[derive(Serialize)]
struct ClipName<'a> {
    index: usize,
    name: &'a str,
    duration: f32,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct MeshName<'a> {
    node: usize,
    mesh: usize,
    primitive: usize,
    skin: Option<usize>,
    name: &'a str,
    vertex_count: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Sample<'a> {
    t: f64,
    node_world: Vec<[f32; 16]>,
    meshes: Vec<MeshSample<'a>>,
}

#[derive(Serialize)]
struct MeshSample<'a> {
    min: [f32; 3],
    max: [f32; 3],
    positions: &'a [f32],
    #[serde(skip_serializing_if = "Option::is_none")]
    normals: Option<&'a [f32]>,
}

fn document<'a>(
    character: &'a Character,
    clip: Option<usize>,
    times: &[f64],
    moments: &'a [Deformed],
) -> Document<'a> {
    let meshes = moments[0].primitives.iter().map(|part| MeshName {
        node: part.node,
        mesh: part.mesh,
        primitive: part.primitive,
        skin: character.nodes[part.node].skin,
        name: &character.meshes[part.mesh].name,
        vertex_count: part.positions.len(),
    });
    let samples = times.iter().zip(moments).map(|(&t, moment)| Sample {
        t,
        node_world: moment
            .node_worlds
            .iter()
            .map(|w| w.to_cols_array())
            .collect(),
        meshes: moment
            .primitives
            .iter()
            .map(|part| {
                let (min, max) = bounds(&part.positions);
                MeshSample {
                    min,
                    max,
                    positions: bytemuck::cast_slice(&part.positions),
                    normals: part.normals.as_deref().map(bytemuck::cast_slice),
                }
            })
            .collect(),
    });
    Document {
        format: "skinref/1",
        clip: clip.map(|index| ClipName {
            index,
            name: &character.clips[index].name,
            duration: character.clips[index].duration_secs,
        }),
        matrix_order: "column-major",
        space: "glTF world",
        vertex_stride: 1,
        node_stride: 1,
        mesh_stride: 1,
        meshes: meshes.collect(),
        node_indices: (0..character.nodes.len()).collect(),
        samples: samples.collect(),
    }
}

fn bounds(positions: &[Vec3]) -> ([f32; 3], [f32; 3]) {
    let first = positions.first().copied().unwrap_or_default();
    let (low, high) = positions
        .iter()
        .fold((first, first), |(low, high), p| (low.min(*p), high.max(*p)));
    (low.to_array(), high.to_array())
}
