//! Command line of `sinew measure`.

use crate::files;
use crate::skin::Skinning;
use sinew::measure::Check;
use sinew_batch::steps::measure::Measure;
use std::path::PathBuf;

#[derive(clap::Args)]
pub struct Arguments {
    /// glTF, GLB, VRM, FBX, BVH, OBJ, PLY or .sinew files; - is standard input
    #[arg(required = true, value_name = "INPUT")]
    pub(super) inputs: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) measure: Measure,
    /// Skinning methods to compare, separated by commas
    #[arg(long, value_enum, value_delimiter = ',', default_value = "lbs,dqs")]
    pub(super) method: Vec<Skinning>,
    /// Number of frames per second at which the clip is measured
    #[arg(long, default_value_t = 30.0, allow_negative_numbers = true, value_parser = rate)]
    pub(super) fps: f64,
    /// Fail with exit code 1 if this comparison is true for any frame or joint with any method; can be repeated. A
    /// comparison is a metric, one of < > <= >=, and a number, like "volume<0.9". Metrics: volume, `section_min`,
    /// `section_max`, `stretch_p1`, `stretch_p50`, `stretch_p99`, `stretch_max`, flipped, `normal_error_mean`,
    /// `normal_error_p99`, `normal_error_max`, `speed_max`, `step_max`, `angle_max`
    #[arg(long, value_name = "CHECK")]
    pub(super) fail_if: Vec<Check>,
    /// With --motion: a file of the same take, to measure distances of joints and kept contacts
    #[arg(long, value_name = "FILE", requires = "motion")]
    pub(super) reference: Option<PathBuf>,
    /// With --motion: draw feet and jerk over time. With several inputs, {name} stands for the name of each
    #[arg(long, value_name = "FILE", requires = "motion", value_parser = |text: &str| files::output(text, &["svg"]))]
    pub(super) plot: Option<PathBuf>,
    /// Print the measurements as JSON
    #[arg(long)]
    pub(super) json: bool,
}

fn rate(text: &str) -> Result<f64, String> {
    let rate = text
        .parse()
        .ok()
        .filter(|f: &f64| *f > 0.0 && f.is_finite());
    rate.ok_or_else(|| "a rate is a number above 0, like 30".to_owned())
}
