//! Fits a template skeleton into a mesh without one, and applies the edits of the user.

use crate::{files, outputs};
use anyhow::{Context, Result};
use glam::Vec3;
use sinew::{Character, Method, deform};
use sinew_rig::template::{Biped, BoneChain, Template};
use std::collections::BTreeMap;
use std::path::PathBuf;

#[derive(Clone, Copy, clap::ValueEnum)]
pub enum Kind {
    /// A standing person who faces +z
    Biped,
    /// A row of joints along the longest side of the mesh, for snakes and tentacles
    Chain,
}

/// Options of a template.
#[derive(clap::Args)]
pub struct Fitting {
    /// The template skeleton to fit into the mesh. Default: biped, if there is no skeleton file and the mesh has no
    /// skin
    #[arg(long, value_enum, conflicts_with_all = ["skeleton", "correct"])]
    pub template: Option<Kind>,
    /// Number of joints in the spine, from 1 to 256: between hips and chest of a biped, or all joints of a chain
    #[arg(long, value_name = "N", allow_negative_numbers = true, conflicts_with_all = ["skeleton", "correct"], value_parser = clap::value_parser!(u16).range(1..=256))]
    spine: Option<u16>,
    /// Omit the fingers of the template
    #[arg(long, conflicts_with_all = ["skeleton", "correct"])]
    no_fingers: bool,
    /// Joints to remove from the template, separated by commas. The bone of the parent grows by the removed bone
    #[arg(long, value_name = "JOINTS", value_delimiter = ',', conflicts_with_all = ["skeleton", "correct"])]
    merge: Vec<String>,
    /// Split the bone of a template joint into N bones of equal length, like `left_lower_arm=2`; can be repeated
    #[arg(long, value_name = "JOINT=N", value_parser = cut, conflicts_with_all = ["skeleton", "correct"])]
    split: Vec<(String, usize)>,
    /// Rename a joint of the template, like `hips=pelvis`; can be repeated. Applies after --merge and --split
    #[arg(long, value_name = "JOINT=NAME", value_parser = pair, conflicts_with_all = ["skeleton", "correct"])]
    rename: Vec<(String, String)>,
    /// A JSON file with positions of template joints in model space, like {"hips": [0, 0.95, 0], …}
    #[arg(long, value_name = "FILE", conflicts_with_all = ["skeleton", "correct"])]
    joints: Option<PathBuf>,
    /// Write the positions of the template joints to this JSON file, which --joints can read
    #[arg(long, value_name = "FILE", conflicts_with_all = ["skeleton", "correct"])]
    pub save_joints: Option<PathBuf>,
}

impl Fitting {
    /// True if an option requests a template.
    pub fn wants_one(&self) -> bool {
        let edits = [self.merge.len(), self.split.len(), self.rename.len()];
        self.template.is_some()
            || self.spine.is_some()
            || self.no_fingers
            || self.joints.is_some()
            || self.save_joints.is_some()
            || edits.iter().any(|&edits| edits > 0)
    }
}

fn pair(text: &str) -> Result<(String, String), String> {
    let pair = text.split_once('=');
    let pair = pair.filter(|(from, to)| !from.is_empty() && !to.is_empty());
    pair.map(|(from, to)| (from.to_owned(), to.to_owned()))
        .ok_or_else(|| "the form is JOINT=NAME, like hips=pelvis".to_owned())
}

fn cut(text: &str) -> Result<(String, usize), String> {
    let wrong = || "the form is JOINT=N, like left_lower_arm=2".to_owned();
    let (joint, pieces) = pair(text).map_err(|_| wrong())?;
    Ok((joint, pieces.parse().map_err(|_| wrong())?))
}

type JointPositions = BTreeMap<String, [f32; 3]>;

/// Fits the template into the meshes. Returns a character that has only a skeleton.
pub fn fitted(arguments: &Fitting, meshes: &Character) -> Result<Character> {
    let posed = deform(meshes, None, 0.0, Method::Linear)?;
    let around = posed.bounds();
    let around = around.context("there is no mesh to fit a skeleton into")?;
    let (mut positions, mut triangles) = (Vec::new(), Vec::new());
    for part in &posed.primitives {
        let first = positions.len();
        let primitive = &meshes.meshes[part.mesh].primitives[part.primitive];
        triangles.extend(primitive.triangles().map(|t| t.map(|v| (first + v) as u32)));
        positions.extend_from_slice(&part.positions);
    }
    let mut template = match arguments.template.unwrap_or(Kind::Biped) {
        Kind::Biped => {
            let default = Biped::default();
            let biped = Biped {
                spine: arguments.spine.map_or(default.spine, usize::from),
                fingers: !arguments.no_fingers,
                ..default
            };
            biped.embedded(&positions, &triangles)?
        }
        Kind::Chain => {
            let joints = arguments.spine.map(usize::from);
            chain(around.min, around.max, joints).embedded(&positions, &triangles)
        }
    };
    let merged: Vec<&str> = arguments.merge.iter().map(String::as_str).collect();
    template = template.merged(&merged).context("--merge")?;
    for (joint, pieces) in &arguments.split {
        template = template.split(joint, *pieces).context("--split")?;
    }
    for (joint, name) in &arguments.rename {
        template = template.renamed(joint, name).context("--rename")?;
    }
    let (joints, save_joints) = (&arguments.joints, &arguments.save_joints);
    if let Some(path) = joints {
        let file = || files::name(path);
        let text =
            std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        let joint_positions: JointPositions = serde_json::from_slice(&text).with_context(|| {
            format!(
                "{}: joint positions have the form {{\"hips\": [0, 0.95, 0], …}}; --save-joints writes such a file",
                file()
            )
        })?;
        let joint_positions = joint_positions
            .into_iter()
            .map(|(name, at)| (name, at.into()));
        template = template
            .with_positions(&joint_positions.collect())
            .with_context(file)?;
    }
    if let Some(path) = save_joints {
        let joint_positions: JointPositions = template
            .positions()
            .into_iter()
            .map(|(name, at)| (name, at.to_array()))
            .collect();
        let text = serde_json::to_string_pretty(&joint_positions)?;
        let what = format!(
            "positions of {}",
            files::counted(joint_positions.len(), "joint")
        );
        outputs::write(path, &what, |out| writeln!(out, "{text}"))?;
    }
    Ok(Character::from_skeleton(template.skeleton()?))
}

fn chain(min: Vec3, max: Vec3, joints: Option<usize>) -> Template {
    let (middle, size) = (0.5 * (min + max), max - min);
    let longest = match size.max_element() {
        longest if longest == size.y => Vec3::Y,
        longest if longest == size.x => Vec3::X,
        _ => Vec3::Z,
    };
    let half = 0.5 * longest * size.max_element();
    let front = if longest == Vec3::Y { Vec3::Z } else { Vec3::Y };
    let default = BoneChain::default();
    let chain = BoneChain {
        joints: joints.unwrap_or(default.joints),
        from: middle - half,
        to: middle + half,
        front,
        ..default
    };
    chain.template()
}
