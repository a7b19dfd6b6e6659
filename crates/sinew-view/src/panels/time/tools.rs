//! Buttons that key, change selected keys and edit events.

use super::controls::{Choice, field, keep, kept};
use super::{fields, menus, transport};
use crate::panels::style::widgets::{chip, menu};
use crate::session::Session;
use crate::state::{Command, EditingCommand};
use egui::Ui;
use sinew_edit::{EventEdit, Name};

fn toggle(ui: &mut Ui, name: &'static str, hint: &str) -> bool {
    let mut on = kept(ui, name);
    if chip(ui, name, hint, on).clicked() {
        on = !on;
        keep(ui, name, on);
    }
    on
}

/// Tools in as many rows as they need. In a narrow window, numbers of keys are in a menu, and the unit of the ruler is
/// here.
pub(super) fn show(
    ui: &mut Ui,
    session: &Session,
    is_narrow: bool,
    commands: &mut Vec<Command>,
) -> Choice {
    let mut choice = Choice::default();
    let Some(clip) = session.edited_clip() else {
        return choice;
    };
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        let hint = "Show the whole clip and all values";
        choice.fit = chip(ui, "Fit", hint, false).clicked();
        choice.curves = toggle(ui, "Curves", "Show the selected joints or keys as curves");
        if choice.curves {
            let hint = "Scale each curve to the height of the view";
            choice.normalised = toggle(ui, "Normalise", hint);
        }
        ui.add_space(6.0);
        let hint = "Key the posed joints now; if there are none, the selected joint. I";
        if chip(ui, "Key", hint, false).clicked() {
            commands.extend(session.key_edit(false).map(Command::from));
        }
        let hint = "Key all joints as they are now. Shift+I";
        if chip(ui, "Key all", hint, false).clicked() {
            commands.extend(session.key_edit(true).map(Command::from));
        }
        let on = session.state().editing.auto_key;
        let hint = "Key joints as soon as they are posed";
        if chip(ui, "Auto-key", hint, on).clicked() {
            commands.push(EditingCommand::AutoKey { on: !on }.into());
        }
        ui.add_space(6.0);
        if is_narrow {
            menu(ui, "Key values", |ui| {
                ui.horizontal(|ui| fields::show(ui, session, commands));
            });
        } else {
            fields::show(ui, session, commands);
        }
        menus::keys(ui, session, &clip, commands);
        choice.is_free = menus::tangents(ui, session, &clip, commands);
        menus::curves(ui, session, &clip, commands);
        if is_narrow {
            transport::unit(ui, session, commands);
        }
        if !choice.curves {
            ui.add_space(6.0);
            events(ui, session, &clip, commands);
        }
    });
    ui.add_space(2.0);
    choice
}

/// Adds an event at the current time, or changes the event that is there.
fn events(ui: &mut Ui, session: &Session, clip: &Name, commands: &mut Vec<Command>) {
    let now = session.state().playback.time_secs;
    let events = session.clip().map_or(&[][..], |clip| &clip.events);
    let is_here = |time: f32| (f64::from(time) - now).abs() < 1e-4;
    let here = events.iter().position(|event| is_here(event.time_secs));
    start_row_below(ui, if here.is_some() { 400.0 } else { 200.0 });
    let text_id = ui.scope_id().with("event name");
    let mut name: String = ui.data(|data| data.get_temp(text_id)).unwrap_or_default();
    let field = field(ui, "Event name", &mut name, 90.0);
    let is_entered = field.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
    ui.data_mut(|data| data.insert_temp(text_id, name.clone()));
    let has_name = !name.trim().is_empty();
    let mut run = |edit: EventEdit| commands.push(edit.into());
    ui.add_enabled_ui(has_name, |ui| {
        let hint = "Add an event with this name at the current time";
        if chip(ui, "Add event", hint, false).clicked() || (is_entered && has_name) {
            run(EventEdit::AddEvent {
                clip: clip.clone(),
                time_secs: now as f32,
                name: name.trim().to_owned(),
            });
        }
        if let Some(event) = here
            && chip(
                ui,
                "Rename event",
                "Name the event at the current time",
                false,
            )
            .clicked()
        {
            run(EventEdit::SetEvent {
                clip: clip.clone(),
                event,
                time_secs: None,
                name: Some(name.trim().to_owned()),
            });
        }
    });
    if let Some(event) = here
        && chip(
            ui,
            "Delete event",
            "Delete the event at the current time",
            false,
        )
        .clicked()
    {
        let clip = clip.clone();
        run(EventEdit::DeleteEvent { clip, event });
    }
}

/// Goes to the next row if less than a width is left in this one. Groups that are disabled together do not wrap.
fn start_row_below(ui: &mut Ui, width: f32) {
    if ui.available_size_before_wrap().x < width {
        ui.end_row();
    }
}
