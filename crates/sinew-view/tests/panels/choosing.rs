use super::Driver;
use egui::Key;
use egui_kittest::kittest::Queryable;
use sinew::clip::OverLimit;
use sinew::skeleton::limits::{Freedom, RotationLimit};
use sinew::{Character, Clip, Joint, Skeleton, Transform};
use sinew_io::gltf;
use sinew_view::document::MadeFigure;
use sinew_view::state::{PanelKind, Selection};
use sinew_view::{
    CameraCommand, FileCommand, HistoryCommand, PlaybackCommand, PoseCommand, SelectionCommand,
    Session, WindowCommand,
};

fn joint_name(driver: &Driver) -> String {
    let Selection::Joint(joint) = driver.state().selection else {
        panic!("{:?}", driver.state().selection);
    };
    let file = &driver.session().document().files()[0];
    file.character.skeleton.name(joint).to_owned()
}

#[test]
fn joints_are_found_by_tree_search_and_picture() {
    let Some(mut driver) = Driver::new(Session::default()) else {
        return;
    };
    driver.click("spine_1");
    assert_eq!(joint_name(&driver), "spine_1");
    driver.click("Selected");
    assert!(driver.has("Joint: spine_1"));
    driver.click("spine_1");
    assert_eq!(driver.state().selection, Selection::None);

    driver.0.get_by_label("Search names").focus();
    driver.frames(1);
    driver.0.get_by_label("Search names").type_text("left_ring");
    driver.frames(2);
    assert!(!driver.has("hips"));
    driver.click("left_ring_2");
    assert_eq!(joint_name(&driver), "left_ring_2");

    // A framed item is in the middle, so a click there hits its skin.
    driver.click("Rest pose");
    driver.0.get_by_label("Search names").focus();
    driver.key(Key::Escape);
    for wanted in ["left_lower_arm", "right_lower_leg"] {
        let skeleton = &driver.session().document().files()[0].character.skeleton;
        let joint = skeleton.find(wanted).expect("a joint of the mannequin");
        driver.run(SelectionCommand::Select {
            selection: Selection::Joint(joint),
        });
        driver.run(CameraCommand::Frame);
        driver.run(SelectionCommand::Select {
            selection: Selection::None,
        });
        driver.frames(4);
        let place = driver.0.get_by_label("Picture").rect().center();
        driver.0.hover_at(place);
        driver.0.drag_at(place);
        driver.frames(1);
        driver.0.drop_at(place);
        driver.frames(2);
        assert_eq!(joint_name(&driver), wanted);
    }
    driver.key(Key::Escape);
    assert_eq!(driver.state().selection, Selection::None);

    driver.click("Scene");
    let nodes = driver.session().document().files()[0].character.nodes.len();
    driver.run(SelectionCommand::Select {
        selection: Selection::Node(nodes - 1),
    });
    assert!(driver.0.query_by_label_contains("Node: ").is_some());
}

#[test]
fn clips_play_and_blend() {
    let Some(mut driver) = Driver::new(Session::default()) else {
        return;
    };
    driver.click("run");
    let clips = &driver.session().document().files()[0].character.clips;
    let run = clips.iter().position(|c| c.name == "run");
    assert_eq!(driver.state().playback.clip, run);
    driver.run(PlaybackCommand::Pause);
    driver.click("Blend in other clips");
    driver.frames(20);
    driver.drag("Blend walk", [0.1, 0.5], [1.4, 0.5]);
    let blended = driver.state().playback.blended.clone();
    let walk = driver.session().document().files()[0]
        .character
        .find_clip("walk");
    assert_eq!(blended.len(), 1, "{blended:?}");
    assert_eq!(Some(blended[0].0), walk);
    let more = blended[0].1;
    assert!((0.3..0.95).contains(&more), "{more}");
    driver.drag("Blend walk", [0.9, 0.5], [-1.0, 0.5]);
    assert_eq!(driver.state().playback.blended, []);
    driver.click("Rest pose");
    assert_eq!(driver.state().playback.clip, None);
}

#[test]
fn files_are_opened_shown_and_closed_and_what_fails_is_said() {
    let Some(mut driver) = Driver::new(Session::default()) else {
        return;
    };
    driver.run(FileCommand::OpenMade {
        figure: MadeFigure::Tube,
    });
    driver.wait();
    assert!(driver.has("File tube"));
    driver.run(FileCommand::Open {
        path: "nowhere/missing.glb".into(),
    });
    driver.wait();
    assert_eq!(driver.session().messages().len(), 1);
    driver.click("Dismiss");
    assert!(driver.session().messages().is_empty());
    driver.run(FileCommand::OpenMade {
        figure: MadeFigure::Humanoid,
    });
    driver.wait();
    let shown = driver.state().shown;
    driver.click("File tube");
    assert_ne!(driver.state().shown, shown);
    driver.click("Close tube");
    assert!(!driver.has("File tube"));
    assert_eq!(driver.state().shown, shown);
}

#[test]
fn findings_are_listed_and_lead_to_what_they_name() {
    let Some(mut driver) = Driver::new(Session::default()) else {
        return;
    };
    // Rotations that are not of unit length are repaired and reported.
    let text = r#"{"asset":{"version":"2.0"},"nodes":[{"name":"stand","rotation":[0,0,0,2]}],"scenes":[{"nodes":[0]}]}"#;
    driver.run(FileCommand::OpenBytes {
        name: "odd.gltf".to_owned(),
        bytes: text.as_bytes().to_vec(),
    });
    driver.wait();
    let file = driver.session().document().file(driver.state().shown);
    let report = &file.expect("the file").report;
    assert!(!report.is_empty(), "{:?}", driver.session().messages());
    let finding = report.findings[0].clone();
    // With the tall panel of looks open, findings are below the edge of the window.
    let panel = PanelKind::Look;
    driver.run(WindowCommand::Panel { panel, on: false });
    driver.click("Findings");
    let name = format!("{}: {}", finding.severity, finding.message);
    assert!(driver.has(&name), "{name}");
    if finding.pointer.starts_with("/nodes/0") {
        driver.click(&name);
        assert_ne!(driver.state().selection, Selection::None);
        assert!(driver.state().window.panels.contains(&PanelKind::Selected));
    }
}

/// Window with the sliders of the left knee, which bends from -8° to 150° about x.
fn sliders() -> Option<(Driver, usize)> {
    let mut driver = Driver::new(Session::default())?;
    driver.run(PlaybackCommand::Clip { clip: None });
    driver.click("Look");
    driver.click("Selected");
    let file = driver.session().document().file(driver.state().shown);
    let skeleton = &file.expect("the mannequin").character.skeleton;
    let knee = skeleton.find("left_lower_leg").expect("a knee");
    let selection = Selection::Joint(knee);
    driver.run(SelectionCommand::Select { selection });
    driver.frames(10);
    Some((driver, knee))
}

/// Drags a slider to positions on its rail, in points left of its number. Returns the angle of the joint about x after
/// each, in degrees.
fn slide(driver: &mut Driver, joint: usize, places: &[f32]) -> Vec<f32> {
    let number = driver.0.get_by_label("Rotate about x").rect();
    let at = |left: f32| number.left_center() - egui::vec2(left, 0.0);
    let mut angles = Vec::new();
    for (step, &left) in places.iter().enumerate() {
        driver.0.hover_at(at(left));
        if step == 0 {
            driver.0.drag_at(at(left));
        }
        driver.frames(2);
        let file = driver.session().document().file(driver.state().shown);
        let file = file.expect("the mannequin");
        let rest = file.character.skeleton.rest().get(joint).rotation;
        let now = file.pose.get(&joint).map_or(rest, |pose| pose.rotation);
        let by = rest.conjugate() * now;
        assert!(by.y.abs() < 1e-3 && by.z.abs() < 1e-3, "{by}");
        angles.push((2.0 * by.x.atan2(by.w)).to_degrees());
    }
    driver.0.drop_at(at(places[places.len() - 1]));
    driver.frames(2);
    angles
}

#[test]
fn a_slider_follows_the_pointer_in_one_step() {
    let Some((mut driver, knee)) = sliders() else {
        return;
    };
    driver.run(PoseCommand::PoseLimits { on: false });
    let places = [130.0, 30.0, 105.0, 50.0, 80.0];
    let angles = slide(&mut driver, knee, &places);
    let per_point = (angles[1] - angles[0]) / 100.0;
    // A full circle is as long as the rail.
    assert!((1.8..3.0).contains(&per_point), "{angles:?}");
    for (left, angle) in places.into_iter().zip(&angles) {
        let expected = angles[0] + per_point * (places[0] - left);
        // Whole degrees at whole pixels.
        assert!((angle - expected).abs() < 2.0 * per_point, "{angles:?}");
    }
    let editor = driver.session().editor(driver.state().shown);
    assert_eq!(editor.expect("an editor").done().len(), 1);
    driver.run(PlaybackCommand::Clip { clip: Some(1) });
    driver.run(PlaybackCommand::Pause);
    driver.key(Key::I);
    let pose = |driver: &Driver| {
        let file = driver.session().document().file(driver.state().shown);
        file.expect("the mannequin").pose.clone()
    };
    assert!(pose(&driver).is_empty(), "the key takes the pose over");
    for _ in 0..2 {
        driver.run(HistoryCommand::Undo);
    }
    assert!(pose(&driver).is_empty());
    assert!(!driver.has("Reset pose"), "one way to reset is enough");
}

#[test]
fn a_slider_stops_at_the_limit_that_it_passes() {
    let Some((mut driver, knee)) = sliders() else {
        return;
    };
    let angles = slide(&mut driver, knee, &[60.0, 140.0, 60.0, 12.0, 140.0, 12.0]);
    let expected = [angles[0], -8.0, angles[0], 150.0, -8.0, 150.0];
    for (angle, expected) in angles.iter().zip(expected) {
        assert!((angle - expected).abs() < 0.1, "{angles:?}");
    }
    assert!(angles[0] > 0.0 && angles[0] < 150.0, "{angles:?}");
    // A drag that begins past the limit.
    let angles = slide(&mut driver, knee, &[12.0, 140.0]);
    let is_at = |angle: f32, limit: f32| (angle - limit).abs() < 0.1;
    assert!(
        is_at(angles[0], 150.0) && is_at(angles[1], -8.0),
        "{angles:?}"
    );
}

#[test]
fn a_slider_brings_the_pose_toward_the_copied_one_as_one_step() {
    let Some(mut driver) = Driver::new(Session::default()) else {
        return;
    };
    driver.run(PlaybackCommand::Clip { clip: None });
    driver.click("Look");
    driver.click("Selected");
    let shown = driver.session().document().file(driver.state().shown);
    let skeleton = &shown.expect("the mannequin").character.skeleton;
    let joint = skeleton.find("left_upper_arm").expect("an arm");
    let selection = Selection::Joint(joint);
    driver.run(SelectionCommand::Select { selection });
    driver.frames(10);
    let rotation = glam::Quat::from_rotation_x(0.4);
    driver.run(PoseCommand::Turn { joint, rotation });
    driver.run(PoseCommand::CopyPose);
    driver.run(HistoryCommand::Undo);
    driver.frames(3);
    let pose = |driver: &Driver| {
        let file = driver.session().document().file(driver.state().shown);
        file.expect("the mannequin").pose.clone()
    };
    assert!(pose(&driver).is_empty());
    let slider = driver.0.get_by_label("Weight of the copied pose").rect();
    let at = |part: f32| slider.min + egui::vec2(part * slider.width(), slider.height() / 2.0);
    driver.0.hover_at(at(0.1));
    driver.frames(1);
    driver.0.drag_at(at(0.1));
    driver.frames(1);
    driver.0.hover_at(at(0.3));
    driver.frames(2);
    driver.0.drop_at(at(0.3));
    driver.frames(2);
    let rest = glam::Quat::IDENTITY;
    let file = driver.session().document().file(driver.state().shown);
    let own = file
        .expect("it")
        .character
        .skeleton
        .rest()
        .get(joint)
        .rotation;
    let by = (own.conjugate() * pose(&driver)[&joint].rotation).angle_between(rest);
    assert!(by > 0.001 && by < 0.39, "{by}");
    let editor = driver.session().editor(driver.state().shown);
    assert_eq!(editor.expect("an editor").done().len(), 1);
}

#[test]
fn a_sample_is_opened_from_its_menu() {
    let Some(mut driver) = Driver::new(Session::default()) else {
        return;
    };
    driver.click("Samples");
    driver.click("tube");
    driver.wait();
    assert!(driver.has("File tube"));
}

/// Two skinned joints below a root, and a control joint that moves nothing.
fn rigged() -> Vec<u8> {
    let tube = sinew_samples::tube_character();
    let fixed = Freedom {
        rotation: RotationLimit::Fixed,
        ..Freedom::default()
    };
    let joint = |name, parent| Joint::new(name, parent, Transform::IDENTITY);
    let upper = Transform::from_translation(glam::Vec3::Y);
    let joints = vec![
        joint("Armature", None),
        joint("rig:lower", Some(0)),
        Joint::new("rig:upper", Some(1), upper),
        joint("rig:control", Some(0)).with_freedom(fixed),
    ];
    let (skeleton, _) = Skeleton::new(joints).expect("a tree");
    let mut skin = tube.skins[0].clone();
    skin.joints = vec![1, 2];
    let mut rigged = Character::from_skeleton(skeleton);
    rigged.meshes = tube.meshes;
    rigged.materials = tube.materials;
    rigged.skins = vec![skin];
    let mesh = tube.nodes.last().expect("the mesh").clone();
    rigged.nodes.push(mesh);
    gltf::to_glb(&rigged, &gltf::ExportOptions::new()).expect("written")
}

#[test]
fn namespaces_are_folded_and_control_joints_listed_when_asked_for() {
    let Some(mut driver) = Driver::new(Session::default()) else {
        return;
    };
    driver.run(FileCommand::OpenBytes {
        name: "rigged.glb".to_owned(),
        bytes: rigged(),
    });
    driver.wait();
    assert!(driver.has("upper") && driver.has("Armature"));
    assert!(!driver.has("rig:upper") && !driver.has("control"));
    driver.click("Controls");
    assert!(driver.has("control"));
    driver.click("control");
    assert!(matches!(driver.state().selection, Selection::Joint(_)));
    driver.click("Controls");
    assert!(!driver.has("control"));
    driver.0.get_by_label("Search names").focus();
    driver.frames(1);
    driver.0.get_by_label("Search names").type_text("rig:up");
    driver.frames(2);
    assert!(driver.has("upper") && !driver.has("lower"));
}

#[test]
fn escape_closes_the_help_before_it_clears_the_selection() {
    let Some(mut driver) = Driver::new(Session::default()) else {
        return;
    };
    let joint = Selection::Joint(3);
    driver.run(SelectionCommand::Select { selection: joint });
    let panel = PanelKind::Help;
    driver.run(WindowCommand::Panel { panel, on: true });
    driver.key(Key::Escape);
    assert!(!driver.state().window.panels.contains(&panel));
    assert_eq!(driver.state().selection, joint);
    driver.key(Key::Escape);
    assert_eq!(driver.state().selection, Selection::None);
}

#[test]
fn escape_closes_a_menu_before_it_clears_the_selection() {
    let Some(mut driver) = Driver::new(Session::default()) else {
        return;
    };
    let joint = Selection::Joint(3);
    driver.run(SelectionCommand::Select { selection: joint });
    let panel = PanelKind::Help;
    driver.run(WindowCommand::Panel { panel, on: true });
    for menu in ["Samples", "View"] {
        driver.click(menu);
        assert!(egui::Popup::is_any_open(&driver.0.ctx), "{menu}");
        driver.key(Key::Escape);
        assert!(!egui::Popup::is_any_open(&driver.0.ctx), "{menu} closes");
        assert!(driver.state().window.panels.contains(&panel), "{menu}");
        assert_eq!(driver.state().selection, joint, "{menu}");
    }
    driver.key(Key::Escape);
    assert!(!driver.state().window.panels.contains(&panel));
    assert_eq!(driver.state().selection, joint);
    driver.key(Key::Escape);
    assert_eq!(driver.state().selection, Selection::None);
}

/// A bundle of clips with long names in one namespace, and a deep skeleton.
fn bundled(clips: usize, joints: usize) -> Vec<u8> {
    let joints = (0..joints).map(|nth| {
        let parent = nth.checked_sub(1);
        let at = Transform::from_translation(glam::Vec3::Y * 0.1);
        Joint::new(format!("a_joint_with_a_very_long_name_{nth}"), parent, at)
    });
    let (skeleton, _) = Skeleton::new(joints.collect()).expect("a tree");
    let mut bundle = Character::from_skeleton(skeleton);
    for nth in 0..clips {
        let mut clip = Clip {
            name: format!("Armature|a clip with a very long name, number {nth}"),
            duration_secs: 1.0,
            ..Clip::default()
        };
        for time_secs in [0.0, 1.0] {
            let (skeleton, limits) = (&bundle.skeleton, OverLimit::Allow);
            let keyed = clip.insert_pose(skeleton, time_secs, skeleton.rest(), limits);
            keyed.expect("keys of the rest pose");
        }
        bundle.clips.push(clip);
    }
    gltf::to_glb(&bundle, &gltf::ExportOptions::new()).expect("written")
}

#[test]
fn names_of_clips_and_joints_are_whole_and_searched() {
    let Some(mut driver) = Driver::new(Session::default()) else {
        return;
    };
    driver.run(FileCommand::OpenBytes {
        name: "bundle.glb".to_owned(),
        bytes: bundled(12, 6),
    });
    driver.wait();
    let name = |nth: usize| format!("a clip with a very long name, number {nth}");
    assert!(driver.has(&name(0)), "without its namespace");
    // A name that is wider than the panel takes more lines than a short one.
    let height = |name: &str| driver.0.get_by_label(name).rect().height();
    assert!(height(&name(0)) > 1.4 * height("Rest pose"));
    assert!(driver.has("a_joint_with_a_very_long_name_0"));
    driver.0.get_by_label("Search clips").focus();
    driver.frames(1);
    driver.0.get_by_label("Search clips").type_text("number 11");
    driver.frames(2);
    assert!(!driver.has(&name(0)) && driver.has(&name(11)));
}
