//! Material extensions: clearcoat, sheen, transmission, specular and others.

use sinew::Material;
use sinew::character::{Anisotropy, Clearcoat, Sheen, Specular, TextureUse, Transmission, Volume};

use super::texture_uses::texture_use_in;
use crate::gltf::document::json::{self, Rest, elements, number};
use crate::gltf::vrm::MTOON;

pub(super) const DRAWN: [&str; 6] = [
    "KHR_materials_unlit",
    "KHR_materials_emissive_strength",
    "KHR_materials_ior",
    "KHR_materials_specular",
    "KHR_materials_clearcoat",
    "KHR_materials_sheen",
];

pub(super) const APPROXIMATED: [(&str, &str); 7] = [
    (
        "KHR_materials_transmission",
        "objects behind the surface are visible through it, except other transparent objects; the texture of the extension is ignored",
    ),
    (
        "KHR_materials_volume",
        "refraction is computed once, where light enters; its thickness texture is ignored",
    ),
    (
        "KHR_materials_dispersion",
        "dispersion is computed for three colours",
    ),
    ("KHR_materials_anisotropy", "its texture is ignored"),
    ("KHR_materials_iridescence", "iridescence is not drawn"),
    (
        "KHR_materials_pbrSpecularGlossiness",
        "drawn as metalness and roughness from its factors; its glossiness texture is ignored",
    ),
    ("VRMC_materials_mtoon", MTOON),
];

pub(super) struct Layers<'a> {
    rest: &'a Rest,
    textures: usize,
}

struct Layer<'a> {
    text: &'a str,
    textures: usize,
}

impl<'a> Layers<'a> {
    pub fn new(rest: &'a Rest, textures: usize) -> Self {
        Self { rest, textures }
    }

    fn layer(&self, name: &str) -> Option<Layer<'a>> {
        let text = self.rest.extension(name)?;
        text.starts_with('{').then_some(Layer {
            text,
            textures: self.textures,
        })
    }

    pub fn is_unlit(&self) -> bool {
        self.layer("KHR_materials_unlit").is_some()
    }

    /// Applies the extensions to `material`.
    pub fn apply(&self, material: &mut Material) {
        if let Some(old) = self.layer("KHR_materials_pbrSpecularGlossiness") {
            old.specular_glossiness(material);
        }
        if let Some(layer) = self.layer("KHR_materials_emissive_strength") {
            material.emissive_strength = layer.not_below("emissiveStrength", 0.0, 1.0);
        }
        if let Some(layer) = self.layer("KHR_materials_ior") {
            let ior = layer.not_below("ior", 0.0, 1.5);
            material.ior = if ior == 0.0 { 0.0 } else { ior.max(1.0) };
        }
        if let Some(layer) = self.layer("KHR_materials_specular") {
            material.specular = Specular {
                strength: layer.part("specularFactor", 1.0),
                texture: layer.texture("specularTexture"),
                color: layer.color("specularColorFactor", [1.0; 3]),
                color_texture: layer.texture("specularColorTexture"),
            };
        }
        if let Some(layer) = self.layer("KHR_materials_clearcoat") {
            material.clearcoat = Clearcoat {
                strength: layer.part("clearcoatFactor", 0.0),
                texture: layer.texture("clearcoatTexture"),
                roughness: layer.part("clearcoatRoughnessFactor", 0.0),
                roughness_texture: layer.texture("clearcoatRoughnessTexture"),
                normal_texture: layer.texture("clearcoatNormalTexture"),
                normal_scale: layer.normal_scale("clearcoatNormalTexture"),
            };
        }
        if let Some(layer) = self.layer("KHR_materials_sheen") {
            material.sheen = Sheen {
                color: layer
                    .color("sheenColorFactor", [0.0; 3])
                    .map(|channel| channel.min(1.0)),
                color_texture: layer.texture("sheenColorTexture"),
                roughness: layer.part("sheenRoughnessFactor", 0.0),
                roughness_texture: layer.texture("sheenRoughnessTexture"),
            };
        }
        if let Some(layer) = self.layer("KHR_materials_transmission") {
            material.transmission = Transmission {
                strength: layer.part("transmissionFactor", 0.0),
                texture: layer.texture("transmissionTexture"),
            };
        }
        if let Some(layer) = self.layer("KHR_materials_volume") {
            let distance = layer.number("attenuationDistance");
            material.volume = Volume {
                thickness: layer.not_below("thicknessFactor", 0.0, 0.0),
                attenuation_distance: distance.filter(|d| *d > 0.0).unwrap_or(f32::INFINITY),
                attenuation_color: layer.color("attenuationColor", [1.0; 3]),
            };
        }
        if let Some(layer) = self.layer("KHR_materials_dispersion") {
            material.dispersion = layer.not_below("dispersion", 0.0, 0.0);
        }
        if let Some(layer) = self.layer("KHR_materials_anisotropy") {
            material.anisotropy = Anisotropy {
                strength: layer.part("anisotropyStrength", 0.0),
                rotation_rad: layer.number("anisotropyRotation").unwrap_or(0.0),
            };
        }
    }
}

impl Layer<'_> {
    fn number(&self, name: &str) -> Option<f32> {
        let value = json::member(self.text, name).and_then(number)? as f32;
        value.is_finite().then_some(value)
    }

    fn part(&self, name: &str, default: f32) -> f32 {
        self.number(name)
            .map_or(default, |part| part.clamp(0.0, 1.0))
    }

    fn not_below(&self, name: &str, min: f32, default: f32) -> f32 {
        self.number(name).map_or(default, |value| value.max(min))
    }

    fn numbers<const N: usize>(&self, name: &str) -> Option<[f32; N]> {
        let numbers = json::member(self.text, name).and_then(elements)?;
        let finite = |text: &str| {
            number(text)
                .map(|value| value as f32)
                .filter(|value| value.is_finite())
        };
        let numbers: Option<Vec<f32>> = numbers.take(N + 1).map(finite).collect();
        numbers?.try_into().ok()
    }

    fn color(&self, name: &str, default: [f32; 3]) -> [f32; 3] {
        self.numbers(name)
            .unwrap_or(default)
            .map(|channel| channel.max(0.0))
    }

    fn texture(&self, name: &str) -> Option<TextureUse> {
        texture_use_in(json::member(self.text, name)?, self.textures)
    }

    fn normal_scale(&self, name: &str) -> f32 {
        let scale =
            json::member(self.text, name).and_then(|texture| json::member(texture, "scale"));
        let scale = scale.and_then(number).map(|scale| scale as f32);
        scale.filter(|scale| scale.is_finite()).unwrap_or(1.0)
    }

    /// Converts specular and glossiness to metalness and roughness. The metalness keeps the
    /// brightness of both colours, with 4 % reflection on non-metals.
    fn specular_glossiness(&self, material: &mut Material) {
        let diffuse = self
            .numbers("diffuseFactor")
            .unwrap_or([1.0; 4])
            .map(|x: f32| x.clamp(0.0, 1.0));
        let [r, g, b, opacity] = diffuse;
        let specular = self.color("specularFactor", [1.0; 3]);
        // If a texture holds the specular colour, the factors alone would make every surface metal.
        let is_textured = self.texture("specularGlossinessTexture").is_some();
        let specular = if is_textured { [0.04; 3] } else { specular };
        let brightness =
            |[r, g, b]: [f32; 3]| (0.299 * r * r + 0.587 * g * g + 0.114 * b * b).sqrt();
        let highest = specular.into_iter().fold(0.0, f32::max).min(1.0);
        let (dull, mirrored) = (brightness([r, g, b]), brightness(specular));
        const MIRROR: f32 = 0.04;
        let metallic = if mirrored < MIRROR {
            0.0
        } else {
            let b = dull * (1.0 - highest) / (1.0 - MIRROR) + mirrored - 2.0 * MIRROR;
            let c = MIRROR - mirrored;
            let root = (b * b - 4.0 * MIRROR * c).max(0.0).sqrt();
            ((root - b) / (2.0 * MIRROR)).clamp(0.0, 1.0)
        };
        let from_dull = (1.0 - highest) / (1.0 - MIRROR) / (1.0 - metallic).max(1e-4);
        let color = |dull: f32, mirrored: f32| {
            let metal = (mirrored - MIRROR * (1.0 - metallic)) / metallic.max(1e-4);
            let part = metallic * metallic;
            (dull * from_dull * (1.0 - part) + metal * part).clamp(0.0, 1.0)
        };
        let [mr, mg, mb] = specular;
        material.base_color = [color(r, mr), color(g, mg), color(b, mb), opacity];
        material.base_color_texture = self.texture("diffuseTexture");
        material.metallic = metallic;
        material.roughness = if is_textured {
            0.6
        } else {
            1.0 - self.part("glossinessFactor", 1.0)
        };
        material.metallic_roughness_texture = None;
    }
}
