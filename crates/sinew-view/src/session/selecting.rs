//! Selection commands, by name or by a ray through a point of a pane.

use super::Session;
use crate::state::{Overlay, Selection, SelectionCommand, SkinHit, Surface, within};
use sinew::Character;
use sinew::pick::{pick_bone, pick_skin};

/// Max distance from a click to a bone, as a fraction of the picture height.
const BONE_REACH: f32 = 0.012;

impl Session {
    pub(super) fn run_selection(&mut self, command: SelectionCommand) {
        match command {
            SelectionCommand::Select { selection } => self.select(selection),
            SelectionCommand::AddJoint { joint } => self.add_joint(joint),
            SelectionCommand::Pick {
                pane,
                x,
                y,
                aspect,
                add,
            } => {
                let before = self.state.selected_joints();
                self.pick(pane, [x, y], aspect);
                if add {
                    self.add_to(before);
                }
            }
        }
    }

    fn add_joint(&mut self, joint: usize) {
        let before = self.state.selected_joints();
        if joint < self.shown_file().character.skeleton.len() {
            self.select(Selection::Joint(joint));
            self.add_to(before);
        }
    }

    /// Adds the selected joint to those that were selected before it, or removes it from them.
    fn add_to(&mut self, before: Vec<usize>) {
        let mut joints = self.state.selected_joints();
        joints.retain(|joint| !before.contains(joint));
        let is_new = !joints.is_empty();
        let left = |joint: &usize| is_new || self.state.selection != Selection::Joint(*joint);
        joints.extend(before.iter().filter(|joint| left(joint)));
        if joints != self.state.selected_joints() {
            let first = joints.first().copied();
            self.state.hit = None;
            self.state.selection = first.map_or(Selection::None, Selection::Joint);
            self.state.further_joints = joints.get(1..).unwrap_or_default().to_vec();
        }
    }

    fn select(&mut self, selection: Selection) {
        if self.shown_file().has(selection) {
            self.state.selection = selection;
            self.state.further_joints.clear();
            self.state.hit = None;
        }
    }

    fn pick(&mut self, pane: usize, [x, y]: [f32; 2], aspect: f32) {
        let point = [x, y].map(|part| within(part, 0.0, 1.0));
        let ([Some(x), Some(y)], Some(aspect)) = (point, within(aspect, 0.01, 100.0)) else {
            return;
        };
        let Some(shown) = self.state.panes.get(pane).copied() else {
            return;
        };
        let ray = self.state.camera.ray(x, y, aspect);
        let reach_rad = BONE_REACH * self.state.camera.camera().fov_y_rad;
        let look = &self.state.look;
        let is_hidden = look.surface == Surface::Hidden;
        let shows_bones = look.overlays.contains(&Overlay::Bones) || is_hidden;
        let version = self.document.file(shown.file).map(|file| file.version);
        let hidden = self.state.hidden.clone();
        let Some(figure) = self.figure(pane) else {
            return;
        };
        // An actor of an older version has other joints.
        if Some(figure.version) != version {
            return;
        }
        let (character, actor) = (figure.character.clone(), figure.actor);
        let rig = actor.rig().clone();
        let is_seen = |part: usize| !hidden.contains(&(shown.file, rig.parts()[part].node));
        let shows_bones = shows_bones || actor.rig().vertices() == 0;
        let mut found = (Selection::None, None);
        if shows_bones && let Ok(pose) = actor.model_pose() {
            let joint = pick_bone(&character.skeleton, pose, &ray, reach_rad);
            found.0 = joint.map_or(Selection::None, Selection::Joint);
        }
        if found.0 == Selection::None
            && !is_hidden
            && let Ok(Some(hit)) = pick_skin(actor, &ray, is_seen)
        {
            let (part, vertex) = (&actor.rig().parts()[hit.part], hit.vertex());
            let influences = part.surface().influences.as_ref();
            let heaviest = influences.and_then(|i| i.heaviest(vertex));
            let skin = part.skin().map(|skin| &actor.rig().skins()[skin]);
            let joint = heaviest
                .zip(skin)
                .map(|((joint, _), skin)| skin.joints[joint]);
            found = match joint {
                Some(joint) => {
                    let primitive = hit.part;
                    (Selection::Joint(joint), Some(SkinHit { primitive, vertex }))
                }
                None => (Selection::Node(part.node), None),
            };
        }
        // A click on another file selects the item with the same name in the shown file.
        if shown.file == self.state.shown {
            (self.state.selection, self.state.hit) = found;
            self.state.further_joints.clear();
        } else if found.0 != Selection::None {
            self.select_by_name(&character, found.0);
        }
    }

    fn select_by_name(&mut self, other: &Character, selection: Selection) {
        let shown = &self.shown_file().character;
        let same = match selection {
            Selection::Joint(joint) => {
                let name = other.skeleton.name(joint);
                shown.skeleton.find(name).map(Selection::Joint)
            }
            Selection::Node(node) => {
                let name = &other.nodes[node].name;
                let same = shown.nodes.iter().position(|n| n.name == *name);
                same.map(Selection::Node)
            }
            Selection::None | Selection::Vertex { .. } => None,
        };
        self.select(same.unwrap_or(Selection::None));
    }
}
