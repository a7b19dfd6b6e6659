//! Measurements as text: a table of the worst values, and bars for the joints.

use super::findings::Findings;
use crate::files::{self, counted, one_line};
use sinew::measure::{Check, FAR_DEG, Metric, Reading, Violation};
use std::fmt::{self, Write as _};

enum Worst {
    Min,
    Max,
}

const ROWS: [(Metric, Worst); 12] = [
    (Metric::Volume, Worst::Min),
    (Metric::SectionMin, Worst::Min),
    (Metric::SectionMax, Worst::Max),
    (Metric::StretchP1, Worst::Min),
    (Metric::StretchP99, Worst::Max),
    (Metric::StretchMax, Worst::Max),
    (Metric::Flipped, Worst::Max),
    (Metric::NormalErrorMean, Worst::Max),
    (Metric::NormalErrorP99, Worst::Max),
    (Metric::NormalErrorMax, Worst::Max),
    (Metric::SpeedMax, Worst::Max),
    (Metric::StepMax, Worst::Max),
];

pub(super) fn describe(findings: &Findings<'_>) -> Result<String, fmt::Error> {
    let mut out = String::new();
    heading(findings, &mut out)?;
    table(findings, &mut out)?;
    joints(findings, &mut out)?;
    far_joints(findings, &mut out)?;
    Ok(out)
}

fn heading(findings: &Findings<'_>, out: &mut String) -> fmt::Result {
    let (character, found) = (findings.character, &findings.measurement);
    match findings.clip {
        Some(clip) => {
            let frames = counted(found.times_secs.len(), "frame");
            let (name, fps) = (one_line(&character.clips[clip].name), findings.fps);
            writeln!(out, "clip       \"{name}\", {frames} at {fps} per second")?;
        }
        None => writeln!(out, "clip       none: the rest pose")?,
    }
    writeln!(out, "method     {}", files::method(character))?;
    let (surface, weights) = (&found.surface, &found.weights);
    writeln!(
        out,
        "surface    {}, {}, {} across",
        counted(surface.vertices, "vertex"),
        counted(surface.triangles, "triangle"),
        number(surface.extent)
    )?;
    for open in &surface.open {
        writeln!(
            out,
            "           \"{}\" is open at {}: {} in open pieces have no volume",
            one_line(&character.nodes[open.node].name),
            counted(open.open_edges, "edge"),
            counted(open.open_triangles, "triangle")
        )?;
    }
    writeln!(
        out,
        "weights    up to {} per vertex, {:.2} on average, in {}; {} with only one weight",
        counted(weights.influences_max, "joint"),
        weights.influences_mean,
        counted(weights.joint_sets, "different set"),
        counted(weights.single_joint_vertices, "vertex")
    )
}

fn table(findings: &Findings<'_>, out: &mut String) -> fmt::Result {
    let found = &findings.measurement;
    write!(out, "\n{:<20}", "worst value")?;
    for report in &found.methods {
        write!(out, "{:<22}", report.method.name())?;
    }
    end_line(out);
    for (metric, worst) in ROWS {
        write!(out, "{:<20}", metric.name())?;
        for report in &found.methods {
            let readings = metric.readings(found, report).into_iter();
            let is_worse = |new: &Reading, old: &Reading| match worst {
                Worst::Min => new.value < old.value,
                Worst::Max => new.value > old.value,
            };
            let reading = readings.reduce(|old, new| if is_worse(&new, &old) { new } else { old });
            let cell = reading.map_or("none".to_owned(), |r| {
                let time = found.times_secs[r.frame];
                format!("{:<8} at {time:.2} s", number(r.value))
            });
            write!(out, "{cell:<22}")?;
        }
        end_line(out);
    }
    Ok(())
}

fn end_line(out: &mut String) {
    out.truncate(out.trim_end_matches(' ').len());
    out.push('\n');
}

fn joints(findings: &Findings<'_>, out: &mut String) -> fmt::Result {
    let found = &findings.measurement;
    if found.rotations.is_empty() {
        return Ok(());
    }
    let names = found.rotations.iter().map(|t| findings.joint_name(t.joint));
    let width = names.map(|n| one_line(n).chars().count()).max();
    let width = width.unwrap_or(0);
    writeln!(
        out,
        "\nwidth of the limb around each joint relative to rest, narrowest and widest:"
    )?;
    for (row, rotation) in found.rotations.iter().enumerate() {
        let mut title = one_line(findings.joint_name(rotation.joint));
        for report in &found.methods {
            let section = &report.sections[row];
            let narrowest = section.narrowest.value;
            let widest = section.widest.map_or(String::new(), |w| percent(w.value));
            write!(
                out,
                "  {title:<width$}  {:<5} {:<20} {:>5} {widest:>6}",
                report.method.name(),
                bar(narrowest),
                percent(narrowest)
            )?;
            end_line(out);
            title = "".into();
        }
    }
    Ok(())
}

fn far_joints(findings: &Findings<'_>, out: &mut String) -> fmt::Result {
    for rotation in findings.measurement.far_joints() {
        let time = findings.measurement.times_secs[rotation.frame];
        writeln!(
            out,
            "\njoint \"{}\" rotates {:.0}° from its bind pose at {time:.2} s. Beyond {FAR_DEG}° linear skinning collapses and dual\n\
             quaternions may jump: add twist joints that share the rotation.",
            one_line(findings.joint_name(rotation.joint)),
            rotation.angle_deg
        )?;
    }
    Ok(())
}

pub(super) fn failure(findings: &Findings<'_>, (check, violation): &(Check, Violation)) -> String {
    let (method, metric) = (violation.method.name(), check.metric.name());
    match violation.reading {
        Some(reading) => {
            let location = location(findings, &reading);
            let value = number(reading.value);
            format!("{method}: {check}: {metric} is {value} {location}")
        }
        None => format!("{method}: {check}: this character has no value for {metric}"),
    }
}

/// Value and bound of each failed check, for the first method that fails.
pub(super) fn figures(findings: &Findings<'_>) -> Vec<String> {
    let mut figures: Vec<(String, String)> = Vec::new();
    for (check, violation) in &findings.failed {
        let bound = check.to_string();
        if figures.iter().all(|(known, _)| *known != bound) {
            let value = violation
                .reading
                .map_or("missing".to_owned(), |r| number(r.value));
            let metric = check.metric.name();
            figures.push((bound, format!("{metric} is {value}")));
        }
    }
    let figure = |(bound, figure): (String, String)| format!("{figure} ({bound})");
    figures.into_iter().map(figure).collect()
}

pub(super) fn location(findings: &Findings<'_>, reading: &Reading) -> String {
    let frame = reading.frame;
    let time = findings.measurement.times_secs[frame];
    match reading.joint {
        Some(joint) => {
            let joint = findings.joint_name(joint);
            format!("at joint \"{joint}\", {time:.2} s (frame {frame})")
        }
        None => format!("at {time:.2} s (frame {frame})"),
    }
}

/// Rounds to three significant digits. Whole numbers stay whole.
pub(super) fn number(value: f64) -> String {
    match value.abs() {
        v if v == v.trunc() && v < 1e6 => format!("{value}"),
        v if v >= 100.0 => format!("{value:.0}"),
        v if v >= 10.0 => format!("{value:.1}"),
        v if v >= 1.0 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}

fn percent(ratio: f64) -> String {
    format!("{:.0} %", 100.0 * ratio)
}

fn bar(ratio: f64) -> String {
    "█".repeat((ratio * 20.0).round().clamp(0.0, 20.0) as usize)
}
