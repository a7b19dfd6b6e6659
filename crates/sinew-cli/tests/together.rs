//! Capture, inverse kinematics and effects in one clip.

use crate::foreign::foreign;
use crate::posed_by::posed_by;
use crate::program::{folder, good, json};
use crate::together_motion::{self as motion, FPS, GRIP, STAYS, Together};

use glam::Vec3;
use sinew::binding::{Target, events};
use sinew::transform::quat;
use sinew::{Character, LocalPose, ModelPose, Player, Wrap};
use sinew_gpu::StageCurves;
use sinew_io::gltf::{self, ExportOptions};

/// Real captures of a walk and of a run, if the folder exists.
const CAPTURED: [&str; 2] = ["pymo_AV_8Walk_Meredith.bvh", "cmu_09_01.bvh"];

fn at(character: &Character, clip: &sinew::Clip, secs: f64) -> (LocalPose, ModelPose) {
    posed_by(&character.skeleton, clip, secs)
}

/// Checks of any capture: the goal is met, limits hold, feet follow the walk.
fn check(together: &Together) {
    let (character, clip) = (&together.character, &together.character.clips[0]);
    let joint = |name: &str| character.skeleton.find(name).expect(name);
    let (hand, touch) = (joint("right_hand"), f64::from(together.touch_secs));
    let step = 0.3 / f64::from(FPS);
    let (mut farthest, mut own) = (0.0_f32, 0.0_f32);
    let stays = (f64::from(STAYS) / step) as i32 - 2;
    for frame in -stays..=stays {
        let secs = touch + f64::from(frame) * step;
        let grip = |clip| at(character, clip, secs).1.get(hand).transform_point(GRIP);
        farthest = farthest.max(grip(clip).distance(together.goal));
        own = own.max(grip(&together.walk).distance(together.goal));
    }
    println!("the hand is within {farthest} m; the walk had it {own} m away");
    let ankles = ["left_foot", "right_foot", "left_toes", "right_toes"].map(joint);
    // At every key of the arm, and at seven times between two.
    let frames = (clip.duration_secs * FPS) as usize;
    let mut past_limits = [0.0_f32; 2];
    for eighth in 0..8 * frames {
        let secs = eighth as f64 / (8.0 * f64::from(FPS));
        let ((pose, model), (_, walked)) = (
            at(character, clip, secs),
            at(character, &together.walk, secs),
        );
        for ankle in ankles {
            assert_eq!(model.get(ankle), walked.get(ankle), "at {secs} s");
        }
        for &joint in &together.moved {
            let (rest, now) = (character.skeleton.rest().get(joint), pose.get(joint));
            let allowed = character.skeleton.freedom(joint).clamp(&rest, &now);
            let past = quat::angle_between(allowed.rotation, now.rotation);
            let worst = &mut past_limits[usize::from(eighth % 8 > 0)];
            *worst = worst.max(past);
        }
    }
    let [at_keys, between] = past_limits;
    println!("past limits: {at_keys} rad at keys, {between} between");
    for foot in &together.report.feet {
        println!(
            "{:?}: {} m/s, {} before",
            foot.side, foot.slide_after, foot.slide_before
        );
    }
    assert!(farthest < 1e-3, "{farthest} m from its goal");
    assert!(own > 0.15, "it was there before: {own} m");
    assert!(at_keys < 1e-5, "{at_keys} rad past limits");
    // Between two allowed rotations the path may leave the limits a little.
    assert!(between < 1e-3, "{between} rad past limits between keys");
    for foot in &together.report.feet {
        assert!(!foot.contacts.is_empty());
        assert!(
            foot.slide_after < 0.01,
            "{:?} slides by {} m/s",
            foot.side,
            foot.slide_after
        );
    }
}

fn check_effects(together: &Together) {
    let (character, clip) = (&together.character, &together.character.clips[0]);
    let mut asked: Vec<(f32, Target)> = Vec::new();
    let mut player = Player::new(Wrap::Clamp);
    while player.time_secs() < f64::from(clip.duration_secs) {
        player.advance(clip, 1.0 / 37.0, |event| {
            let driven = events(&character.bindings, &event.name);
            asked.extend(driven.map(|target| (event.time_secs, target.clone())));
        });
    }
    let steps = clip
        .events
        .iter()
        .filter(|e| e.name.starts_with("footstep"))
        .count();
    let count = |wanted: &dyn Fn(&Target) -> bool| asked.iter().filter(|a| wanted(&a.1)).count();
    assert!(steps >= 2, "{steps}");
    assert_eq!(count(&|t| matches!(t, Target::Dust(_))), steps);
    assert_eq!(count(&|t| *t == Target::Sound("gravel".into())), steps);
    let call = Target::Call("light_the_lamp".into());
    let calls: Vec<f32> = asked.iter().filter(|a| a.1 == call).map(|a| a.0).collect();
    assert_eq!(calls, [together.touch_secs]);
    // A stepping foot is on the ground, but was not 0.1 s before.
    for event in clip
        .events
        .iter()
        .filter(|e| e.name.starts_with("footstep"))
    {
        let side = event.name.trim_start_matches("footstep_");
        let toes = character
            .skeleton
            .find(&format!("{side}_toes"))
            .expect("toes");
        let place = |secs: f32| {
            at(character, clip, f64::from(secs))
                .1
                .get(toes)
                .translation()
        };
        let (here, next) = (place(event.time_secs), place(event.time_secs + 0.02));
        assert!(
            here.distance(next) < 0.02,
            "{side} {:?}",
            here.distance(next)
        );
    }
    let curves = |secs: f32| StageCurves::new(&character.bindings, Some(clip), f64::from(secs));
    let (before, after) = (
        curves(together.touch_secs - 0.1),
        curves(together.touch_secs + 0.3),
    );
    assert_eq!(
        (before.light("lamp").strength, after.light("lamp").strength),
        (0.0, 1.0)
    );
    let glow = |curves: &StageCurves| curves.material("bulb").and_then(|bulb| bulb.emissive);
    assert_eq!(
        (glow(&before), glow(&after)),
        (Some([0.0; 3]), Some([7.0, 3.6, 1.2]))
    );
    check_camera(together);
}

/// The camera is ahead of the figure and to its right, moves more slowly, and looks at it.
fn check_camera(together: &Together) {
    let (character, clip) = (&together.character, &together.character.clips[0]);
    let end = clip.duration_secs;
    let camera = |secs: f32| {
        let curves = StageCurves::new(&character.bindings, Some(clip), f64::from(secs));
        [curves.eye, curves.target].map(|place| place.expect("a camera"))
    };
    let hips = |secs: f32| at(character, clip, f64::from(secs)).1.get(0).translation();
    let ahead = (hips(end) - hips(0.0)).with_y(0.0).normalize();
    let right = ahead.cross(Vec3::Y);
    let ([eye, seen], [last_eye, last_seen]) = (camera(0.0), camera(end));
    let (way, seen_way) = ((last_eye - eye).dot(ahead), (last_seen - seen).dot(ahead));
    assert!(
        (way - 1.2).abs() < 0.05 && (seen_way - 2.4).abs() < 0.1,
        "{way} {seen_way}"
    );
    for secs in [0.0, together.touch_secs, end] {
        let [eye, seen] = camera(secs);
        let to_eye = eye - seen;
        let [aside, before, above] = [to_eye.dot(right), to_eye.dot(ahead), to_eye.y];
        assert!(
            (aside - 3.0).abs() < 0.1 && (above - 0.5).abs() < 1e-3,
            "{aside} {above}"
        );
        assert!(before > 2.0 && before < 4.5, "{before} at {secs} s");
        assert!((seen.y - 0.88).abs() < 1e-3);
        assert!(
            (seen - together.goal).dot(right) < -0.2,
            "it looks past the lamp at the figure"
        );
    }
    // The lamp is lit within 0.25 s of the touch.
    let lit = |secs: f32| {
        let curves = StageCurves::new(&character.bindings, Some(clip), f64::from(secs));
        curves.light("lamp").strength
    };
    let half = lit(together.touch_secs + 0.125);
    assert!(
        (half - 0.5).abs() < 0.05 && lit(end) == 1.0 && lit(0.0) == 0.0,
        "{half}"
    );
}

#[test]
fn a_captured_walk_a_hand_at_its_goal_feet_and_effects_in_one_clip() {
    let captured = motion::capture::made().expect("a capture");
    let together = Together::new(&captured).expect("together");
    assert_eq!(together.character.clips.len(), 1);
    check(&together);
    check_effects(&together);
    // Noise of the capture makes feet slide without the foot lock.
    let [left, right] = &together.report.feet[..] else {
        panic!("two feet");
    };
    assert!(left.slide_before > 0.05 && right.slide_before > 0.05);
    let went = |joint: usize, secs: f64| {
        let clip = &together.character.clips[0];
        at(&together.character, clip, secs)
            .1
            .get(joint)
            .translation()
    };
    let way: Vec3 = went(0, 3.0) - went(0, 0.0);
    assert!(way.length() > 2.0, "{way}");
}

#[test]
fn its_file_is_drawn_with_all_of_its_effects() {
    let folder = folder("together");
    let together = Together::new(&motion::capture::made().expect("a capture")).expect("together");
    let file = folder.join("together.glb");
    let bytes = gltf::to_glb(&together.character, &ExportOptions::default()).expect("written");
    std::fs::write(&file, bytes).expect("a file");
    let back = sinew_io::import(&file).expect("read");
    assert_eq!(back.character.bindings, together.character.bindings);
    let words = "render together.glb --size 48x48 --fps 10 -o moving.png --json";
    let report = json(&good(&folder, &words.split(' ').collect::<Vec<_>>()));
    let effects = report["effects"].as_array().expect("a list");
    let of = |kind: &str| {
        let is = |effect: &&serde_json::Value| {
            effect["effect"]
                .as_str()
                .is_some_and(|e| e.starts_with(kind))
        };
        effects.iter().filter(is).count()
    };
    let clip = &together.character.clips[0];
    let steps = clip
        .events
        .iter()
        .filter(|e| e.name.starts_with("footstep"))
        .count();
    assert_eq!((of("call."), of("sound."), of("dust.")), (1, steps, steps));
}

#[test]
fn a_real_capture_is_carried_over_and_reaches_too() {
    for name in CAPTURED {
        if let Some(file) = foreign(&format!("bvh/{name}")) {
            let bytes = std::fs::read(file).expect("it is there");
            check(&Together::new(&bytes).expect(name));
        }
    }
}
