//! Scene as a flat list of draws, so that drawing code need not recurse.

use super::{Content, GeometryId, NodeId, Scene, SceneError};
use sinew_math::transform::Affine;
use std::collections::HashMap;

/// Max number of visited nodes per traversal. Each instance counts its nodes again.
pub const MAX_VISITS: u64 = 1 << 24;

/// Geometry with its transform and attributes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Draw {
    /// Transform of the geometry. A negative determinant reverses the winding.
    pub world_from_geometry: Affine,
    /// Geometry in [`Scene::geometries`].
    pub geometry: GeometryId,
    /// Colour of the nearest ancestor with a colour. It multiplies vertex colours.
    pub color: Option<[f32; 4]>,
    /// Material index of the nearest ancestor with a material. `None`: material of the geometry.
    pub material: Option<usize>,
    /// Node of the geometry, in the scene or in a prototype.
    pub node: NodeId,
    /// Outermost instance in the scene, if `node` is in a prototype.
    pub instance: Option<NodeId>,
}

/// Iterator over all [`Draw`]s of a scene, parents before children and siblings in order.
#[derive(Clone, Debug)]
pub struct Draws<'s> {
    scene: &'s Scene,
    stack: Vec<Visit>,
}

#[derive(Clone, Copy, Debug)]
struct Visit {
    index: u32,
    world_from_parent: Affine,
    color: Option<[f32; 4]>,
    material: Option<usize>,
    instance: Option<NodeId>,
}

impl Iterator for Draws<'_> {
    type Item = Draw;

    fn next(&mut self) -> Option<Draw> {
        let arena = &self.scene.arena;
        while let Some(visit) = self.stack.pop() {
            let node = arena.node(visit.index);
            if let Some(index) = arena.next_sibling(visit.index) {
                self.stack.push(Visit { index, ..visit });
            }
            let inherited = Visit {
                world_from_parent: visit.world_from_parent * node.parent_from_node,
                color: node.color.or(visit.color),
                material: node.material.or(visit.material),
                ..visit
            };
            if let Some(index) = arena.first_child(visit.index) {
                self.stack.push(Visit { index, ..inherited });
            }
            let id = arena.id(visit.index);
            match node.content {
                None => {}
                Some(Content::Instance(prototype)) => self.stack.push(Visit {
                    index: prototype.root().index,
                    instance: visit.instance.or(Some(id)),
                    ..inherited
                }),
                Some(Content::Geometry(geometry)) => {
                    return Some(Draw {
                        world_from_geometry: inherited.world_from_parent,
                        geometry,
                        color: inherited.color,
                        material: inherited.material,
                        node: id,
                        instance: visit.instance,
                    });
                }
            }
        }
        None
    }
}

#[derive(Clone, Copy, Default)]
struct Tally {
    visits: u64,
    draws: u64,
}

impl Tally {
    fn checked_add(self, other: Self) -> Option<Self> {
        Some(Self {
            visits: self.visits.checked_add(other.visits)?,
            draws: self.draws.checked_add(other.draws)?,
        })
    }
}

impl Scene {
    /// All draws of the scene. An error if nested instances need more than [`MAX_VISITS`] visits.
    pub fn draws(&self) -> Result<Draws<'_>, SceneError> {
        let visits = self.tally().map(|t| t.visits);
        if visits.is_none_or(|v| v > MAX_VISITS) {
            return Err(SceneError::TooManyDraws { limit: MAX_VISITS });
        }
        Ok(Draws {
            scene: self,
            stack: vec![Visit {
                index: self.root.index,
                world_from_parent: Affine::IDENTITY,
                color: None,
                material: None,
                instance: None,
            }],
        })
    }

    /// Number of draws, without a list. An error beyond 2⁶⁴ visits.
    pub fn draw_count(&self) -> Result<u64, SceneError> {
        let tally = self.tally();
        let tally = tally.ok_or(SceneError::TooManyDraws { limit: u64::MAX })?;
        Ok(tally.draws)
    }

    /// Counts draws. A tree waits until the prototypes in it are counted.
    fn tally(&self) -> Option<Tally> {
        let mut counted: HashMap<u32, Tally> = HashMap::new();
        let mut waiting = vec![self.root.index];
        while let Some(&root) = waiting.last() {
            if counted.contains_key(&root) {
                waiting.pop();
                continue;
            }
            let before = waiting.len();
            waiting.extend(self.drawn_by(root).filter(|r| !counted.contains_key(r)));
            if waiting.len() > before {
                continue;
            }
            let mut tally = Tally::default();
            for index in self.arena.subtree(root) {
                let own = matches!(self.arena.node(index).content, Some(Content::Geometry(_)));
                tally.visits += 1;
                tally.draws += u64::from(own);
            }
            for drawn in self.drawn_by(root) {
                tally = tally.checked_add(counted[&drawn])?;
            }
            counted.insert(root, tally);
        }
        counted.remove(&self.root.index)
    }
}
