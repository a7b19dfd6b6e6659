//! Panel to export pictures, characters and clips.

use super::style::icons::{self, Icon};
use super::style::theme::Palette;
use super::style::widgets::{chip, heading, icon_button, section};
use crate::document::Export;
use crate::session::Session;
use crate::state::{Command, FileCommand, PanelKind};
use egui::{Button, RichText, Role, Sense, TextEdit, Ui, Vec2, WidgetInfo};
use std::path::{Path, PathBuf};

pub(super) fn show(
    ui: &mut Ui,
    session: &Session,
    command_line: &str,
    commands: &mut Vec<Command>,
) {
    section(ui, session, PanelKind::Export, commands, |ui, commands| {
        ui.horizontal(|ui| {
            if chip(
                ui,
                "Save edits",
                "Saves the shown file with all edits. Ctrl+S",
                false,
            )
            .clicked()
            {
                commands.push(FileCommand::Save.into());
            }
            let hint = "Saves the shown file to another path. Ctrl+Shift+S";
            if chip(ui, "Save as", hint, false).clicked() {
                let (path, replace) = (None, false);
                commands.push(FileCommand::SaveAs { path, replace }.into());
            }
        });
        heading(ui, "Write a copy");
        let path = path_field(ui, session);
        for what in [
            Export::Picture,
            Export::Animation,
            Export::Glb,
            Export::Packed,
        ] {
            let (name, ending, hint) = about(what);
            let words = format!("{name} (.{ending})");
            let size = Vec2::new(ui.available_width(), 24.0);
            let button = ui
                .add(Button::new(words).min_size(size))
                .on_hover_text(hint);
            if button.clicked() {
                commands.push(
                    FileCommand::Export {
                        what,
                        path: with_ending(&path, what),
                    }
                    .into(),
                );
            }
        }
        let [title, copy] = match cfg!(target_family = "wasm") {
            true => ["Link to this view", "Copy the link"],
            false => ["Command for this picture", "Copy the command"],
        };
        heading(ui, title);
        ui.horizontal_top(|ui| {
            let copy = icon_button(ui, Icon::Copy, copy, "");
            if copy.clicked() {
                ui.copy_text(command_line.to_owned());
            }
            ui.add(egui::Label::new(RichText::new(command_line).monospace().size(11.0)).wrap());
        });
    });
}

fn about(what: Export) -> (&'static str, &'static str, &'static str) {
    match what {
        Export::Picture => (
            "Picture",
            "png",
            "The panes as they are now, at full quality",
        ),
        Export::Animation => (
            "Animation",
            "gif",
            "The panes over the played range. A path with .png or .apng gives an animated PNG",
        ),
        Export::Glb => (
            "Character",
            "glb",
            "The shown file with all its contents. A pose that is not keyed becomes a clip \"posed\"",
        ),
        Export::Packed => (
            "Packed clip",
            "sinew",
            "The clip that plays, packed with a max error of 0.1 mm",
        ),
    }
}

fn with_ending(path: &Path, what: Export) -> PathBuf {
    let known = path.extension().and_then(|e| e.to_str()).unwrap_or("");
    let fits: &[&str] = match what {
        Export::Picture => &["png"],
        Export::Animation => &["gif", "png", "apng"],
        Export::Glb => &["glb", "gltf", "vrm", "bvh"],
        Export::Packed => &["sinew"],
    };
    if fits.contains(&known) {
        path.to_path_buf()
    } else {
        path.with_extension(fits[0])
    }
}

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
        response.on_hover_text("Path of the file; the ending is added");
    });
    PathBuf::from(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_keeps_an_ending_that_fits_and_gets_one_that_does() {
        let path = |path: &str, what| with_ending(Path::new(path), what);
        assert_eq!(path("a/hero", Export::Picture), Path::new("a/hero.png"));
        assert_eq!(path("hero.apng", Export::Animation), Path::new("hero.apng"));
        assert_eq!(path("hero.glb", Export::Animation), Path::new("hero.gif"));
        assert_eq!(path("hero.gltf", Export::Glb), Path::new("hero.gltf"));
    }
}
