//! The table of measures of all clips, as CSV.

use crate::manifest::{Manifest, Record};
use crate::plan::Measured;
use crate::recipe::Input;
use std::fmt::Write as _;
use std::io::{self, Write};

/// Names of the measures of a motion. A test compares them with those of a report.
const MEASURES: [&str; 16] = [
    "slide_mean_cm_s",
    "slide_over_1_cm_s",
    "slide_over_1_cm_frame",
    "penetration_share",
    "penetration_max_cm",
    "floating_share",
    "floating_max_cm",
    "limit_share",
    "limit_worst_deg",
    "jerk_mean_m_s3",
    "speed_max_m_s",
    "spike_share",
    "error_mean_cm",
    "error_max_cm",
    "error_ends_cm",
    "contact_kept",
];

/// Writes a row for each clip that was measured, and for each input without measures, in the order of the inputs.
///
/// # Errors
/// If the manifest cannot be read or the table cannot be written.
pub fn write_summary(
    out: &mut dyn Write,
    inputs: &[Input],
    manifest: &mut Manifest,
) -> io::Result<()> {
    writeln!(
        out,
        "input,state,step,clip,frames,fps,{},secs,error",
        MEASURES.join(",")
    )?;
    for input in inputs {
        let Some(record) = manifest.record(&input.path)? else {
            continue;
        };
        for measured in &record.measured {
            row(out, &record, Some(measured))?;
        }
        if record.measured.is_empty() {
            row(out, &record, None)?;
        }
    }
    Ok(())
}

fn row(out: &mut dyn Write, record: &Record, measured: Option<&Measured>) -> io::Result<()> {
    let state = if record.error.is_some() {
        "failed"
    } else {
        "done"
    };
    let mut line = format!("{},{state}", cell(&record.input));
    match measured {
        Some(m) => {
            let _ = write!(line, ",{},{},{},{}", m.step, cell(&m.clip), m.frames, m.fps);
        }
        None => line += ",,,,",
    }
    for name in MEASURES {
        line.push(',');
        if let Some(value) = measured.and_then(|m| m.values.get(name)) {
            let _ = write!(line, "{value}");
        }
    }
    let error = record.error.as_deref().unwrap_or_default();
    writeln!(out, "{line},{:.3},{}", record.secs, cell(error))
}

/// A cell in quotes if it has a comma, quote or line break. Spreadsheets take a first `=`, `+`, `-` or `@` for a formula,
/// so such a cell begins with an apostrophe.
fn cell(text: &str) -> String {
    let guard = if text.starts_with(['=', '+', '-', '@']) {
        "'"
    } else {
        ""
    };
    if text.contains([',', '"', '\n', '\r']) {
        return format!("\"{guard}{}\"", text.replace('"', "\"\""));
    }
    format!("{guard}{text}")
}
