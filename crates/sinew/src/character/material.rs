//! Materials and textures, as in glTF.

use std::sync::Arc;

/// Material of a surface, as in glTF.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// Name that bindings refer to.
    pub name: String,
    /// Linear red, green, blue and opacity. Default white.
    pub base_color: [f32; 4],
    /// Texture multiplied with the base colour.
    pub base_color_texture: Option<TextureUse>,
    /// Metalness: 0 for plastic, 1 for metal. Default 1.
    pub metallic: f32,
    /// Roughness: 0 for a mirror, 1 for chalk. Default 1.
    pub roughness: f32,
    /// Texture multiplied with roughness (green) and metalness (blue).
    pub metallic_roughness_texture: Option<TextureUse>,
    /// Normal map, in tangent space.
    pub normal_texture: Option<TextureUse>,
    /// Strength of the normal map. Default 1.
    pub normal_scale: f32,
    /// Texture that darkens ambient light, in its red channel.
    pub occlusion_texture: Option<TextureUse>,
    /// Strength of the occlusion, in [0, 1]. Default 1.
    pub occlusion_strength: f32,
    /// Emitted light, linear. Default black.
    pub emissive: [f32; 3],
    /// Texture multiplied with the emitted light.
    pub emissive_texture: Option<TextureUse>,
    /// Factor of the emitted light. May exceed 1. Default 1.
    pub emissive_strength: f32,
    /// Effect of the opacity.
    pub alpha: Alpha,
    /// True if back faces are also drawn.
    pub double_sided: bool,
    /// True if the base colour is shown without lighting.
    pub unlit: bool,
    /// Index of refraction, for the reflection of non-metals. 0 reflects everything. Default 1.5.
    pub ior: f32,
    /// Reflection of non-metals.
    pub specular: Specular,
    /// Layer of clear varnish.
    pub clearcoat: Clearcoat,
    /// Layer of cloth fibres.
    pub sheen: Sheen,
    /// Light that passes through the surface.
    pub transmission: Transmission,
    /// Absorption of the transmitted light inside the body.
    pub volume: Volume,
    /// Dispersion of refracted light: 20 divided by the Abbe number. Default 0: none.
    pub dispersion: f32,
    /// Elongated highlights, as on brushed metal.
    pub anisotropy: Anisotropy,
}

impl Default for Material {
    fn default() -> Self {
        Self {
            name: String::new(),
            base_color: [1.0; 4],
            base_color_texture: None,
            metallic: 1.0,
            roughness: 1.0,
            metallic_roughness_texture: None,
            normal_texture: None,
            normal_scale: 1.0,
            occlusion_texture: None,
            occlusion_strength: 1.0,
            emissive: [0.0; 3],
            emissive_texture: None,
            emissive_strength: 1.0,
            alpha: Alpha::Opaque,
            double_sided: false,
            unlit: false,
            ior: 1.5,
            specular: Specular::default(),
            clearcoat: Clearcoat::default(),
            sheen: Sheen::default(),
            transmission: Transmission::default(),
            volume: Volume::default(),
            dispersion: 0.0,
            anisotropy: Anisotropy::default(),
        }
    }
}

/// Max number of texture coordinate sets that one material uses when drawn.
pub const MAX_TEXCOORD_SETS: usize = 2;

impl Material {
    /// All uses of textures.
    pub fn textures(&self) -> impl Iterator<Item = TextureUse> {
        let own = [
            self.base_color_texture,
            self.metallic_roughness_texture,
            self.normal_texture,
            self.occlusion_texture,
            self.emissive_texture,
        ];
        let mirror = [self.specular.texture, self.specular.color_texture];
        let coat = &self.clearcoat;
        let coat = [coat.texture, coat.roughness_texture, coat.normal_texture];
        let sheen = [self.sheen.color_texture, self.sheen.roughness_texture];
        let all = own.into_iter().chain(mirror).chain(coat).chain(sheen);
        all.chain([self.transmission.texture]).flatten()
    }

    /// Sets of texture coordinates in use, each once, in ascending order.
    pub fn texcoords(&self) -> impl Iterator<Item = usize> {
        let mut sets: Vec<_> = self.textures().map(|used| used.texcoord).collect();
        sets.sort_unstable();
        sets.dedup();
        sets.into_iter()
    }
}

/// Reflection of a non-metal.
#[derive(Clone, Debug, PartialEq)]
pub struct Specular {
    /// Strength, in [0, 1]. Default 1.
    pub strength: f32,
    /// Texture multiplied with the strength, in its alpha channel.
    pub texture: Option<TextureUse>,
    /// Linear colour at normal incidence. May exceed 1. Default white.
    pub color: [f32; 3],
    /// Texture multiplied with the colour.
    pub color_texture: Option<TextureUse>,
}

impl Default for Specular {
    fn default() -> Self {
        Self {
            strength: 1.0,
            texture: None,
            color: [1.0; 3],
            color_texture: None,
        }
    }
}

/// Layer of clear varnish.
#[derive(Clone, Debug, PartialEq)]
pub struct Clearcoat {
    /// Strength, in [0, 1]. Default 0: no layer.
    pub strength: f32,
    /// Texture multiplied with the strength, in its red channel.
    pub texture: Option<TextureUse>,
    /// Roughness: 0 for a mirror, 1 for a matt coat. Default 0.
    pub roughness: f32,
    /// Texture multiplied with the roughness, in its green channel.
    pub roughness_texture: Option<TextureUse>,
    /// Normal map of the varnish, independent of the surface below.
    pub normal_texture: Option<TextureUse>,
    /// Strength of the normal map. Default 1.
    pub normal_scale: f32,
}

impl Default for Clearcoat {
    fn default() -> Self {
        Self {
            strength: 0.0,
            texture: None,
            roughness: 0.0,
            roughness_texture: None,
            normal_texture: None,
            normal_scale: 1.0,
        }
    }
}

/// Layer of fibres, as on velvet.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Sheen {
    /// Linear colour. Black means no layer.
    pub color: [f32; 3],
    /// Texture multiplied with the colour.
    pub color_texture: Option<TextureUse>,
    /// Roughness, in [0, 1]: the width of the sheen.
    pub roughness: f32,
    /// Texture multiplied with the roughness, in its alpha channel.
    pub roughness_texture: Option<TextureUse>,
}

/// Transparency of a surface, as of glass.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Transmission {
    /// Share of the light that passes, of the light not reflected, in [0, 1]. Default 0.
    pub strength: f32,
    /// Texture multiplied with the strength, in its red channel.
    pub texture: Option<TextureUse>,
}

/// Absorbing interior of a transparent body.
#[derive(Clone, Debug, PartialEq)]
pub struct Volume {
    /// Thickness in mesh units. 0 is a thin sheet.
    pub thickness: f32,
    /// Distance at which white light has [`Self::attenuation_color`], in mesh units. Default ∞.
    pub attenuation_distance: f32,
    /// Linear colour of white light after [`Self::attenuation_distance`]. Default white.
    pub attenuation_color: [f32; 3],
}

impl Default for Volume {
    fn default() -> Self {
        Self {
            thickness: 0.0,
            attenuation_distance: f32::INFINITY,
            attenuation_color: [1.0; 3],
        }
    }
}

/// Elongated highlights, as on a surface with fine grooves.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Anisotropy {
    /// Strength, in [0, 1]. Default 0: round highlights.
    pub strength: f32,
    /// Angle from the tangent to the direction of elongation, counterclockwise, in radians.
    pub rotation_rad: f32,
}

/// Effect of the opacity of a material.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum Alpha {
    /// Opacity is ignored.
    #[default]
    Opaque,
    /// Pixels below this opacity, in [0, 1], are not drawn. Other pixels are opaque.
    Mask(f32),
    /// The surface is blended with the background by its opacity.
    Blend,
}

/// Texture with its texture coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TextureUse {
    /// Index into [`Character::textures`](super::Character::textures).
    pub texture: usize,
    /// Index of a set in the `texcoords` of the primitive.
    pub texcoord: usize,
    /// Map from the texture coordinates of the primitive to those of the image.
    pub transform: UvTransform,
}

impl TextureUse {
    /// Texture with unchanged coordinates.
    pub fn new(texture: usize, texcoord: usize) -> Self {
        Self {
            texture,
            texcoord,
            transform: UV_IDENTITY,
        }
    }
}

/// Affine map of texture coordinates: two rows, each with two factors and an offset.
pub type UvTransform = [[f32; 3]; 2];

/// Map that leaves texture coordinates unchanged.
pub const UV_IDENTITY: UvTransform = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];

/// Image with its wrapping and filtering.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Texture {
    /// Index into [`Character::images`](super::Character::images).
    pub image: Option<usize>,
    /// Wrapping beyond the edges, along u and v.
    pub wrap: [TextureWrap; 2],
    /// Filter for magnification.
    pub magnified: TextureFilter,
    /// Filter for minification.
    pub minified: TextureFilter,
}

/// Interpolation between the pixels of a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum TextureFilter {
    /// Linear interpolation.
    #[default]
    Linear,
    /// Nearest pixel.
    Nearest,
}

/// Wrapping of a texture beyond its edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum TextureWrap {
    /// Repeats the image.
    #[default]
    Repeat,
    /// Repeats the image, mirrored every second time.
    Mirror,
    /// Continues the edge pixels.
    Clamp,
}

/// Encoded image.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Image {
    /// Name in the file. May be empty.
    pub name: String,
    /// Media type of the bytes, for example `image/png`. Empty if unknown.
    pub mime_type: String,
    /// Encoded bytes. Empty if the image file was not found or is over the size limit.
    pub bytes: Arc<Vec<u8>>,
}
