//! Keys in the dope sheet.

use super::*;
use egui::Vec2;
use sinew_view::document::MadeFigure;
use sinew_view::{FileCommand, HistoryCommand};

#[test]
fn keys_are_set_moved_by_pixels_undone_and_redone() {
    let Some((mut driver, joint)) = keyed() else {
        return;
    };
    assert!(driver.has("Unsaved changes of mannequin"));
    let (from, to) = (
        spot(&driver, "spine_1", 0.5),
        spot(&driver, "spine_1", 0.803),
    );
    let steps = driver
        .session()
        .editor(driver.state().shown)
        .expect("edits")
        .done()
        .len();
    drag(&mut driver, from, to);
    // The drop is 3 ms beside frame 24, and keys go to frames.
    assert_eq!(times(&driver, joint), [0.0, 0.8]);
    let done = driver
        .session()
        .editor(driver.state().shown)
        .expect("edits")
        .done()
        .len();
    assert_eq!(done, steps + 1);
    press(&mut driver, CTRL, Key::Z);
    assert_eq!(times(&driver, joint), [0.0, 0.5]);
    press(&mut driver, CTRL | Modifiers::SHIFT, Key::Z);
    assert_eq!(times(&driver, joint), [0.0, 0.8]);
    // The moved key is still selected.
    driver.key(Key::X);
    assert_eq!(times(&driver, joint), [0.0]);
    press(&mut driver, CTRL, Key::Z);
    press(&mut driver, CTRL, Key::Z);
    press(&mut driver, CTRL, Key::Y);
    assert_eq!(times(&driver, joint), [0.0, 0.8]);
}

#[test]
fn the_summary_row_moves_whole_poses_and_a_box_selects() {
    let Some((mut driver, first)) = keyed() else {
        return;
    };
    let second = select(&mut driver, "spine_2");
    driver.key(Key::I);
    assert_eq!(times(&driver, second), [0.5]);
    let (from, to) = (
        spot(&driver, "All keys", 0.5),
        spot(&driver, "All keys", 0.7),
    );
    drag(&mut driver, from, to);
    assert_eq!(times(&driver, first), [0.0, 0.7]);
    assert_eq!(times(&driver, second), [0.7]);
    // A box from empty space over the row of all keys.
    let aside = Vec2::new(0.0, -6.0);
    let (from, to) = (
        spot(&driver, "All keys", 0.6),
        spot(&driver, "All keys", 0.9),
    );
    drag(&mut driver, from + aside, to - aside);
    let keys = &driver.state().editing.keys;
    assert_eq!((keys[0].from_secs, keys[0].to_secs), (0.7, 0.7));
    assert!(keys[0].joints.is_empty());
    driver.key(Key::Delete);
    assert_eq!(times(&driver, first), [0.0]);
    assert!(times(&driver, second).is_empty());
    assert!(driver.state().editing.keys.is_empty());
}

#[test]
fn keys_are_copied_and_pasted_at_the_current_time() {
    let Some((mut driver, joint)) = keyed() else {
        return;
    };
    let at = spot(&driver, "spine_1", 0.0);
    click_at(&mut driver, at);
    assert_eq!(driver.state().editing.keys.len(), 1);
    let text = copied(&mut driver);
    seek(&mut driver, 0.9);
    driver.0.event(Event::Paste(text));
    driver.frames(2);
    assert_eq!(times(&driver, joint), [0.0, 0.5, 0.9]);
    let track = clip(&driver).track(joint, Channel::Rotation);
    let track: &Track = track.expect("a track");
    assert_eq!(track.sample_rotation(0.0), track.sample_rotation(0.9));
}

#[test]
fn a_posed_joint_is_keyed_at_once_and_undone_at_once() {
    let Some((mut driver, joint)) = keyed() else {
        return;
    };
    driver.click("Auto-key");
    seek(&mut driver, 0.8);
    let before = file(&driver).motions[driver.state().playback.clip.expect("a clip")].clone();
    for w in [0.99, 0.98] {
        let edit = edit(&format!(
            r#"{{"do": "rotate", "joints": ["spine_1"], "rotation": [{}, 0, 0, {w}]}}"#,
            (1.0_f32 - w * w).sqrt()
        ));
        driver.run(HistoryCommand::Drag { edit });
        assert_eq!(times(&driver, joint), [0.0, 0.5]);
    }
    driver.run(HistoryCommand::Release);
    assert_eq!(times(&driver, joint), [0.0, 0.5, 0.8]);
    assert!(file(&driver).pose.is_empty());
    press(&mut driver, CTRL, Key::Z);
    assert!(file(&driver).pose.is_empty());
    let after = &file(&driver).motions[driver.state().playback.clip.expect("a clip")];
    assert_eq!(**after, *before);
    press(&mut driver, CTRL | Modifiers::SHIFT, Key::Z);
    assert_eq!(times(&driver, joint), [0.0, 0.5, 0.8]);
}

#[test]
fn keys_are_pasted_into_another_file_with_the_same_joints_as_one_step() {
    let Some((mut driver, joint)) = keyed() else {
        return;
    };
    press(&mut driver, CTRL, Key::A);
    let text = copied(&mut driver);
    driver.run(FileCommand::OpenMade {
        figure: MadeFigure::Mannequin,
    });
    driver.wait();
    driver.click("New clip");
    assert!(times(&driver, joint).is_empty());
    seek(&mut driver, 0.2);
    driver.0.event(Event::Paste(text));
    driver.frames(2);
    assert_eq!(times(&driver, joint), [0.2, 0.7]);
    press(&mut driver, CTRL, Key::Z);
    assert!(times(&driver, joint).is_empty());
}
