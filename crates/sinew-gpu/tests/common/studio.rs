//! GPU and renderer shared by the tests, and small scenes.

use super::gpu_or_skip;
use glam::{Vec2, Vec3};
use sinew::scene::{Scene, SceneNode};
use sinew::{Material, Primitive, Transform};
use sinew_gpu::{
    Camera, Gpu, GpuScene, Lamp, Lighting, Picture, Pixels, Renderer, SceneMaterial, Stage, View,
};
use std::sync::{Arc, Mutex, PoisonError};

/// Shared, because a software adapter takes longer to create pipelines than to draw.
static STUDIO: Mutex<Option<Studio>> = Mutex::new(None);

pub struct Studio {
    pub gpu: Gpu,
    pub renderer: Renderer,
}

/// Runs one test at a time, and fails if wgpu reports an error.
pub fn with_studio(test: impl FnOnce(&mut Studio)) {
    let mut shared = STUDIO.lock().unwrap_or_else(PoisonError::into_inner);
    if shared.is_none() {
        let Some(gpu) = gpu_or_skip() else { return };
        let renderer = Renderer::new(&gpu).unwrap();
        *shared = Some(Studio { gpu, renderer });
    }
    let studio = shared.as_mut().expect("made above");
    test(studio);
    let complaint = studio.gpu.wait();
    complaint.expect("wgpu has nothing to complain about");
}

impl Studio {
    pub fn draw(&mut self, stage: &Stage<'_>, view: &View) -> Picture {
        self.renderer.render(&self.gpu, stage, view).unwrap()
    }

    /// Draws a scene and nothing else.
    pub fn draw_scene(&mut self, scene: &GpuScene, view: &View) -> Picture {
        let stage = Stage {
            scenes: vec![scene],
            ..Stage::default()
        };
        self.draw(&stage, view)
    }

    /// Creates a scene from shapes with materials and positions.
    pub fn scene(&self, shapes: &[(&Primitive, &SceneMaterial, Vec3)]) -> GpuScene {
        let mut scene = Scene::new();
        let root = scene.root();
        let mut materials = Vec::new();
        for (index, (shape, material, at)) in shapes.iter().enumerate() {
            let geometry = scene.add_geometry((*shape).clone());
            let node = SceneNode::shape("shape", geometry)
                .with_material(index)
                .placed(Transform::from_translation(*at));
            scene.create(root, node).unwrap();
            materials.push((*material).clone());
        }
        GpuScene::new(&self.gpu, &scene, &materials).unwrap()
    }
}

/// Rough dielectric of a colour.
pub fn matt(color: [f32; 3]) -> SceneMaterial {
    let [r, g, b] = color;
    SceneMaterial {
        material: Material {
            base_color: [r, g, b, 1.0],
            metallic: 0.0,
            roughness: 0.9,
            ..Material::default()
        },
        ..SceneMaterial::default()
    }
}

/// Unlit material of a colour.
pub fn unlit(color: [f32; 3]) -> SceneMaterial {
    let mut look = matt(color);
    look.material.unlit = true;
    look
}

/// View with a uniform grey sky, without lights and effects.
pub fn plain_view(size: [u32; 2], eye: Vec3, target: Vec3) -> View {
    View {
        size,
        camera: Camera {
            eye,
            target,
            ..Camera::default()
        },
        lighting: Lighting {
            ambient: 1.0,
            ..Lighting::none()
        },
        shadow: false,
        shadow_ball: None,
        shadow_softness: None,
        reflection: false,
        bloom: 0.0,
        wireframe: false,
        grid: None,
        background: sinew_gpu::Background::Sky,
        ..View::default()
    }
}

/// Distant white lamp.
pub fn lamp(to_lamp: Vec3, diffuse: f32, specular: f32) -> Lamp {
    Lamp {
        diffuse: [diffuse; 3],
        specular: [specular; 3],
        ..Lamp::far(to_lamp, [0.0; 3])
    }
}

/// Square of side 2 that faces z, with an upright texture.
pub fn square() -> Primitive {
    let corners = [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)];
    let positions = corners.map(|(x, y)| Vec3::new(x, y, 0.0));
    let uvs = corners.map(|(x, y)| Vec2::new(0.5 + 0.5 * x, 0.5 - 0.5 * y));
    Primitive {
        positions: Arc::new(positions.to_vec()),
        normals: Some(Arc::new(vec![Vec3::Z; 4])),
        texcoords: vec![Arc::new(uvs.to_vec())],
        indices: Some(Arc::new(vec![0, 1, 2, 0, 2, 3])),
        ..Primitive::default()
    }
}

/// Checkerboard of two colours.
pub fn checkers(cells: u32, colors: [[f32; 3]; 2]) -> Pixels {
    const CELL: u32 = 16;
    Pixels::from_fn(cells * CELL, cells * CELL, |x, y| {
        let [r, g, b] = colors[((x / CELL + y / CELL) % 2) as usize];
        [r, g, b, 1.0]
    })
}

/// Byte that `tone.wgsl` gives for light, at exposure 1.
pub fn shown(light: f64) -> f64 {
    let x = light.max(0.0);
    let film = (x * (2.51 * x + 0.03)) / (x * (2.43 * x + 0.59) + 0.14);
    let film = film.clamp(0.0, 1.0) as f32;
    f64::from(sinew_gpu::linear_to_srgb(film) * 255.0)
}

/// Pixel at the centre of a picture.
pub fn middle(picture: &Picture) -> [u8; 4] {
    picture.pixel(picture.width() / 2, picture.height() / 2)
}

/// Pixel that shows a point in world space.
pub fn pixel_of(view: &View, point: Vec3) -> (u32, u32) {
    let [width, height] = view.size.map(|s| s as f32);
    let at = view
        .camera
        .clip_from_world(width / height)
        .project_point3(point);
    let x = (0.5 + 0.5 * at.x) * width;
    let y = (0.5 - 0.5 * at.y) * height;
    (x as u32, y as u32)
}

/// Sum of red, green and blue of a pixel.
pub fn brightness(picture: &Picture, (x, y): (u32, u32)) -> u32 {
    let [r, g, b, _] = picture.pixel(x, y);
    u32::from(r) + u32::from(g) + u32::from(b)
}

/// Number of pixels that became lighter, and darker, by more than 6.
pub fn lighter_and_darker(before: &Picture, after: &Picture) -> (usize, usize) {
    let all = (0..before.height()).flat_map(|y| (0..before.width()).map(move |x| (x, y)));
    let change = all.map(|at| i64::from(brightness(after, at)) - i64::from(brightness(before, at)));
    let (up, down): (Vec<i64>, Vec<i64>) = change.filter(|c| c.abs() > 6).partition(|&c| c > 0);
    (up.len(), down.len())
}
