//! Findings about odd contents of any format.

use sinew::clip::Interpolation;
use sinew::transform::Transform;
use sinew::{Character, Clip, Joint, Skeleton, Track};
use sinew_io::gltf::{ExportOptions, to_glb};
use sinew_io::import_bytes;
use sinew_io::report::Severity;

fn arm(names: [&str; 2], far: f32) -> Character {
    let rest = Transform::from_translation(glam::Vec3::Y);
    let joints = names.iter().zip([None, Some(0)]);
    let joints = joints
        .map(|(name, parent)| Joint::new(*name, parent, rest))
        .collect();
    let mut character = Character::from_skeleton(Skeleton::new(joints).unwrap().0);
    for name in ["wave", "wave"] {
        let mut clip = Clip::new(name);
        let keys = [glam::Vec3::ZERO, glam::Vec3::new(0.0, far, 0.0)];
        let track = Track::vectors(vec![0.0, 1.0], &keys, Interpolation::Linear).unwrap();
        clip.joint_mut(1).translation = Some(track);
        clip.fit_duration();
        character.clips.push(clip);
    }
    character
}

fn notes(character: &Character) -> Vec<(&'static str, String)> {
    let bytes = to_glb(character, &ExportOptions::default()).unwrap();
    let import = import_bytes(&bytes).unwrap();
    let notes = import.report.of(Severity::Note);
    notes.map(|note| (note.code, note.to_string())).collect()
}

#[test]
fn equal_names_are_said_with_how_they_are_told_apart() {
    let said = notes(&arm(["bone", "bone"], 1.0));
    let [(_, joints), (_, clips)] = &said[..] else {
        panic!("{said:?}");
    };
    assert!(
        joints.contains("2 joints are named \"bone\" (0, 1)"),
        "{joints}"
    );
    assert!(joints.contains("by number"), "{joints}");
    assert!(
        clips.contains("2 clips are named \"wave\" (0, 1)"),
        "{clips}"
    );
    assert!(clips.contains("--clip NUMBER"), "{clips}");
}

#[test]
fn keys_far_beyond_the_body_are_said() {
    let codes = |far: f32| -> usize {
        let notes = notes(&arm(["upper", "lower"], far));
        notes
            .iter()
            .filter(|(code, _)| *code == "KEY_OUT_OF_RANGE")
            .count()
    };
    assert_eq!(codes(1000.0), 0);
    // One finding per clip. The body is two metres tall.
    assert_eq!(codes(3e6), 2);
    assert_eq!(codes(3e38), 2);
}
