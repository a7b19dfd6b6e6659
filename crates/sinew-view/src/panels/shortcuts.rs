use super::time::clipboard;
use super::time::controls::delete_keys;
use super::top_bar::Requests;
use super::viewport::switch_method;
use crate::session::Session;
use crate::state::{
    CameraCommand, Command, EditingCommand, Ending, FileCommand, HistoryCommand, LookCommand,
    Overlay, PanelKind, PlaybackCommand, Preset, Projection, Selection, SelectionCommand, State,
    Surface, WindowCommand,
};
use egui::{Event, Key, Modifiers, Popup, Ui};
use sinew_edit::Keys;

const PLAIN: Modifiers = Modifiers::NONE;
const CTRL: Modifiers = Modifiers::COMMAND;
const SHIFT: Modifiers = Modifiers::SHIFT;
const CTRL_SHIFT: Modifiers = Modifiers::COMMAND.plus(Modifiers::SHIFT);

/// Reads the keys of this frame, unless a text field has the focus.
pub(super) fn read(ui: &Ui, session: &Session, commands: &mut Vec<Command>) -> Requests {
    if ui.ctx().text_edit_focused() {
        return Requests::default();
    }
    let requests = Requests {
        open_dialog: is_pressed(ui, CTRL, Key::O),
        ..Requests::default()
    };
    let state = session.state();
    let save_as = FileCommand::SaveAs {
        path: None,
        replace: false,
    };
    for (modifiers, command) in [(CTRL_SHIFT, save_as), (CTRL, FileCommand::Save)] {
        if is_pressed(ui, modifiers, Key::S) {
            commands.push(command.into());
        }
    }
    edit_keys(ui, session, commands);
    clipboard::read(ui, session, commands);
    let going = goers(session).into_iter();
    let changing = changers(state).into_iter();
    for (modifiers, key, command) in going.chain(changing) {
        // An open menu closes first.
        let is_taken = key == Key::Escape && Popup::is_any_open(ui.ctx());
        if !is_taken && is_pressed(ui, modifiers, key) {
            commands.push(command);
        }
    }
    if is_question(ui) {
        let panel = PanelKind::Help;
        let on = !state.window.panels.contains(&panel);
        commands.push(WindowCommand::Panel { panel, on }.into());
    }
    requests
}

fn is_pressed(ui: &Ui, modifiers: Modifiers, key: Key) -> bool {
    ui.input_mut(|input| input.consume_key(modifiers, key))
}

fn is_question(ui: &Ui) -> bool {
    let is_it = |event: &Event| matches!(event, Event::Text(text) if text == "?");
    ui.input(|input| input.events.iter().any(is_it))
}

/// Keys of edits. Variants with Shift come first.
fn edit_keys(ui: &Ui, session: &Session, commands: &mut Vec<Command>) {
    let undo = HistoryCommand::Undo;
    let redo = HistoryCommand::Redo;
    for (modifiers, key, command) in [
        (CTRL_SHIFT, Key::Z, redo.clone()),
        (CTRL, Key::Y, redo),
        (CTRL, Key::Z, undo),
    ] {
        if is_pressed(ui, modifiers, key) {
            commands.push(command.into());
        }
    }
    for (modifiers, whole) in [(SHIFT, true), (PLAIN, false)] {
        if is_pressed(ui, modifiers, Key::I) {
            commands.extend(session.key_edit(whole).map(Command::from));
        }
    }
    if let Some(delete) = delete_keys(session)
        && (is_pressed(ui, PLAIN, Key::Delete) || is_pressed(ui, PLAIN, Key::X))
    {
        commands.push(delete.into());
    }
    if is_pressed(ui, CTRL, Key::A) {
        let keys = vec![Keys {
            from_secs: 0.0,
            to_secs: session.duration_secs() as f32,
            ..Keys::default()
        }];
        commands.push(EditingCommand::SelectKeys { keys, add: false }.into());
    }
    let state = session.state();
    let is_open = state.window.panels.contains(&PanelKind::Help) || Popup::is_any_open(ui.ctx());
    let is_any_selected = !state.editing.keys.is_empty();
    if is_any_selected && !is_open && ui.input(|input| input.key_pressed(Key::Escape)) {
        let keys = Vec::new();
        commands.push(EditingCommand::SelectKeys { keys, add: false }.into());
    }
}

/// Keys that change the time or move the camera. Variants with Ctrl come first.
fn goers(session: &Session) -> [(Modifiers, Key, Command); 18] {
    let playback = &session.state().playback;
    let now = playback.time_secs;
    let [first, last] = playback.played_secs(session.duration_secs());
    let seek = |time_secs| PlaybackCommand::Seek { time_secs }.into();
    let step = |frames| PlaybackCommand::StepFrames { frames }.into();
    let range = |from, to| {
        let range_secs = Some([from, to]);
        PlaybackCommand::Range { range_secs }.into()
    };
    let view = |preset| CameraCommand::Preset { preset }.into();
    [
        (PLAIN, Key::Space, PlaybackCommand::TogglePlay.into()),
        (CTRL, Key::ArrowLeft, PlaybackCommand::PreviousKey.into()),
        (CTRL, Key::ArrowRight, PlaybackCommand::NextKey.into()),
        (PLAIN, Key::ArrowLeft, step(-1)),
        (PLAIN, Key::ArrowRight, step(1)),
        (PLAIN, Key::Home, seek(first)),
        (PLAIN, Key::End, seek(last)),
        (PLAIN, Key::OpenBracket, range(now, last.max(now))),
        (PLAIN, Key::CloseBracket, range(first.min(now), now)),
        (PLAIN, Key::F, CameraCommand::Frame.into()),
        (PLAIN, Key::Num0, view(Preset::Home)),
        (CTRL, Key::Num1, view(Preset::Back)),
        (CTRL, Key::Num3, view(Preset::Left)),
        (CTRL, Key::Num7, view(Preset::Bottom)),
        (PLAIN, Key::Num1, view(Preset::Front)),
        (PLAIN, Key::Num3, view(Preset::Right)),
        (PLAIN, Key::Num7, view(Preset::Top)),
        (PLAIN, Key::Escape, escape(session.state())),
    ]
}

fn changers(state: &State) -> [(Modifiers, Key, Command); 9] {
    let ending = match state.playback.ending {
        Ending::Loop => Ending::PingPong,
        Ending::PingPong => Ending::Stop,
        Ending::Stop => Ending::Loop,
    };
    let projection = match state.camera.projection {
        Projection::Perspective => Projection::Orthographic,
        Projection::Orthographic => Projection::Perspective,
    };
    let surface = match state.look.surface {
        Surface::Materials => Surface::JointWeight,
        Surface::JointWeight => Surface::Normals,
        _ => Surface::Materials,
    };
    let toggle = |overlay| {
        let on = !state.look.overlays.contains(&overlay);
        LookCommand::Overlay { overlay, on }.into()
    };
    let picture_only = WindowCommand::PictureOnly {
        on: !state.window.is_picture_only,
    };
    [
        (PLAIN, Key::H, picture_only.into()),
        (PLAIN, Key::L, PlaybackCommand::Ending { ending }.into()),
        (
            PLAIN,
            Key::Num5,
            CameraCommand::Projection { projection }.into(),
        ),
        (PLAIN, Key::K, switch_method(state)),
        (PLAIN, Key::M, LookCommand::Surface { surface }.into()),
        (PLAIN, Key::B, toggle(Overlay::Bones)),
        (PLAIN, Key::N, toggle(Overlay::Names)),
        (PLAIN, Key::G, toggle(Overlay::Grid)),
        (PLAIN, Key::W, toggle(Overlay::Wireframe)),
    ]
}

/// Closes the help if it is open, else clears the selection.
fn escape(state: &State) -> Command {
    let panel = PanelKind::Help;
    if state.window.panels.contains(&panel) {
        return WindowCommand::Panel { panel, on: false }.into();
    }
    let selection = Selection::None;
    SelectionCommand::Select { selection }.into()
}
