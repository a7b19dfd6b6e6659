//! Targets of `KHR_animation_pointer`: the pointers whose channels become tracks and curves.

use super::document::format::{AccessorFormat, ComponentType, ElementType};
use super::document::json::{self, elements, string};
use super::document::schema::{
    Animation, Channel, ChannelTarget, Document, Interpolation, Material, TargetPath,
};
use sinew::property::{ObjectKind, Property, TextureSlot, UvPart};
use std::borrow::Cow;

pub(in crate::gltf) const POINTER: &str = "KHR_animation_pointer";

pub(in crate::gltf) const LIGHTS: &str = "KHR_lights_punctual";

/// Property of a node, or property of an object with the index of the object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(in crate::gltf) enum Pointed {
    /// Node and path of an ordinary channel.
    Path(u32, TargetPath),
    /// Index of the object, and what a curve sets.
    Property(usize, Property),
}

/// Paths of properties below their objects. A property of cameras has a path for each projection.
const PATHS: [(Property, &str); 36] = [
    (Property::Visible, "extensions/KHR_node_visibility/visible"),
    (Property::Fov, "perspective/yfov"),
    (Property::Near, "perspective/znear"),
    (Property::Far, "perspective/zfar"),
    (Property::Near, "orthographic/znear"),
    (Property::Far, "orthographic/zfar"),
    (Property::HalfWidth, "orthographic/xmag"),
    (Property::HalfHeight, "orthographic/ymag"),
    (Property::Intensity, "intensity"),
    (Property::LightColor, "color"),
    (Property::Range, "range"),
    (Property::InnerAngle, "spot/innerConeAngle"),
    (Property::OuterAngle, "spot/outerConeAngle"),
    (Property::BaseColor, "pbrMetallicRoughness/baseColorFactor"),
    (Property::Metallic, "pbrMetallicRoughness/metallicFactor"),
    (Property::Roughness, "pbrMetallicRoughness/roughnessFactor"),
    (Property::EmissiveFactor, "emissiveFactor"),
    (
        Property::EmissiveStrength,
        "extensions/KHR_materials_emissive_strength/emissiveStrength",
    ),
    (Property::AlphaCutoff, "alphaCutoff"),
    (Property::NormalScale, "normalTexture/scale"),
    (Property::OcclusionStrength, "occlusionTexture/strength"),
    (Property::Ior, "extensions/KHR_materials_ior/ior"),
    (
        Property::Specular,
        "extensions/KHR_materials_specular/specularFactor",
    ),
    (
        Property::SpecularColor,
        "extensions/KHR_materials_specular/specularColorFactor",
    ),
    (
        Property::Clearcoat,
        "extensions/KHR_materials_clearcoat/clearcoatFactor",
    ),
    (
        Property::ClearcoatRoughness,
        "extensions/KHR_materials_clearcoat/clearcoatRoughnessFactor",
    ),
    (
        Property::ClearcoatNormalScale,
        "extensions/KHR_materials_clearcoat/clearcoatNormalTexture/scale",
    ),
    (
        Property::SheenColor,
        "extensions/KHR_materials_sheen/sheenColorFactor",
    ),
    (
        Property::SheenRoughness,
        "extensions/KHR_materials_sheen/sheenRoughnessFactor",
    ),
    (
        Property::Transmission,
        "extensions/KHR_materials_transmission/transmissionFactor",
    ),
    (
        Property::Thickness,
        "extensions/KHR_materials_volume/thicknessFactor",
    ),
    (
        Property::AttenuationDistance,
        "extensions/KHR_materials_volume/attenuationDistance",
    ),
    (
        Property::AttenuationColor,
        "extensions/KHR_materials_volume/attenuationColor",
    ),
    (
        Property::Dispersion,
        "extensions/KHR_materials_dispersion/dispersion",
    ),
    (
        Property::Anisotropy,
        "extensions/KHR_materials_anisotropy/anisotropyStrength",
    ),
    (
        Property::AnisotropyRotation,
        "extensions/KHR_materials_anisotropy/anisotropyRotation",
    ),
];

const TEXTURES: [(TextureSlot, &str); 13] = [
    (
        TextureSlot::BaseColor,
        "pbrMetallicRoughness/baseColorTexture",
    ),
    (
        TextureSlot::MetallicRoughness,
        "pbrMetallicRoughness/metallicRoughnessTexture",
    ),
    (TextureSlot::Normal, "normalTexture"),
    (TextureSlot::Occlusion, "occlusionTexture"),
    (TextureSlot::Emissive, "emissiveTexture"),
    (
        TextureSlot::Specular,
        "extensions/KHR_materials_specular/specularTexture",
    ),
    (
        TextureSlot::SpecularColor,
        "extensions/KHR_materials_specular/specularColorTexture",
    ),
    (
        TextureSlot::Clearcoat,
        "extensions/KHR_materials_clearcoat/clearcoatTexture",
    ),
    (
        TextureSlot::ClearcoatRoughness,
        "extensions/KHR_materials_clearcoat/clearcoatRoughnessTexture",
    ),
    (
        TextureSlot::ClearcoatNormal,
        "extensions/KHR_materials_clearcoat/clearcoatNormalTexture",
    ),
    (
        TextureSlot::SheenColor,
        "extensions/KHR_materials_sheen/sheenColorTexture",
    ),
    (
        TextureSlot::SheenRoughness,
        "extensions/KHR_materials_sheen/sheenRoughnessTexture",
    ),
    (
        TextureSlot::Transmission,
        "extensions/KHR_materials_transmission/transmissionTexture",
    ),
];

const MOVED: &str = "/extensions/KHR_texture_transform/";

const PARTS: [(UvPart, &str); 3] = [
    (UvPart::Offset, "offset"),
    (UvPart::Rotation, "rotation"),
    (UvPart::Scale, "scale"),
];

const NODE_PATHS: [(TargetPath, &str); 4] = [
    (TargetPath::Translation, "translation"),
    (TargetPath::Rotation, "rotation"),
    (TargetPath::Scale, "scale"),
    (TargetPath::Weights, "weights"),
];

const LISTS: [(ObjectKind, &str); 4] = [
    (ObjectKind::Node, "/nodes/"),
    (ObjectKind::Camera, "/cameras/"),
    (ObjectKind::Light, "/extensions/KHR_lights_punctual/lights/"),
    (ObjectKind::Material, "/materials/"),
];

/// Target of a pointer. `None` if no track and no curve can have it.
fn parse(pointer: &str) -> Option<Pointed> {
    let mut lists = LISTS.iter();
    let (kind, rest) = lists.find_map(|(kind, list)| Some((*kind, pointer.strip_prefix(list)?)))?;
    let (index, path) = rest.split_once('/')?;
    let is_index = index == "0" || !index.starts_with(['0', '+']);
    let index: u32 = index.parse().ok().filter(|_| is_index)?;
    if kind == ObjectKind::Node
        && let Some((known, _)) = NODE_PATHS.iter().find(|(_, name)| *name == path)
    {
        return Some(Pointed::Path(index, *known));
    }
    let of_kind = |property: &Property| property.kind() == kind;
    let mut plain = PATHS.iter().filter(|(own, _)| of_kind(own));
    let plain = plain.find(|(_, own)| *own == path).map(|(own, _)| *own);
    let property = match (plain, kind) {
        (Some(property), _) => property,
        (None, ObjectKind::Material) => {
            let (texture, part) = path.split_once(MOVED)?;
            let (slot, _) = TEXTURES.iter().find(|(_, own)| *own == texture)?;
            let (part, _) = PARTS.iter().find(|(_, own)| *own == part)?;
            Property::Uv(*slot, *part)
        }
        _ => return None,
    };
    Some(Pointed::Property(index as usize, property))
}

/// Path of a property below its material.
pub(in crate::gltf) fn path_of(property: Property) -> Option<&'static str> {
    if property.kind() != ObjectKind::Material {
        return None;
    }
    if let Property::Uv(slot, _) = property {
        return TEXTURES
            .iter()
            .find(|(own, _)| *own == slot)
            .map(|(_, path)| *path);
    }
    PATHS
        .iter()
        .find(|(own, _)| *own == property)
        .map(|(_, path)| *path)
}

/// Contents of the objects of a document, read once, because lists of text are long to search.
#[derive(Default)]
pub(in crate::gltf) struct Objects {
    nodes: usize,
    /// True for parallel cameras.
    cameras: Vec<bool>,
    lights: Vec<Option<String>>,
    /// Textures of each material.
    textures: Vec<Vec<TextureSlot>>,
}

impl Objects {
    pub(in crate::gltf) fn new(document: &Document) -> Self {
        let lights = document.rest.extension(LIGHTS);
        let lights = lights.and_then(|text| json::member(text, "lights"));
        let lights = lights.and_then(elements).into_iter().flatten();
        let kind_of = |light| json::member(light, "type").and_then(string);
        let cameras = document.cameras.iter();
        Self {
            nodes: document.nodes.len(),
            cameras: cameras
                .map(|own| own.rest.get("orthographic").is_some())
                .collect(),
            lights: lights
                .map(|light| kind_of(light).map(Cow::into_owned))
                .collect(),
            textures: document.materials.iter().map(textures_of).collect(),
        }
    }

    /// Pointer to a property of an object. `None` if the object cannot have it.
    pub(in crate::gltf) fn pointer_to(&self, index: usize, property: Property) -> Option<String> {
        let (_, list) = LISTS.iter().find(|(kind, _)| *kind == property.kind())?;
        if let Property::Uv(slot, part) = property {
            let (_, texture) = TEXTURES.iter().find(|(own, _)| *own == slot)?;
            let (_, part) = PARTS.iter().find(|(own, _)| *own == part)?;
            let has = self.textures.get(index)?.contains(&slot);
            return has.then(|| format!("{list}{index}/{texture}{MOVED}{part}"));
        }
        let mut paths = PATHS.iter().filter(|(own, _)| *own == property);
        let (_, path) = paths.find(|(_, path)| self.exists(index, property, path))?;
        Some(format!("{list}{index}/{path}"))
    }

    /// True if the object is there and can have the property. Defaults need not be written.
    fn exists(&self, index: usize, property: Property, path: &str) -> bool {
        match property.kind() {
            ObjectKind::Node => index < self.nodes,
            ObjectKind::Camera => {
                let is_parallel = self.cameras.get(index).copied();
                is_parallel == Some(path.starts_with("orthographic"))
            }
            ObjectKind::Light => {
                let kind = self.lights.get(index).and_then(|kind| kind.as_deref());
                match kind {
                    Some("spot") => true,
                    Some("point") => {
                        !matches!(property, Property::InnerAngle | Property::OuterAngle)
                    }
                    Some("directional") => {
                        matches!(property, Property::Intensity | Property::LightColor)
                    }
                    _ => false,
                }
            }
            ObjectKind::Material => self.textures.get(index).is_some_and(|textures| {
                let needed = match property {
                    Property::NormalScale => TextureSlot::Normal,
                    Property::OcclusionStrength => TextureSlot::Occlusion,
                    Property::ClearcoatNormalScale => TextureSlot::ClearcoatNormal,
                    _ => return true,
                };
                textures.contains(&needed)
            }),
        }
    }
}

fn textures_of(material: &Material) -> Vec<TextureSlot> {
    let pbr = material.pbr.as_deref();
    let has = |slot: TextureSlot, path: &str| match slot {
        TextureSlot::BaseColor => pbr.is_some_and(|pbr| pbr.base_color_texture.is_some()),
        TextureSlot::MetallicRoughness => {
            pbr.is_some_and(|pbr| pbr.metallic_roughness_texture.is_some())
        }
        TextureSlot::Normal => material.normal_texture.is_some(),
        TextureSlot::Occlusion => material.occlusion_texture.is_some(),
        TextureSlot::Emissive => material.emissive_texture.is_some(),
        _ => {
            let mut names = path.split('/').skip(1);
            let layer = names.next().and_then(|name| material.rest.extension(name));
            let texture = layer.zip(names.next());
            texture.is_some_and(|(layer, name)| json::member(layer, name).is_some())
        }
    };
    let slots = TEXTURES.iter().filter(|(slot, path)| has(*slot, path));
    slots.map(|(slot, _)| *slot).collect()
}

/// Text of the pointer of a channel.
pub(in crate::gltf) fn text_of(channel: &Channel) -> Option<String> {
    let target = channel.target.as_ref()?;
    let object = target.rest.extension(POINTER)?;
    let text = json::member(object, "pointer").and_then(string)?;
    Some(text.into_owned())
}

/// Targets of the channels of a document.
pub(in crate::gltf) struct Targets<'d> {
    document: &'d Document,
    pub(in crate::gltf) objects: Objects,
}

impl<'d> Targets<'d> {
    pub(in crate::gltf) fn new(document: &'d Document) -> Self {
        let objects = Objects::new(document);
        Self { document, objects }
    }

    /// Target of a channel with a pointer that an import reads into a track or a curve.
    ///
    /// # Errors
    /// The reason why it is not read. Such channels stay in the source document.
    pub(in crate::gltf) fn held(
        &self,
        animation: &Animation,
        channel: &Channel,
    ) -> Result<Pointed, String> {
        let text = text_of(channel).ok_or("there is no pointer")?;
        let target = channel.target.as_ref();
        let is_right = |target: &ChannelTarget| {
            target.node.is_none() && target.path == Some(TargetPath::Pointer)
        };
        if !target.is_some_and(is_right) {
            return Err("the channel has another target too".to_owned());
        }
        let pointed =
            parse(&text).ok_or_else(|| format!("nothing follows the pointer `{text}`"))?;
        let is_there = match pointed {
            Pointed::Path(node, _) => (node as usize) < self.document.nodes.len(),
            Pointed::Property(index, property) => self
                .objects
                .pointer_to(index, property)
                .is_some_and(|known| known == text),
        };
        if !is_there {
            return Err(format!("nothing is at the pointer `{text}`"));
        }
        self.check_keys(animation, channel, pointed)?;
        Ok(pointed)
    }

    fn check_keys(
        &self,
        animation: &Animation,
        channel: &Channel,
        pointed: Pointed,
    ) -> Result<(), String> {
        let sampler = channel
            .sampler
            .and_then(|own| animation.samplers.get(own as usize))
            .ok_or("it has no sampler")?;
        let accessor = |index: Option<u32>| self.document.accessors.get(index? as usize);
        let (Some(input), Some(output)) = (accessor(sampler.input), accessor(sampler.output))
        else {
            return Err("its sampler has no keys".to_owned());
        };
        let format = output.format().ok_or("its values have no known format")?;
        let targets = match pointed {
            Pointed::Path(node, TargetPath::Weights) => morph_targets(self.document, node),
            _ => 1,
        };
        if targets == 0 || !fits(pointed, format) {
            return Err(format!("values of type {format} do not fit the pointer"));
        }
        let interpolation = sampler.interpolation.unwrap_or_default();
        if is_visibility(pointed) && interpolation != Interpolation::Step {
            return Err("visibility changes only in steps".to_owned());
        }
        let per_key = match interpolation {
            Interpolation::CubicSpline => 3,
            _ => 1,
        };
        let wanted = input.count.saturating_mul(per_key).saturating_mul(targets);
        if wanted != output.count {
            return Err(format!(
                "there are {} values instead of {wanted}",
                output.count
            ));
        }
        Ok(())
    }

    /// True if every channel with a pointer is [`held`](Self::held).
    pub(in crate::gltf) fn are_all_held(&self) -> bool {
        self.document.animations.iter().all(|animation| {
            let mut pointing = animation.channels.iter().filter(|own| is_pointing(own));
            pointing.all(|channel| self.held(animation, channel).is_ok())
        })
    }
}

fn is_visibility(pointed: Pointed) -> bool {
    matches!(pointed, Pointed::Property(_, Property::Visible))
}

/// Number of morph targets of the mesh of a node.
fn morph_targets(document: &Document, node: u32) -> u64 {
    let mesh = document.nodes.get(node as usize).and_then(|node| node.mesh);
    let mesh = mesh.and_then(|mesh| document.meshes.get(mesh as usize));
    let first = mesh.and_then(|mesh| mesh.primitives.first());
    first.map_or(0, |first| first.targets.len() as u64)
}

fn fits(pointed: Pointed, format: AccessorFormat) -> bool {
    let width = match pointed {
        Pointed::Path(_, TargetPath::Rotation) => 4,
        Pointed::Path(_, TargetPath::Weights) => 1,
        Pointed::Path(..) => 3,
        Pointed::Property(_, property) => property.width(),
    };
    let is_float = format.component == ComponentType::Float || format.is_normalized();
    let is_right = match is_visibility(pointed) {
        true => format.component == ComponentType::UnsignedByte && !format.normalized,
        false => is_float,
    };
    is_right && element_of(width) == format.element
}

/// Type of accessor for a number of values.
pub(in crate::gltf) fn element_of(width: usize) -> ElementType {
    match width {
        1 => ElementType::Scalar,
        2 => ElementType::Vec2,
        3 => ElementType::Vec3,
        _ => ElementType::Vec4,
    }
}

/// True if the target of a channel is a pointer.
pub(in crate::gltf) fn is_pointing(channel: &Channel) -> bool {
    let target = channel.target.as_ref();
    target.is_some_and(|target| {
        target.path == Some(TargetPath::Pointer) || target.rest.extension(POINTER).is_some()
    })
}
