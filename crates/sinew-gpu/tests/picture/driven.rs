//! Pictures of objects whose properties curves set.

use super::bindings::{curve, half_black, middle, shot, still, taken};
use crate::common::studio::*;
use glam::Vec3;
use sinew::character::{Camera, Lens, Light, LightKind, Node};
use sinew::{Affine, Character};
use sinew_gpu::{Shot, ShotOptions};

fn node(name: &str, parent_from_node: Affine) -> Node {
    Node {
        name: name.to_owned(),
        parent: None,
        parent_from_node,
        joint: None,
        mesh: None,
        skin: None,
        morph_weights: Vec::new(),
        light: None,
    }
}

/// Tube whose curve of one number goes from one value to another.
fn driven(target: &str, from: &[f32], to: &[f32]) -> Character {
    still(vec![curve("it", from, to)], &[&format!("it={target}")])
}

#[test]
fn pictures_follow_materials_lights_and_visibility() {
    with_studio(|studio| {
        let glowing = driven("material.tube.emissive_factor", &[0.0; 3], &[0.0, 0.0, 1.0]);
        let [plain, blue] = &taken(studio, &glowing, &[0.0, 1.0])[..] else {
            panic!("two pictures");
        };
        assert!(middle(blue, 2) > middle(plain, 2) + 40.0);

        let mut moved = driven("material.#0.color_texture.offset", &[0.0, 0.0], &[0.5, 0.0]);
        half_black(&mut moved);
        let [black, white] = &taken(studio, &moved, &[0.0, 1.0])[..] else {
            panic!("two pictures");
        };
        assert!(middle(white, 1) > middle(black, 1) + 60.0);

        let mut lit = driven("light.lamp.intensity", &[0.0], &[40.0]);
        lit.lights.push(Light {
            name: "lamp".to_owned(),
            color: [1.0, 0.0, 0.0],
            intensity: 0.0,
            kind: LightKind::Directional,
        });
        lit.nodes.push(Node {
            light: Some(0),
            ..node("lamp", Affine::IDENTITY)
        });
        let [dark, red] = &taken(studio, &lit, &[0.0, 1.0])[..] else {
            panic!("two pictures");
        };
        assert!(middle(red, 0) > middle(dark, 0) + 20.0);
        lit.hidden.push(lit.nodes.len() - 1);
        let off = &taken(studio, &lit, &[1.0])[0];
        assert!(
            middle(off, 0) < middle(dark, 0) + 2.0,
            "the light of a hidden node"
        );

        let mut seen = driven("node.body.visible", &[0.0], &[1.0]);
        let body = seen
            .nodes
            .iter()
            .position(|node| node.mesh.is_some())
            .unwrap();
        seen.nodes[body].name = "body".to_owned();
        let [away, there] = &taken(studio, &seen, &[0.0, 1.0])[..] else {
            panic!("two pictures");
        };
        let (up, down) = lighter_and_darker(away, there);
        assert!(up + down > 300, "{up} {down}");
        seen.bindings.clear();
        let free = &taken(studio, &seen, &[0.0])[0];
        assert_eq!(lighter_and_darker(there, free), (0, 0));
        seen.hidden.push(body);
        let hidden = &taken(studio, &seen, &[0.0])[0];
        assert_eq!(lighter_and_darker(away, hidden), (0, 0));
    });
}

#[test]
fn a_picture_through_a_camera_follows_its_curves() {
    with_studio(|studio| {
        let eye = Vec3::new(0.0, 1.0, 6.0);
        let mut tube = driven("camera.front.fov", &[0.5], &[0.25]);
        tube.cameras.push(Camera {
            name: "front".to_owned(),
            node: Some(tube.nodes.len()),
            lens: Lens::Perspective { fov_y_rad: 0.7 },
            near: 0.3,
            far: 50.0,
        });
        tube.nodes
            .push(node("front", Affine::from_translation(eye)));
        let options = ShotOptions::default().size([80, 80]).clip(Some(0));
        let mut through = Shot::new(&studio.gpu, &tube, options.clone().through(Some(0))).unwrap();
        let mut by_hand = shot(studio, &tube);
        for (time, fov_y_rad) in [(0.0, 0.5), (0.5, 0.375), (1.0, 0.25)] {
            by_hand.set_camera(sinew_gpu::Camera {
                eye,
                target: eye - Vec3::Z,
                fov_y_rad,
                near: 0.3,
                far: 50.0,
            });
            let mut take = |shot: &mut Shot| {
                let renderer = &mut studio.renderer;
                shot.take(&studio.gpu, renderer, &tube, time).unwrap()
            };
            let (wanted, found) = (take(&mut by_hand), take(&mut through));
            let (up, down) = lighter_and_darker(&wanted, &found);
            assert!(up + down < 20, "{time}: {up} {down}");
        }
        // A parallel camera shows twice its half height.
        tube.bindings.clear();
        tube.cameras[0].lens = Lens::Orthographic {
            half_size: [1.0; 2],
        };
        let parallel = Shot::new(&studio.gpu, &tube, options.through(Some(0)));
        let renderer = &mut studio.renderer;
        let picture = parallel
            .unwrap()
            .take(&studio.gpu, renderer, &tube, 0.0)
            .unwrap();
        // Half a height of 1 at the camera.
        let fov_y_rad = 2.0 * (1.0_f32 / 199.0).atan();
        by_hand.set_camera(sinew_gpu::Camera {
            eye: eye + 199.0 * Vec3::Z,
            target: eye,
            fov_y_rad,
            near: 199.0,
            far: 260.0,
        });
        let wanted = by_hand.take(&studio.gpu, renderer, &tube, 0.0).unwrap();
        let (up, down) = lighter_and_darker(&wanted, &picture);
        assert!(up + down < 60, "{up} {down}");
    });
}
