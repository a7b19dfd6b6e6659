use serde::Serialize;
use sinew::simd::Level;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// A measured case. A ratio is the time of the case divided by another time, so a smaller ratio is better.
#[derive(Default, Serialize)]
pub(super) struct Row {
    pub name: String,
    /// Joints per vertex, in cases of skinning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub influences: Option<usize>,
    /// Tracks per pose: translations, rotations and scales, each rounded up to sixteen.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub slots: Option<usize>,
    /// Number of vertices, joints, poses or characters.
    pub items: usize,
    pub ns_per_item: f64,
    /// Time relative to a copy of 24 bytes per item.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub times_copy: Option<f64>,
    /// Time relative to a plain loop that blends four `Affine3A` per vertex.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub times_glam: Option<f64>,
    /// Time relative to the plain code, which the documentation of the case describes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub times_plain: Option<f64>,
    /// Time relative to skinning into blocks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub times_blocks: Option<f64>,
    /// Additional time compared with skinning into blocks, in copies of 24 bytes per item.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub copies_beyond_blocks: Option<f64>,
    /// Time relative to linear skinning of all vertices of the same character.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub times_vertices: Option<f64>,
    /// Time relative to a palette of matrices for the same joints.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub times_linear: Option<f64>,
    /// Time relative to the packed clip.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub times_packed: Option<f64>,
    pub level: &'static str,
}

pub(super) struct Bench<'a> {
    pub level: Level,
    budget: Duration,
    filter: &'a str,
    is_json: bool,
    pub rows: Vec<Row>,
    /// Names of all cases.
    pub names: RefCell<BTreeSet<String>>,
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
                    "{:<40} {:>4} {:>5} {:>9} {:>9} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}",
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
                    "×verts",
                    "×linear",
                    "×packed"
                ));
            }
            let ratio = |times: Option<f64>| times.map_or(String::new(), |t| format!("{t:.2}"));
            line(format_args!(
                "{:<40} {:>4} {:>5} {:>9} {:>9.3} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8} {:>8}",
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
                ratio(row.times_linear),
                ratio(row.times_packed),
            ));
        }
        self.rows.push(row);
    }

    /// Min time of each job. The jobs alternate until the time budget is used, so that slow phases affect all of them.
    pub fn fastest<const N: usize>(&self, jobs: [&mut dyn FnMut(); N]) -> [f64; N] {
        self.fastest_in_a_row(1, jobs)
    }

    /// Like [`Self::fastest`], but runs each job `times` times in a row, so that its data is in the cache.
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

/// Prints a row immediately. A closed pipe is not a failure.
pub(super) fn line(text: std::fmt::Arguments<'_>) {
    let _ = writeln!(io::stdout(), "{text}");
}

fn seconds(job: impl FnOnce()) -> f64 {
    let start = Instant::now();
    job();
    start.elapsed().as_secs_f64()
}
