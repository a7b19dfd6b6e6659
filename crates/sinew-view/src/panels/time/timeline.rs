//! Timeline: a ruler to scrub, with rows below.

use super::curves;
use super::dope::{self, Line};
use super::keys;
use super::rows::{self, Row};
use super::ruler::{GUTTER, TimeScale};
use super::tools;
use super::transport;
use crate::panels::style::icons::Icon;
use crate::panels::style::theme::{Palette, small};
use crate::panels::style::widgets::icon_toggle;
use crate::session::Session;
use crate::state::{Command, HistoryCommand, PlaybackCommand};
use egui::accesskit::{Action, ActionData};
use egui::{
    Align2, CornerRadius, FontId, Painter, Pos2, Rangef, Rect, Response, ScrollArea, Sense, Shape,
    Stroke, Ui, Vec2, WidgetInfo, pos2,
};
use sinew::clip::Clip;
use sinew_edit::ClipEdit;

const RULER: f32 = 22.0;

pub(crate) fn show(ui: &mut Ui, session: &Session, commands: &mut Vec<Command>) {
    let state = session.state();
    let file = session.document().file(state.shown);
    let index = state.playback.clip;
    let clip = index.and_then(|c| file?.clip(c));
    let duration_secs = file.map_or(0.0, |file| file.duration_secs(index));
    let all_id = ui.scope_id().with("all rows");
    let mut has_all: bool = ui.data(|data| data.get_temp(all_id)).unwrap_or(false);
    ui.add_space(4.0);
    let is_narrow = ui.available_width() < transport::WIDTH;
    ui.horizontal(|ui| {
        let hint = "Show a row for each joint that the clip moves, not only for the selected joint";
        let all = icon_toggle(ui, Icon::Rows, "All rows", hint, has_all);
        if all.clicked() {
            has_all = !has_all;
            ui.data_mut(|data| data.insert_temp(all_id, has_all));
        }
        ui.add_space(8.0);
        transport::buttons(ui, session, duration_secs, commands);
        transport::time(ui, session, duration_secs, is_narrow, commands);
    });
    let choice = tools::show(ui, session, is_narrow, commands);
    let palette = Palette::of(ui);
    let whole = ui.available_rect_before_wrap();
    let scale = zoomed(ui, session, whole, duration_secs, choice.fit);
    let ruler = Rect::from_min_size(whole.min, Vec2::new(whole.width(), RULER));
    ui.painter()
        .rect_filled(whole, CornerRadius::same(4), palette.well);
    scrub(ui, session, ruler, &scale, commands);
    draw_ruler(ui, session, ruler, &scale);
    if let (Some(file), Some(clip), Some(index)) = (file, clip, index)
        && let Some(keys) = keys::of(ui, file, index, session.edited_layer())
    {
        let last = keys.all.last().copied().unwrap_or(0.0);
        end_marker(ui, session, clip, last, ruler, &scale, commands);
        let below = whole.with_min_y(ruler.bottom());
        if choice.curves {
            let motion = &file.motions[index];
            curves::show(ui, session, motion, below, &scale, choice, commands);
        } else {
            let area = dope::area(ui, below.with_min_x(scale.x.min - 8.0));
            let under = session
                .edited_layer()
                .and_then(|_| keys::of(ui, file, index, None));
            let keys = (&*keys, under.as_deref());
            let rows = rows::rows(file, clip, keys, &state.selected_joints(), has_all);
            let lines = all_rows(ui, session, clip, &rows, below, &scale, commands);
            dope::run(ui, session, &area, &lines, &scale, commands);
        }
    } else {
        ui.painter().text(
            whole.center(),
            Align2::CENTER_CENTER,
            "No clip plays: this is the rest pose.",
            FontId::proportional(13.0),
            palette.dim,
        );
    }
    let now = scale.x_of(state.playback.time_secs);
    if scale.x.expand(1.0).contains(now) {
        playhead(ui.painter(), &palette, whole, now);
    }
    ui.allocate_rect(whole, Sense::hover());
}

/// Height of [`folded`], in points.
pub(crate) const FOLDED: f32 = 30.0;

/// The timeline while its panel is closed: a button that plays, the time, and the ruler.
pub(crate) fn folded(ui: &mut Ui, session: &Session, commands: &mut Vec<Command>) {
    let state = session.state();
    let playback = &state.playback;
    let file = session.document().file(state.shown);
    let duration_secs = file.map_or(0.0, |file| file.duration_secs(playback.clip));
    let ruler = ui.max_rect();
    let gutter = ruler.with_max_x(ruler.left() + GUTTER);
    let layout = egui::Layout::left_to_right(egui::Align::Center);
    let gutter = egui::UiBuilder::new().max_rect(gutter).layout(layout);
    ui.scope_builder(gutter, |ui| {
        if transport::play_button(ui, playback).clicked() {
            commands.push(PlaybackCommand::TogglePlay.into());
        }
        transport::time(ui, session, duration_secs, true, commands);
    });
    let scale = TimeScale::across(ruler, duration_secs);
    scrub(ui, session, ruler, &scale, commands);
    draw_ruler(ui, session, ruler, &scale);
    playhead(
        ui.painter(),
        &Palette::of(ui),
        ruler,
        scale.x_of(playback.time_secs),
    );
}

fn all_rows(
    ui: &mut Ui,
    session: &Session,
    clip: &Clip,
    rows: &[Row<'_>],
    below: Rect,
    scale: &TimeScale,
    commands: &mut Vec<Command>,
) -> Vec<Line> {
    let mut inner = ui.new_child(egui::UiBuilder::new().max_rect(below));
    inner.spacing_mut().item_spacing.y = 0.0;
    let area = ScrollArea::vertical()
        .id_salt("rows")
        .auto_shrink([false; 2]);
    let mut lines = Vec::new();
    area.show(&mut inner, |ui| {
        for row in rows {
            lines.extend(rows::draw(ui, session, clip, row, scale, commands));
        }
    });
    lines
}

/// Visible part of the clip. Ctrl and the wheel zoom about the pointer, Shift and the wheel move along.
fn zoomed(
    ui: &Ui,
    session: &Session,
    whole: Rect,
    duration_secs: f64,
    is_fitted: bool,
) -> TimeScale {
    let all = TimeScale::across(whole, duration_secs);
    let state = session.state();
    let id = ui
        .scope_id()
        .with(("part", state.shown.0, state.playback.clip));
    let part: Option<[f64; 2]> = ui.data(|data| data.get_temp(id));
    let mut scale = part.map_or(all, |part| all.part(part));
    let pointer = ui.input(|input| input.pointer.hover_pos());
    if let Some(at) = pointer.filter(|at| whole.contains(*at) && duration_secs > 0.0) {
        let (zoom, along) = ui.input(|input| (input.zoom_delta(), input.smooth_scroll_delta().x));
        if zoom != 1.0 || (along != 0.0 && part.is_some()) {
            let under = scale.time_beyond(at.x);
            let span = scale.span_secs / f64::from(zoom.clamp(0.1, 10.0));
            let span = span.clamp((duration_secs * 1e-4).max(1e-4), duration_secs.max(1e-4));
            let from = under - (under - scale.from_secs) * span / scale.span_secs.max(1e-9);
            let from = from - f64::from(along) * scale.secs_per_point();
            scale = scale.part([from.clamp(0.0, (duration_secs - span).max(0.0)), span]);
        }
    }
    if is_fitted || scale.span_secs >= duration_secs {
        ui.data_mut(|data| data.remove::<[f64; 2]>(id));
        return all;
    }
    let part = [scale.from_secs, scale.span_secs];
    ui.data_mut(|data| data.insert_temp(id, part));
    scale
}

/// Goes to the frame under the pointer. With Shift or Ctrl, to the time itself.
fn scrub(
    ui: &mut Ui,
    session: &Session,
    ruler: Rect,
    scale: &TimeScale,
    commands: &mut Vec<Command>,
) {
    let playback = &session.state().playback;
    let area = ruler.with_min_x(ruler.left() + GUTTER);
    let response = ui.interact(area, ui.scope_id().with("time"), Sense::click_and_drag());
    response.widget_info(|| WidgetInfo::slider(true, playback.time_secs, "Time"));
    ui.ctx().accesskit_node_builder(response.id, |node| {
        node.set_min_numeric_value(0.0);
        node.set_max_numeric_value(scale.duration_secs);
    });
    let said = ui.input(|input| {
        let mut said = input.accesskit_action_requests(response.id, Action::SetValue);
        match said.next()?.data {
            Some(ActionData::NumericValue(time_secs)) => Some(time_secs),
            _ => None,
        }
    });
    if let Some(time_secs) = said {
        let time_secs = time_secs.clamp(0.0, scale.duration_secs.max(0.0));
        commands.push(PlaybackCommand::Seek { time_secs }.into());
    }
    if let Some(at) = held_at(ui, &response) {
        let modifiers = ui.input(|input| input.modifiers);
        let wanted = scale.time_at(at.x);
        let frame = dope::snapped(session, wanted, modifiers);
        // The end of a clip may lie between frames.
        let end = scale.duration_secs;
        let is_end = (end - wanted).abs() < (frame - wanted).abs();
        let time_secs = if is_end { end } else { frame.clamp(0.0, end) };
        if time_secs != playback.time_secs {
            commands.push(PlaybackCommand::Seek { time_secs }.into());
        }
    }
}

/// Position of the pointer from its press on a widget to its release. Unlike the drag of egui, it includes the movements of
/// the frame of the release, which are many if frames are slow, and movements after a finger has rested.
fn held_at(ui: &Ui, response: &Response) -> Option<Pos2> {
    let id = response.id.with("held");
    let was_held = ui.data(|data| data.get_temp(id).unwrap_or(false));
    let (is_down, at) = ui.input(|input| (input.pointer.any_down(), input.pointer.interact_pos()));
    let is_held = response.is_pointer_button_down_on() || (was_held && is_down);
    ui.data_mut(|data| data.insert_temp(id, is_held));
    at.filter(|_| is_held || was_held || response.clicked())
}

/// Handle at the end of the clip. A drag sets the duration, not before the last key or event.
fn end_marker(
    ui: &Ui,
    session: &Session,
    clip: &Clip,
    last_key_secs: f32,
    ruler: Rect,
    scale: &TimeScale,
    commands: &mut Vec<Command>,
) {
    let x = scale.x_of(scale.duration_secs);
    if !scale.x.expand(1.0).contains(x) {
        return;
    }
    let spot = Rect::from_x_y_ranges(x - 1.0..=x + 11.0, ruler.y_range());
    let id = ui.scope_id().with("end of the clip");
    let response = ui.interact(spot, id, Sense::drag());
    response.widget_info(|| WidgetInfo::slider(true, scale.duration_secs, "End of the clip"));
    let palette = Palette::of(ui);
    let is_used = response.hovered() || response.dragged();
    let color = if is_used { palette.accent } else { palette.dim };
    ui.painter()
        .vline(x + 1.0, ruler.y_range(), Stroke::new(2.0, color));
    type Start = (f32, f64, f64);
    if response.drag_started() {
        let from_x = ui
            .input(|input| input.pointer.press_origin())
            .map_or(x, |at| at.x);
        let start: Start = (from_x, scale.duration_secs, scale.secs_per_point());
        ui.data_mut(|data| data.insert_temp(id, start));
    }
    let start: Option<Start> = ui.data(|data| data.get_temp(id));
    if response.dragged()
        && let (Some((from_x, secs, per_point)), Some(at)) =
            (start, response.interact_pointer_pos())
        && let Some(clip_name) = session.edited_clip()
    {
        let modifiers = ui.input(|input| input.modifiers);
        let wanted = dope::snapped(
            session,
            secs + f64::from(at.x - from_x) * per_point,
            modifiers,
        );
        let last_event = clip.events.iter().map(|event| event.time_secs);
        let first = last_event.fold(last_key_secs, f32::max);
        let edit = ClipEdit::SetDuration {
            clip: clip_name,
            duration_secs: (wanted as f32).max(first),
        };
        commands.push(HistoryCommand::drag(edit).into());
    }
    if response.drag_stopped() {
        commands.push(HistoryCommand::Release.into());
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
    let end = scale.x_of(scale.duration_secs).min(rect.right());
    for mark in 0..marks.count {
        let x = scale.x_of(marks.step_secs * mark as f64);
        if x > scale.x.max + 1.0 {
            break;
        }
        if x + (marks.step_secs / scale.secs_per_point()) as f32 <= scale.x.min {
            continue;
        }
        let tick = Rangef::new(rect.bottom() - 6.0, rect.bottom());
        painter.vline(x, tick, Stroke::new(1.0, palette.faint));
        // The last number stands before its mark if it does not fit before the end of the clip.
        let label = painter.layout_no_wrap(marks.label(mark), small(), palette.dim);
        let fits = x + 4.0 + label.size().x <= end;
        let left = if fits {
            x + 4.0
        } else {
            x - 4.0 - label.size().x
        };
        let top = rect.center().y - label.size().y / 2.0;
        painter.galley(pos2(left, top), label, palette.dim);
        for part in 1..5 {
            let time = marks.step_secs * (mark as f64 + f64::from(part) / 5.0);
            if time <= scale.duration_secs && time >= scale.from_secs {
                let tick = Rangef::new(rect.bottom() - 3.0, rect.bottom());
                painter.vline(scale.x_of(time), tick, Stroke::new(1.0, palette.line));
            }
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
