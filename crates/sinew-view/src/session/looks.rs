use super::Session;
use crate::document::{FileId, Message, MessageKind, OpenFile};
use crate::state::{
    Look, LookCommand, MAX_STOPS, MAX_ZOOM, MIN_ZOOM, WindowCommand, WindowState, within,
};
use sinew::Normals;
use sinew::character::Shown;
use std::collections::BTreeSet;

impl Session {
    pub(super) fn run_look(&mut self, command: LookCommand) {
        match command {
            LookCommand::Visible { node, on } => self.set_visible(node, on),
            LookCommand::Morph {
                node,
                target,
                weight,
            } => self.set_morph(node, target, weight),
            LookCommand::ResetMorphs => {
                let shown = self.state.shown;
                self.state.morphs.retain(|(file, ..), _| *file != shown);
            }
            other => self.state.look.run(other),
        }
    }

    fn set_morph(&mut self, node: usize, target: usize, weight: Option<f32>) {
        let file = self.shown_file();
        if target >= file.morph_targets(node) {
            return;
        }
        let key = (file.id, node, target);
        let weight = weight.map(|weight| within(weight, 0.0, 1.0));
        match weight {
            Some(Some(weight)) => _ = self.state.morphs.insert(key, weight),
            Some(None) => {}
            None => _ = self.state.morphs.remove(&key),
        }
    }

    fn set_visible(&mut self, node: usize, on: bool) {
        let file = self.shown_file();
        let (id, character) = (file.id, file.character.clone());
        let mut below = vec![false; character.nodes.len()];
        let Some(own) = below.get_mut(node) else {
            return;
        };
        *own = true;
        character.mark_below(&mut below);
        for (node, below) in below.into_iter().enumerate() {
            if below && character.nodes[node].mesh.is_some() {
                set(&mut self.state.hidden, (id, node), !on);
            }
        }
    }

    /// Hides meshes of the files that are opened from now on, by name.
    pub fn show_only(&mut self, shown: Shown) {
        self.shown = shown;
    }

    /// Hides the meshes of a new file that were chosen by name.
    pub(super) fn hide_by_name(&mut self, id: FileId) {
        let Some(file) = self.document.file(id) else {
            return;
        };
        match file.character.hidden_nodes(&self.shown) {
            Ok(hidden) => {
                let nodes = hidden.into_iter().enumerate().filter(|(_, hidden)| *hidden);
                self.state.hidden.extend(nodes.map(|(node, _)| (id, node)));
            }
            Err(error) => {
                let message = Message {
                    kind: MessageKind::Problem,
                    file: file.name.clone(),
                    text: error.to_string(),
                    way_out: "Click the eyes in the scene tree to hide meshes.".to_owned(),
                };
                self.notify(message);
            }
        }
    }

    /// Keeps meshes hidden after a reload, by the names of their nodes.
    pub(super) fn keep_hidden(&mut self, before: &OpenFile) {
        let Some(file) = self.document.file(before.id) else {
            return;
        };
        let (old, new) = (&before.character.nodes, &file.character.nodes);
        let hidden = std::mem::take(&mut self.state.hidden);
        let (own, mut kept): (BTreeSet<_>, BTreeSet<_>) =
            hidden.into_iter().partition(|(file, _)| *file == before.id);
        let names = own.iter().filter_map(|(_, node)| old.get(*node));
        let names: BTreeSet<&String> = names.map(|node| &node.name).collect();
        let is_hidden = |node: &usize| names.contains(&new[*node].name);
        kept.extend(
            (0..new.len())
                .filter(is_hidden)
                .map(|node| (before.id, node)),
        );
        self.state.hidden = kept;
    }
}

impl Look {
    fn run(&mut self, command: LookCommand) {
        match command {
            LookCommand::Surface { surface } => self.surface = surface,
            LookCommand::Overlay { overlay, on } => set(&mut self.overlays, overlay, on),
            LookCommand::Pass { pass, on } => set(&mut self.passes, pass, on),
            LookCommand::ExactNormals { on } => {
                self.normals = if on { Normals::Exact } else { Normals::Skinned };
            }
            LookCommand::Background { background } => self.background = background,
            LookCommand::Environment { environment } => self.environment = environment,
            LookCommand::Exposure { stops } => {
                let stops = within(stops, -MAX_STOPS, MAX_STOPS);
                self.exposure_stops = stops.unwrap_or(self.exposure_stops);
            }
            // The session has the nodes.
            LookCommand::Visible { .. } | LookCommand::Morph { .. } | LookCommand::ResetMorphs => {}
        }
    }
}

impl WindowState {
    pub(super) fn run(&mut self, command: WindowCommand) {
        match command {
            WindowCommand::Panel { panel, on } => set(&mut self.panels, panel, on),
            WindowCommand::PictureOnly { on } => self.is_picture_only = on,
            WindowCommand::Theme { theme } => self.theme = theme,
            WindowCommand::LetterSize { zoom } => {
                self.zoom = within(zoom, MIN_ZOOM, MAX_ZOOM).unwrap_or(self.zoom);
            }
        }
    }
}

fn set<T: Ord>(set: &mut BTreeSet<T>, member: T, on: bool) {
    if on {
        set.insert(member);
    } else {
        set.remove(&member);
    }
}
