//! Edits by commands: they change the shown file and can be undone.

use super::{Folder, check, limb};
use sinew_view::{Command, HistoryCommand, Session};

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
