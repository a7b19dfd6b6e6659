//! Lines over a pane: bones, axes, limits, normals, the ways of joints.

use super::{limits, posed};
use crate::document::OpenFile;
use crate::session::Session;
use crate::state::{Overlay, Selection, Surface};
use glam::Vec3;
use sinew::{Affine, LocalPose, ModelPose, sample};
use sinew_gpu::{Camera, Line, axes_lines, joint_color, skeleton_lines};

/// What lines are drawn over.
pub(super) struct Scene<'a> {
    pub session: &'a Session,
    pub file: &'a OpenFile,
    pub pose: &'a posed::Posed,
    pub world_from_model: Affine,
    pub camera: &'a Camera,
    pub radius: f32,
    /// Of the picture.
    pub rows: f32,
    /// Pixels of the picture to one of the window.
    pub pixel: f32,
    pub has_mesh: bool,
}

/// Moments to either side of now that a way shows.
const WAY_STEPS: i32 = 24;

/// Seconds between them.
const WAY_STEP_SECS: f64 = 1.0 / 30.0;

/// All lines that the state asks for.
pub(super) fn lines(scene: &Scene<'_>) -> Vec<Line> {
    let state = scene.session.state();
    let has = |overlay| state.look.overlays.contains(&overlay);
    let character = &scene.file.character;
    let pose = &scene.pose.model;
    let world = &scene.world_from_model;
    let mut lines = Vec::new();
    let is_alone = !scene.has_mesh || state.look.surface == Surface::Hidden;
    if has(Overlay::Ghosts) {
        ghosts(scene, &mut lines);
    }
    if has(Overlay::Trajectories) {
        ways(scene, &mut lines);
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
    if has(Overlay::Limits) {
        limits::lines(scene, pose, &mut lines);
    }
    if has(Overlay::Axes) {
        let length = scene.radius * 0.07;
        lines.extend(axes_lines(pose, world, length, scene.pixel * 0.8));
    }
    if let Selection::Joint(joint) = state.selection
        && scene.file.id == state.shown
        && joint < pose.len()
    {
        selected(scene, pose, joint, &mut lines);
    }
    lines
}

fn pixels_per_unit(scene: &Scene<'_>) -> f32 {
    let camera = scene.camera;
    let away = (camera.eye - camera.target).length();
    scene.rows / (2.0 * away * (camera.fov_y_rad / 2.0).tan())
}

/// The selected joint, its bones and its axes, so that it is found on any surface.
fn selected(scene: &Scene<'_>, pose: &ModelPose, joint: usize, lines: &mut Vec<Line>) {
    const LIT: [f32; 4] = [1.0, 0.3, 0.1, 1.0];
    let skeleton = &scene.file.character.skeleton;
    let at = |j: usize| {
        let model = pose.get(j).translation();
        scene.world_from_model.transform_point(model)
    };
    let here = at(joint);
    for child in skeleton.children(joint).filter(|&c| c < pose.len()) {
        lines.push(Line {
            a: here.to_array(),
            b: at(child).to_array(),
            color: LIT,
            radii: [4.0 * scene.pixel, 2.0 * scene.pixel],
        });
    }
    lines.push(Line {
        a: here.to_array(),
        b: here.to_array(),
        color: LIT,
        radii: [6.0 * scene.pixel; 2],
    });
}

/// Where joints were and will be: those of the selection, or the ends of all limbs.
fn ways(scene: &Scene<'_>, lines: &mut Vec<Line>) {
    let state = scene.session.state();
    let character = &scene.file.character;
    let Some(clip) = state.playback.clip.and_then(|c| character.clips.get(c)) else {
        return;
    };
    let skeleton = &character.skeleton;
    let joints: Vec<usize> = match state.selection {
        Selection::Joint(joint) if joint < skeleton.len() => vec![joint],
        _ => (0..skeleton.len())
            .filter(|&j| skeleton.children(j).next().is_none())
            .collect(),
    };
    let mut local = LocalPose::identity(0);
    let mut before: Option<(ModelPose, i32)> = None;
    for step in -WAY_STEPS..=WAY_STEPS {
        let time = state.playback.time_secs + f64::from(step) * WAY_STEP_SECS;
        if time < 0.0 || time > f64::from(clip.duration_secs) {
            continue;
        }
        sample(clip, skeleton, time, &mut local);
        let pose = posed::model(character, &local);
        if let Some((before, at)) = &before
            && at + 1 == step
        {
            let fade = 1.0 - step.unsigned_abs() as f32 / (WAY_STEPS + 1) as f32;
            for &joint in &joints {
                let [r, g, b] = joint_color(joint);
                let ends = [before, &pose].map(|pose| {
                    let model = pose.get(joint).translation();
                    scene.world_from_model.transform_point(model).to_array()
                });
                lines.push(Line {
                    a: ends[0],
                    b: ends[1],
                    color: [r, g, b, 0.25 + 0.7 * fade],
                    radii: [1.6 * scene.pixel; 2],
                });
            }
        }
        before = Some((pose, step));
    }
}

/// Bones a few moments ago, and a few moments on.
fn ghosts(scene: &Scene<'_>, lines: &mut Vec<Line>) {
    const GHOSTS: i32 = 3;
    const APART_SECS: f64 = 0.12;
    const BEFORE: Vec3 = Vec3::new(0.08, 0.25, 0.75);
    const AFTER: Vec3 = Vec3::new(0.75, 0.28, 0.05);
    let state = scene.session.state();
    let character = &scene.file.character;
    let Some(clip) = state.playback.clip.and_then(|c| character.clips.get(c)) else {
        return;
    };
    let skeleton = &character.skeleton;
    let mut local = LocalPose::identity(0);
    for step in (-GHOSTS..=GHOSTS).filter(|&s| s != 0) {
        let time = state.playback.time_secs + f64::from(step) * APART_SECS;
        if time < 0.0 || time > f64::from(clip.duration_secs) {
            continue;
        }
        sample(clip, skeleton, time, &mut local);
        let pose = posed::model(character, &local);
        let color = if step < 0 { BEFORE } else { AFTER };
        let opacity = 0.75 - 0.2 * (step.unsigned_abs() - 1) as f32;
        let at = |j: usize| {
            let model = pose.get(j).translation();
            scene.world_from_model.transform_point(model).to_array()
        };
        for joint in 0..skeleton.len() {
            if let Some(parent) = skeleton.parent(joint) {
                lines.push(Line {
                    a: at(parent),
                    b: at(joint),
                    color: color.extend(opacity).to_array(),
                    radii: [1.8 * scene.pixel; 2],
                });
            }
        }
    }
}
