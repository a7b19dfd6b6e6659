//! One place in a scene: where it stands, what it draws, and the ids that name such things.

use sinew_math::transform::{Affine, Transform};

/// The id of a node of one scene. Once the node is deleted, the id names nothing, whatever comes after.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NodeId {
    pub(super) index: u32,
    pub(super) generation: u32,
}

/// The id of a geometry of one scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GeometryId(pub(super) usize);

impl GeometryId {
    /// Its index in [`super::Scene::geometries`].
    pub const fn index(self) -> usize {
        self.0
    }
}

/// The id of a prototype of one scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PrototypeId(pub(super) NodeId);

impl PrototypeId {
    /// The node that the prototype's own tree hangs from.
    pub const fn root(self) -> NodeId {
        self.0
    }
}

/// The content of a node: what it draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Triangles, which any number of nodes may share.
    Geometry(GeometryId),
    /// A whole prototype, with the node's transform as the instance transformation.
    Instance(PrototypeId),
}

/// One place in a scene.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct SceneNode {
    /// Names need not be unique.
    pub name: String,
    /// Where it stands on its parent; any affine map.
    pub parent_from_node: Affine,
    /// What it draws; `None` for a node that only groups.
    pub content: Option<Content>,
    /// Linear red, green, blue and opacity, for itself and what hangs from it.
    pub color: Option<[f32; 4]>,
    /// Index into the application's materials, for itself and what hangs from it.
    pub material: Option<usize>,
}

impl SceneNode {
    /// A node that only groups.
    pub fn group(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            ..Self::default()
        }
    }

    /// A node that draws triangles.
    pub fn shape(name: impl Into<String>, geometry: GeometryId) -> Self {
        Self {
            content: Some(Content::Geometry(geometry)),
            ..Self::group(name)
        }
    }

    /// A node that draws a prototype.
    pub fn instance(name: impl Into<String>, prototype: PrototypeId) -> Self {
        Self {
            content: Some(Content::Instance(prototype)),
            ..Self::group(name)
        }
    }

    /// The same node, scaled, turned and moved on its parent.
    pub fn placed(self, parent_from_node: Transform) -> Self {
        Self {
            parent_from_node: parent_from_node.to_affine(),
            ..self
        }
    }

    /// The same node in a colour.
    pub fn colored(self, color: [f32; 4]) -> Self {
        Self {
            color: Some(color),
            ..self
        }
    }

    /// The same node of a material.
    pub fn with_material(self, material: usize) -> Self {
        Self {
            material: Some(material),
            ..self
        }
    }
}
