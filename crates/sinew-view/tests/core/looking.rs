use super::{Folder, check, limb, paused, settle};
use glam::{Quat, Vec3};
use sinew::Method;
use sinew_view::state::{Overlay, Preset, Projection, Selection, Surface};
use sinew_view::{
    CameraCommand, Command, LookCommand, PaneCommand, PlaybackCommand, PoseCommand,
    SelectionCommand, Session, WindowCommand,
};

/// Position of a point in the first pane, in [0, 1] from the upper left corner.
fn place(session: &Session, point: Vec3) -> [f32; 2] {
    let camera = session.state().camera;
    let seen = camera
        .camera()
        .clip_from_world(camera.aspect)
        .project_point3(point);
    [(1.0 + seen.x) / 2.0, (1.0 - seen.y) / 2.0]
}

fn joint_at(session: &mut Session, name: &str) -> Vec3 {
    let figure = session.figure(0).expect("a figure");
    figure.actor.socket(name).expect(name).translation()
}

fn click(session: &mut Session, [x, y]: [f32; 2]) {
    let aspect = session.state().camera.aspect;
    session.run(SelectionCommand::Pick {
        pane: 0,
        x,
        y,
        aspect,
        add: false,
    });
    check(session);
}

fn selected(session: &Session) -> String {
    let skeleton = &session.document().files()[0].character.skeleton;
    match session.state().selection {
        Selection::Joint(joint) => skeleton.name(joint).to_owned(),
        other => format!("{other:?}"),
    }
}

#[test]
fn presets_look_from_where_they_say() {
    let mut session = paused();
    let distance = session.state().camera.distance;
    // The mannequin faces z. Its left is x.
    for (preset, from) in [
        (Preset::Front, Vec3::Z),
        (Preset::Back, Vec3::NEG_Z),
        (Preset::Left, Vec3::X),
        (Preset::Right, Vec3::NEG_X),
        (Preset::Top, Vec3::Y),
        (Preset::Bottom, Vec3::NEG_Y),
    ] {
        session.run(CameraCommand::Preset { preset });
        let camera = session.state().camera;
        let found = (camera.camera().eye - camera.target).normalize();
        assert!(found.distance(from) < 0.06, "{preset:?}: {found}");
        assert_eq!(camera.distance, distance);
        check(&session);
    }
}

#[test]
fn everything_is_framed_and_then_the_selection() {
    let mut session = paused();
    session.run(CameraCommand::Zoom { factor: 0.01 });
    session.run(CameraCommand::Pan {
        right: 3.0,
        up: -2.0,
    });
    session.run(CameraCommand::Frame);
    let whole = session.state().camera;
    for name in ["head", "left_foot", "right_hand"] {
        let joint = joint_at(&mut session, name);
        let at = place(&session, joint);
        assert!(
            at.iter().all(|part| (0.03..0.97).contains(part)),
            "{name}: {at:?}"
        );
    }
    let hand = session.document().files()[0]
        .character
        .skeleton
        .find("left_hand");
    let selection = Selection::Joint(hand.expect("a hand"));
    session.run(SelectionCommand::Select { selection });
    session.run(CameraCommand::Frame);
    let near = session.state().camera;
    assert!(near.distance < 0.3 * whole.distance, "{near:?}");
    let hand = joint_at(&mut session, "left_hand");
    let at = place(&session, hand);
    assert!(at.iter().all(|part| (0.05..0.95).contains(part)), "{at:?}");
    check(&session);
}

#[test]
fn a_clip_that_walks_away_is_framed_as_a_whole() {
    let folder = Folder::new("walks-away");
    let mut limb = sinew_samples::tube_character();
    let keys = [Vec3::ZERO, Vec3::new(30.0, 0.0, 20.0)].map(|at| at.to_array());
    let track = sinew::Track::new(
        vec![0.0, 0.5],
        keys.as_flattened().to_vec(),
        3,
        sinew::Interpolation::Linear,
    );
    let channel = sinew::clip::Channel::Translation;
    let set = limb.clips[0].set_track(0, channel, Some(track.expect("keys")));
    set.expect("a track");
    let path = folder.path("walk.glb");
    sinew_io::save(&path, &limb).expect("a file");
    let mut session = Session::opening([path]);
    settle(&mut session);
    session.run(PlaybackCommand::Pause);
    let name = limb.skeleton.name(1).to_owned();
    for time_secs in [0.0, 0.25, 0.5] {
        session.run(PlaybackCommand::Seek { time_secs });
        let at = joint_at(&mut session, &name);
        let seen = place(&session, at);
        let is_seen = seen.iter().all(|part| (0.0..=1.0).contains(part));
        assert!(is_seen, "{time_secs} s: {at} at {seen:?}");
    }
    // The selection and the figure can still be framed where they are.
    session.run(CameraCommand::Frame);
    let camera = session.state().camera;
    let at = joint_at(&mut session, &name);
    assert!(camera.target.distance(at) < 5.0, "{}", camera.target);
}

#[test]
fn orthographic_shows_the_target_as_large_and_what_is_behind_too() {
    let mut session = paused();
    session.run(CameraCommand::Preset {
        preset: Preset::Front,
    });
    let camera = session.state().camera;
    let up = camera.target + Vec3::Y * 0.5;
    let perspective = place(&session, up);
    session.run(CameraCommand::Projection {
        projection: Projection::Orthographic,
    });
    check(&session);
    let [flat, behind] = [up, up + Vec3::NEG_Z].map(|point| place(&session, point));
    for axis in 0..2 {
        assert!(
            (flat[axis] - perspective[axis]).abs() < 2e-3,
            "{flat:?} {perspective:?}"
        );
        assert!(
            (flat[axis] - behind[axis]).abs() < 2e-3,
            "{flat:?} {behind:?}"
        );
    }
}

#[test]
fn a_click_on_the_skin_selects_the_joint_that_moves_it() {
    let mut session = paused();
    session.run(PlaybackCommand::Clip { clip: None });
    session.run(CameraCommand::Preset {
        preset: Preset::Front,
    });
    session.run(CameraCommand::Frame);
    let [knee, ankle] = ["left_lower_leg", "left_foot"].map(|name| joint_at(&mut session, name));
    let shin = place(&session, 0.5 * (knee + ankle));
    click(&mut session, shin);
    assert_eq!(selected(&session), "left_lower_leg");
    let hit = session.state().hit.expect("a vertex");
    let figure = session.figure(0).expect("a figure");
    let part = &figure.actor.rig().parts()[hit.primitive];
    let at = part.surface().positions[hit.vertex];
    assert!(at.distance(0.5 * (knee + ankle)) < 0.12, "{at}");
    let mut chosen = std::collections::BTreeSet::new();
    for step in 0..100 {
        let at = [
            0.41 + 0.02 * (step % 10) as f32,
            0.1 + 0.08 * (step / 10) as f32,
        ];
        click(&mut session, at);
        let (Selection::Joint(joint), Some(hit)) = (session.state().selection, session.state().hit)
        else {
            continue;
        };
        let file = &session.document().files()[0];
        let part = &file.rig.parts()[hit.primitive];
        let skin = &file.character.skins[part.skin().expect("a skin")];
        let influences = part.surface().influences.as_ref().expect("weights");
        let weights: Vec<(usize, f32)> = influences.get(hit.vertex).collect();
        let own = weights.iter().find(|(j, _)| skin.joints[*j] == joint);
        let own = own.expect("it moves the vertex").1;
        assert!(
            weights.iter().all(|(_, weight)| *weight <= own),
            "{weights:?}"
        );
        chosen.insert(joint);
    }
    assert!(chosen.len() > 5, "{chosen:?}");
    click(&mut session, [0.01, 0.01]);
    assert_eq!(session.state().selection, Selection::None);
    assert_eq!(session.state().hit, None);
    session.run(CameraCommand::Projection {
        projection: Projection::Orthographic,
    });
    let shin = place(&session, 0.5 * (knee + ankle));
    click(&mut session, shin);
    assert_eq!(selected(&session), "left_lower_leg");
}

#[test]
fn a_click_on_a_bone_selects_it_through_the_skin() {
    let mut session = paused();
    session.run(LookCommand::Overlay {
        overlay: Overlay::Bones,
        on: true,
    });
    session.run(CameraCommand::Preset {
        preset: Preset::Front,
    });
    let joints = ["left_upper_arm", "left_lower_arm"].map(|n| joint_at(&mut session, n));
    let middle = place(&session, 0.5 * (joints[0] + joints[1]));
    click(&mut session, middle);
    assert_eq!(selected(&session), "left_upper_arm");
    let end = place(&session, joints[1]);
    click(&mut session, end);
    assert_eq!(selected(&session), "left_lower_arm");
    session.run(LookCommand::Surface {
        surface: Surface::Hidden,
    });
    click(&mut session, middle);
    assert_eq!(selected(&session), "left_upper_arm");
}

#[test]
fn joints_turn_by_hand_on_top_of_what_plays() {
    let mut session = paused();
    let arm = session.document().files()[0]
        .character
        .skeleton
        .find("left_upper_arm");
    let arm = arm.expect("an arm");
    let before = joint_at(&mut session, "left_hand");
    let turn = |rotation| PoseCommand::Turn {
        joint: arm,
        rotation,
    };
    session.run(turn(Quat::from_rotation_x(0.5) * 3.0));
    check(&session);
    let after = joint_at(&mut session, "left_hand");
    assert!(after.distance(before) > 0.05);
    session.run(turn(Quat::from_xyzw(0.0, 0.0, 0.0, 0.0)));
    session.run(turn(Quat::from_xyzw(f32::NAN, 0.0, 0.0, 1.0)));
    session.run(PoseCommand::Turn {
        joint: 9999,
        rotation: Quat::IDENTITY,
    });
    assert_eq!(joint_at(&mut session, "left_hand"), after);
    session.run(PoseCommand::ResetTurns);
    assert_eq!(joint_at(&mut session, "left_hand"), before);
}

#[test]
fn methods_stand_side_by_side_each_with_an_actor() {
    let folder = Folder::new("methods");
    let mut session = limb(&folder);
    let methods = ["rigid", "lbs", "dqs", "quat", "lbs", "none such"];
    let methods = methods.map(str::to_owned).to_vec();
    session.run(PaneCommand::CompareMethods { methods });
    check(&session);
    settle(&mut session);
    let wanted = [
        Method::Rigid,
        Method::Linear,
        Method::DualQuat,
        Method::Quaternion,
    ];
    assert_eq!(session.state().panes.len(), 4);
    for (pane, method) in wanted.into_iter().enumerate() {
        let figure = session.figure(pane).expect("an actor");
        assert_eq!(figure.method, method);
        let rig = match method {
            Method::Quaternion => Method::Linear,
            other => other,
        };
        assert_eq!(figure.actor.rig().method(), rig);
    }
    session.run(PaneCommand::CompareMethods { methods: vec![] });
    assert_eq!(
        session.state().panes.len(),
        4,
        "nothing to compare changes nothing"
    );
    session.run(PaneCommand::CompareNone);
    assert_eq!(session.state().panes.len(), 1);
    check(&session);
}

#[test]
fn the_camera_bears_any_number() {
    let folder = Folder::new("numbers");
    let mut session = limb(&folder);
    for number in [
        f32::NAN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::MAX,
        -1.0,
        0.0,
        1e-30,
    ] {
        for _ in 0..40 {
            let commands: [Command; 7] = [
                CameraCommand::Orbit {
                    right_rad: number,
                    up_rad: number,
                }
                .into(),
                CameraCommand::Pan {
                    right: number,
                    up: number,
                }
                .into(),
                CameraCommand::Zoom { factor: number }.into(),
                CameraCommand::Aspect { aspect: number }.into(),
                CameraCommand::Turntable {
                    rad_per_sec: number,
                }
                .into(),
                WindowCommand::LetterSize { zoom: number }.into(),
                SelectionCommand::Pick {
                    pane: 0,
                    x: number,
                    y: number,
                    aspect: number,
                    add: false,
                }
                .into(),
            ];
            for command in commands {
                session.run(command);
                session.advance(f64::from(number));
                check(&session);
            }
        }
        session.run(CameraCommand::Frame);
        check(&session);
    }
}
