//! From a file to a picture, and a skinned figure compared with the same static mesh.

use crate::common::studio::*;
use glam::{Vec2, Vec3};
use sinew::character::{Character, Image, Texture, TextureUse};
use sinew::{Method, Primitive, deform};
use sinew_gpu::{Floor, GpuCharacter, Lighting, Picture, SceneMaterial, Stage, View, write_png};
use sinew_io::gltf::{self, ExportOptions};
use std::sync::Arc;

const SIZE: [u32; 2] = [80, 64];

pub(super) fn view() -> View {
    let mut view = plain_view(SIZE, Vec3::new(1.5, 1.6, 6.0), Vec3::new(0.0, 0.9, 0.0));
    view.lighting = Lighting::studio();
    view.shadow = true;
    view.shadow_ball = Some((Vec3::Y, 2.5));
    view.reflection = true;
    view
}

pub(super) fn floor(studio: &Studio) -> Floor {
    let mut floor = Floor::studio(&studio.gpu).unwrap();
    floor.mirror = 0.5;
    floor
}

fn drawn(studio: &mut Studio, character: &Character, clip: &str, method: Method) -> Picture {
    let mut figure = GpuCharacter::new(&studio.gpu, character, method).unwrap();
    let clip = character.find_clip(clip);
    figure.pose(&studio.gpu, character, clip, 1.3).unwrap();
    let floor = floor(studio);
    let stage = Stage {
        characters: vec![&figure],
        floor: Some(&floor),
        ..Stage::default()
    };
    studio.draw(&stage, &view())
}

#[test]
fn from_a_file_to_the_frame_buffer() {
    with_studio(|studio| {
        let made = sinew_samples::tube_character();
        let file = gltf::to_glb(&made, &ExportOptions::default()).unwrap();
        let imported = sinew_io::import_bytes(&file).unwrap().character;
        let from_file = drawn(studio, &imported, "bend", Method::DualQuat);
        let (max, _) = drawn(studio, &made, "bend", Method::DualQuat)
            .difference(&from_file)
            .unwrap();
        assert!(max <= 4, "{max}");
        let rest = drawn(studio, &imported, "no such clip", Method::DualQuat);
        assert_ne!(rest, from_file);
    });
}

#[test]
fn a_skinned_figure_is_drawn_as_the_same_mesh_standing_still() {
    with_studio(|studio| {
        let tube = sinew_samples::tube_character();
        for method in [Method::Linear, Method::DualQuat] {
            let skinned = drawn(studio, &tube, "bend", method);
            let moment = deform(&tube, tube.find_clip("bend"), 1.3, method).unwrap();
            let part = &moment.primitives[0];
            let still = Primitive {
                positions: Arc::new(part.positions.clone()),
                normals: part.normals.clone().map(Arc::new),
                influences: None,
                material: None,
                ..tube.meshes[0].primitives[0].clone()
            };
            let look = SceneMaterial {
                material: tube.materials[0].clone(),
                ..SceneMaterial::default()
            };
            let scene = studio.scene(&[(&still, &look, Vec3::ZERO)]);
            let floor = floor(studio);
            let stage = Stage {
                scenes: vec![&scene],
                floor: Some(&floor),
                ..Stage::default()
            };
            let standing = studio.draw(&stage, &view());
            let (_, mean) = skinned.difference(&standing).unwrap();
            let pixels = skinned
                .rgba()
                .chunks_exact(4)
                .zip(standing.rgba().chunks_exact(4));
            let others = pixels.filter(|(a, b)| a.iter().zip(*b).any(|(a, b)| a.abs_diff(*b) > 8));
            let others = others.count();
            assert!(
                mean < 0.05 && others < 12,
                "{method:?}: {mean}, {others} pixels"
            );
        }
    });
}

#[test]
fn a_frame_is_skinned_once_whatever_passes_and_lights_read_it() {
    with_studio(|studio| {
        let tube = sinew_samples::tube_character();
        let floor = floor(studio);
        for method in [Method::Linear, Method::DualQuat] {
            let mut figure = GpuCharacter::new(&studio.gpu, &tube, method).unwrap();
            for frame in 0..3 {
                let before = figure.skin_dispatches();
                figure
                    .pose(&studio.gpu, &tube, Some(1), 0.4 * f64::from(frame))
                    .unwrap();
                let mut plain = view();
                (plain.shadow, plain.reflection, plain.bloom) = (false, false, 0.0);
                let mut two = plain.clone();
                two.shadow = true;
                let mut five = view();
                (five.occlusion, five.bloom, five.layers) = (Some(0.5), 0.3, 2);
                let mut pictures = Vec::new();
                for passes in [plain, two, five] {
                    for lights in [1, 2, 5] {
                        let mut view = passes.clone();
                        let lamp =
                            |nth: usize| lamp(Vec3::new(nth as f32 - 2.0, 1.0, 1.0), 0.2, 0.0);
                        view.lighting.lamps = (0..lights).map(lamp).collect();
                        let stage = Stage {
                            characters: vec![&figure],
                            floor: Some(&floor),
                            ..Stage::default()
                        };
                        pictures.push(studio.draw(&stage, &view));
                    }
                }
                let others = |n: usize| pictures[..n].iter().all(|p| *p != pictures[n]);
                assert!((0..pictures.len()).all(others));
                assert_eq!(figure.skin_dispatches() - before, 1, "{method:?}");
            }
        }
    });
}

/// Tube with a checkered texture and a ribbed normal map.
fn ribbed_tube() -> Character {
    let mut tube = sinew_samples::tube_character();
    let image = |color: fn(u32, u32) -> [u8; 4]| {
        let mut picture = Picture::new(32, 32, [0; 4]);
        for (x, y) in (0..32).flat_map(|y| (0..32).map(move |x| (x, y))) {
            picture.set_pixel(x, y, color(x, y));
        }
        let mut bytes = Vec::new();
        write_png(&mut bytes, &picture).unwrap();
        Image {
            name: String::new(),
            mime_type: "image/png".to_owned(),
            bytes: Arc::new(bytes),
        }
    };
    let checkers = |x: u32, y: u32| match (x / 8 + y / 8) % 2 {
        0 => [200, 60, 40, 255],
        _ => [230, 220, 190, 255],
    };
    let ribs = |_: u32, y: u32| match y % 8 {
        0..4 => [128, 40, 218, 255],
        _ => [128, 216, 218, 255],
    };
    tube.images = vec![image(checkers), image(ribs)];
    tube.textures = (0..2)
        .map(|i| Texture {
            image: Some(i),
            ..Texture::default()
        })
        .collect();
    tube.materials[0].base_color_texture = Some(TextureUse::new(0, 0));
    tube.materials[0].normal_texture = Some(TextureUse::new(1, 0));
    let part = &mut tube.meshes[0].primitives[0];
    let around = |p: &Vec3| Vec2::new(p.z.atan2(p.x) / 3.0, p.y);
    part.texcoords = vec![Arc::new(part.positions.iter().map(around).collect())];
    part.tangents = part.tangents_from_texcoord(0).map(Arc::new);
    assert!(part.tangents.is_some());
    tube
}

#[test]
fn texture_and_normal_map_stay_on_the_skin_as_on_the_same_mesh_standing_still() {
    with_studio(|studio| {
        let tube = ribbed_tube();
        let mut smooth = tube.clone();
        smooth.materials[0].normal_texture = None;
        for method in [Method::Linear, Method::DualQuat] {
            let skinned = drawn(studio, &tube, "bend", method);
            let moment = deform(&tube, tube.find_clip("bend"), 1.3, method).unwrap();
            let standing = drawn(studio, &moment.to_character(&tube), "", method);
            let (_, mean) = skinned.difference(&standing).unwrap();
            assert!(mean < 0.05, "{method:?}: {mean}");
            // Without texture or normal map, or at rest, the picture differs.
            let plain = drawn(studio, &sinew_samples::tube_character(), "bend", method);
            let smooth = drawn(studio, &smooth, "bend", method);
            for other in [plain, smooth, drawn(studio, &tube, "", method)] {
                let (_, mean) = skinned.difference(&other).unwrap();
                assert!(mean > 1.0, "{method:?}: {mean}");
            }
        }
    });
}

/// Each texture uses its own set of texture coordinates, in any order of the sets.
#[test]
fn two_sets_of_texture_coordinates_are_told_apart() {
    with_studio(|studio| {
        let mut tube = ribbed_tube();
        let part = &mut tube.meshes[0].primitives[0];
        let around = |p: &Vec3| Vec2::new(p.z.atan2(p.x) / 3.0, 2.7 * p.y + 0.3);
        let other: Vec<Vec2> = part.positions.iter().map(around).collect();
        part.texcoords.push(Arc::new(other));
        part.tangents = None;
        let on = |base: usize, normal: usize, is_swapped: bool| {
            let mut tube = tube.clone();
            if is_swapped {
                tube.meshes[0].primitives[0].texcoords.swap(0, 1);
            }
            tube.materials[0].base_color_texture = Some(TextureUse::new(0, base));
            tube.materials[0].normal_texture = Some(TextureUse::new(1, normal));
            tube
        };
        let mut draw = |tube: Character| drawn(studio, &tube, "bend", Method::Linear);
        for (base, normal) in [(0, 1), (1, 0), (0, 0), (1, 1)] {
            let wanted = draw(on(base, normal, false));
            let swapped = draw(on(1 - base, 1 - normal, true));
            assert_eq!(swapped.difference(&wanted).unwrap().0, 0, "{base} {normal}");
            for (other_base, other_normal) in [(1 - base, normal), (base, 1 - normal)] {
                let other = draw(on(other_base, other_normal, false));
                let (_, mean) = other.difference(&wanted).unwrap();
                assert!(mean > 0.5, "{base} {normal}: {mean}");
            }
        }
    });
}

/// Vertices outside the box could be missing from a picture or a shadow.
#[test]
fn the_box_around_a_posed_figure_holds_every_vertex() {
    with_studio(|studio| {
        let figures = [
            (sinew_samples::tube_character(), 1.25),
            (sinew_samples::muscle_character(), 1.6),
            (sinew_samples::robot_arm_character(), 1.6),
            (sinew_samples::humanoid_character(), 1.25),
        ];
        for (character, max_ratio) in &figures {
            for method in [Method::Linear, Method::DualQuat] {
                let mut figure = GpuCharacter::new(&studio.gpu, character, method).unwrap();
                for secs in [0.0, 0.4, 1.3, 2.9] {
                    figure.pose(&studio.gpu, character, Some(0), secs).unwrap();
                    let [low, high] = figure.bounds().unwrap();
                    let moved = deform(character, Some(0), secs, method).unwrap();
                    let positions = moved.primitives.iter().flat_map(|part| &part.positions);
                    let (min, max) = positions
                        .fold((Vec3::INFINITY, Vec3::NEG_INFINITY), |(min, max), p| {
                            (min.min(*p), max.max(*p))
                        });
                    let name = &character.meshes[0].name;
                    // Dual quaternions can bulge a little.
                    let slack = 0.02 * (max - min).max_element();
                    assert!(low.cmple(min + slack).all(), "{name} {secs}: {low} {min}");
                    assert!(high.cmpge(max - slack).all(), "{name} {secs}: {high} {max}");
                    let (size, own) = (high - low, max - min);
                    assert!(
                        size.max_element() < max_ratio * own.max_element(),
                        "{name} {secs}: {size} {own}"
                    );
                }
            }
        }
    });
}
