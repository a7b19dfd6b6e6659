//! Questions of the window: the path to save to, files to replace, and unsaved edits.

use crate::panels::style::theme::Palette;
use crate::session::Session;
use crate::state::{Answer, Command, FileCommand, Question, Then};
use egui::{Button, Id, Key, Modal, Response, RichText, Role, TextEdit, Ui, Vec2, WidgetInfo};
use std::path::{Path, PathBuf};

const KINDS: &str = "The ending is the format: .glb and .gltf hold everything (.vrm, too, for a file with an avatar). .bvh and .sinew hold the clip that plays.";

pub(crate) fn show(ui: &Ui, session: &Session, commands: &mut Vec<Command>) {
    let Some(question) = &session.state().question else {
        return;
    };
    let file = session.document().file(question.file());
    let name = file.map_or("", |file| &file.name);
    let modal = Modal::new(Id::unique("question")).show(ui.ctx(), |ui| {
        ui.set_width(460.0);
        match question {
            Question::SavePath { path, .. } => path_form(ui, name, path, commands),
            Question::Replace { path, why, .. } => {
                title(ui, "Replace the file?");
                ui.label(path.display().to_string());
                ui.weak(why);
                answers(
                    ui,
                    commands,
                    &[("Replace", Answer::Save), ("Cancel", Answer::Cancel)],
                );
            }
            Question::Unsaved { then, .. } => {
                title(ui, &format!("Save the changes of {name}?"));
                let what = match then {
                    Then::Close | Then::Quit => "Without saving, they are lost.",
                    Then::Reload => "Loading the file again discards them.",
                };
                ui.weak(what);
                let choices = [
                    ("Save", Answer::Save),
                    ("Discard", Answer::Discard),
                    ("Cancel", Answer::Cancel),
                ];
                answers(ui, commands, &choices);
            }
        }
    });
    if modal.should_close() {
        commands.push(answer(Answer::Cancel));
    }
}

fn answer(answer: Answer) -> Command {
    FileCommand::Answer { answer }.into()
}

fn title(ui: &mut Ui, words: &str) {
    ui.label(RichText::new(words).strong().size(15.0));
    ui.add_space(4.0);
}

fn button(ui: &mut Ui, words: &str) -> Response {
    ui.add(Button::new(words).min_size(Vec2::new(84.0, 26.0)))
}

fn answers(ui: &mut Ui, commands: &mut Vec<Command>, choices: &[(&str, Answer)]) {
    ui.add_space(10.0);
    ui.horizontal(|ui| {
        for (words, choice) in choices {
            if button(ui, words).clicked() {
                commands.push(answer(*choice));
            }
        }
    });
}

fn path_form(ui: &mut Ui, name: &str, suggested: &Path, commands: &mut Vec<Command>) {
    title(ui, &format!("Save {name} as"));
    // A new suggestion replaces what was typed for another one.
    let id = ui.scope_id().with(suggested);
    let typed: Option<String> = ui.data(|data| data.get_temp(id));
    let is_first = typed.is_none();
    let mut text = typed.unwrap_or_else(|| suggested.display().to_string());
    let response = ui.add(TextEdit::singleline(&mut text).desired_width(f32::INFINITY));
    response.widget_info(|| {
        let mut info = WidgetInfo::labeled(Role::TextInput, true, "Path to save to");
        info.current_text_value = Some(text.clone());
        info
    });
    if is_first {
        response.request_focus();
    }
    ui.data_mut(|data| data.insert_temp(id, text.clone()));
    ui.add_space(2.0);
    ui.label(RichText::new(KINDS).size(12.0).color(Palette::of(ui).dim));
    let is_entered = response.lost_focus() && ui.input(|input| input.key_pressed(Key::Enter));
    ui.add_space(10.0);
    ui.horizontal(|ui| {
        let is_typed = !text.trim().is_empty();
        let save = ui.add_enabled_ui(is_typed, |ui| button(ui, "Save").clicked());
        if is_typed && (save.inner || is_entered) {
            let path = Some(PathBuf::from(text.trim()));
            let replace = false;
            commands.push(FileCommand::SaveAs { path, replace }.into());
            ui.data_mut(|data| data.remove_temp::<String>(id));
        }
        if button(ui, "Cancel").clicked() {
            commands.push(answer(Answer::Cancel));
            ui.data_mut(|data| data.remove_temp::<String>(id));
        }
    });
}
