use super::{Folder, check, limb, settle};
use sinew_view::document::MadeFigure;
use sinew_view::document::MessageKind;
use sinew_view::state::Selection;
use sinew_view::{
    CameraCommand, Command, FileCommand, PaneCommand, PlaybackCommand, SelectionCommand, Session,
};
use std::fs;

fn open(session: &mut Session, path: &std::path::Path) {
    session.run(FileCommand::Open {
        path: path.to_owned(),
    });
    settle(session);
    check(session);
}

fn names(session: &Session) -> Vec<&str> {
    let files = session.document().files().iter();
    files.map(|file| file.name.as_str()).collect()
}

#[test]
fn a_file_is_opened_on_the_side_and_plays() {
    let folder = Folder::new("opened");
    let path = folder.bvh("walk.bvh");
    let mut session = limb(&folder);
    session.run(FileCommand::Open { path: path.clone() });
    assert!(session.is_busy());
    assert_eq!(names(&session), ["limb.glb"], "it is read on the side");
    assert_eq!(session.loading().next().expect("reading").name, "walk.bvh");
    settle(&mut session);
    check(&session);
    assert_eq!(names(&session), ["limb.glb", "walk.bvh"]);
    let file = &session.document().files()[1];
    assert_eq!(file.path.as_ref(), Some(&path));
    assert_eq!(file.bytes, fs::metadata(&path).expect("there").len());
    assert_eq!(session.state().shown, file.id);
    assert!(session.state().playback.is_playing);
    assert_eq!(session.state().playback.clip, Some(0));
    assert_eq!(session.state().playback.fps, 30.0);
    // The camera is far enough away for a BVH file in centimetres.
    let camera = session.state().camera;
    let seen = camera.camera().clip_from_world(camera.aspect);
    let figure = session.figure(0).expect("it");
    for joint in figure.actor.model_pose().expect("a pose").as_slice() {
        let at = seen.project_point3(joint.translation());
        assert!(at.x.abs() <= 1.0 && at.y.abs() <= 1.0, "{at}");
    }
}

#[test]
fn of_several_files_the_last_is_shown_and_closing_shows_the_next() {
    let folder = Folder::new("several");
    let paths = ["a.bvh", "b.bvh", "c.bvh"].map(|name| folder.bvh(name));
    let mut session = Session::opening(paths.clone());
    settle(&mut session);
    check(&session);
    assert_eq!(names(&session), ["a.bvh", "b.bvh", "c.bvh"]);
    let ids: Vec<_> = session.document().files().iter().map(|f| f.id).collect();
    assert_eq!(session.state().shown, ids[2]);
    session.run(FileCommand::Show { file: ids[1] });
    session.run(PaneCommand::CompareFiles { files: ids.clone() });
    assert_eq!(session.state().shown, ids[0]);
    assert_eq!(session.state().panes.len(), 3);
    session.run(FileCommand::Show { file: ids[2] });
    check(&session);
    let panes = |session: &Session| {
        session
            .state()
            .panes
            .iter()
            .map(|p| p.file)
            .collect::<Vec<_>>()
    };
    assert_eq!(
        panes(&session),
        [ids[2], ids[0], ids[1]],
        "its pane comes first"
    );
    session.run(FileCommand::Show { file: ids[0] });
    session.run(FileCommand::Close { file: ids[1] });
    check(&session);
    assert_eq!(session.state().panes.len(), 2);
    session.run(FileCommand::Close { file: ids[0] });
    check(&session);
    assert_eq!(session.state().shown, ids[2]);
    session.run(FileCommand::Close { file: ids[2] });
    check(&session);
    assert_eq!(names(&session), ["mannequin"], "never an empty page");
    open(&mut session, &paths[0]);
    open(&mut session, &paths[0]);
    assert_eq!(names(&session), ["a.bvh"]);
    assert_eq!(session.document().files()[0].version, 1);
}

#[test]
fn another_file_is_shown_with_the_same_methods_side_by_side() {
    let folder = Folder::new("same-methods");
    let mut session = Session::opening(["a.bvh", "b.bvh"].map(|name| folder.bvh(name)));
    settle(&mut session);
    let ids: Vec<_> = session.document().files().iter().map(|f| f.id).collect();
    let methods = ["lbs", "dqs"].map(str::to_owned).to_vec();
    session.run(PaneCommand::CompareMethods { methods });
    session.run(FileCommand::Show { file: ids[0] });
    check(&session);
    let panes = session.state().panes.iter();
    let panes: Vec<_> = panes.map(|pane| (pane.file, pane.method)).collect();
    let methods = [sinew::Method::Linear, sinew::Method::DualQuat];
    assert_eq!(panes, methods.map(|method| (ids[0], method)));
}

#[test]
fn reading_can_be_given_up() {
    let folder = Folder::new("cancelled");
    let mut session = limb(&folder);
    for name in ["a.bvh", "b.bvh", "c.bvh", "d.bvh", "e.bvh", "f.bvh"] {
        session.run(FileCommand::Open {
            path: folder.bvh(name),
        });
    }
    session.run(FileCommand::CancelOpening);
    assert!(!session.is_busy());
    settle(&mut session);
    assert_eq!(names(&session), ["limb.glb"]);
    assert_eq!(session.messages(), []);
    let mut session = Session::opening([folder.bvh("a.bvh")]);
    session.run(FileCommand::CancelOpening);
    check(&session);
    assert_eq!(names(&session), ["mannequin"]);
}

#[test]
fn a_file_that_changes_on_disk_is_read_again_and_keeps_its_place() {
    let folder = Folder::new("changed");
    let path = folder.bvh("walk.bvh");
    let mut session = Session::opening([path.clone()]);
    settle(&mut session);
    session.run(PlaybackCommand::Pause);
    session.run(PlaybackCommand::Seek { time_secs: 0.25 });
    session.run(CameraCommand::Orbit {
        right_rad: 0.5,
        up_rad: 0.1,
    });
    session.run(SelectionCommand::Select {
        selection: Selection::Joint(1),
    });
    let before = session.state().clone();
    folder.write(
        "walk.bvh",
        super::bvh().replace("Chest", "Torso").as_bytes(),
    );
    for _ in 0..3 {
        session.advance(0.5);
        settle(&mut session);
        check(&session);
    }
    let file = &session.document().files()[0];
    assert_eq!(file.version, 1);
    assert_eq!(file.character.skeleton.name(1), "Torso");
    assert_eq!(session.state().camera, before.camera);
    assert_eq!(session.state().playback.time_secs, 0.25);
    assert_eq!(
        session.state().selection,
        Selection::None,
        "Chest is no more"
    );
    session.run(SelectionCommand::Select {
        selection: Selection::Joint(2),
    });

    folder.write("walk.bvh", b"HIERARCHY\nnonsense");
    for _ in 0..4 {
        session.advance(0.5);
        settle(&mut session);
        check(&session);
    }
    assert_eq!(session.messages().len(), 1, "{:?}", session.messages());
    assert_eq!(session.document().files()[0].version, 1);
    session.run(FileCommand::DismissMessage { message: 0 });

    fs::remove_file(&path).expect("removed");
    for _ in 0..4 {
        session.advance(0.5);
    }
    assert_eq!(session.messages().len(), 1, "{:?}", session.messages());
    assert!(session.messages()[0].text.contains("no longer on disk"));
    assert_eq!(names(&session), ["walk.bvh"]);
    assert_eq!(session.state().selection, Selection::Joint(2));
    check(&session);
}

#[test]
fn broken_files_leave_a_message_and_everything_as_it_was() {
    let folder = Folder::new("broken");
    let whole = folder.glb("whole.glb");
    let bytes = fs::read(&whole).expect("just written");
    let mut broken = vec![folder.path("not there.glb"), folder.path("")];
    broken.push(folder.write("empty.glb", b""));
    broken.push(folder.write("text.txt", b"dear diary"));
    broken.push(folder.write("video.fbx", b"Kaydara FBX Binary  \0\x1a\0"));
    broken.push(folder.write("one.c3d", &[2, 80]));
    for part in 1..=40 {
        let cut = bytes.len() * part / 41;
        broken.push(folder.write(&format!("cut {part}.glb"), &bytes[..cut]));
    }
    // Overwrites words of the container, document and chunk, but repairs the length.
    for (at, value) in [(0, 0), (4, 9), (12, 255), (16, 7), (20, b'}'), (24, 0)] {
        let mut changed = bytes.clone();
        changed[at] = value;
        changed[at + 1] = value;
        broken.push(folder.write(&format!("changed {at}.glb"), &changed));
    }
    assert!(broken.len() >= 50);
    let mut session = limb(&folder);
    let before = session.state().clone();
    for path in &broken {
        session.run(FileCommand::Open { path: path.clone() });
        settle(&mut session);
        check(&session);
        let message = session.messages().last();
        let message = message.unwrap_or_else(|| panic!("{} was opened", path.display()));
        assert_eq!(message.kind, MessageKind::Problem);
        assert!(
            !message.text.is_empty() && !message.way_out.is_empty(),
            "{message:?}"
        );
        assert_eq!(*session.state(), before, "{}", path.display());
        assert_eq!(names(&session), ["limb.glb"], "{}", path.display());
        session.run(FileCommand::DismissMessage { message: 0 });
        assert_eq!(session.messages(), [], "{}", path.display());
    }
}

#[test]
fn bytes_and_figures_made_by_code_are_opened_too() {
    let folder = Folder::new("made");
    let mut session = limb(&folder);
    session.run(FileCommand::OpenBytes {
        name: "dropped.bvh".into(),
        bytes: super::bvh().into_bytes(),
    });
    session.run(FileCommand::OpenMade {
        figure: MadeFigure::Humanoid,
    });
    settle(&mut session);
    check(&session);
    assert_eq!(names(&session), ["limb.glb", "dropped.bvh", "humanoid"]);
    let line = session.command_line("out.png", [640, 480]);
    assert!(
        line.starts_with("sinew render --figure humanoid -o out.png --size 640x480"),
        "{line}"
    );
}

#[test]
fn a_file_is_written_with_all_that_was_in_it() {
    let folder = Folder::new("written");
    let whole = folder.glb("whole.glb");
    let mut session = limb(&folder);
    open(&mut session, &whole);
    let [glb, packed] = ["again.glb", "clip.sinew"].map(|name| folder.path(name));
    for (what, path) in [
        (sinew_view::document::Export::Glb, &glb),
        (sinew_view::document::Export::Packed, &packed),
        (
            sinew_view::document::Export::Glb,
            &folder.path("no such folder/a.glb"),
        ),
    ] {
        session.run(FileCommand::Export {
            what,
            path: path.clone(),
        });
    }
    for _ in 0..3 {
        session.advance(0.0);
        settle(&mut session);
    }
    let messages = session.messages();
    assert_eq!(messages.len(), 3, "{messages:?}");
    let problems = messages.iter().filter(|m| m.kind == MessageKind::Problem);
    assert_eq!(problems.count(), 1);
    let before = sinew_io::import(&whole).expect("the file").character;
    let after = sinew_io::import(&glb).expect("the copy").character;
    assert_eq!(before, after);
    let clip = sinew_io::import(&packed).expect("the clip").character;
    assert_eq!(clip.clips[0].name, before.clips[0].name);
}

#[test]
fn commands_about_what_is_not_there_say_so() {
    let session = Session::default();
    let missing = |text: &str| {
        let command: Command = serde_json::from_str(text).expect(text);
        session.missing(&command)
    };
    for (text, words) in [
        (r#"{"do": "clip", "clip": 40}"#, "no clip 40"),
        (
            r#"{"do": "blend", "clip": 40, "weight": 0.5}"#,
            "no clip 40",
        ),
        (
            r#"{"do": "select", "selection": {"joint": 700}}"#,
            "no joint 700",
        ),
        (
            r#"{"do": "morph", "node": 0, "target": 9, "weight": 0.5}"#,
            "no morph target 9",
        ),
        (r#"{"do": "show", "file": 9}"#, "no file 9"),
        (r#"{"do": "compare_files", "files": [0, 9]}"#, "no file 9"),
    ] {
        assert!(
            missing(text).is_some_and(|said| said.contains(words)),
            "{text}"
        );
    }
    assert_eq!(missing(r#"{"do": "clip", "clip": 1}"#), None);
    assert_eq!(missing(r#"{"do": "clip", "clip": null}"#), None);
}

#[test]
fn every_command_is_in_the_manual() {
    let unknown = serde_json::from_str::<Command>(r#"{"do": "fly"}"#).expect_err("there is none");
    let text = unknown.to_string();
    let names: Vec<&str> = text.split('`').skip(3).step_by(2).collect();
    assert!(names.len() > 40, "{text}");
    // Edits are in the guide to editing.
    let manuals = [
        include_str!("../../../../docs/view.md"),
        include_str!("../../../../docs/edit.md"),
    ];
    for name in names {
        let row = format!("| `{name}` |");
        assert!(manuals.iter().any(|manual| manual.contains(&row)), "{name}");
    }
}
