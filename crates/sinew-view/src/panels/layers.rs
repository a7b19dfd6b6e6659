//! Section with the layers of the clip that plays.

use super::edits::free_name;
use super::style::widgets::{chip, section};
use super::time::controls::field;
use crate::session::Session;
use crate::state::{Command, EditingCommand, HistoryCommand, PanelKind};
use egui::{Slider, Ui, WidgetInfo};
use sinew::clip::ClipLayer;
use sinew_edit::{LayerEdit, Name};

/// Lists the layers of the clip that plays. The chosen one gets keys.
pub(super) fn show(ui: &mut Ui, session: &Session, commands: &mut Vec<Command>) {
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
            active_layer(ui, session, &clip, (index, layers), commands);
            ui.separator();
        }
        new_layer(ui, &clip, layers, commands);
        let hint = "Make the motion with all layers the motion of the clip";
        ui.add_enabled_ui(!layers.is_empty(), |ui| {
            if chip(ui, "Flatten", hint, false).clicked() {
                commands.push(LayerEdit::Flatten { clip: clip.clone() }.into());
            }
        });
    });
}

fn new_layer(ui: &mut Ui, clip: &Name, layers: &[ClipLayer], commands: &mut Vec<Command>) {
    let id = ui.scope_id().with("layer name");
    let mut name: String = ui.data(|data| data.get_temp(id)).unwrap_or_default();
    field(ui, "Layer name", &mut name, 110.0);
    ui.horizontal_wrapped(|ui| {
        for (label, hint, additive) in [
            (
                "Add layer",
                "Add a layer that adds to the motion below; it gets the next keys",
                true,
            ),
            (
                "Add override layer",
                "Add a layer that replaces the motion below; it gets the next keys",
                false,
            ),
        ] {
            if chip(ui, label, hint, false).clicked() {
                let taken = |name: &str| layers.iter().any(|layer| layer.name == name);
                let edit = LayerEdit::AddLayer {
                    clip: clip.clone(),
                    name: free_name(name.trim(), "correction", taken),
                    additive,
                    weight: 1.0,
                    joints: Vec::new(),
                };
                commands.push(edit.into());
                let layer = Some(layers.len());
                commands.push(EditingCommand::ActiveLayer { layer }.into());
                name.clear();
            }
        }
    });
    ui.data_mut(|data| data.insert_temp(id, name));
}

/// Change of a layer.
enum Change {
    Name(String),
    Additive(bool),
    Weight(f32),
    Joints(Vec<Name>),
}

/// Name, weight, kind and joints of the active layer.
fn active_layer(
    ui: &mut Ui,
    session: &Session,
    clip: &Name,
    (index, layers): (usize, &[ClipLayer]),
    commands: &mut Vec<Command>,
) {
    let layer = &layers[index];
    let set = |change: Change| {
        let mut edit = LayerEdit::SetLayer {
            clip: clip.clone(),
            layer: Name::Index(index),
            name: None,
            additive: None,
            weight: None,
            joints: None,
        };
        if let LayerEdit::SetLayer {
            name,
            additive,
            weight,
            joints,
            ..
        } = &mut edit
        {
            match change {
                Change::Name(new) => *name = Some(new),
                Change::Additive(on) => *additive = Some(on),
                Change::Weight(new) => *weight = Some(new),
                Change::Joints(new) => *joints = Some(new),
            }
        }
        edit
    };
    ui.horizontal(|ui| {
        let id = ui.scope_id().with(("name of layer", &layer.name));
        let kept: Option<String> = ui.data(|data| data.get_temp(id));
        let mut name = kept.unwrap_or_else(|| layer.name.clone());
        field(ui, "Name of layer", &mut name, 110.0);
        let new = name.trim().to_owned();
        if chip(ui, "Rename layer", "Give the layer this name", false).clicked()
            && new != layer.name
        {
            commands.push(set(Change::Name(new)).into());
        }
        ui.data_mut(|data| data.insert_temp(id, name));
    });
    weight(ui, layer, |weight| set(Change::Weight(weight)), commands);
    ui.horizontal(|ui| {
        for (name, hint, additive) in [
            ("Additive", "The layer adds to the motion below", true),
            ("Override", "The layer replaces the motion below", false),
        ] {
            let is_on = layer.additive == additive;
            if chip(ui, name, hint, is_on).clicked() && !is_on {
                commands.push(set(Change::Additive(additive)).into());
            }
        }
    });
    let joints = match layer.joints.len() {
        0 => "on all joints".to_owned(),
        1 => "on 1 joint".to_owned(),
        count => format!("on {count} joints"),
    };
    ui.weak(format!("It works {joints}."));
    ui.horizontal_wrapped(|ui| {
        let selected = session.state().selected_joints();
        ui.add_enabled_ui(!selected.is_empty(), |ui| {
            let hint = "Only the selected joints may be changed by the layer";
            if chip(ui, "Only selected joints", hint, false).clicked() {
                let joints = selected.iter().copied().map(Name::Index).collect();
                commands.push(set(Change::Joints(joints)).into());
            }
        });
        ui.add_enabled_ui(!layer.joints.is_empty(), |ui| {
            let hint = "The layer may change all joints that it has keys for";
            if chip(ui, "All joints", hint, false).clicked() {
                commands.push(set(Change::Joints(Vec::new())).into());
            }
        });
        if chip(ui, "Delete layer", "Delete the chosen layer", false).clicked() {
            let (clip, layer) = (clip.clone(), Name::Index(index));
            commands.push(LayerEdit::DeleteLayer { clip, layer }.into());
            commands.push(EditingCommand::ActiveLayer { layer: None }.into());
        }
    });
}

/// Slider for the weight. A drag is one step.
fn weight(
    ui: &mut Ui,
    layer: &ClipLayer,
    set: impl Fn(f32) -> LayerEdit,
    commands: &mut Vec<Command>,
) {
    let mut weight = layer.weight;
    ui.horizontal(|ui| {
        // The panel grows with its widest row.
        ui.spacing_mut().slider_width = 70.0;
        let response = ui.add(Slider::new(&mut weight, 0.0..=1.0).max_decimals(2));
        let name = format!("Weight of {}", layer.name);
        response.widget_info(|| WidgetInfo::slider(true, f64::from(weight), &name));
        if weight != layer.weight {
            let edit = set(weight);
            commands.push(HistoryCommand::drag(edit).into());
            if !response.dragged() {
                commands.push(HistoryCommand::Release.into());
            }
        }
        if response.drag_stopped() {
            commands.push(HistoryCommand::Release.into());
        }
        let hint = "Weight 0: the layer has no effect, and keeps its keys";
        let is_off = layer.weight == 0.0;
        if chip(ui, "Mute layer", hint, is_off).clicked() {
            commands.push(set(if is_off { 1.0 } else { 0.0 }).into());
        }
    });
}
