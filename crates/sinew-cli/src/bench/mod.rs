//! `sinew bench`: what this machine does, beside plain code in the same run.

mod decode;
mod face;
mod ik;
mod interleaved;
mod motion;
mod plain_ik;
mod plain_pose;
mod skin;
mod tree;

use crate::outputs;
use crate::usage;
use anyhow::Result;
use serde::Serialize;
use sinew::simd::Level;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

#[derive(clap::Args)]
pub struct Arguments {
    /// Print JSON, a row per case
    #[arg(long)]
    json: bool,
    /// The instruction set, such as fallback; the best that the machine has by default
    #[arg(long, value_name = "LEVEL")]
    level: Option<Level>,
    /// Only cases whose name contains this, such as skin/lbs/pn, pose/, tree/, clip/, ik/ or crowd/
    #[arg(
        long,
        value_name = "PART",
        default_value = "",
        hide_default_value = true
    )]
    filter: String,
    /// Skin the largest mesh of this file in the cases of skin/buffer, and run no others
    #[arg(long, value_name = "FILE")]
    model: Option<PathBuf>,
    /// A folder of clips whose decoding is timed too: BVH, glTF, GLB, VRM or .sinew
    #[arg(long, value_name = "FOLDER")]
    clips: Option<PathBuf>,
    /// Milliseconds for each case; more of them make the minimum surer
    #[arg(long, value_name = "MS", default_value_t = 150, allow_negative_numbers = true, value_parser = clap::value_parser!(u64).range(1..=600_000))]
    budget: u64,
}

/// One measured case. Ratios are this case's time over the other's, so less is better.
#[derive(Default, Serialize)]
struct Row {
    name: String,
    /// Joints per vertex, where that means something.
    #[serde(skip_serializing_if = "Option::is_none")]
    influences: Option<usize>,
    /// Tracks that a pose is decoded from: translations, rotations and scales, each by the sixteen.
    #[serde(skip_serializing_if = "Option::is_none")]
    slots: Option<usize>,
    /// Vertices, joints, poses or characters.
    items: usize,
    ns_per_item: f64,
    /// Over copying 24 bytes per item in the same run.
    #[serde(skip_serializing_if = "Option::is_none")]
    times_copy: Option<f64>,
    /// Over a plain loop that blends four `Affine3A` per vertex, in the same run.
    #[serde(skip_serializing_if = "Option::is_none")]
    times_glam: Option<f64>,
    /// Over the plain code that the case's documentation names, in the same run.
    #[serde(skip_serializing_if = "Option::is_none")]
    times_plain: Option<f64>,
    /// Over the same job into blocks, in the same run.
    #[serde(skip_serializing_if = "Option::is_none")]
    times_blocks: Option<f64>,
    /// What it takes beyond that job, in copies of 24 bytes per item.
    #[serde(skip_serializing_if = "Option::is_none")]
    copies_beyond_blocks: Option<f64>,
    /// Over moving all vertices of the same character by linear blending, in the same run.
    #[serde(skip_serializing_if = "Option::is_none")]
    times_vertices: Option<f64>,
    level: &'static str,
}

/// The input of a family of cases, and where its rows go.
struct Bench<'a> {
    level: Level,
    budget: Duration,
    filter: &'a str,
    is_json: bool,
    rows: Vec<Row>,
    /// Of all cases that there are.
    names: RefCell<BTreeSet<String>>,
    /// Whether the head of the table is printed.
    began: bool,
}

impl Bench<'_> {
    fn wants(&self, name: &str) -> bool {
        self.names.borrow_mut().insert(name.to_owned());
        name.contains(self.filter)
    }

    fn add(&mut self, row: Row) {
        if !self.is_json {
            if !std::mem::replace(&mut self.began, true) {
                line(format_args!(
                    "{:<40} {:>4} {:>5} {:>9} {:>9} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}",
                    "case",
                    "infl",
                    "slots",
                    "items",
                    "ns",
                    "×copy",
                    "×glam",
                    "×plain",
                    "×blocks",
                    "+copies",
                    "×verts"
                ));
            }
            let ratio = |times: Option<f64>| times.map_or(String::new(), |t| format!("{t:.2}"));
            line(format_args!(
                "{:<40} {:>4} {:>5} {:>9} {:>9.3} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}",
                row.name,
                row.influences.map_or(String::new(), |i| i.to_string()),
                row.slots.map_or(String::new(), |s| s.to_string()),
                row.items,
                row.ns_per_item,
                ratio(row.times_copy),
                ratio(row.times_glam),
                ratio(row.times_plain),
                ratio(row.times_blocks),
                ratio(row.copies_beyond_blocks),
                ratio(row.times_vertices),
            ));
        }
        self.rows.push(row);
    }

    /// The shortest times of jobs that take turns until the budget is spent, so that a slow moment of
    /// the machine falls on all alike.
    fn fastest<const N: usize>(&self, jobs: [&mut dyn FnMut(); N]) -> [f64; N] {
        self.fastest_in_a_row(1, jobs)
    }

    /// The same, each several times in a row when it is its turn: what fits the cache is then found there.
    fn fastest_in_a_row<const N: usize>(
        &self,
        times: usize,
        mut jobs: [&mut dyn FnMut(); N],
    ) -> [f64; N] {
        let mut best = [f64::INFINITY; N];
        let begin = Instant::now();
        while begin.elapsed() < self.budget || best[0].is_infinite() {
            for (best, job) in best.iter_mut().zip(&mut jobs) {
                for _ in 0..times {
                    *best = best.min(seconds(&mut *job));
                }
            }
        }
        best
    }
}

/// A row as soon as it is known. A reader that has seen enough is no failure.
fn line(text: std::fmt::Arguments<'_>) {
    let _ = writeln!(io::stdout(), "{text}");
}

fn seconds(job: impl FnOnce()) -> f64 {
    let start = Instant::now();
    job();
    start.elapsed().as_secs_f64()
}

pub fn run(arguments: &Arguments) -> Result<()> {
    let mut bench = Bench {
        level: arguments.level.unwrap_or_else(Level::best),
        budget: Duration::from_millis(arguments.budget),
        filter: &arguments.filter,
        is_json: arguments.json,
        rows: Vec::new(),
        names: RefCell::default(),
        began: false,
    };
    let model = arguments.model.as_deref();
    interleaved::run(&mut bench, model)?;
    if model.is_none() {
        face::run(&mut bench)?;
        decode::run(&mut bench, arguments.clips.as_deref())?;
        motion::run(&mut bench)?;
        tree::run(&mut bench)?;
        ik::run(&mut bench)?;
        skin::run(&mut bench)?;
    }
    if bench.rows.is_empty() {
        let names: Vec<String> = bench.names.take().into_iter().collect();
        let filter = &arguments.filter;
        return Err(usage::wrong(&format!(
            "no case has \"{filter}\" in its name; there are {}",
            names.join(", ")
        )));
    }
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
