//! Materials, from the physical parameters of `ufbx`. See the table in `docs/formats.md`.

use super::textures::{Source, Textures};
use crate::fbx::plain;
use crate::report::Severity;
use sinew::Material;
use sinew::character::{Alpha, TextureUse};
use ufbx::{MaterialMap, Scene, ShaderType};

pub(in crate::fbx) fn materials(
    scene: &Scene,
    textures: &mut Textures,
    source: &mut Source<'_>,
) -> Vec<Material> {
    let sets = uv_sets(scene);
    let mut materials = Vec::with_capacity(scene.materials.count);
    for (index, material) in scene.materials.as_ref().iter().enumerate() {
        let sets = sets.get(index).map_or(&[][..], |sets| sets.as_slice());
        let mut reader = Reader {
            scene,
            textures,
            source,
            sets,
        };
        materials.push(reader.material_of(material));
    }
    materials
}

/// Names of the texture coordinate sets, from the first mesh with each material.
fn uv_sets(scene: &Scene) -> Vec<Vec<String>> {
    let mut sets = vec![Vec::new(); scene.materials.count];
    for mesh in &scene.meshes {
        for material in &mesh.materials {
            if let Some(sets) = sets.get_mut(material.element.typed_id as usize)
                && sets.is_empty()
            {
                *sets = mesh
                    .uv_sets
                    .iter()
                    .map(|set| set.name.to_string())
                    .collect();
            }
        }
    }
    sets
}

struct Reader<'a, 'b> {
    scene: &'a Scene,
    textures: &'a mut Textures,
    source: &'a mut Source<'b>,
    sets: &'a [String],
}

impl Reader<'_, '_> {
    fn material_of(&mut self, material: &ufbx::Material) -> Material {
        let (pbr, features) = (&material.pbr, &material.features);
        let base_color = color(&pbr.base_color, 1.0);
        let base_factor = real(&pbr.base_factor, 1.0);
        let is_physical = features.pbr.enabled;
        let base_color_texture = self.texture(&pbr.base_color);
        let base_color = match base_color_texture {
            Some(_) => [1.0; 3],
            None => base_color.map(|part| (part * base_factor).clamp(0.0, 1.0)),
        };
        let emission = real(&pbr.emission_factor, 1.0).max(0.0);
        let emissive_texture = self.texture(&pbr.emission_color);
        let emissive = match emissive_texture {
            Some(_) => [1.0; 3],
            None => color(&pbr.emission_color, 0.0),
        };
        let opacity = opacity_of(material);
        let mut made = Material {
            name: material.element.name.to_string(),
            base_color: [base_color[0], base_color[1], base_color[2], opacity],
            base_color_texture,
            metallic: if is_physical || has_metalness(material) {
                real(&pbr.metalness, 0.0).clamp(0.0, 1.0)
            } else {
                0.0
            },
            roughness: roughness_of(material),
            metallic_roughness_texture: self.metal_and_roughness(material),
            normal_texture: self.normals(material),
            occlusion_texture: self.texture(&pbr.ambient_occlusion),
            emissive: emissive.map(|part| part.clamp(0.0, 1.0)),
            emissive_texture,
            emissive_strength: emission,
            alpha: if opacity < 1.0 {
                Alpha::Blend
            } else {
                Alpha::Opaque
            },
            double_sided: features.double_sided.enabled,
            unlit: features.unlit.enabled,
            ..Material::default()
        };
        if emission == 0.0 || made.emissive == [0.0; 3] {
            made.emissive = [0.0; 3];
            made.emissive_texture = None;
            made.emissive_strength = 1.0;
        }
        self.opacity_picture(material, &mut made);
        if is_physical {
            self.layers(material, &mut made);
        }
        made
    }

    fn texture(&mut self, map: &MaterialMap) -> Option<TextureUse> {
        let texture = map.texture.as_deref().filter(|_| map.texture_enabled)?;
        self.textures
            .used(self.scene, texture, self.sets, self.source)
    }

    /// Reads the normal map, which older materials often call a bump map. Ignores height maps.
    fn normals(&mut self, material: &ufbx::Material) -> Option<TextureUse> {
        let normals = self.texture(&material.pbr.normal_map);
        normals.or_else(|| self.texture(&material.fbx.normal_map))
    }

    fn metal_and_roughness(&mut self, material: &ufbx::Material) -> Option<TextureUse> {
        let pbr = &material.pbr;
        let file = |map: &MaterialMap| map.texture.as_ref().map(|texture| texture.file_index);
        let (metal, rough) = (file(&pbr.metalness), file(&pbr.roughness));
        if metal.is_none() && rough.is_none() {
            return None;
        }
        if metal == rough && material.features.pbr.enabled {
            return self.texture(&pbr.roughness);
        }
        let message = "metalness and roughness have separate images; they are imported only from one shared image";
        self.add_finding(material, "FBX_SEPARATE_ROUGHNESS", message);
        None
    }

    /// Reads an opacity texture only if it is also the colour texture.
    fn opacity_picture(&mut self, material: &ufbx::Material, made: &mut Material) {
        let maps = [&material.pbr.opacity, &material.fbx.transparency_color];
        let textures = maps.into_iter().filter_map(|map| map.texture.as_deref());
        let Some(texture) = textures.into_iter().next() else {
            return;
        };
        let base = material.pbr.base_color.texture.as_deref();
        if base.is_some_and(|base| base.file_index == texture.file_index) {
            made.alpha = Alpha::Blend;
        } else {
            let message =
                "the opacity image was left out; it is imported only if it is the colour image";
            self.add_finding(material, "FBX_SEPARATE_OPACITY", message);
        }
    }

    fn layers(&mut self, material: &ufbx::Material, made: &mut Material) {
        let (pbr, features) = (&material.pbr, &material.features);
        if pbr.specular_ior.has_value {
            made.ior = real(&pbr.specular_ior, 1.5).clamp(1.0, 3.0);
        }
        if pbr.specular_factor.has_value {
            made.specular.strength = real(&pbr.specular_factor, 1.0).clamp(0.0, 1.0);
        }
        if features.coat.enabled && pbr.coat_factor.has_value {
            made.clearcoat.strength = real(&pbr.coat_factor, 0.0).clamp(0.0, 1.0);
            made.clearcoat.roughness = real(&pbr.coat_roughness, 0.0).clamp(0.0, 1.0);
        }
        if features.sheen.enabled && pbr.sheen_factor.has_value {
            let strength = real(&pbr.sheen_factor, 0.0).clamp(0.0, 1.0);
            made.sheen.color =
                color(&pbr.sheen_color, 1.0).map(|part| (part * strength).clamp(0.0, 1.0));
            made.sheen.roughness = real(&pbr.sheen_roughness, 0.3).clamp(0.0, 1.0);
        }
        if features.transmission.enabled && pbr.transmission_factor.has_value {
            made.transmission.strength = real(&pbr.transmission_factor, 0.0).clamp(0.0, 1.0);
        }
    }

    fn add_finding(&mut self, material: &ufbx::Material, code: &'static str, message: &str) {
        let pointer = format_args!("material `{}`", &*material.element.name);
        self.source
            .report
            .add(Severity::Ignored, code, pointer, message);
    }
}

fn real(map: &MaterialMap, default: f32) -> f32 {
    if map.has_value {
        plain::number(map.value_vec4.x)
    } else {
        default
    }
}

fn color(map: &MaterialMap, default: f32) -> [f32; 3] {
    if map.has_value {
        plain::vec4(map.value_vec4).truncate().to_array()
    } else {
        [default; 3]
    }
}

fn has_metalness(material: &ufbx::Material) -> bool {
    material.shader_type == ShaderType::BlenderPhong
}

/// Roughness: 1 for a Lambert surface, else from the Phong exponent.
fn roughness_of(material: &ufbx::Material) -> f32 {
    let pbr = &material.pbr;
    let is_glossy = material.features.roughness_as_glossiness.enabled;
    match (is_glossy, pbr.roughness.has_value) {
        (true, _) => 1.0 - real(&pbr.glossiness, 0.0).clamp(0.0, 1.0),
        (false, true) => real(&pbr.roughness, 1.0).clamp(0.0, 1.0),
        (false, false) => 1.0,
    }
}

/// Opacity. Older materials state transparency as a factor and as a colour, and programs disagree
/// about which counts. So a surface is transparent only if factor and colour agree.
fn opacity_of(material: &ufbx::Material) -> f32 {
    if material.pbr.opacity.has_value {
        let parts = color(&material.pbr.opacity, 1.0);
        let parts = match material.pbr.opacity.value_components {
            1 => [parts[0]; 3],
            _ => parts,
        };
        return (parts.iter().sum::<f32>() / 3.0).clamp(0.0, 1.0);
    }
    if material.features.pbr.enabled {
        return 1.0;
    }
    let fbx = &material.fbx;
    let through = color(&fbx.transparency_color, 0.0);
    let through = through.iter().sum::<f32>() / 3.0 * real(&fbx.transparency_factor, 1.0);
    let opacity = (1.0 - through).clamp(0.0, 1.0);
    // Exporters without opacity write 1 as factor and as colour.
    if opacity == 0.0 { 1.0 } else { opacity }
}
