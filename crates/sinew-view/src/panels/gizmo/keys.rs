//! Keys of the pose: tools, and numbers while a drag lasts.

use super::drag::{drag_in_progress, keep_drag, picture};
use crate::session::Session;
use crate::state::{Command, HistoryCommand, PoseCommand, PoseTool, Selection};
use egui::{Event, Key, Modifiers, Ui};
use sinew_edit::{Edit, Name, Space};

const PLAIN: Modifiers = Modifiers::NONE;
const SHIFT: Modifiers = Modifiers::SHIFT;
const ALT: Modifiers = Modifiers::ALT;
const CTRL: Modifiers = Modifiers::COMMAND;

/// Reads the keys of this frame before all other panels do.
pub(crate) fn keys(ui: &Ui, session: &Session, commands: &mut Vec<Command>) {
    if ui.ctx().text_edit_focused() {
        return;
    }
    if drag_in_progress(ui).is_some() {
        return type_number(ui, session, commands);
    }
    // Over the timeline, the same keys apply to keys of clips.
    let pointer = ui.input(|input| input.pointer.hover_pos());
    let is_below = |picture: egui::Rect| pointer.is_some_and(|at| at.y > picture.bottom());
    if picture(ui).is_some_and(is_below) {
        return;
    }
    for (modifiers, key, command) in bound(session) {
        if ui.input_mut(|input| input.consume_key(modifiers, key)) {
            commands.push(command);
        }
    }
}

/// Keys with their commands. Those with more modifiers come first.
fn bound(session: &Session) -> Vec<(Modifiers, Key, Command)> {
    let state = session.state();
    let mut all = vec![
        (CTRL | ALT, Key::R, reset(&[], false)),
        (CTRL, Key::M, mirror(session)),
        (SHIFT, Key::C, PoseCommand::CopyPose.into()),
        (SHIFT, Key::V, PoseCommand::PastePose.into()),
    ];
    let Selection::Joint(joint) = state.selection else {
        return all;
    };
    let joints = state.selected_joints();
    let tool = |tool| PoseCommand::PoseTool { tool }.into();
    all.extend([
        (SHIFT | ALT, Key::R, reset(&joints, true)),
        (ALT, Key::R, reset(&joints, false)),
        (SHIFT, Key::L, limits(session)),
        (SHIFT, Key::P, pin(session, joint)),
        (PLAIN, Key::Q, tool(PoseTool::Select)),
        (PLAIN, Key::R, tool(PoseTool::Rotate)),
        (PLAIN, Key::G, tool(PoseTool::Move)),
        (PLAIN, Key::S, tool(PoseTool::Scale)),
        (PLAIN, Key::T, tool(PoseTool::Pull)),
        (PLAIN, Key::Comma, next_space(session)),
    ]);
    all
}

pub(crate) fn reset(joints: &[usize], below: bool) -> Command {
    let joints = joints.iter().map(|&joint| Name::Index(joint)).collect();
    Edit::ResetPose { joints, below }.into()
}

pub(crate) fn mirror(session: &Session) -> Command {
    let over = session.state().moment();
    Edit::MirrorPose { over }.into()
}

pub(super) fn limits(session: &Session) -> Command {
    let on = session.state().posing.is_unlimited;
    PoseCommand::PoseLimits { on }.into()
}

pub(super) fn pin(session: &Session, joint: usize) -> Command {
    let on = !session.state().posing.pins.contains(&joint);
    PoseCommand::PinJoint { joint, on }.into()
}

pub(super) fn next_space(session: &Session) -> Command {
    let space = match session.state().posing.space {
        Space::Local => Space::Parent,
        Space::Parent => Space::Model,
        Space::Model => Space::Local,
    };
    PoseCommand::PoseSpace { space }.into()
}

/// Takes all keys during a drag: a number replaces the amount, Enter ends it, Esc takes it back.
fn type_number(ui: &Ui, session: &Session, commands: &mut Vec<Command>) {
    let Some(mut drag) = drag_in_progress(ui) else {
        return;
    };
    let mut taken = Vec::new();
    ui.input_mut(|input| {
        input.events.retain(|event| {
            let is_key = matches!(event, Event::Key { .. } | Event::Text(_));
            if is_key {
                taken.push(event.clone());
            }
            !is_key
        });
    });
    for event in taken {
        match event {
            _ if drag.is_over => {}
            Event::Text(text) => {
                let digits = text
                    .chars()
                    .filter(|c| c.is_ascii_digit() || ".-".contains(*c));
                drag.typed.extend(digits);
                drag.typed.truncate(12);
            }
            Event::Key {
                key, pressed: true, ..
            } => match key {
                Key::Backspace => {
                    drag.typed.pop();
                }
                Key::Enter => {
                    drag.is_over = true;
                    let edit = drag.edit(session.state());
                    commands.push(HistoryCommand::Drag { edit }.into());
                    commands.push(HistoryCommand::Release.into());
                }
                Key::Escape => {
                    drag.is_over = true;
                    commands.push(HistoryCommand::Cancel.into());
                }
                _ => {}
            },
            _ => {}
        }
    }
    keep_drag(ui, Some(drag));
}
