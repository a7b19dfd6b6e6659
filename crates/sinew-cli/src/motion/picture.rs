//! A drawing of feet and jerk over time, as SVG, with the motion before in grey.

use super::text::name;
use sinew_rig::motion::{MotionReport, Part, PartContacts};
use std::fmt::Write as _;

const LEFT: f64 = 150.0;
const PLOT: f64 = 760.0;
const RIGHT: f64 = 110.0;
const TOP: f64 = 50.0;
const ROW: f64 = 90.0;
const GAP: f64 = 14.0;

/// Values of one row per frame: before, if there is a before, and now.
struct Row<'a> {
    title: String,
    unit: &'static str,
    before: Option<&'a [f64]>,
    now: &'a [f64],
    /// Frames in which the part stands, drawn as bars.
    stands: Option<&'a PartContacts>,
}

/// Draws height and speed of each foot, and the jerk. Green bars are contacts of `now`.
pub fn draw(title: &str, before: Option<&MotionReport>, now: &MotionReport) -> String {
    let rows = rows(before, now);
    let height = TOP + rows.len() as f64 * (ROW + GAP) + 24.0;
    let width = LEFT + PLOT + RIGHT;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"11\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
    );
    let secs = now.frames.saturating_sub(1) as f64 / now.fps;
    let grey = before.map_or("", |_| "; grey: before");
    let _ = writeln!(
        svg,
        "<text x=\"16\" y=\"24\" font-size=\"16\" fill=\"#22272e\">{}</text>\n\
         <text x=\"16\" y=\"41\" fill=\"#6b7480\">{secs:.2} s; green bars: the foot stands{grey}</text>",
        crate::plot::escaped(title)
    );
    for (nth, row) in rows.iter().enumerate() {
        draw_row(&mut svg, row, TOP + nth as f64 * (ROW + GAP));
    }
    svg + "</svg>\n"
}

fn rows<'a>(before: Option<&'a MotionReport>, now: &'a MotionReport) -> Vec<Row<'a>> {
    let mut rows = Vec::new();
    let feet = now.ground.iter().flat_map(|g| &g.contacts);
    for foot in feet.filter(|part| matches!(part.part, Part::Foot(_))) {
        let ground = before.and_then(|report| report.ground.as_ref());
        let earlier = ground.and_then(|g| g.contacts.iter().find(|c| c.part == foot.part));
        let title = name(foot.part);
        rows.push(Row {
            title: format!("{title}, height"),
            unit: "m",
            before: earlier.map(|c| &c.heights[..]),
            now: &foot.heights,
            stands: Some(foot),
        });
        rows.push(Row {
            title: format!("{title}, speed"),
            unit: "m/s",
            before: earlier.map(|c| &c.speeds[..]),
            now: &foot.speeds,
            stands: Some(foot),
        });
    }
    rows.push(Row {
        title: "jerk of all joints".to_owned(),
        unit: "m/s³",
        before: before.map(|report| &report.jerk[..]),
        now: &now.jerk,
        stands: None,
    });
    rows
}

fn draw_row(svg: &mut String, row: &Row<'_>, top: f64) {
    let all = row.before.into_iter().flatten().chain(row.now).copied();
    let (min, max) = all.fold((0.0_f64, 1e-6_f64), |(a, b), v| (a.min(v), b.max(v)));
    let last = row.now.len().max(2) - 1;
    let x = |frame: usize| LEFT + PLOT * frame as f64 / last as f64;
    let _ = writeln!(
        svg,
        "<rect x=\"{LEFT}\" y=\"{top:.1}\" width=\"{PLOT}\" height=\"{ROW}\" fill=\"#f4f6f8\"/>\
         <text x=\"16\" y=\"{:.1}\" fill=\"#22272e\">{}</text>\
         <text x=\"{:.1}\" y=\"{:.1}\" fill=\"#6b7480\">{max:.3} {unit}</text>\
         <text x=\"{:.1}\" y=\"{:.1}\" fill=\"#6b7480\">{min:.3} {unit}</text>",
        top + 0.5 * ROW,
        row.title,
        LEFT + PLOT + 8.0,
        top + 10.0,
        LEFT + PLOT + 8.0,
        top + ROW,
        unit = row.unit
    );
    for contact in row.stands.iter().flat_map(|part| &part.contacts) {
        let _ = writeln!(
            svg,
            "<rect x=\"{:.1}\" y=\"{top:.1}\" width=\"{:.1}\" height=\"{ROW}\" fill=\"#2f8f3e\" opacity=\"0.15\"/>",
            x(contact.first),
            (x(contact.last) - x(contact.first)).max(1.0)
        );
    }
    for (values, colour) in [(row.before, "#9aa3ad"), (Some(row.now), "#2f62c8")] {
        let Some(values) = values else { continue };
        let mut points = String::new();
        for (frame, value) in values.iter().enumerate() {
            let y = top + ROW * (1.0 - (value - min) / (max - min));
            let _ = write!(points, "{:.1},{y:.1} ", x(frame));
        }
        let _ = writeln!(
            svg,
            "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.2\"/>",
            points.trim_end()
        );
    }
}
