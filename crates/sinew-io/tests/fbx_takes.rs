//! FBX import: takes, curves and layers. All files are made by code.

use crate::fbx::{BENT, UPRIGHT, assert_same_positions, moved, read};
use crate::made_fbx::{Curve, LAYER, ROOT, TIP, Y_UP, Z_UP, bending_strip, properties, strip};
use sinew::Interpolation;

#[test]
fn a_take_rotates_the_tip_and_the_skin_follows() {
    let import = read(&bending_strip(Z_UP));
    let clip = &import.character.clips[0];
    assert_eq!(clip.name, "bend");
    assert!((clip.duration_secs - 1.0).abs() < 1e-6);
    assert_same_positions(&moved(&import, Some(0), 0.0), &UPRIGHT, 1e-6);
    assert_same_positions(&moved(&import, Some(0), 1.0), &BENT, 1e-6);
    let half = 0.5_f32 * 0.5_f32.sqrt();
    let between = [
        UPRIGHT[0],
        UPRIGHT[1],
        UPRIGHT[2],
        UPRIGHT[3],
        [-0.1, 0.5 + half, half],
        [0.1, 0.5 + half, half],
    ];
    assert_same_positions(&moved(&import, Some(0), 0.5), &between, 1e-5);
}

#[test]
fn clips_keep_the_time_of_the_file() {
    let mut fbx = strip(Z_UP);
    fbx.take(40, "late", [2.0, 3.0]);
    let curve = Curve {
        secs: &[2.0, 3.0],
        values: &[0.0, 90.0],
        flags: &[4, 4],
        past: "",
    };
    fbx.curve(42, LAYER, (TIP, "Lcl Rotation"), "X", &curve);
    let import = read(&fbx);
    assert_same_positions(&moved(&import, Some(0), 1.0), &UPRIGHT, 1e-6);
    let high = moved(&import, Some(0), 3.0)
        .iter()
        .fold(0.0, |max: f32, p| max.max(p.z));
    assert!((high - 0.5).abs() < 1e-5, "{high}");
    assert!((import.character.clips[0].duration_secs - 3.0).abs() < 1e-6);
}

#[test]
fn a_take_with_keys_before_zero_begins_at_zero() {
    let mut fbx = strip(Z_UP);
    fbx.take(40, "early", [-1.0, 0.0]);
    let curve = Curve {
        secs: &[-1.0, 0.0],
        values: &[0.0, 90.0],
        flags: &[4, 4],
        past: "",
    };
    fbx.curve(42, LAYER, (TIP, "Lcl Rotation"), "X", &curve);
    let import = read(&fbx);
    assert_same_positions(&moved(&import, Some(0), 0.0), &UPRIGHT, 1e-6);
    let high = moved(&import, Some(0), 1.0)
        .iter()
        .fold(0.0, |max: f32, p| max.max(p.z));
    assert!((high - 0.5).abs() < 1e-5, "{high}");
}

#[test]
fn steps_jump_and_cubic_keys_bend() {
    let mut fbx = strip(Y_UP);
    fbx.take(40, "move", [0.0, 1.0]);
    let step = Curve {
        secs: &[0.0, 0.3, 1.0],
        values: &[0.0, 100.0, 200.0],
        flags: &[2, 2, 2],
        past: "",
    };
    fbx.curve(42, LAYER, (ROOT, "Lcl Translation"), "X", &step);
    let cubic = Curve {
        secs: &[0.0, 1.0],
        values: &[0.0, 100.0],
        flags: &[0x408, 0x408],
        past: "",
    };
    fbx.curve(44, LAYER, (TIP, "Lcl Translation"), "Y", &cubic);
    let import = read(&fbx);
    let clip = &import.character.clips[0];
    let position = |name: &str, secs: f64| {
        let joint = import.character.skeleton.find(name).expect("it is a joint");
        let track = clip
            .joint(joint)
            .and_then(|joint| joint.translation.as_ref());
        track
            .and_then(|track| track.sample_vector(secs))
            .expect("it moves")
    };
    let root = import
        .character
        .skeleton
        .find("root")
        .expect("it is a joint");
    let track = clip
        .joint(root)
        .and_then(|joint| joint.translation.clone())
        .expect("it moves");
    assert_eq!(track.interpolation(), Interpolation::Step);
    assert_eq!(position("root", 0.299).x, 0.0);
    assert!((position("root", 0.301).x - 1.0).abs() < 1e-6);
    assert!((position("root", 1.0).x - 2.0).abs() < 1e-6);
    // Zero slopes at the two keys: 3t² - 2t³.
    for t in [0.1, 0.25, 0.4321, 0.5, 0.77, 0.99] {
        let wanted = 3.0 * t * t - 2.0 * t * t * t;
        assert!(
            (f64::from(position("tip", t).y) - wanted).abs() < 1e-5,
            "{t}"
        );
    }
}

#[test]
fn curves_that_repeat_go_on_to_the_end_of_the_take() {
    let mut fbx = strip(Y_UP);
    fbx.take(40, "again", [0.0, 3.0]);
    let curve = Curve {
        secs: &[0.0, 1.0],
        values: &[0.0, 100.0],
        flags: &[4, 4],
        past: "Post-Extrapolation:  {\nType: R\nRepetition: -1\n}\n",
    };
    fbx.curve(42, LAYER, (ROOT, "Lcl Translation"), "X", &curve);
    let import = read(&fbx);
    let root = import
        .character
        .skeleton
        .find("root")
        .expect("it is a joint");
    let clip = &import.character.clips[0];
    let track = clip
        .joint(root)
        .and_then(|joint| joint.translation.clone())
        .expect("it moves");
    for t in [0.25, 0.5, 1.25, 1.75, 2.5] {
        let x = f64::from(track.sample_vector(t).expect("three numbers").x);
        assert!((x - t.fract()).abs() < 0.02, "{x} at {t}");
    }
}

#[test]
fn layers_are_added_up() {
    let mut fbx = bending_strip(Z_UP);
    fbx.object(
        "AnimationLayer",
        50,
        "more",
        "",
        &properties("P: \"BlendMode\", \"enum\", \"\", \"\",0\n"),
    );
    fbx.connect(50, 40);
    let curve = Curve {
        secs: &[0.0, 1.0],
        values: &[10.0, 10.0],
        flags: &[4, 4],
        past: "",
    };
    fbx.curve(52, 50, (ROOT, "Lcl Translation"), "X", &curve);
    let import = read(&fbx);
    let left = moved(&import, Some(0), 0.5)
        .iter()
        .fold(f32::MAX, |min, p| min.min(p.x));
    assert!(left.abs() < 1e-6, "{left}");
}

/// At 30 s, `f32` times are up to a microsecond before or after the kinks of the file.
#[test]
fn curves_keyed_at_every_frame_keep_as_many_keys() {
    let mut fbx = strip(Z_UP);
    fbx.take(40, "late", [30.0, 32.0]);
    let secs: Vec<f64> = (0..=60)
        .map(|frame| 30.0 + f64::from(frame) / 30.0)
        .collect();
    for (number, axis) in ["X", "Y", "Z"].into_iter().enumerate() {
        let phase = number as f64;
        let values: Vec<f64> = secs
            .iter()
            .map(|t| 30.0 * (3.0 * t + phase).sin())
            .collect();
        let curve = Curve {
            secs: &secs,
            values: &values,
            flags: &vec![4; secs.len()],
            past: "",
        };
        match number {
            0 => fbx.curve(42, LAYER, (TIP, "Lcl Rotation"), axis, &curve),
            _ => fbx.axis(43 + number as i64, 42, axis, &curve),
        };
    }
    let import = read(&fbx);
    let tip = import
        .character
        .skeleton
        .find("tip")
        .expect("it is a joint");
    let tracks = import.character.clips[0].joint(tip).expect("it moves");
    let keys = tracks.rotation.as_ref().map_or(0, |track| track.keys());
    assert_eq!(keys, secs.len());
}
