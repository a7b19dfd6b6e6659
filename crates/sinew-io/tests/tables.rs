use glam::Vec3;
use sinew::Transform;
use sinew::skeleton::denavit_hartenberg::{Chain, Moves, Row};
use sinew::skeleton::limits::{AngleRange, RotationLimit, SlideRange};
use sinew::skeleton::{MetaJoints, Skeleton};
use sinew::transform::{EulerOrder, quat};
use sinew_io::tables::{
    TableError, meta_joints_from_json, meta_joints_json, rows_from_json, rows_json,
};

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

#[test]
fn rows_come_back_to_the_bit() {
    let mut seed = 7;
    for nth in 0..60 {
        let mut odd = || odd(&mut seed);
        let names = ["\"a\"", "b\nc", "", "é", "joint 5", "\\"];
        let row = |(index, name): (usize, &str)| {
            let moves = match (index + nth) % 3 {
                0 => Moves::default(),
                1 => Moves::Theta(AngleRange {
                    min_rad: -0.25,
                    max_rad: odd().abs() % 1.0,
                }),
                _ => Moves::D {
                    min: odd(),
                    max: odd(),
                },
            };
            let row = Row {
                theta_rad: odd(),
                d: odd(),
                a: odd(),
                alpha_rad: odd(),
                moves,
            };
            (name.to_owned(), row)
        };
        let rows = names.into_iter().enumerate().map(row).collect();
        let chain = Chain {
            base: Transform::from_rotation_translation(
                quat::from_axis_angle(Vec3::Y, odd() % 3.0),
                Vec3::new(odd(), odd(), odd()),
            ),
            rows,
            tool: "end".to_owned(),
        };
        assert_eq!(rows_from_json(&rows_json(&chain)).unwrap(), chain);
    }
}

#[test]
fn short_rows_have_defaults_and_wrong_ones_are_named() {
    let text =
        r#"{"format": "sinew-rows/1", "rows": [{"a": 0.5}, {"moves": "d", "range": [0, 1]}]}"#;
    let chain = rows_from_json(text).unwrap();
    let link = Row {
        a: 0.5,
        ..Row::default()
    };
    assert_eq!(chain.rows[0], ("joint 1".to_owned(), link));
    assert_eq!(chain.rows[1].1.moves, Moves::D { min: 0.0, max: 1.0 });
    assert_eq!((chain.base, &*chain.tool), (Transform::IDENTITY, "tool"));
    let file = |rows: &str| format!(r#"{{"format": "sinew-rows/1", "rows": {rows}}}"#);
    for (text, place, words) in [
        ("{".to_owned(), "", "line 1"),
        ("[]".to_owned(), "file", "an object"),
        (
            r#"{"format": "other", "rows": []}"#.to_owned(),
            "format",
            "sinew-rows/1",
        ),
        (r#"{"rows": []}"#.to_owned(), "format", "a text"),
        (file("3"), "rows", "a list"),
        (file("[3]"), "rows[0]", "an object"),
        (file(r#"[{"theta": 1}]"#), "rows[0].theta", "unknown"),
        (file(r#"[{}, {"d": "1"}]"#), "rows[1].d", "a number"),
        (file(r#"[{"a": 1e300}]"#), "rows[0].a", "a number"),
        (
            file(r#"[{"moves": "d"}]"#),
            "rows[0].range",
            "needs a range",
        ),
        (file(r#"[{"moves": "x"}]"#), "rows[0].moves", "expected"),
        (file(r#"[{"range": [1]}]"#), "rows[0].range", "2 numbers"),
        (file(r#"[{"joint": 1}]"#), "rows[0].joint", "a text"),
        ("[".repeat(100_000), "", "recursion limit"),
    ] {
        let error = rows_from_json(&text).unwrap_err();
        let said = error.to_string();
        assert!(said.contains(words), "{said}");
        match error {
            TableError::Member { at, .. } => assert_eq!(at, place),
            other => assert!(place.is_empty(), "{other}"),
        }
    }
    // A range that is empty is an error of the skeleton.
    let empty = rows_from_json(&file(r#"[{"moves": "d", "range": [1, 0]}]"#)).unwrap();
    assert!(empty.skeleton().is_err());
}

#[test]
fn meta_joints_come_back_to_the_bit_and_wrong_ones_are_named() {
    let mut joints = sinew_samples::humanoid_character().skeleton.joints();
    joints.iter_mut().for_each(|joint| joint.role = None);
    joints[2].freedom.slides = [false; 3];
    joints[2].freedom.slide_range = Some(SlideRange {
        axis: Vec3::new(0.1, 0.7, -0.3),
        min: -0.1,
        max: 0.3,
    });
    joints[3].freedom.rotation = RotationLimit::Free;
    let (skeleton, _) = Skeleton::new(joints).unwrap();
    let several: Vec<usize> = (0..skeleton.len())
        .filter(|&joint| {
            matches!(
                skeleton.freedom(joint).rotation,
                RotationLimit::Saddle { .. }
            )
        })
        .collect();
    assert!(!several.is_empty());
    let split = MetaJoints::split(&skeleton, &several, EulerOrder::XYZ).unwrap();
    assert!(split.split_skeleton().len() > skeleton.len());
    let read = meta_joints_from_json(&meta_joints_json(&split)).unwrap();
    assert_eq!(read.split_skeleton(), split.split_skeleton());
    assert_eq!(*read.combined_skeleton(), skeleton);
    let file = |joints: &str| format!(r#"{{"format": "sinew-meta-joints/1", "joints": {joints}}}"#);
    for (text, words) in [
        (file("[]"), "at least one joint"),
        (file(r#"[{}]"#), "joints[0].name"),
        (file(r#"[{"name": "a", "parent": -1}]"#), "joints[0].parent"),
        (file(r#"[{"name": "a", "parent": 7}]"#), "a"),
        (file(r#"[{"name": "a", "parent": 0}]"#), "a"),
        (
            file(r#"[{"name": "a", "rotation": [0, 0, 0, 2]}]"#),
            "unit length",
        ),
        (
            file(r#"[{"name": "a", "freedom": {"turn": "spin"}}]"#),
            "joints[0].freedom",
        ),
        (file(r#"[{"name": "a", "limits": 1}]"#), "joints[0].limits"),
    ] {
        let said = meta_joints_from_json(&text).unwrap_err().to_string();
        assert!(said.contains(words), "{said}");
    }
}
