//! Characters made by code, for round trips.

#![allow(
    dead_code,
    reason = "every test file uses some of these and none uses all"
)]

use glam::{Quat, Vec2, Vec3, Vec4};
use sinew::character::{
    Alpha, Anisotropy, Clearcoat, Image, Sheen, Specular, Texture, TextureFilter, TextureUse,
    TextureWrap, Transmission, Volume,
};
use sinew::clip::{ClipSpace, Curve, MorphTrack};
use sinew::mesh::{CustomAttribute, Deltas, Morph};
use sinew::{
    Character, Clip, Influences, Interpolation, Joint, Material, Mesh, Node, Primitive, Skeleton,
    Skin, Track, Transform,
};
use std::sync::Arc;

/// Repeatable pseudo-random numbers.
pub struct Noise(u64);

impl Noise {
    pub fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    /// A number in [−1, 1].
    pub fn next(&mut self) -> f32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 40) as f32 / (1_u64 << 23) as f32 - 1.0
    }

    pub fn vector(&mut self) -> Vec3 {
        Vec3::new(self.next(), self.next(), self.next())
    }

    pub fn rotation(&mut self) -> Quat {
        let v = self.vector();
        Quat::from_xyzw(v.x, v.y, v.z, self.next() + 1.5).normalize()
    }
}

/// A chain of joints with a skinned grid. Every vertex has `influences` joints.
pub fn skinned(joints: usize, vertices: usize, influences: usize) -> Character {
    let mut noise = Noise::new(joints as u64);
    let chain = (0..joints).map(|joint| {
        let rest = Transform {
            translation: noise.vector(),
            rotation: noise.rotation(),
            scale: Vec3::ONE + 0.1 * noise.vector(),
        };
        Joint::new(format!("joint {joint}"), joint.checked_sub(1), rest)
    });
    let (skeleton, _) = Skeleton::new(chain.collect()).unwrap();
    let mut character = Character::from_skeleton(skeleton);
    let skin = Skin::bound_at(character.skeleton.rest_model().as_slice());
    let lists: Vec<Vec<(u16, f32)>> = (0..vertices)
        .map(|vertex| {
            let joint = |k: usize| ((vertex * 7 + k * 3) % joints) as u16;
            (0..influences)
                .map(|k| (joint(k), noise.next() + 1.01))
                .collect()
        })
        .collect();
    let (influences, _) = Influences::from_lists(&lists, joints).unwrap();
    let mut vectors = || {
        let vectors: Vec<Vec3> = (0..vertices).map(|_| noise.vector()).collect();
        vectors
    };
    let units: Vec<Vec3> = vectors().iter().map(|v| v.normalize_or(Vec3::X)).collect();
    let tangents = vectors();
    let tangents = tangents
        .iter()
        .map(|v| v.normalize_or(Vec3::Y).extend(-1.0));
    let triangles = 0..(vertices as u32).saturating_sub(2);
    character.meshes.push(Mesh {
        name: "grid".into(),
        primitives: vec![Primitive {
            tangents: Some(Arc::new(tangents.collect())),
            positions: Arc::new(vectors()),
            normals: Some(Arc::new(units)),
            texcoords: [0.25, 0.5]
                .map(|u| Arc::new(vec![Vec2::new(u, -3.0); vertices]))
                .to_vec(),
            colors: vec![Arc::new(vec![Vec4::new(0.1, 0.5, 1.0, 0.0); vertices])],
            custom: vec![CustomAttribute {
                name: "_TEMPERATURE".into(),
                width: 1,
                values: Arc::new((0..vertices).map(|v| v as f32).collect()),
            }],
            influences: Some(Arc::new(influences)),
            indices: Some(Arc::new(
                triangles.flat_map(|v| [v, v + 1, v + 2]).collect(),
            )),
            ..Primitive::default()
        }],
        ..Mesh::default()
    });
    character.skins.push(skin);
    character.nodes.push(Node {
        mesh: Some(0),
        skin: Some(0),
        ..still("body", None)
    });
    character
}

/// A node that does not move.
pub fn still(name: &str, parent: Option<usize>) -> Node {
    Node {
        name: name.into(),
        parent,
        parent_from_node: sinew::Affine::IDENTITY,
        joint: None,
        mesh: None,
        skin: None,
        morph_weights: Vec::new(),
        light: None,
    }
}

/// A skinned character with sparse and dense morph targets.
pub fn morphed() -> Character {
    let mut character = skinned(4, 200, 3);
    let mut noise = Noise::new(5);
    let mesh = &mut character.meshes[0];
    let all = |noise: &mut Noise| Deltas {
        vertices: None,
        values: Arc::new((0..200).map(|_| noise.vector()).collect()),
    };
    let some = |noise: &mut Noise, vertices: Vec<u32>| Deltas {
        values: Arc::new(vertices.iter().map(|_| noise.vector()).collect()),
        vertices: Some(Arc::new(vertices)),
    };
    mesh.primitives[0].morphs = vec![
        Morph {
            positions: Some(all(&mut noise)),
            normals: Some(some(&mut noise, vec![0, 199])),
            tangents: Some(all(&mut noise)),
        },
        Morph {
            positions: Some(some(&mut noise, vec![3, 77, 150])),
            ..Morph::default()
        },
        Morph {
            positions: Some(some(&mut noise, (0..190).collect())),
            ..Morph::default()
        },
        Morph::default(),
    ];
    // This primitive has no targets. glTF requires the same number of targets on every primitive.
    let mut plain = mesh.primitives[0].clone();
    plain.morphs = Vec::new();
    mesh.primitives.push(plain);
    mesh.morph_names = vec!["smile".into(), "blink \"left\"".into()];
    mesh.morph_weights = vec![0.3, 0.1];
    character.nodes[4].morph_weights = vec![0.0, 1.0, 0.7, 0.0];
    let mut clip = Clip::new("talk");
    let weights = (0..12).map(|_| noise.next()).collect::<Vec<_>>();
    let weights = Track::new(vec![0.0, 0.5, 1.0], weights, 4, Interpolation::Linear).unwrap();
    clip.morphs.push(MorphTrack { node: 4, weights });
    clip.fit_duration();
    character.clips.push(clip);
    character
}

/// One clip per interpolation, with tracks on every channel of every joint.
pub fn animated(interpolations: &[Interpolation]) -> Character {
    let mut character = skinned(3, 30, 2);
    for &interpolation in interpolations {
        let mut noise = Noise::new(9);
        let mut clip = Clip::new(format!("{interpolation:?}"));
        let times = Arc::new(vec![0.0, 0.3, 0.4, 1.1, 1.5]);
        let elements = times.len() * interpolation.elements_per_key();
        for joint in 0..3 {
            let mut vectors = |size: f32| {
                let keys: Vec<Vec3> = (0..elements)
                    .map(|_| Vec3::ONE + size * noise.vector())
                    .collect();
                Some(Track::vectors(times.clone(), &keys, interpolation).unwrap())
            };
            let (translation, scale) = (vectors(1.0), vectors(0.2));
            // Every second key has the opposite sign.
            let keys: Vec<Quat> = (0..elements)
                .map(|key| noise.rotation() * if key % 2 == 0 { 1.0 } else { -1.0 })
                .collect();
            let rotation = Track::rotations(times.clone(), &keys, interpolation).unwrap();
            let tracks = clip.joint_mut(joint);
            tracks.translation = translation;
            tracks.rotation = Some(rotation);
            tracks.scale = scale;
        }
        clip.fit_duration();
        character.clips.push(clip);
    }
    character
}

/// A clip in model space with events, curves and a pause at its end.
pub fn eventful() -> Character {
    let mut character = animated(&[Interpolation::Linear]);
    let clip = &mut character.clips[0];
    clip.space = ClipSpace::Model;
    clip.add_event(0.25, "left foot");
    clip.add_event(0.75, "right \u{1F9B6}");
    for interpolation in [Interpolation::CatmullRom, Interpolation::CubicHermite] {
        let values = vec![0.1; 2 * 2 * interpolation.elements_per_key()];
        let track = Track::new(vec![0.1, 0.2], values, 2, interpolation).unwrap();
        let name = "dust".into();
        clip.curves.push(Curve { name, track });
    }
    clip.duration_secs = 2.7;
    character
}

/// A textured character whose materials use all features.
pub fn painted() -> Character {
    let mut character = skinned(2, 9, 1);
    character.images = vec![
        Image {
            name: "dot".into(),
            mime_type: "image/png".into(),
            bytes: Arc::new(ONE_PIXEL.to_vec()),
        },
        Image {
            name: "of no known kind".into(),
            mime_type: String::new(),
            bytes: Arc::new(vec![1, 2, 3]),
        },
        Image::default(),
    ];
    let wrap = [TextureWrap::Mirror, TextureWrap::Clamp];
    character.textures = vec![
        Texture {
            image: Some(0),
            wrap,
            magnified: TextureFilter::Nearest,
            ..Texture::default()
        },
        Texture {
            image: Some(1),
            wrap,
            magnified: TextureFilter::Nearest,
            ..Texture::default()
        },
        Texture {
            image: Some(2),
            ..Texture::default()
        },
    ];
    let texture = |texture, texcoord| Some(TextureUse::new(texture, texcoord));
    character.materials = vec![
        Material {
            name: "skin".into(),
            base_color: [0.1, 0.2, 0.3, 0.4],
            base_color_texture: texture(0, 1),
            metallic: 0.3,
            roughness: 0.6,
            metallic_roughness_texture: texture(1, 0),
            normal_texture: texture(0, 0),
            normal_scale: 0.5,
            occlusion_texture: texture(0, 1),
            occlusion_strength: 0.75,
            emissive: [0.7, 0.0, 1.0],
            emissive_texture: texture(1, 1),
            emissive_strength: 4.0,
            alpha: Alpha::Mask(0.25),
            double_sided: true,
            unlit: false,
            ior: 1.25,
            specular: Specular {
                strength: 0.5,
                color: [0.5, 2.0, 0.25],
                color_texture: texture(1, 0),
                ..Specular::default()
            },
            clearcoat: Clearcoat {
                strength: 0.75,
                roughness: 0.25,
                normal_texture: texture(0, 0),
                normal_scale: 0.5,
                ..Clearcoat::default()
            },
            sheen: Sheen {
                color: [0.25, 0.5, 1.0],
                roughness: 0.5,
                roughness_texture: texture(0, 0),
                ..Sheen::default()
            },
            transmission: Transmission {
                strength: 0.25,
                texture: texture(0, 1),
            },
            volume: Volume {
                thickness: 0.5,
                attenuation_distance: 2.0,
                attenuation_color: [0.5, 0.25, 1.0],
            },
            dispersion: 0.5,
            anisotropy: Anisotropy {
                strength: 0.5,
                rotation_rad: 0.25,
            },
        },
        Material {
            alpha: Alpha::Blend,
            base_color_texture: texture(1, 0),
            unlit: true,
            ..Material::default()
        },
    ];
    character.meshes[0].primitives[0].material = Some(0);
    let mut second = character.meshes[0].primitives[0].clone();
    second.material = Some(1);
    character.meshes[0].primitives.push(second);
    character
}

/// A PNG of one white pixel.
pub const ONE_PIXEL: &[u8] = &[
    0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0x00, 0x00, 0x00, 0x0d, 0x49, 0x48, 0x44, 0x52,
    0x00, 0x00, 0x00, 0x01, 0x00, 0x00, 0x00, 0x01, 0x08, 0x00, 0x00, 0x00, 0x00, 0x3a, 0x7e, 0x9b,
    0x55, 0x00, 0x00, 0x00, 0x0a, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9c, 0x63, 0xf8, 0x0f, 0x00, 0x01,
    0x01, 0x01, 0x00, 0xb1, 0x38, 0xf6, 0x14, 0x00, 0x00, 0x00, 0x00, 0x49, 0x45, 0x4e, 0x44, 0xae,
    0x42, 0x60, 0x82,
];
