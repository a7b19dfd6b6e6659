use super::arguments::Arguments;
use super::fitted::Fitted;
use super::found::FoundReport;
use super::messages;
use super::walk::Card;
use crate::{files, outputs};
use anyhow::Result;
use serde::Serialize;

#[derive(Serialize)]
pub(super) struct Report {
    pub meshes: usize,
    pub vertices: usize,
    pub joints: usize,
    pub joints_used: usize,
    pub vertices_by_influences: Vec<usize>,
    pub carried_meshes: usize,
    pub unweighted_joints: Vec<messages::UnweightedJoint>,
    /// Pieces that move like cloth with the surface below them.
    pub cloth: Vec<messages::Cloth>,
    pub warnings: Vec<messages::Message>,
    /// Smallest fraction of volume that remains around a joint after a rotation.
    pub volume: Option<messages::MinVolume>,
    /// Skeleton that was found in the mesh.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub found: Option<FoundReport>,
    /// Worst values during the test walk.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub walk: Option<Card>,
    /// Other notes for the user.
    pub notes: Vec<String>,
    pub seconds: f64,
}

/// Prints the report if requested: on standard output, or on standard error if the file goes there.
pub(super) fn print(arguments: &Arguments, report: &Report) -> Result<()> {
    if !arguments.report && !arguments.json {
        return Ok(());
    }
    let text = if arguments.json {
        serde_json::to_string_pretty(report)?
    } else {
        report.text()
    };
    outputs::report(&arguments.output, &format!("{text}\n"))
}

/// Report of joints without weights.
#[derive(Serialize)]
struct JointsReport<'a> {
    joints: usize,
    found: Option<FoundReport>,
    notes: &'a [String],
}

/// Prints the report of `--only joints`.
pub(super) fn print_joints(arguments: &Arguments, fitted: &Fitted, notes: &[String]) -> Result<()> {
    if !arguments.json {
        return Ok(());
    }
    let report = JointsReport {
        joints: fitted.character.skeleton.len(),
        found: fitted.found.as_ref().map(FoundReport::new),
        notes,
    };
    let text = serde_json::to_string_pretty(&report)?;
    outputs::report(&arguments.output, &format!("{text}\n"))
}

impl Report {
    fn text(&self) -> String {
        use files::counted;
        let mut text = format!(
            "bound {} of {} to {} of {} in {:.3} s",
            counted(self.vertices, "vertex"),
            counted(self.meshes, "mesh"),
            self.joints_used,
            counted(self.joints, "joint"),
            self.seconds
        );
        for (count, &vertices) in self.vertices_by_influences.iter().enumerate() {
            if vertices > 0 {
                let (vertices, influences) =
                    (counted(vertices, "vertex"), counted(count, "influence"));
                text.push_str(&format!("\n{vertices} with {influences}"));
            }
        }
        if self.carried_meshes > 0 {
            let meshes = counted(self.carried_meshes, "mesh");
            text.push_str(&format!("\n{meshes} not bound: attached to a joint"));
        }
        if let Some(walk) = &self.walk {
            text.push_str(&format!("\n{}", walk.text()));
        }
        text
    }
}
