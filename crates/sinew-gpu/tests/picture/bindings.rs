use crate::common::studio::*;
use glam::Vec3;
use sinew::binding::Binding;
use sinew::character::{Image, Light, LightKind, Node, Texture, TextureUse};
use sinew::clip::{Clip, Curve};
use sinew::{Affine, Character, Interpolation, Track};
use sinew_gpu::{Picture, Shot, ShotOptions, write_png};
use sinew_samples::{muscle_character, tube_character};
use std::sync::Arc;

pub fn curve(name: &str, from: &[f32], to: &[f32]) -> Curve {
    let values = [from, to].concat();
    let track = Track::new(vec![0.0, 1.0], values, from.len(), Interpolation::Linear);
    Curve {
        name: name.to_owned(),
        track: track.unwrap(),
    }
}

/// Tube that stands still for two seconds, with curves and bindings.
pub fn still(curves: Vec<Curve>, table: &[&str]) -> Character {
    let mut tube = tube_character();
    let mut clip = Clip::new("still");
    clip.curves = curves;
    clip.duration_secs = 2.0;
    tube.clips = vec![clip];
    tube.bindings = table.iter().map(|line| line.parse().unwrap()).collect();
    tube
}

pub fn shot(studio: &Studio, character: &Character) -> Shot {
    let options = ShotOptions::default().size([80, 80]).clip(Some(0));
    let shot = Shot::new(&studio.gpu, character, options).unwrap();
    assert!(shot.problems().is_empty(), "{:?}", shot.problems());
    shot
}

pub fn taken(studio: &mut Studio, character: &Character, times: &[f64]) -> Vec<Picture> {
    let mut shot = shot(studio, character);
    let take = |&time: &f64| shot.take(&studio.gpu, &mut studio.renderer, character, time);
    times.iter().map(take).collect::<Result<_, _>>().unwrap()
}

pub fn middle(picture: &Picture, channel: usize) -> f64 {
    let at = |k: u32| f64::from(picture.pixel(36 + k % 8, 30 + k / 8)[channel]);
    (0..64).map(at).sum::<f64>() / 64.0
}

/// A picture of a black and a white pixel on the whole tube, of which the tube shows the black one.
pub fn half_black(character: &mut Character) {
    let mut picture = Picture::new(2, 1, [0, 0, 0, 255]);
    picture.paste(&Picture::new(1, 1, [255; 4]), 1, 0);
    let mut bytes = Vec::new();
    write_png(&mut bytes, &picture).unwrap();
    character.images.push(Image {
        mime_type: "image/png".to_owned(),
        bytes: Arc::new(bytes),
        ..Image::default()
    });
    character.textures.push(Texture {
        image: Some(0),
        ..Texture::default()
    });
    character.materials[0].base_color_texture = Some(TextureUse::new(0, 0));
    let surface = &mut character.meshes[0].primitives[0];
    surface.texcoords = vec![Arc::new(vec![glam::Vec2::new(0.25, 0.5); surface.len()])];
}

#[test]
fn a_camera_goes_where_its_curves_say() {
    with_studio(|studio| {
        let eye = curve("eye", &[0.0, 1.0, 6.0], &[6.0, 1.0, 0.0]);
        let target = curve("target", &[0.0, 1.0, 0.0], &[0.0, 1.0, 0.0]);
        let fov = curve("fov", &[0.5], &[0.25]);
        let table = ["eye=camera.eye", "target=camera.target", "fov=camera.fov"];
        let bound = still(vec![eye, target, fov], &table);
        let pictures = taken(studio, &bound, &[0.0, 1.0]);
        let free = Character {
            bindings: Vec::new(),
            ..bound.clone()
        };
        let mut by_hand = shot(studio, &free);
        let near = by_hand.camera();
        for (eye, fov_y_rad, picture) in [
            (Vec3::new(0.0, 1.0, 6.0), 0.5, &pictures[0]),
            (Vec3::new(6.0, 1.0, 0.0), 0.25, &pictures[1]),
        ] {
            by_hand.set_camera(sinew_gpu::Camera {
                eye,
                target: Vec3::Y,
                fov_y_rad,
                near: 0.3,
                ..near
            });
            let wanted = by_hand
                .take(&studio.gpu, &mut studio.renderer, &free, 0.0)
                .unwrap();
            let (up, down) = lighter_and_darker(&wanted, picture);
            assert!(up + down < 40, "{up} {down}");
        }
        let (up, down) = lighter_and_darker(&pictures[0], &pictures[1]);
        assert!(up + down > 500, "twice as near: {up} {down}");
    });
}

#[test]
fn lights_shine_as_their_curves_say() {
    with_studio(|studio| {
        let bound = still(
            vec![curve("glow", &[1.0], &[0.0])],
            &["glow=light.key.strength"],
        );
        let [lit, dark] = &taken(studio, &bound, &[0.0, 1.0])[..] else {
            panic!("two pictures");
        };
        let (up, down) = lighter_and_darker(lit, dark);
        assert!(down > 300 && up < down / 4, "{up} {down}");
        let mut bound = still(
            vec![curve("color", &[1.0, 0.0, 0.0], &[0.0, 0.0, 1.0])],
            &["color=light.lamp.color"],
        );
        bound.lights.push(Light {
            name: "lamp".to_owned(),
            color: [0.0; 3],
            intensity: 40.0,
            kind: LightKind::Directional,
        });
        bound.nodes.push(Node {
            name: "lamp".to_owned(),
            parent: None,
            parent_from_node: Affine::IDENTITY,
            joint: None,
            mesh: None,
            skin: None,
            morph_weights: Vec::new(),
            light: Some(0),
        });
        let [red, blue] = &taken(studio, &bound, &[0.0, 1.0])[..] else {
            panic!("two pictures");
        };
        assert!(middle(red, 0) > middle(blue, 0) + 20.0);
        assert!(middle(blue, 2) > middle(red, 2) + 20.0);
    });
}

#[test]
fn materials_change_as_their_curves_say() {
    with_studio(|studio| {
        let bound = still(
            vec![
                curve("tint", &[1.0, 1.0, 1.0], &[0.0, 1.0, 0.0]),
                curve("glow", &[0.0; 3], &[0.0, 0.0, 2.0]),
            ],
            &["tint=material.tube.color"],
        );
        let [plain, green] = &taken(studio, &bound, &[0.0, 1.0])[..] else {
            panic!("two pictures");
        };
        assert!(middle(plain, 0) > middle(green, 0) + 40.0, "no red is left");
        let glowing = Character {
            bindings: vec!["glow=material.tube.emissive".parse().unwrap()],
            ..bound
        };
        let [plain, blue] = &taken(studio, &glowing, &[0.0, 1.0])[..] else {
            panic!("two pictures");
        };
        assert!(middle(blue, 2) > middle(plain, 2) + 40.0);
        let mut textured = still(
            vec![curve("drift", &[0.0, 0.0], &[0.5, 0.0])],
            &["drift=material.tube.uv"],
        );
        half_black(&mut textured);
        let [black, white] = &taken(studio, &textured, &[0.0, 1.0])[..] else {
            panic!("two pictures");
        };
        assert!(middle(white, 1) > middle(black, 1) + 60.0);
    });
}

#[test]
fn an_event_raises_dust_until_it_has_settled() {
    with_studio(|studio| {
        let mut bound = still(Vec::new(), &["thud=dust.lower"]);
        bound.clips[0].add_event(0.5, "thud");
        // The figure steps aside, so that it does not hide its dust.
        let positions = [Vec3::ZERO, Vec3::X * 0.6, Vec3::ZERO];
        let track = Track::vectors(vec![0.0, 0.5, 0.51], &positions, Interpolation::Step);
        bound.clips[0].joint_mut(0).translation = Some(track.unwrap());
        let pictures = taken(studio, &bound, &[0.0, 0.49, 0.7, 1.9]);
        // Dust is about as bright as the studio, but browner.
        let dust = |picture: &Picture| {
            let all = (0..80).flat_map(|y| (0..80).map(move |x| (x, y)));
            let channels = |(x, y): (u32, u32)| {
                let (was, is) = (pictures[0].pixel(x, y), picture.pixel(x, y));
                (0..3).any(|c| was[c].abs_diff(is[c]) > 6)
            };
            all.filter(|&at| channels(at)).count()
        };
        assert_eq!(dust(&pictures[1]), 0, "not yet");
        assert!(dust(&pictures[2]) > 10, "{}", dust(&pictures[2]));
        assert_eq!(dust(&pictures[3]), 0, "no more");
    });
}

#[test]
fn a_morph_target_is_seen_as_its_curve_says() {
    with_studio(|studio| {
        let mut limb = muscle_character();
        limb.clips[0].joints.clear();
        let [slack, tense] = &taken(studio, &limb, &[0.0, 0.5])[..] else {
            panic!("two pictures");
        };
        let (up, down) = lighter_and_darker(slack, tense);
        assert!(up + down > 60, "{up} {down}");
    });
}

#[test]
fn what_a_table_names_and_nobody_has_is_a_problem_and_no_picture_less() {
    with_studio(|studio| {
        let mut bound = still(vec![curve("glow", &[1.0], &[0.0])], &[]);
        let lines = [
            "glow=light.lantern.strength",
            "glw=light.key.strength",
            "glow=camera.eye",
        ];
        bound.bindings = lines
            .iter()
            .map(|l| l.parse::<Binding>().unwrap())
            .collect();
        let options = ShotOptions::default().size([16, 16]).clip(Some(0));
        let mut shot = Shot::new(&studio.gpu, &bound, options).unwrap();
        let problems: Vec<String> = shot.problems().iter().map(|p| p.to_string()).collect();
        assert_eq!(problems.len(), 3, "{problems:?}");
        assert!(problems[0].contains("no light \"lantern\""));
        assert!(problems[1].contains("did you mean glow?"));
        assert!(problems[2].contains("takes 3"));
        shot.take(&studio.gpu, &mut studio.renderer, &bound, 0.5)
            .unwrap();
    });
}
