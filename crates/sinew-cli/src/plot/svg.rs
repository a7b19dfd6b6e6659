//! The drawing, as SVG.

use super::rows::{Kind, Row};
use crate::files::is_command;
use sinew::clip::Clip;
use std::fmt::Write as _;

const LEFT: f32 = 300.0;
const PLOT: f32 = 760.0;
const RIGHT: f32 = 130.0;
const TOP: f32 = 56.0;
const ROW: f32 = 24.0;
const GAP: f32 = 8.0;
const EVENT: f32 = 16.0;

/// Draws rows from top to bottom, each scaled to its own range. Each event has a mark below and a line through all
/// rows.
pub fn draw(title: &str, clip: &Clip, rows: &[Row]) -> String {
    let (body, bottom) = body(clip, rows);
    let events = clip.events.len();
    let lanes = events.min(4) as f32;
    let height = bottom
        + GAP
        + if events > 0 {
            26.0 + lanes * EVENT
        } else {
            0.0
        }
        + 40.0;
    let width = LEFT + PLOT + RIGHT;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"11\">\n<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n"
    );
    let _ = writeln!(
        svg,
        "<text x=\"16\" y=\"28\" font-size=\"16\" fill=\"#22272e\">{}</text>",
        escaped(title)
    );
    let _ = writeln!(
        svg,
        "<text x=\"16\" y=\"45\" fill=\"#6b7480\">{} channels, {} s</text>",
        rows.len(),
        number(clip.duration_secs)
    );
    ticks(&mut svg, clip.duration_secs, bottom);
    svg += &body;
    mark_events(&mut svg, clip, bottom);
    svg + "</svg>\n"
}

fn x(time: f32, duration: f32) -> f32 {
    let part = time / duration;
    if duration > 0.0 && part.is_finite() {
        LEFT + PLOT * part.clamp(0.0, 1.0)
    } else {
        LEFT
    }
}

fn body(clip: &Clip, rows: &[Row]) -> (String, f32) {
    let mut svg = String::new();
    let mut y = TOP + 16.0;
    let mut before: Option<&Row> = None;
    for (nth, row) in rows.iter().enumerate() {
        let is_new = before.is_none_or(|before| before.of != row.of || before.kind != row.kind);
        if is_new && nth > 0 {
            y += GAP;
        }
        let colour = colour(row);
        let _ = writeln!(
            svg,
            "<rect x=\"{LEFT}\" y=\"{y:.1}\" width=\"{PLOT}\" height=\"{:.1}\" fill=\"#f4f6f8\"/>",
            ROW - 2.0
        );
        let text = y + 0.66 * ROW;
        if is_new {
            let weight = if row.kind == Kind::Curve {
                "italic"
            } else {
                "normal"
            };
            let _ = writeln!(
                svg,
                "<text x=\"16\" y=\"{text:.1}\" fill=\"#22272e\" font-style=\"{weight}\">{}</text>",
                escaped(&cut(&row.of))
            );
        }
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{text:.1}\" text-anchor=\"end\" fill=\"#6b7480\">{}</text>",
            LEFT - 8.0,
            escaped(&row.channel)
        );
        let range = if row.max > row.min {
            format!("{} … {}", number(row.min), number(row.max))
        } else {
            number(row.min)
        };
        let _ = writeln!(
            svg,
            "<text x=\"{:.1}\" y=\"{text:.1}\" fill=\"#6b7480\">{range}</text>",
            LEFT + PLOT + 8.0
        );
        line(&mut svg, row, clip.duration_secs, y, colour);
        y += ROW;
        before = Some(row);
    }
    (svg, y)
}

fn line(svg: &mut String, row: &Row, duration: f32, top: f32, colour: &str) {
    const MARGIN: f32 = 3.0;
    let span = row.max - row.min;
    let space = ROW - 2.0 - 2.0 * MARGIN;
    let height = |value: f32| {
        if span > 0.0 && span.is_finite() {
            top + MARGIN + space * (1.0 - (value - row.min) / span)
        } else {
            top + MARGIN + 0.5 * space
        }
    };
    let mut points = String::new();
    for &[time, value] in &row.line {
        let _ = write!(points, "{:.1},{:.1} ", x(time, duration), height(value));
    }
    let width = if span > 0.0 { 1.4 } else { 0.8 };
    let _ = writeln!(
        svg,
        "<polyline points=\"{}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"{width}\"/>",
        points.trim_end()
    );
    if row.key_times.len() > 80 || span <= 0.0 {
        return;
    }
    for &time in &row.key_times {
        let near = row.line.iter().find(|point| point[0] >= time);
        let value = near.map_or(row.min, |point| point[1]);
        let _ = writeln!(
            svg,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"1.7\" fill=\"{colour}\"/>",
            x(time, duration),
            height(value)
        );
    }
}

fn colour(row: &Row) -> &'static str {
    match (row.kind, row.channel.chars().last()) {
        (Kind::Curve, _) => "#7a3ea8",
        (Kind::Morph, _) => "#a8743e",
        (_, Some('x')) => "#c8372d",
        (_, Some('y')) => "#2f8f3e",
        (_, Some('z')) => "#2f62c8",
        _ => "#4b525b",
    }
}

fn ticks(svg: &mut String, duration: f32, bottom: f32) {
    let step = tick(duration);
    let count = if duration > 0.0 {
        (duration / step + 1e-4) as usize
    } else {
        0
    };
    for nth in 0..=count {
        let time = nth as f32 * step;
        let x = x(time, duration);
        let _ = writeln!(
            svg,
            "<line x1=\"{x:.1}\" y1=\"{TOP}\" x2=\"{x:.1}\" y2=\"{bottom:.1}\" stroke=\"#d5dae0\"/>\
             <text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"#6b7480\">{} s</text>",
            TOP - 4.0,
            number(time)
        );
    }
}

/// Round number of seconds that divides the duration into five to ten parts.
fn tick(duration: f32) -> f32 {
    let wanted = duration / 10.0;
    if !(wanted > 0.0 && wanted.is_finite()) {
        return 1.0;
    }
    let power = 10.0_f32.powf(wanted.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|step| step * power);
    steps
        .into_iter()
        .find(|step| *step >= wanted)
        .unwrap_or(wanted)
}

fn mark_events(svg: &mut String, clip: &Clip, bottom: f32) {
    if clip.events.is_empty() {
        return;
    }
    let top = bottom + GAP;
    let _ = writeln!(
        svg,
        "<text x=\"16\" y=\"{:.1}\" fill=\"#22272e\">events</text>\
         <line x1=\"{LEFT}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"#c06a12\"/>",
        top + 14.0,
        top + 10.0,
        LEFT + PLOT,
        top + 10.0
    );
    for (nth, event) in clip.events.iter().enumerate() {
        let x = x(event.time_secs, clip.duration_secs);
        let y = top + 10.0;
        let lane = (nth % 4) as f32;
        let text = y + 18.0 + lane * EVENT;
        let (anchor, shift) = if x > LEFT + 0.85 * PLOT {
            ("end", -5.0)
        } else {
            ("start", 5.0)
        };
        let _ = writeln!(
            svg,
            "<line x1=\"{x:.1}\" y1=\"{TOP}\" x2=\"{x:.1}\" y2=\"{text:.1}\" stroke=\"#e0a25c\" stroke-dasharray=\"2 3\"/>\
             <path d=\"M{x:.1} {y:.1} l-5 8 h10 z\" fill=\"#c06a12\"/>\
             <text x=\"{:.1}\" y=\"{text:.1}\" text-anchor=\"{anchor}\" fill=\"#7d4509\">{} {} s</text>",
            x + shift,
            escaped(&event.name),
            number(event.time_secs)
        );
    }
}

fn number(value: f32) -> String {
    let text = format!("{value:.4}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    match text {
        "-0" => "0".to_owned(),
        text => text.to_owned(),
    }
}

fn cut(name: &str) -> String {
    const MAX_LETTERS: usize = 30;
    if name.chars().count() > MAX_LETTERS {
        name.chars().take(MAX_LETTERS - 1).chain(['…']).collect()
    } else {
        name.to_owned()
    }
}

/// Text for SVG.
pub fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '<' => safe += "&lt;",
            '>' => safe += "&gt;",
            '&' => safe += "&amp;",
            '"' => safe += "&quot;",
            letter if is_command(letter) => safe.push('\u{fffd}'),
            letter => safe.push(letter),
        }
    }
    safe
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_few() {
        for (duration, step) in [
            (1.0, 0.1),
            (1.04, 0.2),
            (7.0, 1.0),
            (0.033, 0.005),
            (100.0, 10.0),
        ] {
            assert!((tick(duration) - step).abs() < 1e-6 * step, "{duration}");
        }
        assert_eq!(tick(0.0), 1.0);
        assert_eq!(tick(f32::NAN), 1.0);
    }

    #[test]
    fn names_stay_text() {
        assert_eq!(escaped("a<b>&\"\u{1}"), "a&lt;b&gt;&amp;&quot;\u{fffd}");
        assert_eq!(number(-0.00001), "0");
        assert_eq!(number(0.25), "0.25");
    }
}
