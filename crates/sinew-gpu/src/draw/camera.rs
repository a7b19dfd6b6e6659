//! Camera, and the search for the nearest camera position that shows a set of points.

use glam::camera::rh::{proj::directx, view};
use glam::{Mat4, Vec3};
use sinew::pick::Ray;

/// Camera that looks from one point at another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Position in world space.
    pub eye: Vec3,
    /// Point at the centre of the picture, in world space.
    pub target: Vec3,
    /// Vertical angle of view in radians.
    pub fov_y_rad: f32,
    /// Distance of the near plane, in world units.
    pub near: f32,
    /// Distance of the far plane, in world units.
    pub far: f32,
}

impl Default for Camera {
    /// Camera in front of a person at the origin.
    fn default() -> Self {
        Self {
            eye: Vec3::new(1.8, 1.4, 4.0),
            target: Vec3::new(0.0, 0.9, 0.0),
            fov_y_rad: FOV_Y_RAD,
            near: 0.1,
            far: 100.0,
        }
    }
}

/// Vertical angle of view for portraits, in radians. It is narrow, to avoid distortion.
pub const FOV_Y_RAD: f32 = 0.5;

const MARGIN: f32 = 0.07;

impl Camera {
    /// Projection `clip_from_world`, with depth in [0, 1]. `aspect` is width over height.
    pub fn clip_from_world(&self, aspect: f32) -> Mat4 {
        self.clip_from_view(aspect) * self.view_from_world()
    }

    pub(crate) fn clip_from_view(&self, aspect: f32) -> Mat4 {
        directx::perspective(self.fov_y_rad, aspect, self.near, self.far)
    }

    pub(crate) fn view_from_world(&self) -> Mat4 {
        view::look_at_mat4(self.eye, self.target, self.up())
    }

    /// Up direction of the camera: y, or −z if the camera looks straight up or down.
    fn up(&self) -> Vec3 {
        let along = (self.target - self.eye).normalize_or(Vec3::NEG_Z);
        if along.y.abs() > 0.9999 {
            Vec3::NEG_Z
        } else {
            Vec3::Y
        }
    }

    /// Unit directions of the x and y axes of the picture, in world space.
    pub fn right_and_up(&self) -> [Vec3; 2] {
        let back = (self.eye - self.target).normalize_or(Vec3::Z);
        let right = self.up().cross(back).normalize_or(Vec3::X);
        [right, back.cross(right)]
    }

    /// Ray through a point of the picture: x in [0, 1] from the left, y in [0, 1] from the top.
    pub fn ray_through(&self, x: f32, y: f32, aspect: f32) -> Ray {
        let along = (self.target - self.eye).normalize_or(Vec3::NEG_Z);
        let [right, up] = self.right_and_up();
        let tan_y = (self.fov_y_rad / 2.0).tan();
        let (to_right, upward) = ((2.0 * x - 1.0) * tan_y * aspect, (1.0 - 2.0 * y) * tan_y);
        Ray {
            origin: self.eye,
            direction: along + right * to_right + up * upward,
        }
    }

    /// Nearest camera that shows all points with a small margin. `from` is the direction from the
    /// subject to the camera. `aspect` is width over height.
    pub fn framing(points: impl IntoIterator<Item = Vec3>, from: Vec3, aspect: f32) -> Self {
        let mut framing = Framing::new(from, FOV_Y_RAD, aspect);
        points.into_iter().for_each(|p| framing.add(p));
        framing.camera()
    }

    /// Camera rotated by an angle in radians about the vertical line through its target.
    pub fn orbited(&self, angle_rad: f32) -> Self {
        let rotation = glam::Quat::from_rotation_y(angle_rad);
        Self {
            eye: self.target + rotation * (self.eye - self.target),
            ..*self
        }
    }

    /// Camera with eye and target moved by a vector.
    pub fn moved(&self, by: Vec3) -> Self {
        Self {
            eye: self.eye + by,
            target: self.target + by,
            ..*self
        }
    }

    /// Camera moved sideways until a point is centred.
    pub fn aimed_at(&self, point: Vec3) -> Self {
        let along = (self.target - self.eye).normalize_or(Vec3::NEG_Z);
        let by = point - self.eye;
        self.moved(by - along * by.dot(along))
    }

    /// Camera that magnifies the centre of the picture. A factor above 1 narrows the angle of view.
    /// A factor below 1 moves the camera back.
    pub fn zoomed(&self, factor: f32) -> Self {
        if factor >= 1.0 {
            let fov_y_rad = 2.0 * ((self.fov_y_rad / 2.0).tan() / factor).atan();
            return Self { fov_y_rad, ..*self };
        }
        let away = (self.eye - self.target) * (1.0 / factor - 1.0);
        Self {
            eye: self.eye + away,
            far: self.far + away.length(),
            ..*self
        }
    }
}

/// Search for the nearest camera that shows all points, in a given direction.
///
/// Let (x, y, z) be a point in view space with z to the back, e the eye, and t the tangent of half
/// the angle of view. The point is visible if |x| ≤ t (e − z). The largest x + t z and the
/// largest t z − x over all points therefore bound the position of the eye.
#[doc(alias = "zoom to fit")]
#[derive(Clone, Copy, Debug)]
pub struct Framing {
    axes: [Vec3; 3],
    fov_y_rad: f32,
    tangents: [f32; 2],
    edges: [f32; 4],
    nearest: f32,
    farthest: f32,
}

impl Framing {
    /// Starts a search that has no points yet. `from` is the direction from the subject to the
    /// camera. Invalid arguments are replaced by z, [`FOV_Y_RAD`] and an aspect (width over height) of 1.
    pub fn new(from: Vec3, fov_y_rad: f32, aspect: f32) -> Self {
        let is_angle = fov_y_rad > 0.0 && fov_y_rad < std::f32::consts::PI;
        let fov_y_rad = if is_angle { fov_y_rad } else { FOV_Y_RAD };
        let is_ratio = aspect > 0.0 && aspect.is_finite();
        let aspect = if is_ratio { aspect } else { 1.0 };
        let back = from.normalize_or(Vec3::Z);
        let from_origin = Camera {
            eye: back,
            target: Vec3::ZERO,
            ..Camera::default()
        };
        let right = from_origin.up().cross(back).normalize_or(Vec3::X);
        let tan_y = (fov_y_rad / 2.0).tan() * (1.0 - 2.0 * MARGIN);
        Self {
            axes: [right, back.cross(right), back],
            fov_y_rad,
            tangents: [tan_y * aspect, tan_y],
            edges: [f32::NEG_INFINITY; 4],
            nearest: f32::NEG_INFINITY,
            farthest: f32::INFINITY,
        }
    }

    /// Adds a point. Ignores a point that is not finite.
    pub fn add(&mut self, point: Vec3) {
        if !point.is_finite() {
            return;
        }
        let [x, y, z] = self.axes.map(|axis| point.dot(axis));
        let [tan_x, tan_y] = self.tangents;
        let reach = [x + tan_x * z, tan_x * z - x, y + tan_y * z, tan_y * z - y];
        self.edges = std::array::from_fn(|e| self.edges[e].max(reach[e]));
        self.nearest = self.nearest.max(z);
        self.farthest = self.farthest.min(z);
    }

    /// Camera that sees all points. It is the default camera if there are no points, or if the
    /// distance is too large for single precision.
    pub fn camera(&self) -> Camera {
        let (nearest, farthest) = (self.nearest, self.farthest);
        if nearest < farthest {
            return Camera::default();
        }
        let [r, l, t, b] = self.edges;
        let [tan_x, tan_y] = self.tangents;
        let depth = (nearest - farthest).max(1e-3);
        let distance = ((r + l) / (2.0 * tan_x)).max((t + b) / (2.0 * tan_y));
        let distance = distance.max(nearest + 1e-2 * depth);
        let [right, up, back] = self.axes;
        let eye = right * ((r - l) / 2.0) + up * ((t - b) / 2.0) + back * distance;
        let far = distance - farthest + depth;
        let camera = Camera {
            eye,
            target: eye - back * (distance - (nearest + farthest) / 2.0).max(1e-3),
            fov_y_rad: self.fov_y_rad,
            near: ((distance - nearest) * 0.05).max(far * 1e-4),
            far: far * 20.0,
        };
        if camera.clip_from_world(tan_x / tan_y).is_finite() {
            camera
        } else {
            Camera::default()
        }
    }
}

/// Corners of a box, given by its min and max.
pub fn corners(bounds: [Vec3; 2]) -> [Vec3; 8] {
    std::array::from_fn(|k| {
        let pick = |axis: usize| bounds[k >> axis & 1][axis];
        Vec3::new(pick(0), pick(1), pick(2))
    })
}

/// Unit direction from an azimuth about y and an elevation, in radians. Azimuth 0 is in front of a
/// figure that faces z. Positive values are to the left of the figure.
pub fn direction(azimuth_rad: f32, elevation_rad: f32) -> Vec3 {
    let (sin_a, cos_a) = azimuth_rad.sin_cos();
    let (sin_e, cos_e) = elevation_rad.sin_cos();
    Vec3::new(sin_a * cos_e, sin_e, cos_a * cos_e)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standing(size: Vec3) -> [Vec3; 8] {
        let half = size * Vec3::new(0.5, 0.0, 0.5);
        corners([-half, half.with_y(size.y)])
    }

    #[test]
    fn everything_is_in_the_picture_and_touches_its_margin() {
        let sizes = [
            Vec3::ONE,
            Vec3::new(0.4, 1.8, 0.3),
            Vec3::new(9.0, 0.1, 2.0),
        ];
        for size in sizes {
            for (azimuth, elevation) in [(0.0, 0.0), (0.6, 0.2), (3.0, -0.4), (1.0, 1.5707964)] {
                for aspect in [0.5, 1.0, 1.78] {
                    let from = direction(azimuth, elevation);
                    let camera = Camera::framing(standing(size), from, aspect);
                    let m = camera.clip_from_world(aspect);
                    let mut widest = 0.0_f32;
                    for corner in standing(size) {
                        let p = m.project_point3(corner);
                        assert!(p.z > 0.0 && p.z < 1.0, "{size} {azimuth} {elevation}: {p}");
                        widest = widest.max(p.x.abs()).max(p.y.abs());
                    }
                    let margin = 1.0 - 2.0 * MARGIN;
                    assert!((widest - margin).abs() < 1e-3, "{size} {aspect}: {widest}");
                }
            }
        }
    }

    #[test]
    fn zoomed_and_aimed_the_middle_is_as_large_as_was_said() {
        let from = direction(0.6, 0.2);
        let camera = Camera::framing(standing(Vec3::ONE), from, 1.0);
        let corner = Vec3::new(0.5, 1.0, 0.5);
        for zoom in [0.2, 0.9, 1.0, 3.0, 20.0] {
            let near = camera.aimed_at(corner).zoomed(zoom);
            let at = |p: Vec3| near.clip_from_world(1.0).project_point3(p);
            assert!(
                at(corner).truncate().length() < 1e-4,
                "{zoom}: {}",
                at(corner)
            );
            assert!((0.0..1.0).contains(&at(corner).z), "{zoom}");
            let side = from.cross(Vec3::Y).normalize() * 0.1;
            let [was, is] = [camera, camera.zoomed(zoom)].map(|c| {
                let side = c.clip_from_world(1.0).project_point3(c.target + side);
                side.truncate().length()
            });
            assert!((is / was - zoom).abs() < 1e-3 * zoom, "{zoom}: {was} {is}");
        }
    }

    #[test]
    fn the_ray_through_a_position_meets_what_is_seen_there() {
        for (azimuth, elevation) in [(0.0, 0.0), (0.6, 0.2), (3.0, -0.4), (1.0, 1.5707964)] {
            let camera = Camera::framing(standing(Vec3::ONE), direction(azimuth, elevation), 1.5);
            for point in standing(Vec3::ONE) {
                let seen = camera.clip_from_world(1.5).project_point3(point);
                let ray = camera.ray_through((1.0 + seen.x) / 2.0, (1.0 - seen.y) / 2.0, 1.5);
                let along = ray.direction.normalize();
                let off = (point - ray.origin).cross(along).length();
                assert!(off < 1e-5, "{azimuth} {elevation} {point}: {off}");
                assert!((point - ray.origin).dot(along) > 0.0);
            }
        }
    }

    #[test]
    fn nothing_to_see_is_seen_from_the_default_position() {
        let camera = Camera::framing([], Vec3::Z, 1.0);
        assert_eq!(camera, Camera::default());
        assert_eq!(Camera::framing([Vec3::NAN], Vec3::Z, 1.0), camera);
        let point = Camera::framing([Vec3::ONE], Vec3::Z, 1.0);
        let seen = point.clip_from_world(1.0).project_point3(Vec3::ONE);
        assert!(seen.x.abs() < 1e-3 && seen.y.abs() < 1e-3, "{seen}");
    }
}
