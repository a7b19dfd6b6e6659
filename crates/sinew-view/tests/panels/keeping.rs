//! Saving, undo and unsaved changes, as a person does them: by keys, typed paths and buttons.

use super::Driver;
use egui::{Key, Modifiers};
use egui_kittest::kittest::Queryable;
use sinew_view::document::OpenFile;
use sinew_view::state::{PanelKind, Selection};
use sinew_view::{FileCommand, PlaybackCommand, SelectionCommand, Session, WindowCommand};
use std::fs;
use std::path::{Path, PathBuf};

const CTRL: Modifiers = Modifiers::COMMAND;

/// Folder that is deleted at the end.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let name = format!("sinew-view-{name}-{}", std::process::id());
        let path = std::env::temp_dir().join(name);
        fs::create_dir_all(&path).expect("a folder");
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn file(driver: &Driver) -> &OpenFile {
    let shown = driver.state().shown;
    driver.session().document().file(shown).expect("a file")
}

fn press(driver: &mut Driver, modifiers: Modifiers, key: Key) {
    driver.0.key_press_modifiers(modifiers, key);
    driver.frames(3);
}

/// Types a path over the suggested one.
fn type_path(driver: &mut Driver, path: &Path) {
    driver.0.get_by_label("Path to save to").focus();
    driver.frames(1);
    driver.0.key_press_modifiers(CTRL, Key::A);
    driver.frames(1);
    let text = path.display().to_string();
    driver.0.get_by_label("Path to save to").type_text(&text);
    driver.frames(2);
}

/// Clicks, and waits until a question is seen.
fn click(driver: &mut Driver, name: &str) {
    driver.click(name);
    driver.frames(3);
}

fn settle(driver: &mut Driver) {
    driver.wait();
    driver.wait();
}

/// Window with a new clip in which a joint has a key.
fn edited() -> Option<Driver> {
    let mut driver = Driver::new(Session::default())?;
    click(&mut driver, "New clip");
    let joint = file(&driver).character.skeleton.find("spine_1");
    let selection = Selection::Joint(joint.expect("a joint of the mannequin"));
    driver.run(SelectionCommand::Select { selection });
    driver.key(Key::I);
    Some(driver)
}

fn has_clip(path: &Path) -> bool {
    let saved = sinew_io::import(path).expect("a file").character;
    let mut clips = saved.clips.iter().filter(|clip| clip.name == "clip");
    clips.any(|clip| clip.tracks().next().is_some())
}

#[test]
fn a_file_is_saved_under_a_typed_path_undone_and_opened_again() {
    let folder = Folder::new("typed");
    let Some(mut driver) = edited() else {
        return;
    };
    let panel = PanelKind::History;
    driver.run(WindowCommand::Panel { panel, on: true });
    for panel in [PanelKind::Look, PanelKind::Numbers] {
        driver.run(WindowCommand::Panel { panel, on: false });
    }
    press(&mut driver, CTRL, Key::S);
    assert!(driver.has("Path to save to"));
    // Keys go to the question, not to the window behind it.
    press(&mut driver, CTRL, Key::Z);
    assert!(driver.has("Unsaved changes of mannequin"));
    let path = folder.0.join("kick.glb");
    type_path(&mut driver, &path);
    click(&mut driver, "Save");
    settle(&mut driver);
    assert!(!driver.has("Path to save to"));
    assert!(has_clip(&path), "{:?}", driver.session().messages());
    assert!(driver.has("File kick.glb") && !driver.has("Unsaved changes of kick.glb"));
    assert!(driver.has("Step 2: keyed 1 joint at 0 s of \"clip\" (saved)"));
    // Undo leaves the saved step, redo comes back to it.
    press(&mut driver, CTRL, Key::Z);
    assert!(driver.has("Unsaved changes of kick.glb"));
    press(&mut driver, CTRL | Modifiers::SHIFT, Key::Z);
    assert!(!driver.has("Unsaved changes of kick.glb"));
    // The second time, there is nothing to ask.
    driver.run(PlaybackCommand::Seek { time_secs: 0.5 });
    driver.key(Key::I);
    press(&mut driver, CTRL, Key::S);
    settle(&mut driver);
    assert!(!driver.has("Unsaved changes of kick.glb"));
    let motions = file(&driver).motions.clone();
    let mut again = Driver::new(Session::opening([path])).expect("a device");
    settle(&mut again);
    let read = &file(&again).motions;
    assert_eq!(read.len(), motions.len());
    for (before, after) in motions.iter().zip(read) {
        assert_eq!(before.clip, after.clip);
    }
}

#[test]
fn a_file_that_is_there_is_asked_about() {
    let folder = Folder::new("replaced");
    let Some(mut driver) = edited() else {
        return;
    };
    let path = folder.0.join("there.glb");
    fs::write(&path, b"something else").expect("a file");
    click(&mut driver, "Save file");
    type_path(&mut driver, &path);
    // Enter does what the button does.
    press(&mut driver, Modifiers::NONE, Key::Enter);
    assert!(driver.has("Replace"));
    click(&mut driver, "Cancel");
    assert_eq!(fs::read(&path).expect("the file"), b"something else");
    // The typed path is still there.
    click(&mut driver, "Save");
    click(&mut driver, "Replace");
    settle(&mut driver);
    assert!(has_clip(&path), "{:?}", driver.session().messages());
    press(&mut driver, CTRL | Modifiers::SHIFT, Key::S);
    assert!(driver.has("Path to save to"));
    press(&mut driver, Modifiers::NONE, Key::Escape);
    assert!(!driver.has("Path to save to"));
}

#[test]
fn closing_a_changed_file_offers_save_discard_and_cancel() {
    let folder = Folder::new("closed");
    let Some(mut driver) = edited() else {
        return;
    };
    click(&mut driver, "Close mannequin");
    assert!(driver.has("Discard"));
    click(&mut driver, "Cancel");
    assert!(driver.has("Unsaved changes of mannequin") && !driver.has("Discard"));
    click(&mut driver, "Close mannequin");
    click(&mut driver, "Save");
    let path = folder.0.join("closed.glb");
    type_path(&mut driver, &path);
    click(&mut driver, "Save");
    settle(&mut driver);
    assert!(has_clip(&path));
    assert!(file(&driver).is_stand_in, "the mannequin as it is at first");
    // Discard closes without a file.
    driver.run(FileCommand::Open { path: path.clone() });
    settle(&mut driver);
    let bytes = fs::read(&path).expect("bytes");
    click(&mut driver, "New clip");
    click(&mut driver, "Close closed.glb");
    click(&mut driver, "Discard");
    settle(&mut driver);
    assert!(file(&driver).is_stand_in);
    assert_eq!(fs::read(&path).expect("bytes"), bytes);
}
