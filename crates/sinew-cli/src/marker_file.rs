//! Marker sets as JSON files, for `sinew mocap`.

use crate::{files, outputs};
use anyhow::{Context, Result, anyhow};
use serde::{Deserialize, Serialize};
use sinew_rig::mocap::{Marker, MarkerSet};
use std::path::Path;

const MARKERS_FORMAT: &str = "sinew-markers/1";

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct MarkerFile {
    format: String,
    markers: Vec<MarkerLine>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct MarkerLine {
    label: String,
    joint: String,
    /// Offset in the frame of the joint, in metres.
    offset: [f32; 3],
}

/// Reads a marker set from a JSON file.
pub fn load(path: &Path) -> Result<MarkerSet> {
    let name = || path.display().to_string();
    let text = std::fs::read(path).with_context(|| format!("cannot read {}", name()))?;
    let file: MarkerFile = serde_json::from_slice(&text).with_context(|| {
        format!(
            "{}: a marker set is JSON in the form that --save-markers writes",
            name()
        )
    })?;
    if file.format != MARKERS_FORMAT {
        return Err(anyhow!(
            "{}: the format is \"{}\" and should be \"{MARKERS_FORMAT}\"",
            name(),
            file.format
        ));
    }
    let markers = file.markers.into_iter().map(|line| Marker {
        label: line.label,
        joint: line.joint,
        offset: line.offset.into(),
    });
    Ok(MarkerSet {
        markers: markers.collect(),
    })
}

/// Writes a marker set to a JSON file.
pub fn save(path: &Path, set: &MarkerSet) -> Result<()> {
    let lines = set.markers.iter().map(|m| MarkerLine {
        label: m.label.clone(),
        joint: m.joint.clone(),
        offset: m.offset.to_array(),
    });
    let file = MarkerFile {
        format: MARKERS_FORMAT.to_owned(),
        markers: lines.collect(),
    };
    let text = serde_json::to_string_pretty(&file)?;
    let what = files::counted(set.markers.len(), "marker");
    outputs::write(path, &what, |out| writeln!(out, "{text}"))
}
