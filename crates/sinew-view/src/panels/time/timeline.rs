//! Timeline: a ruler to scrub, with rows below.

use super::keys;
use super::rows;
use super::ruler::{GUTTER, TimeScale};
use super::transport;
use crate::panels::style::icons::Icon;
use crate::panels::style::theme::{Palette, small};
use crate::panels::style::widgets::icon_toggle;
use crate::session::Session;
use crate::state::{Command, PlaybackCommand};
use egui::{
    Align2, CornerRadius, FontId, Painter, Rangef, Rect, ScrollArea, Sense, Shape, Stroke, Ui,
    Vec2, WidgetInfo, pos2,
};

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
    let scale = TimeScale::across(whole, duration_secs);
    let ruler = Rect::from_min_size(whole.min, Vec2::new(whole.width(), RULER));
    ui.painter()
        .rect_filled(whole, CornerRadius::same(4), palette.well);
    scrub(ui, session, whole, &scale, commands);
    draw_ruler(ui, session, ruler, &scale);
    if let (Some(file), Some(clip), Some(index)) = (file, clip, index)
        && let Some(keys) = keys::of(ui, file, index)
    {
        let rows = rows::rows(file, clip, &keys, state.selection, has_all);
        let below = whole.with_min_y(ruler.bottom());
        let mut inner = ui.new_child(egui::UiBuilder::new().max_rect(below));
        inner.spacing_mut().item_spacing.y = 0.0;
        let area = ScrollArea::vertical()
            .id_salt("rows")
            .auto_shrink([false; 2]);
        area.show(&mut inner, |ui| {
            for row in &rows {
                rows::draw(ui, session, clip, row, &scale, commands);
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
            commands.push(PlaybackCommand::Seek { time_secs }.into());
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
