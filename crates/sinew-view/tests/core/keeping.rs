//! Journals and saving: edits survive a crash, and a saved file opens as it was.

use super::{Folder, check, settle};
use sinew_view::document::{FileId, MadeFigure, MessageKind, OpenFile};
use sinew_view::state::{Answer, Question};
use sinew_view::{Command, FileCommand, HistoryCommand, PlaybackCommand, Session};
use std::fs;
use std::path::{Path, PathBuf};

pub(super) fn command(text: &str) -> Command {
    serde_json::from_str(text).expect(text)
}

pub(super) fn shown(session: &Session) -> &OpenFile {
    let shown = session.state().shown;
    session.document().file(shown).expect("a file")
}

pub(super) fn names(session: &Session) -> Vec<String> {
    shown(session)
        .clips()
        .map(|clip| clip.name.clone())
        .collect()
}

pub(super) fn opened(path: PathBuf, journals: &Path) -> Session {
    let mut session = Session::opening([path]);
    session.keep_journals(journals);
    settle(&mut session);
    session.run(PlaybackCommand::Pause);
    session
}

pub(super) fn save_as(session: &mut Session, path: &Path) {
    session.run(FileCommand::SaveAs {
        path: Some(path.to_owned()),
        replace: true,
    });
    settle(session);
}

fn answer(session: &mut Session, answer: Answer) {
    session.run(FileCommand::Answer { answer });
    settle(session);
    check(session);
}

fn new_clip(session: &mut Session, name: &str) {
    session.run(command(&format!(
        r#"{{"do": "new_clip", "name": "{name}"}}"#
    )));
}

pub(super) fn last_message(session: &Session) -> String {
    let message = session.messages().last().expect("a message");
    format!("{}: {} {}", message.file, message.text, message.way_out)
}

fn journal_files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    entries.map(|entry| entry.path()).collect()
}

/// Time for two looks at files on disk.
fn watch(session: &mut Session) {
    for _ in 0..4 {
        session.advance(0.6);
        settle(session);
    }
}

#[test]
fn edits_come_back_after_a_crash_and_are_gone_after_saving() {
    let folder = Folder::new("journal");
    let path = folder.glb("limb.glb");
    let journals = folder.path("journals");
    let mut session = opened(path.clone(), &journals);
    for name in ["a", "b", "c"] {
        new_clip(&mut session, name);
    }
    session.run(HistoryCommand::Undo);
    let edited = names(&session);
    // The program ends: nothing is closed.
    drop(session);
    let mut session = opened(path.clone(), &journals);
    assert_eq!(names(&session), edited);
    assert!(last_message(&session).contains("2 of 2 edits"));
    new_clip(&mut session, "d");
    drop(session);
    // A line that was cut off is left out.
    let [journal] = &journal_files(&journals)[..] else {
        panic!("{:?}", journal_files(&journals));
    };
    let text = fs::read_to_string(journal).expect("text");
    assert_eq!(text.lines().count(), 4, "{text}");
    // It is a script.
    assert_eq!(sinew_edit::read_script(&text).expect("a script").len(), 3);
    fs::write(journal, &text[..text.len() - 5]).expect("a shorter journal");
    let mut session = opened(path.clone(), &journals);
    assert_eq!(names(&session), edited);
    assert!(session.is_changed(session.state().shown));
    save_as(&mut session, &folder.path("saved.glb"));
    assert!(!session.is_changed(session.state().shown));
    assert!(session.may_quit());
    assert!(journal_files(&journals).is_empty());
    // The file that was opened is as it was.
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
    new_clip(&mut session, "a");
    drop(session);
    let file = fs::File::options().write(true).open(&path);
    let later = std::time::SystemTime::now() + std::time::Duration::from_secs(60);
    file.expect("the file")
        .set_modified(later)
        .expect("another time");
    let session = opened(path.clone(), &journals);
    assert_eq!(names(&session), before);
    let said = session.messages().iter();
    let said = said.filter(|message| message.text.contains("were not saved"));
    assert_eq!(said.count(), 1);
    assert!(last_message(&session).contains("sinew edit"));
    // The edits are still on disk, and are not offered again.
    let kept = journal_files(&journals);
    assert!(kept[0].display().to_string().ends_with(".kept.jsonl"));
    assert!(opened(path, &journals).messages().is_empty());
}

#[test]
fn edits_after_a_save_over_the_opened_file_come_back_once() {
    let folder = Folder::new("save-over");
    let path = folder.glb("limb.glb");
    let journals = folder.path("journals");
    let mut session = opened(path.clone(), &journals);
    let duration = |session: &Session| shown(session).duration_secs(Some(0));
    let before = duration(&session);
    session.run(command(r#"{"do": "retime_clip", "clip": 0, "factor": 2}"#));
    session.run(command(
        r#"{"do": "rotate", "joints": [1], "rotation": [0.1, 0, 0, 0.995], "limits": "allow"}"#,
    ));
    save_as(&mut session, &path);
    // Before the program has looked at the file again.
    session.run(command(
        r#"{"do": "add_event", "clip": 0, "time_secs": 0.1, "name": "late"}"#,
    ));
    let pose = shown(&session).pose.clone();
    assert_eq!(pose.len(), 1);
    drop(session);
    let session = opened(path.clone(), &journals);
    assert_eq!(duration(&session), 2.0 * before);
    let events = &shown(&session).clip(0).expect("a clip").events;
    assert_eq!(
        events.iter().filter(|event| event.name == "late").count(),
        1
    );
    assert_eq!(shown(&session).pose, pose, "it is in the journal alone");
    drop(session);
    // Without further edits, only the pose is left.
    let mut session = opened(path.clone(), &journals);
    save_as(&mut session, &path);
    drop(session);
    let session = opened(path, &journals);
    assert_eq!(duration(&session), 2.0 * before);
    assert_eq!(shown(&session).pose, pose);
}

#[test]
fn a_save_over_the_opened_file_keeps_the_history() {
    let folder = Folder::new("save-history");
    let path = folder.glb("limb.glb");
    let journals = folder.path("journals");
    let mut session = opened(path.clone(), &journals);
    let before = names(&session);
    new_clip(&mut session, "a");
    new_clip(&mut session, "b");
    save_as(&mut session, &path);
    watch(&mut session);
    let id = session.state().shown;
    assert_eq!(
        shown(&session).version,
        0,
        "its own file is not loaded again"
    );
    assert_eq!(session.editor(id).expect("edits").done().len(), 2);
    assert_eq!(session.saved_position(id), Some(2));
    session.run(HistoryCommand::Undo);
    session.run(HistoryCommand::Undo);
    assert_eq!(names(&session), before);
    assert!(session.is_changed(id));
    session.run(HistoryCommand::Redo);
    session.run(HistoryCommand::Redo);
    assert!(!session.is_changed(id));
    // A change by another program is seen, and asked about.
    sinew_io::save(&path, &sinew_samples::humanoid_character()).expect("a file");
    new_clip(&mut session, "c");
    session.run(FileCommand::Save);
    let question = session.state().question.clone();
    let Some(Question::Replace { why, .. }) = question else {
        panic!("{question:?}");
    };
    assert!(why.contains("Another program"), "{why}");
    answer(&mut session, Answer::Cancel);
    answer(&mut session, Answer::Cancel);
    watch(&mut session);
    assert!(last_message(&session).contains("your edits are kept"));
    assert!(names(&session).contains(&"c".to_owned()));
}

#[test]
fn steps_undone_after_a_save_are_not_run_on_the_saved_file() {
    let folder = Folder::new("save-fork");
    let path = folder.glb("limb.glb");
    let journals = folder.path("journals");
    let mut session = opened(path.clone(), &journals);
    new_clip(&mut session, "a");
    new_clip(&mut session, "b");
    save_as(&mut session, &path);
    session.run(HistoryCommand::Undo);
    let half = r#"{"do": "retime_clip", "clip": 0, "factor": 0.5}"#;
    session.run(command(half));
    drop(session);
    let session = opened(path.clone(), &journals);
    assert!(
        last_message(&session).contains("sinew edit"),
        "{}",
        last_message(&session)
    );
    let kept = journal_files(&journals);
    let text = fs::read_to_string(&kept[0]).expect("text");
    assert_eq!(sinew_edit::read_script(&text).expect("a script"), {
        let edit: sinew_edit::Edit = serde_json::from_str(half).expect("an edit");
        [edit]
    });
    drop(session);
    // After redo, the saved file is the base again.
    let mut session = opened(path.clone(), &journals);
    let count = names(&session).len();
    new_clip(&mut session, "c");
    save_as(&mut session, &path);
    session.run(HistoryCommand::Undo);
    session.run(HistoryCommand::Redo);
    new_clip(&mut session, "d");
    drop(session);
    assert_eq!(names(&opened(path, &journals)).len(), count + 2);
}

#[test]
fn saving_asks_for_a_path_and_before_it_replaces_a_file() {
    let folder = Folder::new("save-asks");
    let path = folder.glb("limb.glb");
    let bytes = fs::read(&path).expect("bytes");
    let mut session = opened(path.clone(), &folder.path("journals"));
    new_clip(&mut session, "a");
    session.run(FileCommand::Save);
    let question = session.state().question.clone();
    let Some(Question::SavePath { path: to, .. }) = question else {
        panic!("{question:?}");
    };
    assert_eq!(to, folder.path("limb-edited.glb"));
    let own = command(&format!(
        r#"{{"do": "save_as", "path": {:?}}}"#,
        path.display().to_string()
    ));
    session.run(own);
    let question = session.state().question.clone();
    assert!(
        matches!(question, Some(Question::Replace { .. })),
        "{question:?}"
    );
    settle(&mut session);
    assert_eq!(fs::read(&path).expect("bytes"), bytes, "nothing is written");
    answer(&mut session, Answer::Cancel);
    answer(&mut session, Answer::Cancel);
    assert_eq!(session.state().question, None);
    assert!(session.is_changed(session.state().shown));
    session.run(FileCommand::SaveAs {
        path: Some(folder.path("limb-edited")),
        replace: false,
    });
    settle(&mut session);
    assert_eq!(session.state().question, None);
    assert_eq!(shown(&session).path.as_ref(), Some(&to));
    assert_eq!(shown(&session).name, "limb-edited.glb");
    assert!(!session.is_changed(session.state().shown));
    // From now on, it is saved there without a question.
    new_clip(&mut session, "b");
    session.run(FileCommand::Save);
    settle(&mut session);
    assert_eq!(session.state().question, None);
    let saved = sinew_io::import(&to).expect("a file").character;
    assert!(saved.find_clip("b").is_some());
    assert_eq!(fs::read(&path).expect("bytes"), bytes);
    // A copy does not overwrite an open file either.
    let what = sinew_view::document::Export::Glb;
    let copy = fs::read(&to).expect("bytes");
    new_clip(&mut session, "c");
    session.run(FileCommand::Export {
        what,
        path: to.clone(),
    });
    settle(&mut session);
    assert!(last_message(&session).contains("is open"));
    assert_eq!(fs::read(&to).expect("bytes"), copy);
}

#[test]
fn parts_that_a_format_cannot_hold_are_named_and_stay_unsaved() {
    let folder = Folder::new("save-lossy");
    let mut session = opened(folder.glb("limb.glb"), &folder.path("journals"));
    let id = session.state().shown;
    session.run(command(
        r#"{"do": "rotate", "joints": [1], "rotation": [0.1, 0, 0, 0.995], "limits": "allow"}"#,
    ));
    save_as(&mut session, &folder.path("posed.glb"));
    let message = last_message(&session);
    assert!(
        message.contains("the pose of 1 joint, which has no key"),
        "{message}"
    );
    assert!(session.is_changed(id));
    session.run(command(
        r#"{"do": "key_pose", "clip": 0, "time_secs": 0.2}"#,
    ));
    for name in ["limb.bvh", "limb.sinew"] {
        save_as(&mut session, &folder.path(name));
        let message = session.messages().last().expect("a message");
        assert_eq!(message.kind, MessageKind::Problem);
        assert!(
            message.text.contains("all but one clip"),
            "{}",
            message.text
        );
        assert!(folder.path(name).exists() && session.is_changed(id));
    }
    session.run(FileCommand::SaveAs {
        path: Some(folder.path("limb.fbx")),
        replace: false,
    });
    assert!(last_message(&session).contains("cannot be written"));
    save_as(&mut session, &folder.path("keyed.glb"));
    assert!(!session.is_changed(id), "{}", last_message(&session));
}

fn with_journals(journals: &Path) -> Session {
    let mut session = Session::default();
    session.keep_journals(journals);
    session.run(PlaybackCommand::Pause);
    session
}

#[test]
fn figures_without_a_path_have_journals() {
    let folder = Folder::new("journal-pathless");
    let journals = folder.path("journals");
    let mut session = with_journals(&journals);
    new_clip(&mut session, "first kick");
    drop(session);
    let mut session = with_journals(&journals);
    assert!(names(&session).contains(&"first kick".to_owned()));
    assert!(session.is_changed(session.state().shown));
    // An edited figure is not replaced by the next file.
    session.run(FileCommand::OpenMade {
        figure: MadeFigure::Tube,
    });
    settle(&mut session);
    assert_eq!(session.document().files().len(), 2);
    new_clip(&mut session, "of the tube");
    let bytes = fs::read(folder.glb("limb.glb")).expect("bytes");
    let dropped = |session: &mut Session| {
        session.run(FileCommand::OpenBytes {
            name: "limb.glb".to_owned(),
            bytes: bytes.clone(),
        });
        settle(session);
    };
    dropped(&mut session);
    new_clip(&mut session, "of bytes");
    drop(session);
    let mut session = with_journals(&journals);
    session.run(FileCommand::OpenMade {
        figure: MadeFigure::Tube,
    });
    settle(&mut session);
    assert!(names(&session).contains(&"of the tube".to_owned()));
    dropped(&mut session);
    assert!(names(&session).contains(&"of bytes".to_owned()));
    // Other bytes of this name are another figure.
    let other = sinew_samples::humanoid_character();
    let options = sinew_io::gltf::ExportOptions::default();
    session.run(FileCommand::OpenBytes {
        name: "limb.glb".to_owned(),
        bytes: sinew_io::gltf::to_glb(&other, &options).expect("bytes"),
    });
    settle(&mut session);
    assert!(!names(&session).contains(&"of bytes".to_owned()));
    check(&session);
}

#[test]
fn two_windows_have_a_journal_each_and_joined_steps_stay_one() {
    let folder = Folder::new("journal-two");
    let path = folder.glb("limb.glb");
    let journals = folder.path("journals");
    let mut one = opened(path.clone(), &journals);
    one.run(command(r#"{"do": "new_clip", "name": "one"}"#));
    one.run(command(r#"{"do": "auto_key", "on": true}"#));
    one.run(command(
        r#"{"do": "rotate", "joints": [1], "rotation": [0.1, 0, 0, 0.995], "limits": "allow"}"#,
    ));
    let edited = shown(&one).motions.clone();
    let mut other = opened(path.clone(), &journals);
    assert!(other.messages().is_empty(), "the first window still runs");
    new_clip(&mut other, "other");
    assert_eq!(journal_files(&journals).len(), 2);
    drop(one);
    let mut one = opened(path.clone(), &journals);
    assert_eq!(shown(&one).motions, edited);
    let id = one.state().shown;
    assert_eq!(one.editor(id).expect("edits").done().len(), 3);
    one.run(HistoryCommand::Undo);
    let clip = shown(&one).clips().last().cloned().expect("a clip");
    assert_eq!((&*clip.name, clip.tracks().count()), ("one", 0));
    assert!(shown(&one).pose.is_empty(), "pose and key are one step");
    drop((one, other));
    // Of two journals that are left, the newer is run, and the other is named.
    let session = opened(path, &journals);
    let said: Vec<&str> = session.messages().iter().map(|m| &*m.text).collect();
    assert!(
        said.iter().any(|text| text.contains("are back")),
        "{said:?}"
    );
    assert!(
        said.iter().any(|text| text.contains("another window")),
        "{said:?}"
    );
}

#[test]
fn closing_asks_to_save_discard_or_cancel() {
    let folder = Folder::new("closing");
    let journals = folder.path("journals");
    let path = folder.glb("limb.glb");
    let mut session = opened(path.clone(), &journals);
    let id = session.state().shown;
    let is_open = |session: &Session, id: FileId| session.document().file(id).is_some();
    new_clip(&mut session, "a");
    session.run(FileCommand::Close { file: id });
    assert!(matches!(
        session.state().question,
        Some(Question::Unsaved { .. })
    ));
    answer(&mut session, Answer::Cancel);
    assert!(is_open(&session, id) && session.is_changed(id));
    // Save asks for a path, and the file is closed after it is written.
    session.run(FileCommand::Close { file: id });
    answer(&mut session, Answer::Save);
    assert!(matches!(
        session.state().question,
        Some(Question::SavePath { .. })
    ));
    let to = folder.path("closed.glb");
    session.run(FileCommand::SaveAs {
        path: Some(to.clone()),
        replace: false,
    });
    settle(&mut session);
    assert!(!is_open(&session, id) && to.exists());
    assert!(journal_files(&journals).is_empty());
    // The window closes when each file was asked about.
    let mut session = opened(path.clone(), &journals);
    new_clip(&mut session, "a");
    let first = session.state().shown;
    session.run(FileCommand::OpenMade {
        figure: MadeFigure::Tube,
    });
    settle(&mut session);
    new_clip(&mut session, "b");
    assert!(!session.may_quit());
    assert_eq!(
        session.state().question.as_ref().map(Question::file),
        Some(first)
    );
    assert_eq!(session.state().shown, first, "it is seen");
    answer(&mut session, Answer::Discard);
    assert!(!session.is_quitting());
    answer(&mut session, Answer::Cancel);
    assert!(!session.may_quit() && is_open(&session, first));
    answer(&mut session, Answer::Discard);
    answer(&mut session, Answer::Discard);
    assert!(session.is_quitting() && session.may_quit());
    session.discard_all();
    assert!(journal_files(&journals).is_empty());
    // Loading again asks, too.
    let mut session = opened(path, &journals);
    new_clip(&mut session, "a");
    let id = session.state().shown;
    session.run(FileCommand::Reload { file: id });
    answer(&mut session, Answer::Discard);
    assert!(!session.is_changed(id));
    assert!(!names(&session).contains(&"a".to_owned()));
}
