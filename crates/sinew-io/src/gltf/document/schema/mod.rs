//! The document as it is written: every object of glTF that this library reads, and everything else as text.
//!
//! Reading tolerates mistakes (see [`Document::read`]); writing gives back what was read, number for number. An object
//! that is absent, or a member that could not be read, is `None` or empty.

mod enums;

use std::ops::Range;

use serde::Serialize;
use serde::de::MapAccess;
use serde::ser::{SerializeMap, Serializer};

pub use enums::{AlphaMode, Interpolation, Target, TargetPath};

use super::budget::Budget;
use super::error::GltfError;
use super::format::{AccessorFormat, ComponentType, ElementType};
use super::json::{self, Member, NamedIndices, Object, Rest};
use crate::report::FileReport;

/// Declares objects: each field with the name of its member and the way to read it. Reading and writing follow from
/// one declaration, so they cannot disagree.
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
            /// Everything else: `extras`, `extensions` and members that this library does not know.
            pub rest: Rest,
        }

        impl Object for $Name {
            const REQUIRED: &'static [&'static str] = &[$($required),*];

            fn read_member<'de, A: MapAccess<'de>>(&mut self, member: Member<'_, '_, 'de, A>) -> Result<(), A::Error> {
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
        /// The version of the format, and the program that wrote the file.
        asset: Option<Asset> = "asset" as object,
        /// Extensions that the document uses.
        extensions_used: Vec<Box<str>> = "extensionsUsed" as strings,
        /// Extensions that it cannot be read without.
        extensions_required: Vec<Box<str>> = "extensionsRequired" as strings,
        /// The scene to show.
        scene: Option<u32> = "scene" as index,
        /// Scenes.
        scenes: Vec<Scene> = "scenes" as root_objects,
        /// Nodes.
        nodes: Vec<Node> = "nodes" as root_objects,
        /// Meshes.
        meshes: Vec<Mesh> = "meshes" as root_objects,
        /// Skins.
        skins: Vec<Skin> = "skins" as root_objects,
        /// Animations.
        animations: Vec<Animation> = "animations" as root_objects,
        /// Materials.
        materials: Vec<Material> = "materials" as root_objects,
        /// Textures.
        textures: Vec<Texture> = "textures" as root_objects,
        /// Images.
        images: Vec<Image> = "images" as root_objects,
        /// Texture samplers.
        samplers: Vec<Unread> = "samplers" as root_objects,
        /// Cameras.
        cameras: Vec<Unread> = "cameras" as root_objects,
        /// Accessors.
        accessors: Vec<Accessor> = "accessors" as root_objects,
        /// Buffer views.
        buffer_views: Vec<BufferView> = "bufferViews" as root_objects,
        /// Buffers.
        buffers: Vec<Buffer> = "buffers" as root_objects,
    }

    /// The version of the format, and who made the file.
    pub struct Asset requires ["version"] {
        /// The version of glTF that it is written for.
        version: Option<Box<str>> = "version" as string,
        /// The least version of glTF that it can be read with.
        min_version: Option<Box<str>> = "minVersion" as string,
        /// The program that wrote it.
        generator: Option<Box<str>> = "generator" as string,
        /// Its owner.
        copyright: Option<Box<str>> = "copyright" as string,
    }

    /// An object that is kept whole as text.
    pub struct Unread requires [] {}

    /// A selection of root nodes.
    pub struct Scene requires [] {
        /// Its name.
        name: Option<Box<str>> = "name" as string,
        /// The root nodes.
        nodes: Box<[u32]> = "nodes" as indices,
    }

    /// A node of the hierarchy.
    pub struct Node requires [] {
        /// Its name.
        name: Option<Box<str>> = "name" as string,
        /// The nodes below it.
        children: Box<[u32]> = "children" as indices,
        /// Its mesh.
        mesh: Option<u32> = "mesh" as index,
        /// The skin of its mesh.
        skin: Option<u32> = "skin" as index,
        /// Its camera.
        camera: Option<u32> = "camera" as index,
        /// Its transform as a matrix in columns.
        matrix: Option<Box<[f32; 16]>> = "matrix" as boxed_floats,
        /// Its translation.
        translation: Option<Box<[f32; 3]>> = "translation" as boxed_floats,
        /// Its rotation, a quaternion with the real part last.
        rotation: Option<Box<[f32; 4]>> = "rotation" as boxed_floats,
        /// Its scale.
        scale: Option<Box<[f32; 3]>> = "scale" as boxed_floats,
        /// The weight of each morph target of its mesh.
        weights: Option<Box<[f64]>> = "weights" as numbers,
    }

    /// A mesh: primitives that are drawn together.
    pub struct Mesh requires ["primitives"] {
        /// Its name.
        name: Option<Box<str>> = "name" as string,
        /// Its parts, one per material.
        primitives: Vec<Primitive> = "primitives" as objects,
        /// The weight of each morph target where a node does not say.
        weights: Option<Box<[f64]>> = "weights" as numbers,
    }

    /// A part of a mesh.
    pub struct Primitive requires ["attributes"] {
        /// Accessors of the vertices' attributes.
        attributes: NamedIndices = "attributes" as named_indices,
        /// Accessor of the indices.
        indices: Option<u32> = "indices" as index,
        /// Its material.
        material: Option<u32> = "material" as index,
        /// The code of what the vertices are joined to, 0 to 6; triangles when absent.
        mode: Option<u64> = "mode" as whole(0..=6),
        /// Accessors of the attributes' displacements, for each morph target.
        targets: Vec<NamedIndices> = "targets" as named_indices_list,
    }

    /// The nodes that a skinned mesh follows.
    pub struct Skin requires ["joints"] {
        /// Its name.
        name: Option<Box<str>> = "name" as string,
        /// Accessor of a matrix per joint that takes the mesh to the joint.
        inverse_bind_matrices: Option<u32> = "inverseBindMatrices" as index,
        /// A node above all joints.
        skeleton: Option<u32> = "skeleton" as index,
        /// The nodes that vertices refer to by position in this list.
        joints: Box<[u32]> = "joints" as indices,
    }

    /// An animation.
    pub struct Animation requires ["channels", "samplers"] {
        /// Its name.
        name: Option<Box<str>> = "name" as string,
        /// Links from samplers to what they animate.
        channels: Vec<Channel> = "channels" as objects,
        /// The keys.
        samplers: Vec<Sampler> = "samplers" as objects,
    }

    /// A link from a sampler to what it animates.
    pub struct Channel requires ["sampler", "target"] {
        /// The sampler, of the same animation.
        sampler: Option<u32> = "sampler" as index,
        /// The property that is animated.
        target: Option<ChannelTarget> = "target" as object,
    }

    /// A property of a node.
    pub struct ChannelTarget requires ["path"] {
        /// The node.
        node: Option<u32> = "node" as index,
        /// The property.
        path: Option<TargetPath> = "path" as word,
    }

    /// The keys of an animation.
    pub struct Sampler requires ["input", "output"] {
        /// Accessor of the keys' times in seconds.
        input: Option<u32> = "input" as index,
        /// The interpolation between keys.
        interpolation: Option<Interpolation> = "interpolation" as word,
        /// Accessor of the keys' values.
        output: Option<u32> = "output" as index,
    }

    /// The look of a surface.
    pub struct Material requires [] {
        /// Its name.
        name: Option<Box<str>> = "name" as string,
        /// Colour, metalness and roughness.
        pbr: Option<Box<PbrMetallicRoughness>> = "pbrMetallicRoughness" as boxed,
        /// The texture that bends normals.
        normal_texture: Option<Box<TextureInfo>> = "normalTexture" as boxed,
        /// The texture that keeps ambient light out.
        occlusion_texture: Option<Box<TextureInfo>> = "occlusionTexture" as boxed,
        /// The texture that glows.
        emissive_texture: Option<Box<TextureInfo>> = "emissiveTexture" as boxed,
        /// The colour that glows.
        emissive_factor: Option<[f32; 3]> = "emissiveFactor" as floats,
        /// The meaning of alpha.
        alpha_mode: Option<AlphaMode> = "alphaMode" as word,
        /// Alpha below this is cut out in mask mode.
        alpha_cutoff: Option<f64> = "alphaCutoff" as number,
        /// True where back faces are seen.
        double_sided: bool = "doubleSided" as boolean,
    }

    /// Colour, metalness and roughness.
    pub struct PbrMetallicRoughness requires [] {
        /// The colour, linear, with alpha.
        base_color_factor: Option<[f32; 4]> = "baseColorFactor" as floats,
        /// The texture that multiplies the colour.
        base_color_texture: Option<Box<TextureInfo>> = "baseColorTexture" as boxed,
        /// The metalness of the surface, 0 to 1.
        metallic_factor: Option<f64> = "metallicFactor" as number,
        /// The roughness of the surface, 0 to 1.
        roughness_factor: Option<f64> = "roughnessFactor" as number,
        /// The texture that multiplies metalness and roughness.
        metallic_roughness_texture: Option<Box<TextureInfo>> = "metallicRoughnessTexture" as boxed,
    }

    /// A texture and the coordinates it is looked up by.
    pub struct TextureInfo requires ["index"] {
        /// The texture.
        index: Option<u32> = "index" as index,
        /// The set of texture coordinates; the first when absent.
        tex_coord: Option<u64> = "texCoord" as whole(0..=u64::MAX),
    }

    /// An image and the way it is sampled.
    pub struct Texture requires [] {
        /// Its name.
        name: Option<Box<str>> = "name" as string,
        /// The sampler.
        sampler: Option<u32> = "sampler" as index,
        /// The image.
        source: Option<u32> = "source" as index,
    }

    /// A picture, in a file of its own or in a buffer view.
    pub struct Image requires [] {
        /// Its name.
        name: Option<Box<str>> = "name" as string,
        /// The file, or the data itself.
        uri: Option<Box<str>> = "uri" as string,
        /// The format of the bytes.
        mime_type: Option<Box<str>> = "mimeType" as string,
        /// The bytes.
        buffer_view: Option<u32> = "bufferView" as index,
    }

    /// A typed view of a buffer view.
    pub struct Accessor requires ["componentType", "count", "type"] {
        /// Its name.
        name: Option<Box<str>> = "name" as string,
        /// The bytes; zeros when absent.
        buffer_view: Option<u32> = "bufferView" as index,
        /// Its first byte in the buffer view.
        byte_offset: Option<u64> = "byteOffset" as whole(0..=u64::MAX),
        /// The type of a component.
        component_type: Option<ComponentType> = "componentType" as code,
        /// True where integers stand for fractions of their range.
        normalized: bool = "normalized" as boolean,
        /// The number of elements.
        count: u64 = "count" as count,
        /// The shape of an element.
        element_type: Option<ElementType> = "type" as word,
        /// The least value of each component.
        min: Option<Box<[f64]>> = "min" as numbers,
        /// The greatest value of each component.
        max: Option<Box<[f64]>> = "max" as numbers,
        /// Elements that differ from the buffer view.
        sparse: Option<Box<Sparse>> = "sparse" as boxed,
    }

    /// The elements that differ from what an accessor's buffer view says.
    pub struct Sparse requires ["count", "indices", "values"] {
        /// The number of elements that differ.
        count: u64 = "count" as count,
        /// Their indices.
        indices: Option<SparseIndices> = "indices" as object,
        /// Their values.
        values: Option<SparseValues> = "values" as object,
    }

    /// The indices of the elements that differ.
    pub struct SparseIndices requires ["bufferView", "componentType"] {
        /// The bytes.
        buffer_view: Option<u32> = "bufferView" as index,
        /// Their first byte in the buffer view.
        byte_offset: Option<u64> = "byteOffset" as whole(0..=u64::MAX),
        /// The type of an index.
        component_type: Option<ComponentType> = "componentType" as code,
    }

    /// The values of the elements that differ.
    pub struct SparseValues requires ["bufferView"] {
        /// The bytes.
        buffer_view: Option<u32> = "bufferView" as index,
        /// Their first byte in the buffer view.
        byte_offset: Option<u64> = "byteOffset" as whole(0..=u64::MAX),
    }

    /// A range of a buffer.
    pub struct BufferView requires ["buffer", "byteLength"] {
        /// Its name.
        name: Option<Box<str>> = "name" as string,
        /// The buffer.
        buffer: Option<u32> = "buffer" as index,
        /// Its first byte in the buffer.
        byte_offset: Option<u64> = "byteOffset" as whole(0..=u64::MAX),
        /// Its length, in bytes.
        byte_length: u64 = "byteLength" as count,
        /// Bytes from one vertex to the next.
        byte_stride: Option<u64> = "byteStride" as whole(4..=252),
        /// The kind of data in it.
        target: Option<Target> = "target" as code,
    }

    /// Bytes, in a file of their own or in the container.
    pub struct Buffer requires ["byteLength"] {
        /// Its name.
        name: Option<Box<str>> = "name" as string,
        /// The file, or the data itself; the container's own chunk when absent.
        uri: Option<Box<str>> = "uri" as string,
        /// Its length, in bytes.
        byte_length: u64 = "byteLength" as count,
    }
}

impl Document {
    /// Reads a document, going on after every mistake that is not one of JSON syntax. What is wrong goes to `report`.
    ///
    /// `None` when the text is JSON but not an object.
    ///
    /// # Errors
    /// [`GltfError::Json`] when the text is not JSON, [`GltfError::MemoryLimit`] when the document's parts would
    /// take more memory than `budget` has.
    pub fn read(
        text: &str,
        report: &mut FileReport,
        budget: &mut Budget,
    ) -> Result<Option<Self>, GltfError> {
        json::read_document(text, report, budget)
    }
}

impl Accessor {
    /// The format of its elements, when the document says.
    pub fn format(&self) -> Option<AccessorFormat> {
        Some(AccessorFormat {
            element: self.element_type?,
            component: self.component_type?,
            normalized: self.normalized,
        })
    }
}

impl BufferView {
    /// The bytes of its buffer that it spans, where this machine can count them.
    pub(in crate::gltf) fn range(&self) -> Option<Range<usize>> {
        let begin = usize::try_from(self.byte_offset.unwrap_or(0)).ok()?;
        let end = begin.checked_add(usize::try_from(self.byte_length).ok()?)?;
        Some(begin..end)
    }
}
