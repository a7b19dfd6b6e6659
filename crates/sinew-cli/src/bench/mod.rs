//! `sinew bench`: measures the speed of this machine, compared with plain code in the same run.

mod decode;
mod face;
mod ik;
mod interleaved;
mod motion;
mod palette;
mod plain_ik;
mod plain_pose;
mod skin;
mod table;
mod times;
mod tree;

use crate::outputs;
use crate::progress::waiting;
use crate::usage;
use anyhow::Result;
use sinew::simd::Level;
use std::path::PathBuf;
use std::time::Duration;
use table::{Bench, line};

#[derive(clap::Args)]
pub struct Arguments {
    /// Print JSON, one row per case
    #[arg(long)]
    json: bool,
    /// The instruction set, such as fallback. Default: the best instruction set of this machine
    #[arg(long, value_name = "LEVEL")]
    level: Option<Level>,
    /// Run only cases whose name contains this text, such as skin/lbs/pn, pose/, palette/, tree/, clip/, ik/ or crowd/
    #[arg(
        long,
        value_name = "PART",
        default_value = "",
        hide_default_value = true
    )]
    filter: String,
    /// Run only the cases of skin/buffer, with the largest mesh of this file
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// Also measure the decoding of the clips in this folder: BVH, glTF, GLB, VRM or .sinew
    #[arg(long, value_name = "FOLDER")]
    clips: Option<PathBuf>,
    /// Milliseconds per case. A longer time makes the result, a minimum, more reliable
    #[arg(long, value_name = "MS", default_value_t = 150, allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(1..=600_000))]
    budget: u64,
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let level = arguments.level.unwrap_or_else(Level::best);
    let budget = Duration::from_millis(arguments.budget);
    let mut bench = Bench::new(level, budget, &arguments.filter, arguments.json);
    let model = arguments.model.as_deref();
    // A table shows its rows as they come.
    let working = arguments.json.then(|| waiting("timing".to_owned()));
    interleaved::run(&mut bench, model)?;
    if model.is_none() {
        face::run(&mut bench)?;
        decode::run(&mut bench, arguments.clips.as_deref())?;
        motion::run(&mut bench)?;
        palette::run(&mut bench)?;
        tree::run(&mut bench)?;
        ik::run(&mut bench)?;
        skin::run(&mut bench)?;
    }
    if bench.rows.is_empty() {
        let names: Vec<String> = bench.names.take().into_iter().collect();
        let filter = &arguments.filter;
        return Err(usage::wrong(&format!(
            "no case has \"{filter}\" in its name; the cases are {}",
            names.join(", ")
        )));
    }
    drop(working);
    if arguments.json {
        let text = serde_json::to_string_pretty(&bench.rows)?;
        outputs::print(&format!("{text}\n"))?;
    } else {
        line(format_args!(
            "on {}; the minimum of many runs, {} ms per case",
            bench.level, arguments.budget
        ));
    }
    Ok(())
}
