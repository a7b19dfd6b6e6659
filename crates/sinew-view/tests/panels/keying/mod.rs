//! Keys, clips, events and layers, made as a person makes them. The document is checked, not the picture.

use super::Driver;

mod clips;
mod curves;
mod dope;
mod fields;
mod layers;
mod named;
mod poses;
mod reach;
mod speed;

use egui::{Event, Key, Modifiers, Pos2};
use egui_kittest::kittest::Queryable;
use sinew::clip::{Channel, Clip, Track};
use sinew_edit::{Edit, Motion};
use sinew_view::document::OpenFile;
use sinew_view::state::Selection;
use sinew_view::{Command, PlaybackCommand, SelectionCommand, Session};
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

fn run(driver: &mut Driver, text: &str) {
    driver.run(Command::Edit(edit(text)));
}

fn motion(driver: &Driver) -> Arc<Motion> {
    file(driver).motions[driver.state().playback.clip.expect("a clip")].clone()
}

fn rotations(driver: &Driver, joint: usize) -> Track {
    let track = clip(driver).track(joint, Channel::Rotation);
    track.expect("a track").clone()
}

/// Steps of the history that can be undone.
fn steps(driver: &Driver) -> usize {
    let editor = driver.session().editor(driver.state().shown);
    editor.map_or(0, |editor| editor.done().len())
}

/// Text that Ctrl+C puts on the clipboard.
fn copied(driver: &mut Driver) -> String {
    driver.0.event(Event::Copy);
    driver.0.step();
    let copied = driver.0.output().platform_output.commands.iter();
    let mut copied = copied.filter_map(|command| match command {
        egui::OutputCommand::CopyText(text) => Some(text.clone()),
        _ => None,
    });
    copied.next_back().expect("a copied text")
}

/// Types into a number field, as after a click on it.
fn type_in(driver: &mut Driver, field: &str, text: &str) {
    driver.click(field);
    driver.0.event(Event::Text(text.to_owned()));
    driver.frames(2);
    driver.0.key_press(Key::Enter);
    driver.frames(3);
}

/// Types into a text field.
fn write(driver: &mut Driver, field: &str, text: &str) {
    driver.0.get_by_label(field).focus();
    driver.frames(1);
    driver.0.get_by_label(field).type_text(text);
    driver.frames(2);
}
