//! Help: keys and camera control.

use crate::panels::style::theme::Palette;
use crate::session::Session;
use crate::state::{Command, PanelKind, WindowCommand};
use egui::{Grid, RichText, ScrollArea, Ui, Window};

pub(crate) const KEYS: [(&str, &str); 35] = [
    ("Space", "play or pause"),
    ("Left, Right", "previous or next frame"),
    ("Ctrl+Left, Ctrl+Right", "previous or next key"),
    ("Home, End", "go to the beginning or the end"),
    ("[, ]", "begin or end the played range here"),
    ("I", "key the posed joints, or the selected joint"),
    ("Shift+I", "key all joints as they are"),
    ("Ctrl+Z, Ctrl+Shift+Z", "undo, redo (also Ctrl+Y)"),
    (
        "drag keys, drag beside",
        "move keys, select keys in a box; Shift adds",
    ),
    ("X, Delete", "delete the selected keys"),
    (
        "Ctrl+A, Ctrl+C, Ctrl+V",
        "select all keys, copy keys, paste them here",
    ),
    (
        "Ctrl+wheel, Shift+wheel",
        "on the timeline: zoom, move along",
    ),
    ("L", "loop, ping-pong or stop at the end"),
    ("F", "frame the selection"),
    ("0", "default view"),
    (
        "1, 3, 7",
        "view from front, right, top; with Ctrl from the opposite side",
    ),
    ("5", "perspective or orthographic"),
    ("B, N, G, W", "bones, names, grid, wireframe"),
    ("M", "materials, weights of the selected joint, normals"),
    ("K", "skinning method: linear or dual quaternions"),
    ("H", "hide or show all panels"),
    ("Esc", "close this list, or clear the selection"),
    (
        "Q, R, G, S, T",
        "with a joint: select, rotate, move, scale, pull (inverse kinematics)",
    ),
    (", and Shift+L", "axes of the tool; limits on or off"),
    (
        "Shift+P, K, O, R",
        "while pulling: pin, lock, pole, keep the rotation",
    ),
    (
        "Ctrl+I",
        "key the limb over the played range, so that the joint stays",
    ),
    (
        "drag with Ctrl; digits",
        "steps; a number typed while dragging (Enter keeps, Esc undoes)",
    ),
    ("Ctrl+M, Shift+C, Shift+V", "mirror, copy, paste the pose"),
    (
        "Alt+R",
        "reset the joint; with Shift those below it, with Ctrl all",
    ),
    ("Ctrl+S, Ctrl+Shift+S", "save, save as another file"),
    ("Ctrl+O, Ctrl+Q", "open files, close the window"),
    ("drag", "orbit the camera"),
    ("Shift or right drag", "move the camera"),
    ("wheel", "zoom"),
    ("?", "this list"),
];

pub(crate) fn show(ui: &Ui, session: &Session, commands: &mut Vec<Command>) {
    let mut is_open = session.state().window.panels.contains(&PanelKind::Help);
    if !is_open {
        return;
    }
    Window::new("Keys and mouse")
        .open(&mut is_open)
        .fade_in(false)
        .collapsible(false)
        .resizable(false)
        .anchor(egui::Align2::CENTER_CENTER, [0.0, -40.0])
        .show(ui.ctx(), |ui| {
            let palette = Palette::of(ui);
            let grid = Grid::new("keys").num_columns(2).spacing([22.0, 6.0]);
            // A low window shows a part of the list.
            let height = (ui.ctx().content_rect().height() - 150.0).max(80.0);
            ScrollArea::vertical().max_height(height).show(ui, |ui| {
                grid.show(ui, |ui| {
                    for (key, what) in KEYS {
                        ui.label(RichText::new(key).monospace().color(palette.accent));
                        ui.label(what);
                        ui.end_row();
                    }
                });
            });
            ui.add_space(6.0);
            ui.weak("The question mark in a panel explains that panel.");
        });
    if !is_open {
        commands.push(
            WindowCommand::Panel {
                panel: PanelKind::Help,
                on: false,
            }
            .into(),
        );
    }
}
