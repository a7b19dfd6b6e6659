//! Scene with all passes, after Xu et al. (`docs/references.md`).

use crate::common::stored::assert_as_stored;
use crate::common::studio::*;
use sinew::binding::Target;
use sinew_samples::Grove;
use sinew_samples::GroveShow;
use sinew_samples::mannequin::{Mannequin, sword_form_bindings};

fn fencer() -> sinew::Character {
    sinew::Character {
        bindings: sword_form_bindings(),
        ..Mannequin::default().build()
    }
}

#[test]
fn the_integrated_scene() {
    with_studio(|studio| {
        let mut show = GroveShow::new(&studio.gpu, fencer()).unwrap();
        show.advance(&studio.gpu, 1.4).unwrap();
        let view = show.view([160, 90]);
        let picture = studio.draw(&show.stage(), &view);
        assert_as_stored("grove", &picture);
        let mut without = view.clone();
        without.shadow = false;
        let bright = studio.draw(&show.stage(), &without);
        let (_, lost) = lighter_and_darker(&bright, &picture);
        assert!(lost > 800, "shadows: {lost}");
        let mut without = view.clone();
        without.reflection = false;
        let dull = studio.draw(&show.stage(), &without);
        let (up, down) = lighter_and_darker(&dull, &picture);
        assert!(up + down > 800, "reflections: {up} {down}");
        let mut without = view.clone();
        without.bloom = 0.0;
        let sharp = studio.draw(&show.stage(), &without);
        let (glowing, _) = lighter_and_darker(&sharp, &picture);
        assert!(glowing > 100, "bright light: {glowing}");
    });
}

#[test]
fn it_is_about_as_large_as_the_published_scene() {
    let figure = Mannequin::default().build();
    let primitives = || figure.meshes.iter().flat_map(|m| &m.primitives);
    let vertices: usize = primitives().map(|p| p.len()).sum();
    let faces: usize = primitives().map(|p| p.triangles().count()).sum();
    let about = |found: usize, wanted: f64| (found as f64 / wanted - 1.0).abs() < 0.25;
    // Table 1 of Xu et al. The printed sum of faces leaves out the sword, which is included here.
    assert!(about(vertices, 5138.0), "{vertices}");
    assert!(about(faces, 7355.0), "{faces}");
    let grove = Grove::new();
    let geometries = grove.scene.geometries();
    let (mut all_vertices, mut all_faces) = (vertices, faces);
    for draw in grove.scene.draws().unwrap() {
        let geometry = &geometries[draw.geometry.index()];
        all_vertices += geometry.len();
        all_faces += geometry.triangles().count();
    }
    assert!(about(all_vertices, 18704.0), "{all_vertices}");
    assert!(about(all_faces, 18037.0), "{all_faces}");
}

#[test]
fn a_figure_without_a_clip_is_an_error() {
    with_studio(|studio| {
        let tube = sinew::Character {
            clips: Vec::new(),
            ..sinew_samples::tube_character()
        };
        let error = GroveShow::new(&studio.gpu, tube).unwrap_err();
        assert!(error.to_string().contains("no clip"), "{error}");
    });
}

#[test]
fn a_footstep_raises_dust_once() {
    with_studio(|studio| {
        let gpu = &studio.gpu;
        let mut show = GroveShow::new(gpu, fencer()).unwrap();
        let clip = show.character().clips.last().unwrap();
        let steps = clip
            .events
            .iter()
            .filter(|e| e.name.starts_with("footstep"));
        let first = steps
            .map(|e| f64::from(e.time_secs))
            .fold(f64::INFINITY, f64::min);
        assert!(first > 0.1, "the first step is at {first}");
        show.advance(gpu, first - 0.05).unwrap();
        assert_eq!(show.dust(), 0);
        let clear = studio
            .renderer
            .render(gpu, &show.stage(), &show.view([96, 54]))
            .unwrap();
        show.advance(gpu, 0.06).unwrap();
        assert_eq!(show.dust(), 1);
        show.advance(gpu, 0.001).unwrap();
        assert_eq!(show.dust(), 1, "once");
        show.advance(gpu, 0.09).unwrap();
        let dusty = studio
            .renderer
            .render(gpu, &show.stage(), &show.view([96, 54]))
            .unwrap();
        assert_ne!(clear, dusty);
        let mut stage = show.stage();
        stage.dust = &[];
        let swept = studio
            .renderer
            .render(gpu, &stage, &show.view([96, 54]))
            .unwrap();
        let (up, down) = lighter_and_darker(&swept, &dusty);
        assert!(up + down > 10, "dust can be seen: {up} {down}");
        assert_as_stored("dust", &dusty);
    });
}

#[test]
fn curves_of_the_clip_move_camera_light_and_texture() {
    with_studio(|studio| {
        let gpu = &studio.gpu;
        let mut show = GroveShow::new(gpu, fencer()).unwrap();
        let clip = show.character().clips.last().unwrap().clone();
        let before = show.view([8, 8]);
        let later = 0.7;
        show.advance(gpu, later).unwrap();
        let after = show.view([8, 8]);
        let sampled = |name: &str| {
            let track = &clip.curves.iter().find(|c| c.name == name).unwrap().track;
            let mut out = vec![0.0; track.width()];
            track.sample(later, &mut out).expect("of its width");
            out
        };
        assert_eq!(after.camera.eye.to_array().to_vec(), sampled("camera_eye"));
        assert_eq!(
            after.camera.target.to_array().to_vec(),
            sampled("camera_target")
        );
        let moved = (after.camera.eye - before.camera.eye).length();
        assert!((1e-4..2.0).contains(&moved), "{moved}");
        let red = |view: &sinew_gpu::View| view.lighting.lamps[0].diffuse[0];
        assert_ne!(red(&before), red(&after));
        assert!((red(&after) - 2.2 * sampled("lamp")[0]).abs() < 1e-6);
        let floor_at = |show: &GroveShow, studio: &mut sinew_gpu::Renderer| {
            let stage = sinew_gpu::Stage {
                floor: show.stage().floor,
                ..Default::default()
            };
            studio.render(gpu, &stage, &before_view(&before)).unwrap()
        };
        let here = floor_at(&show, &mut studio.renderer);
        show.advance(gpu, 0.5).unwrap();
        let there = floor_at(&show, &mut studio.renderer);
        assert_ne!(here, there);
    });
}

#[test]
fn the_grove_knows_no_names_but_those_of_the_table() {
    with_studio(|studio| {
        let gpu = &studio.gpu;
        let mut other = fencer();
        let clip = other.clips.last_mut().unwrap();
        for curve in &mut clip.curves {
            curve.name.insert_str(0, "its_");
        }
        for event in &mut clip.events {
            event.name.insert_str(0, "its_");
        }
        for binding in &mut other.bindings {
            binding.signal.insert_str(0, "its_");
        }
        let bell = "its_footstep_left=sound.bell".parse().unwrap();
        other.bindings.push(bell);
        let [mut own, mut others] = [fencer(), other].map(|c| GroveShow::new(gpu, c).unwrap());
        let mut rung = 0;
        for _ in 0..12 {
            own.advance(gpu, 0.5).unwrap();
            others.advance(gpu, 0.5).unwrap();
            assert_eq!(own.view([8, 8]), others.view([8, 8]));
            assert_eq!(own.dust(), others.dust());
            assert!(own.requests().is_empty());
            rung += others.requests().len();
            assert!(
                others
                    .requests()
                    .iter()
                    .all(|a| *a == Target::Sound("bell".into()))
            );
        }
        assert!(rung > 0);
        let unbound = Mannequin::default().build();
        let mut still = GroveShow::new(gpu, unbound.clone()).unwrap();
        let before = still.view([8, 8]);
        still.advance(gpu, 1.7).unwrap();
        assert_eq!(still.view([8, 8]), before);
        assert_eq!(still.dust(), 0);
        let wrong = sinew::Character {
            bindings: vec!["lamp=light.lantren.strength".parse().unwrap()],
            ..unbound
        };
        let error = GroveShow::new(gpu, wrong).unwrap_err().to_string();
        assert!(error.contains("did you mean lantern?"), "{error}");
    });
}

fn before_view(view: &sinew_gpu::View) -> sinew_gpu::View {
    sinew_gpu::View {
        size: [64, 36],
        ..view.clone()
    }
}
