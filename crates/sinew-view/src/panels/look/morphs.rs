//! Section with a slider for the weight of each morph target.

use crate::document::OpenFile;
use crate::panels::angles::labeled_slider;
use crate::panels::style::widgets::{chip, heading, search, section};
use crate::session::Session;
use crate::state::{Command, LookCommand, PanelKind};
use egui::Ui;

/// Number of targets above which they can be searched.
const MANY: usize = 12;

pub(crate) fn show(ui: &mut Ui, session: &Session, commands: &mut Vec<Command>) {
    section(ui, session, PanelKind::Morphs, commands, |ui, commands| {
        let Some(file) = session.document().file(session.state().shown) else {
            return;
        };
        let nodes = 0..file.character.nodes.len();
        let targets: Vec<(usize, usize)> = nodes
            .map(|node| (node, file.morph_targets(node)))
            .filter(|(_, targets)| *targets > 0)
            .collect();
        if targets.is_empty() {
            ui.weak("This file has no morph targets.");
            return;
        }
        let is_by_hand = session.state().morphs.keys().any(|key| key.0 == file.id);
        ui.add_enabled_ui(is_by_hand, |ui| {
            let hint = "Give all targets the weights of the clip back";
            if chip(ui, "Reset weights", hint, false).clicked() {
                commands.push(LookCommand::ResetMorphs.into());
            }
        });
        let count: usize = targets.iter().map(|(_, targets)| targets).sum();
        let wanted = match count > MANY {
            true => search(ui, "Search targets"),
            false => String::new(),
        };
        for &(node, count) in &targets {
            if targets.len() > 1 {
                heading(ui, &file.character.nodes[node].name);
            }
            for target in 0..count {
                slider(ui, session, file, (node, target), &wanted, commands);
            }
        }
    });
}

fn slider(
    ui: &mut Ui,
    session: &Session,
    file: &OpenFile,
    (node, target): (usize, usize),
    wanted: &str,
    commands: &mut Vec<Command>,
) {
    let mesh = file.character.nodes[node].mesh;
    let mesh = mesh.and_then(|mesh| file.character.meshes.get(mesh));
    let name = mesh.and_then(|mesh| mesh.morph_names.get(target)).cloned();
    let name = name.filter(|name| !name.is_empty());
    let name = name.unwrap_or_else(|| format!("target {target}"));
    if !name.to_lowercase().contains(wanted) {
        return;
    }
    let by_hand = session.state().morphs.get(&(file.id, node, target));
    let rest = file.character.rest_morph_weights(node).get(target).copied();
    let weight = by_hand.copied().or(rest).unwrap_or(0.0);
    let before = (100.0 * weight).round();
    let mut percent = before;
    let title = format!("Weight of {name}");
    labeled_slider(ui, &name, &title, &mut percent, 0.0..=100.0, " %");
    if percent != before {
        let weight = Some(percent / 100.0);
        let command = LookCommand::Morph {
            node,
            target,
            weight,
        };
        commands.push(command.into());
    }
}
