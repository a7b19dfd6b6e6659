//! `sinew limits`: shows and changes the limits of joints.

mod notation;
mod tables;

use crate::files::{self, counted};
use crate::{outputs, usage};
use anyhow::{Context, Result, bail};
use clap::ValueEnum;
use serde::Serialize;
use serde_json::value::RawValue;
use sinew::skeleton::limits::Freedom;
use sinew::{Character, Skeleton};
use sinew_io::gltf::freedom_json;
use sinew_rig::retarget::with_biped_limits;
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Arguments {
    /// A glTF, GLB, VRM, FBX, BVH, OBJ, PLY or .sinew file, or - for standard input
    #[arg(required_unless_present_any = ["from_dh", "from_meta"])]
    input: Option<PathBuf>,
    /// Make a chain of joints from Denavit-Hartenberg rows (JSON, docs/ik.md) instead of reading a character
    #[arg(long, value_name = "FILE.json", conflicts_with_all = ["input", "from_meta"])]
    from_dh: Option<PathBuf>,
    /// Make joints from meta-joints (JSON, docs/ik.md) instead of reading a character. Meta-joints at one position
    /// become one joint
    #[arg(long, value_name = "FILE.json", conflicts_with = "input")]
    from_meta: Option<PathBuf>,
    /// Remove all limits before --from and --set apply
    #[arg(long)]
    clear: bool,
    /// Apply the limits of a template to the joints whose body part is known by name
    #[arg(long, value_enum, value_name = "TEMPLATE")]
    from: Option<Template>,
    /// The degrees of freedom and limits of a joint, in degrees from the rest pose; can be repeated. WHAT is free,
    /// fixed, hinge:x:-8..150, saddle:xz:-75..80,-35..35, ball:y:150:-120..120 (axis, cone, twist) or
    /// euler:xzy:-125..40,-60..35,-60..60. An axis may be three numbers, like 0,0.6,0.8. +slides:xyz at the end lets
    /// the joint move along the axes of its parent, and +slides:z:-0.2..0 along one axis from -0.2 m to 0 m from rest
    #[arg(long, value_name = "JOINT=WHAT", value_parser = setting)]
    set: Vec<(String, Freedom)>,
    /// Write the Denavit-Hartenberg rows of a chain of hinges about z and slides along z: .json, or - for standard output
    #[arg(long, value_name = "FILE.json", value_parser = |text: &str| files::output(text, &["json"]))]
    dh: Option<PathBuf>,
    /// Write the joints with one meta-joint per axis: .json, or - for standard output
    #[arg(long, value_name = "FILE.json", value_parser = |text: &str| files::output(text, &["json"]))]
    meta: Option<PathBuf>,
    /// The output with the changed limits: .glb, .gltf or .vrm. Default: no file; the limits are only printed
    #[arg(short, long, value_name = "FILE", value_parser = |text: &str| files::output(text, &files::CHARACTERS))]
    output: Option<PathBuf>,
    /// Print the limits as JSON
    #[arg(long)]
    json: bool,
}

/// Skeletons whose limits are known.
#[derive(Clone, Copy, PartialEq, ValueEnum)]
pub enum Template {
    /// A person
    Biped,
}

fn setting(text: &str) -> Result<(String, Freedom), String> {
    // Names of joints may contain "=", limits do not.
    let (joint, what) = text
        .rsplit_once('=')
        .ok_or("a limit is JOINT=WHAT, like left_lower_leg=hinge:x:-8..150")?;
    Ok((joint.to_owned(), notation::parse(what)?))
}

#[derive(Serialize)]
struct Document<'a> {
    format: &'static str,
    joints: usize,
    degrees_of_freedom: usize,
    limited_joints: usize,
    /// Joints that are not free ball joints.
    freedoms: Vec<JointRow<'a>>,
    notes: Vec<String>,
}

#[derive(Serialize)]
struct JointRow<'a> {
    joint: &'a str,
    degrees_of_freedom: usize,
    limited: bool,
    /// Limits in the notation of --set.
    #[serde(rename = "says")]
    text: String,
    /// Limits in radians, as in a file.
    freedom: Box<RawValue>,
}

/// Joints that have a limit.
pub fn limited_joints(skeleton: &Skeleton) -> impl Iterator<Item = usize> + '_ {
    (0..skeleton.len()).filter(|&joint| skeleton.freedom(joint).is_limited())
}

/// Applies the limits of a person to joints with known names. Returns notes for the user.
pub fn apply_biped(character: &mut Character) -> Result<Vec<String>> {
    let skeleton = &character.skeleton;
    let Some(limited) = with_biped_limits(skeleton) else {
        let example = skeleton.name(skeleton.len() - 1);
        bail!(
            "joint names (such as \"{example}\") do not show which joints are the hips and limbs of a person; set limits with `sinew limits --set`"
        );
    };
    let (found, all) = (limited.joints.len(), counted(skeleton.len(), "joint"));
    let mut notes = vec![format!("limits of a person applied to {found} of {all}")];
    if !limited.widened.is_empty() {
        let names: Vec<&str> = limited.widened.iter().map(|&j| skeleton.name(j)).collect();
        notes.push(format!(
            "limits widened because the rest pose exceeds them: {}",
            names.join(", ")
        ));
    }
    character.skeleton = limited.skeleton;
    Ok(notes)
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let outputs = [&arguments.output, &arguments.dh, &arguments.meta].map(|path| path.as_deref());
    let to_standard = outputs
        .iter()
        .flatten()
        .filter(|path| files::is_standard(path));
    let to_standard = to_standard.count();
    if to_standard + usize::from(arguments.json) > 1 {
        let message = "only one of --json and the files can go to standard output";
        return Err(usage::wrong(message));
    }
    let writes_to_standard = to_standard > 0;
    let inputs = [&arguments.from_dh, &arguments.from_meta, &arguments.input];
    let inputs = inputs.map(|path| path.as_deref());
    let mut import = tables::load(inputs)?;
    let input = inputs.into_iter().flatten().next();
    let name = || input.map_or(String::new(), files::name);
    let mut notes = change(arguments, &mut import.character).with_context(name)?;
    let changes = arguments.clear || arguments.from.is_some() || !arguments.set.is_empty();
    if changes && arguments.output.is_none() {
        let unsaved = "no file was written; -o FILE writes the character with these limits";
        notes.push(unsaved.to_owned());
    }
    notes.extend(
        tables::write([outputs[1], outputs[2]], &import.character.skeleton).with_context(name)?,
    );
    notes.iter().for_each(|note| files::print_message(note));
    if let Some(output) = &arguments.output {
        let limited = limited_joints(&import.character.skeleton).count();
        let what = outputs::contents(&import.character);
        let what = format!("{what}, limits on {limited}");
        outputs::character(output, &what, &import.character, import.source.as_ref())?;
    }
    if writes_to_standard {
        return Ok(());
    }
    let mut document = document(&import.character.skeleton)?;
    document.notes = notes;
    let text = if arguments.json {
        serde_json::to_string_pretty(&document)? + "\n"
    } else {
        text(&document)
    };
    outputs::print(&text)
}

fn change(arguments: &Arguments, character: &mut Character) -> Result<Vec<String>> {
    let mut notes = Vec::new();
    if arguments.clear {
        let mut joints = character.skeleton.joints();
        joints
            .iter_mut()
            .for_each(|joint| joint.freedom = Freedom::default());
        (character.skeleton, _) = Skeleton::new(joints)?;
    }
    if arguments.from.is_some() {
        notes = apply_biped(character)?;
    }
    for (name, freedom) in &arguments.set {
        let joint = files::find_joint(&character.skeleton, name)?;
        let skeleton = &character.skeleton;
        let shared = (0..skeleton.len()).filter(|&other| skeleton.name(other) == name);
        let shared = shared.count();
        if shared > 1 {
            notes.push(format!(
                "{shared} joints are called \"{name}\", and --set applies to the first; rename the joints to choose another"
            ));
        }
        character.skeleton = skeleton.with_freedom(joint, freedom.clone())?;
    }
    Ok(notes)
}

fn document(skeleton: &Skeleton) -> Result<Document<'_>> {
    let free = Freedom::default();
    let shown = (0..skeleton.len()).filter(|&joint| *skeleton.freedom(joint) != free);
    Ok(Document {
        format: "sinew-limits/1",
        joints: skeleton.len(),
        degrees_of_freedom: skeleton.degrees_of_freedom(),
        limited_joints: limited_joints(skeleton).count(),
        freedoms: shown
            .map(|joint| row(skeleton, joint))
            .collect::<Result<_>>()?,
        notes: Vec::new(),
    })
}

fn row(skeleton: &Skeleton, joint: usize) -> Result<JointRow<'_>> {
    let freedom = skeleton.freedom(joint);
    Ok(JointRow {
        joint: skeleton.name(joint),
        degrees_of_freedom: freedom.count(),
        limited: freedom.is_limited(),
        text: notation::write(freedom),
        freedom: freedom_json(freedom)?,
    })
}

fn text(document: &Document<'_>) -> String {
    let mut text = format!(
        "{}, {}, limits on {}\n",
        counted(document.joints, "joint"),
        counted(document.degrees_of_freedom, "degree of freedom"),
        match document.limited_joints {
            0 => "none".to_owned(),
            limited => limited.to_string(),
        }
    );
    let rows = document.freedoms.iter();
    let names: Vec<_> = rows.map(|row| files::one_line(row.joint)).collect();
    let longest = names.iter().map(|name| name.len()).max();
    let width = longest.unwrap_or(0).min(40);
    for (name, row) in names.iter().zip(&document.freedoms) {
        text += &format!("{name:width$}  {}\n", row.text);
    }
    if document.freedoms.len() < document.joints {
        text += "all others rotate freely\n";
    }
    text
}
