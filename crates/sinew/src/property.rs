//! Properties of nodes, cameras, lights and materials that curves set.

/// Kind of object that has properties.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum ObjectKind {
    /// Node of the file.
    Node,
    /// Camera of the file.
    Camera,
    /// Light of the file.
    Light,
    /// Material.
    Material,
}

/// Property of an object. Angles are in radians, lengths in units of the file, colours linear.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Property {
    /// Visibility of a node and everything below it: visible from 0.5.
    Visible,
    /// Vertical angle of view of a camera.
    Fov,
    /// Distance of the near plane of a camera.
    Near,
    /// Distance of the far plane of a camera.
    Far,
    /// Half the width that a parallel camera shows.
    HalfWidth,
    /// Half the height that a parallel camera shows.
    HalfHeight,
    /// Brightness of a light in candela, or in lux for a directional light.
    Intensity,
    /// Colour of a light.
    LightColor,
    /// Distance at which a light ends. 0 means that it does not end.
    Range,
    /// Angle from the axis of a spot at which its light begins to fade.
    InnerAngle,
    /// Angle from the axis of a spot at which its light has faded out.
    OuterAngle,
    /// Base colour with opacity.
    BaseColor,
    /// Metalness.
    Metallic,
    /// Roughness.
    Roughness,
    /// Emitted light before its strength.
    EmissiveFactor,
    /// Factor of the emitted light.
    EmissiveStrength,
    /// Opacity below which pixels are not drawn, for masked materials.
    AlphaCutoff,
    /// Strength of the normal map.
    NormalScale,
    /// Strength of the occlusion.
    OcclusionStrength,
    /// Index of refraction.
    Ior,
    /// Strength of the reflection of non-metals.
    Specular,
    /// Colour of the reflection of non-metals.
    SpecularColor,
    /// Strength of the varnish.
    Clearcoat,
    /// Roughness of the varnish.
    ClearcoatRoughness,
    /// Strength of the normal map of the varnish.
    ClearcoatNormalScale,
    /// Colour of the fibres.
    SheenColor,
    /// Roughness of the fibres.
    SheenRoughness,
    /// Share of the light that passes.
    Transmission,
    /// Thickness of a transparent body.
    Thickness,
    /// Distance at which white light has the attenuation colour.
    AttenuationDistance,
    /// Colour of white light after the attenuation distance.
    AttenuationColor,
    /// Dispersion of refracted light.
    Dispersion,
    /// Elongation of highlights.
    Anisotropy,
    /// Direction of the elongation.
    AnisotropyRotation,
    /// Part of the transform of a texture.
    Uv(TextureSlot, UvPart),
}

/// Texture of a material.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[expect(missing_docs)] // the names are those of the fields of a material
pub enum TextureSlot {
    BaseColor,
    MetallicRoughness,
    Normal,
    Occlusion,
    Emissive,
    Specular,
    SpecularColor,
    Clearcoat,
    ClearcoatRoughness,
    ClearcoatNormal,
    SheenColor,
    SheenRoughness,
    Transmission,
}

/// Part of a texture transform: the coordinates are scaled, then rotated, then moved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UvPart {
    /// Two offsets.
    Offset,
    /// Angle, counterclockwise in the image.
    Rotation,
    /// Two factors.
    Scale,
}

use ObjectKind::{Camera, Light, Material, Node};

const ANY: [f32; 2] = [f32::MIN, f32::MAX];
const FRACTION: [f32; 2] = [0.0, 1.0];
const POSITIVE: [f32; 2] = [0.0, f32::MAX];
const ANGLE: [f32; 2] = [0.0, std::f32::consts::FRAC_PI_2];

type Row = (Property, ObjectKind, &'static str, usize, [f32; 2]);

/// Kind of object, name, numbers and range of every property except texture transforms.
const ROWS: [Row; 34] = [
    (Property::Visible, Node, "visible", 1, FRACTION),
    (Property::Fov, Camera, "fov", 1, [0.01, 3.0]),
    (Property::Near, Camera, "near", 1, POSITIVE),
    (Property::Far, Camera, "far", 1, POSITIVE),
    (Property::HalfWidth, Camera, "half_width", 1, ANY),
    (Property::HalfHeight, Camera, "half_height", 1, ANY),
    (Property::Intensity, Light, "intensity", 1, POSITIVE),
    (Property::LightColor, Light, "color", 3, POSITIVE),
    (Property::Range, Light, "range", 1, POSITIVE),
    (Property::InnerAngle, Light, "inner_angle", 1, ANGLE),
    (Property::OuterAngle, Light, "outer_angle", 1, ANGLE),
    (Property::BaseColor, Material, "color", 4, FRACTION),
    (Property::Metallic, Material, "metallic", 1, FRACTION),
    (Property::Roughness, Material, "roughness", 1, FRACTION),
    (
        Property::EmissiveFactor,
        Material,
        "emissive_factor",
        3,
        FRACTION,
    ),
    (
        Property::EmissiveStrength,
        Material,
        "emissive_strength",
        1,
        POSITIVE,
    ),
    (Property::AlphaCutoff, Material, "alpha_cutoff", 1, POSITIVE),
    (Property::NormalScale, Material, "normal_scale", 1, ANY),
    (
        Property::OcclusionStrength,
        Material,
        "occlusion_strength",
        1,
        FRACTION,
    ),
    (Property::Ior, Material, "ior", 1, POSITIVE),
    (Property::Specular, Material, "specular", 1, FRACTION),
    (
        Property::SpecularColor,
        Material,
        "specular_color",
        3,
        POSITIVE,
    ),
    (Property::Clearcoat, Material, "clearcoat", 1, FRACTION),
    (
        Property::ClearcoatRoughness,
        Material,
        "clearcoat_roughness",
        1,
        FRACTION,
    ),
    (
        Property::ClearcoatNormalScale,
        Material,
        "clearcoat_normal_scale",
        1,
        ANY,
    ),
    (Property::SheenColor, Material, "sheen_color", 3, FRACTION),
    (
        Property::SheenRoughness,
        Material,
        "sheen_roughness",
        1,
        FRACTION,
    ),
    (
        Property::Transmission,
        Material,
        "transmission",
        1,
        FRACTION,
    ),
    (Property::Thickness, Material, "thickness", 1, POSITIVE),
    (
        Property::AttenuationDistance,
        Material,
        "attenuation_distance",
        1,
        POSITIVE,
    ),
    (
        Property::AttenuationColor,
        Material,
        "attenuation_color",
        3,
        POSITIVE,
    ),
    (Property::Dispersion, Material, "dispersion", 1, POSITIVE),
    (Property::Anisotropy, Material, "anisotropy", 1, FRACTION),
    (
        Property::AnisotropyRotation,
        Material,
        "anisotropy_rotation",
        1,
        ANY,
    ),
];

const PARTS: [(UvPart, &str); 3] = [
    (UvPart::Offset, "offset"),
    (UvPart::Rotation, "rotation"),
    (UvPart::Scale, "scale"),
];

impl ObjectKind {
    /// Word in the notation of bindings.
    pub fn name(self) -> &'static str {
        match self {
            Node => "node",
            Camera => "camera",
            Light => "light",
            Material => "material",
        }
    }
}

impl TextureSlot {
    /// All textures.
    pub const ALL: [(Self, &'static str); 13] = [
        (Self::BaseColor, "color_texture"),
        (Self::MetallicRoughness, "metallic_roughness_texture"),
        (Self::Normal, "normal_texture"),
        (Self::Occlusion, "occlusion_texture"),
        (Self::Emissive, "emissive_texture"),
        (Self::Specular, "specular_texture"),
        (Self::SpecularColor, "specular_color_texture"),
        (Self::Clearcoat, "clearcoat_texture"),
        (Self::ClearcoatRoughness, "clearcoat_roughness_texture"),
        (Self::ClearcoatNormal, "clearcoat_normal_texture"),
        (Self::SheenColor, "sheen_color_texture"),
        (Self::SheenRoughness, "sheen_roughness_texture"),
        (Self::Transmission, "transmission_texture"),
    ];
}

fn row(property: Property) -> Option<&'static Row> {
    ROWS.iter().find(|(own, ..)| *own == property)
}

impl Property {
    /// Kind of the object that has the property.
    pub fn kind(self) -> ObjectKind {
        row(self).map_or(Material, |row| row.1)
    }

    /// Number of values.
    pub fn width(self) -> usize {
        match self {
            Self::Uv(_, UvPart::Rotation) => 1,
            Self::Uv(..) => 2,
            _ => row(self).map_or(1, |row| row.3),
        }
    }

    /// Least and greatest value.
    pub fn range(self) -> [f32; 2] {
        row(self).map_or(ANY, |row| row.4)
    }

    /// Name in the notation of bindings, after the name of the object.
    pub fn name(self) -> String {
        if let Self::Uv(slot, part) = self {
            let slot = TextureSlot::ALL.iter().find(|(own, _)| *own == slot);
            let part = PARTS.iter().find(|(own, _)| *own == part);
            let texture = slot.map_or("", |(_, name)| name);
            return format!("{texture}.{}", part.map_or("", |(_, name)| name));
        }
        row(self).map_or("", |row| row.2).to_owned()
    }

    /// Splits `NAME.PROPERTY`. Names may contain dots.
    pub fn split(kind: ObjectKind, text: &str) -> Option<(&str, Self)> {
        let (before, last) = text.rsplit_once('.')?;
        let of_kind = ROWS.iter().filter(|row| row.1 == kind);
        let plain = of_kind.clone().find(|row| row.2 == last);
        let found = match (plain, kind) {
            (Some(row), _) => (before, row.0),
            (None, Material) => {
                let (part, _) = PARTS.iter().find(|(_, name)| *name == last)?;
                let (name, texture) = before.rsplit_once('.')?;
                let slots = &TextureSlot::ALL;
                let (slot, _) = slots.iter().find(|(_, own)| *own == texture)?;
                (name, Self::Uv(*slot, *part))
            }
            _ => return None,
        };
        (!found.0.is_empty()).then_some(found)
    }
}
