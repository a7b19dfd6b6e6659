use crate::common::studio::*;
use glam::Vec3;
use sinew::mesh::shapes;
use sinew::scene::{Scene, SceneNode};
use sinew::skin::SkinError;
use sinew::{Affine, Character, CharacterError, DeformError, Method};
use sinew_gpu::{
    Camera, GpuCharacter, GpuError, GpuScene, Pixels, RenderError, Shot, ShotOptions, Stage,
    WeightColors,
};
use std::sync::Arc;

const METHODS: [Method; 3] = [Method::Linear, Method::DualQuat, Method::Quaternion];

fn blind() -> Vec<Camera> {
    let plain = Camera::default();
    let eyes = [Vec3::splat(f32::NAN), Vec3::splat(f32::MAX), plain.target];
    let mut cameras: Vec<Camera> = eyes.map(|eye| Camera { eye, ..plain }).into();
    for bad in [f32::NAN, f32::INFINITY] {
        let target = Vec3::splat(bad);
        cameras.push(Camera { target, ..plain });
        cameras.push(Camera { near: bad, ..plain });
        let fov_y_rad = bad;
        cameras.push(Camera { fov_y_rad, ..plain });
    }
    let fov_y_rad = 0.0;
    cameras.push(Camera { fov_y_rad, ..plain });
    let far = plain.near;
    cameras.push(Camera { far, ..plain });
    cameras
}

#[test]
fn cameras_that_see_nothing() {
    with_studio(|studio| {
        let tube = sinew_samples::tube_character();
        let options = ShotOptions::default().size([8, 8]);
        let mut shot = Shot::new(&studio.gpu, &tube, options).expect("a shot");
        let framed = shot.camera();
        let (gpu, renderer) = (&studio.gpu, &mut studio.renderer);
        for camera in blind() {
            let mut view = plain_view([8, 8], Vec3::Z, Vec3::ZERO);
            view.camera = camera;
            let drawn = renderer.render(gpu, &Stage::default(), &view);
            let is_camera = matches!(drawn, Err(RenderError::Camera { .. }));
            assert!(is_camera, "{camera:?}: {drawn:?}");
            shot.set_camera(camera);
            let taken = shot.take(gpu, renderer, &tube, 0.0);
            assert!(matches!(taken, Err(RenderError::Camera { .. })));
        }
        shot.set_camera(framed);
        shot.orbit(f32::NAN);
        let taken = shot.take(gpu, renderer, &tube, 0.0);
        assert!(matches!(taken, Err(RenderError::Camera { .. })));
        shot.orbit(0.0);
        for time in [f64::NAN, f64::INFINITY, -1e300] {
            assert!(shot.take(gpu, renderer, &tube, time).is_ok(), "{time}");
        }
    });
}

#[test]
fn shots_of_no_direction_and_of_clips_that_are_not_there() {
    with_studio(|studio| {
        let tube = sinew_samples::tube_character();
        let new = |options| Shot::new(&studio.gpu, &tube, options);
        let size = [8, 8];
        let plain = || ShotOptions::default().size(size);
        let clip = Some(99);
        let refused = new(plain().clip(clip)).map(|_| ());
        let no_clip = matches!(
            refused,
            Err(RenderError::Deform(DeformError::NoSuchClip {
                clip: 99,
                ..
            }))
        );
        assert!(no_clip, "{refused:?}");
        let from = Vec3::splat(f32::NAN);
        let shot = new(plain().from(from)).expect("z is its direction");
        assert!(shot.camera().eye.is_finite());
        let methods = Vec::new();
        assert!(new(plain().methods(methods)).is_ok());
        let weight_colors = Some(WeightColors::Joint(usize::MAX));
        assert!(new(plain().weight_colors(weight_colors)).is_ok());
    });
}

#[test]
fn characters_that_contradict_themselves_are_not_drawn() {
    with_studio(|studio| {
        let edits: [fn(&mut Character); 4] = [
            |c| c.nodes[0].mesh = Some(99),
            |c| c.nodes[0].skin = Some(99),
            |c| c.nodes[0].parent = Some(99),
            |c| c.skins[0].joints[0] = 99,
        ];
        for edit in edits {
            let mut wrong = sinew_samples::tube_character();
            edit(&mut wrong);
            for method in METHODS {
                let refused = GpuCharacter::new(&studio.gpu, &wrong, method).map(|_| ());
                let is_character = matches!(
                    refused,
                    Err(RenderError::Character(
                        CharacterError::Reference { .. } | CharacterError::Nodes(_)
                    ))
                );
                assert!(is_character, "{refused:?}");
            }
        }
        let mut plain = sinew_samples::tube_character();
        plain.materials.clear();
        plain.meshes[0].primitives[0].material = Some(usize::MAX);
        let figure = GpuCharacter::new(&studio.gpu, &plain, Method::Linear);
        let figure = figure.expect("grey");
        let stage = Stage {
            characters: vec![&figure],
            ..Stage::default()
        };
        studio.draw(&stage, &plain_view([8, 8], Vec3::Z * 4.0, Vec3::ZERO));
    });
}

#[test]
fn other_characters_than_the_one_on_the_gpu() {
    with_studio(|studio| {
        let (tube, gpu) = (sinew_samples::tube_character(), &studio.gpu);
        let person = sinew_samples::humanoid_character();
        let mut smaller = tube.clone();
        smaller.nodes.iter_mut().for_each(|node| node.mesh = None);
        let mut wrong = tube.clone();
        wrong.nodes[0].mesh = Some(99);
        for method in METHODS {
            let mut figure = GpuCharacter::new(gpu, &tube, method).expect("a figure");
            for other in [&person, &smaller, &wrong] {
                let expected = match other.check() {
                    Ok(()) => RenderError::OtherCharacter,
                    Err(error) => RenderError::Character(error),
                };
                let posed = figure.pose(gpu, other, None, 0.0);
                assert_eq!(posed, Err(expected.clone()));
                for colors in [None, Some(WeightColors::Every)] {
                    let set = figure.set_weight_colors(gpu, other, colors);
                    assert_eq!(set, Err(expected.clone()));
                }
            }
            assert_eq!(figure.pose(gpu, &tube, Some(0), f64::NAN), Ok(()));
            let all = Some(WeightColors::Joint(usize::MAX));
            assert_eq!(figure.set_weight_colors(gpu, &tube, all), Ok(()));
        }
    });
}

#[test]
fn scenes_whose_arrays_do_not_fit() {
    with_studio(|studio| {
        let mut short = shapes::cuboid(Vec3::ONE);
        short.normals = Some(Arc::new(vec![Vec3::Y]));
        let mut scene = Scene::new();
        scene.add_geometry(short);
        let refused = GpuScene::new(&studio.gpu, &scene, &[]).map(|_| ());
        let what = "the normal stream";
        let (found, expected) = (1, 24);
        let length = SkinError::Length {
            what,
            found,
            expected,
        };
        let expected = RenderError::Gpu(GpuError::Skin(length));
        assert_eq!(refused, Err(expected));
        let mut few = shapes::cuboid(Vec3::ONE);
        few.colors = vec![Arc::new(Vec::new())];
        few.texcoords = vec![Arc::new(Vec::new())];
        few.material = Some(usize::MAX);
        let mut scene = Scene::new();
        let few = scene.add_geometry(few);
        let root = scene.root();
        let node = SceneNode::shape("few", few).with_material(usize::MAX);
        let node = scene.create(root, node).expect("it is there");
        let mut drawn = GpuScene::new(&studio.gpu, &scene, &[]).expect("white and grey");
        let late = scene.add_geometry(shapes::cuboid(Vec3::ONE));
        let late = SceneNode::shape("late", late);
        scene.create(root, late).expect("it is there");
        scene.delete(node).expect("it was there");
        assert_eq!(drawn.update(&studio.gpu, &scene), Ok(()));
        assert_eq!(drawn.bounds(), None);
        let pixels = Pixels::from_fn(0, 0, |_, _| [0.0; 4]);
        let look = sinew_gpu::SceneMaterial {
            base: Some(pixels),
            ..Default::default()
        };
        let refused = GpuScene::new(&studio.gpu, &Scene::new(), &[look]).map(|_| ());
        let is_pixels = matches!(refused, Err(RenderError::Gpu(GpuError::Pixels { .. })));
        assert!(is_pixels, "{refused:?}");
    });
}

/// Transforms are not checked. A transform that is not finite shows nothing.
#[test]
fn positions_that_are_no_numbers_are_drawn_without_a_word() {
    with_studio(|studio| {
        let tube = sinew_samples::tube_character();
        let mut figure = GpuCharacter::new(&studio.gpu, &tube, Method::Linear).expect("a figure");
        let mut nowhere = Affine::IDENTITY;
        nowhere.rows[0][3] = f32::NAN;
        figure.place(&studio.gpu, &nowhere);
        let mut view = plain_view([8, 8], Vec3::Z * 4.0, Vec3::ZERO);
        view.shadow = true;
        view.shadow_softness = Some(f32::NAN);
        view.grid = Some(f32::NAN);
        view.bloom = f32::NAN;
        let stage = Stage {
            characters: vec![&figure],
            ..Stage::default()
        };
        studio.draw(&stage, &view);
    });
}
