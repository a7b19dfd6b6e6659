//! Keys of the pose: tools, and numbers while a drag lasts.

use super::drag::{drag_in_progress, keep_drag, picture};
use super::pull::{Pull, key_over_range};
use crate::panels::pictures::Pictures;
use crate::session::Session;
use crate::state::{Command, HistoryCommand, PoseCommand, PoseTool, Selection};
use egui::{Event, Key, Modifiers, Ui};
use sinew_edit::{Name, PoseEdit, Space};

const PLAIN: Modifiers = Modifiers::NONE;
const SHIFT: Modifiers = Modifiers::SHIFT;
const ALT: Modifiers = Modifiers::ALT;
const CTRL: Modifiers = Modifiers::COMMAND;

/// Reads the keys of this frame before all other panels do.
pub(crate) fn keys(
    ui: &Ui,
    session: &Session,
    pictures: &dyn Pictures,
    commands: &mut Vec<Command>,
) {
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
    let is_pressed = |modifiers, key| ui.input_mut(|input| input.consume_key(modifiers, key));
    for (modifiers, key, command) in bound(session) {
        if is_pressed(modifiers, key) {
            commands.push(command);
        }
    }
    let Selection::Joint(joint) = session.state().selection else {
        return;
    };
    if is_pressed(SHIFT, Key::K) {
        commands.extend(lock(session));
    }
    if is_pressed(SHIFT, Key::O) {
        commands.extend(pole(session, joint, pictures));
    }
    if is_pressed(CTRL, Key::I) {
        commands.extend(key_over_range(session, joint, pictures).map(Command::from));
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
        (SHIFT, Key::R, keep_rotation(session)),
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
    PoseEdit::ResetPose { joints, below }.into()
}

pub(crate) fn mirror(session: &Session) -> Command {
    let over = session.state().moment();
    PoseEdit::MirrorPose { over }.into()
}

pub(super) fn limits(session: &Session) -> Command {
    let on = session.state().posing.is_unlimited;
    PoseCommand::PoseLimits { on }.into()
}

pub(super) fn pin(session: &Session, joint: usize) -> Command {
    let on = !session.state().posing.pins.contains(&joint);
    PoseCommand::PinJoint { joint, on }.into()
}

/// Locks all selected joints, or lets them go if the first one is locked.
pub(super) fn lock(session: &Session) -> Vec<Command> {
    let state = session.state();
    let joints = state.selected_joints();
    let first = joints.first().copied();
    let on = first.is_some_and(|joint| !state.posing.locks.contains(&joint));
    let lock = |joint: usize| PoseCommand::LockJoint { joint, on }.into();
    joints.into_iter().map(lock).collect()
}

pub(super) fn keep_rotation(session: &Session) -> Command {
    let on = !session.state().posing.keeps_rotation;
    PoseCommand::KeepRotation { on }.into()
}

/// Adds a pole to the limb of a joint, or removes it. `None` if there is no limb.
pub(super) fn pole(session: &Session, joint: usize, pictures: &dyn Pictures) -> Option<Command> {
    let has_pole = session.state().posing.poles.contains_key(&joint);
    let position = if has_pole {
        None
    } else {
        Some(Pull::new(session, joint, pictures)?.first_pole(session)?)
    };
    Some(PoseCommand::Pole { joint, position }.into())
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
                    commands.push(HistoryCommand::drag(edit).into());
                    commands.push(HistoryCommand::Release.into());
                }
                Key::Escape => {
                    drag.is_over = true;
                    commands.push(HistoryCommand::Cancel.into());
                    if let Some(pull) = drag.pull.as_ref().filter(|pull| pull.pole.is_some()) {
                        let (joint, position) = (pull.joint, pull.pole);
                        commands.push(PoseCommand::Pole { joint, position }.into());
                    }
                }
                _ => {}
            },
            _ => {}
        }
    }
    keep_drag(ui, Some(drag));
}
