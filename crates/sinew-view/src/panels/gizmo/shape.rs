//! Rings, arrows and boxes at a joint, of constant size on the screen.

use super::view::{View, distance_to_path};
use crate::state::PoseTool;
use egui::{Color32, Pos2, Rect, Shape, Stroke, Vec2};
use glam::Vec3;
use sinew::Affine;
use sinew_edit::Space;
use std::f32::consts::TAU;

/// Radius of the rings and length of the arrows in a large picture, in points.
pub(super) const SIZE: f32 = 78.0;

/// Radius of the ring in the plane of the screen, relative to the other rings.
const SCREEN: f32 = 94.0 / SIZE;

/// Max radius of the largest ring, relative to the smaller side of the picture.
const MAX_SHARE: f32 = 0.3;

/// Distance from a pole to the corners of its handle, in points.
const POLE: f32 = 9.0;

/// Radius of the spot in the middle, in points.
const SPOT: f32 = 9.0;

/// Max distance from the pointer to a part, in points.
const REACH: f32 = 7.0;

const STEPS: u32 = 96;

/// Part of the gizmo that can be dragged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Handle {
    /// Ring, arrow or box of an axis: 0 for x, 1 for y, 2 for z.
    Axis(usize),
    /// Ring in the plane of the screen, or the spot in the middle.
    Screen,
    /// Point to which a knee or elbow bends.
    Pole,
}

/// Gizmo at a joint, in model space.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Gizmo {
    pub tool: PoseTool,
    pub space: Space,
    pub at: Vec3,
    /// Directions of the axes, of unit length.
    pub axes: [Vec3; 3],
    /// Length in model space of one unit of the frame, by axis.
    pub lengths: [f32; 3],
    /// Radius of the rings and length of the arrows, in points.
    pub size: f32,
    /// True for rings that rotate a pulled joint.
    pub has_rings: bool,
    /// Position of a knee or elbow, and of its pole.
    pub pole: Option<[Vec3; 2]>,
}

impl Gizmo {
    pub fn new(tool: PoseTool, space: Space, joint: &Affine, parent: &Affine) -> Self {
        // The edit scales a joint along its own axes.
        let space = match tool {
            PoseTool::Scale => Space::Local,
            _ => space,
        };
        let frame = match space {
            Space::Local => joint,
            Space::Parent => parent,
            Space::Model => &Affine::IDENTITY,
        };
        let along = [Vec3::X, Vec3::Y, Vec3::Z];
        let axes = along.map(|axis| frame.transform_vector(axis).normalize_or(axis));
        let length = |axis: Vec3| match space {
            Space::Model => 1.0,
            _ => unit_length(parent, axis),
        };
        Self {
            tool,
            space,
            at: joint.translation(),
            axes,
            lengths: axes.map(length),
            size: SIZE,
            has_rings: tool == PoseTool::Rotate,
            pole: None,
        }
    }

    /// Gizmo that takes at most a share of a picture.
    pub fn within(self, picture: Rect) -> Self {
        let max = MAX_SHARE * picture.width().min(picture.height()) / SCREEN;
        Self {
            size: self.size.min(max),
            ..self
        }
    }

    /// Gizmo with the handles of a pull: rings that rotate the joint, and a pole.
    pub fn pulling(self, has_rings: bool, pole: Option<[Vec3; 2]>) -> Self {
        match self.tool {
            PoseTool::Pull => Self {
                has_rings,
                pole,
                ..self
            },
            _ => self,
        }
    }

    /// True if a part rotates the joint.
    pub fn rotates(&self, handle: Handle) -> bool {
        match handle {
            Handle::Axis(_) => self.has_rings,
            Handle::Screen => self.tool == PoseTool::Rotate,
            Handle::Pole => false,
        }
    }

    /// Parts that can be dragged, as paths in the window.
    pub fn paths(&self, view: &View) -> Vec<(Handle, Vec<Pos2>)> {
        let size = self.size * view.unit(self.at);
        let axes = || (0..3).map(Handle::Axis).zip(self.axes);
        let mut paths: Vec<(Handle, Vec<Pos2>)> = match self.tool {
            _ if self.has_rings => axes()
                .map(|(handle, axis)| (handle, self.ring(view, axis, size)))
                .collect(),
            PoseTool::Select | PoseTool::Pull | PoseTool::Rotate => Vec::new(),
            PoseTool::Move | PoseTool::Scale => axes()
                .map(|(handle, axis)| {
                    let ends = [self.at + axis * (0.2 * size), self.at + axis * size];
                    (handle, ends.iter().filter_map(|&p| view.point(p)).collect())
                })
                .collect(),
        };
        if self.tool != PoseTool::Select
            && let Some(middle) = view.point(self.at)
        {
            let radius = match self.tool {
                PoseTool::Rotate => SCREEN * self.size,
                _ => SPOT,
            };
            paths.push((Handle::Screen, circle(middle, radius)));
        }
        if let Some(pole) = self.pole.and_then(|[_, pole]| view.point(pole)) {
            let corner = |step: u8| pole + Vec2::angled(TAU * f32::from(step) / 4.0) * POLE;
            paths.push((Handle::Pole, (0..=4).map(corner).collect()));
        }
        paths
    }

    /// Half of a ring that faces the eye. The other half would be in the way.
    fn ring(&self, view: &View, axis: Vec3, size: f32) -> Vec<Pos2> {
        let eye = view.to_eye(self.at);
        // A ring that faces the eye is seen whole.
        let is_whole = axis.dot(eye).abs() > 0.98;
        let across = axis.cross(eye).normalize_or(axis.any_orthonormal_vector());
        let front = across.cross(axis);
        let (turn, begin) = match is_whole {
            true => (TAU, 0.0),
            false => (TAU / 2.0, -TAU / 4.0),
        };
        let point = |step: u32| {
            let (sin, cos) = (begin + turn * step as f32 / STEPS as f32).sin_cos();
            view.point(self.at + (front * cos + across * sin) * size)
        };
        (0..=STEPS).filter_map(point).collect()
    }

    /// Part under the pointer: the nearest one within a few points.
    pub fn hit(&self, view: &View, at: Pos2) -> Option<Handle> {
        let pole = self.pole.and_then(|[_, pole]| view.point(pole));
        if pole.is_some_and(|pole| pole.distance(at) <= POLE) {
            return Some(Handle::Pole);
        }
        let middle = view.point(self.at)?;
        let has_spot = !matches!(self.tool, PoseTool::Select | PoseTool::Rotate);
        if has_spot && middle.distance(at) <= SPOT + 2.0 {
            return Some(Handle::Screen);
        }
        let paths = self.paths(view).into_iter();
        let far = paths.map(|(handle, path)| (distance_to_path(&path, at), handle));
        let nearest = far.min_by(|a, b| a.0.total_cmp(&b.0))?;
        (nearest.0 <= REACH).then_some(nearest.1)
    }

    pub fn draw(&self, view: &View, lit: Option<Handle>, shapes: &mut Vec<Shape>) {
        if let Some([middle, pole]) = self.pole
            && let (Some(middle), Some(pole)) = (view.point(middle), view.point(pole))
        {
            let stroke = Stroke::new(1.5, color(Handle::Pole));
            shapes.extend(Shape::dashed_line(&[middle, pole], stroke, 5.0, 4.0));
        }
        for (handle, path) in self.paths(view) {
            let is_lit = lit == Some(handle);
            let color = if is_lit { LIT } else { color(handle) };
            let stroke = Stroke::new(if is_lit { 4.0 } else { 2.5 }, color);
            let shadow = Stroke::new(stroke.width + 1.5, Color32::from_black_alpha(90));
            shapes.push(Shape::line(path.clone(), shadow));
            shapes.push(Shape::line(path.clone(), stroke));
            let (Handle::Axis(_), [from, to]) = (handle, &path[..]) else {
                continue;
            };
            match self.tool {
                PoseTool::Move => {
                    let along = (*to - *from).normalized() * 13.0;
                    let side = along.rot90() * 0.45;
                    let tip = vec![*to + along, *to + side, *to - side];
                    shapes.push(Shape::convex_polygon(tip, color, Stroke::NONE));
                }
                _ => {
                    let end = Rect::from_center_size(*to, Vec2::splat(11.0));
                    shapes.push(Shape::rect_filled(end, 1.0, color));
                }
            }
        }
    }
}

const LIT: Color32 = Color32::from_rgb(0xff, 0xd8, 0x3d);

fn color(handle: Handle) -> Color32 {
    match handle {
        Handle::Axis(0) => Color32::from_rgb(0xd9, 0x5f, 0x57),
        Handle::Axis(1) => Color32::from_rgb(0x7f, 0xb0, 0x5b),
        Handle::Axis(_) => Color32::from_rgb(0x5f, 0x8f, 0xd9),
        Handle::Screen => Color32::from_rgb(0xf4, 0xf4, 0xf0),
        Handle::Pole => Color32::from_rgb(0xc9, 0x8b, 0xe0),
    }
}

fn circle(middle: Pos2, radius: f32) -> Vec<Pos2> {
    let point = |step: u32| middle + Vec2::angled(TAU * step as f32 / STEPS as f32) * radius;
    (0..=STEPS).map(point).collect()
}

/// Length in model space of a step of one unit in the frame of the parent, along a direction.
fn unit_length(parent: &Affine, axis: Vec3) -> f32 {
    let step = parent.inverse().map(|map| map.transform_vector(axis));
    let step = step.map_or(1.0, |step| step.length());
    if step > 1e-9 { 1.0 / step } else { 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::state::OrbitCamera;
    use egui::{pos2, vec2};

    fn view() -> View {
        let rect = Rect::from_min_size(pos2(0.0, 0.0), vec2(800.0, 600.0));
        View::new(&OrbitCamera::default(), rect)
    }

    fn gizmo(tool: PoseTool) -> Gizmo {
        let at = Affine::from_translation(Vec3::new(0.1, 1.0, 0.2));
        Gizmo::new(tool, Space::Model, &at, &Affine::IDENTITY)
    }

    #[test]
    fn every_part_is_found_where_it_is_drawn() {
        let view = view();
        for tool in PoseTool::ALL {
            let gizmo = gizmo(tool);
            let paths = gizmo.paths(&view);
            let count = match tool {
                PoseTool::Select => 0,
                PoseTool::Pull => 1,
                _ => 4,
            };
            assert_eq!(paths.len(), count, "{tool:?}");
            for (handle, path) in paths {
                // Rings cross each other, so a fifth of the path must be its own.
                let own = path
                    .iter()
                    .filter(|&&at| gizmo.hit(&view, at) == Some(handle));
                assert!(own.count() * 5 > path.len(), "{tool:?} {handle:?}");
            }
            let middle = view.point(gizmo.at).expect("in front");
            assert_eq!(gizmo.hit(&view, middle + vec2(140.0, 0.0)), None);
        }
    }

    #[test]
    fn the_gizmo_has_the_same_size_at_every_distance() {
        let mut camera = OrbitCamera::default();
        let rect = Rect::from_min_size(pos2(0.0, 0.0), vec2(800.0, 600.0));
        for distance in [1.5, 4.5, 40.0] {
            camera.distance = distance;
            let view = View::new(&camera, rect);
            let gizmo = gizmo(PoseTool::Rotate);
            let middle = view.point(gizmo.at).expect("in front");
            let paths = gizmo.paths(&view).into_iter().flat_map(|(_, path)| path);
            let far = paths.map(|at| at.distance(middle)).fold(0.0, f32::max);
            assert!((far - SCREEN * SIZE).abs() < 8.0, "{distance}: {far}");
        }
    }

    #[test]
    fn the_gizmo_is_smaller_than_a_small_picture() {
        for (width, height) in [(320.0, 180.0), (150.0, 400.0), (2000.0, 1500.0)] {
            let rect = Rect::from_min_size(pos2(0.0, 0.0), vec2(width, height));
            let view = View::new(&OrbitCamera::default(), rect);
            let gizmo = gizmo(PoseTool::Rotate).within(rect);
            let middle = view.point(gizmo.at).expect("in front");
            let paths = gizmo.paths(&view).into_iter().flat_map(|(_, path)| path);
            let far = paths.map(|at| at.distance(middle)).fold(0.0, f32::max);
            assert!(far < 0.35 * width.min(height), "{width}: {far}");
            assert!(width < 1000.0 || gizmo.size == SIZE);
        }
    }

    #[test]
    fn a_pull_that_keeps_the_rotation_has_rings_and_a_pole_to_drag() {
        let view = view();
        let pole = Vec3::new(0.4, 1.1, 0.2);
        let gizmo = gizmo(PoseTool::Pull).pulling(true, Some([Vec3::Y, pole]));
        assert_eq!(gizmo.paths(&view).len(), 5);
        let at = view.point(pole).expect("in front");
        assert_eq!(gizmo.hit(&view, at), Some(Handle::Pole));
        assert!(gizmo.rotates(Handle::Axis(1)) && !gizmo.rotates(Handle::Screen));
    }

    #[test]
    fn a_unit_of_a_scaled_parent_is_as_long_as_it_is_drawn() {
        let parent = Affine::from_axes(Vec3::X * 0.01, Vec3::Y * 0.01, Vec3::Z * 0.01, Vec3::ZERO);
        let gizmo = Gizmo::new(PoseTool::Move, Space::Parent, &parent, &parent);
        assert!(
            (gizmo.lengths[1] - 0.01).abs() < 1e-6,
            "{:?}",
            gizmo.lengths
        );
    }
}
