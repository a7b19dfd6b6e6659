//! Projections between the picture and the model, and small geometry.

use crate::painter::on_screen;
use crate::state::OrbitCamera;
use egui::{Pos2, Rect, vec2};
use glam::{Mat4, Vec3};
use sinew::pick::Ray;
use sinew_gpu::Camera;

/// Camera of a pane with its rectangle, in points of the window.
pub(super) struct View {
    camera: Camera,
    rect: Rect,
    clip_from_model: Mat4,
}

impl View {
    pub fn new(camera: &OrbitCamera, rect: Rect) -> Self {
        let camera = camera.camera();
        Self {
            clip_from_model: camera.clip_from_world(rect.width() / rect.height()),
            camera,
            rect,
        }
    }

    /// Position of a model point in the window, `None` behind the camera.
    pub fn point(&self, at: Vec3) -> Option<Pos2> {
        let part = on_screen(&self.clip_from_model, at)?;
        Some(self.rect.min + vec2(part.x * self.rect.width(), part.y * self.rect.height()))
    }

    /// Ray through a position in the window, in model space.
    pub fn ray(&self, at: Pos2) -> Ray {
        let part = (at - self.rect.min) / self.rect.size();
        let aspect = self.rect.width() / self.rect.height();
        self.camera.ray_through(part.x, part.y, aspect)
    }

    /// Unit vector against the direction of view.
    pub fn back(&self) -> Vec3 {
        (self.camera.eye - self.camera.target).normalize_or(Vec3::Z)
    }

    /// Unit vector from a point to the eye.
    pub fn to_eye(&self, at: Vec3) -> Vec3 {
        (self.camera.eye - at).normalize_or(Vec3::Z)
    }

    /// Length in model space of one point of the window, at the depth of a position.
    pub fn unit(&self, at: Vec3) -> f32 {
        let depth = (self.camera.eye - at).dot(self.back());
        2.0 * depth.max(self.camera.near) * (self.camera.fov_y_rad / 2.0).tan() / self.rect.height()
    }
}

/// Point where a ray meets a plane. `None` if they are nearly parallel.
pub(super) fn on_plane(ray: &Ray, point: Vec3, normal: Vec3) -> Option<Vec3> {
    let direction = ray.direction.normalize_or_zero();
    let slope = direction.dot(normal);
    let hit = ray.origin + direction * ((point - ray.origin).dot(normal) / slope);
    (slope.abs() > 1e-4 && hit.is_finite()).then_some(hit)
}

/// Distance along a line, from its point, of the position nearest to a ray. `None` if parallel.
pub(super) fn along_line(ray: &Ray, point: Vec3, direction: Vec3) -> Option<f32> {
    let aim = ray.direction.normalize_or_zero();
    let between = point - ray.origin;
    let cos = aim.dot(direction);
    let sin_squared = 1.0 - cos * cos;
    let along = (cos * aim.dot(between) - direction.dot(between)) / sin_squared;
    (sin_squared > 1e-4 && along.is_finite()).then_some(along)
}

/// Angle about an axis from one direction to another, in (−π, π].
pub(super) fn angle_about(axis: Vec3, from: Vec3, to: Vec3) -> f32 {
    let flat = |v: Vec3| v - axis * v.dot(axis);
    let (from, to) = (flat(from), flat(to));
    axis.dot(from.cross(to)).atan2(from.dot(to))
}

/// Distance of a position from a path, in points. Infinite for an empty path.
pub(super) fn distance_to_path(path: &[Pos2], at: Pos2) -> f32 {
    let to_segment = |pair: &[Pos2]| {
        let (a, along) = (pair[0], pair[1] - pair[0]);
        let part = (at - a).dot(along) / along.length_sq().max(1e-9);
        (a + along * part.clamp(0.0, 1.0)).distance(at)
    };
    let single = path.first().map_or(f32::INFINITY, |a| a.distance(at));
    path.windows(2).map(to_segment).fold(single, f32::min)
}

/// Nearest multiple of a step.
pub(super) fn snapped(value: f32, step: f32) -> f32 {
    (value / step).round() * step
}

#[cfg(test)]
mod tests {
    use super::*;
    use egui::pos2;
    use std::f32::consts::{FRAC_PI_2, PI};

    fn view() -> View {
        let rect = Rect::from_min_size(pos2(100.0, 50.0), vec2(800.0, 600.0));
        View::new(&OrbitCamera::default(), rect)
    }

    #[test]
    fn rays_pass_through_the_points_that_they_were_projected_from() {
        let view = view();
        for at in [Vec3::ZERO, Vec3::new(0.4, 1.3, -0.2), Vec3::Y] {
            let ray = view.ray(view.point(at).expect("in front"));
            let hit = on_plane(&ray, at, view.back()).expect("not parallel");
            assert!(hit.distance(at) < 1e-4, "{at} {hit}");
            let along = along_line(&ray, at - Vec3::X * 0.3, Vec3::X).expect("not parallel");
            assert!((along - 0.3).abs() < 1e-3, "{along}");
        }
    }

    #[test]
    fn a_length_of_one_unit_is_one_point_at_every_depth() {
        let view = view();
        let right = Vec3::Y.cross(view.back()).normalize();
        for at in [Vec3::Y, Vec3::new(0.0, 1.0, 2.0), Vec3::new(0.3, 0.5, -3.0)] {
            let step = view.unit(at) * 50.0;
            let [a, b] = [at, at + right * step].map(|p| view.point(p).expect("in front"));
            assert!((a.distance(b) - 50.0).abs() < 0.1, "{at}");
        }
    }

    #[test]
    fn angles_are_signed_and_ignore_the_part_along_the_axis() {
        let angle = angle_about(Vec3::Z, Vec3::X + Vec3::Z, Vec3::Y * 3.0);
        assert!((angle - FRAC_PI_2).abs() < 1e-6);
        let angle = angle_about(Vec3::NEG_Z, Vec3::X, Vec3::Y);
        assert!((angle + FRAC_PI_2).abs() < 1e-6);
        let angle = angle_about(Vec3::Y, Vec3::X, Vec3::NEG_X);
        assert!((angle.abs() - PI).abs() < 1e-6);
    }

    #[test]
    fn paths_are_as_far_as_their_nearest_part() {
        let path = [pos2(0.0, 0.0), pos2(10.0, 0.0), pos2(10.0, 10.0)];
        assert_eq!(distance_to_path(&path, pos2(5.0, 3.0)), 3.0);
        assert_eq!(distance_to_path(&path, pos2(13.0, 14.0)), 5.0);
        assert_eq!(distance_to_path(&path[..1], pos2(0.0, 2.0)), 2.0);
        assert_eq!(distance_to_path(&[], pos2(0.0, 2.0)), f32::INFINITY);
    }

    #[test]
    fn values_snap_to_the_nearest_step() {
        assert_eq!(snapped(37.0, 15.0), 30.0);
        assert_eq!(snapped(-38.0, 15.0), -45.0);
    }
}
