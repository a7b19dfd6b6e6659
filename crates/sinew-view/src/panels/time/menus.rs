//! Menus of the timeline: edits of the selected keys, their tangents, and named curves.

use super::controls::{delete_keys, field, keep, kept, spin};
use super::graphs;
use crate::panels::style::widgets::{chip, menu};
use crate::session::Session;
use crate::state::Command;
use egui::{DragValue, Id, Ui};
use sinew::clip::{Interpolation, TangentKind};
use sinew_edit::{EventEdit, KeyEdit, Name};
use std::ops::RangeInclusive;

/// Number of a menu that stays until it is changed.
fn number(ui: &mut Ui, name: &str, default: f32, range: RangeInclusive<f32>, unit: &str) -> f32 {
    let id = Id::unique("number of a menu").with(name);
    let mut value: f32 = ui.data(|data| data.get_temp(id)).unwrap_or(default);
    let speed = (f64::from(default.abs()) * 0.02).max(1e-4);
    let drag = DragValue::new(&mut value).range(range).speed(speed);
    let drag = drag.max_decimals(4).prefix(format!("{name} "));
    let response = ui.add(drag.suffix(unit));
    response.widget_info(|| spin(name, f64::from(value)));
    ui.data_mut(|data| data.insert_temp(id, value));
    value
}

/// Edits of the selected keys.
pub(super) fn keys(ui: &mut Ui, session: &Session, clip: &Name, commands: &mut Vec<Command>) {
    menu(ui, "Edit keys", |ui| {
        let selected = &session.state().editing.keys;
        ui.add_enabled_ui(!selected.is_empty(), |ui| {
            if chip(ui, "Delete keys", "Delete the selected keys. X", false).clicked() {
                commands.extend(delete_keys(session).map(Command::from));
            }
            scale_keys(ui, session, clip, commands);
            smooth_keys(ui, session, clip, commands);
        });
        ui.separator();
        ui.horizontal(|ui| {
            for (name, interpolation) in [
                ("Step", Interpolation::Step),
                ("Linear", Interpolation::Linear),
                ("Cubic", Interpolation::CubicHermite),
            ] {
                let hint = "Interpolation from the selected keys to the next ones; without any, of the selected joints";
                if chip(ui, name, hint, false).clicked() {
                    let edit = interpolate(session, clip, interpolation);
                    commands.extend(edit.map(Command::from));
                }
            }
        });
        ui.separator();
        reduce_keys(ui, session, clip, commands);
    });
}

fn scale_keys(ui: &mut Ui, session: &Session, clip: &Name, commands: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        let factor = number(ui, "Scale of keys", 1.0, 0.01..=100.0, "");
        let hint = "Move the selected keys apart or together, about the current time";
        if chip(ui, "Scale keys", hint, false).clicked() && factor != 1.0 {
            let edit = KeyEdit::ScaleKeys {
                clip: clip.clone(),
                layer: session.edited_layer().map(Name::Index),
                keys: session.state().editing.keys.clone(),
                factor,
                about_secs: session.state().playback.time_secs as f32,
            };
            commands.push(edit.into());
        }
    });
}

fn smooth_keys(ui: &mut Ui, session: &Session, clip: &Name, commands: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        let width_secs = number(ui, "Width of smoothing", 0.05, 1e-3..=10.0, " s");
        let hint = "Smooth the selected keys over time; the first and the last key stay";
        if chip(ui, "Smooth keys", hint, false).clicked() {
            let edit = KeyEdit::SmoothKeys {
                clip: clip.clone(),
                layer: session.edited_layer().map(Name::Index),
                keys: session.state().editing.keys.clone(),
                width_secs,
            };
            commands.push(edit.into());
        }
    });
}

fn reduce_keys(ui: &mut Ui, session: &Session, clip: &Name, commands: &mut Vec<Command>) {
    ui.horizontal(|ui| {
        let max_degrees = number(ui, "Max degrees", 0.1, 0.0..=180.0, "°");
        let max_distance = number(ui, "Max distance", 0.001, 0.0..=1e6, "");
        let hint =
            "Remove keys that others replace within these errors, of the selected joints or of all";
        if chip(ui, "Reduce keys", hint, false).clicked() {
            let joints = session.state().selected_joints();
            let edit = KeyEdit::ReduceKeys {
                clip: clip.clone(),
                layer: session.edited_layer().map(Name::Index),
                joints: joints.into_iter().map(Name::Index).collect(),
                max_degrees,
                max_distance,
            };
            commands.push(edit.into());
        }
    });
}

/// Edit that sets the interpolation from the selected keys to the next ones; without any, of the selected joints.
fn interpolate(session: &Session, clip: &Name, interpolation: Interpolation) -> Option<KeyEdit> {
    let state = session.state();
    let keys = state.editing.keys.clone();
    let joints = match keys.is_empty() {
        true => state.selected_joints(),
        false => Vec::new(),
    };
    if keys.is_empty() && joints.is_empty() {
        return None;
    }
    Some(KeyEdit::SetInterpolation {
        clip: clip.clone(),
        layer: session.edited_layer().map(Name::Index),
        joints: joints.into_iter().map(Name::Index).collect(),
        channels: Vec::new(),
        keys,
        interpolation,
    })
}

/// Tangents of the selected keys. Returns true if dragged tangents are free.
pub(super) fn tangents(
    ui: &mut Ui,
    session: &Session,
    clip: &Name,
    commands: &mut Vec<Command>,
) -> bool {
    let mut is_free = kept(ui, "free tangents");
    menu(ui, "Tangents", |ui| {
        let keys = &session.state().editing.keys;
        ui.add_enabled_ui(!keys.is_empty(), |ui| {
            for (name, hint, kind) in [
                (
                    "Auto tangents",
                    "Follow the neighbouring keys",
                    TangentKind::Auto,
                ),
                ("Flat tangents", "No slope", TangentKind::Flat),
                (
                    "Straight tangents",
                    "Towards both neighbours",
                    TangentKind::Linear,
                ),
                (
                    "Aligned tangents",
                    "One slope on both sides; a drag moves both",
                    TangentKind::Aligned,
                ),
                (
                    "Free tangents",
                    "A drag moves one side alone, as a drag with Alt does",
                    TangentKind::Free,
                ),
            ] {
                let is_on = is_free && kind == TangentKind::Free;
                if chip(ui, name, hint, is_on).clicked() {
                    is_free = kind == TangentKind::Free;
                    let edit = KeyEdit::SetTangentKind {
                        clip: clip.clone(),
                        layer: session.edited_layer().map(Name::Index),
                        keys: keys.clone(),
                        kind,
                    };
                    commands.push(edit.into());
                }
            }
        });
    });
    keep(ui, "free tangents", is_free);
    is_free
}

/// Named curves: keys at the current time, and whole curves.
pub(super) fn curves(ui: &mut Ui, session: &Session, clip: &Name, commands: &mut Vec<Command>) {
    menu(ui, "Named curves", |ui| {
        let id = graphs::chosen_id();
        let mut name: String = ui.data(|data| data.get_temp(id)).unwrap_or_default();
        field(ui, "Curve name", &mut name, 150.0);
        ui.data_mut(|data| data.insert_temp(id, name.clone()));
        let name = name.trim().to_owned();
        let curves = session.clip().map_or(&[][..], |clip| &clip.curves);
        let known = curves.iter().find(|curve| curve.name == name);
        let time_secs = session.state().playback.time_secs as f32;
        ui.add_enabled_ui(!name.is_empty(), |ui| {
            ui.horizontal(|ui| {
                let value = number(ui, "Curve value", 1.0, -1e9..=1e9, "");
                let hint = "Key the curve at the current time; a new name makes a curve";
                if chip(ui, "Set curve key", hint, false).clicked() {
                    let (clip, curve) = (clip.clone(), name.clone());
                    let edit = EventEdit::SetCurveKey {
                        clip,
                        curve,
                        time_secs,
                        value,
                    };
                    commands.push(edit.into());
                }
            });
        });
        let near = known.and_then(|curve| {
            let times = curve.track.times().iter().copied();
            times.min_by(|a, b| (a - time_secs).abs().total_cmp(&(b - time_secs).abs()))
        });
        let here = near.filter(|time| (time - time_secs).abs() < 1e-4);
        ui.add_enabled_ui(here.is_some(), |ui| {
            let hint = "Delete the key of the curve at the current time";
            if chip(ui, "Delete curve key", hint, false).clicked()
                && let Some(time_secs) = here
            {
                let (clip, curve) = (clip.clone(), name.clone());
                let edit = EventEdit::DeleteCurveKey {
                    clip,
                    curve,
                    time_secs,
                };
                commands.push(edit.into());
            }
        });
        ui.add_enabled_ui(known.is_some(), |ui| {
            let new_id = id.with("new name");
            ui.horizontal(|ui| {
                let kept: Option<String> = ui.data(|data| data.get_temp(new_id));
                let mut new = kept.unwrap_or_default();
                field(ui, "New curve name", &mut new, 110.0);
                let hint = "Give the curve the new name";
                let is_clicked = chip(ui, "Rename curve", hint, false).clicked();
                if is_clicked && !new.trim().is_empty() {
                    let edit = EventEdit::RenameCurve {
                        clip: clip.clone(),
                        curve: name.clone(),
                        name: new.trim().to_owned(),
                    };
                    commands.push(edit.into());
                    ui.data_mut(|data| data.insert_temp(id, new.trim().to_owned()));
                    new.clear();
                }
                ui.data_mut(|data| data.insert_temp(new_id, new));
            });
            if chip(ui, "Delete curve", "Delete the curve with all keys", false).clicked() {
                let (clip, curve) = (clip.clone(), name.clone());
                commands.push(EventEdit::DeleteCurve { clip, curve }.into());
            }
        });
    });
}
