//! Ways out.

use super::icons::{self, Icon};
use super::theme::Palette;
use super::top_bar::Asked;
use super::widgets::{heading, icon_button, section};
use crate::export::{Export, command_line};
use crate::session::Session;
use crate::state::{Command, PanelKind};
use egui::{Button, RichText, Role, Sense, TextEdit, Ui, Vec2, WidgetInfo};
use std::path::PathBuf;

/// The panel.
pub(super) fn show(ui: &mut Ui, session: &Session, commands: &mut Vec<Command>, asked: &mut Asked) {
    section(ui, session, PanelKind::Export, commands, |ui, _| {
        let path = path_field(ui, session);
        for what in Export::ALL {
            let (name, hint) = about(what);
            let words = format!("{name} (.{})", what.ending());
            let size = Vec2::new(ui.available_width(), 24.0);
            let button = ui
                .add(Button::new(words).min_size(size))
                .on_hover_text(hint);
            if button.clicked() {
                asked.export = Some((what, what.path(&path)));
            }
        }
        heading(ui, "The same by a command");
        let line = command_line(session);
        ui.horizontal_top(|ui| {
            let copy = icon_button(ui, Icon::Copy, "Copy the command", "");
            if copy.clicked() {
                ui.copy_text(line.clone());
            }
            ui.add(egui::Label::new(RichText::new(&line).monospace().size(11.0)).wrap());
        });
    });
}

fn about(what: Export) -> (&'static str, &'static str) {
    match what {
        Export::Picture => (
            "Picture",
            "The panes as they are now, at their full quality",
        ),
        Export::Movie => (
            "Moving picture",
            "The panes over the played range. With .png or .apng in the field, PNG that moves",
        ),
        Export::Character => ("Character", "The shown file as GLB"),
        Export::PackedClip => (
            "Packed clip",
            "The clip that plays, packed to a tenth of a millimetre",
        ),
    }
}

/// Where to write, without the ending.
fn path_field(ui: &mut Ui, session: &Session) -> PathBuf {
    let id = ui.scope_id().with("path");
    let file = session.document().file(session.state().shown);
    let stem = file.map_or("picture".to_owned(), |file| match &file.path {
        Some(path) => path.with_extension("").display().to_string(),
        None => file.name.clone(),
    });
    let typed: Option<String> = ui.data(|data| data.get_temp(id));
    let mut text = typed.unwrap_or_else(|| format!("{stem}-out"));
    ui.horizontal(|ui| {
        let (rect, _) = ui.allocate_exact_size(Vec2::splat(18.0), Sense::hover());
        icons::paint(
            ui.painter(),
            rect.shrink(1.0),
            Icon::Camera,
            Palette::of(ui).dim,
        );
        let response = ui.add(TextEdit::singleline(&mut text).desired_width(f32::INFINITY));
        response.widget_info(|| {
            let mut info = WidgetInfo::labeled(Role::TextInput, true, "Write to");
            info.current_text_value = Some(text.clone());
            info
        });
        if response.changed() {
            ui.data_mut(|data| data.insert_temp(id, text.clone()));
        }
        response.on_hover_text("Where to write; the ending is added");
    });
    PathBuf::from(text)
}
