//! Large files for tests and benchmarks: captures, many clips, many vertices; and events of drags on them.

use glam::{Quat, Vec3};
use serde_json::{Value, json};
use sinew::clip::{Channel, Track};
use sinew::{Character, Clip, Interpolation};
use std::sync::Arc;

/// Frames per second of the captures.
const FPS: f32 = 60.0;

/// Motion of the first joints with a key per frame in each rotation, and in the translation of the root.
fn capture(name: &str, joints: usize, frames: usize) -> Clip {
    let mut clip = Clip::new(name);
    let times: Arc<Vec<f32>> = Arc::new((0..frames).map(|frame| frame as f32 / FPS).collect());
    let angle = |joint: usize, frame: usize| 0.3 * (0.05 * frame as f32 + joint as f32).sin();
    for joint in 0..joints {
        let rotations = (0..frames).flat_map(|frame| {
            let rotation = Quat::from_rotation_x(angle(joint, frame));
            rotation.to_array()
        });
        let values: Vec<f32> = rotations.collect();
        let track = Track::new(times.clone(), values, 4, Interpolation::Slerp).expect("keys");
        clip.set_track(joint, Channel::Rotation, Some(track))
            .expect("a channel");
    }
    let positions =
        (0..frames).flat_map(|frame| Vec3::new(0.0, 1.0, 0.01 * frame as f32).to_array());
    let values: Vec<f32> = positions.collect();
    let track = Track::new(times, values, 3, Interpolation::Linear).expect("keys");
    clip.set_track(0, Channel::Translation, Some(track))
        .expect("a channel");
    clip
}

fn person() -> Character {
    sinew_samples::mannequin::Mannequin::default().build()
}

/// A capture of 4,500 frames and 38 joints.
pub fn captured() -> Character {
    let mut character = person();
    character.clips = vec![capture("walk", 38, 4500)];
    character
}

/// A file of 76 clips.
pub fn many_clips() -> Character {
    let mut character = person();
    let joints = character.skeleton.len();
    let clips = (0..75).map(|clip| capture(&format!("clip {clip}"), joints, 90));
    character.clips = std::iter::once(capture("walk", joints, 90))
        .chain(clips)
        .collect();
    character
}

/// A body of at least 112,000 vertices.
pub fn heavy_body() -> Character {
    let mut character = person();
    character.clips = vec![capture("walk", 38, 900)];
    let vertices = |character: &Character| -> usize {
        let meshes = character.meshes.iter();
        let primitives = meshes.flat_map(|mesh| &mesh.primitives);
        primitives.map(|part| part.positions.len()).sum()
    };
    let own = character.meshes.clone();
    while vertices(&character) < 112_000 {
        character.meshes.extend(own.iter().cloned());
    }
    character
}

/// Event of a drag that changes something by an amount.
pub type Event = fn(f32) -> Value;

/// Events of drags, with their names.
pub fn drags() -> Vec<(&'static str, Event)> {
    vec![
        ("rotate", |by| {
            json!({"do": "rotate", "joints": ["left_upper_arm"], "rotation": [by, 0, 0, (1.0 - by * by).sqrt()],
                "over": {"clip": "walk", "time_secs": 0.5}})
        }),
        ("pose", |by| {
            json!({"do": "pose", "joints": [{"joint": "head", "rotation": [0, by, 0, (1.0 - by * by).sqrt()]}],
                "over": {"clip": "walk", "time_secs": 0.5}})
        }),
        ("reach", |by| {
            json!({"do": "reach", "joint": "left_hand", "position": [0.3, 1.2 + by, 0.4],
                "over": {"clip": "walk", "time_secs": 0.5}})
        }),
        ("reach with a pin", |by| {
            json!({"do": "reach", "joint": "left_hand", "position": [0.3, 1.2 + by, 0.4], "from": "hips",
                "pins": ["left_foot", "right_foot"], "over": {"clip": "walk", "time_secs": 0.5}})
        }),
        (
            "move_keys of a pose",
            |by| json!({"do": "move_keys", "clip": "walk", "keys": [{"from_secs": 0.495, "to_secs": 0.505}], "by_secs": 0.01 * by}),
        ),
        (
            "move_keys of all",
            |by| json!({"do": "move_keys", "clip": "walk", "keys": [{"from_secs": 0, "to_secs": 100}], "by_secs": by}),
        ),
        ("insert_key", |by| {
            json!({"do": "insert_key", "clip": "walk", "joint": "head", "time_secs": 0.5,
                "rotation": [by, 0, 0, (1.0 - by * by).sqrt()], "limits": "allow"})
        }),
        ("insert_key in a layer", |by| {
            json!({"do": "insert_key", "clip": "layered", "layer": "fix", "joint": "head", "time_secs": 0.5,
                "rotation": [by, 0, 0, (1.0 - by * by).sqrt()], "limits": "allow"})
        }),
    ]
}

/// Edits that add a clip `layered`: a copy of `walk` with an additive layer over all joints.
pub fn layered() -> [Value; 3] {
    [
        json!({"do": "copy_clip", "clip": "walk", "name": "layered"}),
        json!({"do": "add_layer", "clip": "layered", "name": "fix"}),
        json!({"do": "key_pose", "clip": "layered", "layer": "fix", "time_secs": 0.2, "whole": true}),
    ]
}
