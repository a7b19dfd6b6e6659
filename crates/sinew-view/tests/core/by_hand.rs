//! Joints rotated by hand stop at their limits, and are exported as a clip.

use super::{Folder, check, paused, settle};
use glam::Quat;
use sinew::{LocalPose, Playable, Skeleton};
use sinew_view::document::Export;
use sinew_view::{FileCommand, HistoryCommand, PlaybackCommand, PoseCommand, Session};

const KNEE: &str = "left_lower_leg";

fn knee(session: &Session) -> (Skeleton, usize) {
    let skeleton = session.document().files()[0].character.skeleton.clone();
    let knee = skeleton.find(KNEE).expect("a knee");
    (skeleton, knee)
}

fn pose(session: &mut Session) -> LocalPose {
    session.figure(0).expect("a figure").actor.pose().clone()
}

#[test]
fn a_rotation_on_top_of_any_pose_of_the_clip_stops_at_the_limit_and_is_undone() {
    let mut session = paused();
    let (skeleton, knee) = knee(&session);
    assert!(skeleton.freedom(knee).rotation.is_limited());
    let rest = skeleton.rest().get(knee).rotation;
    let joint = knee;
    let mut stopped = 0;
    for time_secs in [0.0, 0.2, 0.5, 0.8] {
        session.run(PlaybackCommand::Seek { time_secs });
        let before = pose(&mut session).get(knee).rotation;
        for angle in [-1.4, 1.4] {
            let rotation = Quat::from_rotation_x(angle);
            session.run(PoseCommand::Turn { joint, rotation });
            check(&session);
            let now = pose(&mut session).get(knee).rotation;
            let allowed = skeleton
                .freedom(knee)
                .clamp_rotation(rest, before * rotation);
            assert!(
                now.angle_between(allowed) < 1e-3,
                "{angle} at {time_secs} s"
            );
            stopped += usize::from(now.angle_between(before * rotation) > 0.1);
            session.run(HistoryCommand::Undo);
            assert_eq!(pose(&mut session).get(knee).rotation, before);
        }
    }
    assert!(stopped >= 4, "{stopped}: a knee bends to one side");
    let rotation = Quat::from_rotation_x(1.0);
    session.run(PoseCommand::Turn { joint, rotation });
    let rotation = Quat::IDENTITY;
    session.run(PoseCommand::Turn { joint, rotation });
    assert!(session.document().files()[0].pose.is_empty());
}

#[test]
fn a_pose_set_by_hand_is_exported_as_a_clip() {
    let folder = Folder::new("posed");
    let mut session = paused();
    let (skeleton, knee) = knee(&session);
    let rotation = Quat::from_rotation_x(0.4);
    session.run(PlaybackCommand::Seek { time_secs: 0.3 });
    let joint = knee;
    session.run(PoseCommand::Turn { joint, rotation });
    let wanted = pose(&mut session);
    let [glb, packed] = ["posed.glb", "posed.sinew"].map(|name| folder.path(name));
    for (what, path) in [(Export::Glb, &glb), (Export::Packed, &packed)] {
        let path = path.clone();
        session.run(FileCommand::Export { what, path });
    }
    for _ in 0..3 {
        session.advance(0.0);
        settle(&mut session);
    }
    let said = |file: &std::path::Path| {
        let file = file.display().to_string();
        let mut messages = session.messages().iter();
        messages.find(|m| m.file == file).map(|m| m.text.clone())
    };
    let said_of = [said(&glb), said(&packed)].map(Option::unwrap_or_default);
    assert_eq!(said_of[0], "written; its clip \"posed\" has the shown pose");
    assert_eq!(said_of[1], "written without the pose, which is not keyed");
    let written = sinew_io::import(&glb).expect("the file").character;
    let clip = written.find_clip("posed").expect("a clip of the pose");
    assert_eq!(clip, session.document().files()[0].character.clips.len());
    let mut found = written.skeleton.rest().clone();
    written.clips[clip]
        .sample_into(&written.skeleton, 0.0, &mut found)
        .expect("its own skeleton");
    for joint in 0..skeleton.len() {
        let own = written.skeleton.find(skeleton.name(joint)).expect("it");
        let (a, b) = (wanted.get(joint), found.get(own));
        assert!(a.rotation.angle_between(b.rotation) < 2e-3, "{joint}");
        assert!(a.translation.distance(b.translation) < 1e-5, "{joint}");
    }
}
