//! Time over the whole width: a ruler to scrub on, rows of keys, curves as graphs, events as flags.

use super::icons::Icon;
use super::keys::{self, ClipKeys};
use super::ruler::TimeScale;
use super::theme::{Palette, small};
use super::transport;
use super::widgets::icon_toggle;
use crate::document::OpenFile;
use crate::session::Session;
use crate::state::{Command, Selection};
use egui::{
    Align2, Color32, CornerRadius, FontId, Painter, Pos2, Rangef, Rect, Role, ScrollArea, Sense,
    Shape, Stroke, Ui, Vec2, WidgetInfo, pos2,
};
use sinew::clip::Clip;

const GUTTER: f32 = 172.0;
const RULER: f32 = 22.0;
const ROW: f32 = 18.0;
const GRAPH: f32 = 30.0;

/// How long a flag stays lit after its event.
const FLASH_SECS: f64 = 0.25;

/// A row below the ruler.
enum Row<'a> {
    Keys {
        name: String,
        times: &'a [f32],
        depth: usize,
        selection: Option<Selection>,
    },
    Curve {
        name: &'a str,
        curve: usize,
    },
    Events,
}

impl Row<'_> {
    fn height(&self) -> f32 {
        match self {
            Self::Curve { .. } => GRAPH,
            _ => ROW,
        }
    }
}

/// The panel.
pub(super) fn show(ui: &mut Ui, session: &Session, commands: &mut Vec<Command>) {
    let state = session.state();
    let file = session.document().file(state.shown);
    let index = state.playback.clip;
    let clip = index.and_then(|c| file?.character.clips.get(c));
    let duration_secs = file.map_or(0.0, |file| file.duration_secs(index));
    let all_id = ui.scope_id().with("all rows");
    let mut has_all: bool = ui.data(|data| data.get_temp(all_id)).unwrap_or(false);
    ui.add_space(4.0);
    let is_narrow = ui.available_width() < transport::WIDTH;
    ui.horizontal(|ui| {
        let hint = "A row for each joint that the clip moves; without, those of the selected one";
        let all = icon_toggle(ui, Icon::Rows, "All rows", hint, has_all);
        if all.clicked() {
            has_all = !has_all;
            ui.data_mut(|data| data.insert_temp(all_id, has_all));
        }
        ui.add_space(8.0);
        transport::buttons(ui, session, duration_secs, commands);
        if !is_narrow {
            transport::time(ui, session, duration_secs, commands);
        }
    });
    if is_narrow {
        ui.horizontal(|ui| transport::time(ui, session, duration_secs, commands));
    }
    ui.add_space(2.0);
    let palette = Palette::of(ui);
    let whole = ui.available_rect_before_wrap();
    let scale = TimeScale {
        x: Rangef::new(whole.left() + GUTTER + 8.0, whole.right() - 14.0),
        duration_secs,
    };
    let ruler = Rect::from_min_size(whole.min, Vec2::new(whole.width(), RULER));
    ui.painter()
        .rect_filled(whole, CornerRadius::same(4), palette.well);
    scrub(ui, session, whole, &scale, commands);
    draw_ruler(ui, session, ruler, &scale);
    if let (Some(file), Some(clip), Some(index)) = (file, clip, index)
        && let Some(keys) = keys::of(ui, file, index)
    {
        let rows = rows(file, clip, &keys, state.selection, has_all);
        let below = whole.with_min_y(ruler.bottom());
        let mut inner = ui.new_child(egui::UiBuilder::new().max_rect(below));
        inner.spacing_mut().item_spacing.y = 0.0;
        let area = ScrollArea::vertical()
            .id_salt("rows")
            .auto_shrink([false; 2]);
        area.show(&mut inner, |ui| {
            for row in &rows {
                draw_row(ui, session, clip, row, &scale, commands);
            }
        });
    } else {
        ui.painter().text(
            whole.center(),
            Align2::CENTER_CENTER,
            "No clip plays: this is the rest pose.",
            FontId::proportional(13.0),
            palette.dim,
        );
    }
    playhead(
        ui.painter(),
        &palette,
        whole,
        scale.x_of(state.playback.time_secs),
    );
    ui.allocate_rect(whole, Sense::hover());
}

fn rows<'a>(
    file: &OpenFile,
    clip: &'a Clip,
    keys: &'a ClipKeys,
    selection: Selection,
    has_all: bool,
) -> Vec<Row<'a>> {
    let mut rows = vec![Row::Keys {
        name: "All keys".to_owned(),
        times: &keys.all,
        depth: 0,
        selection: None,
    }];
    let selected = match selection {
        Selection::Joint(joint) => keys.joint(joint),
        _ => None,
    };
    if !clip.events.is_empty() {
        rows.push(Row::Events);
    }
    let named = |joint: usize| match joint < file.character.skeleton.len() {
        true => file.character.skeleton.name(joint).to_owned(),
        false => format!("joint {joint}"),
    };
    let mut add = |own: &'a keys::JointKeys, has_channels: bool| {
        rows.push(Row::Keys {
            name: named(own.joint),
            times: &own.all,
            depth: 0,
            selection: Some(Selection::Joint(own.joint)),
        });
        let names = ["translation", "rotation", "scale"];
        for (name, times) in names.iter().zip(&own.channels) {
            if has_channels && !times.is_empty() {
                rows.push(Row::Keys {
                    name: (*name).to_owned(),
                    times,
                    depth: 1,
                    selection: None,
                });
            }
        }
    };
    match (has_all, selected) {
        (true, _) => {
            for own in &keys.joints {
                let is_selected = selected.is_some_and(|s| s.joint == own.joint);
                add(own, is_selected);
            }
        }
        (false, Some(own)) => add(own, true),
        (false, None) => {}
    }
    let curves = clip.curves.iter().enumerate();
    rows.extend(curves.map(|(curve, c)| Row::Curve {
        name: &c.name,
        curve,
    }));
    rows
}

/// Dragging anywhere on the right goes to that time.
fn scrub(
    ui: &mut Ui,
    session: &Session,
    whole: Rect,
    scale: &TimeScale,
    commands: &mut Vec<Command>,
) {
    let playback = &session.state().playback;
    let area = whole.with_min_x(whole.left() + GUTTER);
    let response = ui.interact(area, ui.scope_id().with("time"), Sense::click_and_drag());
    response.widget_info(|| WidgetInfo::slider(true, playback.time_secs, "Time"));
    if (response.dragged() || response.clicked() || response.is_pointer_button_down_on())
        && let Some(at) = response.interact_pointer_pos()
    {
        let time_secs = scale.time_at(at.x);
        if time_secs != playback.time_secs {
            commands.push(Command::Seek { time_secs });
        }
    }
}

fn draw_ruler(ui: &Ui, session: &Session, rect: Rect, scale: &TimeScale) {
    let palette = Palette::of(ui);
    let painter = ui.painter();
    let playback = &session.state().playback;
    if let Some([first, last]) = playback.range_secs {
        let x = Rangef::new(scale.x_of(first), scale.x_of(last));
        let range = Rect::from_x_y_ranges(x, rect.y_range());
        painter.rect_filled(range, CornerRadius::ZERO, palette.chosen);
    }
    painter.hline(
        rect.x_range(),
        rect.bottom(),
        Stroke::new(1.0, palette.line),
    );
    if scale.duration_secs <= 0.0 {
        return;
    }
    let marks = scale.marks(playback.unit, playback.fps, 64.0);
    for mark in 0..marks.count {
        let x = scale.x_of(marks.step_secs * mark as f64);
        let tick = Rangef::new(rect.bottom() - 6.0, rect.bottom());
        painter.vline(x, tick, Stroke::new(1.0, palette.faint));
        painter.text(
            pos2(x + 4.0, rect.center().y),
            Align2::LEFT_CENTER,
            marks.label(mark),
            small(),
            palette.dim,
        );
        for part in 1..5 {
            let time = marks.step_secs * (mark as f64 + f64::from(part) / 5.0);
            if time <= scale.duration_secs {
                let tick = Rangef::new(rect.bottom() - 3.0, rect.bottom());
                painter.vline(scale.x_of(time), tick, Stroke::new(1.0, palette.line));
            }
        }
    }
}

fn draw_row(
    ui: &mut Ui,
    session: &Session,
    clip: &Clip,
    row: &Row<'_>,
    scale: &TimeScale,
    commands: &mut Vec<Command>,
) {
    let palette = Palette::of(ui);
    let size = Vec2::new(ui.available_width(), row.height());
    let (rect, _) = ui.allocate_exact_size(size, Sense::hover());
    if !ui.is_rect_visible(rect) {
        return;
    }
    let line = Stroke::new(1.0, palette.line);
    ui.painter().hline(rect.x_range(), rect.bottom(), line);
    let gutter = rect.with_max_x(rect.left() + GUTTER);
    match row {
        Row::Keys {
            name,
            times,
            depth,
            selection,
        } => {
            let is_on = *selection == Some(session.state().selection);
            label(ui, gutter, name, *depth, is_on);
            if let Some(selection) = *selection {
                let response = ui.interact(gutter, ui.scope_id().with(name), Sense::click());
                let named = format!("Row {name}");
                response.widget_info(|| WidgetInfo::selected(Role::Row, true, is_on, &named));
                if response.clicked() {
                    commands.push(Command::Select { selection });
                }
            }
            let color = match (is_on, depth) {
                (true, _) => palette.accent,
                (false, 0) => palette.key,
                (false, _) => palette.dim,
            };
            ticks(ui.painter(), rect, times, scale, color);
        }
        Row::Curve { name, curve } => {
            label(ui, gutter, name, 0, false);
            graph(
                ui.painter(),
                &palette,
                rect,
                clip,
                *curve,
                scale,
                session.state().playback.time_secs,
            );
        }
        Row::Events => {
            label(ui, gutter, "Events", 0, false);
            flags(ui, session, clip, rect, scale, commands);
        }
    }
}

fn label(ui: &Ui, gutter: Rect, name: &str, depth: usize, is_on: bool) {
    let palette = Palette::of(ui);
    let ink = match (is_on, depth) {
        (true, _) => palette.accent,
        (false, 0) => palette.text,
        (false, _) => palette.dim,
    };
    ui.painter().with_clip_rect(gutter).text(
        gutter.left_center() + Vec2::new(10.0 + 12.0 * depth as f32, 0.0),
        Align2::LEFT_CENTER,
        name,
        FontId::proportional(12.0),
        ink,
    );
}

/// Keys as diamonds where they have room, as lines where they are close; one for each place on the screen.
fn ticks(painter: &Painter, rect: Rect, times: &[f32], scale: &TimeScale, color: Color32) {
    let y = rect.center().y;
    let spacing = scale.x.span() / times.len().max(1) as f32;
    let mut last = f32::NEG_INFINITY;
    for &time in times {
        let x = scale.x_of(f64::from(time));
        if x - last < 2.0 || x > scale.x.max + 1.0 {
            continue;
        }
        last = x;
        if spacing > 7.0 {
            let r = 3.2;
            let corners = [[0.0, -r], [r, 0.0], [0.0, r], [-r, 0.0]];
            let corners = corners.map(|[dx, dy]| pos2(x + dx, y + dy)).to_vec();
            painter.add(Shape::convex_polygon(corners, color, Stroke::NONE));
        } else {
            let tick = Rangef::new(y - 4.0, y + 4.0);
            painter.vline(x, tick, Stroke::new(1.0, color));
        }
    }
}

fn graph(
    painter: &Painter,
    palette: &Palette,
    rect: Rect,
    clip: &Clip,
    curve: usize,
    scale: &TimeScale,
    now_secs: f64,
) {
    const STEPS: usize = 160;
    let Some(curve) = clip.curves.get(curve) else {
        return;
    };
    let mut value = vec![0.0; curve.track.width()];
    let mut at = |time: f64| match curve.track.sample(time, &mut value) {
        Ok(()) => value.first().copied().filter(|v| v.is_finite()),
        Err(_) => None,
    };
    let samples: Vec<(f64, f32)> = (0..=STEPS)
        .map(|step| scale.duration_secs * step as f64 / STEPS as f64)
        .filter_map(|time| Some((time, at(time)?)))
        .collect();
    let first = samples.first().map_or(0.0, |s| s.1);
    let [low, high] = samples
        .iter()
        .fold([first; 2], |[low, high], s| [low.min(s.1), high.max(s.1)]);
    let y_of = |value: f32| {
        let part = match high > low {
            true => (value - low) / (high - low),
            false => 0.5,
        };
        rect.bottom() - 5.0 - part * (rect.height() - 10.0)
    };
    let points: Vec<Pos2> = samples
        .iter()
        .map(|&(time, value)| pos2(scale.x_of(time), y_of(value)))
        .collect();
    painter.add(Shape::line(points, Stroke::new(1.4, palette.good)));
    if let Some(now) = at(now_secs) {
        let place = pos2(scale.x_of(now_secs), y_of(now));
        painter.circle_filled(place, 2.8, palette.good);
        painter.text(
            pos2(rect.left() + GUTTER - 4.0, rect.center().y),
            Align2::RIGHT_CENTER,
            format!("{now:.2}"),
            super::theme::digits(),
            palette.dim,
        );
    }
}

fn flags(
    ui: &mut Ui,
    session: &Session,
    clip: &Clip,
    rect: Rect,
    scale: &TimeScale,
    commands: &mut Vec<Command>,
) {
    let palette = Palette::of(ui);
    let fired = &session.state().playback.fired;
    for (index, event) in clip.events.iter().enumerate() {
        let time_secs = f64::from(event.time_secs);
        let x = scale.x_of(time_secs);
        let is_lit = fired
            .iter()
            .any(|f| f.event == index && f.age_secs < FLASH_SECS);
        let color = if is_lit {
            palette.accent
        } else {
            palette.warning
        };
        let pole = Rangef::new(rect.top() + 2.0, rect.bottom());
        ui.painter().vline(x, pole, Stroke::new(1.2, color));
        let flag = [
            pos2(x, rect.top() + 2.0),
            pos2(x + 9.0, rect.top() + 6.0),
            pos2(x, rect.top() + 10.0),
        ];
        let flag = Shape::convex_polygon(flag.to_vec(), color, Stroke::NONE);
        ui.painter().add(flag);
        if is_lit {
            let glow = color.gamma_multiply(0.25);
            ui.painter()
                .circle_filled(pos2(x + 3.0, rect.center().y), 9.0, glow);
        }
        let place = Rect::from_x_y_ranges(x - 3.0..=x + 11.0, rect.y_range());
        let response = ui.interact(place, ui.scope_id().with(("event", index)), Sense::click());
        let name = format!("Event {}", event.name);
        response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
        let response = response.on_hover_text(format!("{} at {time_secs:.3} s", event.name));
        if response.clicked() {
            commands.push(Command::Seek { time_secs });
        }
    }
}

fn playhead(painter: &Painter, palette: &Palette, rect: Rect, x: f32) {
    painter.vline(x, rect.y_range(), Stroke::new(1.5, palette.accent));
    let top = rect.top();
    let head = [
        pos2(x - 5.5, top),
        pos2(x + 5.5, top),
        pos2(x + 5.5, top + 6.0),
        pos2(x, top + 12.0),
        pos2(x - 5.5, top + 6.0),
    ];
    let head = Shape::convex_polygon(head.to_vec(), palette.accent, Stroke::NONE);
    painter.add(head);
}
