//! A glTF document: the objects that this library reads, and all other data as text.
//!
//! The reader tolerates faults (see [`Document::read`]). The writer reproduces every number. Absent
//! or unreadable members are `None` or empty.

mod enums;

use std::ops::Range;

use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

pub use enums::{AlphaMode, Interpolation, Target, TargetPath};

use super::budget::Budget;
use super::error::GltfError;
use super::format::{AccessorFormat, ComponentType, ElementType};
use super::json::{self, Member, NamedIndices, Object, Rest, Stopped};
use crate::report::FileReport;

/// Declares objects: each field with its member name and its reader, for reading and writing.
macro_rules! objects {
    ($(
        $(#[$doc:meta])*
        pub struct $Name:ident requires [$($required:literal),*] {
            $( $(#[$field_doc:meta])* $field:ident: $Type:ty = $member:literal as $read:ident $(($($argument:expr),*))?, )*
        }
    )*) => {$(
        $(#[$doc])*
        #[derive(Clone, Debug, Default, PartialEq)]
        pub struct $Name {
            $( $(#[$field_doc])* pub $field: $Type, )*
            /// Other members: `extras`, `extensions` and unknown members.
            pub rest: Rest,
        }

        impl Object for $Name {
            fn required(&self) -> &'static [&'static str] {
                &[$($required),*]
            }

            fn read_member(&mut self, member: Member<'_, '_, '_>) -> Result<(), Stopped> {
                match member.name.as_ref() {
                    $( $member => self.$field = member.$read($($($argument),*)?)?, )*
                    _ => member.keep(&mut self.rest)?,
                }
                Ok(())
            }
        }

        impl Serialize for $Name {
            fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                let mut map = serializer.serialize_map(None)?;
                $( json::write_member(&mut map, $member, &self.$field)?; )*
                json::write_rest(&mut map, &self.rest)?;
                map.end()
            }
        }
    )*};
}

objects! {
    /// A whole glTF document.
    pub struct Document requires ["asset"] {
        /// Format version, and the program that wrote the file.
        asset: Option<Asset> = "asset" as object,
        /// Extensions that the document uses.
        extensions_used: Vec<Box<str>> = "extensionsUsed" as strings,
        /// Extensions that a reader must support.
        extensions_required: Vec<Box<str>> = "extensionsRequired" as strings,
        /// Index of the scene to show.
        scene: Option<u32> = "scene" as index,
        /// Named selections of root nodes.
        scenes: Vec<Scene> = "scenes" as root_objects,
        /// Nodes of all trees.
        nodes: Vec<Node> = "nodes" as root_objects,
        /// Meshes, which nodes refer to.
        meshes: Vec<Mesh> = "meshes" as root_objects,
        /// Skins, which nodes refer to.
        skins: Vec<Skin> = "skins" as root_objects,
        /// Animations, which become clips.
        animations: Vec<Animation> = "animations" as root_objects,
        /// Materials, which primitives refer to.
        materials: Vec<Material> = "materials" as root_objects,
        /// Textures, which materials refer to.
        textures: Vec<Texture> = "textures" as root_objects,
        /// Images, which textures refer to.
        images: Vec<Image> = "images" as root_objects,
        /// Texture samplers.
        samplers: Vec<Unread> = "samplers" as root_objects,
        /// Cameras, which nodes refer to.
        cameras: Vec<Unread> = "cameras" as root_objects,
        /// Typed arrays.
        accessors: Vec<Accessor> = "accessors" as root_objects,
        /// Ranges of buffers.
        buffer_views: Vec<BufferView> = "bufferViews" as root_objects,
        /// Raw bytes.
        buffers: Vec<Buffer> = "buffers" as root_objects,
    }

    /// Format version and origin of the file.
    pub struct Asset requires ["version"] {
        /// Version of glTF, such as `2.0`.
        version: Option<Box<str>> = "version" as string,
        /// Min version of glTF that a reader needs.
        min_version: Option<Box<str>> = "minVersion" as string,
        /// Program that wrote the file.
        generator: Option<Box<str>> = "generator" as string,
        /// Copyright notice.
        copyright: Option<Box<str>> = "copyright" as string,
    }

    /// An object that is kept whole as text.
    pub struct Unread requires [] {}

    /// A selection of root nodes.
    pub struct Scene requires [] {
        /// Name of the scene.
        name: Option<Box<str>> = "name" as string,
        /// Indices of root nodes.
        nodes: Box<[u32]> = "nodes" as indices,
    }

    /// A node of the hierarchy.
    pub struct Node requires [] {
        /// Name of the node.
        name: Option<Box<str>> = "name" as string,
        /// Indices of child nodes.
        children: Box<[u32]> = "children" as indices,
        /// Index of the mesh.
        mesh: Option<u32> = "mesh" as index,
        /// Index of the skin of the mesh.
        skin: Option<u32> = "skin" as index,
        /// Index of the camera.
        camera: Option<u32> = "camera" as index,
        /// Local transform as a matrix, by columns.
        matrix: Option<Box<[f32; 16]>> = "matrix" as boxed_floats,
        /// Local translation.
        translation: Option<Box<[f32; 3]>> = "translation" as boxed_floats,
        /// Local rotation, a unit quaternion x, y, z, w.
        rotation: Option<Box<[f32; 4]>> = "rotation" as boxed_floats,
        /// Local scale.
        scale: Option<Box<[f32; 3]>> = "scale" as boxed_floats,
        /// Weight of each morph target of the mesh.
        weights: Option<Box<[f64]>> = "weights" as numbers,
    }

    /// A mesh: primitives that are drawn together.
    pub struct Mesh requires ["primitives"] {
        /// Name of the mesh.
        name: Option<Box<str>> = "name" as string,
        /// Parts, one per material.
        primitives: Vec<Primitive> = "primitives" as objects,
        /// Default weight of each morph target.
        weights: Option<Box<[f64]>> = "weights" as numbers,
    }

    /// A part of a mesh.
    pub struct Primitive requires ["attributes"] {
        /// Accessors of vertex attributes, by name.
        attributes: NamedIndices = "attributes" as named_indices,
        /// Accessor of vertex indices.
        indices: Option<u32> = "indices" as index,
        /// Index of the material.
        material: Option<u32> = "material" as index,
        /// Topology code, 0 to 6. Default 4: triangles.
        mode: Option<u64> = "mode" as whole(0..=6),
        /// Accessors of displacements, by attribute name, for each morph target.
        targets: Vec<NamedIndices> = "targets" as named_indices_list,
    }

    /// The joints that move a mesh.
    pub struct Skin requires ["joints"] {
        /// Name of the skin.
        name: Option<Box<str>> = "name" as string,
        /// Accessor of the inverse bind matrices, one per joint.
        inverse_bind_matrices: Option<u32> = "inverseBindMatrices" as index,
        /// Index of a common ancestor of all joints.
        skeleton: Option<u32> = "skeleton" as index,
        /// Joint nodes. Vertices refer to them by index into this list.
        joints: Box<[u32]> = "joints" as indices,
    }

    /// A set of animated properties.
    pub struct Animation requires ["channels", "samplers"] {
        /// Name of the animation.
        name: Option<Box<str>> = "name" as string,
        /// Links between samplers and properties.
        channels: Vec<Channel> = "channels" as objects,
        /// Key data.
        samplers: Vec<Sampler> = "samplers" as objects,
    }

    /// A link between a sampler and a property.
    pub struct Channel requires ["sampler", "target"] {
        /// Index of a sampler of the same animation.
        sampler: Option<u32> = "sampler" as index,
        /// The animated property.
        target: Option<ChannelTarget> = "target" as object,
    }

    /// A property of a node.
    pub struct ChannelTarget requires ["path"] {
        /// Index of the node.
        node: Option<u32> = "node" as index,
        /// The property.
        path: Option<TargetPath> = "path" as word,
    }

    /// The keys of an animation.
    pub struct Sampler requires ["input", "output"] {
        /// Accessor of key times, in seconds.
        input: Option<u32> = "input" as index,
        /// The interpolation between keys.
        interpolation: Option<Interpolation> = "interpolation" as word,
        /// Accessor of key values.
        output: Option<u32> = "output" as index,
    }

    /// Appearance of a surface.
    pub struct Material requires [] {
        /// Name of the material.
        name: Option<Box<str>> = "name" as string,
        /// Colour, metalness and roughness.
        pbr: Option<Box<PbrMetallicRoughness>> = "pbrMetallicRoughness" as boxed,
        /// Normal map in tangent space.
        normal_texture: Option<Box<TextureInfo>> = "normalTexture" as boxed,
        /// Occlusion of ambient light.
        occlusion_texture: Option<Box<TextureInfo>> = "occlusionTexture" as boxed,
        /// Texture that multiplies the emissive factor.
        emissive_texture: Option<Box<TextureInfo>> = "emissiveTexture" as boxed,
        /// Emitted colour, linear RGB.
        emissive_factor: Option<[f32; 3]> = "emissiveFactor" as floats,
        /// Meaning of alpha. Default: opaque.
        alpha_mode: Option<AlphaMode> = "alphaMode" as word,
        /// Min visible alpha in mask mode. Default 0.5.
        alpha_cutoff: Option<f64> = "alphaCutoff" as number,
        /// True if back faces are visible.
        double_sided: bool = "doubleSided" as boolean,
    }

    /// Colour, metalness and roughness.
    pub struct PbrMetallicRoughness requires [] {
        /// Base colour, linear RGB, with alpha.
        base_color_factor: Option<[f32; 4]> = "baseColorFactor" as floats,
        /// Texture that multiplies the base colour.
        base_color_texture: Option<Box<TextureInfo>> = "baseColorTexture" as boxed,
        /// Metalness, 0 to 1.
        metallic_factor: Option<f64> = "metallicFactor" as number,
        /// Roughness, 0 to 1.
        roughness_factor: Option<f64> = "roughnessFactor" as number,
        /// Texture that multiplies metalness and roughness.
        metallic_roughness_texture: Option<Box<TextureInfo>> = "metallicRoughnessTexture" as boxed,
    }

    /// A texture and its set of texture coordinates.
    pub struct TextureInfo requires ["index"] {
        /// Index of the texture.
        index: Option<u32> = "index" as index,
        /// Set of texture coordinates. Default 0.
        tex_coord: Option<u64> = "texCoord" as whole(0..=u64::MAX),
    }

    /// An image and its sampler.
    pub struct Texture requires [] {
        /// Name of the texture.
        name: Option<Box<str>> = "name" as string,
        /// Index of the sampler.
        sampler: Option<u32> = "sampler" as index,
        /// Index of the image.
        source: Option<u32> = "source" as index,
    }

    /// An image, in a file or in a buffer view.
    pub struct Image requires [] {
        /// Name of the image.
        name: Option<Box<str>> = "name" as string,
        /// Relative path of a file, or a data URI.
        uri: Option<Box<str>> = "uri" as string,
        /// MIME type, such as `image/png`.
        mime_type: Option<Box<str>> = "mimeType" as string,
        /// Index of the buffer view with the bytes.
        buffer_view: Option<u32> = "bufferView" as index,
    }

    /// A typed array in a buffer view.
    pub struct Accessor requires ["componentType", "count", "type"] {
        /// Name of the accessor.
        name: Option<Box<str>> = "name" as string,
        /// Index of the buffer view. `None` means that all elements are zero.
        buffer_view: Option<u32> = "bufferView" as index,
        /// Offset into the buffer view, in bytes.
        byte_offset: Option<u64> = "byteOffset" as whole(0..=u64::MAX),
        /// Type of a component.
        component_type: Option<ComponentType> = "componentType" as code,
        /// True if integers are fractions of the range of their type.
        normalized: bool = "normalized" as boolean,
        /// Number of elements.
        count: u64 = "count" as count,
        /// Shape of an element.
        element_type: Option<ElementType> = "type" as word,
        /// Min of each component.
        min: Option<Box<[f64]>> = "min" as numbers,
        /// Max of each component.
        max: Option<Box<[f64]>> = "max" as numbers,
        /// Elements that override the buffer view.
        sparse: Option<Box<Sparse>> = "sparse" as boxed,
    }

    /// Elements that override the buffer view of an accessor.
    pub struct Sparse requires ["count", "indices", "values"] {
        /// Number of overriding elements.
        count: u64 = "count" as count,
        /// Location of the indices of these elements.
        indices: Option<SparseIndices> = "indices" as object,
        /// Location of the values of these elements.
        values: Option<SparseValues> = "values" as object,
    }

    /// Indices of the overriding elements.
    pub struct SparseIndices requires ["bufferView", "componentType"] {
        /// Index of the buffer view.
        buffer_view: Option<u32> = "bufferView" as index,
        /// Offset into the buffer view, in bytes.
        byte_offset: Option<u64> = "byteOffset" as whole(0..=u64::MAX),
        /// Type of an index.
        component_type: Option<ComponentType> = "componentType" as code,
    }

    /// Values of the overriding elements.
    pub struct SparseValues requires ["bufferView"] {
        /// Index of the buffer view.
        buffer_view: Option<u32> = "bufferView" as index,
        /// Offset into the buffer view, in bytes.
        byte_offset: Option<u64> = "byteOffset" as whole(0..=u64::MAX),
    }

    /// A range of a buffer.
    pub struct BufferView requires ["buffer", "byteLength"] {
        /// Name of the buffer view.
        name: Option<Box<str>> = "name" as string,
        /// Index of the buffer.
        buffer: Option<u32> = "buffer" as index,
        /// Offset into the buffer, in bytes.
        byte_offset: Option<u64> = "byteOffset" as whole(0..=u64::MAX),
        /// Length in bytes.
        byte_length: u64 = "byteLength" as count,
        /// Bytes between vertices, 4 to 252.
        byte_stride: Option<u64> = "byteStride" as whole(4..=252),
        /// Kind of data.
        target: Option<Target> = "target" as code,
    }

    /// Bytes, in a file or in the GLB container.
    pub struct Buffer requires ["byteLength"] {
        /// Name of the buffer.
        name: Option<Box<str>> = "name" as string,
        /// Relative path of a file, or a data URI. `None` means the BIN chunk of a GLB file.
        uri: Option<Box<str>> = "uri" as string,
        /// Length in bytes.
        byte_length: u64 = "byteLength" as count,
    }
}

impl Document {
    /// Reads a document. Adds all faults to `report`, except JSON syntax errors. `None` if the text
    /// is not a JSON object.
    ///
    /// # Errors
    /// [`GltfError::Json`] if it is not JSON, [`GltfError::MemoryLimit`] if it exceeds `budget`.
    pub fn read(
        text: &str,
        report: &mut FileReport,
        budget: &mut Budget,
    ) -> Result<Option<Self>, GltfError> {
        json::read_document(text, report, budget)
    }
}

impl Accessor {
    /// Format of the elements, if the document states it.
    pub fn format(&self) -> Option<AccessorFormat> {
        Some(AccessorFormat {
            element: self.element_type?,
            component: self.component_type?,
            normalized: self.normalized,
        })
    }
}

impl Primitive {
    /// Removes every reference to an accessor, so that nothing is drawn. The number of morph targets stays.
    pub(in crate::gltf) fn clear(&mut self) {
        self.attributes.0.clear();
        self.indices = None;
        self.targets.iter_mut().for_each(|target| target.0.clear());
    }
}

impl BufferView {
    /// Byte range in the buffer, if `usize` can hold it.
    pub(in crate::gltf) fn range(&self) -> Option<Range<usize>> {
        let begin = usize::try_from(self.byte_offset.unwrap_or(0)).ok()?;
        let end = begin.checked_add(usize::try_from(self.byte_length).ok()?)?;
        Some(begin..end)
    }
}
