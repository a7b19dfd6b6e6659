use super::*;

/// Max speed and change of speed per second, with a transition every `every` frames.
fn roughness(kind: TransitionKind, duration_secs: f32, every: usize) -> (f32, f32) {
    let mut machine = StateMachine::new().parameter("go", 0.0);
    for (name, clip) in [("a", "idle"), ("b", "walk"), ("c", "run")] {
        machine = machine.state(State::clip(name, clip));
    }
    for (from, to) in [("a", "b"), ("b", "c"), ("c", "a")] {
        let transition = Transition {
            kind,
            duration_secs,
            ..Transition::new(from, to)
        };
        machine = machine.transition(transition.when(Condition::triggered("go")).in_phase());
    }
    // Root motion would dominate.
    let mut played = Played::new(&machine).with_root_motion();
    let mut shown: Vec<LocalPose> = Vec::new();
    for frame in 0..600 {
        if frame % every == 0 {
            played.set("go", 1.0);
        }
        played.update(DT);
        shown.push(played.pose());
    }
    let speed = |w: &[LocalPose]| apart(&w[0], &w[1]) / DT as f32;
    let change = |w: &[LocalPose]| {
        let onward = AdditivePose::between(&w[0], &w[1]).expect("of this skeleton");
        let mut expected = LocalPose::identity(0);
        BlendJob {
            additions: &mut [Layer::new(&onward, 1.0)],
            ..BlendJob::new(&w[1], &mut [])
        }
        .run(&mut expected)
        .expect("fits");
        apart(&expected, &w[2]) / DT as f32
    };
    (
        shown.windows(2).map(speed).fold(0.0, f32::max),
        shown.windows(3).map(change).fold(0.0, f32::max),
    )
}

/// In half radians per second. Alone, a joint reaches 3.2 and changes by at most 0.33 per frame.
#[test]
fn no_transition_jumps_however_it_is_interrupted() {
    let alone = roughness(TransitionKind::Inertia, 0.3, 10_000);
    assert!(alone.0 < 3.3 && alone.1 < 0.7, "{alone:?}");
    let cut = roughness(TransitionKind::Inertia, 0.0, 11);
    assert!(cut.0 > 40.0 && cut.1 > 40.0, "{cut:?}");
    for kind in [
        TransitionKind::Inertia,
        TransitionKind::CrossFade(Ease::Smooth),
    ] {
        for every in [50, 11] {
            let found = roughness(kind, 0.3, every);
            assert!(found.0 < 8.0, "{kind:?} every {every}: {found:?}");
            assert!(found.1 < 1.3, "{kind:?} every {every}: {found:?}");
        }
    }
}

#[test]
fn root_motion_leaves_the_pose_and_moves_the_character() {
    let mut played = Played::new(&locomotion()).with_root_motion();
    let mut world = Placement::identity(Axis::Y);
    let mut speeds = Vec::new();
    for frame in 0..600 {
        match frame {
            120 => played.set("speed", 3.0),
            300 => played.set("jump", 1.0),
            400..440 => played.set("speed", 3.0 - 0.075 * (frame - 399) as f32),
            _ => {}
        }
        played.update(DT);
        world = world.then(&played.player.root_step());
        speeds.push(played.player.root_step().translation[2] / DT);
        let root = played.pose().get(0).translation;
        assert!(
            (root - Vec3::new(0.0, 1.0, 0.0)).length() < 1e-5,
            "{frame}: {root}"
        );
    }
    assert_eq!(speeds[100], 0.0);
    // Half walk and half run: the mean stride at the mean rate.
    let wanted = 0.5 * (1.5 + 2.0) * 0.5 * (1.0 / 1.25 + 1.0 / 0.5);
    assert!(
        (speeds[250] - wanted).abs() < 1e-3,
        "{} is not {wanted}",
        speeds[250]
    );
    assert!(
        (speeds[350] - 1.0 / 0.75).abs() < 1e-3,
        "jumping: {}",
        speeds[350]
    );
    assert!(speeds[599].abs() < 1e-3);
    let sum: f64 = speeds.iter().map(|s| s * DT).sum();
    assert!((world.translation[2] - sum).abs() < 1e-9);
    let jump = speeds
        .windows(2)
        .map(|w| (w[1] - w[0]).abs())
        .fold(0.0, f64::max);
    assert!(jump < 0.25, "{jump}");
}

#[test]
fn ten_thousand_cycles_of_a_graph_do_not_drift() {
    let machine = StateMachine::new().state(State::clip("walk", "walk"));
    let mut played = Played::new(&machine).with_root_motion();
    let mut world = Placement::identity(Axis::Y);
    while played.player.phase() < 10_000.0 {
        played.update(0.31);
        world = world.then(&played.player.root_step());
    }
    let wanted = 1.5 * played.player.phase();
    assert!(
        (world.translation[2] - wanted).abs() < 1e-3,
        "{} {wanted}",
        world.translation[2]
    );
    assert_eq!([world.translation[0], world.heading_rad], [0.0, 0.0]);
}

#[test]
fn odd_steps_of_time_do_no_harm() {
    let wraps = [Wrap::Loop, Wrap::Clamp, Wrap::PingPong];
    for (wrap, speed) in wraps.into_iter().flat_map(|w| [(w, -3.0), (w, 1.0)]) {
        let state = State {
            wrap,
            speed,
            ..State::clip("walk", "walk")
        };
        let mut played = Played::new(&StateMachine::new().state(state)).with_root_motion();
        let before = played.pose();
        for dt in [f64::NAN, f64::INFINITY, -1.0] {
            assert!(played.player.update(dt, |_| panic!("an event")).is_err());
            assert_eq!(played.pose(), before);
        }
        assert_eq!(played.update(0.0), []);
        assert_eq!(played.pose(), before);
        for dt in [1e-300, 1e6, 1e300, f64::MAX] {
            played.update(dt);
            assert!(played.player.phase().is_finite());
            assert!(played.pose().iter().all(|t| t.is_finite()));
            let way = played.player.root_step().translation;
            assert!(way.iter().all(|c| c.is_finite()), "{dt}: {way:?}");
        }
    }
    let still = [Clip::new("nothing")];
    let machine = StateMachine::new()
        .state(State::clip("nothing", "nothing"))
        .state(State::clip("other", "nothing"))
        .transition(Transition::new("nothing", "other").when(Condition::Ended));
    let graph = build(&machine, &still).expect("good");
    let mut player = graph.player();
    player.update(DT, |_| {}).expect("a step");
    assert_eq!(player.state(), "other", "no length is over at once");
    let mut out = LocalPose::identity(JOINTS);
    player.pose_into(&mut out).expect("as many joints");
    assert!(apart(&out, graph.skeleton().rest()) < 1e-6);
}
