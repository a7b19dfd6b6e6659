//! Denavit–Hartenberg rows and meta-joints as files.

use crate::files::{self, counted};
use crate::outputs;
use anyhow::{Context, Result};
use sinew::skeleton::MetaJoints;
use sinew::skeleton::denavit_hartenberg::Chain;
use sinew::skeleton::limits::RotationLimit;
use sinew::transform::EulerOrder;
use sinew::{Character, Skeleton};
use sinew_io::tables::{meta_joints_from_json, meta_joints_json, rows_from_json, rows_json};
use sinew_io::{FileReport, Import};
use std::io::Read;
use std::path::Path;

/// Loads a character from rows, from meta-joints, or from a file.
pub fn load(inputs: [Option<&Path>; 3]) -> Result<Import> {
    let skeleton = match inputs {
        [Some(path), ..] => {
            let chain = rows_from_json(&text(path)?);
            let skeleton = chain.and_then(|chain| Ok(chain.skeleton()?));
            skeleton.with_context(|| files::name(path))?
        }
        [_, Some(path), _] => {
            let read = meta_joints_from_json(&text(path)?);
            let read = read.with_context(|| files::name(path))?;
            read.combined_skeleton().clone()
        }
        [.., Some(input)] => return files::load(input),
        _ => unreachable!("clap requires one of them"),
    };
    Ok(Import {
        character: Character::from_skeleton(skeleton),
        report: FileReport::default(),
        source: None,
        exporter: None,
        format: None,
        avatar: None,
    })
}

fn text(path: &Path) -> Result<String> {
    if files::is_standard(path) {
        let mut text = String::new();
        let read = std::io::stdin().lock().read_to_string(&mut text);
        return read.map(|_| text).context("cannot read standard input");
    }
    std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}

/// Writes rows and meta-joints. Returns notes for the user.
pub fn write([dh, meta]: [Option<&Path>; 2], skeleton: &Skeleton) -> Result<Vec<String>> {
    if let Some(path) = dh {
        let chain = Chain::of(skeleton, skeleton.rest())?;
        let what = counted(chain.rows.len(), "row");
        outputs::write(path, &what, |out| {
            out.write_all(rows_json(&chain).as_bytes())
        })?;
    }
    let Some(path) = meta else {
        return Ok(Vec::new());
    };
    let (several, whole): (Vec<usize>, Vec<usize>) = (0..skeleton.len())
        .filter(|&joint| skeleton.freedom(joint).rotation.count() > 1)
        .partition(|&joint| has_axes(&skeleton.freedom(joint).rotation));
    let split = MetaJoints::split(skeleton, &several, EulerOrder::XYZ)?;
    let what = format!(
        "{} of {}",
        counted(split.split_skeleton().len(), "meta-joint"),
        counted(skeleton.len(), "joint")
    );
    let json = meta_joints_json(&split);
    outputs::write(path, &what, |out| out.write_all(json.as_bytes()))?;
    let mut notes = Vec::new();
    if !whole.is_empty() {
        let names: Vec<&str> = whole.iter().map(|&joint| skeleton.name(joint)).collect();
        notes.push(format!(
            "joints that stay whole, because their limits are not limits about axes: {}",
            files::names(&names)
        ));
    }
    Ok(notes)
}

/// True if the limits are those of angles about axes of the joint, which meta-joints keep.
fn has_axes(limit: &RotationLimit) -> bool {
    matches!(
        limit,
        RotationLimit::Saddle { .. } | RotationLimit::Euler { .. }
    )
}
