use super::{fitted, found, messages, picture};
use crate::units::ScaleOption;
use crate::{files, usage};
use anyhow::{Result, bail};
use clap::Parser as _;
use sinew_rig::weights::{self, BindMethod, BindOptions};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// Max number of influences per vertex: four sets of a glTF file.
const MAX_INFLUENCES: u8 = 16;

#[derive(clap::Args)]
pub struct Arguments {
    /// A glTF, GLB, VRM, FBX, OBJ or PLY file with meshes to bind, or - for standard input
    pub mesh: PathBuf,
    /// A file with the skeleton to bind to. Default: the skin in the mesh file, or else the skeleton that is found in the mesh
    pub skeleton: Option<PathBuf>,
    #[command(flatten)]
    pub finding: found::Finding,
    #[command(flatten)]
    pub fitting: fitted::Fitting,
    /// The output: .glb, .gltf with embedded buffer, or .vrm for an avatar; - writes GLB to standard output
    #[arg(short, long, value_name = "FILE", value_parser = |text: &str| files::output(text, &files::CHARACTERS))]
    pub output: PathBuf,
    /// The method that computes the weights
    #[arg(long, value_enum, default_value = "auto")]
    pub method: MethodName,
    /// The distance from a joint within which the weights of its two bones blend, in the unit of the mesh after --scale.
    /// LENGTH applies to all joints, JOINT=LENGTH to one joint; can be repeated. Default: half the length of the shorter
    /// bone. For the methods auto and bezier, and for --correct
    #[arg(long, value_name = "[JOINT=]LENGTH", allow_negative_numbers = true, value_parser = radius)]
    pub radius: Vec<(Option<String>, f32)>,
    /// The max number of influences per vertex, from 1 to 16
    #[arg(long, value_name = "N", default_value_t = 4, allow_negative_numbers = true, value_parser = influences)]
    pub influences: u8,
    /// Joints that get weights although they look like roots, controls or ends of chains, separated by commas
    #[arg(long, value_name = "JOINTS", value_delimiter = ',')]
    pub deform: Vec<String>,
    /// Joints that get no weights, such as targets and helpers, separated by commas
    #[arg(long, value_name = "JOINTS", value_delimiter = ',')]
    pub no_deform: Vec<String>,
    /// Keep the weights of the file, and compute new weights only near joints
    #[arg(long)]
    pub correct: bool,
    /// Number of passes that smooth the weights along the edges of the mesh, max 256
    #[arg(
        long,
        value_name = "TIMES",
        default_value_t = 0,
        allow_negative_numbers = true,
        value_parser = clap::value_parser!(u16).range(..=i64::from(weights::MAX_SMOOTHING))
    )]
    pub smooth: u16,
    /// Copy the weights from the side with positive x to the side with negative x. Joints are matched by name
    #[arg(long)]
    pub mirror: bool,
    /// Remove weights below this value. The value is at least 0 and less than 1
    #[arg(long, value_name = "WEIGHT", default_value_t = 0.0, allow_negative_numbers = true, value_parser = weight)]
    pub prune: f32,
    /// Joints whose weights --smooth, --mirror and --prune do not change, separated by commas
    #[arg(long, value_name = "JOINTS", value_delimiter = ',')]
    pub lock: Vec<String>,
    #[command(flatten)]
    pub unit: ScaleOption,
    /// Kinds of warnings, separated by commas, that make the exit code 1. The file is written in any case
    #[arg(long, value_name = "KINDS", value_enum, value_delimiter = ',')]
    pub fail_if: Vec<messages::Kind>,
    /// Draw a PNG file: the weights as colours, at rest and with every joint bent; for a skeleton that was found, the
    /// bare mesh, its joints, its weights, and its walk or every joint bent
    #[arg(long, value_name = "FILE", value_parser = picture::path)]
    pub picture: Option<PathBuf>,
    /// Print a summary of the binding
    #[arg(long)]
    pub report: bool,
    /// Print the report as JSON
    #[arg(long)]
    pub json: bool,
}

/// A line with only these arguments.
#[derive(clap::Parser)]
struct Line {
    #[command(flatten)]
    bind: Arguments,
}

impl Arguments {
    /// Arguments that find the skeleton of a mesh, bind it, draw its steps, and print a summary.
    pub fn of_mesh(mesh: &Path, output: &Path, picture: &Path) -> Result<Self> {
        let options: [&OsStr; 5] = ["bind", "-o", "", "--report", "--picture"].map(OsStr::new);
        let mut words = options.to_vec();
        words[2] = output.as_os_str();
        words.extend([picture.as_os_str(), OsStr::new("--"), mesh.as_os_str()]);
        Ok(Line::try_parse_from(words)?.bind)
    }

    /// True if a picture is requested.
    pub fn draws(&self) -> bool {
        self.picture.is_some()
    }

    /// Options for binding. Fails if they are in conflict.
    pub fn options(&self) -> Result<BindOptions> {
        let has_curves = matches!(self.method, MethodName::Auto | MethodName::Bezier);
        if !self.radius.is_empty() && !has_curves && !self.correct {
            let message = "--radius is for --method auto and bezier, and for --correct";
            return Err(usage::wrong(message));
        }
        let both = self.deform.iter().find(|n| self.no_deform.contains(n));
        if let Some(name) = both {
            bail!("\"{name}\" is in both --deform and --no-deform; remove it from one");
        }
        let of_all = self.radius.iter().rfind(|radius| radius.0.is_none());
        Ok(BindOptions::default()
            .method(self.method.into())
            .influences(usize::from(self.influences))
            .correct(self.correct)
            .radius(of_all.map(|radius| radius.1)))
    }

    /// Value of --deform and --no-deform for a joint. `None` if they do not name it.
    pub fn deforms(&self, name: &str) -> Option<bool> {
        let is_in = |names: &[String]| names.iter().any(|other| other == name);
        let is_named = is_in(&self.deform) || is_in(&self.no_deform);
        is_named.then(|| is_in(&self.deform))
    }

    /// Value of --radius for a single joint. `None` if it does not name the joint.
    pub fn radius_of(&self, name: &str) -> Option<f32> {
        let of_joint = |radius: &&(Option<String>, f32)| radius.0.as_deref() == Some(name);
        self.radius.iter().rfind(of_joint).map(|radius| radius.1)
    }
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub enum MethodName {
    /// Weights from the nearest bone curves that a vertex sees inside the mesh, then smoothed
    Auto,
    /// Weights from the nearest bone curve, blended only near joints: equation (2) of Xu et al.
    Bezier,
    /// Weights blended from the middle of a bone to the middle of the next: equation (1) of Xu et al.
    BezierWide,
    /// Weights that diffuse from the bones through the inside of the mesh, like heat
    Heat,
    /// Each vertex follows only the nearest bone
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

fn influences(text: &str) -> Result<u8, String> {
    let count = text.parse().ok();
    let count = count.filter(|count| (1..=MAX_INFLUENCES).contains(count));
    count.ok_or_else(|| {
        format!("a vertex has 1 to {MAX_INFLUENCES} influences; most programs read 4, some 8")
    })
}

fn weight(text: &str) -> Result<f32, String> {
    let weight = text.parse().ok().filter(|w: &f32| (0.0..1.0).contains(w));
    weight.ok_or_else(|| "a weight is at least 0 and less than 1, like 0.01".to_owned())
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
