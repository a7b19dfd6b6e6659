//! Whole clips, events and the history.

use super::*;
use sinew_view::WindowCommand;
use sinew_view::state::PanelKind;

#[test]
fn the_history_lists_steps_and_goes_to_them() {
    let Some((mut driver, joint)) = keyed() else {
        return;
    };
    let panel = PanelKind::History;
    driver.run(WindowCommand::Panel { panel, on: true });
    for panel in [PanelKind::Look, PanelKind::Numbers] {
        driver.run(WindowCommand::Panel { panel, on: false });
    }
    let second = "Step 2: keyed 1 joint at 0 s of \"clip\"";
    driver.click(second);
    assert_eq!(times(&driver, joint), [0.0]);
    driver.click("Step 3: keyed 1 joint at 0.5 s of \"clip\"");
    assert_eq!(times(&driver, joint), [0.0, 0.5]);
    driver.click("Step 0: as opened");
    assert!(file(&driver).clips().all(|clip| clip.name != "clip"));
    assert!(!driver.has("Unsaved changes of mannequin"));
    driver.click("Redo");
    assert!(file(&driver).clips().any(|clip| clip.name == "clip"));
}

#[test]
fn clips_are_renamed_copied_cut_and_made_longer() {
    let Some((mut driver, joint)) = keyed() else {
        return;
    };
    driver.click("Edit the clip");
    driver.frames(20);
    driver.0.get_by_label("Clip name").focus();
    driver.frames(1);
    driver.0.get_by_label("Clip name").type_text("nod");
    driver.frames(2);
    driver.click("Rename");
    assert!(clip(&driver).name.contains("nod"), "{}", clip(&driver).name);
    let name = clip(&driver).name.clone();
    driver.click("Reverse");
    assert_eq!(times(&driver, joint), [0.5, 1.0]);
    driver.drag("End of the clip", [0.2, 0.5], [6.0, 0.5]);
    let longer = clip(&driver).duration_secs;
    assert!(longer > 1.02, "{longer}");
    assert_eq!(longer, (longer * 30.0).round() / 30.0);
    driver.click("Duplicate");
    assert_eq!(clip(&driver).name, format!("{name} 2"));
    driver.click("Delete clip");
    assert!(
        file(&driver)
            .clips()
            .all(|clip| clip.name != format!("{name} 2"))
    );
}

#[test]
fn events_are_added_dragged_renamed_and_deleted() {
    let Some((mut driver, _)) = keyed() else {
        return;
    };
    driver.0.get_by_label("Event name").focus();
    driver.frames(1);
    driver.0.get_by_label("Event name").type_text("clap");
    driver.frames(2);
    driver.click("Add event");
    let event = clip(&driver).events[0].clone();
    assert_eq!((&*event.name, event.time_secs), ("clap", 0.5));
    let from = driver.0.get_by_label("Event clap").rect().center();
    let mut to = spot(&driver, "All keys", 0.8);
    to.y = from.y;
    drag(&mut driver, from, to);
    assert_eq!(clip(&driver).events[0].time_secs, 0.8);
    driver.click("Event clap");
    driver.0.get_by_label("Event name").focus();
    driver.frames(1);
    driver.0.get_by_label("Event name").type_text("s");
    driver.frames(2);
    driver.click("Rename event");
    assert_ne!(clip(&driver).events[0].name, "clap");
    driver.click("Delete event");
    assert!(clip(&driver).events.is_empty());
}

#[test]
fn clips_are_trimmed_split_mirrored_looped_retimed_and_resampled() {
    let Some(mut driver) = Driver::new(Session::default()) else {
        return;
    };
    driver.click("walk");
    driver.run(PlaybackCommand::Pause);
    driver.click("Edit the clip");
    driver.frames(20);
    let whole = clip(&driver).duration_secs;
    let (left, right) = (
        joint(&driver, "left_upper_arm"),
        joint(&driver, "right_upper_arm"),
    );
    let turn = |driver: &Driver, joint: usize, time: f64| {
        let turn = rotations(driver, joint).sample_rotation(time);
        turn.expect("a rotation")
    };
    let range = [0.2, 0.8];
    driver.run(PlaybackCommand::Range {
        range_secs: Some(range),
    });
    let at = turn(&driver, left, 0.3);
    driver.click("Trim to range");
    assert!((clip(&driver).duration_secs - 0.6).abs() < 1e-4);
    assert!(turn(&driver, left, 0.1).angle_between(at) < 1e-3);
    press(&mut driver, CTRL, Key::Z);
    assert_eq!(clip(&driver).duration_secs, whole);
    driver.run(PlaybackCommand::Range { range_secs: None });
    seek(&mut driver, 0.4);
    let clips = file(&driver).motions.len();
    driver.click("Split here");
    assert_eq!(file(&driver).motions.len(), clips + 1);
    assert!((clip(&driver).duration_secs - 0.4).abs() < 1e-4);
    press(&mut driver, CTRL, Key::Z);
    assert_eq!(file(&driver).motions.len(), clips);
    let before = turn(&driver, right, 0.4);
    driver.click("Mirror");
    let after = turn(&driver, left, 0.4);
    // The mirror image keeps x and w of a rotation of joints whose rest poses mirror each other.
    assert!(
        (after.w.abs() - before.w.abs()).abs() < 1e-3,
        "{before} {after}"
    );
    press(&mut driver, CTRL, Key::Z);
    driver.click("Reverse");
    let end = f64::from(whole);
    let back = turn(&driver, right, end - 0.4);
    assert!(back.angle_between(before) < 1e-2);
    press(&mut driver, CTRL, Key::Z);
    type_in(&mut driver, "Factor of time", "2");
    driver.click("Retime");
    assert!((clip(&driver).duration_secs - 2.0 * whole).abs() < 1e-4);
    assert!(turn(&driver, right, 0.8).angle_between(before) < 1e-3);
    press(&mut driver, CTRL, Key::Z);
    run(
        &mut driver,
        r#"{"do": "trim_clip", "clip": "walk", "from_secs": 0, "to_secs": 0.3}"#,
    );
    driver.click("Close loop");
    let duration = f64::from(clip(&driver).duration_secs);
    let ends = [0.0, duration].map(|time| turn(&driver, left, time));
    assert!(ends[0].angle_between(ends[1]) < 1e-3, "{ends:?}");
    type_in(&mut driver, "Keys per second", "20");
    driver.click("Resample");
    let times = times(&driver, left);
    assert!((times[1] - 0.05).abs() < 1e-4, "{times:?}");
}

#[test]
fn a_capture_is_cleaned_from_the_menu_with_its_figures() {
    let Some(mut driver) = Driver::new(Session::default()) else {
        return;
    };
    driver.click("walk");
    driver.run(PlaybackCommand::Pause);
    driver.click("Edit the clip");
    driver.frames(20);
    let before = clip(&driver).clone();
    driver.click("Clean a capture");
    driver.click("Hold feet");
    driver.click("Cut-off of all joints");
    type_in(&mut driver, "Cut-off", "4");
    driver.click("Clean the clip");
    driver.frames(2);
    assert_ne!(*clip(&driver), before);
    let editor = driver.session().editor(driver.state().shown);
    let step = editor.and_then(|editor| editor.done().next_back());
    let text = step.expect("a step").report.text.clone();
    assert!(!text.contains("held"), "{text}");
    let figures = text.split(", ").find(|part| part.contains("jerk"));
    assert!(driver.has(figures.expect("the jerk")), "{text}");
    press(&mut driver, CTRL, Key::Z);
    assert_eq!(*clip(&driver), before);
}
