//! Looks, in glTF's terms: materials, and the textures that they use.

use std::sync::Arc;

/// The look of a surface, in glTF's terms.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// Its name.
    pub name: String,
    /// Linear red, green, blue and opacity.
    pub base_color: [f32; 4],
    /// Multiplied with the base colour.
    pub base_color_texture: Option<TextureUse>,
    /// 0 for plastic, 1 for metal.
    pub metallic: f32,
    /// 0 for a mirror, 1 for chalk.
    pub roughness: f32,
    /// Multiplied with them: its green with the roughness, its blue with the metallic part.
    pub metallic_roughness_texture: Option<TextureUse>,
    /// Bends the normals.
    pub normal_texture: Option<TextureUse>,
    /// How strongly.
    pub normal_scale: f32,
    /// Darkens what light falls on it from everywhere, by its red.
    pub occlusion_texture: Option<TextureUse>,
    /// How strongly.
    pub occlusion_strength: f32,
    /// Linear light that it gives off.
    pub emissive: [f32; 3],
    /// Multiplied with it.
    pub emissive_texture: Option<TextureUse>,
    /// Multiplied with both; it may be more than 1.
    pub emissive_strength: f32,
    /// What opacity means.
    pub alpha: Alpha,
    /// Whether its back is drawn too.
    pub double_sided: bool,
    /// Whether light leaves it as it is.
    pub unlit: bool,
    /// The index of refraction, by which what is no metal mirrors; 0 mirrors everything.
    pub ior: f32,
    /// What else is said of that mirror.
    pub specular: Specular,
    /// The varnish over it.
    pub clearcoat: Clearcoat,
    /// The fibres of cloth on it.
    pub sheen: Sheen,
    /// The light that shines through it.
    pub transmission: Transmission,
    /// What that light meets inside.
    pub volume: Volume,
    /// How far colours are bent apart on the way: 20 over Abbe's number; 0 not at all.
    pub dispersion: f32,
    /// Highlights that are longer along one way, as those of brushed metal.
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

/// How many sets of texture coordinates the textures of one material are drawn on.
pub const MAX_TEXCOORD_SETS: usize = 2;

impl Material {
    /// Every use of a texture.
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

    /// The sets of texture coordinates that its textures use, each once, in ascending order.
    pub fn texcoords(&self) -> impl Iterator<Item = usize> {
        let mut sets: Vec<_> = self.textures().map(|used| used.texcoord).collect();
        sets.sort_unstable();
        sets.dedup();
        sets.into_iter()
    }
}

/// The mirror of a surface that is no metal.
#[derive(Clone, Debug, PartialEq)]
pub struct Specular {
    /// How much of it there is.
    pub strength: f32,
    /// Multiplied with that, by its opacity.
    pub texture: Option<TextureUse>,
    /// Its linear colour seen from straight above; it may be more than 1.
    pub color: [f32; 3],
    /// Multiplied with that.
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

/// A layer of clear varnish.
#[derive(Clone, Debug, PartialEq)]
pub struct Clearcoat {
    /// How much of it there is; 0 is none.
    pub strength: f32,
    /// Multiplied with that, by its red.
    pub texture: Option<TextureUse>,
    /// 0 for a mirror, 1 for matt.
    pub roughness: f32,
    /// Multiplied with that, by its green.
    pub roughness_texture: Option<TextureUse>,
    /// Bends its normals, which are not those of the surface below.
    pub normal_texture: Option<TextureUse>,
    /// How strongly.
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

/// A layer of fibres, as velvet has.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Sheen {
    /// Its linear colour; black is none.
    pub color: [f32; 3],
    /// Multiplied with that.
    pub color_texture: Option<TextureUse>,
    /// How wide it is.
    pub roughness: f32,
    /// Multiplied with that, by its opacity.
    pub roughness_texture: Option<TextureUse>,
}

/// A surface that one can look through, as through glass.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Transmission {
    /// How much light that is not mirrored goes through; 0 is none.
    pub strength: f32,
    /// Multiplied with that, by its red.
    pub texture: Option<TextureUse>,
}

/// What fills a body that light goes through.
#[derive(Clone, Debug, PartialEq)]
pub struct Volume {
    /// How thick it is, in units of its mesh; 0 is a thin sheet.
    pub thickness: f32,
    /// How far white light goes until it has the colour below.
    pub attenuation_distance: f32,
    /// Its linear colour.
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

/// A surface of fine grooves.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct Anisotropy {
    /// From 0, none, to 1.
    pub strength: f32,
    /// From the tangent to the way along which highlights are long, against the clock.
    pub rotation_rad: f32,
}

/// The meaning of a material's opacity.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub enum Alpha {
    /// Nothing.
    #[default]
    Opaque,
    /// There is nothing below this opacity, and everything above.
    Mask(f32),
    /// How much covers what lies behind.
    Blend,
}

/// A texture on a set of coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TextureUse {
    /// Index into [`Character::textures`](super::Character::textures).
    pub texture: usize,
    /// Which of the primitive's `texcoords`.
    pub texcoord: usize,
    /// Where on the image a coordinate falls.
    pub transform: UvTransform,
}

impl TextureUse {
    /// A texture on coordinates as they are.
    pub fn new(texture: usize, texcoord: usize) -> Self {
        Self {
            texture,
            texcoord,
            transform: UV_IDENTITY,
        }
    }
}

/// An affine map of texture coordinates: rows of two factors and a shift.
pub type UvTransform = [[f32; 3]; 2];

/// Texture coordinates as they are.
pub const UV_IDENTITY: UvTransform = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];

/// An image and how it repeats.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Texture {
    /// Index into [`Character::images`](super::Character::images).
    pub image: Option<usize>,
    /// Past the edges, along u and v.
    pub wrap: [TextureWrap; 2],
    /// Where it is drawn larger than it is.
    pub magnified: TextureFilter,
    /// Where it is drawn smaller.
    pub minified: TextureFilter,
}

/// The colour between the pixels of a texture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum TextureFilter {
    /// Pixels run into each other.
    #[default]
    Linear,
    /// Pixels are squares.
    Nearest,
}

/// The behaviour of a texture past its edges.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum TextureWrap {
    /// Starts over.
    #[default]
    Repeat,
    /// Starts over, mirrored.
    Mirror,
    /// Keeps its edge.
    Clamp,
}

/// An image, as the bytes of its file.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Image {
    /// Its name.
    pub name: String,
    /// What the bytes are, such as `image/png`; empty when unknown.
    pub mime_type: String,
    /// The encoded bytes; empty when the file that should hold them was not found.
    pub bytes: Arc<Vec<u8>>,
}
