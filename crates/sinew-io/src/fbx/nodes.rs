//! Nodes, and the skeleton made of the nodes that move.

use super::error::FbxError;
use super::limits;
use super::plain;
use sinew::{Affine, Joint, Node, Skeleton, Transform};
use ufbx::Scene;

pub(super) struct Tree {
    /// Node of the character for each scene node. `None` for a scene root without a transform.
    pub(super) node_of: Vec<Option<usize>>,
    pub(super) joint_of: Vec<Option<usize>>,
    pub(super) skeleton: Skeleton,
}

impl Tree {
    /// Builds a skeleton of bones, `moving` nodes (by scene index), nodes with limits, and all
    /// their ancestors.
    pub(super) fn new(scene: &Scene, moving: &[bool]) -> Result<Self, FbxError> {
        let count = scene.nodes.count;
        let mut moves = vec![false; count];
        for (index, node) in scene.nodes.as_ref().iter().enumerate() {
            let is_joint = node.bone.is_some() || moving[index] || limits::has(node);
            let mut next = is_joint.then_some(index);
            while let Some(at) = next
                && let Some(marked @ false) = moves.get_mut(at)
            {
                *marked = true;
                next = parent_of(scene, at);
            }
        }
        let kept: Vec<bool> = (0..count).map(|node| is_kept(scene, node)).collect();
        let mut node_of = vec![None; count];
        for (index, node) in (0..count).filter(|node| kept[*node]).enumerate() {
            node_of[node] = Some(index);
        }
        let is_joint = |node: &usize| kept[*node] && moves[*node];
        let above = |node: usize| parent_of(scene, node).filter(|parent| kept[*parent]);
        let roots = (0..count).filter(is_joint).filter(|n| above(*n).is_none());
        let mut joints = Vec::new();
        let virtual_root = (roots.count() != 1).then(|| {
            joints.push(Joint::new("root", None, Transform::IDENTITY));
            0
        });
        let mut listed = vec![None; count];
        for node in (0..count).filter(is_joint) {
            listed[node] = Some(joints.len());
            let source = &scene.nodes[node];
            let rest = plain::transform(&source.local_transform);
            let joint = Joint::new(name_of(scene, node), None, rest);
            joints.push(joint.with_freedom(limits::freedom_of(source).unwrap_or_default()));
        }
        for node in (0..count).filter(is_joint) {
            let parent = above(node).and_then(|parent| listed[parent]);
            if let Some(joint) = listed[node].and_then(|joint| joints.get_mut(joint)) {
                joint.parent = parent.or(virtual_root);
            }
        }
        let (skeleton, map) = Skeleton::new(joints).map_err(|error| FbxError::Character {
            reason: error.to_string(),
        })?;
        let joint_of = listed
            .into_iter()
            .map(|joint| joint.and_then(|joint| map.get(joint)))
            .collect();
        Ok(Self {
            node_of,
            joint_of,
            skeleton,
        })
    }

    pub(super) fn nodes(&self, scene: &Scene) -> Vec<Node> {
        let kept = (0..scene.nodes.count).filter(|node| self.node_of[*node].is_some());
        kept.map(|node| Node {
            name: name_of(scene, node),
            parent: parent_of(scene, node).and_then(|parent| self.node_of[parent]),
            parent_from_node: plain::transform(&scene.nodes[node].local_transform).to_affine(),
            joint: self.joint_of[node],
            mesh: None,
            skin: None,
            morph_weights: Vec::new(),
            light: None,
        })
        .collect()
    }
}

fn is_kept(scene: &Scene, node: usize) -> bool {
    let node = &scene.nodes[node];
    !node.is_root || plain::transform(&node.local_transform).to_affine() != Affine::IDENTITY
}

fn parent_of(scene: &Scene, node: usize) -> Option<usize> {
    let parent = scene.nodes[node].parent.as_ref()?;
    Some(parent.element.typed_id as usize)
}

/// Name of a node in the file. A helper node takes the name of the node that it helps.
fn name_of(scene: &Scene, node: usize) -> String {
    let source = &scene.nodes[node];
    let owner = || {
        source
            .parent
            .as_ref()
            .map_or("", |parent| &parent.element.name)
    };
    if source.is_scale_helper {
        format!("{}.scale", owner())
    } else if source.is_geometry_transform_helper {
        format!("{}.geometry", owner())
    } else if source.is_root && source.element.name.is_empty() {
        "scene".to_owned()
    } else if source.element.name.is_empty() {
        format!("node_{node}")
    } else {
        source.element.name.to_string()
    }
}
