//! Panes side by side. The pointer rotates and moves the camera, and selects items.

use super::gizmo;
use super::over::Over;
use super::pictures::Pictures;
use super::style::theme::{Palette, small};
use crate::session::Session;
use crate::state::{CameraCommand, Command, PaneCommand, SelectionCommand, State};
use egui::{
    Color32, CornerRadius, CursorIcon, FontId, PointerButton, Rect, Response, Role, Sense, Ui,
    Vec2, WidgetInfo, pos2, vec2,
};
use sinew::Method;
use sinew_gpu::method_name;

/// Rotation of the camera in radians per point of a drag.
const ORBIT: f32 = 0.008;

const GAP: f32 = 2.0;

pub(super) fn show(
    ui: &mut Ui,
    session: &Session,
    pictures: &dyn Pictures,
    commands: &mut Vec<Command>,
) -> Vec<Over> {
    let whole = ui.available_rect_before_wrap();
    let panes = session.state().panes.len().max(1);
    let pane_rects = pane_rects(whole, panes).into_iter().enumerate();
    let overs = pane_rects
        .map(|(pane, pane_rect)| show_pane(ui, session, pictures, pane, pane_rect, commands))
        .collect();
    ui.allocate_rect(whole, Sense::hover());
    overs
}

/// Rectangles of the panes: side by side, or two by two for four panes in a narrow window.
fn pane_rects(whole: Rect, panes: usize) -> Vec<Rect> {
    let columns = match panes {
        4 if whole.width() < 2.2 * whole.height() => 2,
        _ => panes,
    };
    let rows = panes.div_ceil(columns);
    let width = (whole.width() - GAP * (columns - 1) as f32) / columns as f32;
    let height = (whole.height() - GAP * (rows - 1) as f32) / rows as f32;
    let pane_rect = |pane: usize| {
        let (column, row) = ((pane % columns) as f32, (pane / columns) as f32);
        let corner = vec2(column * (width + GAP), row * (height + GAP));
        Rect::from_min_size(whole.min + corner, vec2(width.max(1.0), height.max(1.0)))
    };
    (0..panes).map(pane_rect).collect()
}

fn show_pane(
    ui: &mut Ui,
    session: &Session,
    pictures: &dyn Pictures,
    pane: usize,
    pane_rect: Rect,
    commands: &mut Vec<Command>,
) -> Over {
    let palette = Palette::of(ui);
    let response = ui.interact(
        pane_rect,
        ui.scope_id().with(("pane", pane)),
        Sense::click_and_drag(),
    );
    let name = match session.state().panes.len() {
        0 | 1 => "Picture".to_owned(),
        _ => format!("Picture {}", pane + 1),
    };
    response.widget_info(|| WidgetInfo::labeled(Role::Image, true, &name));
    // Draws the picture or the background. To draw both is slow on a software adapter.
    let painter = ui.painter();
    match pictures.texture(pane) {
        Some(texture) => {
            let all = Rect::from_min_max(pos2(0.0, 0.0), pos2(1.0, 1.0));
            painter.image(texture, pane_rect, all, Color32::WHITE);
        }
        None => {
            painter.rect_filled(pane_rect, CornerRadius::ZERO, palette.well);
        }
    }
    let mut over = Over::new(ui, pane, pane_rect);
    if pane == 0 {
        over.gizmo = gizmo::show(ui, session, pictures, pane_rect, &response, commands);
    }
    if !over.gizmo.is_dragged {
        steer(ui, &response, pane, pane_rect, commands);
    }
    caption(ui, session, pane, pane_rect);
    if let Some(why) = pictures.problem(pane) {
        notice(ui, pane_rect, &format!("Cannot draw this: {why}"));
    } else if pictures.is_preparing() {
        notice(ui, pane_rect, "Preparing …");
    }
    if pane == 0 && !session.state().window.is_picture_only {
        skinning(ui, session, pane_rect, commands);
    }
    over
}

/// Controls the camera: drag rotates, middle button or Shift moves, wheel zooms, click selects. Two fingers move and zoom.
fn steer(ui: &Ui, response: &Response, pane: usize, pane_rect: Rect, commands: &mut Vec<Command>) {
    let shift = ui.input(|i| i.modifiers.shift);
    let fingers = ui.input(|i| i.multi_touch());
    let fingers = fingers.filter(|fingers| pane_rect.contains(fingers.start_pos));
    let moved = fingers.map_or(response.drag_delta(), |fingers| fingers.translation_delta);
    if moved != Vec2::ZERO {
        let is_pan = response.dragged_by(PointerButton::Middle)
            || response.dragged_by(PointerButton::Secondary)
            || fingers.is_some()
            || shift;
        let height = pane_rect.height().max(1.0);
        commands.push(if is_pan {
            CameraCommand::Pan {
                right: -moved.x / height,
                up: moved.y / height,
            }
            .into()
        } else {
            CameraCommand::Orbit {
                right_rad: -moved.x * ORBIT,
                up_rad: moved.y * ORBIT,
            }
            .into()
        });
    }
    if response.dragged() {
        ui.set_cursor_icon(CursorIcon::Grabbing);
    }
    if response.hovered() || fingers.is_some() {
        let (scroll, pinch) = ui.input(|i| (i.smooth_scroll_delta().y, i.zoom_delta()));
        let factor = (scroll * 0.0025).exp() * pinch;
        if factor != 1.0 {
            commands.push(CameraCommand::Zoom { factor }.into());
        }
    }
    if response.clicked()
        && let Some(at) = response.interact_pointer_pos()
    {
        commands.push(
            SelectionCommand::Pick {
                pane,
                x: (at.x - pane_rect.left()) / pane_rect.width(),
                y: (at.y - pane_rect.top()) / pane_rect.height(),
                aspect: pane_rect.width() / pane_rect.height(),
                add: shift,
            }
            .into(),
        );
    }
    if response.double_clicked() {
        commands.push(CameraCommand::Frame.into());
    }
}

fn caption(ui: &Ui, session: &Session, pane: usize, pane_rect: Rect) {
    let state = session.state();
    let (Some(shown), true) = (state.panes.get(pane), state.panes.len() > 1) else {
        return;
    };
    let file = session.document().file(shown.file);
    let has_files = state.panes.iter().any(|p| p.file != shown.file);
    let mut words = method_name(shown.method).to_owned();
    if has_files {
        words = file.map_or(String::new(), |f| f.name.clone());
    }
    if state.panes.iter().any(|p| p.is_packed) {
        words = if shown.is_packed {
            "packed".to_owned()
        } else {
            "original".to_owned()
        };
    }
    let color = super::style::theme::line_color(ui, pane);
    let ink = Color32::from_rgb(0xf4, 0xf4, 0xf0);
    let words = ui
        .painter()
        .layout_no_wrap(words, FontId::proportional(13.0), ink);
    let corner = pane_rect.left_top() + vec2(12.0, 12.0);
    let size = words.size() + vec2(30.0, 8.0);
    let back = Rect::from_min_size(corner, size);
    ui.painter()
        .rect_filled(back, CornerRadius::same(12), Color32::from_black_alpha(140));
    ui.painter()
        .circle_filled(back.left_center() + vec2(12.0, 0.0), 4.0, color);
    ui.painter().galley(corner + vec2(22.0, 4.0), words, ink);
}

fn notice(ui: &Ui, pane_rect: Rect, words: &str) {
    let ink = Color32::from_rgb(0xf4, 0xf4, 0xf0);
    let font = FontId::proportional(14.0);
    let room = (pane_rect.width() - 60.0).max(40.0);
    let words = ui.painter().layout(words.to_owned(), font, ink, room);
    let back = Rect::from_center_size(pane_rect.center(), words.size() + vec2(28.0, 18.0));
    ui.painter()
        .rect_filled(back, CornerRadius::same(8), Color32::from_black_alpha(170));
    ui.painter().galley(back.min + vec2(14.0, 9.0), words, ink);
}

/// Names the skinning method beside the compass. A click switches it. Compared panes have captions instead.
fn skinning(ui: &Ui, session: &Session, pane_rect: Rect, commands: &mut Vec<Command>) {
    let state = session.state();
    let [pane] = state.panes.as_slice() else {
        return;
    };
    let file = session.document().file(pane.file);
    let Some(character) = file.map(|file| &file.character) else {
        return;
    };
    if character.skins.is_empty() || pane_rect.width() < 240.0 || pane_rect.height() < 120.0 {
        return;
    }
    let name = format!("{} skinning", method_name(pane.method));
    let ink = Palette::of(ui).dim;
    let words = ui.painter().layout_no_wrap(name.clone(), small(), ink);
    let corner = pane_rect.left_bottom() + vec2(78.0, -46.0);
    let place = Rect::from_min_size(corner, words.size());
    let response = ui.interact(
        place.expand(4.0),
        ui.scope_id().with("skinning"),
        Sense::click(),
    );
    response.widget_info(|| WidgetInfo::labeled(Role::Button, true, &name));
    ui.painter().galley(place.min, words, ink);
    let why = match character.stated_method {
        Some(stated) => format!("The file states {}.", method_name(stated)),
        None => "The file states no method.".to_owned(),
    };
    if response
        .on_hover_text(format!(
            "{why} K switches between linear and dual quaternions"
        ))
        .clicked()
    {
        commands.push(switch_method(state));
    }
}

/// Linear skinning if the first pane has another method, else dual quaternions.
pub(super) fn switch_method(state: &State) -> Command {
    let method = match state.panes.first().map(|pane| pane.method) {
        Some(Method::Linear) => Method::DualQuat,
        _ => Method::Linear,
    };
    let method = method.name().to_owned();
    PaneCommand::Method { method }.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panes_fill_the_place_without_lying_over_each_other() {
        for (width, height) in [(1200.0, 700.0), (900.0, 300.0), (1.0, 1.0)] {
            let whole = Rect::from_min_size(pos2(10.0, 20.0), vec2(width, height));
            for panes in 1..=4 {
                let pane_rects = pane_rects(whole, panes);
                assert_eq!(pane_rects.len(), panes);
                for (index, pane_rect) in pane_rects.iter().enumerate() {
                    assert!(pane_rect.width() >= 1.0 && pane_rect.height() >= 1.0);
                    let others = pane_rects.iter().skip(index + 1);
                    for other in others.filter(|_| width > 1.0) {
                        assert!(!pane_rect.shrink(0.5).intersects(other.shrink(0.5)));
                    }
                }
            }
        }
    }
}
