use glam::Vec3;
use serde::{Deserialize, Serialize};
use sinew::pick::Ray;
use sinew_gpu::{Camera, direction};
use std::f32::consts::{PI, TAU};

/// Camera that orbits a target.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct OrbitCamera {
    /// Point in the middle of the picture, in world space.
    pub target: Vec3,
    /// Direction that the figure faces: angle about y from z, in radians.
    pub front_rad: f32,
    /// Angle about y from the front of the figure, in radians.
    pub azimuth_rad: f32,
    /// Angle above the horizon, in radians.
    pub elevation_rad: f32,
    /// Distance from the target to the eye, in world units.
    pub distance: f32,
    /// Vertical angle of view, in radians.
    pub fov_y_rad: f32,
    /// Perspective or orthographic.
    pub projection: Projection,
    /// Speed of the automatic orbit, in radians per second. 0 for no orbit.
    pub turntable_rad_per_sec: f32,
    /// Width of a pane divided by its height.
    pub aspect: f32,
    /// Radius of the shown figures in world units, for the near and far planes.
    pub radius: f32,
}

/// Max elevation. Straight up would leave the picture without an up direction.
const MAX_ELEVATION_RAD: f32 = 1.555;

pub(crate) const MIN_DISTANCE: f32 = 1e-4;
pub(crate) const MAX_DISTANCE: f32 = 1e7;

/// Angle of view of orthographic views. Sizes change by 1/250 over a depth of the picture height.
const LONG_LENS_RAD: f32 = 0.004;

impl Default for OrbitCamera {
    fn default() -> Self {
        Self {
            target: Vec3::new(0.0, 0.9, 0.0),
            front_rad: 0.0,
            azimuth_rad: HOME_RAD[0],
            elevation_rad: HOME_RAD[1],
            distance: 4.5,
            fov_y_rad: sinew_gpu::FOV_Y_RAD,
            projection: Projection::Perspective,
            turntable_rad_per_sec: 0.0,
            aspect: 16.0 / 9.0,
            radius: 1.0,
        }
    }
}

const HOME_RAD: [f32; 2] = [0.55, 0.18];

impl OrbitCamera {
    /// Unit vector from the target to the eye.
    pub fn from_target(&self) -> Vec3 {
        direction(self.front_rad + self.azimuth_rad, self.elevation_rad)
    }

    /// Camera for the renderer, which supports only perspective. For orthographic views, it has an
    /// angle of view of 0.004 radians, and a distance at which the target keeps its size.
    pub fn camera(&self) -> Camera {
        let (fov_y_rad, distance) = match self.projection {
            Projection::Perspective => (self.fov_y_rad, self.distance),
            Projection::Orthographic => {
                let ratio = (self.fov_y_rad / 2.0).tan() / (LONG_LENS_RAD / 2.0).tan();
                (LONG_LENS_RAD, self.distance * ratio)
            }
        };
        // Includes the floor in front of and behind the figures.
        let reach = 20.0 * self.radius.max(self.distance);
        let near = match self.projection {
            Projection::Perspective => 0.02 * self.distance,
            Projection::Orthographic => (distance - reach).max(0.05 * distance),
        };
        Camera {
            eye: self.target + self.from_target() * distance,
            target: self.target,
            fov_y_rad,
            near,
            far: distance + reach,
        }
    }

    /// Ray through a point of a pane: `x` in [0, 1] from the left, `y` in [0, 1] from the top.
    pub fn ray(&self, x: f32, y: f32, aspect: f32) -> Ray {
        self.camera().ray_through(x, y, aspect)
    }

    pub(crate) fn height_at_target(&self) -> f32 {
        2.0 * self.distance * (self.fov_y_rad / 2.0).tan()
    }

    pub(crate) fn orbit(&mut self, right_rad: f32, up_rad: f32) {
        // A drag to the right moves the camera to the left.
        let azimuth = self.azimuth_rad + within(right_rad, -100.0, 100.0).unwrap_or(0.0);
        self.azimuth_rad = wrapped(azimuth);
        let elevation = self.elevation_rad + within(up_rad, -100.0, 100.0).unwrap_or(0.0);
        self.elevation_rad = elevation.clamp(-MAX_ELEVATION_RAD, MAX_ELEVATION_RAD);
    }

    pub(crate) fn pan(&mut self, right: f32, up: f32) {
        let height = self.height_at_target();
        let by = [right, up].map(|part| within(part, -100.0, 100.0).unwrap_or(0.0) * height);
        let [to_right, upward] = self.camera().right_and_up();
        self.look_at(self.target + to_right * by[0] + upward * by[1]);
    }

    pub(crate) fn zoom(&mut self, factor: f32) {
        if let Some(factor) = within(factor, 1e-3, 1e3) {
            self.distance = (self.distance / factor).clamp(MIN_DISTANCE, MAX_DISTANCE);
        }
    }

    pub(crate) fn look_at(&mut self, target: Vec3) {
        if target.is_finite() {
            self.target = target.clamp(Vec3::splat(-MAX_DISTANCE), Vec3::splat(MAX_DISTANCE));
        }
    }

    pub(crate) fn set_preset(&mut self, preset: Preset) {
        [self.azimuth_rad, self.elevation_rad] = match preset {
            Preset::Front => [0.0, 0.0],
            Preset::Back => [PI, 0.0],
            Preset::Left => [0.5 * PI, 0.0],
            Preset::Right => [-0.5 * PI, 0.0],
            Preset::Top => [0.0, MAX_ELEVATION_RAD],
            Preset::Bottom => [0.0, -MAX_ELEVATION_RAD],
            Preset::Home => HOME_RAD,
        };
    }

    pub(crate) fn problem(&self) -> Option<String> {
        let is_sound = self.target.is_finite()
            && self.front_rad.is_finite()
            && self.azimuth_rad.abs() <= PI + 1e-3
            && self.elevation_rad.abs() <= MAX_ELEVATION_RAD
            && (MIN_DISTANCE..=MAX_DISTANCE).contains(&self.distance)
            && self.fov_y_rad > 0.0
            && self.fov_y_rad < PI
            && self.turntable_rad_per_sec.is_finite()
            && (0.01..=100.0).contains(&self.aspect)
            && self.radius.is_finite()
            && self.camera().clip_from_world(self.aspect).is_finite();
        (!is_sound).then(|| format!("{self:?}"))
    }
}

pub(crate) fn within(number: f32, low: f32, high: f32) -> Option<f32> {
    (!number.is_nan()).then(|| number.clamp(low, high))
}

fn wrapped(angle_rad: f32) -> f32 {
    angle_rad - TAU * (angle_rad / TAU).round()
}

/// Projection of depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Projection {
    /// Far objects appear smaller.
    #[default]
    Perspective,
    /// Far objects keep their size.
    Orthographic,
}

/// Standard view.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Preset {
    /// View of the front of the figure.
    Front,
    /// View of the back.
    Back,
    /// View of the left side.
    Left,
    /// View of the right side.
    Right,
    /// View from above.
    Top,
    /// View from below.
    Bottom,
    /// View of a newly opened file.
    Home,
}
