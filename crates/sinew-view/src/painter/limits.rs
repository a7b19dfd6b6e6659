//! Lines for joint limits: an arc for a hinge, a cone for a ball joint.

use super::scene::Scene;
use crate::state::Selection;
use glam::{Mat3, Quat, Vec3};
use sinew::ModelPose;
use sinew::skeleton::limits::{AngleRange, RotationLimit};
use sinew_gpu::Line;

const ARC: [f32; 4] = [0.95, 0.6, 0.08, 0.9];
const CONE: [f32; 4] = [0.1, 0.6, 0.75, 0.85];

pub(super) fn lines(scene: &Scene<'_>, pose: &ModelPose, lines: &mut Vec<Line>) {
    let skeleton = &scene.file.character.skeleton;
    let only = match scene.state.selection {
        Selection::Joint(joint) => Some(joint),
        _ => None,
    };
    for joint in 0..skeleton.len().min(pose.len()) {
        if only.is_some_and(|only| only != joint) {
            continue;
        }
        // Limits are relative to the rest rotation of the joint.
        let parent = match skeleton.parent(joint) {
            Some(parent) => scene.world_from_model * *pose.get(parent),
            None => scene.world_from_model,
        };
        let world_from_parent = rotation(&parent);
        let world_from_rest = world_from_parent * skeleton.rest().get(joint).rotation;
        let model = pose.get(joint).translation();
        let at = scene.world_from_model.transform_point(model);
        let length = bone_length(scene, pose, joint).clamp(0.05, 0.3) * 0.8;
        let mut out = Arcs {
            at,
            length: length.min(scene.radius * 0.14),
            bone: bone(scene, joint),
            pixel: scene.pixel,
            lines,
        };
        out.turn(world_from_rest, &skeleton.freedom(joint).rotation);
    }
}

fn rotation(affine: &sinew::Affine) -> Quat {
    let axis = |v: Vec3| affine.transform_vector(v).normalize_or(v);
    let [x, y] = [axis(Vec3::X), axis(Vec3::Y)];
    let z = x.cross(y).normalize_or(Vec3::Z);
    Quat::from_mat3(&Mat3::from_cols(x, z.cross(x), z))
}

fn bone_length(scene: &Scene<'_>, pose: &ModelPose, joint: usize) -> f32 {
    let skeleton = &scene.file.character.skeleton;
    let at = pose.get(joint).translation();
    let children = skeleton.children(joint).filter(|&c| c < pose.len());
    let lengths = children.map(|c| (pose.get(c).translation() - at).length());
    lengths.reduce(f32::max).unwrap_or(scene.radius * 0.1)
}

/// Direction of the longest bone of a joint, in the frame of the joint. Zero without a child.
fn bone(scene: &Scene<'_>, joint: usize) -> Vec3 {
    let skeleton = &scene.file.character.skeleton;
    let ends = skeleton
        .children(joint)
        .map(|child| skeleton.rest().get(child).translation);
    ends.reduce(|a, b| if b.length() > a.length() { b } else { a })
        .unwrap_or(Vec3::ZERO)
}

struct Arcs<'a> {
    at: Vec3,
    length: f32,
    /// Direction of the bone, in the frame of the joint.
    bone: Vec3,
    pixel: f32,
    lines: &'a mut Vec<Line>,
}

impl Arcs<'_> {
    fn turn(&mut self, world_from_rest: Quat, turn: &RotationLimit) {
        match turn {
            RotationLimit::Fixed | RotationLimit::Free => {}
            RotationLimit::Hinge { axis, range } => self.arc(world_from_rest, *axis, range),
            RotationLimit::Saddle { axes, ranges } => {
                for (axis, range) in axes.iter().zip(ranges) {
                    self.arc(world_from_rest, axis.vector(), range);
                }
            }
            RotationLimit::Euler { order, ranges } => {
                for (axis, range) in order.axes().iter().zip(ranges) {
                    self.arc(world_from_rest, axis.vector(), range);
                }
            }
            RotationLimit::Ball {
                axis, swing_rad, ..
            } => self.cone(world_from_rest, *axis, *swing_rad),
            RotationLimit::Framed(framed) => {
                let frame = framed.frame;
                let zero = frame.axes * frame.rest.conjugate();
                self.turn(world_from_rest * zero, &framed.rotation);
            }
        }
    }

    /// Adds the arc of the bone about an axis from the min to the max angle, and the sides of the sector.
    fn arc(&mut self, world_from_rest: Quat, axis: Vec3, range: &AngleRange) {
        const STEPS: u32 = 24;
        if !range.ends() {
            return;
        }
        let axis = axis.normalize_or(Vec3::X);
        let flat = self.bone.reject_from_normalized(axis);
        let across = if flat.length() > 0.1 * self.bone.length() {
            flat.normalize_or(axis.any_orthonormal_vector())
        } else {
            axis.any_orthonormal_vector()
        };
        let point = |part: f32| {
            let angle = range.min_rad + (range.max_rad - range.min_rad) * part;
            let turned = Quat::from_axis_angle(axis, angle) * across;
            self.at + world_from_rest * turned * self.length
        };
        let rim: Vec<Vec3> = (0..=STEPS)
            .map(|s| point(s as f32 / STEPS as f32))
            .collect();
        self.path(&rim, ARC);
        self.path(&[rim[0], self.at, rim[STEPS as usize]], ARC);
    }

    fn cone(&mut self, world_from_rest: Quat, axis: Vec3, swing_rad: f32) {
        const STEPS: u32 = 32;
        if swing_rad >= std::f32::consts::PI {
            return;
        }
        let axis = axis.normalize_or(Vec3::Y);
        let across = axis.any_orthonormal_vector();
        let (sin, cos) = swing_rad.sin_cos();
        let point = |step: u32| {
            let round = std::f32::consts::TAU * step as f32 / STEPS as f32;
            let side = Quat::from_axis_angle(axis, round) * across;
            self.at + world_from_rest * (axis * cos + side * sin) * self.length
        };
        let rim: Vec<Vec3> = (0..=STEPS).map(point).collect();
        for spoke in (0..STEPS as usize).step_by(8) {
            self.path(&[self.at, rim[spoke]], CONE);
        }
        self.path(&rim, CONE);
    }

    fn path(&mut self, points: &[Vec3], color: [f32; 4]) {
        let pairs = points.windows(2);
        self.lines.extend(pairs.map(|pair| Line {
            a: pair[0].to_array(),
            b: pair[1].to_array(),
            color,
            radii: [1.3 * self.pixel; 2],
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(limit: &RotationLimit, bone: Vec3) -> Vec<Line> {
        let mut lines = Vec::new();
        let mut arcs = Arcs {
            at: Vec3::Y,
            length: 0.2,
            bone,
            pixel: 0.001,
            lines: &mut lines,
        };
        arcs.turn(Quat::IDENTITY, limit);
        lines
    }

    #[test]
    fn the_arc_of_a_hinge_begins_and_ends_where_the_bone_stops() {
        let range = AngleRange {
            min_rad: -0.2,
            max_rad: 2.0,
        };
        let axis = Vec3::X;
        let lines = drawn(&RotationLimit::Hinge { axis, range }, Vec3::NEG_Y * 0.4);
        let stop = |angle: f32| Vec3::Y + Quat::from_rotation_x(angle) * Vec3::NEG_Y * 0.2;
        assert!(Vec3::from(lines[0].a).distance(stop(-0.2)) < 1e-5);
        assert!(Vec3::from(lines[23].b).distance(stop(2.0)) < 1e-5);
        // Both sides of the sector meet at the joint.
        assert_eq!(lines.len(), 26);
        assert_eq!(
            (lines[24].b, lines[25].a),
            ([0.0, 1.0, 0.0], [0.0, 1.0, 0.0])
        );
    }

    #[test]
    fn free_joints_have_no_lines() {
        assert!(drawn(&RotationLimit::Free, Vec3::Y).is_empty());
    }
}
