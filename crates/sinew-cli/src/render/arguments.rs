use super::options::{self, Background, CameraView, FloorLevel, Follow, Passes, Size};
use super::output::Output;
use super::sheet::SheetSize;
use super::surroundings::{Shading, Surroundings, Tone};
use crate::files;
use crate::shown::ShownOption;
use crate::skin::{NormalsOption, Skinning};
use sinew::binding::Binding;
use std::path::PathBuf;

#[derive(clap::Args, Clone)]
pub struct Arguments {
    /// glTF, GLB, VRM, FBX, BVH, OBJ, PLY or .sinew files; - is standard input. A file without a mesh is drawn as bones
    #[arg(required = true, value_name = "INPUT")]
    pub(super) inputs: Vec<PathBuf>,
    #[arg(skip)]
    pub(super) input: PathBuf,
    /// The output. Its ending sets the format: .png, .apng, .gif, .jpg, .jpeg, .mp4 or .webm; - writes PNG to standard
    /// output. .png and .apng are stills, or animations with --fps. .jpg and .jpeg are stills. .gif, .mp4 and .webm are
    /// animations, unless --time is given. .mp4 and .webm need the program ffmpeg on the path. {frame} in a .png or
    /// .jpg name writes one picture per frame, counted from 0; {frame:04} uses four digits. With several inputs, {name}
    /// stands for the name of each input
    #[arg(short, long, value_name = "FILE", value_parser = Output::parse)]
    pub(super) output: Output,
    /// Write raw frames to standard output, with -o -, as `ffmpeg -f rawvideo -pix_fmt rgba` reads them: four bytes per
    /// pixel (red, green, blue, opacity), rows from the top, frame after frame
    #[arg(long)]
    pub(super) raw: bool,
    /// Width and height of the whole picture in pixels; the max depends on the GPU
    #[arg(long, value_name = "WIDTHxHEIGHT", default_value = "960x720")]
    pub(super) size: Size,
    /// The clip, by name or number. Default: the first clip, or the rest pose if there is none
    #[arg(long, value_name = "CLIP")]
    pub(super) clip: Option<String>,
    /// Draw the rest pose, even if there are clips
    #[arg(long, conflicts_with = "clip")]
    pub(super) rest: bool,
    /// The angles of a joint in degrees from rest, separated by commas; can be repeated. Give one angle for a hinge
    /// (elbow=40), two for a saddle, three for other joints. A slide with a range is a distance in metres from rest
    /// (spindle=-0.1), after the angles of its joint. They apply on top of --clip, or to the rest pose without --clip
    #[arg(long, value_name = "JOINT=DEGREES", allow_hyphen_values = true)]
    pub(super) set: Vec<String>,
    /// Play a state machine (JSON, docs/graph.md) instead of a clip. --set NAME=VALUE@SECONDS then sets its parameters,
    /// for example speed=1.5@0.4. --report and --json list the states and their times
    #[arg(long, value_name = "FILE.json", conflicts_with_all = ["clip", "rest"])]
    pub(super) machine: Option<PathBuf>,
    /// Seconds that --machine plays. Default: until 2 seconds after the last --set
    #[arg(long, value_name = "SECONDS", requires = "machine", value_parser = files::seconds)]
    pub(super) duration: Option<f64>,
    /// The joint whose path over the ground goes on when a clip of --machine begins again. Default: clips begin again
    /// where they began
    #[arg(long, value_name = "JOINT", requires = "machine")]
    pub(super) root: Option<String>,
    /// Expressions of an avatar, such as happy, separated by commas, if the clip sets none. `sinew info` lists them
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    pub(super) expression: Vec<String>,
    /// Time in the clip in seconds, for a single picture. Default: 0. Outside the clip, its first or last pose is drawn
    #[arg(
        long,
        value_name = "SECONDS",
        value_parser = files::seconds,
        conflicts_with = "fps",
        allow_negative_numbers = true
    )]
    pub(super) time: Option<f64>,
    /// Frames per second of an animation, from 0.01 to 1000. Default: 25 for .gif; 30 for .mp4, .webm and {frame}
    #[arg(long, value_name = "RATE", allow_negative_numbers = true, value_parser = files::rate)]
    pub(super) fps: Option<f64>,
    /// Draw a contact sheet: one picture with columns and rows of moments of the clip, each with its time. If nothing
    /// moves, the sheet shows views from all sides, each with its angle
    #[arg(long, value_name = "COLUMNSxROWS", conflicts_with_all = ["fps", "time", "raw"])]
    pub(super) sheet: Option<SheetSize>,
    /// Skinning methods, separated by commas and drawn side by side. Default: the method that the file states,
    /// otherwise lbs
    #[arg(long, value_enum, value_delimiter = ',')]
    pub(super) method: Vec<Skinning>,
    #[command(flatten)]
    pub(super) normals: NormalsOption,
    #[command(flatten)]
    pub(super) shown: ShownOption,
    /// A binding NAME=TARGET of a curve or an event of the clip, in addition to the bindings in the file; can be
    /// repeated. Targets of curves: camera.eye, camera.target, camera.fov, light.NAME.strength and .color (the light of
    /// the studio is key), material.NAME.uv, .color and .emissive, morph.NAME, node.NAME.visible, and
    /// other properties such as light.NAME.intensity or material.NAME.metallic. Targets of events: sound.NAME,
    /// dust.JOINT and call.NAME. Sounds and calls are printed, and --json lists them
    #[arg(long, value_name = "NAME=TARGET")]
    pub(super) bind: Vec<Binding>,
    /// The camera. Views relative to the character: front, left, right, back, three-quarter, or turntable (a full
    /// circle). Other views: top, or two angles in degrees like 30,10: the azimuth from +Z towards +X of the file, and
    /// the elevation. The front of the character is found from its joints; --report explains how. Default: the camera
    /// that curves of the clip move, otherwise three-quarter
    #[arg(long, value_name = "VIEW", allow_hyphen_values = true)]
    pub(super) camera: Option<CameraView>,
    /// Draw through a camera of the file, by name or number, with the angle of view and the depth range that curves of
    /// the clip give it. A roll of the camera is not shown, and a parallel camera is drawn from far away
    #[arg(long, value_name = "CAMERA", conflicts_with_all = ["camera", "zoom", "fov", "target"])]
    pub(super) through: Option<String>,
    /// Magnification about the middle of the picture, from 0.01 to 100; 2 doubles all sizes
    #[arg(long, value_name = "FACTOR", default_value = "1", allow_negative_numbers = true, value_parser = options::zoom)]
    pub(super) zoom: f32,
    /// The vertical angle of view, in degrees from 1 to 150. The camera moves back until everything is in the picture
    #[arg(long, value_name = "DEGREES", default_value = "28.65", allow_negative_numbers = true, value_parser = options::fov)]
    pub(super) fov: f32,
    /// The joint in the middle of the picture, by name or number. Use --zoom to magnify it
    #[arg(long, value_name = "JOINT")]
    pub(super) target: Option<String>,
    /// Move the camera of an animation with a figure that travels. With off, the picture shows the whole path
    #[arg(long, value_enum, default_value_t)]
    pub(super) follow: Follow,
    /// The floor. auto: at the lowest point of the picture or motion. zero: at y = 0 of the file. none: no floor
    #[arg(long, value_enum, default_value_t)]
    pub(super) floor: FloorLevel,
    /// The background: studio, dark, clear, or a colour like #dde4ee
    #[arg(long, default_value = "studio")]
    pub(super) background: Background,
    /// The environment light: studio, dark, overcast, sunset, or a .hdr file. Default: the light of the background
    #[arg(long, value_name = "NAME|FILE.hdr")]
    pub(super) environment: Option<Surroundings>,
    /// The shading model: metalness and roughness as in glTF, or the older Phong model
    #[arg(long, value_enum, default_value_t)]
    pub(super) shading: Shading,
    /// The tone mapping from light to screen colours
    #[arg(long, value_enum, default_value_t)]
    pub(super) tone: Tone,
    /// The light effects: shadow, occlusion, reflection and bloom, separated by commas, or none
    #[arg(long, default_value = "shadow,occlusion")]
    pub(super) passes: Passes,
    /// Draw the bones
    #[arg(long)]
    pub(super) skeleton: bool,
    /// Write the names of joints next to them. Names that would overlap are left out
    #[arg(long)]
    pub(super) names: bool,
    /// Draw the axes of every joint
    #[arg(long)]
    pub(super) axes: bool,
    /// Show weights as colours. JOINT is the name or number of a joint, "all" for a mix of all joints, or "dominant"
    /// for the heaviest joint of each vertex
    #[arg(long, value_name = "JOINT")]
    pub(super) weights: Option<String>,
    /// Draw the edges of triangles
    #[arg(long)]
    pub(super) wireframe: bool,
    /// Draw lines on the floor
    #[arg(long)]
    pub(super) grid: bool,
    /// Print the direction that the character faces, and how it was found, on standard error and in the notes of --json
    #[arg(long)]
    pub(super) report: bool,
    /// Print the time of each stage as JSON
    #[arg(long)]
    pub(super) json: bool,
}

impl Arguments {
    pub(super) fn camera_view(&self) -> CameraView {
        self.camera.unwrap_or(CameraView::THREE_QUARTER)
    }
}
