//! Tools for the selected joint, over the picture. In a small picture, they are in two menus.

use super::keys::{keep_rotation, limits, lock, next_space, pin, pole};
use super::pull::key_over_range;
use crate::panels::pictures::Pictures;
use crate::panels::style::widgets::chip;
use crate::session::Session;
use crate::state::{Command, PoseCommand, PoseTool};
use egui::{Rect, Ui, UiBuilder, vec2};
use sinew_edit::Space;

/// Min size of a picture with all tools on it, in points.
const MIN_SIZE: [f32; 2] = [480.0, 260.0];

pub(super) fn show(
    ui: &mut Ui,
    session: &Session,
    joint: usize,
    pictures: &dyn Pictures,
    pane_rect: Rect,
    commands: &mut Vec<Command>,
) {
    // Several panes have captions in the corner.
    let has_caption = session.state().panes.len() > 1;
    let is_small = pane_rect.width() < MIN_SIZE[0] || pane_rect.height() < MIN_SIZE[1];
    let left = if is_small { 4.0 } else { 12.0 };
    let top = if has_caption { 46.0 } else { left };
    let corner = pane_rect.min + vec2(left, top);
    let room = Rect::from_min_size(corner, vec2(pane_rect.width() - 2.0 * left, 60.0));
    let tool = session.state().posing.tool;
    ui.scope_builder(UiBuilder::new().max_rect(room), |ui| {
        ui.spacing_mut().item_spacing = vec2(4.0, 4.0);
        ui.horizontal_wrapped(|ui| {
            if is_small {
                let title = format!("Tool: {}", tool.name());
                ui.menu_button(title, |ui| tools(ui, session, commands));
                ui.menu_button("Options", |ui| {
                    options(ui, session, joint, pictures, commands);
                });
            } else {
                tools(ui, session, commands);
                options(ui, session, joint, pictures, commands);
            }
        });
    });
}

fn tools(ui: &mut Ui, session: &Session, commands: &mut Vec<Command>) {
    for tool in PoseTool::ALL {
        let hint = match tool {
            PoseTool::Select => "Selects joints and orbits the camera (Q)",
            PoseTool::Rotate => "Rotates the selected joints (R)",
            PoseTool::Move => "Moves the selected joints (G)",
            PoseTool::Scale => "Scales the selected joints (S)",
            PoseTool::Pull => "Pulls a hand, foot or head; the joints above follow (T)",
        };
        let is_on = tool == session.state().posing.tool;
        if chip(ui, tool.name(), hint, is_on).clicked() {
            commands.push(PoseCommand::PoseTool { tool }.into());
        }
    }
}

fn options(
    ui: &mut Ui,
    session: &Session,
    joint: usize,
    pictures: &dyn Pictures,
    commands: &mut Vec<Command>,
) {
    let posing = &session.state().posing;
    let (space, hint) = match posing.space {
        Space::Local => ("Local axes", "Axes of the joint (,)"),
        Space::Parent => ("Parent axes", "Axes of the parent of the joint (,)"),
        Space::Model => ("Model axes", "Axes of the model (,)"),
    };
    if chip(ui, space, hint, false).clicked() {
        commands.push(next_space(session));
    }
    let hint = "Joints do not pass their limits (Shift+L)";
    if chip(ui, "Stop at limits", hint, !posing.is_unlimited).clicked() {
        commands.push(limits(session));
    }
    let hint = "Holds this joint at its position while another one is pulled (Shift+P)";
    if chip(ui, "Pin", hint, posing.pins.contains(&joint)).clicked() {
        commands.push(pin(session, joint));
    }
    let hint = "The selected joints do not rotate while another one is pulled (Shift+K)";
    if chip(ui, "Lock", hint, posing.locks.contains(&joint)).clicked() {
        commands.extend(lock(session));
    }
    if posing.tool != PoseTool::Pull {
        return;
    }
    let hint = "The pulled joint keeps its rotation; rings at it change the rotation (Shift+R)";
    if chip(ui, "Keep rotation", hint, posing.keeps_rotation).clicked() {
        commands.push(keep_rotation(session));
    }
    let hint = "A point to drag, to which the knee or elbow bends; not with pins (Shift+O)";
    if chip(ui, "Pole", hint, posing.poles.contains_key(&joint)).clicked() {
        commands.extend(pole(session, joint, pictures));
    }
    let hint = "Keys the limb over the played range, so that this joint stays here (Ctrl+I)";
    if chip(ui, "Key over range", hint, false).clicked() {
        commands.extend(key_over_range(session, joint, pictures).map(Command::from));
    }
}
