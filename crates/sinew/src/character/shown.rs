//! Choice of the meshes to show, by the names of meshes and nodes.

use super::{Character, Node};
use crate::binding::Target;
use crate::names::{hint, matches};
use sinew_math::hierarchy::Hierarchy;
use thiserror::Error;

/// Names of the meshes and nodes to show or to hide. In a name, `*` stands for any text and `?` for
/// one character. A node stands for all meshes at and below it.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Shown {
    /// Names of what is hidden.
    pub hide: Vec<String>,
    /// Names of what alone is shown, except what is hidden. Empty for everything.
    pub only: Vec<String>,
}

/// Error of a name in [`Shown`].
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ShownError {
    /// No mesh and no node has such a name.
    #[error("there is no mesh or node \"{name}\"{hint}")]
    Unknown {
        /// The name.
        name: String,
        /// Similar names, or names that exist.
        hint: String,
    },
    /// Nodes have the name, but no mesh is at or below them.
    #[error("no mesh is at or below \"{name}\", so it can be neither shown nor hidden alone")]
    NoMesh {
        /// The name.
        name: String,
    },
}

impl Character {
    /// For each node, true if its mesh is hidden.
    ///
    /// # Errors
    /// [`ShownError`] for a name without a mesh.
    pub fn hidden_nodes(&self, shown: &Shown) -> Result<Vec<bool>, ShownError> {
        let mut hidden = vec![!shown.only.is_empty(); self.nodes.len()];
        for (names, is_hidden) in [(&shown.only, false), (&shown.hide, true)] {
            for name in names {
                let named = self.named(name)?.into_iter().zip(&mut hidden);
                named
                    .filter(|(named, _)| *named)
                    .for_each(|(_, node)| *node = is_hidden);
            }
        }
        Ok(hidden)
    }

    /// Removes the meshes of hidden nodes, and the data of meshes that no other node has. Indices of
    /// nodes and meshes stay the same.
    pub fn hide_meshes(&mut self, hidden: &[bool]) {
        for (node, _) in self
            .nodes
            .iter_mut()
            .zip(hidden)
            .filter(|(_, hidden)| **hidden)
        {
            (node.mesh, node.skin) = (None, None);
            node.morph_weights.clear();
        }
        let mut is_used = vec![false; self.meshes.len()];
        for mesh in self.nodes.iter().filter_map(|node| node.mesh) {
            is_used[mesh] = true;
        }
        for (mesh, _) in self
            .meshes
            .iter_mut()
            .zip(&is_used)
            .filter(|(_, used)| !**used)
        {
            mesh.primitives.clear();
            mesh.morph_weights.clear();
            mesh.morph_names.clear();
        }
        let nodes = &self.nodes;
        for clip in &mut self.clips {
            let has_mesh = |node: usize| nodes.get(node).is_some_and(|node| node.mesh.is_some());
            clip.morphs.retain(|track| has_mesh(track.node));
        }
        self.correctives
            .retain(|corrective| is_used[corrective.mesh]);
        let meshes = &self.meshes;
        self.bindings.retain(|binding| match &binding.target {
            Target::Morph(name) => meshes.iter().any(|mesh| mesh.morph_names.contains(name)),
            _ => true,
        });
    }

    /// Marks all nodes below marked nodes. In a cycle, which [`Character::check`] rejects, marks none.
    pub fn mark_below(&self, marked: &mut [bool]) {
        let parents: Vec<_> = self.nodes.iter().map(|node| node.parent).collect();
        for index in Hierarchy::sort(&parents).map_or(Vec::new(), |sorted| sorted.old_from_new) {
            if let Some(parent) = parents[index] {
                marked[index] |= marked[parent];
            }
        }
    }

    /// For each node, true if it or a node above it has a name.
    fn named(&self, name: &str) -> Result<Vec<bool>, ShownError> {
        let mesh_name = |node: &Node| Some(self.meshes[node.mesh?].name.as_str());
        let is_named = |node: &Node| {
            let own = mesh_name(node).is_some_and(|own| matches(name, own));
            own || matches(name, &node.name)
        };
        let mut named: Vec<bool> = self.nodes.iter().map(is_named).collect();
        if !named.contains(&true) {
            let meshes = self.nodes.iter().filter(|node| node.mesh.is_some());
            let names = meshes.flat_map(|node| [Some(node.name.as_str()), mesh_name(node)]);
            return Err(ShownError::Unknown {
                name: name.to_owned(),
                hint: hint(name, names.flatten()),
            });
        }
        self.mark_below(&mut named);
        let mut meshes = self.nodes.iter().zip(&named);
        if !meshes.any(|(node, named)| *named && node.mesh.is_some()) {
            let name = name.to_owned();
            return Err(ShownError::NoMesh { name });
        }
        Ok(named)
    }
}
