use super::options::{self, Background, CameraPlace, FloorPlace, Follow, Passes, Size};
use super::output::Output;
use super::posed;
use super::sheet::SheetSize;
use super::surroundings::{Shading, Surroundings, Tone};
use crate::files;
use crate::skin::Skinning;
use clap::ValueEnum;
use sinew::Character;
use sinew::binding::Binding;
use sinew_samples::mannequin::Mannequin;
use std::path::PathBuf;

#[derive(clap::Args, Clone)]
pub struct Arguments {
    /// A glTF, GLB, VRM, FBX, BVH, OBJ, PLY or .sinew file, or - for standard input, or several; of files without a mesh the bones are
    /// drawn
    #[arg(
        required_unless_present = "figure",
        conflicts_with = "figure",
        value_name = "INPUT"
    )]
    pub(super) inputs: Vec<PathBuf>,
    /// The one of them that is at hand
    #[arg(skip)]
    pub(super) input: Option<PathBuf>,
    /// A character made by code in place of a file
    #[arg(long, value_enum)]
    pub(super) figure: Option<MadeFigure>,
    /// The output, by its ending: .png or .apng (both take stills and, with --fps, animated PNG), .gif, .jpg or .jpeg
    /// (stills), .mp4 or .webm (through the program ffmpeg, which must be on the path), or - for PNG on standard
    /// output. .gif, .mp4 and .webm move unless --time asks for a still. With {frame} in a .png's or .jpg's name, or
    /// {frame:04} for numbers of four digits, one picture per frame, from 0 on. Of several inputs with {name} in it, which
    /// is each file's own
    #[arg(short, long, value_name = "FILE", value_parser = Output::parse)]
    pub(super) output: Output,
    /// Write bare frames to standard output, with -o -: four bytes for each pixel (red, green, blue, opacity), rows
    /// from the top, one frame after the other, as `ffmpeg -f rawvideo -pix_fmt rgba` reads them
    #[arg(long)]
    pub(super) raw: bool,
    /// Width and height of the whole picture in pixels; the maximum depends on the GPU
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value = "960x720")]
    pub(super) size: Size,
    /// The clip, by name or number; without it the first one, or the rest pose when there is none
    #[arg(long, value_name = "CLIP")]
    pub(super) clip: Option<String>,
    /// The rest pose, whatever clips there are
    #[arg(long, conflicts_with = "clip")]
    pub(super) rest: bool,
    /// The angles of a joint in degrees from rest, as many as it has: one of a hinge (elbow=40), two of a saddle, three of others,
    /// separated by commas; more than once for several joints. On top of --clip, otherwise of the rest pose
    #[arg(long, value_name = "JOINT=DEGREES", allow_hyphen_values = true, value_parser = posed::angles)]
    pub(super) set: Vec<posed::Angles>,
    /// The expression of an avatar, such as happy, where the clip has none; several are separated by commas. `sinew info`
    /// lists them
    #[arg(long, value_name = "NAME", value_delimiter = ',', requires = "inputs")]
    pub(super) expression: Vec<String>,
    /// Seconds from the clip's start: a single picture, at 0 if not given; outside the clip its first or last pose
    /// holds
    #[arg(
        long,
        value_name = "SECONDS",
        value_parser = files::seconds,
        conflicts_with = "fps",
        allow_negative_numbers = true
    )]
    pub(super) time: Option<f64>,
    /// Frames per second: an animation of the whole clip, from 0.01 to 1000; if not given, 25 for .gif, and 30 for
    /// .mp4, .webm and with {frame} in the output's name
    #[arg(long, value_name = "RATE", allow_negative_numbers = true, value_parser = files::rate)]
    pub(super) fps: Option<f64>,
    /// A contact sheet: so many moments of the clip, from its start to its end, in columns and rows of one still
    /// picture, each with its time; of what does not move, views from all around, each with its angle
    #[arg(long, value_name = "COLUMNSxROWS", conflicts_with_all = ["fps", "time", "raw"])]
    pub(super) sheet: Option<SheetSize>,
    /// The skinning method; several, separated by commas, stand side by side; if not given, the one that the file asks
    /// for, which only FBX files do, or dqs
    #[arg(long, value_enum, value_delimiter = ',')]
    pub(super) method: Vec<Skinning>,
    /// What a curve or an event of the clip drives, as NAME=TARGET, beside what the file binds; may be given many times. Curves
    /// drive camera.eye, camera.target, camera.fov, light.NAME.strength and .color (the studio's own is key),
    /// material.NAME.uv, .color and .emissive, and morph.NAME; events sound.NAME, dust.JOINT and call.NAME, of which
    /// sounds and calls are said and listed by --json
    #[arg(long, value_name = "NAME=TARGET")]
    pub(super) bind: Vec<Binding>,
    /// The camera: front, left, right, back, three-quarter or turntable (once round), as seen by the character, whose
    /// front is found by its joints (--report says how); top; or two angles in degrees, like 30,10: azimuth, from
    /// the file's +Z towards its +X, and elevation. If not given, the clip's own where its curves are bound to one, or
    /// three-quarter
    #[arg(long, value_name = "PLACE", allow_hyphen_values = true)]
    pub(super) camera: Option<CameraPlace>,
    /// Larger or smaller than framed: 2 shows everything in the middle of the picture twice as large; from 0.01 to 100
    #[arg(long, value_name = "FACTOR", default_value = "1", allow_negative_numbers = true, value_parser = options::zoom)]
    pub(super) zoom: f32,
    /// The angle of view from the lower to the upper edge, in degrees from 1 to 150; the camera stands so far away
    /// that everything is in the picture
    #[arg(long, value_name = "DEGREES", default_value = "28.65", allow_negative_numbers = true, value_parser = options::fov)]
    pub(super) fov: f32,
    /// The joint in the middle of the picture, by name or number; --zoom goes near it
    #[arg(long, value_name = "JOINT")]
    pub(super) target: Option<String>,
    /// Whether the camera of a moving picture goes along with a figure that leaves its place; off frames all of its way
    #[arg(long, value_enum, default_value_t)]
    pub(super) follow: Follow,
    /// The floor: auto lies at the lowest point of a still, or of the whole motion; zero at y = 0 of the file; or none
    #[arg(long, value_enum, default_value_t)]
    pub(super) floor: FloorPlace,
    /// The background: studio, dark, clear, or a colour like #dde4ee
    #[arg(long, default_value = "studio")]
    pub(super) background: Background,
    /// The light from all around: studio, dark, overcast, sunset, or a .hdr file; without it, that of the background
    #[arg(long, value_name = "NAME|FILE.hdr")]
    pub(super) environment: Option<Surroundings>,
    /// How surfaces throw light back: by metal and roughness as glTF has it, or by Phong's older sum
    #[arg(long, value_enum, default_value_t)]
    pub(super) shading: Shading,
    /// How light becomes what a screen shows
    #[arg(long, value_enum, default_value_t)]
    pub(super) tone: Tone,
    /// The effects of light: shadow, occlusion, reflection and bloom, separated by commas, or none
    #[arg(long, default_value = "shadow,occlusion")]
    pub(super) passes: Passes,
    /// Draw the bones
    #[arg(long)]
    pub(super) skeleton: bool,
    /// Write the names of joints beside them; one that would lie over another is left out
    #[arg(long)]
    pub(super) names: bool,
    /// Draw the axes of every joint
    #[arg(long)]
    pub(super) axes: bool,
    /// Show the weights of a joint, by name or number, as colours; those of all, mixed, with "all", or the joint of
    /// the largest weight with "dominant"
    #[arg(long, value_name = "JOINT")]
    pub(super) weights: Option<String>,
    /// Draw the edges of triangles
    #[arg(long)]
    pub(super) wireframe: bool,
    /// Draw lines on the floor
    #[arg(long)]
    pub(super) grid: bool,
    /// Say on standard error, and in the notes of --json, which way the character faces, and by what that was decided
    #[arg(long)]
    pub(super) report: bool,
    /// Print the time that each stage took as JSON
    #[arg(long)]
    pub(super) json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
pub(super) enum MadeFigure {
    /// A person with a sword, who walks, runs, waves and fences
    Mannequin,
    /// A person of ten parts, who walks
    Humanoid,
    /// A limb of two joints, which twists and bends
    Tube,
    /// A base, a shoulder and an elbow, which fetch and carry
    RobotArm,
    /// A chassis, two steering joints and four wheels, which drive in a circle
    Car,
    /// A sun, a planet and a moon
    SolarSystem,
}

impl Arguments {
    pub(super) fn camera_place(&self) -> CameraPlace {
        self.camera.unwrap_or(CameraPlace::THREE_QUARTER)
    }
}

impl MadeFigure {
    pub(super) fn make(self) -> Character {
        match self {
            Self::Mannequin => Mannequin::default().build(),
            Self::Humanoid => sinew_samples::humanoid_character(),
            Self::Tube => sinew_samples::tube_character(),
            Self::RobotArm => sinew_samples::robot_arm_character(),
            Self::Car => sinew_samples::car_character(),
            Self::SolarSystem => sinew_samples::solar_system_character(),
        }
    }
}
