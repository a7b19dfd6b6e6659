//! Invalid and unusual input gives clear errors and no panic.

use crate::common::gpu_or_skip;
use crate::common::studio::*;
use glam::Vec3;
use sinew::character::{Image, Texture, TextureUse};
use sinew::scene::Scene;
use sinew::{Method, Primitive};
use sinew_gpu::{
    Camera, Floor, Gpu, GpuCharacter, GpuError, GpuScene, Pixels, RenderError, Renderer,
    SceneMaterial, Shot, ShotOptions, Stage,
};
use std::sync::Arc;

#[test]
fn sizes_of_nothing_or_of_too_much_are_refused() {
    with_studio(|studio| {
        let max_side = studio.gpu.device.limits().max_texture_dimension_2d;
        let tube = sinew_samples::tube_character();
        for size in [
            [0, 0],
            [0, 5],
            [5, 0],
            [max_side + 1, 5],
            [5, u32::MAX],
            [8193; 2],
        ] {
            let view = plain_view(size, Vec3::Z, Vec3::ZERO);
            let drawn = studio
                .renderer
                .render(&studio.gpu, &Stage::default(), &view);
            let error = drawn.unwrap_err();
            assert!(
                matches!(error, RenderError::Size { .. }),
                "{size:?}: {error}"
            );
            let text = error.to_string();
            assert!(
                text.contains(&format!("{} × {}", size[0], size[1])),
                "{text}"
            );
            let options = ShotOptions::default().size(size);
            let shot = Shot::new(&studio.gpu, &tube, options);
            assert!(matches!(shot, Err(RenderError::Size { .. })));
        }
        let view = plain_view([1, 1], Vec3::Z, Vec3::ZERO);
        let picture = studio.draw(&Stage::default(), &view);
        assert_eq!(picture.rgba().len(), 4);
    });
}

#[test]
fn a_width_that_does_not_divide_is_kept() {
    with_studio(|studio| {
        let tube = sinew_samples::tube_character();
        let options = ShotOptions::default()
            .size([33, 16])
            .methods(vec![Method::Rigid, Method::DualQuat]);
        let mut shot = Shot::new(&studio.gpu, &tube, options).unwrap();
        let picture = shot.take(&studio.gpu, &mut studio.renderer, &tube, 0.0);
        let picture = picture.unwrap();
        assert_eq!((picture.width(), picture.height()), (33, 16));
    });
}

#[test]
fn an_image_larger_than_a_texture_is_made_smaller() {
    with_studio(|studio| {
        let max_side = studio.gpu.device.limits().max_texture_dimension_2d;
        let long = Pixels::from_fn(max_side + 1, 1, |_, _| [0.0, 1.0, 0.0, 1.0]);
        let look = SceneMaterial {
            base: Some(long),
            ..unlit([1.0; 3])
        };
        let scene = studio.scene(&[(&square(), &look, Vec3::ZERO)]);
        let view = plain_view([8, 8], Vec3::Z * 4.0, Vec3::ZERO);
        let [r, g, _, _] = middle(&studio.draw_scene(&scene, &view));
        assert!(g > 150 && r < 10, "it is still green");
    });
}

#[test]
fn pixels_that_are_not_there_are_an_error() {
    with_studio(|studio| {
        let material = sinew::Material::default();
        let broken = |width, height, len| Pixels {
            width,
            height,
            rgba: vec![0; len],
        };
        for pixels in [broken(0, 0, 0), broken(4, 0, 0), broken(4, 4, 63)] {
            let floor = Floor::new(&studio.gpu, &material, Some(&pixels), None);
            let error = floor.unwrap_err();
            assert!(matches!(error, GpuError::Pixels { .. }), "{error:?}");
        }
    });
}

#[test]
fn a_buffer_that_is_too_large_is_an_error_before_it_is_made() {
    with_studio(|studio| {
        let limit = studio.gpu.device.limits().max_buffer_size;
        let usage = wgpu::BufferUsages::VERTEX;
        let error = studio.gpu.buffer("crowd", usage, limit + 1).unwrap_err();
        assert!(matches!(error, GpuError::TooLarge { .. }), "{error:?}");
    });
}

#[test]
fn a_lost_device_is_an_error_in_every_call() {
    let Some(gpu) = gpu_or_skip() else { return };
    let tube = sinew_samples::tube_character();
    let mut renderer = Renderer::new(&gpu).unwrap();
    let mut figure = GpuCharacter::new(&gpu, &tube, Method::DualQuat).unwrap();
    let view = plain_view([16, 16], Vec3::Z * 4.0, Vec3::ZERO);
    gpu.device.destroy();
    let is_lost = |error: RenderError| {
        let lost = matches!(error, RenderError::Gpu(GpuError::Lost { .. }));
        assert!(lost, "{error:?}");
        assert!(error.to_string().contains("make a new one"), "{error}");
    };
    // Earlier commands are lost. The first call that waits reports the loss.
    let posed = figure.pose(&gpu, &tube, Some(0), 0.5);
    posed.err().map(is_lost);
    let stage = Stage {
        characters: vec![&figure],
        ..Stage::default()
    };
    is_lost(renderer.render(&gpu, &stage, &view).unwrap_err());
    is_lost(renderer.read(&gpu).unwrap_err());
    is_lost(Renderer::new(&gpu).unwrap_err());
    is_lost(Shot::new(&gpu, &tube, ShotOptions::default()).unwrap_err());
}

#[test]
fn an_adapter_that_is_not_there_is_named_among_those_that_are() {
    let Some(gpu) = gpu_or_skip() else { return };
    let requested = pollster::block_on(Gpu::request(Some("Voodoo 2")));
    let text = requested.unwrap_err().to_string();
    assert!(text.contains("SINEW_ADAPTER=Voodoo 2"), "{text}");
    assert!(text.contains(&gpu.name()), "{text}");
}

#[test]
fn a_figure_without_normals_or_texture_coordinates_is_drawn() {
    with_studio(|studio| {
        let mut tube = sinew_samples::tube_character();
        let primitive = &mut tube.meshes[0].primitives[0];
        primitive.normals = None;
        primitive.texcoords.clear();
        primitive.colors.clear();
        for method in [Method::Linear, Method::DualQuat, Method::Quaternion] {
            let options = ShotOptions::default()
                .size([32, 32])
                .clip(Some(1))
                .methods(vec![method])
                .wireframe(true)
                .weight_colors(None);
            let mut shot = Shot::new(&studio.gpu, &tube, options).unwrap();
            let picture = shot.take(&studio.gpu, &mut studio.renderer, &tube, 1.0);
            let picture = picture.unwrap();
            let empty = studio.draw(
                &Stage::default(),
                &plain_view([32, 32], Vec3::Z, Vec3::ZERO),
            );
            assert_ne!(picture, empty);
        }
    });
}

#[test]
fn an_image_that_cannot_be_decoded_is_left_out_and_noted() {
    with_studio(|studio| {
        let mut tube = sinew_samples::tube_character();
        tube.images.push(Image {
            name: "bark".to_owned(),
            mime_type: "image/png".to_owned(),
            bytes: Arc::new(b"\x89PNG and then nothing".to_vec()),
        });
        tube.textures.push(Texture {
            image: Some(0),
            ..Texture::default()
        });
        tube.materials[0].base_color_texture = Some(TextureUse::new(0, 0));
        let figure = GpuCharacter::new(&studio.gpu, &tube, Method::Linear).unwrap();
        let [RenderError::Image { name, .. }] = figure.problems() else {
            panic!("{:?}", figure.problems());
        };
        assert_eq!(name, "bark");
    });
}

#[test]
fn nothing_at_all_is_drawn_without_a_word() {
    with_studio(|studio| {
        let empty = GpuScene::new(&studio.gpu, &Scene::new(), &[]).unwrap();
        assert_eq!(empty.bounds(), None);
        let no_vertices = studio.scene(&[(&Primitive::default(), &matt([1.0; 3]), Vec3::ZERO)]);
        let floor = Floor::studio(&studio.gpu).unwrap();
        let stage = Stage {
            scenes: vec![&empty, &no_vertices],
            floor: Some(&floor),
            ..Stage::default()
        };
        let mut view = plain_view([16, 16], Vec3::new(0.0, 1.0, 3.0), Vec3::ZERO);
        view.shadow = true;
        view.reflection = true;
        view.bloom = 1.0;
        view.grid = Some(0.5);
        view.wireframe = true;
        studio.draw(&stage, &view);
        view.camera = Camera {
            eye: Vec3::ZERO,
            ..Camera::default()
        };
        studio.draw(&stage, &view);
    });
}

#[test]
fn a_clip_that_is_not_there_is_an_error() {
    with_studio(|studio| {
        let tube = sinew_samples::tube_character();
        let mut figure = GpuCharacter::new(&studio.gpu, &tube, Method::Linear).unwrap();
        let error = figure.pose(&studio.gpu, &tube, Some(7), 0.0).unwrap_err();
        assert!(error.to_string().contains('7'), "{error}");
    });
}
