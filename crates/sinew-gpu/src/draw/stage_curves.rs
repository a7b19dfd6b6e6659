//! Camera, lights and materials at a moment as a clip's curves drive them, by a table of bindings.

use super::camera::Camera;
use glam::Vec3;
use sinew::binding::{self, Binding, Target};
use sinew::character::{UV_IDENTITY, UvTransform};
use sinew::{Affine, Playable};

/// The values of all curves that are bound to camera, lights and materials.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct StageCurves {
    /// The camera's position, in model space.
    pub eye: Option<Vec3>,
    /// The point it looks at, in model space.
    pub target: Option<Vec3>,
    /// Its angle of view.
    pub fov_y_rad: Option<f32>,
    lights: Vec<(String, LightCurves)>,
    materials: Vec<(String, MaterialCurves)>,
}

/// A light as curves drive it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LightCurves {
    /// Factor of its brightness; 1 as it was made.
    pub strength: f32,
    /// Its colour in place of its own.
    pub color: Option<[f32; 3]>,
}

impl Default for LightCurves {
    fn default() -> Self {
        Self {
            strength: 1.0,
            color: None,
        }
    }
}

impl LightCurves {
    /// A light's colour as they change it.
    pub fn shone(&self, own: [f32; 3]) -> [f32; 3] {
        self.color.unwrap_or(own).map(|c| c * self.strength)
    }
}

/// A material as curves drive it; without a curve a value is its own.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct MaterialCurves {
    /// After its own map of texture coordinates.
    pub uv: Option<UvTransform>,
    /// Red, green and blue.
    pub color: Option<[f32; 3]>,
    /// Its opacity.
    pub opacity: Option<f32>,
    /// The light that it gives off.
    pub emissive: Option<[f32; 3]>,
}

impl MaterialCurves {
    /// A map of texture coordinates, and then the curves' own.
    pub fn uv_after(&self, own: &UvTransform) -> UvTransform {
        let after = self.uv.unwrap_or(UV_IDENTITY);
        after.map(|[a, b, c]| {
            let along = |k: usize| a * own[0][k] + b * own[1][k];
            [along(0), along(1), along(2) + c]
        })
    }
}

impl StageCurves {
    /// At a time of a clip; without one everything is its own.
    pub fn new(table: &[Binding], clip: Option<&dyn Playable>, time_secs: f64) -> Self {
        let mut curves = Self::default();
        for binding in table {
            // Named, whether this clip has the curve or not: what another clip changed becomes its own again.
            curves.set(&binding.target, &[]);
        }
        for (target, value) in clip
            .into_iter()
            .flat_map(|clip| binding::curves(table, clip, time_secs))
        {
            curves.set(target, &value);
        }
        curves
    }

    fn set(&mut self, target: &Target, value: &[f32]) {
        let three = || <[f32; 3]>::try_from(value.get(..3)?).ok();
        match target {
            Target::CameraEye => self.eye = three().map(Vec3::from),
            Target::CameraTarget => self.target = three().map(Vec3::from),
            Target::CameraFov => self.fov_y_rad = value.first().map(|angle| angle.clamp(0.01, 3.0)),
            Target::LightStrength(name) => {
                let light = entry(&mut self.lights, name);
                light.strength = value.first().map_or(1.0, |strength| strength.max(0.0));
            }
            Target::LightColor(name) => {
                let light = entry(&mut self.lights, name);
                light.color = three().map(|color| color.map(|c| c.max(0.0)));
            }
            Target::MaterialUv(name) => {
                let material = entry(&mut self.materials, name);
                material.uv = match *value {
                    [u, v] => Some([[1.0, 0.0, u], [0.0, 1.0, v]]),
                    [a, b, u, c, d, v] => Some([[a, b, u], [c, d, v]]),
                    _ => None,
                };
            }
            Target::MaterialColor(name) => {
                let material = entry(&mut self.materials, name);
                material.color = three().map(|color| color.map(|c| c.max(0.0)));
                material.opacity = value.get(3).map(|opacity| opacity.clamp(0.0, 1.0));
            }
            Target::MaterialEmissive(name) => {
                let material = entry(&mut self.materials, name);
                material.emissive = three().map(|light| light.map(|c| c.max(0.0)));
            }
            _ => {}
        }
    }

    /// A light as they drive it.
    pub fn light(&self, name: &str) -> LightCurves {
        let found = self.lights.iter().find(|(known, _)| known == name);
        found.map(|(_, light)| *light).unwrap_or_default()
    }

    /// A material as they drive it; `None` when nothing is bound to it.
    pub fn material(&self, name: &str) -> Option<MaterialCurves> {
        let found = self.materials.iter().find(|(known, _)| known == name);
        found.map(|(_, material)| *material)
    }

    /// A camera where they put it, which sees from there as deep as before; it is its own where they say nothing.
    pub fn camera(&self, own: Camera, world_from_model: &Affine) -> Camera {
        if (self.eye, self.target, self.fov_y_rad) == (None, None, None) {
            return own;
        }
        let placed = |at: Option<Vec3>| at.map(|at| world_from_model.transform_point(at));
        let eye = placed(self.eye).unwrap_or(own.eye);
        let target = placed(self.target).unwrap_or(own.target);
        let (was, is) = ((own.eye - own.target).length(), (eye - target).length());
        Camera {
            eye,
            target,
            fov_y_rad: self.fov_y_rad.unwrap_or(own.fov_y_rad),
            near: own.near.min(0.05 * is.max(f32::MIN_POSITIVE)),
            far: own.far + (is - was).max(0.0),
        }
    }
}

fn entry<'c, T: Default>(all: &'c mut Vec<(String, T)>, name: &str) -> &'c mut T {
    let known = all.iter().position(|(known, _)| known == name);
    let index = known.unwrap_or_else(|| {
        all.push((name.to_owned(), T::default()));
        all.len() - 1
    });
    &mut all[index].1
}
