//! Menu that cleans a capture, with what the last cleaning did.

use super::style::widgets;
use super::style::widgets::chip;
use super::time::controls::spin;
use crate::session::Session;
use crate::state::Command;
use egui::{DragValue, Ui};
use sinew_edit::{Clean, ClipEdit, Edit, Name, Step};

const DEFAULT_HZ: f64 = 6.0;

/// Steps to run, and their effect on slide and jerk.
pub(super) fn menu(ui: &mut Ui, session: &Session, clip: &Name, commands: &mut Vec<Command>) {
    let id = ui.scope_id().with("clean");
    let kept: Option<Clean> = ui.data(|data| data.get_temp(id));
    let mut edit = kept.unwrap_or_else(|| Clean::new(clip.clone()));
    edit.clip = clip.clone();
    widgets::menu(ui, "Clean a capture", |ui| {
        for (name, hint, left_out) in [
            (
                "Fill gaps",
                "Joints that keep their value for a moment",
                &mut edit.no_gaps,
            ),
            (
                "Replace spikes",
                "Keys that jump away and back",
                &mut edit.no_spikes,
            ),
            (
                "Keep limits",
                "Rotations beyond the limits of their joint",
                &mut edit.no_limits,
            ),
            (
                "Hold feet",
                "Feet that slide while they stand, and hips that drift",
                &mut edit.no_feet,
            ),
            (
                "Filter noise",
                "With a cut-off found from the noise of each joint",
                &mut edit.no_filter,
            ),
        ] {
            let mut on = !*left_out;
            ui.checkbox(&mut on, name).on_hover_text(hint);
            *left_out = !on;
        }
        cutoff(ui, &mut edit);
        range(ui, session, &mut edit);
        let hint = "Run these steps. Undo takes them back";
        if chip(ui, "Clean the clip", hint, false).clicked() {
            commands.push(ClipEdit::CleanClip(edit.clone()).into());
        }
        let editor = session.editor(session.state().shown);
        let last = editor.and_then(|editor| editor.done().next_back());
        if let Some(step) = last.filter(|step| is_cleaning(step)) {
            ui.separator();
            let text = &step.report.text;
            text.split(", ").for_each(|part| _ = ui.label(part));
        }
    });
    ui.data_mut(|data| data.insert_temp(id, edit));
}

fn is_cleaning(step: &Step) -> bool {
    matches!(step.edit, Edit::Clip(ClipEdit::CleanClip(_)))
}

fn cutoff(ui: &mut Ui, edit: &mut Clean) {
    if edit.no_filter {
        edit.cutoff = None;
        return;
    }
    ui.horizontal(|ui| {
        let mut is_given = edit.cutoff.is_some();
        ui.checkbox(&mut is_given, "Cut-off of all joints");
        let mut hz = edit.cutoff.unwrap_or(DEFAULT_HZ);
        ui.add_enabled_ui(is_given, |ui| {
            let value = DragValue::new(&mut hz).range(0.1..=100.0).speed(0.1);
            let response = ui.add(value.max_decimals(1).suffix(" Hz"));
            response.widget_info(|| spin("Cut-off", hz));
        });
        edit.cutoff = is_given.then_some(hz);
    });
}

fn range(ui: &mut Ui, session: &Session, edit: &mut Clean) {
    let played = session.state().playback.range_secs;
    let mut only = edit.range.is_some() && played.is_some();
    ui.add_enabled_ui(played.is_some(), |ui| {
        ui.checkbox(&mut only, "Only the played range");
    });
    let played = played.filter(|_| only);
    edit.range = played.map(|range| range.map(|secs| secs as f32));
}
