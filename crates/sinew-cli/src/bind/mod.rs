//! `sinew bind`: weights for meshes that have none.

mod fitted;
mod messages;
pub mod picture;
mod placed;

use crate::progress::Bar;
use crate::units::{self, Scale};
use crate::{files, outputs, usage};
use anyhow::{Context, Result, bail};
use serde::Serialize;
use sinew::Character;
use sinew_rig::weights::{
    self, Adjust, BindHooks, BindMethod, BindOptions, bind_character_with, bind_to_skeleton_with,
};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

#[derive(clap::Args)]
pub struct Arguments {
    /// A glTF, GLB, VRM, FBX, OBJ or PLY file with meshes to bind, or - for standard input
    mesh: PathBuf,
    /// A file with the skeleton to bind to; without it, the skin in the mesh's own file, or a template
    skeleton: Option<PathBuf>,
    #[command(flatten)]
    fitting: fitted::Fitting,
    /// The output: .glb, .gltf with its buffer inside, or .vrm if it is an avatar; - for GLB on standard output
    #[arg(short, long, value_name = "FILE", value_parser = |text: &str| files::output(text, &files::CHARACTERS))]
    output: PathBuf,
    /// The method that finds the weights
    #[arg(long, value_enum, default_value = "auto")]
    method: MethodName,
    /// The radius about joints within which curves blend, in the mesh's unit after --scale: for all joints, or for one as
    /// JOINT=LENGTH; more than once for several. Half of the shorter bone otherwise
    #[arg(long, value_name = "[JOINT=]LENGTH", allow_negative_numbers = true, value_parser = radius)]
    radius: Vec<(Option<String>, f32)>,
    /// The maximum number of influences per vertex
    #[arg(long, value_name = "N", default_value_t = 4, allow_negative_numbers = true, value_parser = clap::value_parser!(u8).range(1..))]
    influences: u8,
    /// Joints that move vertices, though they look like roots, controls or ends, separated by commas
    #[arg(long, value_name = "JOINTS", value_delimiter = ',')]
    deform: Vec<String>,
    /// Joints that move no vertices, such as targets and helpers, separated by commas
    #[arg(long, value_name = "JOINTS", value_delimiter = ',')]
    no_deform: Vec<String>,
    /// Keep the weights of the file, and find new ones only near joints
    #[arg(long)]
    correct: bool,
    /// Smooth the weights along edges, this many times, 256 at most
    #[arg(
        long,
        value_name = "TIMES",
        default_value_t = 0,
        allow_negative_numbers = true,
        value_parser = clap::value_parser!(u16).range(..=i64::from(weights::MAX_SMOOTHING))
    )]
    smooth: u16,
    /// Copy the weights of the positive x side to the other, joints by their names
    #[arg(long)]
    mirror: bool,
    /// Drop weights below this
    #[arg(long, value_name = "WEIGHT", default_value_t = 0.0, allow_negative_numbers = true, value_parser = weight)]
    prune: f32,
    /// Joints whose weights --smooth, --mirror and --prune leave as they are, separated by commas
    #[arg(long, value_name = "JOINTS", value_delimiter = ',')]
    lock: Vec<String>,
    /// The factor from the files' unit to metres, such as 0.01 for centimetres, or `auto`; all lengths of meshes and
    /// skeletons are multiplied by it first
    #[arg(
        long,
        value_name = "FACTOR",
        default_value = "1",
        allow_negative_numbers = true
    )]
    scale: Scale,
    /// Fail, with exit code 1, after the file is written, where a warning of these kinds is given, separated by commas
    #[arg(long, value_name = "KINDS", value_enum, value_delimiter = ',')]
    fail_if: Vec<messages::Kind>,
    /// Draw the weights as colours, at rest and with every joint bent, into this PNG file
    #[arg(long, value_name = "FILE", value_parser = picture::path)]
    picture: Option<PathBuf>,
    /// Print what was bound to what
    #[arg(long)]
    report: bool,
    /// Print the report as JSON
    #[arg(long)]
    json: bool,
}

impl Arguments {
    /// Whether a picture was asked for.
    pub fn draws(&self) -> bool {
        self.picture.is_some()
    }
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum MethodName {
    /// Curves over joints, the bones that a vertex sees through the solid, and smoothing
    Auto,
    /// Equation (2) of Xu et al.: the nearest curve, blending near joints
    Bezier,
    /// Equation (1) of Xu et al.: blending from the middle of a bone to the middle of the next
    BezierWide,
    /// Diffusion from the bones through the solid
    Heat,
    /// The nearest bone alone
    Rigid,
}

impl From<MethodName> for BindMethod {
    fn from(name: MethodName) -> Self {
        match name {
            MethodName::Auto => Self::Auto,
            MethodName::Bezier => Self::Bezier,
            MethodName::BezierWide => Self::BezierWide,
            MethodName::Heat => Self::Heat,
            MethodName::Rigid => Self::Rigid,
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
    unweighted_joints: Vec<messages::UnweightedJoint>,
    /// Pieces that follow the skin beneath them.
    cloth: Vec<messages::Cloth>,
    warnings: Vec<messages::Message>,
    /// What a turned joint leaves of the flesh around it, at worst.
    volume: Option<messages::LeastVolume>,
    /// What else was said.
    notes: Vec<String>,
    seconds: f64,
}

fn weight(text: &str) -> Result<f32, String> {
    let weight = text.parse().ok().filter(|w: &f32| (0.0..1.0).contains(w));
    weight.ok_or_else(|| "a weight to drop is from 0 to less than 1, like 0.01".to_owned())
}

fn radius(text: &str) -> Result<(Option<String>, f32), String> {
    let (joint, length) = match text.rsplit_once('=') {
        Some((joint, length)) => (Some(joint.to_owned()), length),
        None => (None, text),
    };
    let length = length.trim().parse().ok();
    let length = length.filter(|l: &f32| l.is_finite() && *l > 0.0);
    let length = length.ok_or("a radius is a length above 0, like 0.05 or left_lower_arm=0.05")?;
    Ok((joint, length))
}

/// What the flags ask for, on every mesh that follows the skin.
fn adjust(arguments: &Arguments, character: &mut Character, skin: usize) -> Result<()> {
    let joints = &character.skins[skin].joints;
    let names: Vec<&str> = joints.iter().map(|&j| character.skeleton.name(j)).collect();
    let find = |name: &String, what: &str| match names.iter().position(|n| n == name) {
        Some(joint) => Ok(joint),
        None => Err(files::no_joint(name, what, names.iter().copied())),
    };
    for name in &arguments.no_deform {
        find(name, " for --no-deform")?;
    }
    for name in &arguments.deform {
        find(name, " for --deform")?;
    }
    for name in arguments.radius.iter().filter_map(|r| r.0.as_ref()) {
        find(name, " for --radius")?;
    }
    let locked = arguments.lock.iter().map(|name| find(name, " to lock"));
    let locked = locked.collect::<Result<Vec<usize>>>()?;
    if arguments.smooth == 0 && !arguments.mirror && arguments.prune == 0.0 {
        return Ok(());
    }
    let opposite = weights::mirrored_joints(&names);
    let count = names.len();
    for mesh in &mut character.meshes {
        for primitive in &mut mesh.primitives {
            let Some(influences) = &primitive.influences else {
                continue;
            };
            if influences.max_joint().is_some_and(|joint| joint >= count) {
                continue;
            }
            let positions = &primitive.positions;
            let triangles: Vec<[u32; 3]> =
                primitive.triangles().map(|t| t.map(|v| v as u32)).collect();
            let mut adjusted = Adjust::new(influences, count).lock(locked.iter().copied());
            if arguments.smooth > 0 {
                adjusted = adjusted.smooth(positions, &triangles, usize::from(arguments.smooth));
            }
            if arguments.mirror {
                let size = positions
                    .iter()
                    .fold(0.0_f32, |m, p| m.max(p.abs().max_element()));
                adjusted = adjusted.mirror(positions, 0.0, 1e-4 * size, |joint| opposite[joint]);
            }
            if arguments.prune > 0.0 {
                adjusted = adjusted.prune(arguments.prune);
            }
            // Smoothing brings in neighbours' joints.
            let adjusted = adjusted.finish()?;
            let adjusted =
                weights::keep_heaviest(&adjusted, usize::from(arguments.influences), count)?;
            primitive.influences = Some(Arc::new(adjusted));
        }
    }
    Ok(())
}

pub fn run(arguments: &Arguments) -> Result<()> {
    if arguments.json && files::is_standard(&arguments.output) {
        let message = "--json and the file cannot both go to standard output";
        return Err(usage::wrong(message));
    }
    for output in [
        Some(&arguments.output),
        arguments.fitting.save_joints.as_ref(),
        arguments.picture.as_ref(),
    ] {
        output.map_or(Ok(()), |output| outputs::check(output))?;
    }
    let mut import = files::load(&arguments.mesh)?;
    let file = || files::name(&arguments.mesh);
    let mut notes = units::apply(arguments.scale, &mut import, &file())?;
    let options = BindOptions {
        method: arguments.method.into(),
        influences: usize::from(arguments.influences),
        correct: arguments.correct,
        radius: arguments
            .radius
            .iter()
            .rfind(|r| r.0.is_none())
            .map(|r| r.1),
    };
    let has_curves = matches!(arguments.method, MethodName::Auto | MethodName::Bezier);
    if !arguments.radius.is_empty() && !has_curves && !arguments.correct {
        let message = "--radius is for --method auto and bezier, and for --correct";
        return Err(usage::wrong(message));
    }
    let character = &mut import.character;
    let both = arguments
        .deform
        .iter()
        .find(|name| arguments.no_deform.contains(name));
    if let Some(name) = both {
        bail!("\"{name}\" is in --deform and in --no-deform; leave it out of one");
    }
    let bar = Bar::percent();
    let start = Instant::now();
    let hooks = BindHooks {
        deforms: &|name| {
            let is_in = |names: &[String]| names.iter().any(|other| other == name);
            let asked = is_in(&arguments.deform) || is_in(&arguments.no_deform);
            asked.then(|| is_in(&arguments.deform))
        },
        radius: &|name| {
            let of_joint = |radius: &&(Option<String>, f32)| radius.0.as_deref() == Some(name);
            arguments.radius.iter().rfind(of_joint).map(|r| r.1)
        },
        watch: &|done| bar.set(100.0 * done),
    };
    let bound = match &arguments.skeleton {
        Some(path) => {
            if arguments.correct {
                bail!("--correct keeps the weights of the mesh's own skin; leave the skeleton out");
            }
            let mut other = files::load(path)?;
            notes.extend(units::apply(
                arguments.scale,
                &mut other,
                &files::name(path),
            )?);
            let names = [file(), files::name(path)];
            let (other, scale) = (&mut other.character, arguments.scale);
            notes.extend(placed::place(other, character, &names, scale)?);
            bind_to_skeleton_with(character, other, &options, &hooks)
        }
        None => match template(arguments, character, &mut notes)? {
            Some(fitted) => bind_to_skeleton_with(character, &fitted, &options, &hooks),
            None => bind_character_with(character, &options, &hooks),
        },
    };
    bar.clear();
    let bound = bound.with_context(file)?;
    adjust(arguments, character, bound.skin).with_context(file)?;
    let seconds = start.elapsed().as_secs_f64();
    let rig = files::name(arguments.skeleton.as_ref().unwrap_or(&arguments.mesh));
    notes.extend(units::doubt(&import, 1.0, &rig));
    notes.iter().for_each(|note| files::say(note));
    let what = format!(
        "{} of {} bound to {}",
        files::counted(bound.vertices, "vertex"),
        files::counted(bound.meshes, "mesh"),
        files::counted(bound.joints_used, "joint"),
    );
    let source = import.source.as_ref();
    outputs::character(&arguments.output, &what, &import.character, source)?;
    let unweighted_joints = messages::unweighted(&import.character, &bound);
    if let Some(path) = &arguments.picture {
        picture::write(path, &import.character)?;
    }
    let warnings = messages::warnings(&import.character, &bound);
    let cloth = messages::cloth(&import.character, &bound);
    messages::say_cloth(&cloth, &file());
    messages::say_unweighted(&unweighted_joints, &rig);
    messages::say_warnings(&warnings, &file());
    let joints = import.character.skins[bound.skin].joints.len();
    let volume = messages::volume(&import.character, &bound);
    let report = Report {
        meshes: bound.meshes,
        vertices: bound.vertices,
        joints,
        joints_used: bound.joints_used,
        vertices_by_influences: bound.vertices_by_influences,
        carried_meshes: bound.carried,
        unweighted_joints,
        cloth,
        warnings,
        volume,
        notes,
        seconds,
    };
    print(arguments, &report)?;
    let failed = messages::failures(&report.warnings, &arguments.fail_if);
    if failed.is_empty() {
        return Ok(());
    }
    bail!("the check failed:\n  {}", failed.join("\n  "))
}

/// The skeleton to fit, where one was asked for or there is no other.
fn template(
    arguments: &Arguments,
    character: &Character,
    notes: &mut Vec<String>,
) -> Result<Option<Character>> {
    let is_bare = character.skins.iter().all(|skin| skin.joints.is_empty());
    let wants = arguments.fitting.wants_one();
    if !wants && (!is_bare || arguments.correct) {
        return Ok(None);
    }
    let name = || files::name(&arguments.mesh);
    let fitted = fitted::fitted(&arguments.fitting, character).with_context(name)?;
    if is_bare && arguments.fitting.template.is_none() {
        notes.push(format!(
            "{} has no skin, so a biped was fitted into it; --save-joints and --joints move its joints",
            name()
        ));
    }
    Ok(Some(fitted))
}

fn print(arguments: &Arguments, report: &Report) -> Result<()> {
    if !arguments.report && !arguments.json {
        return Ok(());
    }
    let to_stdout = !files::is_standard(&arguments.output);
    let text = if arguments.json {
        serde_json::to_string_pretty(report)?
    } else {
        report.text()
    };
    if to_stdout {
        outputs::print(&format!("{text}\n"))
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
