//! Measured cases: their times, and the table of them.

use serde::Serialize;
use sinew::simd::Level;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// One measured case. Ratios are this case's time over the other's, so less is better.
#[derive(Default, Serialize)]
pub(super) struct Row {
    pub name: String,
    /// Joints per vertex, where that means something.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub influences: Option<usize>,
    /// Tracks that a pose is decoded from: translations, rotations and scales, each by the sixteen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slots: Option<usize>,
    /// Vertices, joints, poses or characters.
    pub items: usize,
    pub ns_per_item: f64,
    /// Over copying 24 bytes per item in the same run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub times_copy: Option<f64>,
    /// Over a plain loop that blends four `Affine3A` per vertex, in the same run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub times_glam: Option<f64>,
    /// Over the plain code that the case's documentation names, in the same run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub times_plain: Option<f64>,
    /// Over the same job into blocks, in the same run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub times_blocks: Option<f64>,
    /// Time beyond that job, in copies of 24 bytes per item.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub copies_beyond_blocks: Option<f64>,
    /// Over moving all vertices of the same character by linear blending, in the same run.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub times_vertices: Option<f64>,
    pub level: &'static str,
}

/// The input of a family of cases, and the table of its rows.
pub(super) struct Bench<'a> {
    pub level: Level,
    budget: Duration,
    filter: &'a str,
    is_json: bool,
    pub rows: Vec<Row>,
    /// Names of all cases that there are.
    pub names: RefCell<BTreeSet<String>>,
    /// True once the head of the table is printed.
    began: bool,
}

impl<'a> Bench<'a> {
    pub fn new(level: Level, budget: Duration, filter: &'a str, is_json: bool) -> Self {
        Self {
            level,
            budget,
            filter,
            is_json,
            rows: Vec::new(),
            names: RefCell::default(),
            began: false,
        }
    }

    pub fn wants(&self, name: &str) -> bool {
        self.names.borrow_mut().insert(name.to_owned());
        name.contains(self.filter)
    }

    pub fn add(&mut self, row: Row) {
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
    pub fn fastest<const N: usize>(&self, jobs: [&mut dyn FnMut(); N]) -> [f64; N] {
        self.fastest_in_a_row(1, jobs)
    }

    /// The same, each several times in a row when it is its turn: what fits the cache is then found there.
    pub fn fastest_in_a_row<const N: usize>(
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
pub(super) fn line(text: std::fmt::Arguments<'_>) {
    let _ = writeln!(io::stdout(), "{text}");
}

fn seconds(job: impl FnOnce()) -> f64 {
    let start = Instant::now();
    job();
    start.elapsed().as_secs_f64()
}
