//! Finds the skeleton of a bare mesh, with the hints of the user.

use crate::files;
use anyhow::{Context, Result, bail};
use glam::Vec3;
use serde::Serialize;
use sinew_rig::find::{Body, FindOptions, Found, Like, find_skeleton, joint_of_word};
use sinew_rig::template::Engine;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Min mean confidence of limbs and head. Below it, a skeleton is a guess.
const MIN_CONFIDENCE: f32 = 0.2;

/// Max number of joints that a message names.
const NAMED: usize = 6;

/// Options of the search.
#[derive(clap::Args)]
pub struct Finding {
    /// The kind of body to look for in a mesh without a skeleton
    #[arg(long, value_enum, conflicts_with_all = ["skeleton", "correct", "template"])]
    like: Option<LikeName>,
    /// The position of a joint in the space of the mesh, after --scale; can be repeated. Names are those of the template,
    /// or words such as chin, groin, "left wrist" and "right knee"
    #[arg(long, value_name = "JOINT=X,Y,Z", allow_hyphen_values = true, conflicts_with_all = ["skeleton", "correct"], value_parser = place)]
    at: Vec<(String, Vec3)>,
    /// A JSON file with positions as for --at, like {"chin": [0, 1.5, 0.1], "groin": [0, 0.85, 0]}
    #[arg(long, value_name = "FILE", conflicts_with_all = ["skeleton", "correct"])]
    clicks: Option<PathBuf>,
    /// Stop early: write the mesh with its joints, or also with its weights, but without the test walk
    #[arg(long, value_enum, conflicts_with_all = ["skeleton", "correct"])]
    pub only: Option<Only>,
    /// Name the joints as another program does
    #[arg(long, value_enum, value_name = "PROGRAM", conflicts_with_all = ["skeleton", "correct"])]
    pub names: Option<EngineName>,
    /// Pose the result, and use this pose as its rest pose
    #[arg(long, value_enum, conflicts_with_all = ["skeleton", "correct"])]
    pub rest: Option<Rest>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum LikeName {
    /// A biped or a quadruped, whichever the mesh is
    Auto,
    /// A body on two legs
    Biped,
    /// A body on four legs
    Quadruped,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
pub enum Only {
    /// The mesh and its joints, without weights
    Joints,
    /// The mesh with weights, without the test walk
    Weights,
}

#[derive(Clone, Copy, PartialEq, clap::ValueEnum)]
pub enum Rest {
    /// The pose of the mesh
    Mesh,
    /// A T pose: arms horizontal, legs vertical
    T,
}

#[derive(Clone, Copy, Debug, clap::ValueEnum)]
pub enum EngineName {
    /// mixamorig:LeftForeArm
    Mixamo,
    /// leftLowerArm
    Vrm,
    /// lowerarm and l, joined by an underscore
    Unreal,
    /// Left lower arm, in one word
    Unity,
    /// forearm.L
    Blender,
}

impl From<EngineName> for Engine {
    fn from(name: EngineName) -> Self {
        match name {
            EngineName::Mixamo => Self::Mixamo,
            EngineName::Vrm => Self::Vrm,
            EngineName::Unreal => Self::Unreal,
            EngineName::Unity => Self::Unity,
            EngineName::Blender => Self::Blender,
        }
    }
}

fn place(text: &str) -> Result<(String, Vec3), String> {
    let wrong = || "the form is JOINT=X,Y,Z, like left_wrist=0.6,0.9,0".to_owned();
    let (joint, place) = text.split_once('=').ok_or_else(wrong)?;
    let numbers = place.split(',').map(|number| number.trim().parse().ok());
    let numbers: Option<Vec<f32>> = numbers.collect();
    match numbers.as_deref() {
        Some(&[x, y, z]) if [x, y, z].iter().all(|x| x.is_finite()) && !joint.is_empty() => {
            Ok((joint.to_owned(), Vec3::new(x, y, z)))
        }
        _ => Err(wrong()),
    }
}

/// Positions of joints by name, as in a JSON file.
pub type JointPositions = BTreeMap<String, [f32; 3]>;

impl Finding {
    /// True if an option requests a search.
    pub fn wants_one(&self) -> bool {
        let has_hints = !self.at.is_empty() || self.clicks.is_some();
        let wants_joints = self.only == Some(Only::Joints) || self.names.is_some();
        self.like.is_some() || has_hints || wants_joints
    }

    fn options(&self) -> Result<FindOptions> {
        let mut options = FindOptions::default().with_like(match self.like {
            None | Some(LikeName::Auto) => Like::Auto,
            Some(LikeName::Biped) => Like::Biped,
            Some(LikeName::Quadruped) => Like::Quadruped,
        });
        let mut places = Vec::new();
        if let Some(path) = &self.clicks {
            let form = "clicks have the form {\"chin\": [0, 1.5, 0.1], …}";
            let clicks: JointPositions = read_positions(path, form)?;
            places.extend(clicks.into_iter().map(|(name, at)| (name, Vec3::from(at))));
        }
        places.extend(self.at.iter().cloned());
        for (name, at) in places {
            options = options.with_position(joint_of_word(&name), at);
        }
        Ok(options)
    }

    /// Finds the skeleton. Fails if there is none, or if it is a guess.
    pub fn find(&self, positions: &[Vec3], triangles: &[[u32; 3]]) -> Result<Found> {
        let found = find_skeleton(positions, triangles, &self.options()?)?;
        let mean = confidence(&found);
        if mean < MIN_CONFIDENCE {
            bail!(
                "no body found: the best skeleton has a confidence of {mean:.2}, below {MIN_CONFIDENCE}; give positions of joints with --at, or fit a template with --template"
            );
        }
        Ok(found)
    }
}

/// Reads joint positions from a JSON file. `form` states the form of the file.
pub fn read_positions(path: &Path, form: &str) -> Result<JointPositions> {
    let text = std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    serde_json::from_slice(&text).with_context(|| format!("{}: {form}", files::name(path)))
}

/// Mean confidence of the joints of limbs and head.
fn confidence(found: &Found) -> f32 {
    const PARTS: [&str; 8] = [
        "hips",
        "head",
        "upper_arm",
        "lower_arm",
        "hand",
        "upper_leg",
        "lower_leg",
        "foot",
    ];
    let joints = found.template.joints().iter().zip(&found.confidence);
    let main = joints.filter(|(joint, _)| PARTS.iter().any(|part| joint.name.ends_with(part)));
    let (sum, count) = main.fold((0.0, 0), |(sum, count), (_, confidence)| {
        (sum + confidence, count + 1)
    });
    if count == 0 { 0.0 } else { sum / count as f32 }
}

/// Found skeleton, for the report.
#[derive(Serialize)]
pub struct FoundReport {
    body: &'static str,
    height: f32,
    up: [f32; 3],
    front: [f32; 3],
    /// Mean confidence of limbs and head, in [0, 1].
    confidence: f32,
    /// Confidence of each joint, by the name that the search gives it.
    joints: BTreeMap<String, f32>,
    /// Joints that stand where proportions put them.
    missing: Vec<String>,
}

impl FoundReport {
    pub fn new(found: &Found) -> Self {
        let joints = found.template.joints().iter().zip(&found.confidence);
        let joints = joints.map(|(joint, &confidence)| (joint.name.clone(), confidence));
        Self {
            body: match found.body {
                Body::Quadruped => "quadruped",
                _ => "biped",
            },
            height: found.height,
            up: found.up.to_array(),
            front: found.front.to_array(),
            confidence: confidence(found),
            joints: joints.collect(),
            missing: found.missing.clone(),
        }
    }

    /// One line for the user. `file` names the mesh.
    pub fn note(&self, file: &str) -> String {
        let more = self.missing.len().saturating_sub(NAMED);
        let named = self.missing[..self.missing.len() - more].join(", ");
        let missing = match (self.missing.len(), more) {
            (0, _) => String::new(),
            (_, 0) => format!("; placed by proportions: {named}"),
            _ => format!("; placed by proportions: {named} and {more} more"),
        };
        format!(
            "{file}: found a {} {:.3} tall with a confidence of {:.2}{missing}; --at, --clicks and --joints move joints",
            self.body, self.height, self.confidence
        )
    }
}
