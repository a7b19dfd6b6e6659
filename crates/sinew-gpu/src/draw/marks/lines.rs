//! Lines over a picture: bones, axes of joints, or any other line.

use crate::draw::surface::weight_colors::joint_color;
use bytemuck::{Pod, Zeroable};
use glam::Vec3;
use sinew::{Affine, ModelPose, Skeleton};
use wgpu::{VertexBufferLayout, VertexStepMode, vertex_attr_array};

/// Line with round ends and a dark rim, drawn over everything else. It has 48 bytes.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
pub struct Line {
    /// Start in world space.
    pub a: [f32; 3],
    /// End in world space.
    pub b: [f32; 3],
    /// Linear red, green, blue and opacity.
    pub color: [f32; 4],
    /// Half width at both ends, in pixels.
    pub radii: [f32; 2],
}

impl Line {
    pub(crate) const LAYOUT: VertexBufferLayout<'static> = VertexBufferLayout {
        array_stride: size_of::<Self>() as u64,
        step_mode: VertexStepMode::Instance,
        attributes: &vertex_attr_array![
            0 => Float32x3, 1 => Float32x3, 2 => Float32x4, 3 => Float32x2
        ],
    };
}

/// Lines for a skeleton: a tapering bone with a dark outline from each joint to its children, and a
/// dot per joint. `pixel` is a factor on widths, 1 for a picture of 720 rows. `pixels_per_unit`, in
/// pixels per world unit, limits the thickness of short bones.
#[doc(alias = "bones")]
pub fn skeleton_lines(
    skeleton: &Skeleton,
    pose: &ModelPose,
    world_from_model: &Affine,
    pixel: f32,
    pixels_per_unit: f32,
) -> Vec<Line> {
    const BONE: [f32; 4] = [0.92, 0.9, 0.82, 1.0];
    const OUTLINE: [f32; 4] = [0.004, 0.005, 0.007, 1.0];
    let at = |joint: usize| world_from_model.transform_point(pose.get(joint).translation());
    // The dark rim reduces the bright part by about two pixels.
    let thick = (5.5 * pixel).max(4.2);
    let thin = (2.6 * pixel).max(2.4);
    let mut lines = Vec::new();
    let joints = skeleton.len().min(pose.len());
    let mut shortest = vec![f32::INFINITY; joints];
    for joint in 0..joints {
        let Some(parent) = skeleton.parent(joint) else {
            continue;
        };
        let (a, b) = (at(parent), at(joint));
        let length = (b - a).length() * pixels_per_unit;
        for end in [parent, joint] {
            shortest[end] = shortest[end].min(length);
        }
        let base = (0.16 * length).clamp(thin, thick);
        for (color, more) in [(OUTLINE, 0.8), (BONE, 0.0)] {
            lines.push(Line {
                a: a.to_array(),
                b: b.to_array(),
                color,
                radii: [base + more, thin.min(base) + more],
            });
        }
    }
    for (joint, &shortest) in shortest.iter().enumerate() {
        let [r, g, b] = joint_color(joint);
        let radius = (0.3 * shortest).clamp(thin, thick);
        for (color, more) in [(OUTLINE, 0.8), ([r, g, b, 1.0], 0.0)] {
            lines.push(Line {
                a: at(joint).to_array(),
                b: at(joint).to_array(),
                color,
                radii: [radius + more; 2],
            });
        }
    }
    lines
}

/// Lines for the axes of every joint: x red, y green, z blue, each `length` world units long.
pub fn axes_lines(
    pose: &ModelPose,
    world_from_model: &Affine,
    length: f32,
    pixel: f32,
) -> Vec<Line> {
    const COLORS: [[f32; 4]; 3] = [
        [0.8, 0.04, 0.03, 1.0],
        [0.08, 0.55, 0.05, 1.0],
        [0.05, 0.15, 0.9, 1.0],
    ];
    let mut lines = Vec::new();
    for model_from_joint in pose.as_slice() {
        let world_from_joint = *world_from_model * *model_from_joint;
        let origin = world_from_joint.translation();
        for (axis, color) in [Vec3::X, Vec3::Y, Vec3::Z].into_iter().zip(COLORS) {
            let along = world_from_joint.transform_vector(axis).normalize_or_zero();
            lines.push(Line {
                a: origin.to_array(),
                b: (origin + along * length).to_array(),
                color,
                radii: [2.2 * pixel; 2],
            });
        }
    }
    lines
}
