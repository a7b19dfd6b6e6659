//! Material layers as extensions. Unchanged layers keep the text of the source.

use super::texture_uses::set_texture;
use crate::gltf::document::json::Rest;
use crate::gltf::document::nested;
use crate::gltf::export::error::ExportError;
use crate::gltf::export::exporter::Exporter;
use serde::Serialize;
use serde_json::value::to_raw_value;
use sinew::character::{
    Anisotropy, Clearcoat, Material, Sheen, Specular, TextureUse, Transmission, Volume,
};

pub(super) fn write(
    exporter: &mut Exporter<'_>,
    material: &Material,
    before: &Material,
    rest: &mut Rest,
    location: &str,
) -> Result<(), ExportError> {
    let mut layers = Layers {
        exporter,
        rest,
        location,
    };
    if material.emissive_strength != before.emissive_strength {
        layers.emissive_strength(material.emissive_strength)?;
    }
    if material.ior != before.ior {
        layers.ior(material.ior)?;
    }
    if material.specular != before.specular {
        layers.specular(&material.specular)?;
    }
    if material.clearcoat != before.clearcoat {
        layers.clearcoat(&material.clearcoat)?;
    }
    if material.sheen != before.sheen {
        layers.sheen(&material.sheen)?;
    }
    if material.transmission != before.transmission {
        layers.transmission(&material.transmission)?;
    }
    if material.volume != before.volume {
        layers.volume(&material.volume)?;
    }
    if material.dispersion != before.dispersion {
        layers.dispersion(material.dispersion)?;
    }
    if material.anisotropy != before.anisotropy {
        layers.anisotropy(&material.anisotropy)?;
    }
    Ok(())
}

struct Layers<'a, 'e> {
    exporter: &'a mut Exporter<'e>,
    rest: &'a mut Rest,
    location: &'a str,
}

impl<'e> Layers<'_, 'e> {
    fn layer(&mut self, extension: &'static str) -> Layer<'_, 'e> {
        Layer {
            exporter: self.exporter,
            rest: self.rest,
            location: self.location,
            extension,
            members: Rest::default(),
        }
    }

    fn emissive_strength(&mut self, strength: f32) -> Result<(), ExportError> {
        let mut layer = self.layer("KHR_materials_emissive_strength");
        layer.number("emissiveStrength", strength)?;
        layer.finish(strength != 1.0)
    }

    fn ior(&mut self, ior: f32) -> Result<(), ExportError> {
        let mut layer = self.layer("KHR_materials_ior");
        layer.number("ior", ior)?;
        layer.finish(ior != 1.5)
    }

    fn specular(&mut self, specular: &Specular) -> Result<(), ExportError> {
        let mut layer = self.layer("KHR_materials_specular");
        layer.number("specularFactor", specular.strength)?;
        layer.texture("specularTexture", specular.texture, None)?;
        layer.color("specularColorFactor", specular.color)?;
        layer.texture("specularColorTexture", specular.color_texture, None)?;
        layer.finish(*specular != Specular::default())
    }

    fn clearcoat(&mut self, coat: &Clearcoat) -> Result<(), ExportError> {
        let mut layer = self.layer("KHR_materials_clearcoat");
        layer.number("clearcoatFactor", coat.strength)?;
        layer.texture("clearcoatTexture", coat.texture, None)?;
        layer.number("clearcoatRoughnessFactor", coat.roughness)?;
        layer.texture("clearcoatRoughnessTexture", coat.roughness_texture, None)?;
        let scale = Some(coat.normal_scale);
        layer.texture("clearcoatNormalTexture", coat.normal_texture, scale)?;
        layer.finish(*coat != Clearcoat::default())
    }

    fn sheen(&mut self, sheen: &Sheen) -> Result<(), ExportError> {
        let mut layer = self.layer("KHR_materials_sheen");
        layer.color("sheenColorFactor", sheen.color)?;
        layer.texture("sheenColorTexture", sheen.color_texture, None)?;
        layer.number("sheenRoughnessFactor", sheen.roughness)?;
        layer.texture("sheenRoughnessTexture", sheen.roughness_texture, None)?;
        layer.finish(*sheen != Sheen::default())
    }

    fn transmission(&mut self, glass: &Transmission) -> Result<(), ExportError> {
        let mut layer = self.layer("KHR_materials_transmission");
        layer.number("transmissionFactor", glass.strength)?;
        layer.texture("transmissionTexture", glass.texture, None)?;
        layer.finish(*glass != Transmission::default())
    }

    fn volume(&mut self, volume: &Volume) -> Result<(), ExportError> {
        let mut layer = self.layer("KHR_materials_volume");
        layer.number("thicknessFactor", volume.thickness)?;
        // Infinity is the default.
        if volume.attenuation_distance != f32::INFINITY {
            layer.number("attenuationDistance", volume.attenuation_distance)?;
        }
        layer.color("attenuationColor", volume.attenuation_color)?;
        layer.finish(*volume != Volume::default())
    }

    fn dispersion(&mut self, dispersion: f32) -> Result<(), ExportError> {
        let mut layer = self.layer("KHR_materials_dispersion");
        layer.number("dispersion", dispersion)?;
        layer.finish(dispersion != 0.0)
    }

    fn anisotropy(&mut self, brushed: &Anisotropy) -> Result<(), ExportError> {
        let mut layer = self.layer("KHR_materials_anisotropy");
        layer.number("anisotropyStrength", brushed.strength)?;
        layer.number("anisotropyRotation", brushed.rotation_rad)?;
        layer.finish(*brushed != Anisotropy::default())
    }
}

struct Layer<'a, 'e> {
    exporter: &'a mut Exporter<'e>,
    rest: &'a mut Rest,
    location: &'a str,
    extension: &'static str,
    members: Rest,
}

impl Layer<'_, '_> {
    fn push(&mut self, name: &str, value: &impl Serialize) -> Result<(), ExportError> {
        self.members.push(name, to_raw_value(value)?);
        Ok(())
    }

    fn number(&mut self, name: &str, value: f32) -> Result<(), ExportError> {
        if !value.is_finite() {
            return Err(ExportError::not_finite(self.location));
        }
        self.push(name, &value)
    }

    fn color(&mut self, name: &str, color: [f32; 3]) -> Result<(), ExportError> {
        if !color.iter().all(|channel| channel.is_finite()) {
            return Err(ExportError::not_finite(self.location));
        }
        self.push(name, &color)
    }

    fn texture(
        &mut self,
        name: &str,
        texture: Option<TextureUse>,
        scale: Option<f32>,
    ) -> Result<(), ExportError> {
        let mut member = None;
        let location = format!("{}/{name}", self.location);
        set_texture(self.exporter, &mut member, texture, location)?;
        let Some(mut member) = member else {
            return Ok(());
        };
        if let Some(scale) = scale.filter(|scale| *scale != 1.0) {
            member.rest.insert("scale", to_raw_value(&scale)?);
        }
        self.push(name, &member)
    }

    fn finish(self, is_there: bool) -> Result<(), ExportError> {
        let object = is_there.then(|| nested::object(self.members)).transpose()?;
        Ok(nested::set_extension(self.rest, self.extension, object)?)
    }
}
