use super::style::widgets::{number_row, section};
use crate::session::Session;
use crate::state::{Command, PanelKind};
use egui::Ui;

/// Measurements of earlier frames.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct FrameNumbers {
    /// Name of the adapter.
    pub adapter: String,
    /// Mean time between frames, in milliseconds.
    pub frame_ms: f64,
    /// CPU time per frame for panels and poses, in milliseconds.
    pub cpu_ms: f64,
    /// Size of the first pane, in pixels.
    pub picture: [u32; 2],
    /// Number of layers of the first pane drawn so far.
    pub layers: u32,
    /// GPU time of each pass, in milliseconds. Empty if the device cannot measure.
    pub passes: Vec<(&'static str, f64)>,
}

pub(super) fn show(
    ui: &mut Ui,
    session: &Session,
    frame: &FrameNumbers,
    commands: &mut Vec<Command>,
) {
    section(ui, session, PanelKind::Numbers, commands, |ui, _| {
        let frame_time = if frame.frame_ms > 0.0 {
            format!("{:.1} ms", frame.frame_ms)
        } else {
            "not playing".to_owned()
        };
        number_row(ui, "Frame", frame_time);
        number_row(ui, "CPU time", format!("{:.2} ms", frame.cpu_ms));
        for (name, ms) in &frame.passes {
            number_row(ui, name, format!("{ms:.2} ms"));
        }
        let [width, height] = frame.picture;
        number_row(ui, "Picture", format!("{width} × {height}"));
        let state = session.state();
        let Some(file) = session.document().file(state.shown) else {
            return;
        };
        let character = &file.character;
        number_row(ui, "Vertices", grouped(file.size.vertices));
        number_row(ui, "Triangles", grouped(file.size.triangles));
        number_row(ui, "Joints", grouped(character.skeleton.len()));
        number_row(
            ui,
            "Max influences",
            (file.size.max_influences).map_or("none".to_owned(), |i| i.to_string()),
        );
        number_row(ui, "Clips", grouped(file.motions.len()));
        let clips: usize = file.clips().map(|c| c.bytes()).sum();
        number_row(ui, "Clips in memory", bytes(clips as u64));
        if file.bytes > 0 {
            number_row(ui, "File", bytes(file.bytes));
        }
        ui.weak(&frame.adapter);
    });
}

pub(super) fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut out = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            out.push('\u{2009}');
        }
        out.push(digit);
    }
    out
}

/// Size in the unit that is easiest to read.
pub(super) fn bytes(bytes: u64) -> String {
    match bytes {
        0..1_000 => format!("{bytes} B"),
        1_000..1_000_000 => format!("{:.1} kB", bytes as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{:.2} GB", bytes as f64 / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_in_groups() {
        assert_eq!(grouped(7), "7");
        assert_eq!(grouped(1234), "1\u{2009}234");
        assert_eq!(grouped(123_456_789), "123\u{2009}456\u{2009}789");
        assert_eq!(
            (bytes(12), bytes(5_300_000)),
            ("12 B".into(), "5.3 MB".into())
        );
    }
}
