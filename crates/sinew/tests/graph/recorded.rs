//! State machines kept as clips.

use super::{JOINTS, build, clips, locomotion, skeleton};
use sinew::batch::{RecordError, Setting};
use sinew::root_motion::RootAxes;
use sinew::{Character, LocalPose, sample};

fn character() -> Character {
    Character {
        clips: clips(),
        ..Character::from_skeleton(skeleton())
    }
}

fn setting(parameter: &str, value: f32, at_secs: f64) -> Setting {
    Setting {
        parameter: parameter.to_owned(),
        value,
        at_secs,
    }
}

#[test]
fn a_recording_shows_what_the_player_shows() {
    let character = character();
    let graph = build(&locomotion(), &clips()).expect("good");
    let settings = [setting("jump", 1.0, 1.5), setting("speed", 2.0, 0.5)];
    let recording = graph.record(&character, &settings, 3.0, 60.0);
    let recording = recording.expect("recorded");
    assert_eq!(recording.clip.duration_secs, 3.0);
    let mut player = graph.player();
    let mut poses = [(); 2].map(|()| LocalPose::identity(JOINTS));
    for frame in 0..=180 {
        player
            .update(if frame == 0 { 0.0 } else { 1.0 / 60.0 }, |_| {})
            .expect("a step");
        for (at, name, value) in [(30, "speed", 2.0), (90, "jump", 1.0)] {
            if frame == at {
                player.set(name, value).expect("there");
                player.update(0.0, |_| {}).expect("a step");
            }
        }
        let [shown, kept] = &mut poses;
        player.pose_into(shown).expect("a pose");
        let time = f64::from(frame) / 60.0;
        sample(&recording.clip, &character.skeleton, time, kept).expect("a pose");
        for joint in 0..JOINTS {
            let (shown, kept) = (shown.get(joint), kept.get(joint));
            let moved = shown.translation.distance(kept.translation);
            let turned = 1.0 - shown.rotation.dot(kept.rotation).abs();
            assert!(moved < 1e-4 && turned < 1e-5, "{frame}: {moved} {turned}");
        }
    }
    let entered = recording.entered.iter();
    let states: Vec<&str> = entered.clone().map(|e| e.state.as_str()).collect();
    assert_eq!(states, ["idle", "move", "jump", "move"]);
    for (entered, at) in entered.zip([0.0, 0.5, 1.5, 2.25]) {
        let late = entered.time_secs - at;
        assert!((-1e-9..=1.01 / 60.0).contains(&late), "{entered:?}");
        assert_eq!(entered.layer, None);
    }
    assert!(
        recording
            .clip
            .events
            .iter()
            .any(|event| event.name == "left")
    );
}

#[test]
fn a_recording_with_root_motion_travels() {
    let character = character();
    let graph = build(&locomotion(), &clips()).expect("good");
    let ahead = |graph: &sinew::graph::Graph| {
        let settings = [setting("speed", 1.0, 0.0)];
        let recording = graph.record(&character, &settings, 5.0, 30.0);
        let clip = recording.expect("recorded").clip;
        let mut pose = LocalPose::identity(JOINTS);
        let at = |frame: u32| {
            let time = f64::from(frame) / 30.0;
            sample(&clip, &character.skeleton, time, &mut pose).expect("a pose");
            pose.get(0).translation.z
        };
        (0..=150).map(at).collect::<Vec<f32>>()
    };
    let still = ahead(&graph);
    assert!(still.iter().all(|z| (-0.1..1.6).contains(z)));
    let graph = graph.with_root_joint("joint 0", RootAxes::GROUND);
    let travels = ahead(&graph.expect("a root"));
    // 1.5 in 1.25 s, after a short fade.
    let end = travels[150];
    assert!((5.0..6.1).contains(&end), "{end}");
    assert!(travels.windows(2).all(|two| two[1] - two[0] < 0.1));
}

#[test]
fn what_cannot_be_recorded_is_said() {
    let character = character();
    let graph = build(&locomotion(), &clips()).expect("good");
    let late = [setting("spede", 1.0, 9.0)];
    let unknown = graph.record(&character, &late, 1.0, 30.0).unwrap_err();
    assert!(
        unknown.to_string().contains("did you mean speed"),
        "{unknown}"
    );
    for (duration, fps) in [(0.0, 30.0), (1.0, f64::NAN), (1e9, 30.0), (-1.0, 30.0)] {
        let refused = graph.record(&character, &[], duration, fps).unwrap_err();
        assert!(matches!(refused, RecordError::Frames { .. }), "{refused}");
    }
    let nan = [setting("speed", f32::NAN, 0.5)];
    assert!(graph.record(&character, &nan, 1.0, 30.0).is_err());
}
