//! The camera, and the nearest position from which everything is in the picture.

use glam::camera::rh::{proj::directx, view};
use glam::{Mat4, Vec3};
use sinew::pick::Ray;

/// A camera that looks from a point at another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Camera {
    /// Its position.
    pub eye: Vec3,
    /// The point in the middle of the picture.
    pub target: Vec3,
    /// From the lower to the upper edge of the picture.
    pub fov_y_rad: f32,
    /// Nothing nearer than this is seen.
    pub near: f32,
    /// Nor anything farther.
    pub far: f32,
}

impl Default for Camera {
    /// Before a person at the origin.
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

/// Narrow, as portraits are taken: shapes keep their proportions.
pub const FOV_Y_RAD: f32 = 0.5;

/// Part of the picture left free at each edge.
const MARGIN: f32 = 0.07;

impl Camera {
    /// `clip_from_world`, with depth from 0 to 1.
    pub fn clip_from_world(&self, aspect: f32) -> Mat4 {
        self.clip_from_view(aspect) * self.view_from_world()
    }

    pub(crate) fn clip_from_view(&self, aspect: f32) -> Mat4 {
        directx::perspective(self.fov_y_rad, aspect, self.near, self.far)
    }

    pub(crate) fn view_from_world(&self) -> Mat4 {
        view::look_at_mat4(self.eye, self.target, self.up())
    }

    /// The world's up, or its back when the camera looks straight up or down.
    fn up(&self) -> Vec3 {
        let along = (self.target - self.eye).normalize_or(Vec3::NEG_Z);
        if along.y.abs() > 0.9999 {
            Vec3::NEG_Z
        } else {
            Vec3::Y
        }
    }

    /// The directions of the picture's right edge and of its upper one.
    pub fn right_and_up(&self) -> [Vec3; 2] {
        let back = (self.eye - self.target).normalize_or(Vec3::Z);
        let right = self.up().cross(back).normalize_or(Vec3::X);
        [right, back.cross(right)]
    }

    /// The ray through a place of the picture: from its left edge to its right one and from its upper edge to its
    /// lower one, 0 to 1.
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

    /// The nearest place in a direction from which all points are in the picture with a little room
    /// around them. The direction is from what is seen to the camera.
    pub fn framing(points: impl IntoIterator<Item = Vec3>, from: Vec3, aspect: f32) -> Self {
        let mut framing = Framing::new(from, FOV_Y_RAD, aspect);
        points.into_iter().for_each(|p| framing.add(p));
        framing.camera()
    }

    /// The same camera, gone round the vertical line through its target.
    pub fn orbited(&self, angle_rad: f32) -> Self {
        let turn = glam::Quat::from_rotation_y(angle_rad);
        Self {
            eye: self.target + turn * (self.eye - self.target),
            ..*self
        }
    }

    /// The same camera, carried along.
    pub fn moved(&self, by: Vec3) -> Self {
        Self {
            eye: self.eye + by,
            target: self.target + by,
            ..*self
        }
    }

    /// The same camera, carried across its direction until a point is in the middle of the picture.
    pub fn aimed_at(&self, point: Vec3) -> Self {
        let along = (self.target - self.eye).normalize_or(Vec3::NEG_Z);
        let by = point - self.eye;
        self.moved(by - along * by.dot(along))
    }

    /// The same camera with everything in the middle of the picture so many times as large: by a narrower
    /// angle, so that nothing comes nearer; by standing farther away for less than 1.
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

/// The search for the nearest position in a direction from which all points are in the picture.
///
/// A point at (x, y, z) of the view, z to the back, is seen while |x| ≤ t (e − z), with e the eye and t
/// the tangent of half the angle of view: the greatest x + t z and t z − x of all points say where the
/// eye can be at all.
#[derive(Clone, Copy, Debug)]
pub struct Framing {
    axes: [Vec3; 3],
    fov_y_rad: f32,
    tangents: [f32; 2],
    /// Right, left, upper, lower.
    edges: [f32; 4],
    nearest: f32,
    farthest: f32,
}

impl Framing {
    /// No points yet; the direction is from what is seen to the camera. A direction that is none is z, an angle that is
    /// none between 0 and π is [`FOV_Y_RAD`], and width over height is 1 where it is no number above 0.
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

    /// Another point to be seen; one that is not finite counts for nothing.
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

    /// The camera that sees them all; the default one when there are none, or it would be farther away than numbers go.
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
        // In the middle of what can be seen from there.
        let [right, up, back] = self.axes;
        let eye = right * ((r - l) / 2.0) + up * ((t - b) / 2.0) + back * distance;
        let far = distance - farthest + depth;
        let camera = Camera {
            eye,
            target: eye - back * (distance - (nearest + farthest) / 2.0).max(1e-3),
            fov_y_rad: self.fov_y_rad,
            // The floor before what is seen is seen too.
            near: ((distance - nearest) * 0.05).max(far * 1e-4),
            // Floors go on behind.
            far: far * 20.0,
        };
        if camera.clip_from_world(tan_x / tan_y).is_finite() {
            camera
        } else {
            Camera::default()
        }
    }
}

/// The eight corners of a box, from its lowest and its highest.
pub fn corners(bounds: [Vec3; 2]) -> [Vec3; 8] {
    std::array::from_fn(|k| {
        let pick = |axis: usize| bounds[k >> axis & 1][axis];
        Vec3::new(pick(0), pick(1), pick(2))
    })
}

/// The direction at an angle round y (0 before a figure that faces z, to its left for positive ones)
/// and one above the horizon.
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
            // A tenth to the side, at the depth of the target.
            let side = from.cross(Vec3::Y).normalize() * 0.1;
            let [was, is] = [camera, camera.zoomed(zoom)].map(|c| {
                let side = c.clip_from_world(1.0).project_point3(c.target + side);
                side.truncate().length()
            });
            assert!((is / was - zoom).abs() < 1e-3 * zoom, "{zoom}: {was} {is}");
        }
    }

    #[test]
    fn the_ray_through_a_place_meets_what_is_seen_there() {
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
    fn nothing_to_see_is_seen_from_the_default_place() {
        let camera = Camera::framing([], Vec3::Z, 1.0);
        assert_eq!(camera, Camera::default());
        assert_eq!(Camera::framing([Vec3::NAN], Vec3::Z, 1.0), camera);
        let point = Camera::framing([Vec3::ONE], Vec3::Z, 1.0);
        let seen = point.clip_from_world(1.0).project_point3(Vec3::ONE);
        assert!(seen.x.abs() < 1e-3 && seen.y.abs() < 1e-3, "{seen}");
    }
}
