//! Buttons that key, change selected keys and edit events.

use crate::panels::style::widgets::chip;
use crate::session::Session;
use crate::state::{Command, EditingCommand, Selection};
use egui::{DragValue, Response, Role, TextEdit, Ui, WidgetInfo};
use sinew::clip::{Interpolation, TangentKind};
use sinew_edit::{Edit, Name};

/// Choices of the panel itself.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Choice {
    /// True to show the whole clip, and all values of the curves.
    pub fit: bool,
    /// True to show curves instead of rows.
    pub curves: bool,
}

pub(super) fn show(ui: &mut Ui, session: &Session, commands: &mut Vec<Command>) -> Choice {
    let mut choice = Choice::default();
    let Some(clip) = session.edited_clip() else {
        return choice;
    };
    ui.horizontal_wrapped(|ui| {
        ui.spacing_mut().item_spacing.x = 4.0;
        if chip(ui, "Fit", "Show the whole clip", false).clicked() {
            choice.fit = true;
        }
        let id = ui.scope_id().with("has curves");
        choice.curves = ui.data(|data| data.get_temp(id)).unwrap_or(false);
        let hint = "Show the values of the selected joint as curves";
        if chip(ui, "Curves", hint, choice.curves).clicked() {
            choice.curves = !choice.curves;
            ui.data_mut(|data| data.insert_temp(id, choice.curves));
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
        selected_keys(ui, session, &clip, commands);
        ui.add_space(6.0);
        if choice.curves {
            shapes(ui, session, &clip, commands);
        } else {
            events(ui, session, &clip, commands);
        }
    });
    ui.add_space(2.0);
    choice
}

fn selected_keys(ui: &mut Ui, session: &Session, clip: &Name, commands: &mut Vec<Command>) {
    let keys = &session.state().editing.keys;
    let layer = || session.edited_layer().map(Name::Index);
    ui.add_enabled_ui(!keys.is_empty(), |ui| {
        if chip(ui, "Delete keys", "Delete the selected keys. X", false).clicked() {
            commands.extend(delete_keys(session).map(Command::from));
        }
        let id = ui.scope_id().with("factor");
        let mut factor: f32 = ui.data(|data| data.get_temp(id)).unwrap_or(1.0);
        let value = DragValue::new(&mut factor)
            .range(0.01..=100.0)
            .speed(0.01)
            .max_decimals(3)
            .prefix("× ");
        let response = ui
            .add(value)
            .on_hover_text("Factor on the times of the selected keys, about the current time");
        response.widget_info(|| spin("Scale of keys", f64::from(factor)));
        let hint = "Move the selected keys apart or together, about the current time";
        if chip(ui, "Scale keys", hint, false).clicked() && factor != 1.0 {
            commands.push(
                Edit::ScaleKeys {
                    clip: clip.clone(),
                    layer: layer(),
                    keys: keys.clone(),
                    factor,
                    about_secs: session.state().playback.time_secs as f32,
                }
                .into(),
            );
            factor = 1.0;
        }
        ui.data_mut(|data| data.insert_temp(id, factor));
    });
}

/// Tangents of the selected keys, and interpolation of the selected joint.
fn shapes(ui: &mut Ui, session: &Session, clip: &Name, commands: &mut Vec<Command>) {
    let keys = &session.state().editing.keys;
    let layer = || session.edited_layer().map(Name::Index);
    ui.add_enabled_ui(!keys.is_empty(), |ui| {
        for (name, kind) in [
            ("Auto tangents", TangentKind::Auto),
            ("Flat tangents", TangentKind::Flat),
            ("Straight tangents", TangentKind::Linear),
        ] {
            if chip(ui, name, "Of the selected keys", false).clicked() {
                let edit = Edit::SetTangentKind {
                    clip: clip.clone(),
                    layer: layer(),
                    keys: keys.clone(),
                    kind,
                };
                commands.push(edit.into());
            }
        }
    });
    let Selection::Joint(joint) = session.state().selection else {
        return;
    };
    for (name, interpolation) in [
        ("Step", Interpolation::Step),
        ("Linear", Interpolation::Linear),
        ("Cubic", Interpolation::CubicHermite),
    ] {
        let hint = "Interpolation of all channels of the selected joint";
        if chip(ui, name, hint, false).clicked() {
            let edit = Edit::SetInterpolation {
                clip: clip.clone(),
                layer: layer(),
                joints: vec![Name::Index(joint)],
                channels: Vec::new(),
                keys: Vec::new(),
                interpolation,
            };
            commands.push(edit.into());
        }
    }
}

/// Edit that deletes the selected keys. `None` without any.
pub(crate) fn delete_keys(session: &Session) -> Option<Edit> {
    let keys = &session.state().editing.keys;
    if keys.is_empty() {
        return None;
    }
    Some(Edit::DeleteKeys {
        clip: session.edited_clip()?,
        layer: session.edited_layer().map(Name::Index),
        keys: keys.clone(),
    })
}

/// Adds an event at the current time, or changes the event that is there.
fn events(ui: &mut Ui, session: &Session, clip: &Name, commands: &mut Vec<Command>) {
    let now = session.state().playback.time_secs;
    let events = session.clip().map_or(&[][..], |clip| &clip.events);
    let is_here = |time: f32| (f64::from(time) - now).abs() < 1e-4;
    let here = events.iter().position(|event| is_here(event.time_secs));
    let text_id = ui.scope_id().with("event name");
    let mut name: String = ui.data(|data| data.get_temp(text_id)).unwrap_or_default();
    let field = field(ui, "Event name", &mut name, 90.0);
    let is_entered = field.lost_focus() && ui.input(|input| input.key_pressed(egui::Key::Enter));
    ui.data_mut(|data| data.insert_temp(text_id, name.clone()));
    let has_name = !name.trim().is_empty();
    let mut run = |edit: Edit| commands.push(edit.into());
    ui.add_enabled_ui(has_name, |ui| {
        let hint = "Add an event with this name at the current time";
        if chip(ui, "Add event", hint, false).clicked() || (is_entered && has_name) {
            run(Edit::AddEvent {
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
            run(Edit::SetEvent {
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
        run(Edit::DeleteEvent { clip, event });
    }
}

/// Text field of one line, with a name.
pub(crate) fn field(ui: &mut Ui, name: &str, text: &mut String, width: f32) -> Response {
    let edit = TextEdit::singleline(text)
        .hint_text(name)
        .desired_width(width);
    let response = ui.add(edit);
    let value = text.clone();
    response.widget_info(|| {
        let mut info = WidgetInfo::labeled(Role::TextInput, true, name);
        info.current_text_value = Some(value.clone());
        info
    });
    response
}

pub(crate) fn spin(name: &str, value: f64) -> WidgetInfo {
    let mut info = WidgetInfo::labeled(Role::SpinButton, true, name);
    info.value = Some(value);
    info
}
