//! Lines over a pane: bones, axes, limits, normals and trajectories.

use super::scene::Scene;
use super::{limits, markers};
use crate::state::{Overlay, Selection, Surface};
use glam::Vec3;
use sinew::ModelPose;
use sinew_gpu::{Line, axes_lines, joint_color, skeleton_lines};

const LIT: [f32; 4] = [1.0, 0.3, 0.1, 1.0];

pub(super) fn lines(scene: &Scene<'_>) -> Vec<Line> {
    let state = scene.state;
    let has = |overlay| state.look.overlays.contains(&overlay);
    let character = &scene.file.character;
    let pose = &scene.posed.model;
    let world = &scene.world_from_model;
    let mut lines = Vec::new();
    let is_alone = !scene.has_mesh || state.look.surface == Surface::Hidden;
    if has(Overlay::Ghosts) {
        ghosts(scene, &mut lines);
    }
    if has(Overlay::Trajectories) {
        trajectories(scene, &mut lines);
    }
    if has(Overlay::Bones) || is_alone {
        let bones = skeleton_lines(
            &character.skeleton,
            pose,
            world,
            scene.pixel,
            pixels_per_unit(scene),
        );
        lines.extend(bones);
    }
    if has(Overlay::Limits) || is_at_limit(scene) {
        limits::lines(scene, pose, &mut lines);
    }
    if has(Overlay::Markers) {
        markers::lines(scene, &mut lines);
    }
    if has(Overlay::Axes) {
        let length = scene.radius * 0.07;
        lines.extend(axes_lines(pose, world, length, scene.pixel * 0.8));
    }
    if has(Overlay::NormalLines) {
        normals(scene, &mut lines);
    }
    if let Selection::Vertex { primitive, vertex } = state.selection
        && scene.file.id == state.shown
    {
        spot(scene, primitive, vertex, &mut lines);
    }
    if let Selection::Joint(joint) = state.selection
        && scene.file.id == state.shown
        && joint < pose.len()
    {
        selected(scene, pose, joint, &mut lines);
    }
    lines
}

/// True if the selected joint stopped at its limit in the last edit.
fn is_at_limit(scene: &Scene<'_>) -> bool {
    let skeleton = &scene.file.character.skeleton;
    match scene.state.selection {
        Selection::Joint(joint) if scene.file.id == scene.state.shown && joint < skeleton.len() => {
            let stopped = &scene.state.edited.at_limits;
            stopped.iter().any(|name| name == skeleton.name(joint))
        }
        _ => false,
    }
}

fn pixels_per_unit(scene: &Scene<'_>) -> f32 {
    let camera = scene.camera;
    let away = (camera.eye - camera.target).length();
    scene.rows / (2.0 * away * (camera.fov_y_rad / 2.0).tan())
}

/// Adds the selected joint, its bones and its axes, in colours that are visible on any surface.
fn selected(scene: &Scene<'_>, pose: &ModelPose, joint: usize, lines: &mut Vec<Line>) {
    let skeleton = &scene.file.character.skeleton;
    let here = scene.at(pose, joint);
    for child in skeleton.children(joint).filter(|&c| c < pose.len()) {
        lines.push(Line {
            a: here,
            b: scene.at(pose, child),
            color: LIT,
            radii: [4.0 * scene.pixel, 2.0 * scene.pixel],
        });
    }
    lines.push(Line {
        a: here,
        b: here,
        color: LIT,
        radii: [6.0 * scene.pixel; 2],
    });
}

/// Adds a line along the normal of each vertex, or of some vertices of a large mesh.
fn normals(scene: &Scene<'_>, lines: &mut Vec<Line>) {
    const MAX_LINES: usize = 20_000;
    const INK: [f32; 4] = [0.15, 0.55, 0.9, 0.9];
    let vertices = &scene.posed.vertices;
    let length = scene.radius * 0.02;
    for &[x, y, z, nx, ny, nz] in vertices
        .iter()
        .step_by(vertices.len().div_ceil(MAX_LINES).max(1))
    {
        let at = scene.world_from_model.transform_point(Vec3::new(x, y, z));
        let along = Vec3::new(nx, ny, nz).normalize_or_zero();
        lines.push(Line {
            a: at.to_array(),
            b: (at + along * length).to_array(),
            color: INK,
            radii: [0.8 * scene.pixel; 2],
        });
    }
}

fn spot(scene: &Scene<'_>, primitive: usize, vertex: usize, lines: &mut Vec<Line>) {
    let Some(first) = scene.posed.first_vertices.get(primitive) else {
        return;
    };
    let Some(&[x, y, z, ..]) = scene.posed.vertices.get(first + vertex) else {
        return;
    };
    let at = scene.world_from_model.transform_point(Vec3::new(x, y, z));
    for (color, radius) in [([0.0, 0.0, 0.0, 0.8], 8.0), (LIT, 6.0)] {
        lines.push(Line {
            a: at.to_array(),
            b: at.to_array(),
            color,
            radii: [radius * scene.pixel; 2],
        });
    }
}

/// Adds the trajectories of the selected joint, or of the ends of all limbs.
fn trajectories(scene: &Scene<'_>, lines: &mut Vec<Line>) {
    let skeleton = &scene.file.character.skeleton;
    let joints: Vec<usize> = match scene.state.selection {
        Selection::Joint(joint) if joint < skeleton.len() => vec![joint],
        _ => (0..skeleton.len())
            .filter(|&j| skeleton.children(j).next().is_none())
            .collect(),
    };
    let trajectories = &scene.posed.trajectories;
    let farthest = trajectories.iter().fold(1e-6, |far, w| w.0.abs().max(far));
    for pair in trajectories.windows(2) {
        let [(_, before), (after_secs, after)] = pair else {
            continue;
        };
        let fade = 1.0 - (after_secs.abs() / farthest) as f32;
        for &joint in joints
            .iter()
            .filter(|&&j| j < before.len() && j < after.len())
        {
            let [r, g, b] = joint_color(joint);
            lines.push(Line {
                a: scene.at(before, joint),
                b: scene.at(after, joint),
                color: [r, g, b, 0.25 + 0.7 * fade],
                radii: [1.6 * scene.pixel; 2],
            });
        }
    }
}

fn ghosts(scene: &Scene<'_>, lines: &mut Vec<Line>) {
    const BEFORE: Vec3 = Vec3::new(0.08, 0.25, 0.75);
    const AFTER: Vec3 = Vec3::new(0.75, 0.28, 0.05);
    let skeleton = &scene.file.character.skeleton;
    for (after_secs, pose) in scene.posed.ghosts.iter().filter(|g| g.0 != 0.0) {
        let color = if *after_secs < 0.0 { BEFORE } else { AFTER };
        let opacity = (0.85 - 1.2 * after_secs.abs() as f32).max(0.2);
        for joint in 0..skeleton.len().min(pose.len()) {
            if let Some(parent) = skeleton.parent(joint) {
                lines.push(Line {
                    a: scene.at(pose, parent),
                    b: scene.at(pose, joint),
                    color: color.extend(opacity).to_array(),
                    radii: [1.8 * scene.pixel; 2],
                });
            }
        }
    }
}
