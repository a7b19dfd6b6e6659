//! Random edits of files: the document is valid after each, exports come back, and undo restores every bit.

use crate::foreign::foreign;
use crate::khronos::{empty_folder, has_validator, validated};
use crate::scripts::every_edit;
use crate::support::{bits, edit, run};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use serde_json::{Value, json};
use sinew::clip::ClipLayer;
use sinew::{Character, Clip, sample_joint};
use sinew_edit::{Document, Editor};
use sinew_io::gltf::{ExportOptions, to_glb};

/// Edits that are run on all files together: all of them in `make soak`.
fn steps() -> usize {
    let is_soak = std::env::var_os("SINEW_SOAK").is_some();
    if is_soak { 10_200 } else { 600 }
}

/// A skinned glTF with several clips and a captured motion of other people, if they are there, and the mannequin.
fn files() -> Vec<Character> {
    let read = |name: &str, made: fn() -> Character| match foreign(name) {
        Some(path) => sinew_io::import(path).expect(name).character,
        None => made(),
    };
    vec![
        read("weights/artist/Fox.glb", sinew_samples::humanoid_character),
        read("bvh/cmu_09_01.bvh", sinew_samples::tube_character),
        sinew_samples::mannequin::Mannequin::default().build(),
    ]
}

/// Edits with random numbers, clips and joints. Many are refused, which must change nothing.
fn random_edit() -> impl Strategy<Value = Value> {
    let count = every_edit().len();
    (
        0..count,
        0..5_usize,
        0..20_usize,
        0.0..1.5_f32,
        -1.0..1.0_f32,
    )
        .prop_map(|(which, clip, joint, time, value)| {
            let mut edit = every_edit().swap_remove(which);
            let fields = edit.as_object_mut().expect("an object");
            for (name, field) in fields.iter_mut() {
                match name.as_str() {
                    "clip" => *field = json!(clip),
                    "joint" => *field = json!(joint),
                    "joints"
                        if field
                            .as_array()
                            .is_some_and(|list| list.iter().all(Value::is_string)) =>
                    {
                        *field = json!([joint, joint + 1]);
                    }
                    "time_secs" => *field = json!(time),
                    "by_secs" => *field = json!(value),
                    "keys" => {
                        *field = json!([{"joints": [joint], "from_secs": 0, "to_secs": time}]);
                    }
                    "name" => *field = json!(format!("clip {}", (time * 100.0) as u32)),
                    "over" => *field = json!({"clip": clip, "time_secs": time}),
                    "rotation" => {
                        *field = json!([value / 2.0, 0, 0, (1.0 - value * value / 4.0).sqrt()]);
                    }
                    "layer" => *field = json!(0),
                    _ => {}
                }
            }
            edit
        })
}

/// True for edits that would empty the document or make it grow without end.
fn is_skipped(document: &Document, edit: &Value) -> bool {
    let motions = document.motions();
    let lasts = motions.iter().map(|motion| motion.clip.duration_secs);
    let longest = lasts.fold(0.0, f32::max);
    match edit["do"].as_str().unwrap_or_default() {
        "delete_clip" => motions.len() < 2,
        "new_clip" | "copy_clip" | "split_clip" => motions.len() > 5,
        "retime_clip" | "resample_clip" | "scale_keys" | "move_keys" | "copy_keys" => {
            longest > 40.0
        }
        _ => false,
    }
}

#[test]
fn random_edits_are_undone_and_redone_to_the_bit() {
    let mut runner = TestRunner::deterministic();
    let folder = empty_folder("edited");
    let files = files();
    let per_file = steps() / files.len();
    // Every 50th edit comes back from a file; all of these files, but at least 100 for the validator.
    let between = (per_file * files.len() / 102).clamp(1, 50);
    let mut written = 0;
    for (file, character) in files.into_iter().enumerate() {
        let first = bits(&character);
        let mut editor = Editor::new(character);
        editor.set_max_bytes(usize::MAX);
        run(&mut editor, json!({"do": "new_clip", "name": "own"}));
        let (mut tried, mut done) = (0, 1);
        while done < per_file {
            let value = random_edit()
                .new_tree(&mut runner)
                .expect("an edit")
                .current();
            tried += 1;
            assert!(
                tried < 100 * per_file,
                "{done} of {tried} edits were accepted"
            );
            if is_skipped(editor.document(), &value) {
                continue;
            }
            let before = editor.document().clone();
            if editor.run(edit(value.clone())).is_err() {
                assert_eq!(*editor.document().pose(), *before.pose(), "{value}");
                assert_eq!(editor.document().motions(), before.motions(), "{value}");
                continue;
            }
            done += 1;
            let motions = editor.document().motions().iter();
            motions.for_each(|motion| check(&motion.clip, &value));
            if done % between == 0 {
                let now = editor.document().character();
                now.check()
                    .unwrap_or_else(|error| panic!("{value}: {error}"));
                let bytes = to_glb(&now, &ExportOptions::default()).expect("an export");
                let back = sinew_io::import_bytes(&bytes).expect("a file").character;
                is_same(&now, &back, &value);
                std::fs::write(folder.join(format!("{file}-{done}.glb")), bytes).expect("written");
                written += 1;
            }
        }
        all_undone_and_redone(&mut editor, done, &first);
    }
    assert!(written >= 100, "{written} files");
    if has_validator() {
        let said = validated(&folder);
        assert!(
            said.contains(&format!("{written} files, 0 errors")),
            "{said}"
        );
    }
}

fn all_undone_and_redone(editor: &mut Editor, done: usize, first: &[u32]) {
    let last = (
        bits(&editor.document().character()),
        editor.document().pose().clone(),
        editor.document().motions().to_vec(),
    );
    let mut undone = 0;
    while editor.undo().is_some() {
        undone += 1;
    }
    assert_eq!(undone, done);
    assert!(bits(&editor.document().character()) == first);
    assert!(editor.document().pose().is_empty() && !editor.is_changed());
    while editor.redo().is_some() {}
    assert!(bits(&editor.document().character()) == last.0);
    assert_eq!(*editor.document().pose(), last.1);
    assert!(editor.document().motions() == last.2);
}

/// Checks the rules that every clip satisfies after an edit.
fn check(clip: &Clip, edit: &Value) {
    let end = clip
        .tracks()
        .map(sinew::Track::end_secs)
        .fold(0.0, f32::max);
    assert!(
        end <= clip.duration_secs,
        "{edit}: a key at {end} s after {} s",
        clip.duration_secs
    );
    assert!(
        clip.joints
            .windows(2)
            .all(|pair| pair[0].joint < pair[1].joint),
        "{edit}"
    );
    assert!(
        clip.events
            .windows(2)
            .all(|pair| pair[0].time_secs <= pair[1].time_secs),
        "{edit}"
    );
    assert!(clip.tracks().all(|track| track.times()[0] >= 0.0), "{edit}");
}

/// A file holds what was edited: clips, keys, events, curves and layers. glTF has no clips without keys.
fn is_same(now: &Character, back: &Character, edit: &Value) {
    assert_eq!(back.skeleton.len(), now.skeleton.len(), "{edit}");
    let keyed = |character: &Character| -> Vec<Clip> {
        let clips = character.clips.iter();
        let clips = clips.filter(|clip| !clip.joints.is_empty() || !clip.morphs.is_empty());
        clips.cloned().collect()
    };
    let layers = |character: &Character| -> Vec<(String, Vec<ClipLayer>)> {
        let layers = character.layers.iter().filter(|own| {
            let clip = &character.clips[own.clip];
            !clip.joints.is_empty()
        });
        let named = layers.map(|own| {
            let name = character.clips[own.clip].name.clone();
            (name, own.layers.clone())
        });
        named.collect()
    };
    let (ours, theirs) = (keyed(now), keyed(back));
    let names =
        |clips: &[Clip]| -> Vec<String> { clips.iter().map(|clip| clip.name.clone()).collect() };
    assert_eq!(names(&theirs), names(&ours), "{edit}");
    for ((clip, a), (of, b)) in layers(now).iter().zip(&layers(back)) {
        let outline = |layers: &[ClipLayer]| -> Vec<_> {
            let layers = layers.iter().map(|layer| {
                let joints = layer.tracks.iter().map(|tracks| tracks.joint);
                let joints: Vec<usize> = joints.collect();
                (layer.name.clone(), layer.additive, layer.weight, joints)
            });
            layers.collect()
        };
        assert_eq!(clip, of, "{edit}");
        assert_eq!(outline(a), outline(b), "{edit}");
    }
    assert_eq!(layers(now).len(), layers(back).len(), "{edit}");
    for (a, b) in ours.iter().zip(&theirs) {
        let what = || format!("{edit}: clip \"{}\"", a.name);
        assert!(
            (a.duration_secs - b.duration_secs).abs() <= 1e-5 * a.duration_secs,
            "{}",
            what()
        );
        assert_eq!(a.events, b.events, "{}", what());
        assert_eq!(a.curves, b.curves, "{}", what());
        for joint in 0..now.skeleton.len() {
            for channel in [
                sinew::clip::Channel::Translation,
                sinew::clip::Channel::Rotation,
                sinew::clip::Channel::Scale,
            ] {
                let [ours, theirs] = [a, b].map(|clip| {
                    clip.track(joint, channel)
                        .map(|track| track.times().clone())
                });
                assert_eq!(
                    ours,
                    theirs,
                    "{}: {channel:?} of {}",
                    what(),
                    now.skeleton.name(joint)
                );
            }
            for part in 0..=4_u8 {
                let time = f64::from(a.duration_secs) * f64::from(part) / 4.0;
                let [ours, theirs] =
                    [a, b].map(|clip| sample_joint(clip, &now.skeleton, joint, time));
                let size = 1.0 + ours.translation.length();
                let is_near = (ours.translation - theirs.translation).length() < 1e-4 * size
                    && ours
                        .rotation
                        .normalize()
                        .dot(theirs.rotation.normalize())
                        .abs()
                        > 1.0 - 1e-5
                    && (ours.scale - theirs.scale).length() < 1e-4 * ours.scale.length();
                assert!(
                    is_near,
                    "{}: {} at {time} s: {ours:?} came back as {theirs:?}",
                    what(),
                    now.skeleton.name(joint)
                );
            }
        }
    }
}
