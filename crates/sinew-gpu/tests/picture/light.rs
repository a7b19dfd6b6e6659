//! Phong's sum, shadows, reflections and bright light.

use crate::common::stored::assert_as_stored;
use crate::common::studio::*;
use glam::Vec3;
use sinew::character::Alpha;
use sinew::mesh::shapes;
use sinew::{Material, Primitive};
use sinew_gpu::{Floor, Lamp, LampPosition, Lighting, SceneMaterial, Stage, View};

const SIZE: [u32; 2] = [96, 64];

/// Example with exponent 16, `k_a` `i_a` = 0.1, `k_d` `i_d` = 0.6 and `k_s` `i_s` = 0.3.
fn worked_case(angle_deg: f32) -> (SceneMaterial, View) {
    let roughness = (0.5_f32 / 16.5).powf(0.25);
    let mut look = matt([1.0; 3]);
    look.material.roughness = roughness;
    let mut view = plain_view([9, 9], Vec3::Z * 20.0, Vec3::ZERO);
    // The reflected sky is 4 %, reduced by the roughness.
    let ambient = 0.1 / (1.0 + 0.04 * (1.0 - 0.5 * roughness));
    let everywhere = [ambient; 3];
    view.lighting = Lighting {
        zenith: everywhere,
        horizon: everywhere,
        ground: everywhere,
        ..view.lighting
    };
    let (sin, cos) = angle_deg.to_radians().sin_cos();
    let highlight = 0.04 * (16.0 + 2.0) / 8.0;
    let lamp = lamp(Vec3::new(sin, 0.0, cos), 0.6, 0.3 / highlight);
    view.lighting.lamps.push(lamp);
    (look, view)
}

#[test]
fn phong_gives_the_worked_numbers() {
    // Lamp along the normal; at 60°; behind, where the printed sum subtracts light.
    let cases = [(0.0, 1.0), (60.0, 0.40000457763671876), (120.0, 0.1)];
    with_studio(|studio| {
        for (angle, wanted) in cases {
            let (look, view) = worked_case(angle);
            let scene = studio.scene(&[(&square(), &look, Vec3::ZERO)]);
            let picture = studio.draw_scene(&scene, &view);
            let [r, g, b, a] = middle(&picture);
            let off = (f64::from(r) - shown(wanted)).abs();
            assert!(off <= 1.0, "{angle}°: {r}, wanted {}", shown(wanted));
            assert!(r.abs_diff(g) <= 1 && r.abs_diff(b) <= 1 && a == 255);
        }
    });
}

#[test]
fn every_light_has_colours_of_its_own() {
    with_studio(|studio| {
        let (look, mut view) = worked_case(0.0);
        let highlight = 0.04 * (16.0 + 2.0) / 8.0;
        view.lighting.lamps = vec![
            Lamp {
                diffuse: [0.4, 0.0, 0.0],
                specular: [0.0; 3],
                ..lamp(Vec3::Z, 0.0, 0.0)
            },
            Lamp {
                diffuse: [0.0; 3],
                specular: [0.0, 0.0, 0.2 / highlight],
                ..lamp(Vec3::Z, 0.0, 0.0)
            },
        ];
        let scene = studio.scene(&[(&square(), &look, Vec3::ZERO)]);
        let found = middle(&studio.draw_scene(&scene, &view));
        for (channel, wanted) in [(0, 0.5), (1, 0.1), (2, 0.3)] {
            let off = (f64::from(found[channel]) - shown(wanted)).abs();
            assert!(off <= 1.0, "{found:?}: {channel} is not {}", shown(wanted));
        }
    });
}

#[test]
fn balls_from_chalk_to_metal() {
    with_studio(|studio| {
        let look = |color: [f32; 3], metallic, roughness| {
            let mut look = matt(color);
            look.material.metallic = metallic;
            look.material.roughness = roughness;
            look
        };
        let ball = shapes::sphere(0.5, 16, 32);
        let scene = studio.scene(&[
            (&ball, &look([0.7, 0.2, 0.15], 0.0, 1.0), Vec3::X * -1.1),
            (&ball, &look([0.15, 0.4, 0.7], 0.0, 0.3), Vec3::ZERO),
            (&ball, &look([0.9, 0.7, 0.3], 1.0, 0.35), Vec3::X * 1.1),
        ]);
        let mut view = plain_view([120, 48], Vec3::new(0.0, 0.6, 6.0), Vec3::ZERO);
        view.camera.fov_y_rad = 0.24;
        view.lighting = Lighting::studio();
        view.lighting.lamps.push(Lamp {
            position: LampPosition::At(Vec3::new(0.55, -0.6, 0.8), 0.5),
            diffuse: [0.2, 0.9, 0.3],
            specular: [0.2, 0.9, 0.3],
        });
        assert_as_stored("balls", &studio.draw_scene(&scene, &view));
    });
}

fn ball_and_floor(studio: &Studio, floor: Material) -> (sinew_gpu::GpuScene, Floor, View) {
    let ball = shapes::sphere(0.45, 16, 24);
    let scene = studio.scene(&[(&ball, &matt([0.8, 0.15, 0.1]), Vec3::new(0.2, 0.75, 0.0))]);
    let floor = Floor::new(&studio.gpu, &floor, None, None).unwrap();
    let mut view = plain_view(SIZE, Vec3::new(0.0, 1.7, 5.6), Vec3::new(0.0, 0.45, 0.0));
    view.lighting = Lighting {
        lamps: Vec::new(),
        to_sun: Vec3::new(-0.5, 1.0, 0.3).normalize(),
        ..Lighting::studio()
    };
    (scene, floor, view)
}

fn grey_floor() -> Material {
    Material {
        base_color: [0.4, 0.4, 0.4, 1.0],
        metallic: 0.0,
        roughness: 0.9,
        ..Material::default()
    }
}

#[test]
fn a_shadow_darkens_where_the_sun_is_hidden_and_nowhere_else() {
    with_studio(|studio| {
        let (scene, mut floor, mut view) = ball_and_floor(studio, grey_floor());
        floor.mirror = 0.0;
        let stage = Stage {
            scenes: vec![&scene],
            floor: Some(&floor),
            ..Stage::default()
        };
        let bright = studio.draw(&stage, &view);
        view.shadow = true;
        let shadowed = studio.draw(&stage, &view);
        assert_as_stored("shadow", &shadowed);
        let (lighter, darker) = lighter_and_darker(&bright, &shadowed);
        assert_eq!(lighter, 0);
        assert!((60..1500).contains(&darker), "{darker} pixels");
        let middle = Vec3::new(0.2, 0.75, 0.0);
        let hidden = middle - view.lighting.to_sun * (middle.y / view.lighting.to_sun.y);
        let at = pixel_of(&view, hidden);
        assert!(brightness(&shadowed, at) * 4 < brightness(&bright, at) * 3);
        let at = pixel_of(&view, Vec3::new(-1.0, 0.0, 0.0));
        assert_eq!(shadowed.pixel(at.0, at.1), bright.pixel(at.0, at.1));

        let between = |picture: &sinew_gpu::Picture| {
            let (light, dark) = (
                brightness(&bright, at),
                brightness(picture, pixel_of(&view, hidden)),
            );
            let row = pixel_of(&view, hidden).1;
            let part = |x| brightness(picture, (x, row));
            (0..SIZE[0])
                .filter(|&x| part(x) > dark + 20 && part(x) + 20 < light)
                .count()
        };
        let mut softer = view.clone();
        softer.shadow_softness = Some(0.12);
        let soft = studio.draw(&stage, &softer);
        assert_as_stored("shadow_soft", &soft);
        assert!(
            between(&soft) > between(&shadowed),
            "{} {}",
            between(&soft),
            between(&shadowed)
        );
    });
}

#[test]
fn the_floor_mirrors_what_stands_on_it() {
    with_studio(|studio| {
        let dark = Material {
            base_color: [0.02, 0.02, 0.02, 1.0],
            ..grey_floor()
        };
        let (scene, mut floor, mut view) = ball_and_floor(studio, dark);
        floor.mirror = 0.6;
        floor.blur = 0.0;
        let stage = Stage {
            scenes: vec![&scene],
            floor: Some(&floor),
            ..Stage::default()
        };
        let dull = studio.draw(&stage, &view);
        view.reflection = true;
        let mirrored = studio.draw(&stage, &view);
        assert_as_stored("reflection", &mirrored);
        // The red reflection is as far below the floor as the ball is above it.
        let below = pixel_of(&view, Vec3::new(0.2, -0.75, 0.0));
        let [r, g, b, _] = mirrored.pixel(below.0, below.1);
        assert!(r > 2 * g && r > 2 * b && r > 60, "{:?}", [r, g, b]);
        let [r, g, _, _] = dull.pixel(below.0, below.1);
        assert!(r.abs_diff(g) < 12, "without a mirror there is no red");
        let above = pixel_of(&view, Vec3::new(0.2, 0.75, 0.0));
        assert_eq!(
            mirrored.pixel(above.0, above.1),
            dull.pixel(above.0, above.1)
        );
        view.camera.eye.y = -1.0;
        studio.draw(&stage, &view);
    });
}

#[test]
fn light_goes_along_a_films_curve() {
    with_studio(|studio| {
        for light in [0.0, 0.05, 0.18, 0.5, 1.0, 3.0, 20.0] {
            let scene = studio.scene(&[(&square(), &unlit([light; 3]), Vec3::ZERO)]);
            let view = plain_view([8, 8], Vec3::Z * 4.0, Vec3::ZERO);
            let found = middle(&studio.draw_scene(&scene, &view))[0];
            let off = (f64::from(found) - shown(f64::from(light))).abs();
            assert!(
                off <= 1.0,
                "{light}: {found}, wanted {}",
                shown(f64::from(light))
            );
        }
        let scene = studio.scene(&[(&square(), &unlit([1.0; 3]), Vec3::ZERO)]);
        let mut view = plain_view([8, 8], Vec3::Z * 4.0, Vec3::ZERO);
        view.lighting.exposure = 0.5;
        let found = middle(&studio.draw_scene(&scene, &view))[0];
        assert!((f64::from(found) - shown(0.5)).abs() <= 1.0);
    });
}

#[test]
fn what_is_brighter_than_white_glows() {
    with_studio(|studio| {
        let small = shapes::sphere(0.25, 12, 16);
        let (bright, grey) = (unlit([9.0, 5.0, 2.0]), unlit([0.5; 3]));
        let scene = studio.scene(&[
            (&small, &bright, Vec3::X * -0.8),
            (&small, &grey, Vec3::X * 0.8),
        ]);
        let mut view = plain_view(SIZE, Vec3::Z * 7.0, Vec3::ZERO);
        let sharp = studio.draw_scene(&scene, &view);
        view.bloom = 0.4;
        let glowing = studio.draw_scene(&scene, &view);
        assert_as_stored("bloom", &glowing);
        let (lighter, darker) = lighter_and_darker(&sharp, &glowing);
        assert!(lighter > 100, "{lighter}");
        assert_eq!(darker, 0);
        let beside = |x: f32| brightness(&glowing, pixel_of(&view, Vec3::new(x, 0.5, 0.0)));
        assert!(beside(-0.8) > 40, "{}", beside(-0.8));
        assert!(beside(0.8) < beside(-0.8) / 4, "{}", beside(0.8));
    });
}

#[test]
fn distance_fades_into_haze() {
    with_studio(|studio| {
        let wall = Primitive::clone(&square());
        let scene = studio.scene(&[(&wall, &matt([0.0; 3]), Vec3::ZERO)]);
        let mut view = plain_view([8, 8], Vec3::Z * 4.0, Vec3::ZERO);
        view.lighting.horizon = [0.5; 3];
        view.lighting.ambient = 0.0;
        view.lighting.haze = 0.25;
        let found = middle(&studio.draw_scene(&scene, &view))[0];
        let wanted = shown(0.5 * (1.0 - (-1.0_f64).exp()));
        assert!(
            (f64::from(found) - wanted).abs() <= 1.0,
            "{found}, wanted {wanted}"
        );
    });
}

#[test]
fn what_is_seen_through_throws_as_much_of_a_shadow() {
    with_studio(|studio| {
        let floor = Floor::studio(&studio.gpu).unwrap();
        let rotation = glam::Quat::from_rotation_x(-std::f32::consts::FRAC_PI_2);
        let upright = square();
        let pane = Primitive {
            positions: std::sync::Arc::new(
                upright.positions.iter().map(|&p| rotation * p).collect(),
            ),
            normals: Some(std::sync::Arc::new(vec![Vec3::Y; 4])),
            ..upright
        };
        let mut light = |opacity: Option<f32>| {
            let mut look = matt([0.5; 3]);
            look.material.double_sided = true;
            if let Some(opacity) = opacity {
                look.material.alpha = Alpha::Blend;
                look.material.base_color[3] = opacity;
            }
            let scene = studio.scene(&[(&pane, &look, Vec3::Y * 1.5)]);
            let stage = Stage {
                scenes: vec![&scene],
                floor: Some(&floor),
                ..Stage::default()
            };
            let mut view = plain_view([64, 64], Vec3::new(0.0, 1.0, 7.0), Vec3::Y * 0.3);
            view.lighting.sun = [1.0; 3];
            view.lighting.to_sun = Vec3::Y;
            view.shadow = true;
            let picture = studio.draw(&stage, &view);
            let (x, y) = pixel_of(&view, Vec3::ZERO);
            let around = (0..8).flat_map(|dy| (0..16).map(move |dx| (x + dx - 8, y + dy - 4)));
            around
                .map(|at| f64::from(brightness(&picture, at)))
                .sum::<f64>()
                / 128.0
        };
        let [none, some, much, all] = [Some(0.0), Some(0.3), Some(0.8), None].map(&mut light);
        assert!(none > all + 100.0, "no shadow: {none} {all}");
        let part = |light: f64| (none - light) / (none - all);
        // Brightness is in sRGB bytes, not in linear light.
        assert!(part(some) > 0.1 && part(some) < 0.4, "{}", part(some));
        assert!(part(much) > 0.55 && part(much) < 0.9, "{}", part(much));
    });
}
