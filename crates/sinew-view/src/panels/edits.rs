//! Section with the history of edits.

use super::style::theme::Palette;
use super::style::widgets::{chip, focus_ring, list_row, section};
use crate::session::Session;
use crate::state::{Command, HistoryCommand, PanelKind};
use egui::{Align2, FontId, Role, ScrollArea, Ui, Vec2, WidgetInfo};
use sinew_edit::{Editor, Step};

/// Lists edits, oldest first. A click goes there by undo or redo.
pub(super) fn history(ui: &mut Ui, session: &Session, commands: &mut Vec<Command>) {
    section(ui, session, PanelKind::History, commands, |ui, commands| {
        let Some(editor) = session.editor(session.state().shown) else {
            ui.weak("Nothing was edited.");
            return;
        };
        let is_alone = |step: &&Step| !step.is_joined;
        let done: Vec<&Step> = editor.done().filter(is_alone).collect();
        let undone: Vec<&Step> = editor.undone().filter(is_alone).collect();
        ui.horizontal(|ui| {
            ui.add_enabled_ui(!done.is_empty(), |ui| {
                if chip(ui, "Undo", "Ctrl+Z", false).clicked() {
                    commands.push(HistoryCommand::Undo.into());
                }
            });
            ui.add_enabled_ui(!undone.is_empty(), |ui| {
                if chip(ui, "Redo", "Ctrl+Shift+Z", false).clicked() {
                    commands.push(HistoryCommand::Redo.into());
                }
            });
        });
        let area = ScrollArea::vertical()
            .id_salt("history")
            .max_height(180.0)
            .auto_shrink([false, true])
            .stick_to_bottom(true);
        let saved = saved_row(editor, session.saved_position(session.state().shown));
        area.show_rows(ui, 20.0, done.len() + undone.len() + 1, |ui, rows| {
            ui.spacing_mut().item_spacing.y = 0.0;
            for row in rows {
                let text = match row.checked_sub(1) {
                    None => "as opened",
                    Some(step) if step < done.len() => &done[step].report.text,
                    Some(step) => &undone[step - done.len()].report.text,
                };
                let is_on = row == done.len();
                let is_saved = saved == Some(row);
                if step_row(ui, row, text, [is_on, row > done.len(), is_saved]) {
                    let (command, count) = match row.checked_sub(done.len()) {
                        Some(count) => (HistoryCommand::Redo, count),
                        None => (HistoryCommand::Undo, done.len() - row),
                    };
                    commands.extend(std::iter::repeat_n(Command::from(command), count));
                }
            }
        });
    });
}

/// Row of the step at which the file was opened or saved last.
fn saved_row(editor: &Editor, saved: Option<i64>) -> Option<usize> {
    let first = editor.position() - editor.done().len() as i64;
    let mut ends = vec![first];
    for (at, step) in editor.done().chain(editor.undone()).enumerate() {
        let position = first + at as i64 + 1;
        match ends.last_mut() {
            // Joined steps share a row.
            Some(last) if step.is_joined => *last = position,
            _ => ends.push(position),
        }
    }
    ends.iter().position(|end| Some(*end) == saved)
}

fn step_row(ui: &mut Ui, row: usize, text: &str, [is_on, is_undone, is_saved]: [bool; 3]) -> bool {
    let palette = Palette::of(ui);
    let (rect, response) = list_row(ui, Vec2::new(0.0, 20.0), is_on);
    let ink = match (is_on, is_undone) {
        (true, _) => palette.accent,
        (false, true) => palette.faint,
        (false, false) => palette.text,
    };
    ui.painter().with_clip_rect(rect).text(
        rect.left_center() + Vec2::new(8.0, 0.0),
        Align2::LEFT_CENTER,
        text,
        FontId::proportional(12.5),
        ink,
    );
    if is_saved {
        ui.painter().text(
            rect.right_center() - Vec2::new(8.0, 0.0),
            Align2::RIGHT_CENTER,
            "saved",
            FontId::proportional(11.0),
            palette.good,
        );
    }
    focus_ring(ui, &response, rect);
    let saved = if is_saved { " (saved)" } else { "" };
    let name = format!("Step {row}: {text}{saved}");
    response.widget_info(|| WidgetInfo::selected(Role::ListItem, true, is_on, &name));
    response.on_hover_text(text).clicked()
}

/// The wanted name, or one with a number if it is taken. An empty name becomes `default`.
pub(super) fn free_name(wanted: &str, default: &str, taken: impl Fn(&str) -> bool) -> String {
    let name = if wanted.is_empty() { default } else { wanted };
    let numbered = (2..1000).map(|number: u32| format!("{name} {number}"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    names.find(|name| !taken(name)).unwrap_or_default()
}
