//! Edits by commands: they change the shown file, can be undone, and survive a crash.

use super::{Folder, check, limb, settle};
use sinew_view::document::Export;
use sinew_view::{Command, FileCommand, HistoryCommand, PlaybackCommand, Session};
use std::path::PathBuf;

fn command(text: &str) -> Command {
    serde_json::from_str(text).expect(text)
}

fn names(session: &Session) -> Vec<String> {
    let file = session
        .document()
        .file(session.state().shown)
        .expect("a file");
    file.clips().map(|clip| clip.name.clone()).collect()
}

#[test]
fn edits_change_the_shown_file_and_are_undone() {
    let folder = Folder::new("editing");
    let mut session = limb(&folder);
    let before = names(&session);
    session.run(command(
        r#"{"do": "new_clip", "name": "wave", "duration_secs": 1}"#,
    ));
    check(&session);
    assert_eq!(names(&session).last().map(String::as_str), Some("wave"));
    // The new clip is ready to be keyed.
    assert_eq!(
        session.clip().map(|clip| clip.name.clone()).as_deref(),
        Some("wave")
    );
    assert!(!session.state().playback.is_playing);
    let rotate = |angle: f32| {
        let half = angle / 2.0;
        let text = format!(
            r#"{{"do": "drag", "edit": {{"do": "rotate", "joints": [1], "rotation": [{}, 0, 0, {}], "limits": "allow"}}}}"#,
            half.sin(),
            half.cos()
        );
        command(&text)
    };
    (1..=10_u8).for_each(|step| session.run(rotate(0.05 * f32::from(step))));
    session.run(HistoryCommand::Release);
    let file = |session: &Session| {
        session
            .document()
            .file(session.state().shown)
            .expect("a file")
            .clone()
    };
    assert_eq!(file(&session).pose.len(), 1);
    let shown = session.figure(0).expect("a figure").actor.pose().get(1);
    assert_eq!(shown, file(&session).pose[&1]);
    session.run(command(
        r#"{"do": "key_pose", "clip": "wave", "time_secs": 0.5}"#,
    ));
    assert!(file(&session).pose.is_empty());
    assert_eq!(session.clip().expect("the clip").tracks().count(), 1);
    let id = session.state().shown;
    assert_eq!(session.editor(id).expect("edits").done().len(), 3);
    assert!(session.is_changed(id));
    for _ in 0..3 {
        session.run(HistoryCommand::Undo);
        check(&session);
    }
    assert_eq!(names(&session), before);
    assert!(!session.is_changed(id));
    (0..3).for_each(|_| session.run(HistoryCommand::Redo));
    check(&session);
    assert_eq!(
        session.document().file(id).expect("a file").motions.len(),
        before.len() + 1
    );
}

#[test]
fn a_refused_edit_is_a_message_and_changes_nothing() {
    let folder = Folder::new("editing-refused");
    let mut session = limb(&folder);
    let before = names(&session);
    session.run(command(r#"{"do": "delete_clip", "clip": "no such clip"}"#));
    assert_eq!(names(&session), before);
    let message = session.messages().last().expect("a message");
    assert!(
        message.text.starts_with("delete_clip: there is no clip"),
        "{}",
        message.text
    );
}

fn opened(path: PathBuf, journals: &std::path::Path) -> Session {
    let mut session = Session::opening([path]);
    session.keep_journals(journals);
    settle(&mut session);
    session.run(PlaybackCommand::Pause);
    session
}

#[test]
fn edits_come_back_after_a_crash_and_are_gone_after_saving() {
    let folder = Folder::new("journal");
    let path = folder.glb("limb.glb");
    let journals = folder.path("journals");
    let mut session = opened(path.clone(), &journals);
    for name in ["a", "b", "c"] {
        session.run(command(&format!(
            r#"{{"do": "new_clip", "name": "{name}"}}"#
        )));
    }
    session.run(HistoryCommand::Undo);
    let edited = names(&session);
    // The program is killed: nothing is closed.
    std::mem::forget(session);
    let mut session = opened(path.clone(), &journals);
    assert_eq!(names(&session), edited);
    let message = session.messages().last().expect("a message").text.clone();
    assert!(message.contains("2 of 2 edits"), "{message}");
    session.run(command(r#"{"do": "new_clip", "name": "d"}"#));
    drop(session);
    // A line that was cut off is left out.
    let journal = std::fs::read_dir(&journals)
        .expect("a folder")
        .flatten()
        .next()
        .expect("a journal")
        .path();
    let text = std::fs::read_to_string(&journal).expect("text");
    assert_eq!(text.lines().count(), 4, "{text}");
    std::fs::write(&journal, &text[..text.len() - 5]).expect("a shorter journal");
    let mut session = opened(path.clone(), &journals);
    assert_eq!(names(&session), edited);
    let id = session.state().shown;
    assert!(session.is_changed(id));
    // Closing asks once.
    session.run(FileCommand::Close { file: id });
    assert!(session.document().file(id).is_some());
    assert!(
        session
            .messages()
            .last()
            .expect("a message")
            .text
            .contains("not saved")
    );
    assert!(session.may_quit(), "asked a second time");
    let what = Export::Glb;
    session.run(FileCommand::Export {
        what,
        path: folder.path("saved.glb"),
    });
    settle(&mut session);
    assert!(!session.is_changed(id) && !journal.exists());
    assert!(session.may_quit());
    let saved = sinew_io::import(folder.path("saved.glb")).expect("a file");
    let saved: Vec<String> = saved
        .character
        .clips
        .iter()
        .map(|clip| clip.name.clone())
        .collect();
    // A clip without keys is not written to glTF.
    assert!(edited.starts_with(&saved), "{saved:?} {edited:?}");
    // The opened file is as it was.
    let opened = sinew_io::import(&path).expect("a file");
    assert_eq!(opened.character.clips.len(), edited.len() - 2);
}

#[test]
fn a_journal_of_another_file_is_not_run() {
    let folder = Folder::new("journal-changed");
    let path = folder.glb("limb.glb");
    let journals = folder.path("journals");
    let mut session = opened(path.clone(), &journals);
    let before = names(&session);
    session.run(command(r#"{"do": "new_clip", "name": "a"}"#));
    drop(session);
    let file = std::fs::File::options().write(true).open(&path);
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(60);
    file.expect("the file")
        .set_modified(later)
        .expect("another time");
    let session = opened(path, &journals);
    assert_eq!(names(&session), before);
    let message = session
        .messages()
        .iter()
        .find(|message| message.text.contains("were not saved"));
    assert!(message.expect("a message").way_out.contains("sinew edit"));
}
