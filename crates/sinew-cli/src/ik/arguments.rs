use super::notation::{self, Position, Sight, Span};
use crate::units::ScaleOption;
use crate::{files, limits};
use clap::ValueEnum;
use glam::{Quat, Vec3};
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Arguments {
    /// A glTF, GLB, VRM, FBX, BVH, OBJ, PLY or .sinew file, or - for standard input
    pub input: PathBuf,
    /// A chain of joints that may rotate, from the body outward, as FIRST..LAST; can be repeated
    #[arg(long, value_name = "FIRST..LAST", required = true, value_parser = notation::chain)]
    pub chain: Vec<[String; 2]>,
    /// The position in model space that the end of a chain should reach. Give one goal per chain, in the order of the
    /// chains. JOINT=X,Y,Z is a goal for that joint instead
    #[arg(long, value_name = "[JOINT=]X,Y,Z", allow_hyphen_values = true, value_parser = notation::position)]
    pub goal: Vec<Position>,
    /// The rotation that a joint should have in model space: degrees about x, then y, then z, or a quaternion x,y,z,w
    #[arg(long, value_name = "JOINT=X,Y,Z", value_parser = notation::orientation)]
    pub orient: Vec<(String, Quat)>,
    /// The point in model space that a joint should look at. In the rest pose the joint looks along the z axis of the
    /// model. JOINT:AXIS=X,Y,Z, like head:-z=0,1.5,3, sets an axis of the joint instead
    #[arg(long, value_name = "JOINT=X,Y,Z", value_parser = notation::sight)]
    pub look_at: Vec<Sight>,
    /// A joint that keeps its position and rotation, such as a foot on the ground; can be repeated
    #[arg(long, value_name = "JOINT")]
    pub pin: Vec<String>,
    /// The point in the frame of the last joint that should reach the goal of a chain. Default: the origin
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = notation::point)]
    pub tip: Option<Vec3>,
    /// The solver
    #[arg(long, value_enum, default_value_t = Solver::Dls)]
    pub method: Solver,
    /// The pole: a point in model space toward which the elbow bends. For --method two-bone and dls. Give one pole for
    /// all chains with a goal, or one per chain
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = notation::point)]
    pub pole: Vec<Vec3>,
    /// The distance from a goal that counts as reached, relative to the length of the chain
    #[arg(long, value_name = "PART", default_value_t = 1e-4, allow_negative_numbers = true, value_parser = notation::tolerance)]
    pub tolerance: f32,
    /// Number of restarts of --method dls, each from another pose, if a goal is not reached, max 10000
    #[arg(long, value_name = "COUNT", default_value_t = 0, allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(..=10_000))]
    pub restarts: u32,
    #[command(flatten)]
    pub unit: ScaleOption,
    /// Use the limits of this template instead of the limits in the file
    #[arg(long, value_enum, value_name = "TEMPLATE")]
    pub limits: Option<limits::Template>,
    /// Succeed even if a goal is missed. A goal is missed if the end is more than 1 mm away from it. For a character
    /// smaller than 1 m or larger than 10 m, which may be in another unit, the limit is 0.1 % of its size
    #[arg(long)]
    pub allow_miss: bool,
    /// The clip to start from, by name or number. Default: the rest pose
    #[arg(long, value_name = "CLIP")]
    pub clip: Option<String>,
    /// Time in the clip in seconds, or a range like 0.2..0.8. The goals are solved at every frame of a range
    #[arg(long, value_name = "SECONDS", default_value = "0", value_parser = notation::span, allow_hyphen_values = true, requires = "clip")]
    pub time: Span,
    /// Frames per second of a range
    #[arg(long, value_name = "RATE", default_value_t = 30.0, allow_negative_numbers = true, value_parser = files::rate)]
    pub fps: f64,
    /// Write the rotations as keys into the clip instead of a new clip
    #[arg(long, requires = "clip")]
    pub keys: bool,
    /// With --keys: the duration in seconds of two blends, from the clip to the goals before --time and back to the
    /// clip after it
    #[arg(long, value_name = "SECONDS", default_value_t = 0.0, allow_negative_numbers = true, value_parser = notation::lead, requires = "keys")]
    pub blend: f64,
    /// The output: .glb, .gltf or .vrm. The pose is a new clip "ik", or part of the clip with --keys. Without an output,
    /// only the report is printed
    #[arg(short, long, value_name = "FILE", value_parser = |text: &str| files::output(text, &files::CHARACTERS))]
    pub output: Option<PathBuf>,
    /// Print the report even if a file is written
    #[arg(long)]
    pub report: bool,
    /// Print the report as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
pub enum Solver {
    /// Two bones, in closed form. The joints are the first, the middle and the last of the chain
    TwoBone,
    /// Cyclic coordinate descent
    Ccd,
    /// Forward and backward reaching inverse kinematics
    Fabrik,
    /// Damped least squares for all goals together
    Dls,
}
