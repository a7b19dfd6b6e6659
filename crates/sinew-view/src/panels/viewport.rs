//! Panes side by side. The pointer rotates and moves the camera, and selects items.

use super::gizmo;
use super::pictures::Pictures;
use super::style::theme::{Palette, small};
use crate::session::Session;
use crate::state::{
    CameraCommand, Command, Overlay, PaneCommand, Projection, Selection, SelectionCommand, State,
};
use egui::{
    Align2, Color32, CornerRadius, CursorIcon, FontId, PointerButton, Rect, Response, Role, Sense,
    Shape, Stroke, Ui, Vec2, WidgetInfo, pos2, vec2,
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
) -> Vec<Rect> {
    let whole = ui.available_rect_before_wrap();
    let panes = session.state().panes.len().max(1);
    let pane_rects = pane_rects(whole, panes);
    for (pane, &pane_rect) in pane_rects.iter().enumerate() {
        show_pane(ui, session, pictures, pane, pane_rect, commands);
    }
    ui.allocate_rect(whole, Sense::hover());
    pane_rects
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
) {
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
    let is_posing = pane == 0 && gizmo::show(ui, session, pictures, pane_rect, &response, commands);
    if !is_posing {
        steer(ui, &response, pane, pane_rect, commands);
    }
    if session.state().look.overlays.contains(&Overlay::Names) {
        names(ui, session, pictures, pane, pane_rect);
    }
    caption(ui, session, pane, pane_rect);
    if let Some(why) = pictures.problem(pane) {
        notice(ui, pane_rect, &format!("Cannot draw this: {why}"));
    } else if pictures.is_preparing() {
        notice(ui, pane_rect, "Preparing …");
    }
    if pane == 0 && !session.state().window.is_picture_only {
        compass(ui, session, pane_rect);
        skinning(ui, session, pane_rect, commands);
    }
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

/// Writes names beside joints, parents first. Omits a name that would overlap another.
fn names(ui: &Ui, session: &Session, pictures: &dyn Pictures, pane: usize, pane_rect: Rect) {
    let Some(file) =
        (session.state().panes.get(pane)).and_then(|pane| session.document().file(pane.file))
    else {
        return;
    };
    let painter = ui.painter().with_clip_rect(pane_rect);
    let selected = match session.state().selection {
        Selection::Joint(joint) => Some(joint),
        _ => None,
    };
    let seen = pictures.joints(pane, pane_rect.width() / pane_rect.height());
    let mut taken: Vec<Rect> = Vec::new();
    let order = selected.into_iter().chain(0..seen.len());
    for joint in order {
        let Some(at) = seen.get(joint).copied().flatten() else {
            continue;
        };
        let name = file.character.skeleton.name(joint);
        let name = name.rsplit([':', '|']).next().unwrap_or(name);
        let at = pane_rect.min + vec2(at.x * pane_rect.width(), at.y * pane_rect.height());
        let is_selected = Some(joint) == selected;
        let ink = if is_selected {
            Palette::of(ui).accent
        } else {
            Color32::from_rgb(0xf4, 0xf4, 0xf0)
        };
        let words = painter.layout_no_wrap(name.to_owned(), small(), ink);
        let corner = at + vec2(9.0, -words.size().y / 2.0);
        let rect = Rect::from_min_size(corner, words.size()).expand2(vec2(4.0, 1.0));
        if name.is_empty()
            || !pane_rect.contains_rect(rect)
            || taken.iter().any(|t| t.intersects(rect))
        {
            continue;
        }
        taken.push(rect);
        let back = Color32::from_black_alpha(150);
        painter.rect_filled(rect, CornerRadius::same(3), back);
        painter.galley(corner, words, ink);
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

fn compass(ui: &Ui, session: &Session, pane_rect: Rect) {
    if pane_rect.width() < 160.0 || pane_rect.height() < 120.0 {
        return;
    }
    let camera = &session.state().camera;
    let middle = pane_rect.left_bottom() + vec2(40.0, -40.0);
    let (sin_a, cos_a) = camera.azimuth_rad.sin_cos();
    let (sin_e, cos_e) = camera.elevation_rad.sin_cos();
    let back = glam::Vec3::new(sin_a * cos_e, sin_e, cos_a * cos_e);
    let right = glam::Vec3::new(cos_a, 0.0, -sin_a);
    let up = back.cross(right);
    let mut axes = [
        (glam::Vec3::X, "x", Color32::from_rgb(0xd9, 0x5f, 0x57)),
        (glam::Vec3::Y, "y", Color32::from_rgb(0x7f, 0xb0, 0x5b)),
        (glam::Vec3::Z, "z", Color32::from_rgb(0x5f, 0x8f, 0xd9)),
    ];
    axes.sort_by(|a, b| a.0.dot(back).total_cmp(&b.0.dot(back)));
    for (axis, name, color) in axes {
        let tip = middle + vec2(axis.dot(right), -axis.dot(up)) * 22.0;
        let line = Shape::line_segment([middle, tip], Stroke::new(2.0, color));
        ui.painter().add(line);
        ui.painter().circle_filled(tip, 6.5, color);
        let ink = Color32::from_rgb(0x14, 0x15, 0x18);
        let font = FontId::proportional(10.5);
        ui.painter()
            .text(tip, Align2::CENTER_CENTER, name, font, ink);
    }
    let words = match camera.projection {
        Projection::Perspective => "",
        Projection::Orthographic => "orthographic",
    };
    ui.painter().text(
        middle + vec2(38.0, 22.0),
        Align2::LEFT_CENTER,
        words,
        small(),
        Palette::of(ui).dim,
    );
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
