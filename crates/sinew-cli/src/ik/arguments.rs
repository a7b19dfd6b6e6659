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
    /// The joints that turn, from the body outward, as FIRST..LAST; more than once for several
    #[arg(long, value_name = "FIRST..LAST", required = true, value_parser = notation::chain)]
    pub chain: Vec<[String; 2]>,
    /// The position that the end of a chain should reach, in the model, once for each chain in their order; or that a
    /// joint should reach, as JOINT=X,Y,Z
    #[arg(long, value_name = "[JOINT=]X,Y,Z", allow_hyphen_values = true, value_parser = notation::position)]
    pub goal: Vec<Position>,
    /// The orientation that a joint should have in the model, as degrees about x, then y, then z, or as a quaternion
    /// x,y,z,w
    #[arg(long, value_name = "JOINT=X,Y,Z", value_parser = notation::orientation)]
    pub orient: Vec<(String, Quat)>,
    /// The point that a joint should look at. It looks along the model's z at rest, or along one of its own axes that
    /// is given as JOINT:AXIS=X,Y,Z
    #[arg(long, value_name = "JOINT=X,Y,Z", value_parser = notation::sight)]
    pub look_at: Vec<Sight>,
    /// A joint that stays where it is and as it is turned, such as a foot on the ground
    #[arg(long, value_name = "JOINT")]
    pub pin: Vec<String>,
    /// The point of the last joint's frame that should reach the goal of a chain, in place of its origin
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = notation::point)]
    pub tip: Option<Vec3>,
    /// The solver
    #[arg(long, value_enum, default_value_t = Solver::Dls)]
    pub method: Solver,
    /// The pole: a point that the elbow points to, for --method two-bone and dls; one for all chains that have a goal, or
    /// one for each
    #[arg(long, value_name = "X,Y,Z", allow_hyphen_values = true, value_parser = notation::point)]
    pub pole: Vec<Vec3>,
    /// The tolerance: how near to a goal is near enough, in lengths of the chain
    #[arg(long, value_name = "PART", default_value_t = 1e-4, allow_negative_numbers = true, value_parser = notation::tolerance)]
    pub tolerance: f32,
    /// The number of restarts of --method dls from other poses, when a goal was not reached
    #[arg(long, value_name = "COUNT", default_value_t = 0, allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(..=10_000))]
    pub restarts: u32,
    #[command(flatten)]
    pub unit: ScaleOption,
    /// The template whose limits replace those in the file
    #[arg(long, value_enum, value_name = "TEMPLATE")]
    pub limits: Option<limits::Template>,
    /// Succeed also when a goal is missed. Without this, to end more than 1 mm from a goal, or 0.1 % of the size of
    /// a character that is smaller than a metre or in another unit, is a failure
    #[arg(long)]
    pub allow_miss: bool,
    /// The clip to begin from, by name or number; without it the rest pose
    #[arg(long, value_name = "CLIP")]
    pub clip: Option<String>,
    /// Seconds from the clip's start: one moment, or a range like 0.2..0.8, at every frame of which the goals are met
    #[arg(long, value_name = "SECONDS", default_value = "0", value_parser = notation::span, allow_hyphen_values = true, requires = "clip")]
    pub time: Span,
    /// Frames per second of a range
    #[arg(long, value_name = "RATE", default_value_t = 30.0, allow_negative_numbers = true, value_parser = files::rate)]
    pub fps: f64,
    /// Put the turns of the chains' joints into the clip as keys, in place of a clip of their own
    #[arg(long, requires = "clip")]
    pub keys: bool,
    /// Seconds before and after the time in which the clip leads over to the goals and back, with --keys
    #[arg(long, value_name = "SECONDS", default_value_t = 0.0, allow_negative_numbers = true, value_parser = notation::lead, requires = "keys")]
    pub blend: f64,
    /// The output: .glb, .gltf or .vrm, with the pose as a clip called "ik", or with --keys; without it only the report is printed
    #[arg(short, long, value_name = "FILE", value_parser = |text: &str| files::output(text, &files::CHARACTERS))]
    pub output: Option<PathBuf>,
    /// Print the report also when a file is written
    #[arg(long)]
    pub report: bool,
    /// Print the report as JSON
    #[arg(long)]
    pub json: bool,
}

#[derive(Clone, Copy, PartialEq, ValueEnum)]
pub enum Solver {
    /// Two bones in closed form: the first joint, the last and the one in the middle
    TwoBone,
    /// Cyclic coordinate descent
    Ccd,
    /// Forward and backward reaching
    Fabrik,
    /// Damped least squares, all goals together
    Dls,
}
