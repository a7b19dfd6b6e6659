//! Freedoms and limits in `extras`: bit-exact round trips, foreign data, and malformed data.

use crate::made;

use glam::{Quat, Vec3};
use serde_json::{Value, json};
use sinew::skeleton::limits::{
    AngleRange, FramedRotation, Freedom, RotationFrame, RotationLimit, SlideRange,
};
use sinew::transform::{Axis, EulerOrder};
use sinew::{Character, Interpolation, Joint, Skeleton, Transform};
use sinew_io::Severity;
use sinew_io::gltf::{ExportOptions, GltfImport, export, import_bytes, to_glb, to_gltf};
use sinew_samples::mannequin::Mannequin;

fn freedom(turn: RotationLimit) -> Freedom {
    Freedom {
        rotation: turn,
        ..Freedom::default()
    }
}

/// Numbers of all magnitudes with many decimal digits.
fn odd(seed: &mut u64) -> f32 {
    loop {
        *seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        let number = f32::from_bits((*seed >> 32) as u32);
        if number.is_finite() {
            return number;
        }
    }
}

fn range(seed: &mut u64) -> AngleRange {
    let (a, b) = (odd(seed), odd(seed));
    AngleRange {
        min_rad: a.min(b),
        max_rad: a.max(b),
    }
}

fn axis(seed: &mut u64) -> Vec3 {
    loop {
        let axis = Vec3::new(odd(seed), odd(seed), odd(seed));
        let turn = RotationLimit::Hinge {
            axis,
            range: AngleRange::FULL,
        };
        if freedom(turn).check().is_ok() {
            return axis;
        }
    }
}

fn kinds() -> Vec<Freedom> {
    let mut seed = 11;
    let seed = &mut seed;
    let mut kinds = vec![
        freedom(RotationLimit::Fixed),
        Freedom {
            rotation: RotationLimit::Free,
            slides: [true; 3],
            ..Freedom::default()
        },
    ];
    for _ in 0..40 {
        let [low, high] = [odd(seed), odd(seed)];
        kinds.push(Freedom {
            slide_range: Some(SlideRange {
                axis: axis(seed),
                min: low.min(high),
                max: low.max(high),
            }),
            ..freedom(RotationLimit::Fixed)
        });
        kinds.push(freedom(RotationLimit::Hinge {
            axis: axis(seed),
            range: range(seed),
        }));
        kinds.push(freedom(RotationLimit::Saddle {
            axes: [Axis::Z, Axis::X],
            ranges: [range(seed), range(seed)],
        }));
        kinds.push(freedom(RotationLimit::Ball {
            axis: axis(seed),
            swing_rad: odd(seed).abs(),
            twist: range(seed),
        }));
        let euler = RotationLimit::Euler {
            order: EulerOrder::new([Axis::X, Axis::Z, Axis::X]).unwrap(),
            ranges: [range(seed), range(seed), range(seed)],
        };
        let rotation = Quat::from_xyzw(odd(seed).sin(), odd(seed).sin(), 0.3, 0.2).normalize();
        kinds.push(Freedom {
            rotation: RotationLimit::Framed(Box::new(FramedRotation {
                frame: RotationFrame {
                    axes: rotation,
                    rest: rotation.conjugate(),
                },
                rotation: euler,
            })),
            slides: [false, true, false],
            ..Freedom::default()
        });
    }
    kinds
}

fn bare() -> Character {
    let joints = kinds().into_iter().enumerate().map(|(index, freedom)| {
        let rest = Transform::from_translation(Vec3::new(0.1, index as f32, 0.0));
        Joint::new(format!("joint {index}"), index.checked_sub(1), rest).with_freedom(freedom)
    });
    Character::from_skeleton(Skeleton::new(joints.collect()).unwrap().0)
}

fn read(text: &str) -> GltfImport {
    import_bytes(text.as_bytes(), None).unwrap_or_else(|error| panic!("{error}"))
}

fn again(import: &GltfImport) -> Value {
    let options = ExportOptions::new().source(Some(&import.source));
    serde_json::from_str(&to_gltf(&import.character, &options).unwrap()).unwrap()
}

#[test]
fn limits_of_every_kind_come_back_to_the_bit() {
    let character = bare();
    let file = to_glb(&character, &ExportOptions::default()).unwrap();
    let back = import_bytes(&file, None).unwrap();
    assert!(back.report.is_empty(), "{:?}", back.report.findings);
    assert_eq!(back.character.skeleton.len(), character.skeleton.len());
    for joint in 0..character.skeleton.len() {
        let (was, is) = (
            character.skeleton.freedom(joint),
            back.character.skeleton.freedom(joint),
        );
        // `Debug` shows the sign of zero and prints every number exactly.
        assert_eq!(format!("{was:?}"), format!("{is:?}"));
    }
    let options = ExportOptions::new().source(Some(&back.source));
    let file = to_glb(&back.character, &options).unwrap();
    let third = import_bytes(&file, None).unwrap().character;
    assert_eq!(third.skeleton, character.skeleton);
}

#[test]
fn the_mannequin_has_as_many_degrees_of_freedom_in_its_file() {
    let person = Mannequin::default().build();
    let file = to_glb(&person, &ExportOptions::default()).unwrap();
    let back = import_bytes(&file, None).unwrap();
    assert_eq!(back.character.skeleton, person.skeleton);
    assert_eq!(back.character.skeleton.degrees_of_freedom(), 97);
    assert!(back.report.is_empty());
}

#[test]
fn what_others_keep_in_extras_stays_beside_limits() {
    let character = made::animated(&[Interpolation::Slerp]);
    let joint = character.nodes.iter().find_map(|node| node.joint).unwrap();
    let node = character
        .nodes
        .iter()
        .position(|node| node.joint == Some(joint))
        .unwrap();
    let plain = to_gltf(&character, &ExportOptions::default()).unwrap();
    assert!(
        !plain.contains("freedom"),
        "a joint without limits has no entry"
    );
    let mut document: Value = serde_json::from_str(&plain).unwrap();
    document["nodes"][node]["extras"] = json!({
        "rigify": {"layers": [1, 2]}, "sinew": {"later": 7}, "mass": 2.50
    });
    let mut import = read(&document.to_string());
    let hinge = kinds().swap_remove(3);
    let skeleton = import.character.skeleton.with_freedom(joint, hinge.clone());
    import.character.skeleton = skeleton.unwrap();
    let after = again(&import);
    let extras = &after["nodes"][node]["extras"];
    assert_eq!(extras["rigify"], json!({"layers": [1, 2]}));
    assert_eq!(extras["mass"], json!(2.5));
    assert_eq!(extras["sinew"]["later"], 7);
    assert_eq!(extras["sinew"]["freedom"]["turn"], "hinge");
    let mut import = read(&after.to_string());
    assert_eq!(*import.character.skeleton.freedom(joint), hinge);
    let free = import
        .character
        .skeleton
        .with_freedom(joint, Freedom::default());
    import.character.skeleton = free.unwrap();
    let extras = &again(&import)["nodes"][node]["extras"];
    let left = json!({"rigify": {"layers": [1, 2]}, "sinew": {"later": 7}, "mass": 2.5});
    assert_eq!(*extras, left);
    // Foreign `extras` that are not an object stay, with a finding.
    document["nodes"][node]["extras"] = json!("mine");
    let mut import = read(&document.to_string());
    let skeleton = import.character.skeleton.with_freedom(joint, hinge);
    import.character.skeleton = skeleton.unwrap();
    let options = ExportOptions::new().source(Some(&import.source));
    let written = export(&import.character, &options).unwrap();
    let reported = written.report.of(Severity::Ignored);
    assert_eq!(reported.filter(|f| f.code == "EXTRAS_OCCUPIED").count(), 1);
    assert_eq!(again(&import)["nodes"][node]["extras"], "mine");
}

#[test]
fn wrong_limits_are_a_finding_and_left_out() {
    let good = json!({"turn": "hinge", "axis": [1, 0, 0], "ranges": [[-1, 1]]});
    let with = |name: &str, value: Value| {
        let mut wrong = good.clone();
        wrong[name] = value;
        wrong
    };
    let deep = format!("{}1{}", "[".repeat(80), "]".repeat(80));
    let deep: Value = serde_json::from_str(&deep).unwrap();
    let long: String = "x".repeat(100_000);
    let cases = [
        json!(3),
        json!([]),
        json!(null),
        json!({}),
        json!({"turn": "spin"}),
        json!({"turn": "ball", "axis": [0, 1, 0], "swing": -1, "twist": [0, 1]}),
        json!({"turn": "ball", "axis": [0, 1, 0], "swing": 1}),
        json!({"turn": "saddle", "axes": "xx", "ranges": [[0, 1], [0, 1]]}),
        json!({"turn": "saddle", "axes": "xy", "ranges": [[0, 1]]}),
        json!({"turn": "euler", "axes": "xxy", "ranges": [[0, 1], [0, 1], [0, 1]]}),
        json!({"turn": "euler", "axes": long, "ranges": [[0, 1], [0, 1], [0, 1]]}),
        with("turn", json!(1)),
        with("axis", json!([0, 0, 0])),
        with("axis", json!([1, 0])),
        with("axis", json!(["1", 0, 0])),
        with("axis", deep),
        with("ranges", json!([[1, -1]])),
        with("ranges", json!([[0, 1e300]])),
        with("ranges", json!([[0, 1], [0, 1]])),
        with("ranges", json!([0, 1])),
        with("slides", json!("w")),
        with("slides", json!(true)),
        with("slide_range", json!(1)),
        with("slide_range", json!({"axis": [0, 0, 1]})),
        with("slide_range", json!({"range": [0, 1]})),
        with("slide_range", json!({"axis": [0, 0, 0], "range": [0, 1]})),
        with("slide_range", json!({"axis": [0, 0, 1], "range": [1, 0]})),
        with(
            "slide_range",
            json!({"axis": [0, 0, 1], "range": [0, 1, 2]}),
        ),
        with("frame", json!(1)),
        with("frame", json!({"axes": [0, 0, 0, 1]})),
        with("frame", json!({"axes": [0, 0, 0, 2], "rest": [0, 0, 0, 1]})),
    ];
    let character = made::animated(&[Interpolation::Slerp]);
    let text = to_gltf(&character, &ExportOptions::default()).unwrap();
    let document: Value = serde_json::from_str(&text).unwrap();
    let wrongs = cases.map(|case| json!({ "freedom": case }));
    for wrong in wrongs.into_iter().chain([json!(3), json!([1]), json!("x")]) {
        let mut document = document.clone();
        document["nodes"][0]["extras"] = json!({ "sinew": wrong, "kept": 1 });
        let import = read(&document.to_string());
        let reported: Vec<_> = import.report.findings.iter().map(|f| f.code).collect();
        assert_eq!(reported, ["EXTRAS_UNREADABLE"], "{wrong}");
        assert!(
            import.report.findings[0]
                .pointer
                .starts_with("/nodes/0/extras/sinew")
        );
        assert_eq!(import.character.skeleton, character.skeleton, "{wrong}");
        assert_eq!(again(&import)["nodes"][0]["extras"]["kept"], 1);
    }
    let mut document = document;
    document["nodes"][0]["extras"] = json!({ "sinew": { "freedom": good } });
    assert!(read(&document.to_string()).report.is_empty());
}

#[test]
fn whether_a_joint_deforms_is_kept_and_a_wrong_answer_is_a_finding() {
    let character = made::animated(&[Interpolation::Slerp]);
    let text = to_gltf(&character, &ExportOptions::default()).unwrap();
    let document: Value = serde_json::from_str(&text).unwrap();
    let with = |deform: Value| {
        let mut document = document.clone();
        document["nodes"][0]["extras"] = json!({ "sinew": { "deform": deform }, "kept": 1 });
        read(&document.to_string())
    };
    for deforms in [true, false] {
        let import = with(json!(deforms));
        assert!(import.report.is_empty(), "{deforms}");
        assert_eq!(import.character.skeleton.deforms(0), Some(deforms));
        assert_eq!(
            again(&import)["nodes"][0]["extras"]["sinew"]["deform"],
            json!(deforms)
        );
    }
    let deep: Value =
        serde_json::from_str(&format!("{}{}", "[".repeat(80), "]".repeat(80))).unwrap();
    let wrongs = [
        json!(null),
        json!(0),
        json!(1),
        json!(-1.5e300),
        json!("true"),
        json!(""),
        json!("x".repeat(100_000)),
        json!({}),
        json!({ "deform": true }),
        json!([]),
        json!([true]),
        json!([true, false]),
        deep,
    ];
    for wrong in wrongs {
        let import = with(wrong.clone());
        let reported: Vec<_> = import.report.findings.iter().map(|f| f.code).collect();
        assert_eq!(reported, ["EXTRAS_UNREADABLE"], "{wrong}");
        let finding = &import.report.findings[0];
        assert_eq!(finding.pointer, "/nodes/0/extras/sinew", "{wrong}");
        assert_eq!(import.character.skeleton, character.skeleton, "{wrong}");
        assert_eq!(again(&import)["nodes"][0]["extras"]["kept"], 1);
    }
}
