use crate::support::{clip, edit, mannequin, run};
use glam::Vec3;
use serde_json::json;
use sinew::{Affine, LocalPose, ModelPose, Skeleton, sample};
use sinew_edit::Editor;

fn model(skeleton: &Skeleton, pose: &LocalPose, joint: &str) -> Affine {
    let mut model = ModelPose::identity(skeleton.len());
    model
        .update(skeleton.hierarchy(), pose, &Affine::IDENTITY)
        .expect("its pose");
    *model.get(skeleton.find(joint).expect("the joint"))
}

/// The lecture's kicker: three poses, keyed, exported, imported and sampled.
#[test]
fn a_kick_from_three_poses_has_its_foot_there_after_gltf() {
    let mut editor = mannequin();
    run(&mut editor, json!({"do": "new_clip", "name": "kick"}));
    let skeleton = editor.document().skeleton().clone();
    let foot = "right_foot";
    let start = model(&skeleton, skeleton.rest(), foot).translation();
    let goals = [
        start,
        start + Vec3::new(0.0, 0.15, -0.25),
        start + Vec3::new(0.0, 0.45, 0.35),
    ];
    for (time, goal) in [0.0, 0.3, 0.5].into_iter().zip(goals) {
        run(
            &mut editor,
            json!({"do": "reach", "joint": foot, "position": goal.to_array(),
            "over": {"clip": "kick", "time_secs": time}}),
        );
        let residual = editor.done().last().and_then(|step| step.report.residual);
        assert!(
            residual.is_some_and(|residual| residual < 1e-3),
            "{residual:?} at {time}"
        );
        run(
            &mut editor,
            json!({"do": "key_pose", "clip": "kick", "time_secs": time, "whole": true}),
        );
        assert!(editor.document().pose().is_empty());
    }
    let character = editor.document().character();
    let export = sinew_io::gltf::export(&character, &sinew_io::gltf::ExportOptions::default());
    let bytes = export.expect("an export").to_glb().expect("bytes");
    let back = sinew_io::import_bytes(&bytes).expect("a file").character;
    let kick = &back.clips[back.find_clip("kick").expect("the clip")];
    for (time, goal) in [0.0, 0.3, 0.5].into_iter().zip(goals) {
        let mut pose = back.skeleton.rest().clone();
        sample(kick, &back.skeleton, time, &mut pose).expect("its clip");
        let off = model(&back.skeleton, &pose, foot)
            .translation()
            .distance(goal);
        assert!(off < 1e-3, "{off} m at {time} s");
    }
}

#[test]
fn joints_rotate_in_their_frames_and_stop_at_limits() {
    let mut editor = mannequin();
    let skeleton = editor.document().skeleton().clone();
    let hand = |editor: &Editor| {
        model(&skeleton, &editor.document().posed(None), "left_hand").translation()
    };
    let before = hand(&editor);
    // A quarter about the model's vertical axis through the shoulder.
    let shoulder = model(&skeleton, skeleton.rest(), "left_upper_arm").translation();
    let half = std::f32::consts::FRAC_1_SQRT_2;
    run(
        &mut editor,
        json!({"do": "rotate", "joints": ["left_upper_arm"], "rotation": [0, half, 0, half],
        "space": "model", "limits": "allow"}),
    );
    let arm = before - shoulder;
    let wanted = shoulder + Vec3::new(arm.z, arm.y, -arm.x);
    assert!(
        hand(&editor).distance(wanted) < 1e-5,
        "{} {wanted}",
        hand(&editor)
    );
    run(
        &mut editor,
        json!({"do": "reset_pose", "joints": ["left_upper_arm"]}),
    );
    assert_eq!(hand(&editor), before);
    // A knee does not bend forward.
    let back =
        json!({"do": "rotate", "joints": ["left_lower_leg"], "rotation": [-half, 0, 0, half]});
    run(&mut editor, back.clone());
    let report = &editor.done().last().expect("a step").report;
    assert_eq!(report.at_limits, ["left_lower_leg"]);
    let knee = skeleton.find("left_lower_leg").expect("a knee");
    let posed = editor.document().pose()[&knee].rotation;
    let clamped = skeleton
        .freedom(knee)
        .clamp_rotation(skeleton.rest().get(knee).rotation, posed);
    assert!(sinew::transform::quat::angle_between(posed, clamped) < 1e-4);
    editor.undo();
    let mut refuse = back;
    refuse["limits"] = json!("refuse");
    let said = editor.run(edit(refuse)).expect_err("a limit").to_string();
    assert!(said.contains("beyond its limits"), "{said}");
}

/// A knee bends from -8° to 150°. A rotation past its limit stays there, however far it goes.
#[test]
fn a_rotation_stops_at_the_limit_that_it_passes() {
    let mut editor = mannequin();
    let skeleton = editor.document().skeleton().clone();
    let knee = skeleton.find("left_lower_leg").expect("a knee");
    let rest = skeleton.rest().get(knee).rotation;
    for (degrees, expected) in [
        (60.0_f32, 60.0_f32),
        (149.0, 149.0),
        (160.0, 150.0),
        (200.0, 150.0),
        (300.0, 150.0),
        (355.0, 150.0),
        (-5.0, -5.0),
        (-20.0, -8.0),
        (-120.0, -8.0),
        (-350.0, -8.0),
    ] {
        let (sin, cos) = (degrees.to_radians() / 2.0).sin_cos();
        run(
            &mut editor,
            json!({"do": "rotate", "joints": [knee], "rotation": [sin, 0, 0, cos]}),
        );
        let by = rest.conjugate() * editor.document().pose()[&knee].rotation;
        let found = (2.0 * by.x.atan2(by.w)).to_degrees();
        assert!((found - expected).abs() < 0.01, "{degrees}: {found}");
        let report = &editor.done().last().expect("a step").report;
        assert_eq!(report.at_limits.len(), usize::from(degrees != expected));
        editor.undo();
    }
}

#[test]
fn a_rotated_joint_stays_where_its_clip_puts_it() {
    let mut editor = mannequin();
    let skeleton = editor.document().skeleton().clone();
    let arm = skeleton.find("left_upper_arm").expect("an arm");
    assert_eq!(skeleton.freedom(arm).slides, [false; 3]);
    run(&mut editor, json!({"do": "new_clip", "name": "stretch"}));
    let away = skeleton.rest().get(arm).translation + Vec3::X * 0.1;
    run(
        &mut editor,
        json!({"do": "insert_key", "clip": "stretch", "joint": arm, "time_secs": 0,
            "translation": away.to_array(), "limits": "allow"}),
    );
    let rotate = json!({"do": "rotate", "joints": [arm], "rotation": [0, 0, 0.1, 0.995],
        "over": {"clip": "stretch", "time_secs": 0}});
    run(&mut editor, rotate);
    assert_eq!(editor.document().pose()[&arm].translation, away);
    let limits = &editor.done().last().expect("a step").report.at_limits;
    assert!(limits.is_empty(), "{limits:?}");
}

/// A wrist does not twist, so a hand keeps its rotation only if the forearm twists. The forearm's axis is its y.
#[test]
fn a_pulled_hand_keeps_a_rotation_that_needs_the_forearm() {
    let mut editor = mannequin();
    let skeleton = editor.document().skeleton().clone();
    let hand = |editor: &Editor| model(&skeleton, &editor.document().posed(None), "left_hand");
    let start = model(&skeleton, skeleton.rest(), "left_hand");
    let rotation = |frame: &Affine| sinew::Transform::from_affine(frame).0.rotation;
    for (twist, pole) in [(0.5_f32, None), (-0.5, None), (0.5, Some([0.4, 1.2, -1.0]))] {
        let wanted = rotation(&start) * glam::Quat::from_rotation_y(twist);
        let goal = start.translation() + Vec3::new(-0.05, 0.05, 0.1);
        run(
            &mut editor,
            json!({"do": "reach", "joint": "left_hand", "position": goal.to_array(),
                "rotation": wanted.to_array(), "pole": pole}),
        );
        let now = hand(&editor);
        let off = sinew::transform::quat::angle_between(rotation(&now), wanted);
        assert!(off < 2e-3, "{off} rad, twist {twist}, pole {pole:?}");
        let off = now.translation().distance(goal);
        assert!(off < 1e-3, "{off} m, twist {twist}, pole {pole:?}");
        editor.undo();
    }
}

#[test]
fn a_move_in_model_space_moves_so_far() {
    let mut editor = mannequin();
    let skeleton = editor.document().skeleton().clone();
    let head =
        |editor: &Editor| model(&skeleton, &editor.document().posed(None), "head").translation();
    let before = head(&editor);
    run(
        &mut editor,
        json!({"do": "move", "joints": ["hips", "head"], "by": [0.1, 0.2, 0.3], "space": "model", "limits": "allow"}),
    );
    // The head follows the hips, and is not moved twice.
    assert!(head(&editor).distance(before + Vec3::new(0.1, 0.2, 0.3)) < 1e-5);
    assert_eq!(editor.document().pose().len(), 1);
}

#[test]
fn a_pose_mirrored_twice_is_the_pose() {
    let mut editor = mannequin();
    let skeleton = editor.document().skeleton().clone();
    run(
        &mut editor,
        json!({"do": "rotate", "joints": ["left_upper_arm"], "rotation": [0.3, 0, 0, 0.954], "limits": "allow"}),
    );
    let hands = |editor: &Editor| {
        ["left_hand", "right_hand"]
            .map(|hand| model(&skeleton, &editor.document().posed(None), hand).translation())
    };
    let [left, right] = hands(&editor);
    run(&mut editor, json!({"do": "mirror_pose"}));
    let flip = |v: Vec3| Vec3::new(-v.x, v.y, v.z);
    let mirrored = hands(&editor);
    assert!(
        mirrored[0].distance(flip(right)) < 1e-4 && mirrored[1].distance(flip(left)) < 1e-4,
        "{mirrored:?}"
    );
    run(&mut editor, json!({"do": "mirror_pose"}));
    let [l, r] = hands(&editor);
    assert!(l.distance(left) < 1e-5 && r.distance(right) < 1e-5);
}

#[test]
fn pins_hold_while_another_joint_is_pulled() {
    let mut editor = mannequin();
    let skeleton = editor.document().skeleton().clone();
    let at = |editor: &Editor, joint: &str| {
        model(&skeleton, &editor.document().posed(None), joint).translation()
    };
    let foot = at(&editor, "right_foot");
    let head = at(&editor, "head");
    run(
        &mut editor,
        json!({"do": "reach", "joint": "head", "position": (head + Vec3::new(0.15, -0.1, 0.1)).to_array(),
        "from": "hips", "pins": ["right_foot"]}),
    );
    assert!(
        at(&editor, "right_foot").distance(foot) < 2e-3,
        "{}",
        at(&editor, "right_foot").distance(foot)
    );
    assert!(at(&editor, "head").distance(head) > 0.05);
}

#[test]
fn a_hand_stays_at_a_position_over_a_range() {
    let mut editor = mannequin();
    let skeleton = editor.document().skeleton().clone();
    let walk = clip(editor.document(), "walk").clone();
    let goal = Vec3::new(0.25, 1.2, 0.3);
    run(
        &mut editor,
        json!({"do": "key_reach", "clip": "walk", "reach": {"joint": "left_hand", "position": goal.to_array()},
        "from_secs": 0.2, "to_secs": 0.6, "fps": 60}),
    );
    let residual = editor
        .done()
        .last()
        .and_then(|step| step.report.residual)
        .expect("a residual");
    let after = clip(editor.document(), "walk");
    for frame in 0..=24 {
        let time = 0.2 + f64::from(frame) / 60.0;
        let mut pose = skeleton.rest().clone();
        sample(after, &skeleton, time.min(0.6), &mut pose).expect("its clip");
        let off = model(&skeleton, &pose, "left_hand")
            .translation()
            .distance(goal);
        assert!(off < residual + 2e-3, "{off} at {time}, {residual}");
    }
    // Joints outside the arm keep their tracks.
    let foot = skeleton.find("left_foot").expect("a foot");
    assert_eq!(after.joint(foot), walk.joint(foot));
}

#[test]
fn a_pulled_tip_moves_a_slide_within_its_range_and_keys_keep_it() {
    let mut editor = Editor::new(sinew_samples::scara_character());
    let skeleton = editor.document().skeleton().clone();
    let spindle = skeleton.find("spindle").expect("a slide");
    let rest = skeleton.rest().get(spindle).translation;
    let goal = Vec3::new(0.3, 0.15, 0.5);
    let reach =
        |goal: Vec3| json!({"joint": "tip", "from": "shoulder", "position": goal.to_array()});
    let mut pull = reach(goal);
    pull["do"] = json!("reach");
    run(&mut editor, pull);
    let pose = editor.document().posed(None);
    let slid = pose.get(spindle).translation.z - rest.z;
    assert!((slid + 0.12).abs() < 2e-4, "{slid}");
    assert!(model(&skeleton, &pose, "tip").translation().distance(goal) < 1e-3);
    // The goal is 0.12 m lower than the tip gets.
    let low = goal - Vec3::Y * 0.18;
    run(
        &mut editor,
        json!({"do": "key_reach", "clip": "work", "reach": reach(low), "from_secs": 1.0, "to_secs": 1.5, "fps": 30}),
    );
    let report = &editor.done().last().expect("an edit").report;
    assert_eq!(report.at_limits, ["spindle"]);
    assert!(
        report
            .residual
            .is_some_and(|residual| (residual - 0.12).abs() < 1e-3)
    );
    let mut pose = skeleton.rest().clone();
    sample(clip(editor.document(), "work"), &skeleton, 1.25, &mut pose).expect("its clip");
    let off = pose.get(spindle).translation - rest;
    assert!(off.distance(Vec3::Z * -0.18) < 1e-6, "{off}");
}
