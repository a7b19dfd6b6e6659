//! Textures, normal maps, masks, blending and antialiasing.

use crate::common::stored::assert_as_stored;
use crate::common::studio::*;
use glam::{Quat, Vec3};
use sinew::character::{Alpha, TextureUse};
use sinew::mesh::shapes;
use sinew::{Material, Primitive};
use sinew_gpu::{Background, Floor, Lighting, Pixels, SceneMaterial, Stage, UV_IDENTITY};
use std::sync::Arc;

#[test]
fn a_texture_lies_on_its_surface_the_right_way_up() {
    with_studio(|studio| {
        // Red, green, blue and white in the quarters of an image, row by row from the top.
        let colors = [
            [1.0, 0.0, 0.0],
            [0.0, 1.0, 0.0],
            [0.0, 0.0, 1.0],
            [1.0, 1.0, 1.0],
        ];
        let quarters = Pixels::from_fn(32, 32, |x, y| {
            let [r, g, b] = colors[(x / 16 + 2 * (y / 16)) as usize];
            [r, g, b, 1.0]
        });
        let look = SceneMaterial {
            base: Some(quarters),
            ..unlit([1.0; 3])
        };
        let scene = studio.scene(&[(&square(), &look, Vec3::ZERO)]);
        let view = plain_view([48, 48], Vec3::Z * 4.5, Vec3::ZERO);
        let picture = studio.draw_scene(&scene, &view);
        let high = shown(1.0) as u8;
        for (quarter, color) in colors.iter().enumerate() {
            let (x, y) = ((quarter % 2) as f32 - 0.5, 0.5 - (quarter / 2) as f32);
            let (px, py) = pixel_of(&view, Vec3::new(x, y, 0.0));
            let found = picture.pixel(px, py);
            for (found, wanted) in found
                .iter()
                .zip(color.map(|c| if c > 0.5 { high } else { 0 }))
            {
                assert!(
                    found.abs_diff(wanted) <= 2,
                    "quarter {quarter}: {found}, wanted {wanted}"
                );
            }
        }
    });
}

#[test]
fn a_texture_transform_of_a_material_is_drawn() {
    with_studio(|studio| {
        let halves = Pixels::from_fn(32, 32, |x, _| {
            let light = (x / 16) as f32;
            [light, light, light, 1.0]
        });
        let look = |shift: f32| {
            let mut look = SceneMaterial {
                base: Some(halves.clone()),
                ..unlit([1.0; 3])
            };
            let mut used = TextureUse::new(0, 0);
            used.transform[0][2] = shift;
            look.material.base_color_texture = Some(used);
            look
        };
        let view = plain_view([48, 48], Vec3::Z * 4.5, Vec3::ZERO);
        let at = pixel_of(&view, Vec3::new(0.5, 0.0, 0.0));
        let [still, shifted] = [0.0, 0.5].map(|shift| {
            let scene = studio.scene(&[(&square(), &look(shift), Vec3::ZERO)]);
            brightness(&studio.draw_scene(&scene, &view), at)
        });
        assert!(still > 2 * shifted, "white became black: {still} {shifted}");
    });
}

fn bumps() -> Pixels {
    const SIZE: u32 = 64;
    Pixels::from_fn(SIZE, SIZE, |x, y| {
        let at = |v: u32| (v as f32 + 0.5) / SIZE as f32 * 4.0;
        let (u, v) = (at(x).fract() * 2.0 - 1.0, at(y).fract() * 2.0 - 1.0);
        let inside = 1.0 - u * u - v * v;
        let normal = match inside > 0.0 {
            true => Vec3::new(u, -v, inside.sqrt() + 0.3),
            false => Vec3::Z,
        };
        let [r, g, b] = (normal.normalize() * 0.5 + 0.5).to_array();
        [r, g, b, 1.0]
    })
}

#[test]
fn a_normal_map_bends_the_light() {
    with_studio(|studio| {
        let look = SceneMaterial {
            base: Some(checkers(4, [[0.75, 0.7, 0.6], [0.35, 0.16, 0.1]])),
            normal: Some(bumps()),
            ..matt([1.0; 3])
        };
        let scene = studio.scene(&[(&square(), &look, Vec3::ZERO)]);
        let mut view = plain_view([72, 72], Vec3::new(0.6, 0.4, 4.4), Vec3::ZERO);
        let to_lamp = Vec3::new(-1.0, 1.0, 1.0).normalize();
        view.lighting.lamps.push(lamp(to_lamp, 1.6, 1.0));
        assert_as_stored("normal_map", &studio.draw_scene(&scene, &view));

        // A flat map changes nothing. Leaning to the light is brighter, leaning away darker.
        let leaning = |lean: Vec3| {
            let [r, g, b] = (lean.normalize() * 0.5 + 0.5).to_array();
            Pixels::from_fn(4, 4, |_, _| [r, g, b, 1.0])
        };
        let mut seen = |normal: Option<Pixels>| {
            let look = SceneMaterial {
                normal,
                ..matt([0.5; 3])
            };
            let scene = studio.scene(&[(&square(), &look, Vec3::ZERO)]);
            f64::from(middle(&studio.draw_scene(&scene, &view))[0])
        };
        let without = seen(None);
        assert!((seen(Some(leaning(Vec3::Z))) - without).abs() <= 1.0);
        let left = seen(Some(leaning(Vec3::new(-0.5, 0.0, 1.0))));
        let right = seen(Some(leaning(Vec3::new(0.5, 0.0, 1.0))));
        let up = seen(Some(leaning(Vec3::new(0.0, 0.5, 1.0))));
        let down = seen(Some(leaning(Vec3::new(0.0, -0.5, 1.0))));
        assert!(
            left > without + 8.0 && up > without + 8.0,
            "{left} {up} {without}"
        );
        assert!(
            right < without - 8.0 && down < without - 8.0,
            "{right} {down} {without}"
        );
    });
}

fn bare(floor: &Floor) -> Stage<'_> {
    Stage {
        floor: Some(floor),
        ..Stage::default()
    }
}

#[test]
fn a_texture_moves_with_its_transform() {
    with_studio(|studio| {
        let base = checkers(2, [[1.0; 3], [0.0; 3]]);
        let material = Material {
            metallic: 0.0,
            ..Material::default()
        };
        let mut floor = Floor::new(&studio.gpu, &material, Some(&base), None).unwrap();
        floor.mirror = 0.0;
        floor.fade = 1.0;
        let mut view = plain_view([64, 40], Vec3::new(0.0, 2.0, 2.5), Vec3::ZERO);
        view.lighting = Lighting::studio();
        let at = pixel_of(&view, Vec3::new(0.25, 0.0, 0.25));
        let before = brightness(&studio.draw(&bare(&floor), &view), at);
        let by_half = [[1.0, 0.0, 0.5], [0.0, 1.0, 0.0]];
        floor.set_uv(&studio.gpu, &by_half, &UV_IDENTITY);
        let moved = studio.draw(&bare(&floor), &view);
        let after = brightness(&moved, at);
        assert!(before > 2 * after, "white became black: {before} {after}");
        let twice = [[2.0, 0.0, 0.0], [0.0, 2.0, 0.0]];
        floor.set_uv(&studio.gpu, &twice, &UV_IDENTITY);
        assert_as_stored("floor_texture", &studio.draw(&bare(&floor), &view));
    });
}

#[test]
fn an_edge_covers_pixels_in_quarters() {
    with_studio(|studio| {
        let rotated = rotated_square(0.2);
        let scene = studio.scene(&[(&rotated, &unlit([1.0; 3]), Vec3::ZERO)]);
        let mut view = plain_view([64, 64], Vec3::Z * 6.0, Vec3::ZERO);
        view.background = Background::Clear;
        let picture = studio.draw_scene(&scene, &view);
        assert_as_stored("msaa", &picture);
        let mut counts = [0; 5];
        for pixel in picture.rgba().chunks_exact(4) {
            let quarters = f64::from(pixel[3]) / 63.75;
            assert!(
                (quarters - quarters.round()).abs() < 0.05,
                "opacity {}",
                pixel[3]
            );
            counts[quarters.round() as usize] += 1;
            assert!(
                pixel[3] == 0 || pixel[0].abs_diff(shown(1.0) as u8) <= 2,
                "{pixel:?}"
            );
        }
        assert!(counts.iter().all(|&c| c > 5), "{counts:?}");
    });
}

fn rotated_square(angle_rad: f32) -> Primitive {
    let square = square();
    let rotation = Quat::from_rotation_z(angle_rad);
    let positions = square.positions.iter().map(|&p| rotation * p);
    Primitive {
        positions: Arc::new(positions.collect()),
        ..square
    }
}

#[test]
fn masks_make_holes_and_opacity_lets_through_the_farther_first() {
    with_studio(|studio| {
        let holes = Pixels::from_fn(32, 32, |x, y| {
            let inside = (x as f32 - 15.5).hypot(y as f32 - 15.5) < 8.0;
            [1.0, 1.0, 1.0, if inside { 0.0 } else { 1.0 }]
        });
        let mut masked = unlit([0.9, 0.6, 0.1]);
        masked.material.alpha = Alpha::Mask(0.5);
        masked.base = Some(holes);
        let mut glass = unlit([0.1, 0.3, 0.9]);
        glass.material.alpha = Alpha::Blend;
        glass.material.base_color[3] = 0.5;
        let mut other = unlit([0.9, 0.1, 0.1]);
        other.material.alpha = Alpha::Blend;
        other.material.base_color[3] = 0.5;
        // The nearer pane is listed first, but drawn last.
        let scene = studio.scene(&[
            (&square(), &glass, Vec3::new(0.5, 0.3, 1.0)),
            (&square(), &other, Vec3::new(-0.5, -0.3, 0.5)),
            (&square(), &masked, Vec3::ZERO),
        ]);
        let mut view = plain_view([72, 56], Vec3::Z * 7.0, Vec3::ZERO);
        view.lighting.horizon = [0.25; 3];
        view.lighting.zenith = [0.25; 3];
        view.lighting.ground = [0.25; 3];
        let picture = studio.draw_scene(&scene, &view);
        assert_as_stored("see_through", &picture);
        // At the centre, the sky is visible through red and then blue.
        let light = [0.1_f64, 0.3, 0.9];
        let red = [0.9_f64, 0.1, 0.1];
        for channel in 0..3 {
            let wanted = shown((0.25 * 0.5 + red[channel] * 0.5) * 0.5 + light[channel] * 0.5);
            let found = f64::from(middle(&picture)[channel]);
            assert!(
                (found - wanted).abs() <= 1.5,
                "{channel}: {found}, wanted {wanted}"
            );
        }
    });
}

#[test]
fn the_edge_of_a_hole_covers_pixels_in_part() {
    with_studio(|studio| {
        let slanted = Pixels::from_fn(64, 64, |x, y| {
            let beyond = (x as f32 - 31.5) + 0.3 * (y as f32 - 31.5);
            [1.0, 1.0, 1.0, (0.5 - 0.1 * beyond).clamp(0.0, 1.0)]
        });
        let mut masked = unlit([1.0; 3]);
        masked.material.alpha = Alpha::Mask(0.5);
        masked.base = Some(slanted);
        let scene = studio.scene(&[(&square(), &masked, Vec3::ZERO)]);
        let mut view = plain_view([48, 48], Vec3::Z * 5.0, Vec3::ZERO);
        view.background = Background::Clear;
        let picture = studio.draw_scene(&scene, &view);
        let opacity: Vec<u8> = picture.rgba().chunks_exact(4).map(|p| p[3]).collect();
        let inner = (10..38).flat_map(|y| (10..38).map(move |x| 48 * y + x));
        let between = inner.filter(|&at| (30..225).contains(&opacity[at])).count();
        assert!(between > 20, "{between} pixels are covered in part");
        let square_pixels = {
            let tall = 48.0 / (2.0 * 5.0 * (view.camera.fov_y_rad / 2.0).tan());
            f64::from(2.0 * tall).powi(2)
        };
        let covered = opacity.iter().map(|&a| f64::from(a) / 255.0).sum::<f64>();
        let part = covered / square_pixels;
        assert!((part - 0.5).abs() < 0.01, "{part} of the square");
    });
}

#[test]
fn a_mesh_without_normals_or_texture_coordinates_is_drawn_in_flat_facets() {
    with_studio(|studio| {
        let ball = Primitive {
            normals: None,
            texcoords: Vec::new(),
            ..shapes::sphere(0.9, 6, 9)
        };
        // With a texture, only its first texel shows.
        let look = SceneMaterial {
            base: Some(checkers(2, [[0.8, 0.75, 0.7], [0.0; 3]])),
            normal: Some(bumps()),
            ..matt([1.0; 3])
        };
        let scene = studio.scene(&[(&ball, &look, Vec3::ZERO)]);
        let mut view = plain_view([56, 56], Vec3::Z * 5.0, Vec3::ZERO);
        view.lighting = Lighting::studio();
        let picture = studio.draw_scene(&scene, &view);
        assert_as_stored("flat_facets", &picture);
        assert!(brightness(&picture, (28, 28)) > 100);
    });
}
