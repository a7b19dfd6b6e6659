//! Scenes: a tree of nodes to draw, and prototypes that are drawn many times.
//!
//! A node has content and a transform relative to its parent. A prototype is a separate tree that
//! is drawn only through instances. It may contain instances of other prototypes, without cycles. A
//! node without a colour or material inherits it from the nearest ancestor that has one, also
//! through instances. [`Scene::draws`] lists everything to draw.

mod arena;
mod draw;
mod node;

pub use draw::{Draw, Draws, MAX_VISITS};
pub use node::{Content, GeometryId, NodeId, PrototypeId, SceneNode};

use crate::mesh::Primitive;
use arena::Arena;
use sinew_math::transform::Affine;
use std::collections::HashSet;
use std::sync::Arc;
use thiserror::Error;

/// Error of a scene. The scene is unchanged.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum SceneError {
    /// Id of a removed node.
    #[error("node {} is no longer in the scene (its id is of generation {})", .id.index, .id.generation)]
    StaleNode {
        /// Id of the removed node.
        id: NodeId,
    },
    /// Geometry of another scene.
    #[error("there is no geometry {}; the scene has {len}", .geometry.0)]
    NoSuchGeometry {
        /// Geometry that was requested.
        geometry: GeometryId,
        /// Number of geometries.
        len: usize,
    },
    /// Instance of a removed prototype.
    #[error("the prototype of node \"{node}\" is no longer in the scene")]
    NoSuchPrototype {
        /// Name of the instance.
        node: String,
    },
    /// Node that would be moved below itself.
    #[error("node \"{node}\" cannot become a child of its descendant \"{parent}\"")]
    Cycle {
        /// Name of the node.
        node: String,
        /// Name of the requested parent.
        parent: String,
    },
    /// Prototype that would contain itself.
    #[error("prototype \"{prototype}\" would contain an instance of itself")]
    PrototypeCycle {
        /// Name of the prototype.
        prototype: String,
    },
    /// Prototype that still has instances.
    #[error("prototype \"{prototype}\" cannot be deleted while node \"{instance}\" draws it")]
    PrototypeInUse {
        /// Name of the prototype.
        prototype: String,
        /// Name of an instance.
        instance: String,
    },
    /// Root of the scene or of a prototype, in an operation that roots do not allow.
    #[error("\"{name}\" is a root, which cannot be moved or deleted")]
    Root {
        /// Name of the root.
        name: String,
    },
    /// Too many nested instances.
    #[error("drawing would visit more than {limit} nodes: nested instances multiply")]
    TooManyDraws {
        /// Max number of visits.
        limit: u64,
    },
    /// Transform or colour that is not finite.
    #[error("the {what} of node \"{node}\" is not finite")]
    NotFinite {
        /// Name of the node.
        node: String,
        /// Either "transform" or "colour".
        what: &'static str,
    },
    /// Scene without free ids.
    #[error("the scene is full: it cannot hold another node")]
    Full,
}

/// Tree of nodes, with prototypes and shared geometries.
///
/// ```
/// use glam::Vec3;
/// use sinew::Transform;
/// use sinew::mesh::shapes;
/// use sinew::scene::{SceneNode, Scene};
/// let mut scene = Scene::new();
/// let ball = scene.add_geometry(shapes::sphere(0.5, 8, 12));
/// let pair = scene.create_prototype("pair")?;
/// for x in [-1.0, 1.0] {
///     let offset = Transform::from_translation(Vec3::new(x, 0.0, 0.0));
///     scene.create(pair.root(), SceneNode::shape("ball", ball).placed(offset))?;
/// }
/// let up = Transform::from_translation(Vec3::Y);
/// scene.create(scene.root(), SceneNode::instance("raised", pair).placed(up))?;
/// let positions: Vec<Vec3> = scene.draws()?.map(|d| d.world_from_geometry.translation()).collect();
/// assert_eq!(positions, [Vec3::new(-1.0, 1.0, 0.0), Vec3::new(1.0, 1.0, 0.0)]);
/// # Ok::<(), sinew::scene::SceneError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Scene {
    arena: Arena,
    root: NodeId,
    geometries: Vec<Arc<Primitive>>,
}

impl Default for Scene {
    fn default() -> Self {
        Self::new()
    }
}

impl Scene {
    /// Scene with only a root.
    pub fn new() -> Self {
        let mut arena = Arena::default();
        let index = arena.insert(None, SceneNode::group("scene"));
        let root = arena.id(index.expect("an empty arena is not full"));
        Self {
            arena,
            root,
            geometries: Vec::new(),
        }
    }

    /// Root of all drawn nodes.
    pub fn root(&self) -> NodeId {
        self.root
    }

    /// Number of nodes, including roots and the nodes of prototypes, at least 1.
    #[expect(clippy::len_without_is_empty, reason = "a scene always has its root")]
    pub fn len(&self) -> usize {
        self.arena.len()
    }

    /// Adds a geometry that any number of nodes can draw.
    pub fn add_geometry(&mut self, geometry: impl Into<Arc<Primitive>>) -> GeometryId {
        self.geometries.push(geometry.into());
        GeometryId(self.geometries.len() - 1)
    }

    /// All geometries, in the order of [`GeometryId::index`].
    pub fn geometries(&self) -> &[Arc<Primitive>] {
        &self.geometries
    }

    /// Adds an empty prototype. All instances show later edits of its tree.
    pub fn create_prototype(&mut self, name: impl Into<String>) -> Result<PrototypeId, SceneError> {
        let index = self.arena.insert(None, SceneNode::group(name));
        let index = index.ok_or(SceneError::Full)?;
        Ok(PrototypeId(self.arena.id(index)))
    }

    /// Adds a node as the last child of a node of the scene or of a prototype.
    pub fn create(&mut self, parent: NodeId, node: SceneNode) -> Result<NodeId, SceneError> {
        let parent = self.index(parent)?;
        check_transform(&node.name, &node.parent_from_node)?;
        check_color(&node.name, node.color)?;
        self.check_content(parent, &node.name, node.content)?;
        let index = self.arena.insert(Some(parent), node);
        Ok(self.arena.id(index.ok_or(SceneError::Full)?))
    }

    /// Deletes a node with its descendants, or a prototype by its root. A prototype with instances
    /// gives an error.
    pub fn delete(&mut self, id: NodeId) -> Result<(), SceneError> {
        let index = self.index(id)?;
        let name = || self.arena.node(index).name.clone();
        if id == self.root {
            return Err(SceneError::Root { name: name() });
        }
        if self.arena.parent(index).is_none() {
            let drawn = Some(Content::Instance(PrototypeId(id)));
            let mut nodes = self.arena.all().map(|i| self.arena.node(i));
            if let Some(instance) = nodes.find(|n| n.content == drawn) {
                return Err(SceneError::PrototypeInUse {
                    prototype: name(),
                    instance: instance.name.clone(),
                });
            }
        }
        self.arena.remove(index);
        Ok(())
    }

    /// Moves a node with its descendants to another parent, as its last child. The transform
    /// relative to the parent is unchanged.
    pub fn reparent(&mut self, id: NodeId, parent: NodeId) -> Result<(), SceneError> {
        let (index, parent) = (self.index(id)?, self.index(parent)?);
        let name = |i: u32| self.arena.node(i).name.clone();
        if self.arena.parent(index).is_none() {
            return Err(SceneError::Root { name: name(index) });
        }
        if self.arena.ancestors(parent).any(|a| a == index) {
            return Err(SceneError::Cycle {
                node: name(index),
                parent: name(parent),
            });
        }
        self.check_nesting(parent, self.drawn_by(index))?;
        self.arena.reparent(index, parent);
        Ok(())
    }

    /// Node with this id.
    pub fn get(&self, id: NodeId) -> Result<&SceneNode, SceneError> {
        Ok(self.arena.node(self.index(id)?))
    }

    /// Parent of a node. `None` for a root.
    pub fn parent(&self, id: NodeId) -> Result<Option<NodeId>, SceneError> {
        let parent = self.arena.parent(self.index(id)?);
        Ok(parent.map(|p| self.arena.id(p)))
    }

    /// Children of a node, in order.
    pub fn children(&self, id: NodeId) -> Result<impl Iterator<Item = NodeId> + '_, SceneError> {
        let first = self.arena.first_child(self.index(id)?);
        let children = std::iter::successors(first, |&c| self.arena.next_sibling(c));
        Ok(children.map(|c| self.arena.id(c)))
    }

    /// Transform of a node, relative to the scene or to its prototype.
    pub fn world_from_node(&self, id: NodeId) -> Result<Affine, SceneError> {
        let mut world_from_node = Affine::IDENTITY;
        for ancestor in self.arena.ancestors(self.index(id)?) {
            world_from_node = self.arena.node(ancestor).parent_from_node * world_from_node;
        }
        Ok(world_from_node)
    }

    /// Sets the transform relative to the parent.
    pub fn set_transform(
        &mut self,
        id: NodeId,
        parent_from_node: Affine,
    ) -> Result<(), SceneError> {
        let index = self.index(id)?;
        check_transform(&self.arena.node(index).name, &parent_from_node)?;
        self.arena.node_mut(index).parent_from_node = parent_from_node;
        Ok(())
    }

    /// Sets the colour. `None` inherits it.
    pub fn set_color(&mut self, id: NodeId, color: Option<[f32; 4]>) -> Result<(), SceneError> {
        let index = self.index(id)?;
        check_color(&self.arena.node(index).name, color)?;
        self.arena.node_mut(index).color = color;
        Ok(())
    }

    /// Sets the material. `None` inherits it.
    pub fn set_material(&mut self, id: NodeId, material: Option<usize>) -> Result<(), SceneError> {
        let index = self.index(id)?;
        self.arena.node_mut(index).material = material;
        Ok(())
    }

    /// Sets the content of a node.
    pub fn set_content(&mut self, id: NodeId, content: Option<Content>) -> Result<(), SceneError> {
        let index = self.index(id)?;
        self.check_content(index, &self.arena.node(index).name, content)?;
        self.arena.node_mut(index).content = content;
        Ok(())
    }

    fn index(&self, id: NodeId) -> Result<u32, SceneError> {
        self.arena.index(id).ok_or(SceneError::StaleNode { id })
    }

    fn check_content(
        &self,
        holder: u32,
        node: &str,
        content: Option<Content>,
    ) -> Result<(), SceneError> {
        match content {
            None => Ok(()),
            Some(Content::Geometry(geometry)) if geometry.0 < self.geometries.len() => Ok(()),
            Some(Content::Geometry(geometry)) => Err(SceneError::NoSuchGeometry {
                geometry,
                len: self.geometries.len(),
            }),
            Some(Content::Instance(prototype)) => {
                let root = self.arena.index(prototype.0);
                let root = root.filter(|&r| self.arena.parent(r).is_none());
                let root = root.ok_or(SceneError::NoSuchPrototype { node: node.into() })?;
                self.check_nesting(holder, std::iter::once(root))
            }
        }
    }

    /// Rejects prototypes that contain the tree of node `holder`.
    fn check_nesting(
        &self,
        holder: u32,
        drawn: impl Iterator<Item = u32>,
    ) -> Result<(), SceneError> {
        let holder = self.arena.root_of(holder);
        if holder == self.root.index {
            return Ok(());
        }
        let mut waiting: Vec<u32> = drawn.collect();
        let mut seen: HashSet<u32> = waiting.iter().copied().collect();
        while let Some(root) = waiting.pop() {
            if root == holder {
                return Err(SceneError::PrototypeCycle {
                    prototype: self.arena.node(holder).name.clone(),
                });
            }
            waiting.extend(self.drawn_by(root).filter(|&r| seen.insert(r)));
        }
        Ok(())
    }

    fn drawn_by(&self, top: u32) -> impl Iterator<Item = u32> + '_ {
        let below = self.arena.subtree(top);
        below.filter_map(|index| match self.arena.node(index).content {
            Some(Content::Instance(prototype)) => Some(prototype.0.index),
            _ => None,
        })
    }
}

fn check_transform(node: &str, transform: &Affine) -> Result<(), SceneError> {
    finite(transform.is_finite(), node, "transform")
}

fn check_color(node: &str, color: Option<[f32; 4]>) -> Result<(), SceneError> {
    let is_finite = color.is_none_or(|color| color.iter().all(|c| c.is_finite()));
    finite(is_finite, node, "colour")
}

fn finite(is_finite: bool, node: &str, what: &'static str) -> Result<(), SceneError> {
    let node = || node.to_owned();
    match is_finite {
        true => Ok(()),
        false => Err(SceneError::NotFinite { node: node(), what }),
    }
}
