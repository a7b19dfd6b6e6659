use crate::files::{counted, one_line};
use sinew::Skeleton;
use sinew_rig::motion::{MotionReport, Part};
use std::fmt::Write as _;

/// A table of measures, with a column per report, and the contacts of the last report.
pub fn describe(skeleton: &Skeleton, columns: &[(&str, &MotionReport)]) -> String {
    let Some((_, last)) = columns.last() else {
        return String::new();
    };
    let frames = counted(last.frames, "frame");
    let mut text = format!(
        "motion     {frames} at {:.2} per second, {} m per unit\n\n",
        last.fps, last.metres
    );
    let _ = write!(text, "{:<24}", "");
    for (title, _) in columns {
        let _ = write!(text, "{title:<12}");
    }
    text.truncate(text.trim_end().len());
    text.push('\n');
    for (row, (name, _)) in last.values().iter().enumerate() {
        let values: Vec<Option<f64>> = columns.iter().map(|(_, r)| r.values()[row].1).collect();
        if values.iter().all(Option::is_none) {
            continue;
        }
        let _ = write!(text, "{name:<24}");
        for value in values {
            let cell = value.map_or("none".to_owned(), |value| number(name, value));
            let _ = write!(text, "{cell:<12}");
        }
        text.truncate(text.trim_end_matches(' ').len());
        text.push('\n');
    }
    contacts(last, &mut text);
    let worst = last.limits.as_ref().and_then(|limits| limits.worst_joint);
    if let Some(joint) = worst {
        let _ = writeln!(
            text,
            "\njoint \"{}\" is farthest beyond its limits",
            one_line(skeleton.name(joint))
        );
    }
    text
}

fn contacts(report: &MotionReport, text: &mut String) {
    let Some(ground) = &report.ground else {
        text.push_str("\nthe skeleton is not a person, so feet and floor are not measured\n");
        return;
    };
    let _ = writeln!(text, "\nfloor at {:.3} m", ground.floor);
    for part in ground
        .contacts
        .iter()
        .filter(|part| !part.contacts.is_empty())
    {
        let _ = writeln!(
            text,
            "{:<12} {}, in {:.0} % of the frames",
            name(part.part),
            counted(part.contacts.len(), "contact"),
            100.0 * part.share
        );
    }
}

/// Name of a part, like "left foot".
pub fn name(part: Part) -> String {
    let (side, part) = match part {
        Part::Foot(side) => (side, "foot"),
        Part::Hand(side) => (side, "hand"),
    };
    format!("{side:?} {part}").to_lowercase()
}

/// Shares in percent, other values with their unit.
fn number(name: &str, value: f64) -> String {
    let is_share = ["_share", "_kept", "over_1_cm_s", "over_1_cm_frame"];
    if is_share.iter().any(|end| name.ends_with(end)) {
        return format!("{:.1} %", 100.0 * value);
    }
    match value.abs() {
        v if v >= 100.0 => format!("{value:.0}"),
        v if v >= 10.0 => format!("{value:.1}"),
        _ => format!("{value:.3}"),
    }
}
