//! Camera, lights and materials that the curves of a clip drive through bindings.

use super::camera::Camera;
use glam::Vec3;
use sinew::binding::{self, Binding, Target};
use sinew::character::{UV_IDENTITY, UvTransform};
use sinew::{Affine, Playable};

/// Values of the curves that are bound to the camera, lights and materials.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct StageCurves {
    /// Position of the camera, in model space.
    pub eye: Option<Vec3>,
    /// Target of the camera, in model space.
    pub target: Option<Vec3>,
    /// Vertical angle of view, in radians.
    pub fov_y_rad: Option<f32>,
    lights: Vec<(String, LightCurves)>,
    materials: Vec<(String, MaterialCurves)>,
}

/// Values of the curves of a light.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LightCurves {
    /// Factor on the brightness of the light. Default 1.
    pub strength: f32,
    /// Linear colour that replaces the colour of the light.
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
    /// Colour of a light after the curves. `own` is its colour before.
    pub fn color_over(&self, own: [f32; 3]) -> [f32; 3] {
        self.color.unwrap_or(own).map(|c| c * self.strength)
    }
}

/// Values of the curves of a material. `None` keeps the value of the material.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct MaterialCurves {
    /// Transform of texture coordinates, applied after the transform of the material.
    pub uv: Option<UvTransform>,
    /// Linear red, green and blue.
    pub color: Option<[f32; 3]>,
    /// Opacity in [0, 1].
    pub opacity: Option<f32>,
    /// Linear colour of the emitted light.
    pub emissive: Option<[f32; 3]>,
}

impl MaterialCurves {
    /// Transform of texture coordinates that applies `own`, then the transform of the curves.
    pub fn uv_after(&self, own: &UvTransform) -> UvTransform {
        let after = self.uv.unwrap_or(UV_IDENTITY);
        after.map(|[a, b, c]| {
            let along = |k: usize| a * own[0][k] + b * own[1][k];
            [along(0), along(1), along(2) + c]
        })
    }
}

impl StageCurves {
    /// Values at a time of a clip, in seconds. Without a clip, there are no values.
    pub fn new(table: &[Binding], clip: Option<&dyn Playable>, time_secs: f64) -> Self {
        let mut curves = Self::default();
        for binding in table {
            // Resets the values that the curves of another clip have set.
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

    /// Curves of a light. Default values if nothing is bound to it.
    pub fn light(&self, name: &str) -> LightCurves {
        let found = self.lights.iter().find(|(known, _)| known == name);
        found.map(|(_, light)| *light).unwrap_or_default()
    }

    /// Curves of a material. `None` if nothing is bound to it.
    pub fn material(&self, name: &str) -> Option<MaterialCurves> {
        let found = self.materials.iter().find(|(known, _)| known == name);
        found.map(|(_, material)| *material)
    }

    /// Camera after the curves, with the same depth range. `own` gives the values without a curve.
    pub fn camera(&self, own: Camera, world_from_model: &Affine) -> Camera {
        if (self.eye, self.target, self.fov_y_rad) == (None, None, None) {
            return own;
        }
        let in_world = |at: Option<Vec3>| at.map(|at| world_from_model.transform_point(at));
        let eye = in_world(self.eye).unwrap_or(own.eye);
        let target = in_world(self.target).unwrap_or(own.target);
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
