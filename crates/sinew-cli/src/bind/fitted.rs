//! Fits a template skeleton into a mesh without one, and applies the edits of the user.

use super::found::{Finding, JointPositions, read_positions};
use crate::{extent, files, outputs};
use anyhow::{Context, Result};
use glam::Vec3;
use sinew::{Character, Skeleton};
use sinew_rig::find::{Body, Found, joined_surface};
use sinew_rig::retarget::with_biped_limits;
use sinew_rig::template::{Biped, BoneChain, FINGERS, Template};
use std::path::{Path, PathBuf};

#[derive(Clone, Copy, clap::ValueEnum)]
pub enum Kind {
    /// A standing person who faces +z, fitted by proportions instead of a search
    Biped,
    /// A row of joints along the longest side of the mesh, for snakes and tentacles
    Chain,
}

/// Options of a template.
#[derive(clap::Args)]
pub struct Fitting {
    /// Fit a template by its proportions instead of a search for the skeleton
    #[arg(long, value_enum, conflicts_with_all = ["skeleton", "correct"])]
    pub template: Option<Kind>,
    /// Number of joints in the spine, from 1 to 256: between hips and chest, or all joints of a chain
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

/// Skeleton for a mesh.
pub struct Fitted {
    /// Character that has only the skeleton.
    pub character: Character,
    /// Result of the search. `None` for a template.
    pub found: Option<Found>,
}

/// Finds the skeleton of the meshes, or fits a template into them.
pub fn fitted(arguments: &Fitting, finding: &Finding, meshes: &Character) -> Result<Fitted> {
    let (positions, triangles) = joined_surface(meshes)?;
    let around = extent::around(&positions);
    let [min, max] = around.context("there is no mesh to fit a skeleton into")?;
    let mut found = None;
    let mut template = match arguments.template {
        None => {
            let search = finding.find(&positions, &triangles)?;
            let template = arguments.parts(&search.template)?;
            found = Some(search);
            template
        }
        Some(Kind::Biped) => {
            let default = Biped::default();
            let biped = Biped {
                spine: arguments.spine.map_or(default.spine, usize::from),
                fingers: !arguments.no_fingers,
                ..default
            };
            biped.embedded(&positions, &triangles)?
        }
        Some(Kind::Chain) => {
            let joints = arguments.spine.map(usize::from);
            chain(min, max, joints).embedded(&positions, &triangles)
        }
    };
    template = arguments.edited(template)?;
    if let Some(path) = &arguments.save_joints {
        save_joints(path, &template)?;
    }
    let is_biped = found
        .as_ref()
        .is_some_and(|found| found.body == Body::Biped);
    let mut skeleton = template.skeleton()?;
    // Limits count from the rest pose, which is that of the mesh and not that of the template.
    if is_biped && let Some(limited) = with_biped_limits(&skeleton) {
        skeleton = limited.skeleton;
    }
    if let Some(engine) = finding.names {
        let named = template.named_for(engine.into()).context("--names")?;
        let names = named.joints().iter().map(|joint| joint.name.clone());
        let mut joints = skeleton.joints();
        joints
            .iter_mut()
            .zip(names)
            .for_each(|(joint, name)| joint.name = name);
        skeleton = Skeleton::new(joints)?.0;
    }
    let character = Character::from_skeleton(skeleton);
    Ok(Fitted { character, found })
}

impl Fitting {
    /// Removes the fingers and changes the number of spine joints as requested.
    fn parts(&self, template: &Template) -> Result<Template> {
        let names = template.joints().iter().map(|joint| joint.name.as_str());
        let is_finger = |name: &str| {
            let part = name
                .trim_start_matches("left_")
                .trim_start_matches("right_");
            FINGERS.iter().any(|finger| part.starts_with(finger))
        };
        let fingers = names
            .clone()
            .filter(|&name| self.no_fingers && is_finger(name));
        let mut gone: Vec<&str> = fingers.collect();
        let spine = names.filter(|name| name.starts_with("spine_"));
        let spine: Vec<&str> = spine.collect();
        let Some(count) = self.spine.map(usize::from).filter(|&n| n != spine.len()) else {
            return Ok(template.merged(&gone)?);
        };
        // One joint stays and is cut into pieces of the same length.
        gone.extend(spine.iter().skip(count.min(1)));
        let mut template = template.merged(&gone)?;
        if let Some(first) = spine.first().filter(|_| count > 1) {
            template = template.split(first, count).context("--spine")?;
            for piece in 2..=count {
                let part = format!("{first}_part_{piece}");
                template = template.renamed(&part, &format!("spine_{piece}"))?;
            }
        }
        Ok(template)
    }

    /// Applies --merge, --split, --rename and --joints.
    fn edited(&self, mut template: Template) -> Result<Template> {
        let merged: Vec<&str> = self.merge.iter().map(String::as_str).collect();
        template = template.merged(&merged).context("--merge")?;
        for (joint, pieces) in &self.split {
            template = template.split(joint, *pieces).context("--split")?;
        }
        for (joint, name) in &self.rename {
            template = template.renamed(joint, name).context("--rename")?;
        }
        let Some(path) = &self.joints else {
            return Ok(template);
        };
        let form = "joint positions have the form {\"hips\": [0, 0.95, 0], …}; --save-joints writes such a file";
        let positions = read_positions(path, form)?;
        let positions = positions.into_iter().map(|(name, at)| (name, at.into()));
        let moved = template.with_positions(&positions.collect());
        moved.with_context(|| files::name(path))
    }
}

fn save_joints(path: &Path, template: &Template) -> Result<()> {
    let positions: JointPositions = template
        .positions()
        .into_iter()
        .map(|(name, at)| (name, at.to_array()))
        .collect();
    let text = serde_json::to_string_pretty(&positions)?;
    let what = format!("positions of {}", files::counted(positions.len(), "joint"));
    outputs::write(path, &what, |out| writeln!(out, "{text}"))
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
