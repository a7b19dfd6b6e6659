//! Uniform of all surfaces of a picture: camera, light and shadow map.

use crate::draw::camera::Camera;
use crate::draw::light::lighting::{Lamp, LampPosition, Lighting, MAX_LAMPS};
use bytemuck::{Pod, Zeroable};
use glam::{Mat4, Vec3, Vec4};

#[repr(C)]
#[derive(Clone, Copy, Debug, Default, Pod, Zeroable)]
pub(in crate::render) struct LampUniform {
    position: [f32; 4],
    diffuse: [f32; 4],
    specular: [f32; 4],
    aim: [f32; 4],
}

impl LampUniform {
    fn new(lamp: &Lamp) -> Self {
        // Cosines outside [-1, 1], so that the lamp lights all directions.
        const ALL_ROUND: [f32; 2] = [-2.0, -3.0];
        let ([whole, gone], mut aim, mut over_range) = (ALL_ROUND, Vec3::Y, 0.0);
        let (mut whole, mut gone) = (whole, gone);
        let mut ends_at = |range: f32| {
            over_range = if range > 0.0 {
                1.0 / (range * range)
            } else {
                0.0
            };
        };
        let position = match lamp.position {
            LampPosition::Far(to_lamp) => to_lamp.normalize_or(Vec3::Y).extend(0.0),
            LampPosition::At(position, half) => position.extend(1.0 / (half * half).max(1e-6)),
            LampPosition::Point { at, range } => {
                ends_at(range);
                at.extend(-1.0)
            }
            LampPosition::Spot {
                at,
                range,
                along,
                inner_cos,
                outer_cos,
            } => {
                ends_at(range);
                aim = along.normalize_or(Vec3::NEG_Y);
                (whole, gone) = (inner_cos.max(outer_cos + 1e-4), outer_cos);
                at.extend(-1.0)
            }
        };
        let ([r, g, b], [mr, mg, mb]) = (lamp.diffuse, lamp.specular);
        Self {
            position: position.to_array(),
            diffuse: [r, g, b, whole],
            specular: [mr, mg, mb, over_range],
            aim: aim.extend(gone).to_array(),
        }
    }
}

#[repr(C)]
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
pub(in crate::render) struct FrameUniform {
    pub clip_from_world: Mat4,
    pub world_from_clip: Mat4,
    pub shadow_from_world: Mat4,
    pub eye: Vec3,
    pub ambient: f32,
    pub zenith: [f32; 3],
    pub haze: f32,
    pub horizon: [f32; 3],
    pub sun_glow: f32,
    pub ground: [f32; 3],
    pub shadow_offset: f32,
    pub viewport: [f32; 2],
    pub shadow_spread: f32,
    pub environment: f32,
    pub occlusion_radius: f32,
    pub seed: f32,
    pub penumbra: f32,
    pub max_penumbra: f32,
    pub blocker_taps: u32,
    pub shadow_taps: u32,
    pub occlusion_taps: u32,
    pub unused: f32,
    pub lamps: [LampUniform; MAX_LAMPS + 1],
}

impl FrameUniform {
    /// View of the camera, without shadows.
    pub fn new(camera: &Camera, lighting: &Lighting, size: [u32; 2]) -> Self {
        let viewport = size.map(|s| s as f32);
        let clip_from_world = camera.clip_from_world(viewport[0] / viewport[1]);
        let wide = |[r, g, b]: [f32; 3]| [r, g, b, 0.0];
        let sun = LampUniform {
            position: lighting.to_sun.normalize_or(Vec3::Y).extend(0.0).to_array(),
            diffuse: wide(lighting.sun),
            specular: wide(lighting.sun),
            aim: [0.0; 4],
        };
        let mut lamps = [LampUniform::default(); MAX_LAMPS + 1];
        lamps[0] = sun;
        for (uniform, lamp) in lamps[1..].iter_mut().zip(&lighting.lamps) {
            *uniform = LampUniform::new(lamp);
        }
        Self {
            clip_from_world,
            world_from_clip: clip_from_world.inverse(),
            shadow_from_world: Mat4::IDENTITY,
            eye: camera.eye,
            ambient: lighting.ambient,
            zenith: lighting.zenith,
            haze: lighting.haze,
            horizon: lighting.horizon,
            sun_glow: lighting.sun_glow,
            ground: lighting.ground,
            shadow_offset: 0.0,
            viewport,
            shadow_spread: 0.0,
            environment: 1.0,
            occlusion_radius: 0.0,
            seed: 0.0,
            penumbra: 0.0,
            max_penumbra: 0.0,
            blocker_taps: 8,
            shadow_taps: 12,
            occlusion_taps: 12,
            unused: 0.0,
            lamps,
        }
    }

    /// View shifted by fractions of a pixel.
    pub fn jittered(&self, [x, y]: [f32; 2]) -> Self {
        let [width, height] = self.viewport;
        let by = Vec3::new(2.0 * x / width, 2.0 * y / height, 0.0);
        let clip_from_world = Mat4::from_translation(by) * self.clip_from_world;
        Self {
            clip_from_world,
            world_from_clip: clip_from_world.inverse(),
            ..*self
        }
    }

    /// View mirrored at y = 0. Its near plane is the floor (Lengyel, "Oblique view frustum depth
    /// projection and clipping", 2005).
    pub fn mirrored(&self, camera: &Camera) -> Self {
        let mirror = Mat4::from_scale(Vec3::new(1.0, -1.0, 1.0));
        let aspect = self.viewport[0] / self.viewport[1];
        let view_from_world = camera.view_from_world() * mirror;
        // Plane of the floor in the mirrored view. Points above the floor are inside.
        let plane = view_from_world.inverse().transpose() * Vec4::new(0.0, 1.0, 0.0, 1e-3);
        let projection = camera.clip_from_view(aspect);
        let corner = Vec4::new(plane.x.signum(), plane.y.signum(), 1.0, 1.0);
        let corner = projection.inverse() * corner;
        let near = plane / plane.dot(corner);
        let mut rows = projection.transpose();
        // A camera in the plane of the floor sees no reflection.
        if near.is_finite() {
            rows.z_axis = near;
        }
        let clip_from_world = rows.transpose() * view_from_world;
        Self {
            clip_from_world,
            // Without the near plane, which would cut the sky.
            world_from_clip: (projection * view_from_world).inverse(),
            eye: camera.eye * Vec3::new(1.0, -1.0, 1.0),
            ..*self
        }
    }
}
