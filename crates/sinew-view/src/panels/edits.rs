//! Sections with the history of edits, and with the layers of the clip that plays.

use super::style::theme::Palette;
use super::style::widgets::{chip, focus_ring, list_row, section};
use super::time::tools::field;
use crate::session::Session;
use crate::state::{Command, EditingCommand, HistoryCommand, PanelKind};
use egui::{Align2, FontId, Role, ScrollArea, Slider, Ui, Vec2, WidgetInfo};
use sinew_edit::{Edit, Name, Step};

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
        area.show_rows(ui, 20.0, done.len() + undone.len() + 1, |ui, rows| {
            ui.spacing_mut().item_spacing.y = 0.0;
            for row in rows {
                let text = match row.checked_sub(1) {
                    None => "as opened",
                    Some(step) if step < done.len() => &done[step].report.text,
                    Some(step) => &undone[step - done.len()].report.text,
                };
                let is_on = row == done.len();
                if step_row(ui, row, text, is_on, row > done.len()) {
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

fn step_row(ui: &mut Ui, row: usize, text: &str, is_on: bool, is_undone: bool) -> bool {
    let palette = Palette::of(ui);
    let (rect, response) = list_row(ui, 20.0, is_on);
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
    focus_ring(ui, &response, rect);
    let name = format!("Step {row}: {text}");
    response.widget_info(|| WidgetInfo::selected(Role::ListItem, true, is_on, &name));
    response.on_hover_text(text).clicked()
}

/// Lists the layers of the clip that plays. The chosen one gets keys.
pub(super) fn layers(ui: &mut Ui, session: &Session, commands: &mut Vec<Command>) {
    section(ui, session, PanelKind::Layers, commands, |ui, commands| {
        let state = session.state();
        let file = session.document().file(state.shown);
        let motion = file
            .zip(state.playback.clip)
            .and_then(|(file, clip)| file.motions.get(clip));
        let (Some(motion), Some(clip)) = (motion, session.edited_clip()) else {
            ui.weak("No clip plays.");
            return;
        };
        let layers = motion.layers.as_ref();
        let layers = layers.map_or(&[][..], |layers| &layers.layers);
        let active = session.edited_layer();
        let mut choose = |ui: &mut Ui, name: &str, layer: Option<usize>| {
            let hint = "Keys go here";
            if chip(ui, name, hint, active == layer).clicked() {
                commands.push(EditingCommand::ActiveLayer { layer }.into());
            }
        };
        choose(ui, "Clip itself", None);
        for (index, layer) in layers.iter().enumerate() {
            choose(ui, &format!("Layer {}", layer.name), Some(index));
        }
        if let Some(index) = active {
            active_layer(ui, &clip, index, &layers[index], commands);
        }
        let id = ui.scope_id().with("layer name");
        let mut name: String = ui.data(|data| data.get_temp(id)).unwrap_or_default();
        ui.horizontal(|ui| {
            field(ui, "Layer name", &mut name, 100.0);
            if chip(
                ui,
                "Add layer",
                "Add a layer on top; it gets the next keys",
                false,
            )
            .clicked()
            {
                let taken = |name: &str| layers.iter().any(|layer| layer.name == name);
                commands.push(
                    Edit::AddLayer {
                        clip: clip.clone(),
                        name: free_name(name.trim(), "layer", taken),
                        additive: true,
                        weight: 1.0,
                        joints: Vec::new(),
                    }
                    .into(),
                );
                let layer = Some(layers.len());
                commands.push(EditingCommand::ActiveLayer { layer }.into());
                name.clear();
            }
        });
        ui.data_mut(|data| data.insert_temp(id, name));
        let hint = "Make the motion with all layers the motion of the clip";
        let has_layers = !layers.is_empty();
        ui.add_enabled_ui(has_layers, |ui| {
            if chip(ui, "Flatten", hint, false).clicked() {
                commands.push(Edit::Flatten { clip: clip.clone() }.into());
            }
        });
    });
}

fn active_layer(
    ui: &mut Ui,
    clip: &Name,
    index: usize,
    layer: &sinew::clip::ClipLayer,
    commands: &mut Vec<Command>,
) {
    let mut weight = layer.weight;
    ui.horizontal(|ui| {
        ui.spacing_mut().slider_width = 90.0;
        let response = ui.add(Slider::new(&mut weight, 0.0..=1.0).max_decimals(2));
        let name = format!("Weight of {}", layer.name);
        response.widget_info(|| WidgetInfo::slider(true, f64::from(weight), &name));
        if weight != layer.weight {
            let edit = Edit::SetLayer {
                clip: clip.clone(),
                layer: Name::Index(index),
                name: None,
                additive: None,
                weight: Some(weight),
                joints: None,
            };
            commands.push(HistoryCommand::Drag { edit }.into());
            if !response.dragged() {
                commands.push(HistoryCommand::Release.into());
            }
        }
        if response.drag_stopped() {
            commands.push(HistoryCommand::Release.into());
        }
        if chip(ui, "Delete layer", "Delete the chosen layer", false).clicked() {
            let (clip, layer) = (clip.clone(), Name::Index(index));
            commands.push(Edit::DeleteLayer { clip, layer }.into());
            commands.push(EditingCommand::ActiveLayer { layer: None }.into());
        }
    });
}

/// The wanted name, or one with a number if it is taken. An empty name becomes `default`.
pub(super) fn free_name(wanted: &str, default: &str, taken: impl Fn(&str) -> bool) -> String {
    let name = if wanted.is_empty() { default } else { wanted };
    let numbered = (2..1000).map(|number: u32| format!("{name} {number}"));
    let mut names = std::iter::once(name.to_owned()).chain(numbered);
    names.find(|name| !taken(name)).unwrap_or_default()
}
