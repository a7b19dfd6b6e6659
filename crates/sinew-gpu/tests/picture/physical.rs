//! Metallic-roughness model of glTF: energy conservation, textures as factors, blending, occlusion.

use crate::common::studio::*;
use glam::{Vec2, Vec3};
use sinew::character::{Alpha, Character, Image, Light, LightKind, Texture, TextureUse};
use sinew::mesh::{Mesh, shapes};
use sinew::{Affine, Material, Method};
use sinew_gpu::{
    Background, Environment, EnvironmentMap, Floor, GpuCharacter, Lighting, MAX_LAMPS, Picture,
    SceneMaterial, Shading, Stage, ToneMap, View, file_lamps, srgb_to_linear, write_png,
};
use std::sync::Arc;

/// View that only an environment lights, without a tone map.
fn physical_view(size: [u32; 2], eye: Vec3, target: Vec3) -> View {
    View {
        lighting: Lighting::none(),
        shading: Shading::Physical,
        tone: ToneMap::None,
        background: Background::Clear,
        ..plain_view(size, eye, target)
    }
}

fn linear(picture: &Picture, x: u32, y: u32) -> [f32; 3] {
    let [r, g, b, _] = picture.pixel(x, y);
    [r, g, b].map(|c| srgb_to_linear(f32::from(c) / 255.0))
}

#[test]
fn white_surfaces_in_even_light_are_as_bright_as_it() {
    with_studio(|studio| {
        let light = 0.5;
        let environment = Environment::new(&studio.gpu, &EnvironmentMap::even([light; 3])).unwrap();
        let ball = shapes::sphere(1.0, 48, 32);
        let view = physical_view([64, 64], Vec3::Z * 5.0, Vec3::ZERO);
        for (metallic, roughness) in [
            (0.0, 0.1),
            (0.0, 0.6),
            (0.0, 1.0),
            (1.0, 0.2),
            (1.0, 0.6),
            (1.0, 1.0),
        ] {
            let look = SceneMaterial {
                material: Material {
                    metallic,
                    roughness,
                    ..Material::default()
                },
                ..SceneMaterial::default()
            };
            let scene = studio.scene(&[(&ball, &look, Vec3::ZERO)]);
            let stage = Stage {
                scenes: vec![&scene],
                environment: Some(&environment),
                ..Stage::default()
            };
            let picture = studio.draw(&stage, &view);
            for x in [32, 40, 46, 49] {
                for channel in linear(&picture, x, 32) {
                    let part = channel / light;
                    assert!(
                        (part - 1.0).abs() < 0.03,
                        "{metallic} {roughness} at {x}: {part}"
                    );
                }
            }
        }
    });
}

fn painted(material: Material, images: &[[u8; 4]]) -> Character {
    let mut ball = shapes::sphere(1.0, 32, 24);
    ball.material = Some(0);
    if ball.texcoords.is_empty() {
        ball.texcoords
            .push(Arc::new(vec![Vec2::ZERO; ball.positions.len()]));
    }
    let mut character = Character::from_mesh(Mesh {
        primitives: vec![ball],
        ..Mesh::default()
    });
    character.materials.push(material);
    for (index, &color) in images.iter().enumerate() {
        let mut bytes = Vec::new();
        write_png(&mut bytes, &Picture::new(4, 4, color)).unwrap();
        character.images.push(Image {
            bytes: Arc::new(bytes),
            ..Image::default()
        });
        character.textures.push(Texture {
            image: Some(index),
            ..Texture::default()
        });
    }
    character
}

#[test]
fn textures_say_what_factors_say() {
    with_studio(|studio| {
        let use_of = |texture| Some(TextureUse::new(texture, 0));
        let textured = Material {
            base_color_texture: use_of(0),
            metallic_roughness_texture: use_of(1),
            emissive: [1.0; 3],
            emissive_texture: use_of(2),
            occlusion_texture: use_of(1),
            occlusion_strength: 0.0,
            ..Material::default()
        };
        let images = [[188, 64, 32, 255], [10, 128, 64, 255], [0, 40, 90, 255]];
        let factor = |byte: u8| srgb_to_linear(f32::from(byte) / 255.0);
        let [base, _, glow] = images;
        let baked = Material {
            base_color: [factor(base[0]), factor(base[1]), factor(base[2]), 1.0],
            metallic: 64.0 / 255.0,
            roughness: 128.0 / 255.0,
            emissive: [factor(glow[0]), factor(glow[1]), factor(glow[2])],
            ..Material::default()
        };
        let environment = Environment::new(&studio.gpu, &EnvironmentMap::studio()).unwrap();
        let view = physical_view([64, 64], Vec3::Z * 5.0, Vec3::ZERO);
        let mut draw = |character: &Character| {
            let figure = GpuCharacter::new(&studio.gpu, character, Method::Linear).unwrap();
            assert_eq!(figure.problems(), []);
            let stage = Stage {
                characters: vec![&figure],
                environment: Some(&environment),
                ..Stage::default()
            };
            studio.draw(&stage, &view)
        };
        let by_texture = draw(&painted(textured, &images));
        let by_factor = draw(&painted(baked, &[]));
        let (max, _) = by_texture.difference(&by_factor).unwrap();
        assert!(max <= 2, "{max}");
    });
}

/// A layer of a material changes the picture in proportion to its factor.
#[test]
fn layers_of_a_material_are_seen_where_they_are_and_nowhere_else() {
    with_studio(|studio| {
        let plain = || Material {
            base_color: [0.2, 0.1, 0.05, 1.0],
            metallic: 0.0,
            roughness: 0.6,
            ..Material::default()
        };
        type Layer = (&'static str, fn(&mut Material, f32));
        let layers: [Layer; 5] = [
            ("coat", |m, part| {
                (m.clearcoat.strength, m.clearcoat.roughness) = (part, 0.1);
            }),
            ("sheen", |m, part| {
                (m.sheen.color, m.sheen.roughness) = ([part; 3], 0.4);
            }),
            ("glass", |m, part| m.transmission.strength = part),
            ("brushed", |m, part| {
                (m.metallic, m.roughness) = (1.0, 0.35);
                (m.anisotropy.strength, m.anisotropy.rotation_rad) = (part, 0.5);
            }),
            ("glow", |m, part| {
                (m.emissive, m.emissive_strength) = ([part, 0.0, 0.0], 0.5);
            }),
        ];
        let environment = Environment::new(&studio.gpu, &EnvironmentMap::studio()).unwrap();
        let view = physical_view([64, 64], Vec3::Z * 5.0, Vec3::ZERO);
        let mut draw = |material: Material| {
            let mut ball = painted(material, &[]);
            let around = |p: &Vec3| Vec2::new(p.z.atan2(p.x) / 3.0, p.y);
            let surface = &mut ball.meshes[0].primitives[0];
            surface.texcoords = vec![Arc::new(surface.positions.iter().map(around).collect())];
            let figure = GpuCharacter::new(&studio.gpu, &ball, Method::Linear).unwrap();
            let stage = Stage {
                characters: vec![&figure],
                environment: Some(&environment),
                ..Stage::default()
            };
            studio.draw(&stage, &view)
        };
        for (name, set) in layers {
            let mut with = |part: f32| {
                let mut material = plain();
                set(&mut material, part);
                draw(material)
            };
            let [none, half, whole] = [0.0, 0.5, 1.0].map(&mut with);
            let by = |a: &Picture, b: &Picture| a.difference(b).unwrap().1;
            let steps = [by(&none, &half), by(&half, &whole), by(&none, &whole)];
            assert!(steps.iter().all(|mean| *mean > 0.2), "{name}: {steps:?}");
            let mut bare = plain();
            set(&mut bare, 0.0);
            bare.clearcoat = Default::default();
            bare.sheen = Default::default();
            bare.anisotropy = Default::default();
            assert_eq!(
                draw(bare).difference(&none).unwrap().0,
                0,
                "{name} that is not there"
            );
        }
    });
}

#[test]
fn a_normal_map_without_tangents_is_drawn_along_mikktspace_s() {
    with_studio(|studio| {
        let material = Material {
            normal_texture: Some(TextureUse::new(0, 0)),
            metallic: 0.0,
            ..Material::default()
        };
        let mut bare = painted(material, &[[200, 90, 200, 255]]);
        // With a sheared texture, tangents differ from derivatives.
        let ball = &mut bare.meshes[0].primitives[0];
        let sheared = ball.positions.iter().map(|p| Vec2::new(p.x + p.y, p.y));
        ball.texcoords = vec![Arc::new(sheared.collect())];
        let mut given = bare.clone();
        let ball = &mut given.meshes[0].primitives[0];
        ball.tangents = ball.tangents_from_texcoord(0).map(Arc::new);
        let mut rotated = given.clone();
        let ball = &mut rotated.meshes[0].primitives[0];
        let along = ball.tangents.iter_mut().flat_map(Arc::make_mut);
        along.for_each(|t| *t = -*t);
        let environment = Environment::new(&studio.gpu, &EnvironmentMap::studio()).unwrap();
        let view = physical_view([64, 64], Vec3::Z * 5.0, Vec3::ZERO);
        let [bare, given, rotated] = [bare, given, rotated].map(|character| {
            let figure = GpuCharacter::new(&studio.gpu, &character, Method::Linear).unwrap();
            let stage = Stage {
                characters: vec![&figure],
                environment: Some(&environment),
                ..Stage::default()
            };
            studio.draw(&stage, &view)
        });
        assert_eq!(bare.difference(&given).unwrap().0, 0);
        assert!(rotated.difference(&given).unwrap().0 > 20);
    });
}

#[test]
fn panes_are_drawn_from_the_back_to_the_front() {
    with_studio(|studio| {
        let pane = |color: [f32; 3]| {
            let mut look = unlit(color);
            look.material.base_color[3] = 0.5;
            look.material.alpha = Alpha::Blend;
            look
        };
        let (red, wall, green) = (
            pane([1.0, 0.0, 0.0]),
            unlit([0.0, 0.0, 1.0]),
            pane([0.0, 1.0, 0.0]),
        );
        let view = View {
            tone: ToneMap::None,
            ..plain_view([32, 32], Vec3::Z * 6.0, Vec3::ZERO)
        };
        let (square, half) = (square(), Vec3::X * 1.0);
        // Red in front of the wall. Green behind the wall, half of it visible to the side.
        let mut shapes = [
            (&square, &red, Vec3::Z),
            (&square, &wall, Vec3::ZERO),
            (&square, &green, half - Vec3::Z),
        ];
        let first = studio.draw_scene(&studio.scene(&shapes), &view);
        shapes.reverse();
        let second = studio.draw_scene(&studio.scene(&shapes), &view);
        assert_eq!(first, second);
        let seen = linear(&first, 16, 16);
        assert!(
            (seen[0] - 0.5).abs() < 0.01 && (seen[2] - 0.5).abs() < 0.01 && seen[1] < 0.01,
            "{seen:?}"
        );
        let aside = pixel_of(&view, half - Vec3::Z + Vec3::X * 0.5);
        let seen = linear(&first, aside.0, aside.1);
        assert!((seen[1] - 0.5).abs() < 0.01 && seen[2] < 0.01, "{seen:?}");
    });
}

#[test]
fn under_a_sole_it_is_darker_than_beside_it() {
    with_studio(|studio| {
        let environment = Environment::new(&studio.gpu, &EnvironmentMap::overcast()).unwrap();
        let sole = shapes::cuboid(Vec3::new(0.1, 0.06, 0.26));
        let scene = studio.scene(&[(&sole, &matt([0.5; 3]), Vec3::Y * 0.04)]);
        let mut floor = Floor::studio(&studio.gpu).unwrap();
        floor.is_backdrop = true;
        let stage = Stage {
            scenes: vec![&scene],
            environment: Some(&environment),
            floor: Some(&floor),
            ..Stage::default()
        };
        let view = View {
            occlusion: Some(0.12),
            layers: 8,
            background: Background::Sky,
            lighting: Lighting {
                horizon: [0.4; 3],
                ground: [0.4; 3],
                ..Lighting::none()
            },
            ..physical_view([192, 144], Vec3::new(0.6, 0.7, 0.5), Vec3::ZERO)
        };
        let picture = studio.draw(&stage, &view);
        let at = |x: f32| {
            let (px, py) = pixel_of(&view, Vec3::new(x, 0.0, 0.05));
            linear(&picture, px, py)[1]
        };
        let (near, beside) = (at(0.055), at(0.16));
        assert!(near < 0.9 * beside, "{near} {beside}");
        let away = at(0.3);
        assert!((beside / away - 1.0).abs() < 0.1, "{beside} {away}");
    });
}

#[test]
fn forty_lights_are_the_brightest_few() {
    let mut character = painted(Material::default(), &[]);
    for k in 0..40 {
        character.lights.push(Light {
            name: String::new(),
            color: [1.0; 3],
            intensity: k as f32,
            kind: LightKind::Point { range: None },
        });
        let mut node = character.nodes[0].clone();
        (node.light, node.mesh) = (Some(k), None);
        character.nodes.push(node);
    }
    let pose = character.skeleton.rest_model();
    let lamps = file_lamps(&character, &pose, &Affine::IDENTITY);
    assert_eq!(lamps.len(), MAX_LAMPS);
    let brightest = lamps[0].diffuse[0] * std::f32::consts::PI;
    assert!((brightest - 39.0).abs() < 1e-3, "{brightest}");
}

#[test]
fn odd_images_are_drawn_and_broken_ones_are_reported() {
    use png::{BitDepth, ColorType};
    let encode = |color: ColorType, depth: BitDepth, bytes: &[u8], palette: Option<&[u8]>| {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, 2, 2);
        encoder.set_color(color);
        encoder.set_depth(depth);
        if let Some(palette) = palette {
            encoder.set_palette(palette.to_vec());
        }
        let mut writer = encoder.write_header().unwrap();
        writer.write_image_data(bytes).unwrap();
        drop(writer);
        file
    };
    let grey = encode(
        ColorType::Grayscale,
        BitDepth::Eight,
        &[10, 20, 30, 40],
        None,
    );
    let deep = encode(ColorType::Rgb, BitDepth::Sixteen, &[9; 24], None);
    let palette = encode(
        ColorType::Indexed,
        BitDepth::Eight,
        &[0, 1, 1, 0],
        Some(&[255, 0, 0, 0, 255, 0]),
    );
    let mut wrong_size = grey.clone();
    wrong_size[19] = 200;
    let cut = grey[..grey.len() / 2].to_vec();
    let cases = [
        (grey, 0),
        (deep, 0),
        (palette, 0),
        (wrong_size, 1),
        (cut, 1),
        (Vec::new(), 1),
    ];
    with_studio(|studio| {
        for (case, (bytes, problems)) in cases.into_iter().enumerate() {
            let material = Material {
                base_color_texture: Some(TextureUse::new(0, 0)),
                ..Material::default()
            };
            let mut character = painted(material, &[[0; 4]]);
            character.images[0].bytes = Arc::new(bytes);
            let figure = GpuCharacter::new(&studio.gpu, &character, Method::Linear).unwrap();
            assert_eq!(
                figure.problems().len(),
                problems,
                "{case}: {:?}",
                figure.problems()
            );
            let stage = Stage {
                characters: vec![&figure],
                ..Stage::default()
            };
            studio.draw(&stage, &physical_view([16, 16], Vec3::Z * 5.0, Vec3::ZERO));
        }
    });
}
