//! Keys to commands.

use super::top_bar::Asked;
use crate::session::Session;
use crate::state::{Command, Ending, Overlay, PanelKind, Preset, Projection, Selection, Surface};
use egui::{Key, Modifiers, Ui};

/// Reads the keys of this frame. While a field is typed into, they are its own.
pub(super) fn read(ui: &Ui, session: &Session, commands: &mut Vec<Command>) -> Asked {
    let mut asked = Asked::default();
    if ui.ctx().text_edit_focused() {
        return asked;
    }
    let state = session.state();
    let playback = &state.playback;
    let pressed =
        |modifiers: Modifiers, key: Key| ui.input_mut(|input| input.consume_key(modifiers, key));
    let (plain, ctrl) = (Modifiers::NONE, Modifiers::COMMAND);
    asked.open_dialog = pressed(ctrl, Key::O);
    let file = session.document().file(state.shown);
    let duration_secs = file.map_or(0.0, |file| file.duration_secs(playback.clip));
    let [first, last] = playback.range_secs.unwrap_or([0.0, duration_secs]);
    let now = playback.time_secs;
    let table = [
        (plain, Key::Space, Command::TogglePlay),
        (ctrl, Key::ArrowLeft, Command::PreviousKey),
        (ctrl, Key::ArrowRight, Command::NextKey),
        (plain, Key::ArrowLeft, Command::StepFrames { frames: -1 }),
        (plain, Key::ArrowRight, Command::StepFrames { frames: 1 }),
        (plain, Key::Home, Command::Seek { time_secs: first }),
        (plain, Key::End, Command::Seek { time_secs: last }),
        (
            plain,
            Key::I,
            Command::Range {
                range_secs: Some([now, last.max(now)]),
            },
        ),
        (
            plain,
            Key::O,
            Command::Range {
                range_secs: Some([first.min(now), now]),
            },
        ),
        (plain, Key::F, Command::Frame),
        (
            plain,
            Key::Num0,
            Command::Preset {
                preset: Preset::Home,
            },
        ),
        (
            ctrl,
            Key::Num1,
            Command::Preset {
                preset: Preset::Back,
            },
        ),
        (
            ctrl,
            Key::Num3,
            Command::Preset {
                preset: Preset::Left,
            },
        ),
        (
            ctrl,
            Key::Num7,
            Command::Preset {
                preset: Preset::Bottom,
            },
        ),
        (
            plain,
            Key::Num1,
            Command::Preset {
                preset: Preset::Front,
            },
        ),
        (
            plain,
            Key::Num3,
            Command::Preset {
                preset: Preset::Right,
            },
        ),
        (
            plain,
            Key::Num7,
            Command::Preset {
                preset: Preset::Top,
            },
        ),
        (
            plain,
            Key::Escape,
            Command::Select {
                selection: Selection::None,
            },
        ),
    ];
    for (modifiers, key, command) in table {
        if pressed(modifiers, key) {
            commands.push(command);
        }
    }
    if pressed(plain, Key::L) {
        let ending = match playback.ending {
            Ending::Loop => Ending::PingPong,
            Ending::PingPong => Ending::Stop,
            Ending::Stop => Ending::Loop,
        };
        commands.push(Command::Ending { ending });
    }
    if pressed(plain, Key::Num5) {
        let projection = match state.camera.projection {
            Projection::Perspective => Projection::Orthographic,
            Projection::Orthographic => Projection::Perspective,
        };
        commands.push(Command::Projection { projection });
    }
    if pressed(plain, Key::M) {
        let surface = match state.look.surface {
            Surface::Materials => Surface::JointWeight,
            Surface::JointWeight => Surface::Normals,
            _ => Surface::Materials,
        };
        commands.push(Command::Surface { surface });
    }
    for (key, overlay) in [
        (Key::B, Overlay::Bones),
        (Key::N, Overlay::Names),
        (Key::G, Overlay::Grid),
        (Key::W, Overlay::Wireframe),
    ] {
        if pressed(plain, key) {
            let on = !state.look.overlays.contains(&overlay);
            commands.push(Command::Overlay { overlay, on });
        }
    }
    let question = ui.input(|input| {
        let is_question = |event: &egui::Event| matches!(event, egui::Event::Text(t) if t == "?");
        input.events.iter().any(is_question)
    });
    if question {
        let panel = PanelKind::Help;
        let on = !state.window.panels.contains(&panel);
        commands.push(Command::Panel { panel, on });
    }
    asked
}
