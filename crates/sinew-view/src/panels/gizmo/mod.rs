//! Gizmo at the selected joint: drag a part of it to change the pose.

mod bar;
mod drag;
mod keys;
mod pull;
mod shape;
mod view;

pub(super) use keys::{keys, mirror, reset};
pub(crate) use shape::Handle;

use super::pictures::Pictures;
use super::style::theme::{Palette, small};
use crate::session::Session;
use crate::state::{Command, HistoryCommand, PoseCommand, PoseTool, Selection};
use drag::{Drag, drag_in_progress, keep_drag, keep_picture};
use egui::{
    Align2, Color32, CornerRadius, CursorIcon, PointerButton, Rect, Response, Role, Sense, Shape,
    Stroke, StrokeKind, Ui, Vec2, WidgetInfo, vec2,
};
use pull::{Pull, pole_line};
use shape::Gizmo;
use sinew::{Affine, Skeleton};
use view::View;

/// State of the gizmo in a frame.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Handled {
    /// True if the pointer drags the gizmo, not the camera.
    pub is_dragged: bool,
    /// Part under the pointer.
    pub lit: Option<Handle>,
}

/// Reads the pointer at the gizmo, and shows its tools, in the first pane. [`shapes`] draws it.
pub(super) fn show(
    ui: &mut Ui,
    session: &Session,
    pictures: &dyn Pictures,
    pane_rect: Rect,
    response: &Response,
    commands: &mut Vec<Command>,
) -> Handled {
    keep_picture(ui, pane_rect);
    let state = session.state();
    let file = session.document().file(state.shown);
    let (Selection::Joint(joint), Some(file)) = (state.selection, file) else {
        return stop(ui, commands);
    };
    let view = View::new(&state.camera, pane_rect);
    let Some(gizmo) = gizmo_at(
        session,
        &file.character.skeleton,
        joint,
        pictures,
        pane_rect,
    ) else {
        return stop(ui, commands);
    };
    let is_pulling = state.posing.tool == PoseTool::Pull;
    let mut drag = drag_in_progress(ui);
    let pointer = ui.input(|input| input.pointer.latest_pos());
    let is_held = response.dragged_by(PointerButton::Primary);
    if drag.is_none()
        && response.drag_started_by(PointerButton::Primary)
        && let Some(start) = ui.input(|input| input.pointer.press_origin())
        && let Some(handle) = gizmo.hit(&view, start)
    {
        let pull = is_pulling.then(|| Pull::new(session, joint, pictures));
        drag = Some(Drag::new(gizmo, handle, start, &view, state).pulling(pull.flatten()));
    }
    if let Some(drag) = drag.as_mut()
        && is_held
        && let Some(to) = response.interact_pointer_pos()
    {
        drag.follow(&view, to, ui.input(|input| input.modifiers.command));
        let edit = drag.edit(state);
        if !drag.is_over && drag.sent.as_ref() != Some(&edit) {
            drag.sent = Some(edit.clone());
            if let Some(pole) = drag.pole() {
                let position = Some(pole);
                commands.push(PoseCommand::Pole { joint, position }.into());
            }
            commands.push(HistoryCommand::drag(edit).into());
        }
    }
    let hovered = match &drag {
        Some(drag) => Some(drag.handle),
        None if response.hovered() => pointer.and_then(|at| gizmo.hit(&view, at)),
        None => None,
    };
    if hovered.is_some() {
        ui.set_cursor_icon(CursorIcon::Grab);
    }
    if let (Some(drag), Some(middle)) = (&drag, view.point(gizmo.at)) {
        readout(ui, session, drag, middle + vec2(104.0, -46.0));
    }
    bar::show(ui, session, joint, pictures, pane_rect, commands);
    let has_pointer = drag.is_some();
    if has_pointer && !is_held {
        return stop(ui, commands);
    }
    keep_drag(ui, drag);
    Handled {
        is_dragged: has_pointer,
        lit: hovered,
    }
}

/// Drawing of the gizmo and of the marks of joints in the first pane.
pub(super) fn shapes(
    ui: &Ui,
    session: &Session,
    pictures: &dyn Pictures,
    pane_rect: Rect,
    lit: Option<Handle>,
) -> Vec<Shape> {
    let mut shapes = Vec::new();
    let state = session.state();
    let file = session.document().file(state.shown);
    if let (Selection::Joint(joint), Some(file)) = (state.selection, file) {
        let skeleton = &file.character.skeleton;
        if let Some(gizmo) = gizmo_at(session, skeleton, joint, pictures, pane_rect) {
            marks(ui, session, pictures, pane_rect, &mut shapes);
            let view = View::new(&state.camera, pane_rect);
            gizmo.draw(&view, lit, &mut shapes);
        }
    }
    shapes
}

/// Ends a drag, if there is one.
fn stop(ui: &Ui, commands: &mut Vec<Command>) -> Handled {
    let Some(drag) = drag_in_progress(ui) else {
        return Handled::default();
    };
    if !drag.is_over {
        commands.push(HistoryCommand::Release.into());
    }
    keep_drag(ui, None);
    Handled {
        is_dragged: true,
        lit: None,
    }
}

fn gizmo_at(
    session: &Session,
    skeleton: &Skeleton,
    joint: usize,
    pictures: &dyn Pictures,
    pane_rect: Rect,
) -> Option<Gizmo> {
    let posing = &session.state().posing;
    let (_, model) = pictures.joint(joint)?;
    let above = skeleton.parent(joint);
    let parent = above.and_then(|parent| pictures.joint(parent));
    let parent = parent.map_or(Affine::IDENTITY, |(_, parent)| parent);
    let gizmo = Gizmo::new(posing.tool, posing.space, &model, &parent);
    let is_pulling = posing.tool == PoseTool::Pull;
    let has_rings = is_pulling && posing.keeps_rotation && above.is_some();
    let pole = pole_line(session.state(), skeleton, joint, pictures);
    Some(gizmo.within(pane_rect).pulling(has_rings, pole))
}

/// Draws further selected joints as dots, pinned joints as squares and locked joints as crosses.
fn marks(
    ui: &Ui,
    session: &Session,
    pictures: &dyn Pictures,
    pane_rect: Rect,
    shapes: &mut Vec<Shape>,
) {
    let state = session.state();
    let posing = &state.posing;
    if state.further_joints.is_empty() && posing.pins.is_empty() && posing.locks.is_empty() {
        return;
    }
    let seen = pictures.joints(0, pane_rect.width() / pane_rect.height());
    let at = |joint: usize| {
        let at = seen.get(joint).copied().flatten()?;
        Some(pane_rect.min + vec2(at.x, at.y) * pane_rect.size())
    };
    let accent = Palette::of(ui).accent;
    for at in state.further_joints.iter().filter_map(|&joint| at(joint)) {
        shapes.push(Shape::circle_filled(at, 5.0, accent));
    }
    let stroke = Stroke::new(2.5, accent);
    for at in posing.pins.iter().filter_map(|&joint| at(joint)) {
        let square = Rect::from_center_size(at, Vec2::splat(14.0));
        shapes.push(Shape::rect_stroke(square, 2.0, stroke, StrokeKind::Middle));
    }
    for at in posing.locks.iter().filter_map(|&joint| at(joint)) {
        for across in [vec2(6.0, 6.0), vec2(6.0, -6.0)] {
            shapes.push(Shape::line_segment([at - across, at + across], stroke));
        }
    }
}

/// Amount, distance to the goal, and joints at their limits.
fn readout(ui: &Ui, session: &Session, drag: &Drag, at: egui::Pos2) {
    let report = &session.state().edited;
    let mut words = drag.words();
    if let Some(residual) = report.residual {
        words += &format!("\nmissed by {residual:.3}");
    }
    if !report.at_limits.is_empty() {
        words += &format!("\nat limit: {}", report.at_limits.join(", "));
    }
    let ink = Color32::from_rgb(0xf4, 0xf4, 0xf0);
    let galley = ui.painter().layout_no_wrap(words.clone(), small(), ink);
    let rect = Align2::LEFT_TOP.anchor_size(at, galley.size());
    let back = rect.expand2(vec2(7.0, 4.0));
    ui.painter()
        .rect_filled(back, CornerRadius::same(5), Color32::from_black_alpha(170));
    ui.painter().galley(rect.min, galley, ink);
    let label = ui.interact(back, ui.scope_id().with("readout"), Sense::hover());
    label.widget_info(|| WidgetInfo::labeled(Role::Label, true, &words));
}
