//! Keys, clips, events and layers, made as a person makes them. The document is checked, not the picture.

use super::Driver;
use egui::{Event, Key, Modifiers, Pos2, Vec2};
use egui_kittest::kittest::Queryable;
use sinew::clip::{Channel, Clip, Track};
use sinew_edit::{Edit, Motion};
use sinew_view::document::OpenFile;
use sinew_view::state::{PanelKind, Selection};
use sinew_view::{
    Command, HistoryCommand, PlaybackCommand, SelectionCommand, Session, WindowCommand,
};
use std::sync::Arc;

const CTRL: Modifiers = Modifiers::COMMAND;

fn file(driver: &Driver) -> &OpenFile {
    let shown = driver.state().shown;
    driver.session().document().file(shown).expect("a file")
}

fn clip(driver: &Driver) -> &Clip {
    driver.session().clip().expect("a clip")
}

fn joint(driver: &Driver, name: &str) -> usize {
    let skeleton = &file(driver).character.skeleton;
    skeleton.find(name).expect("a joint of the mannequin")
}

fn select(driver: &mut Driver, name: &str) -> usize {
    let joint = joint(driver, name);
    let selection = Selection::Joint(joint);
    driver.run(SelectionCommand::Select { selection });
    joint
}

fn seek(driver: &mut Driver, time_secs: f64) {
    driver.run(PlaybackCommand::Seek { time_secs });
}

fn press(driver: &mut Driver, modifiers: Modifiers, key: Key) {
    driver.0.key_press_modifiers(modifiers, key);
    driver.frames(2);
}

/// Times of a joint's rotation keys.
fn times(driver: &Driver, joint: usize) -> Vec<f32> {
    let track = clip(driver).track(joint, Channel::Rotation);
    track.map_or(Vec::new(), |track| track.times().to_vec())
}

/// Position of a time in a row of the timeline.
fn spot(driver: &Driver, row: &str, time_secs: f32) -> Pos2 {
    let ruler = driver.0.get_by_label("Time").rect();
    let row = driver.0.get_by_label(&format!("Keys of {row}")).rect();
    let part = time_secs / clip(driver).duration_secs;
    let x = ruler.left() + 8.0 + (ruler.width() - 22.0) * part;
    Pos2::new(x, row.center().y)
}

fn drag(driver: &mut Driver, from: Pos2, to: Pos2) {
    driver.0.hover_at(from);
    driver.frames(1);
    driver.0.drag_at(from);
    driver.frames(1);
    for part in [0.3, 0.6, 1.0] {
        driver.0.hover_at(from + (to - from) * part);
        driver.frames(1);
    }
    driver.0.drop_at(to);
    driver.frames(2);
}

fn click_at(driver: &mut Driver, at: Pos2) {
    driver.0.hover_at(at);
    driver.frames(1);
    driver.0.drag_at(at);
    driver.frames(1);
    driver.0.drop_at(at);
    driver.frames(2);
}

fn edit(text: &str) -> Edit {
    serde_json::from_str(text).expect(text)
}

/// Window with a new clip in which one joint has keys at 0 and 0.5 s.
fn keyed() -> Option<(Driver, usize)> {
    let mut driver = Driver::new(Session::default())?;
    driver.click("New clip");
    assert_eq!(clip(&driver).name, "clip");
    assert_eq!(clip(&driver).duration_secs, 1.0);
    assert!(!driver.state().playback.is_playing);
    let joint = select(&mut driver, "spine_1");
    driver.key(Key::I);
    seek(&mut driver, 0.5);
    driver.key(Key::I);
    assert_eq!(times(&driver, joint), [0.0, 0.5]);
    Some((driver, joint))
}

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
    driver.0.event(Event::Copy);
    driver.0.step();
    let copied = driver.0.output().platform_output.commands.iter();
    let mut copied = copied.filter_map(|command| match command {
        egui::OutputCommand::CopyText(text) => Some(text.clone()),
        _ => None,
    });
    let text = copied.next_back().expect("a copied text");
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
fn a_layer_raises_an_arm_and_leaves_the_feet() {
    let Some(mut driver) = Driver::new(Session::default()) else {
        return;
    };
    let panel = PanelKind::Layers;
    driver.run(WindowCommand::Panel { panel, on: true });
    driver.click("walk");
    driver.run(PlaybackCommand::Pause);
    let (arm, foot) = (
        joint(&driver, "left_upper_arm"),
        joint(&driver, "left_foot"),
    );
    let values = |driver: &Driver, joint: usize| {
        let track = clip(driver).track(joint, Channel::Rotation);
        track.expect("a track").values().clone()
    };
    let (arm_before, foot_before) = (values(&driver, arm), values(&driver, foot));
    driver.click("Add layer");
    let motion = |driver: &Driver| -> Arc<Motion> {
        file(driver).motions[driver.state().playback.clip.expect("a clip")].clone()
    };
    assert_eq!(driver.state().editing.layer, Some(0));
    seek(&mut driver, 0.4);
    driver.run(Command::Edit(edit(
        r#"{"do": "rotate", "joints": ["left_upper_arm"], "rotation": [0, 0, 0.3, 0.954],
            "over": {"clip": "walk", "time_secs": 0.4}, "limits": "allow"}"#,
    )));
    driver.click("Key");
    let layers = motion(&driver).layers.clone().expect("layers");
    assert_eq!(layers.layers[0].tracks.len(), 1);
    assert_eq!(layers.layers[0].tracks[0].joint, arm);
    assert_ne!(values(&driver, arm), arm_before);
    assert!(Arc::ptr_eq(&values(&driver, foot), &foot_before));
    // A drag of the weight is one step.
    let raised = values(&driver, arm);
    let done = |driver: &Driver| {
        let editor = driver.session().editor(driver.state().shown);
        editor.expect("edits").done().len()
    };
    let steps = done(&driver);
    driver.drag("Weight of layer", [0.9, 0.5], [-1.0, 0.5]);
    let weight = motion(&driver).layers.clone().expect("layers").layers[0].weight;
    assert!(weight < 0.95, "{weight}");
    assert_eq!(done(&driver), steps + 1);
    assert_ne!(values(&driver, arm), raised);
    press(&mut driver, CTRL, Key::Z);
    assert_eq!(values(&driver, arm), raised);
    driver.click("Flatten");
    assert!(motion(&driver).layers.is_none());
    assert_eq!(values(&driver, arm), raised);
}

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

/// Prints the time per frame with a timeline of many keys, and without it.
#[test]
#[ignore = "a measurement"]
fn time_of_a_large_dope_sheet() {
    let Some(mut driver) = Driver::new(Session::default()) else {
        return;
    };
    driver.click("walk");
    driver.run(PlaybackCommand::Pause);
    let fps = 4500.0 / f64::from(clip(&driver).duration_secs);
    let clip_name = "walk".into();
    driver.run(Command::Edit(Edit::ResampleClip {
        clip: clip_name,
        fps,
    }));
    driver.click("All rows");
    let keys: usize = clip(&driver).tracks().map(Track::keys).sum();
    driver.wait();
    driver.frames(40);
    let measure = |name: &str, driver: &mut Driver| {
        let start = std::time::Instant::now();
        for _ in 0..40 {
            driver.frames(1);
        }
        let per_frame = start.elapsed().as_secs_f64() * 1000.0 / 40.0;
        println!("{name}: {per_frame:.2} ms per frame");
    };
    println!("{} joints, {keys} keys", clip(&driver).joints.len());
    measure("with the timeline", &mut driver);
    let panel = PanelKind::Timeline;
    driver.run(WindowCommand::Panel { panel, on: false });
    driver.frames(40);
    measure("without it", &mut driver);
}
