//! Meshes of a character to bind.

use crate::weights::error::BindCharacterError;
use sinew::Character;

pub(crate) struct Targets {
    pub nodes: Vec<usize>,
    pub meshes: Vec<usize>,
    pub carried: usize,
}

impl Targets {
    pub fn find(
        character: &Character,
        skin: usize,
        correct: bool,
    ) -> Result<Self, BindCharacterError> {
        let joints = character.skins.get(skin).map(|skin| &skin.joints);
        let is_joint = |node: usize| {
            let joint = character.nodes[node].joint;
            joint.is_some_and(|joint| joints.is_some_and(|all| all.contains(&joint)))
        };
        let hangs = |node: usize| {
            let mut above = Some(node);
            for _ in 0..character.nodes.len() {
                match above {
                    Some(node) if is_joint(node) => return true,
                    Some(node) => above = character.nodes[node].parent,
                    None => return false,
                }
            }
            false
        };
        let mut targets = Self {
            nodes: Vec::new(),
            meshes: Vec::new(),
            carried: 0,
        };
        for (index, node) in character.nodes.iter().enumerate() {
            let Some(mesh) = node.mesh else { continue };
            let primitives = &character.meshes[mesh].primitives;
            let has_weights = primitives.iter().any(|p| p.influences.is_some());
            let is_bound = node.skin.is_some() && has_weights;
            let expected = if correct {
                is_bound && node.skin == Some(skin)
            } else {
                !is_bound
            };
            if !expected || targets.meshes.contains(&mesh) {
                continue;
            }
            if !correct && hangs(index) {
                targets.carried += 1;
                continue;
            }
            targets.nodes.push(index);
            targets.meshes.push(mesh);
        }
        match (targets.meshes.is_empty(), correct) {
            (false, _) => Ok(targets),
            (true, false) => Err(BindCharacterError::NothingToBind),
            (true, true) => Err(BindCharacterError::NothingToCorrect),
        }
    }
}
