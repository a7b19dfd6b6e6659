//! Marker sets as JSON.

use crate::error::StepError;
use serde::{Deserialize, Serialize};
use sinew_rig::mocap::{Marker, MarkerSet};

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

/// Reads a marker set. `name` is the name of the file, for the error.
///
/// # Errors
/// [`StepError::Refused`] with the expected form.
pub fn read_markers(text: &[u8], name: &str) -> Result<MarkerSet, StepError> {
    let file: MarkerFile = serde_json::from_slice(text).map_err(|error| {
        let form = "a marker set is JSON in the form that --save-markers writes";
        StepError::Refused(format!("{name}: {form}: {error}"))
    })?;
    if file.format != MARKERS_FORMAT {
        return Err(StepError::Refused(format!(
            "{name}: the format is \"{}\" and should be \"{MARKERS_FORMAT}\"",
            file.format
        )));
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

/// The text of a marker set, as [`read_markers`] reads it.
pub fn markers_text(set: &MarkerSet) -> String {
    let lines = set.markers.iter().map(|m| MarkerLine {
        label: m.label.clone(),
        joint: m.joint.clone(),
        offset: m.offset.to_array(),
    });
    let file = MarkerFile {
        format: MARKERS_FORMAT.to_owned(),
        markers: lines.collect(),
    };
    // Offsets are the only numbers; those that are not finite become null.
    serde_json::to_string_pretty(&file).unwrap_or_default()
}
