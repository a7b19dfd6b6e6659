use sinew_math::transform::{Affine, Transform};

/// Id of a node in a scene. It becomes invalid when the node is deleted, and is never reused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NodeId {
    pub(super) index: u32,
    pub(super) generation: u32,
}

/// Id of a geometry in a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GeometryId(pub(super) usize);

impl GeometryId {
    /// Index in [`super::Scene::geometries`].
    pub const fn index(self) -> usize {
        self.0
    }
}

/// Id of a prototype in a scene.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PrototypeId(pub(super) NodeId);

impl PrototypeId {
    /// Root node of the tree of the prototype.
    pub const fn root(self) -> NodeId {
        self.0
    }
}

/// Content that a node draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// Triangles, which any number of nodes may share.
    Geometry(GeometryId),
    /// Prototype, drawn with the transform of the node.
    Instance(PrototypeId),
}

/// Node of a scene.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct SceneNode {
    /// Name. It need not be unique.
    pub name: String,
    /// Transform relative to the parent, which can be any affine map.
    pub parent_from_node: Affine,
    /// Content to draw. `None` for a group.
    pub content: Option<Content>,
    /// Linear red, green, blue and opacity of the node and its descendants. `None` inherits.
    pub color: Option<[f32; 4]>,
    /// Index of a material of the application, for the node and descendants. `None` inherits.
    pub material: Option<usize>,
}

impl SceneNode {
    /// Node without content.
    pub fn group(name: impl Into<String>) -> Self {
        Self {
            name: name.into(),
            ..Self::default()
        }
    }

    /// Node with a geometry.
    pub fn shape(name: impl Into<String>, geometry: GeometryId) -> Self {
        Self {
            content: Some(Content::Geometry(geometry)),
            ..Self::group(name)
        }
    }

    /// Node with an instance of a prototype.
    pub fn instance(name: impl Into<String>, prototype: PrototypeId) -> Self {
        Self {
            content: Some(Content::Instance(prototype)),
            ..Self::group(name)
        }
    }

    /// Sets the transform relative to the parent.
    pub fn placed(self, parent_from_node: Transform) -> Self {
        Self {
            parent_from_node: parent_from_node.to_affine(),
            ..self
        }
    }

    /// Sets the colour.
    pub fn colored(self, color: [f32; 4]) -> Self {
        Self {
            color: Some(color),
            ..self
        }
    }

    /// Sets the material.
    pub fn with_material(self, material: usize) -> Self {
        Self {
            material: Some(material),
            ..self
        }
    }
}
