//! Drags on large files: CPU time of one event, and memory of many edits.

use crate::support::{edit, run};
use glam::{Quat, Vec3};
use serde_json::{Value, json};
use sinew::clip::{Channel, Track};
use sinew::{Character, Clip, Interpolation};
use sinew_edit::{Document, Editor};
use std::sync::Arc;

/// Max CPU time of one event of a drag, in milliseconds: three times the goal of 16 ms, for busy machines and debug builds.
const MAX_MS: f64 = 48.0;

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
fn captured() -> Character {
    let mut character = person();
    character.clips = vec![capture("walk", 38, 4500)];
    character
}

/// A file of 76 clips.
fn many_clips() -> Character {
    let mut character = person();
    let joints = character.skeleton.len();
    let clips = (0..75).map(|clip| capture(&format!("clip {clip}"), joints, 90));
    character.clips = std::iter::once(capture("walk", joints, 90))
        .chain(clips)
        .collect();
    character
}

/// A body of at least 112,000 vertices.
fn heavy_body() -> Character {
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

/// Makes a file.
type Made = fn() -> Character;

/// CPU time of this thread, in milliseconds. Other programs do not count.
fn cpu_ms() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    let nanos: f64 = text.split_whitespace().next()?.parse().ok()?;
    Some(nanos / 1e6)
}

/// Event of a drag that changes something by an amount.
type Event = fn(f32) -> Value;

/// Events of drags, with their names.
fn drags() -> Vec<(&'static str, Event)> {
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
    ]
}

/// CPU time of an event of a drag, in milliseconds: the least mean of some runs. The clock ticks every few milliseconds.
fn event_ms(editor: &mut Editor, event: Event) -> Option<f64> {
    const EVENTS: u8 = 20;
    let mut least = f64::INFINITY;
    for _ in 0..3 {
        let begin = cpu_ms()?;
        for step in 1..=EVENTS {
            let event = edit(event(0.01 * f32::from(step)));
            editor.drag(event).expect("an event");
        }
        // A thread that rests is counted to the end.
        std::thread::sleep(std::time::Duration::from_millis(1));
        least = least.min((cpu_ms()? - begin) / f64::from(EVENTS));
    }
    editor.cancel();
    Some(least)
}

#[test]
fn an_event_of_a_drag_costs_little() {
    let files: [(&str, Made); 3] = [
        ("4,500 frames x 38 joints", captured),
        ("76 clips", many_clips),
        ("112,000 vertices", heavy_body),
    ];
    let mut slow = Vec::new();
    for (file, made) in files {
        let mut editor = Editor::new(made());
        run(
            &mut editor,
            json!({"do": "copy_clip", "clip": "walk", "name": "layered"}),
        );
        run(
            &mut editor,
            json!({"do": "add_layer", "clip": "layered", "name": "fix"}),
        );
        let joints = json!({"do": "key_pose", "clip": "layered", "layer": "fix", "time_secs": 0.2, "whole": true});
        run(&mut editor, joints);
        let layered: Event = |by| {
            json!({"do": "insert_key", "clip": "layered", "layer": "fix", "joint": "head", "time_secs": 0.5,
                "rotation": [by, 0, 0, (1.0 - by * by).sqrt()], "limits": "allow"})
        };
        for (name, event) in drags()
            .into_iter()
            .chain([("insert_key in a layer", layered)])
        {
            let Some(ms) = event_ms(&mut editor, event) else {
                println!("SKIPPED: no CPU time of a thread on this system");
                return;
            };
            println!("{file}: {name}: {ms:.2} ms");
            if ms > MAX_MS {
                slow.push(format!("{file}: {name}: {ms:.1} ms"));
            }
        }
    }
    assert!(slow.is_empty(), "{slow:?}");
}

/// Memory of the tracks that an edit replaced, in bytes.
fn changed_bytes(before: &Document, after: &Document) -> usize {
    let arrays = |document: &Document| -> std::collections::BTreeMap<usize, usize> {
        let motions = document.motions().iter();
        let tracks = motions.flat_map(|motion| motion.clip.tracks());
        let arrays = tracks.flat_map(|track| [track.times(), track.values()]);
        arrays
            .map(|array| (Arc::as_ptr(array).addr(), size_of_val(&array[..])))
            .collect()
    };
    let after_arrays = arrays(after);
    let gone = arrays(before).into_iter();
    let gone = gone.filter(|(address, _)| !after_arrays.contains_key(address));
    gone.map(|(_, size)| size).sum()
}

#[test]
fn a_thousand_edits_of_a_capture_keep_at_most_twice_what_they_changed() {
    for is_layered in [false, true] {
        let mut editor = Editor::new(captured());
        if is_layered {
            run(
                &mut editor,
                json!({"do": "add_layer", "clip": "walk", "name": "fix"}),
            );
            let joints = json!({"do": "key_pose", "clip": "walk", "layer": "fix", "time_secs": 0.2, "whole": true});
            run(&mut editor, joints);
        }
        let base = editor.bytes();
        let mut changed = 0;
        let count = if is_layered { 60 } else { 1000 };
        for step in 0..count {
            let joint = ["head", "left_upper_arm", "hips"][step % 3];
            let before = editor.document().clone();
            let mut key = json!({"do": "insert_key", "clip": "walk", "joint": joint,
                "time_secs": 0.07 * step as f64 + 0.01, "rotation": [0, 0, 0, 1]});
            if is_layered {
                key["layer"] = json!("fix");
            }
            run(&mut editor, key);
            // One track, and the same in the layer and below it.
            changed += 4504 * 5 * size_of::<f32>();
            assert!(changed_bytes(&before, editor.document()) > 0);
        }
        let kept = editor.bytes() - base;
        assert!(
            kept <= 2 * changed,
            "layered {is_layered}: {kept} bytes for {changed}"
        );
        println!("layered {is_layered}: {kept} bytes for {changed} changed by {count} edits");
    }
}
