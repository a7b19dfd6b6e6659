//! The nodes to write, and their tree. The nodes of the character keep their indices. New nodes
//! follow for joints without a node. A root that the import added above several roots gets no node.

use super::error::{ExportError, check_reference};
use crate::gltf::document::forest::Forest;
use sinew::clip::ClipLayers;
use sinew::skeleton::limits::Freedom;
use sinew::{Character, Clip, Hierarchy, Transform};
use std::collections::HashSet;

#[derive(Clone, Copy, Debug)]
pub(super) enum Added {
    Joint(usize),
    /// A child of a joint that a skin lists twice, because glTF requires unique nodes.
    Copy(usize),
}

pub(super) struct Plan {
    pub(super) parents: Vec<Option<usize>>,
    pub(super) tops: Vec<usize>,
    pub(super) added: Vec<Added>,
    pub(super) node_of_joint: Vec<Option<usize>>,
    pub(super) skin_nodes: Vec<Vec<usize>>,
    pub(super) skin_roots: Vec<Option<usize>>,
    pub(super) is_animated: Vec<bool>,
    /// Joints of which import makes joints again, because something moves, limits or lists them or
    /// a descendant.
    pub(super) stays_joint: Vec<bool>,
    /// Joint that clips without tracks hold still, because glTF requires a channel. `None` without joints.
    pub(super) still_joint: Option<usize>,
}

impl Plan {
    pub(super) fn new(character: &Character) -> Result<Self, ExportError> {
        let joints = character.skeleton.len();
        let parents: Vec<_> = character.nodes.iter().map(|node| node.parent).collect();
        // Checked before the joints are attached, because joints hide faults in the nodes.
        Hierarchy::sort(&parents).map_err(ExportError::Nodes)?;
        let mut plan = Self {
            parents,
            tops: Vec::new(),
            added: Vec::new(),
            node_of_joint: vec![None; joints],
            skin_nodes: Vec::with_capacity(character.skins.len()),
            skin_roots: Vec::new(),
            is_animated: vec![false; joints],
            stays_joint: Vec::new(),
            still_joint: None,
        };
        for (index, node) in character.nodes.iter().enumerate() {
            if let Some(joint) = node.joint {
                check_reference(joint, joints, || format!("/nodes/{index}"))?;
                plan.node_of_joint[joint].get_or_insert(index);
            }
        }
        for (index, skin) in character.skins.iter().enumerate() {
            for &joint in &skin.joints {
                check_reference(joint, joints, || format!("/skins/{index}/joints"))?;
            }
        }
        let tracks = character.clips.iter().flat_map(|clip| &clip.joints);
        let layered = character.layers.iter().flat_map(layered_joints);
        for joint in tracks.map(|tracks| tracks.joint).chain(layered) {
            if let Some(is_animated) = plan.is_animated.get_mut(joint) {
                *is_animated = true;
            }
        }
        let is_empty = |clip: &Clip| clip.joints.is_empty() && clip.morphs.is_empty();
        if joints > 0 && character.clips.iter().any(is_empty) {
            let moving = plan.is_animated.iter().position(|is_animated| *is_animated);
            let joint = moving.unwrap_or(0);
            plan.is_animated[joint] = true;
            plan.still_joint = Some(joint);
        }
        let parents: Vec<_> = character.skeleton.hierarchy().parents().collect();
        let forest = Forest::new(&parents);
        let skins = character.skins.iter();
        let roots: Vec<Option<usize>> = skins
            .map(|skin| forest.common_of(skin.joints.iter().copied()))
            .collect();
        plan.stays_joint = stays_joint(character, &plan.is_animated);
        plan.add_joints(character, &roots);
        plan.attach_joints(character);
        plan.list_skins(character);
        let node_of = |root: Option<usize>| plan.node_of_joint[root?];
        plan.skin_roots = roots.into_iter().map(node_of).collect();
        let sorted = Hierarchy::sort(&plan.parents).map_err(ExportError::Nodes)?;
        plan.tops = (0..plan.parents.len()).collect();
        for node in sorted.old_from_new {
            if let Some(parent) = plan.parents[node] {
                plan.tops[node] = plan.tops[parent];
            }
        }
        Ok(plan)
    }

    fn add(&mut self, added: Added, parent: Option<usize>) -> usize {
        self.added.push(added);
        self.parents.push(parent);
        self.parents.len() - 1
    }

    fn add_joints(&mut self, character: &Character, skin_roots: &[Option<usize>]) {
        if self.node_of_joint.iter().all(Option::is_some) {
            return;
        }
        let mut matters = self.is_animated.clone();
        let listed = character.skins.iter().flat_map(|skin| &skin.joints);
        for &joint in listed.chain(skin_roots.iter().flatten()) {
            matters[joint] = true;
        }
        for (joint, matters) in matters.into_iter().enumerate() {
            let stands_still = character.skeleton.rest().get(joint) == Transform::IDENTITY;
            if self.node_of_joint[joint].is_none() && (matters || !stands_still) {
                self.node_of_joint[joint] = Some(self.add(Added::Joint(joint), None));
            }
        }
    }

    /// Attaches the node of every joint to the node of its parent joint. The skeleton overrides the
    /// tree of nodes.
    fn attach_joints(&mut self, character: &Character) {
        let mut nearest_above: Vec<Option<usize>> = vec![None; character.skeleton.len()];
        for (joint, parent) in character.skeleton.hierarchy().parents().enumerate() {
            let above = parent.and_then(|p| self.node_of_joint[p].or(nearest_above[p]));
            nearest_above[joint] = above;
            if let Some(node) = self.node_of_joint[joint] {
                self.parents[node] = above;
            }
        }
    }

    fn list_skins(&mut self, character: &Character) {
        for skin in &character.skins {
            let mut listed = HashSet::new();
            let mut nodes = Vec::with_capacity(skin.joints.len());
            for &joint in &skin.joints {
                let node = self.node_of_joint[joint];
                nodes.push(match node {
                    Some(node) if listed.insert(node) => node,
                    node => self.add(Added::Copy(joint), node),
                });
            }
            self.skin_nodes.push(nodes);
        }
    }
}

fn stays_joint(character: &Character, is_animated: &[bool]) -> Vec<bool> {
    let skeleton = &character.skeleton;
    let mut stays = is_animated.to_vec();
    for &joint in character.skins.iter().flat_map(|skin| &skin.joints) {
        stays[joint] = true;
    }
    for joint in (0..skeleton.len()).rev() {
        stays[joint] |=
            *skeleton.freedom(joint) != Freedom::default() || skeleton.role(joint).is_some();
        if let Some(parent) = skeleton.hierarchy().parent(joint).filter(|_| stays[joint]) {
            stays[parent] = true;
        }
    }
    stays
}

/// Joints that layers list or have tracks of. Each needs a node, because layers refer to joints by node.
fn layered_joints(layers: &ClipLayers) -> impl Iterator<Item = usize> {
    let above = layers.layers.iter().flat_map(|layer| {
        let tracks = layer.tracks.iter().map(|tracks| tracks.joint);
        tracks.chain(layer.joints.iter().copied())
    });
    layers.base.iter().map(|base| base.joint).chain(above)
}
