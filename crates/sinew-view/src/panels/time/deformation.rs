//! Plot of deformation over the clip, with a line per pane. A click jumps to the worst time.

use super::ruler::{GUTTER, TimeScale};
use crate::document::{Deformation, Measure, Work};
use crate::panels::style::theme::{Palette, line_color, small};
use crate::panels::style::widgets::{about, chip};
use crate::session::Session;
use crate::state::{Command, PanelKind, PlaybackCommand, Selection, SelectionCommand};
use egui::{
    Align2, CornerRadius, FontId, Pos2, Rect, Role, Sense, Shape, Stroke, Ui, Vec2, WidgetInfo,
    pos2, vec2,
};
use sinew_gpu::method_name;

struct Line<'a> {
    pane: usize,
    times: &'a [f64],
    values: &'a [f64],
    worst: Worst,
}

#[derive(Clone, Copy)]
struct Worst {
    time_secs: f64,
    value: f64,
    selection: Option<Selection>,
}

pub(crate) fn show(ui: &mut Ui, session: &Session, commands: &mut Vec<Command>) {
    let id = ui.scope_id().with("measure");
    let mut chosen: usize = ui.data(|data| data.get_temp(id)).unwrap_or(0);
    let has_packed = session.state().panes.iter().any(|pane| pane.is_packed);
    ui.horizontal(|ui| {
        let (title, help) = about(PanelKind::Deformation);
        ui.label(title).on_hover_text(help);
        ui.add_space(6.0);
        for (index, measure) in Measure::ALL.into_iter().enumerate() {
            let (name, hint) = about_measure(measure);
            if chip(ui, name, hint, chosen == index).clicked() {
                chosen = index;
            }
        }
        let packed = Measure::ALL.len();
        let hint = "Distance of the packed clip from the original, in the file's unit";
        if has_packed && chip(ui, "Packing error", hint, chosen == packed).clicked() {
            chosen = packed;
        }
    });
    ui.data_mut(|data| data.insert_temp(id, chosen));
    let whole = ui.available_rect_before_wrap();
    let palette = Palette::of(ui);
    ui.painter()
        .rect_filled(whole, CornerRadius::same(4), palette.well);
    let (lines, waiting) = lines(session, chosen);
    if lines.is_empty() {
        let words = waiting.unwrap_or_else(|| "This figure has no such values.".to_owned());
        let font = FontId::proportional(13.0);
        ui.painter().text(
            whole.center(),
            Align2::CENTER_CENTER,
            words,
            font,
            palette.dim,
        );
    } else {
        let ideal = Measure::ALL.get(chosen).map(|m| m.ideal());
        plot(ui, session, whole, &lines, ideal, commands);
        if let Some(waiting) = waiting {
            let at = whole.left_bottom() + vec2(10.0, -6.0);
            ui.painter()
                .text(at, Align2::LEFT_BOTTOM, waiting, small(), palette.dim);
        }
    }
    ui.allocate_rect(whole, Sense::hover());
}

fn about_measure(measure: Measure) -> (&'static str, &'static str) {
    match measure {
        Measure::Volume => ("Volume", "Volume relative to rest"),
        Measure::Stretch => (
            "Stretch",
            "Length of the most stretched edge relative to rest",
        ),
        Measure::Section => ("Narrowest", "Width of the narrowest limb relative to rest"),
        Measure::Bulge => ("Widest", "Width of the widest limb relative to rest"),
        Measure::Normals => (
            "Normals",
            "Largest angle between a skinned normal and the normal of the surface, in degrees",
        ),
        Measure::Jumps => (
            "Jumps",
            "Largest step of a vertex between two frames, relative to the size of the figure",
        ),
    }
}

fn lines(session: &Session, chosen: usize) -> (Vec<Line<'_>>, Option<String>) {
    let mut lines = Vec::new();
    let mut waiting = None;
    let measuring = |stage: Option<f32>| match stage {
        Some(part) => format!("Measuring … {:.0} %", 100.0 * part),
        None => "Measuring …".to_owned(),
    };
    for pane in 0..session.state().panes.len() {
        match Measure::ALL.get(chosen) {
            Some(&measure) => match session.deformation(pane) {
                Work::Done(found) => lines.extend(line(pane, found, measure)),
                Work::Working(stage) => {
                    let so_far = session.deformation_so_far(pane);
                    lines.extend(so_far.and_then(|found| line(pane, found, measure)));
                    waiting = Some(measuring(stage.fraction));
                }
                Work::Waiting => waiting = waiting.or_else(|| Some(measuring(None))),
                Work::Refused(why) => waiting = Some(why.to_owned()),
            },
            None if session.state().panes[pane].is_packed => match session.packed(pane) {
                Work::Done(packed) => {
                    let errors = packed.error.iter().enumerate();
                    let worst = errors.max_by(|a, b| a.1.total_cmp(b.1));
                    let worst = worst.map_or((0.0, 0.0), |(k, e)| (packed.times_secs[k], *e));
                    lines.push(Line {
                        pane,
                        times: &packed.times_secs,
                        values: &packed.error,
                        worst: Worst {
                            time_secs: worst.0,
                            value: worst.1,
                            selection: None,
                        },
                    });
                }
                Work::Working(stage) => waiting = Some(measuring(stage.fraction)),
                Work::Waiting => waiting = waiting.or_else(|| Some(measuring(None))),
                Work::Refused(why) => waiting = Some(why.to_owned()),
            },
            None => {}
        }
    }
    (lines, waiting)
}

/// Line of a measure. `None` if it does not apply to the figure.
fn line(pane: usize, found: &Deformation, measure: Measure) -> Option<Line<'_>> {
    let curve = found.curves.iter().find(|c| c.measure == measure)?;
    let worst = &curve.worst;
    Some(Line {
        pane,
        times: &found.times_secs,
        values: &curve.values,
        worst: Worst {
            time_secs: worst.time_secs,
            value: worst.value,
            selection: match (worst.vertex, worst.joint) {
                (Some((primitive, vertex)), _) => Some(Selection::Vertex { primitive, vertex }),
                (None, Some(joint)) => Some(Selection::Joint(joint)),
                (None, None) => None,
            },
        },
    })
}

fn plot(
    ui: &mut Ui,
    session: &Session,
    whole: Rect,
    lines: &[Line<'_>],
    ideal: Option<f64>,
    commands: &mut Vec<Command>,
) {
    let palette = Palette::of(ui);
    let scale = TimeScale::across(whole, session.duration_secs());
    let values = lines.iter().flat_map(|l| l.values).copied().chain(ideal);
    let finite = values.filter(|v| v.is_finite());
    let [mut low, mut high] = finite.fold([f64::INFINITY, f64::NEG_INFINITY], |[a, b], v| {
        [a.min(v), b.max(v)]
    });
    if low > high {
        [low, high] = [0.0, 1.0];
    }
    let room = ((high - low) * 0.12).max(1e-4);
    [low, high] = [low - room, high + room];
    let inner = whole.shrink2(vec2(0.0, 6.0));
    let y_of = |value: f64| {
        let part = ((value - low) / (high - low)) as f32;
        inner.bottom() - part * inner.height()
    };
    if let Some(ideal) = ideal {
        let y = y_of(ideal);
        ui.painter()
            .hline(scale.x, y, Stroke::new(1.0, palette.line));
        ui.painter().text(
            pos2(scale.x.min - 6.0, y),
            Align2::RIGHT_CENTER,
            number(ideal),
            small(),
            palette.dim,
        );
    }
    let area = whole.with_min_x(scale.x.min);
    let response = ui.interact(area, ui.scope_id().with("plot"), Sense::click_and_drag());
    let now = session.state().playback.time_secs;
    response.widget_info(|| WidgetInfo::slider(true, now, "Time of the plot"));
    if response.is_pointer_button_down_on()
        && let Some(at) = response.interact_pointer_pos()
    {
        let time_secs = scale.time_at(at.x);
        commands.push(PlaybackCommand::Seek { time_secs }.into());
    }
    for line in lines {
        let color = line_color(ui, line.pane);
        let points: Vec<Pos2> = line
            .times
            .iter()
            .zip(line.values)
            .filter(|(_, v)| v.is_finite())
            .map(|(&t, &v)| pos2(scale.x_of(t), y_of(v)))
            .collect();
        ui.painter()
            .add(Shape::line(points, Stroke::new(1.6, color)));
        let worst = pos2(scale.x_of(line.worst.time_secs), y_of(line.worst.value));
        ui.painter()
            .circle_stroke(worst, 4.0, Stroke::new(1.6, color));
    }
    ui.painter().vline(
        scale.x_of(now),
        whole.y_range(),
        Stroke::new(1.2, palette.accent),
    );
    legend(ui, session, whole, lines, commands);
}

fn legend(
    ui: &mut Ui,
    session: &Session,
    whole: Rect,
    lines: &[Line<'_>],
    commands: &mut Vec<Command>,
) {
    let palette = Palette::of(ui);
    for (row, line) in lines.iter().enumerate() {
        let corner = whole.min + vec2(6.0, 6.0 + 22.0 * row as f32);
        let rect = Rect::from_min_size(corner, Vec2::new(GUTTER - 40.0, 20.0));
        let Some(pane) = session.state().panes.get(line.pane) else {
            continue;
        };
        let response = ui.interact(rect, ui.scope_id().with(("worst", row)), Sense::click());
        let fill = if response.hovered() {
            palette.hovered
        } else {
            palette.raised
        };
        ui.painter().rect_filled(rect, CornerRadius::same(10), fill);
        let dot = rect.left_center() + vec2(10.0, 0.0);
        ui.painter()
            .circle_filled(dot, 3.5, line_color(ui, line.pane));
        let name = match session.document().file(pane.file) {
            Some(file) if pane.file != session.state().shown => file.name.clone(),
            _ => method_name(pane.method).to_owned(),
        };
        let words = format!("worst {}", number(line.worst.value));
        ui.painter().text(
            rect.left_center() + vec2(19.0, 0.0),
            Align2::LEFT_CENTER,
            &words,
            FontId::proportional(12.0),
            palette.text,
        );
        let spoken = format!("Worst moment of {name}");
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &spoken));
        let time_secs = line.worst.time_secs;
        let response =
            response.on_hover_text(format!("{name}: at {time_secs:.3} s. Click to go there"));
        if response.clicked() {
            commands.push(PlaybackCommand::Pause.into());
            commands.push(PlaybackCommand::Seek { time_secs }.into());
            if let Some(selection) = line.worst.selection {
                commands.push(SelectionCommand::Select { selection }.into());
            }
        }
    }
}

fn number(value: f64) -> String {
    match value.abs() {
        v if v >= 100.0 => format!("{value:.0}"),
        v if v >= 0.01 || v == 0.0 => format!("{value:.3}"),
        _ => format!("{value:.1e}"),
    }
}
