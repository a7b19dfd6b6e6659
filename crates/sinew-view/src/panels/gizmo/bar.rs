//! Tools for the selected joint, over the picture.

use super::keys::{limits, next_space, pin};
use crate::panels::style::widgets::chip;
use crate::session::Session;
use crate::state::{Command, PoseCommand, PoseTool};
use egui::{Rect, Ui, UiBuilder, vec2};
use sinew_edit::Space;

/// Min width of a pane with tools, in points.
const MIN_WIDTH: f32 = 330.0;

pub(super) fn show(
    ui: &mut Ui,
    session: &Session,
    joint: usize,
    pane_rect: Rect,
    commands: &mut Vec<Command>,
) {
    if pane_rect.width() < MIN_WIDTH || pane_rect.height() < 160.0 {
        return;
    }
    // Several panes have captions in the corner.
    let top = if session.state().panes.len() > 1 {
        46.0
    } else {
        12.0
    };
    let corner = pane_rect.min + vec2(12.0, top);
    let room = Rect::from_min_size(corner, vec2(pane_rect.width() - 24.0, 60.0));
    let posing = &session.state().posing;
    ui.scope_builder(UiBuilder::new().max_rect(room), |ui| {
        ui.spacing_mut().item_spacing = vec2(4.0, 4.0);
        ui.horizontal_wrapped(|ui| {
            for tool in PoseTool::ALL {
                let hint = match tool {
                    PoseTool::Select => "Selects joints and orbits the camera (Q)",
                    PoseTool::Rotate => "Rotates the selected joints (R)",
                    PoseTool::Move => "Moves the selected joints (G)",
                    PoseTool::Scale => "Scales the selected joints (S)",
                    PoseTool::Pull => "Pulls a hand, foot or head; the joints above follow (T)",
                };
                if chip(ui, tool.name(), hint, tool == posing.tool).clicked() {
                    commands.push(PoseCommand::PoseTool { tool }.into());
                }
            }
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
            let hint = "Holds this joint while another one is pulled (Shift+P)";
            if chip(ui, "Pin", hint, posing.pins.contains(&joint)).clicked() {
                commands.push(pin(session, joint));
            }
        });
    });
}
