//! `sinew info`: lists the contents of files and findings about them.

mod avatar;
mod collected;
mod names;
mod text;

use crate::{files, outputs, several};
use anyhow::Result;
use avatar::avatar_info;
use collected::{QuirkInfo, collect, joints};
use sinew_io::{Quirk, quirks};
use sinew_rig::units::{Unit, unit_of};
use std::path::{Path, PathBuf};

#[derive(clap::Args, Clone)]
pub struct Arguments {
    /// glTF, GLB, VRM, FBX, BVH, OBJ, PLY or .sinew files; - is standard input
    #[arg(required = true, value_name = "INPUT")]
    inputs: Vec<PathBuf>,
    /// Print the contents as JSON
    #[arg(long)]
    json: bool,
    /// Also print the tree of joints with their indices and names
    #[arg(long)]
    joints: bool,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let report = several::Report::new(arguments.json, true);
    several::each(&arguments.inputs, report, |input| run_one(arguments, input))
}

fn run_one(arguments: &Arguments, input: &Path) -> Result<()> {
    let import = files::load_quietly(input)?;
    let mut info = collect(&import.character, &import.report);
    info.exporter = import.exporter.clone();
    let avatar = import.avatar.as_ref();
    info.avatar = avatar.map(|avatar| avatar_info(avatar, &import.character.skeleton));
    let quirk = |quirk: Quirk| QuirkInfo {
        of: quirk.of,
        what: quirk.what,
    };
    info.quirks = quirks(&import).into_iter().map(quirk).collect();
    info.unit = match unit_of(import.metres_per_unit(), &import.character.skeleton) {
        Unit::Unknown { .. } => None,
        unit => Some(unit.metres()),
    };
    let mut text = String::new();
    if arguments.json {
        info.tree = arguments.joints.then(|| joints(&import.character.skeleton));
        text = several::json(input, &info)?;
    } else {
        text::describe(&info, &import.report, &mut text)?;
        if arguments.joints {
            text::tree(&import.character.skeleton, &mut text)?;
        }
    }
    outputs::print(&text)
}
