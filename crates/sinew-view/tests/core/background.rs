use super::{Folder, check, limb, settle};
use glam::{DAffine3, DVec3};
use sinew::Playable;
use sinew::measure::{frame_times, measure};
use sinew_view::document::{Measure, Work};
use sinew_view::state::PanelKind;
use sinew_view::{PaneCommand, PlaybackCommand, Session, WindowCommand};

fn make(session: &mut Session) {
    for _ in 0..8 {
        session.advance(0.0);
        settle(session);
    }
    check(session);
}

#[test]
fn deformation_is_measured_for_every_pane_while_its_panel_is_open() {
    let folder = Folder::new("deformation");
    let mut session = limb(&folder);
    let character = session.document().files()[0].character.clone();
    let twist = character.find_clip("twist");
    session.run(PlaybackCommand::Clip { clip: twist });
    let methods = vec!["lbs".to_owned(), "dqs".to_owned()];
    session.run(PaneCommand::CompareMethods { methods });
    make(&mut session);
    assert_eq!(session.deformation(0), Work::Waiting, "nobody looks");
    session.run(WindowCommand::Panel {
        panel: PanelKind::Deformation,
        on: true,
    });
    make(&mut session);
    let panes = [0, 1].map(|pane| match session.deformation(pane) {
        Work::Done(found) => found,
        other => panic!("{other:?}"),
    });
    // Linear skinning collapses under a twist. Dual quaternions do not.
    let curve = |pane: usize, measure: Measure| {
        let curves = panes[pane].curves.iter();
        let mut found = curves.filter(|curve| curve.measure == measure);
        found.next().expect("a curve")
    };
    assert!(curve(0, Measure::Volume).worst.value < 0.7);
    assert!(curve(1, Measure::Volume).worst.value > 0.98);
    assert!(curve(0, Measure::Section).worst.joint.is_some());
    let fps = session.state().playback.fps;
    let times = frame_times(session.duration_secs(), fps).expect("frames");
    let methods = [sinew::Method::Linear];
    let whole = measure(&character, twist, &times, &methods).expect("measured");
    let stretch = curve(0, Measure::Stretch);
    assert_eq!(panes[0].times_secs, whole.times_secs);
    for (value, frame) in stretch.values.iter().zip(&whole.methods[0].frames) {
        assert_eq!(*value, frame.stretch.max);
    }
    let far = |value: f64| (value - 1.0).abs();
    let farthest = stretch.values.iter().copied().map(far).fold(0.0, f64::max);
    assert_eq!(far(stretch.worst.value), farthest);
    let (primitive, vertex) = stretch.worst.vertex.expect("a spot");
    let rig = &session.document().files()[0].rig;
    assert!(vertex < rig.parts()[primitive].surface().len());

    let bend = character.find_clip("bend");
    session.run(PlaybackCommand::Clip { clip: bend });
    assert_eq!(session.deformation(0), Work::Waiting);
    session.run(PlaybackCommand::Clip { clip: twist });
    assert!(matches!(session.deformation(0), Work::Done(_)));
}

#[test]
fn a_packed_clip_plays_beside_the_clip_within_its_error() {
    let folder = Folder::new("packed");
    let mut session = limb(&folder);
    session.run(PaneCommand::ComparePacked);
    make(&mut session);
    let Work::Done(motion) = session.packed(1) else {
        panic!("{:?}", session.packed(1));
    };
    let motion = motion.clone();
    assert_eq!(motion.error.len(), motion.times_secs.len());
    // Computes the distance between points 3 cm from the joints in another way.
    let character = session.document().files()[0].character.clone();
    let clip = session.clip().expect("a clip").clone();
    let apart = |time_secs: f64| {
        let both: [&dyn Playable; 2] = [&clip, &motion.clip];
        let [plain, packed] = both.map(|clip| {
            let mut world: Vec<DAffine3> = Vec::new();
            for joint in 0..character.skeleton.len() {
                let local = clip.sample_joint_at(&character.skeleton, joint, time_secs);
                let above = character.skeleton.parent(joint).map(|parent| world[parent]);
                let (scale, turn) = (local.scale.as_dvec3(), local.rotation.as_dquat());
                let at = local.translation.as_dvec3();
                let local = DAffine3::from_scale_rotation_translation(scale, turn, at);
                world.push(above.unwrap_or_default() * local);
            }
            world
        });
        let points = [DVec3::X, DVec3::Y, DVec3::Z].map(|axis| axis * 0.03);
        let pairs = plain.iter().zip(&packed);
        let apart = pairs.flat_map(|(a, b)| {
            points.map(|p| (a.transform_point3(p) - b.transform_point3(p)).length())
        });
        apart.fold(0.0, f64::max)
    };
    for (&time_secs, &error) in motion.times_secs.iter().zip(&motion.error) {
        let wanted = apart(time_secs);
        assert!(
            (wanted - error).abs() < 1e-6,
            "{time_secs}: {wanted} {error}"
        );
    }
    // The error of frames is within the bound. Between frames, a large rotation follows the chord.
    for frame in 0..motion.clip.frames() {
        let time_secs = frame as f64 / motion.clip.frames_per_sec();
        let error = apart(time_secs);
        assert!(
            error <= f64::from(motion.report.max_error),
            "{time_secs}: {error}"
        );
    }
    session.run(PlaybackCommand::Seek { time_secs: 0.37 });
    let poses = [0, 1].map(|pane| session.figure(pane).expect("a figure").actor.pose().clone());
    assert_ne!(poses[0], poses[1]);
    let both: [&dyn Playable; 2] = [&clip, &motion.clip];
    for (clip, pose) in both.into_iter().zip(&poses) {
        let mut wanted = sinew::LocalPose::identity(0);
        clip.sample_into(&character.skeleton, 0.37, &mut wanted)
            .unwrap();
        assert_eq!(*pose, wanted);
    }
    session.run(PaneCommand::CompareNone);
    check(&session);
}

#[test]
fn what_has_no_skin_says_why_it_is_not_measured() {
    let folder = Folder::new("bare");
    let mut session = Session::opening([folder.bare("ball.glb")]);
    settle(&mut session);
    session.run(WindowCommand::Panel {
        panel: PanelKind::Deformation,
        on: true,
    });
    make(&mut session);
    match session.deformation(0) {
        Work::Refused(why) => assert!(why.contains("no skin"), "{why}"),
        other => panic!("{other:?}"),
    }
}
