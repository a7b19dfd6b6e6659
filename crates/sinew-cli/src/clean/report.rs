//! Report of each step of cleaning, as text and JSON.

use crate::files::{counted, names, one_line};
use serde_json::{Value, json};
use sinew_rig::clean::{CleanReport, FillReport, FilterReport};
use std::fmt::Write as _;

/// A line for each step that was not left out.
pub fn lines(report: &CleanReport) -> String {
    let mut text = String::new();
    let fills = [("gaps", &report.gaps), ("spikes", &report.spikes)];
    for (step, fill) in fills {
        if let Some(fill) = fill {
            let _ = writeln!(text, "{step:<10} {}", filled(fill));
        }
    }
    if let Some(filter) = &report.filter {
        let _ = writeln!(text, "filter     {}", filtered(filter));
    }
    if let Some(limits) = &report.limits {
        let keys = counted(limits.keys, "key");
        let _ = write!(
            text,
            "limits     {keys} changed, by up to {:.1}°",
            limits.worst_deg
        );
        if !limits.left.is_empty() {
            let left = names(&limits.left);
            let _ = write!(
                text,
                "; too often beyond their limits, so not changed: {left}"
            );
        }
        text.push('\n');
    }
    if let Some(feet) = &report.feet {
        let _ = writeln!(
            text,
            "feet       {} held; hips moved by up to {:.3} and lowered by up to {:.3}, feet moved by up to {:.3}; {} in which a foot did not reach its position",
            counted(feet.contacts, "contact"),
            feet.hips_moved,
            feet.hips_lowered,
            feet.foot_moved,
            counted(feet.unreached_frames, "frame")
        );
    }
    text
}

fn filled(fill: &FillReport) -> String {
    let (keys, joints) = (counted(fill.keys, "key"), counted(fill.joints, "joint"));
    let left = match fill.left {
        0 => String::new(),
        left => format!(
            "; {} too long or at an end, so not filled",
            counted(left, "run")
        ),
    };
    match fill.runs {
        0 => format!("none replaced{left}"),
        runs => format!(
            "{} of {keys} of {joints} replaced, up to {:.2} s long{left}",
            counted(runs, "run"),
            fill.longest_secs
        ),
    }
}

fn filtered(filter: &FilterReport) -> String {
    let still = counted(filter.unfiltered, "channel");
    let hz = filter.cutoffs_hz.iter().map(|(_, hz)| *hz);
    let (low, high) = (
        hz.clone().fold(f64::INFINITY, f64::min),
        hz.fold(0.0, f64::max),
    );
    match filter.cutoffs_hz.len() {
        0 => format!("no noise found in {still}"),
        count => format!(
            "{} with cut-offs from {low:.1} to {high:.1} Hz; no noise found in {still}",
            counted(count, "channel")
        ),
    }
}

/// The steps as JSON. A step that was left out is null.
pub fn steps(report: &CleanReport) -> Value {
    let fill = |fill: &Option<FillReport>| {
        fill.as_ref().map(|fill| {
            json!({
                "joints": fill.joints,
                "runs": fill.runs,
                "keys": fill.keys,
                "longest_secs": fill.longest_secs,
                "left": fill.left,
            })
        })
    };
    let cutoff = |(name, hz): &(String, f64)| json!({ "channel": one_line(name), "cutoff_hz": hz });
    json!({
        "gaps": fill(&report.gaps),
        "spikes": fill(&report.spikes),
        "filter": report.filter.as_ref().map(|filter| json!({
            "channels": filter.cutoffs_hz.iter().map(cutoff).collect::<Vec<_>>(),
            "unfiltered": filter.unfiltered,
        })),
        "limits": report.limits.as_ref().map(|limits| json!({
            "keys": limits.keys,
            "worst_deg": limits.worst_deg,
            "left": limits.left,
        })),
        "feet": report.feet.as_ref().map(|feet| json!({
            "contacts": feet.contacts,
            "hips_moved": feet.hips_moved,
            "hips_lowered": feet.hips_lowered,
            "foot_moved": feet.foot_moved,
            "unreached_frames": feet.unreached_frames,
        })),
    })
}
