//! The objects of a character as the curves of a clip set them.

use super::Character;
use super::camera::{Camera, Lens};
use super::light::{Light, LightKind};
use super::material::{Alpha, Material, TextureUse, UvTransform};
use crate::binding::{Value, curve_value};
use crate::clip::Playable;
use crate::property::{ObjectKind, Property, TextureSlot, UvPart};
use sinew_math::hierarchy::Hierarchy;

/// Copies of materials, lights and cameras of a character with the values of curves at a time, and which nodes are
/// hidden.
#[derive(Clone, Debug, PartialEq)]
pub struct Driven {
    materials: Vec<Material>,
    lights: Vec<Light>,
    cameras: Vec<Camera>,
    /// True for nodes that are hidden themselves.
    hides: Vec<bool>,
    /// True for nodes that are hidden, or below a hidden node.
    hidden: Vec<bool>,
    /// Nodes with their parents, parents first.
    order: Vec<(usize, Option<usize>)>,
    uvs: Vec<DrivenUv>,
    drivers: Vec<Driver>,
}

/// Texture transform in parts, because a map does not tell a negative scale from a rotation.
#[derive(Clone, Debug, PartialEq)]
struct DrivenUv {
    material: usize,
    slot: TextureSlot,
    /// Offset, angle and scale.
    parts: [f32; 5],
}

#[derive(Clone, Debug, PartialEq)]
struct Driver {
    curve: String,
    property: Property,
    index: usize,
    /// Values without a curve.
    rest: [f32; 4],
}

impl Driven {
    /// Objects of a character without curves.
    pub fn new(character: &Character) -> Self {
        let parents: Vec<_> = character.nodes.iter().map(|node| node.parent).collect();
        let sorted = Hierarchy::sort(&parents).map_or(Vec::new(), |sorted| sorted.old_from_new);
        let mut hides = vec![false; parents.len()];
        for &node in &character.hidden {
            if let Some(hides) = hides.get_mut(node) {
                *hides = true;
            }
        }
        let mut driven = Self {
            materials: character.materials.clone(),
            lights: character.lights.clone(),
            cameras: character.cameras.clone(),
            hidden: hides.clone(),
            hides,
            order: sorted
                .into_iter()
                .map(|node| (node, parents[node]))
                .collect(),
            uvs: Vec::new(),
            drivers: Vec::new(),
        };
        for (index, property, curve) in character.driven_properties() {
            let mut rest = [0.0; 4];
            let keep = |own: &mut [f32]| rest[..own.len()].copy_from_slice(own);
            if driven.with(property, index, keep) {
                driven.drivers.push(Driver {
                    curve: curve.to_owned(),
                    property,
                    index,
                    rest,
                });
            }
        }
        driven.hide_below();
        driven
    }

    /// Sets all values to those of a time of a clip, in seconds. Values without a curve are those of the character.
    /// Allocates nothing.
    pub fn update(&mut self, clip: Option<&dyn Playable>, time_secs: f64) {
        let drivers = std::mem::take(&mut self.drivers);
        for driver in &drivers {
            self.with(driver.property, driver.index, |own| {
                own.copy_from_slice(&driver.rest[..own.len()]);
            });
        }
        for driver in &drivers {
            let value = clip.and_then(|clip| curve_value(clip, &driver.curve, time_secs));
            if let Some(value) = value {
                self.set(driver, value);
            }
        }
        self.drivers = drivers;
        self.hide_below();
    }

    fn set(&mut self, driver: &Driver, value: Value) {
        let width = driver.property.width();
        // A colour without opacity keeps the opacity.
        if value.len() != width && (driver.property, value.len()) != (Property::BaseColor, 3) {
            return;
        }
        let [low, high] = driver.property.range();
        self.with(driver.property, driver.index, |own| {
            for (own, value) in own.iter_mut().zip(value.iter()) {
                *own = value.clamp(low, high);
            }
        });
    }

    /// Materials, in the order of the character.
    pub fn materials(&self) -> &[Material] {
        &self.materials
    }

    /// Lights, in the order of the character.
    pub fn lights(&self) -> &[Light] {
        &self.lights
    }

    /// Cameras, in the order of the character.
    pub fn cameras(&self) -> &[Camera] {
        &self.cameras
    }

    /// True if a node is hidden, or below a hidden node.
    pub fn is_hidden(&self, node: usize) -> bool {
        self.hidden.get(node).copied().unwrap_or(false)
    }

    /// True if a curve may set a property of an object of this kind.
    pub fn drives(&self, kind: ObjectKind, index: usize) -> bool {
        let mut drivers = self.drivers.iter();
        drivers.any(|driver| driver.property.kind() == kind && driver.index == index)
    }

    fn hide_below(&mut self) {
        self.hidden.copy_from_slice(&self.hides);
        for &(node, parent) in &self.order {
            self.hidden[node] |= parent.is_some_and(|parent| self.hidden[parent]);
        }
    }

    /// Calls `change` with the numbers of a property. False if the object does not have it.
    fn with(&mut self, property: Property, index: usize, change: impl FnOnce(&mut [f32])) -> bool {
        match property.kind() {
            ObjectKind::Node => self.hides.get_mut(index).is_some_and(|hides| {
                let mut visible = [f32::from(u8::from(!*hides))];
                change(&mut visible);
                *hides = visible[0] < 0.5;
                true
            }),
            ObjectKind::Camera => {
                let camera = self.cameras.get_mut(index);
                let numbers = camera.and_then(|camera| of_camera(camera, property));
                numbers
                    .map(|own| change(std::slice::from_mut(own)))
                    .is_some()
            }
            ObjectKind::Light => {
                let light = self.lights.get_mut(index);
                light.is_some_and(|light| with_light(light, property, change))
            }
            ObjectKind::Material => {
                if let Property::Uv(slot, part) = property {
                    return self.with_uv(index, slot, part, change);
                }
                let material = self.materials.get_mut(index);
                let numbers = material.and_then(|material| of_material(material, property));
                numbers.map(change).is_some()
            }
        }
    }

    fn with_uv(
        &mut self,
        index: usize,
        slot: TextureSlot,
        part: UvPart,
        change: impl FnOnce(&mut [f32]),
    ) -> bool {
        let material = self.materials.get_mut(index);
        let Some(used) = material.and_then(|material| texture(material, slot).as_mut()) else {
            return false;
        };
        let is_own = |uv: &DrivenUv| (uv.material, uv.slot) == (index, slot);
        let known = self.uvs.iter().position(is_own).unwrap_or_else(|| {
            let parts = parts_of(&used.transform);
            let uv = DrivenUv {
                material: index,
                slot,
                parts,
            };
            self.uvs.push(uv);
            self.uvs.len() - 1
        });
        let parts = &mut self.uvs[known].parts;
        change(match part {
            UvPart::Offset => &mut parts[..2],
            UvPart::Rotation => &mut parts[2..3],
            UvPart::Scale => &mut parts[3..],
        });
        used.transform = transform_of(*parts);
        true
    }
}

/// Offset, angle and scale of a texture transform. A map with a negative scale along the first axis counts as rotated by
/// 180°.
fn parts_of([[a, b, x], [c, d, y]]: &UvTransform) -> [f32; 5] {
    let angle_rad = (-c).atan2(*a);
    let (sin, cos) = angle_rad.sin_cos();
    [*x, *y, angle_rad, a * cos - c * sin, b * sin + d * cos]
}

fn transform_of([x, y, angle_rad, wide, high]: [f32; 5]) -> UvTransform {
    let (sin, cos) = angle_rad.sin_cos();
    [[cos * wide, sin * high, x], [-sin * wide, cos * high, y]]
}

fn of_camera(camera: &mut Camera, property: Property) -> Option<&mut f32> {
    match (property, &mut camera.lens) {
        (Property::Near, _) => Some(&mut camera.near),
        (Property::Far, _) => Some(&mut camera.far),
        (Property::Fov, Lens::Perspective { fov_y_rad }) => Some(fov_y_rad),
        (Property::HalfWidth, Lens::Orthographic { half_size }) => Some(&mut half_size[0]),
        (Property::HalfHeight, Lens::Orthographic { half_size }) => Some(&mut half_size[1]),
        _ => None,
    }
}

fn with_light(light: &mut Light, property: Property, change: impl FnOnce(&mut [f32])) -> bool {
    use std::slice::from_mut;
    match (property, &mut light.kind) {
        (Property::Intensity, _) => change(from_mut(&mut light.intensity)),
        (Property::LightColor, _) => change(&mut light.color),
        (Property::Range, LightKind::Point { range } | LightKind::Spot { range, .. }) => {
            let mut numbers = [range.unwrap_or(0.0)];
            change(&mut numbers);
            *range = (numbers[0] > 0.0).then_some(numbers[0]);
        }
        (Property::InnerAngle, LightKind::Spot { inner_rad, .. }) => change(from_mut(inner_rad)),
        (Property::OuterAngle, LightKind::Spot { outer_rad, .. }) => change(from_mut(outer_rad)),
        _ => return false,
    }
    true
}

fn of_material(material: &mut Material, property: Property) -> Option<&mut [f32]> {
    use std::slice::from_mut;
    Some(match property {
        Property::BaseColor => &mut material.base_color,
        Property::Metallic => from_mut(&mut material.metallic),
        Property::Roughness => from_mut(&mut material.roughness),
        Property::EmissiveFactor => &mut material.emissive,
        Property::EmissiveStrength => from_mut(&mut material.emissive_strength),
        Property::AlphaCutoff => match &mut material.alpha {
            Alpha::Mask(cutoff) => from_mut(cutoff),
            _ => return None,
        },
        Property::NormalScale => from_mut(&mut material.normal_scale),
        Property::OcclusionStrength => from_mut(&mut material.occlusion_strength),
        Property::Ior => from_mut(&mut material.ior),
        Property::Specular => from_mut(&mut material.specular.strength),
        Property::SpecularColor => &mut material.specular.color,
        Property::Clearcoat => from_mut(&mut material.clearcoat.strength),
        Property::ClearcoatRoughness => from_mut(&mut material.clearcoat.roughness),
        Property::ClearcoatNormalScale => from_mut(&mut material.clearcoat.normal_scale),
        Property::SheenColor => &mut material.sheen.color,
        Property::SheenRoughness => from_mut(&mut material.sheen.roughness),
        Property::Transmission => from_mut(&mut material.transmission.strength),
        Property::Thickness => from_mut(&mut material.volume.thickness),
        Property::AttenuationDistance => from_mut(&mut material.volume.attenuation_distance),
        Property::AttenuationColor => &mut material.volume.attenuation_color,
        Property::Dispersion => from_mut(&mut material.dispersion),
        Property::Anisotropy => from_mut(&mut material.anisotropy.strength),
        Property::AnisotropyRotation => from_mut(&mut material.anisotropy.rotation_rad),
        _ => return None,
    })
}

fn texture(material: &mut Material, slot: TextureSlot) -> &mut Option<TextureUse> {
    match slot {
        TextureSlot::BaseColor => &mut material.base_color_texture,
        TextureSlot::MetallicRoughness => &mut material.metallic_roughness_texture,
        TextureSlot::Normal => &mut material.normal_texture,
        TextureSlot::Occlusion => &mut material.occlusion_texture,
        TextureSlot::Emissive => &mut material.emissive_texture,
        TextureSlot::Specular => &mut material.specular.texture,
        TextureSlot::SpecularColor => &mut material.specular.color_texture,
        TextureSlot::Clearcoat => &mut material.clearcoat.texture,
        TextureSlot::ClearcoatRoughness => &mut material.clearcoat.roughness_texture,
        TextureSlot::ClearcoatNormal => &mut material.clearcoat.normal_texture,
        TextureSlot::SheenColor => &mut material.sheen.color_texture,
        TextureSlot::SheenRoughness => &mut material.sheen.roughness_texture,
        TextureSlot::Transmission => &mut material.transmission.texture,
    }
}
