//! Layers of materials, each as the extension that says it. One that is as it was in the source stays as it is there.

use super::materials::{set_extension, set_texture};
use super::{ExportError, Exporter};
use crate::gltf::{Rest, extras};
use serde::Serialize;
use serde_json::value::to_raw_value;
use sinew::character::{
    Anisotropy, Clearcoat, Material, Sheen, Specular, TextureUse, Transmission, Volume,
};

/// Writes the layers that are other than `before`.
pub(super) fn write(
    exporter: &mut Exporter<'_>,
    material: &Material,
    before: &Material,
    rest: &mut Rest,
    place: &str,
) -> Result<(), ExportError> {
    let mut set = |name: &str, is_there: bool, layer: Layer<'_, '_>| {
        let object = is_there
            .then(|| extras::object(layer.members))
            .transpose()?;
        set_extension(rest, name, object)
    };
    if material.emissive_strength != before.emissive_strength {
        let strength = material.emissive_strength;
        let mut layer = Layer::new(exporter, place);
        layer.number("emissiveStrength", strength)?;
        set("KHR_materials_emissive_strength", strength != 1.0, layer)?;
    }
    if material.ior != before.ior {
        let mut layer = Layer::new(exporter, place);
        layer.number("ior", material.ior)?;
        set("KHR_materials_ior", material.ior != 1.5, layer)?;
    }
    if material.specular != before.specular {
        let specular = &material.specular;
        let mut layer = Layer::new(exporter, place);
        layer.number("specularFactor", specular.strength)?;
        layer.texture("specularTexture", specular.texture, None)?;
        layer.color("specularColorFactor", specular.color)?;
        layer.texture("specularColorTexture", specular.color_texture, None)?;
        set(
            "KHR_materials_specular",
            *specular != Specular::default(),
            layer,
        )?;
    }
    if material.clearcoat != before.clearcoat {
        let coat = &material.clearcoat;
        let mut layer = Layer::new(exporter, place);
        layer.number("clearcoatFactor", coat.strength)?;
        layer.texture("clearcoatTexture", coat.texture, None)?;
        layer.number("clearcoatRoughnessFactor", coat.roughness)?;
        layer.texture("clearcoatRoughnessTexture", coat.roughness_texture, None)?;
        let scale = Some(coat.normal_scale);
        layer.texture("clearcoatNormalTexture", coat.normal_texture, scale)?;
        set(
            "KHR_materials_clearcoat",
            *coat != Clearcoat::default(),
            layer,
        )?;
    }
    if material.sheen != before.sheen {
        let sheen = &material.sheen;
        let mut layer = Layer::new(exporter, place);
        layer.color("sheenColorFactor", sheen.color)?;
        layer.texture("sheenColorTexture", sheen.color_texture, None)?;
        layer.number("sheenRoughnessFactor", sheen.roughness)?;
        layer.texture("sheenRoughnessTexture", sheen.roughness_texture, None)?;
        set("KHR_materials_sheen", *sheen != Sheen::default(), layer)?;
    }
    if material.transmission != before.transmission {
        let glass = &material.transmission;
        let mut layer = Layer::new(exporter, place);
        layer.number("transmissionFactor", glass.strength)?;
        layer.texture("transmissionTexture", glass.texture, None)?;
        set(
            "KHR_materials_transmission",
            *glass != Transmission::default(),
            layer,
        )?;
    }
    if material.volume != before.volume {
        let volume = &material.volume;
        let mut layer = Layer::new(exporter, place);
        layer.number("thicknessFactor", volume.thickness)?;
        // Without a distance there is no end of it.
        if volume.attenuation_distance != f32::INFINITY {
            layer.number("attenuationDistance", volume.attenuation_distance)?;
        }
        layer.color("attenuationColor", volume.attenuation_color)?;
        set("KHR_materials_volume", *volume != Volume::default(), layer)?;
    }
    if material.dispersion != before.dispersion {
        let mut layer = Layer::new(exporter, place);
        layer.number("dispersion", material.dispersion)?;
        set(
            "KHR_materials_dispersion",
            material.dispersion != 0.0,
            layer,
        )?;
    }
    if material.anisotropy != before.anisotropy {
        let brushed = material.anisotropy;
        let mut layer = Layer::new(exporter, place);
        layer.number("anisotropyStrength", brushed.strength)?;
        layer.number("anisotropyRotation", brushed.rotation_rad)?;
        set(
            "KHR_materials_anisotropy",
            brushed != Anisotropy::default(),
            layer,
        )?;
    }
    Ok(())
}

/// The members of one extension.
struct Layer<'a, 'e> {
    exporter: &'a mut Exporter<'e>,
    place: &'a str,
    members: Rest,
}

impl<'a, 'e> Layer<'a, 'e> {
    fn new(exporter: &'a mut Exporter<'e>, place: &'a str) -> Self {
        let members = Rest::default();
        Self {
            exporter,
            place,
            members,
        }
    }

    fn push(&mut self, name: &str, value: &impl Serialize) -> Result<(), ExportError> {
        self.members.push(name, to_raw_value(value)?);
        Ok(())
    }

    fn number(&mut self, name: &str, value: f32) -> Result<(), ExportError> {
        match value.is_finite() {
            true => self.push(name, &value),
            false => Err(ExportError::not_finite(self.place)),
        }
    }

    fn color(&mut self, name: &str, color: [f32; 3]) -> Result<(), ExportError> {
        match color.iter().all(|channel| channel.is_finite()) {
            true => self.push(name, &color),
            false => Err(ExportError::not_finite(self.place)),
        }
    }

    fn texture(
        &mut self,
        name: &str,
        texture: Option<TextureUse>,
        scale: Option<f32>,
    ) -> Result<(), ExportError> {
        let mut member = None;
        let place = format!("{}/{name}", self.place);
        set_texture(self.exporter, &mut member, texture, place)?;
        let Some(mut member) = member else {
            return Ok(());
        };
        if let Some(scale) = scale.filter(|scale| *scale != 1.0) {
            member.rest.insert("scale", to_raw_value(&scale)?);
        }
        self.push(name, &member)
    }
}
