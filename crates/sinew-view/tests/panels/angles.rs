use super::Driver;
use egui_kittest::kittest::Queryable;
use sinew_view::document::MadeFigure;
use sinew_view::state::PanelKind;
use sinew_view::{FileCommand, HistoryCommand, PlaybackCommand, Session, WindowCommand};

#[test]
fn every_exhibit_has_a_slider_for_each_angle() {
    let Some(mut driver) = Driver::new(Session::default()) else {
        return;
    };
    for panel in [PanelKind::Joints, PanelKind::Look, PanelKind::Timeline] {
        driver.run(WindowCommand::Panel { panel, on: false });
    }
    for (made, sliders) in [
        (MadeFigure::RobotArm, &["base", "shoulder", "elbow"][..]),
        (MadeFigure::Scara, &["shoulder", "elbow", "wrist"]),
        (MadeFigure::Car, &["left_steering", "right_steering"]),
        (MadeFigure::Humanoid, &["left_upper_arm", "right_lower_leg"]),
        (MadeFigure::SolarSystem, &["planet"]),
    ] {
        driver.click("Samples");
        driver.click(made.name());
        driver.wait();
        let shown = driver.state().shown;
        let file = driver.session().document().file(shown).expect("shown");
        assert_eq!(file.made, Some(made));
        driver.run(PlaybackCommand::Clip { clip: None });
        for name in sliders {
            assert!(driver.has(&format!("Angle of {name}")), "{made:?}: {name}");
        }
        let has_slide = driver.has("Slide of spindle");
        assert_eq!(has_slide, made == MadeFigure::Scara, "{made:?}");
    }
}

#[test]
fn a_slider_in_metres_moves_a_slide_to_the_ends_of_its_range() {
    let Some(mut driver) = Driver::new(Session::default()) else {
        return;
    };
    for panel in [PanelKind::Joints, PanelKind::Look, PanelKind::Timeline] {
        driver.run(WindowCommand::Panel { panel, on: false });
    }
    driver.run(FileCommand::OpenMade {
        figure: MadeFigure::Scara,
    });
    driver.wait();
    driver.run(PlaybackCommand::Clip { clip: None });
    let slid = |driver: &Driver| {
        let file = driver.session().document().file(driver.state().shown);
        let file = file.expect("the robot");
        let skeleton = &file.character.skeleton;
        let spindle = skeleton.find("spindle").expect("a joint");
        let rest = skeleton.rest().get(spindle);
        let now = file.pose.get(&spindle).copied().unwrap_or(rest);
        assert!(now.rotation.dot(rest.rotation).abs() > 0.999_999);
        let off = now.translation - rest.translation;
        assert!(off.x.abs() < 1e-6 && off.y.abs() < 1e-6, "{off}");
        (file.pose.len(), off.z)
    };
    driver.frames(10);
    assert_eq!(
        slid(&driver),
        (0, 0.0),
        "a slider that is shown moves nothing"
    );
    let number = driver.0.get_by_label("Slide of spindle").rect();
    let at = |left: f32| number.left_center() - egui::vec2(left, 0.0);
    let mut ends = Vec::new();
    for (step, left) in [60.0, 400.0, 60.0, 1.0].into_iter().enumerate() {
        driver.0.hover_at(at(left));
        if step == 0 {
            driver.0.drag_at(at(left));
        }
        driver.frames(2);
        ends.push(slid(&driver).1);
    }
    driver.0.drop_at(at(1.0));
    driver.frames(10);
    assert!((ends[1] + 0.18).abs() < 1e-6 && ends[3] == 0.0, "{ends:?}");
    assert!(-0.15 < ends[0] && ends[0] < -0.02, "{ends:?}");
    // Whole millimetres.
    assert!((ends[0] * 1e3 - (ends[0] * 1e3).round()).abs() < 1e-3);
    let editor = driver.session().editor(driver.state().shown);
    assert_eq!(
        editor.expect("an editor").done().len(),
        1,
        "one drag, one edit"
    );
}

/// Rotation of a joint of the shown file from rest, in degrees.
fn angle(driver: &Driver, name: &str) -> f32 {
    let file = driver.session().document().file(driver.state().shown);
    let file = file.expect("the figure");
    let skeleton = &file.character.skeleton;
    let joint = skeleton.find(name).expect("a joint");
    let rest = skeleton.rest().get(joint).rotation;
    let now = file.pose.get(&joint).map_or(rest, |pose| pose.rotation);
    rest.angle_between(now).to_degrees()
}

#[test]
fn a_slider_of_an_exhibit_turns_its_joint_and_undo_gives_it_back() {
    let Some(mut driver) = Driver::new(Session::default()) else {
        return;
    };
    for panel in [PanelKind::Joints, PanelKind::Look, PanelKind::Timeline] {
        driver.run(WindowCommand::Panel { panel, on: false });
    }
    for (figure, joint) in [
        (MadeFigure::RobotArm, "elbow"),
        (MadeFigure::Humanoid, "left_upper_arm"),
        (MadeFigure::SolarSystem, "planet"),
    ] {
        driver.run(FileCommand::OpenMade { figure });
        driver.wait();
        driver.run(PlaybackCommand::Clip { clip: None });
        let number = driver.0.get_by_label(&format!("Angle of {joint}")).rect();
        let at = |left: f32| number.left_center() - egui::vec2(left, 0.0);
        let mut seen = vec![angle(&driver, joint)];
        driver.0.hover_at(at(30.0));
        driver.frames(1);
        driver.0.drag_at(at(30.0));
        driver.frames(2);
        seen.push(angle(&driver, joint));
        driver.0.hover_at(at(12.0));
        driver.frames(2);
        seen.push(angle(&driver, joint));
        driver.0.drop_at(at(12.0));
        driver.frames(2);
        assert!(
            seen[0] < 0.01 && seen[2] > seen[1] + 5.0,
            "{figure:?}: {seen:?}"
        );
        driver.run(HistoryCommand::Undo);
        assert!(angle(&driver, joint) < 0.01, "one step: {figure:?}");
        // The number itself is dragged, too.
        driver.drag(&format!("Angle of {joint}"), [0.3, 0.5], [1.3, 0.5]);
        assert!(
            angle(&driver, joint) > 2.0,
            "{figure:?}: {}",
            angle(&driver, joint)
        );
        driver.run(HistoryCommand::Undo);
        assert!(angle(&driver, joint) < 0.01, "one step: {figure:?}");
    }
}
