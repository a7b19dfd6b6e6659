//! A skeleton for a mesh that comes without one: a template in its bounding box, joints moved by a file.

use crate::{files, outputs};
use anyhow::{Context, Result};
use glam::Vec3;
use sinew::{Character, Method, deform};
use sinew_rig::template::{Biped, BoneChain, Template};
use std::collections::BTreeMap;
use std::path::Path;

#[derive(Clone, Copy, clap::ValueEnum)]
pub enum Kind {
    /// A person that stands upright and looks along +z
    Biped,
    /// Joints in a row along the longest side, for snakes and tentacles
    Chain,
}

/// Where joints are, by name: what files of joints hold.
type Places = BTreeMap<String, [f32; 3]>;

/// A character that has nothing but the skeleton.
pub fn fitted(
    kind: Kind,
    meshes: &Character,
    joints: Option<&Path>,
    save_joints: Option<&Path>,
) -> Result<Character> {
    let around = deform(meshes, None, 0.0, Method::Linear)?.bounds();
    let around = around.context("there is no mesh to fit a skeleton into")?;
    let (min, max) = (around.min, around.max);
    let mut template = match kind {
        Kind::Biped => Biped::default().fitted(min, max)?,
        Kind::Chain => chain(min, max),
    };
    if let Some(path) = joints {
        let file = || files::name(path);
        let text =
            std::fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
        let places: Places = serde_json::from_slice(&text).with_context(|| {
            format!(
                "{}: joints are written as {{\"hips\": [0, 0.95, 0], …}}; --save-joints writes such a file",
                file()
            )
        })?;
        let places = places.into_iter().map(|(name, at)| (name, at.into()));
        template = template.placed(&places.collect()).with_context(file)?;
    }
    if let Some(path) = save_joints {
        let places: Places = template
            .positions()
            .into_iter()
            .map(|(name, at)| (name, at.to_array()))
            .collect();
        let text = serde_json::to_string_pretty(&places)?;
        let what = format!("where {} are", files::counted(places.len(), "joint"));
        outputs::write(path, &what, |out| writeln!(out, "{text}"))?;
    }
    Ok(Character::from_skeleton(template.skeleton()?))
}

fn chain(min: Vec3, max: Vec3) -> Template {
    let (middle, size) = (0.5 * (min + max), max - min);
    let longest = match size.max_element() {
        longest if longest == size.y => Vec3::Y,
        longest if longest == size.x => Vec3::X,
        _ => Vec3::Z,
    };
    let half = 0.5 * longest * size.max_element();
    let front = if longest == Vec3::Y { Vec3::Z } else { Vec3::Y };
    let chain = BoneChain {
        from: middle - half,
        to: middle + half,
        front,
        ..BoneChain::default()
    };
    chain.template()
}
