use super::arguments::Arguments;
use super::messages;
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
        text
    }
}
