use super::*;
use sinew::clip::{Curve, MorphTrack};
use sinew::graph::{GraphLayer, PlayError, Reference};

fn track(width: usize, times: &[f32], values: &[f32]) -> Track {
    let track = Track::new(
        times.to_vec(),
        values.to_vec(),
        width,
        Interpolation::Linear,
    );
    track.expect("good")
}

/// Only "walk" and "run" have the curve "lamp" and weights of the mesh at node 4.
fn lit() -> Vec<Clip> {
    let mut clips = clips();
    let curves = [
        (WALK, track(2, &[0.0, 1.25], &[0.0, 1.0, 1.0, 1.0])),
        (RUN, track(2, &[0.0, 0.5], &[4.0, 3.0, 8.0, 3.0])),
    ];
    for (clip, track) in curves {
        clips[clip].curves.push(Curve {
            name: "lamp".to_owned(),
            track,
        });
    }
    let morphs = [
        (WALK, track(2, &[0.0, 1.25], &[0.0, 0.5, 1.0, 0.5])),
        (RUN, track(2, &[0.0, 0.5], &[1.0, 0.25, 0.0, 0.25])),
    ];
    for (clip, weights) in morphs {
        clips[clip].morphs.push(MorphTrack { node: 4, weights });
    }
    clips
}

fn lamp(player: &mut GraphPlayer) -> [f32; 2] {
    let mut out = [f32::NAN; 2];
    player.curve("lamp", &mut out).expect("a curve of two");
    out
}

fn morph(player: &mut GraphPlayer) -> [f32; 3] {
    let mut out = [f32::NAN; 3];
    player.morph_weights(4, &[0.1, 0.2, 0.3], &mut out);
    out
}

fn near<const N: usize>(found: [f32; N], expected: [f32; N]) {
    let off = found.iter().zip(expected).map(|(a, b)| (a - b).abs());
    let off = off.fold(0.0, f32::max);
    assert!(off < 1e-5, "{found:?} is not {expected:?}");
}

fn moving() -> StateMachine {
    StateMachine::new()
        .parameter("speed", 2.0)
        .parameter("go", 0.0)
        .state(State::blend(
            "move",
            "speed",
            &[(1.0, "walk"), (5.0, "run")],
        ))
        .state(State::clip("jump", "jump"))
        .transition(
            Transition::new("move", "jump")
                .when(Condition::triggered("go"))
                .cross_fade(1.0, Ease::Linear),
        )
}

#[test]
fn curves_and_morph_weights_are_means_by_weight() {
    let graph = build(&moving(), &lit()).expect("good");
    let curves: Vec<_> = graph.curves().iter().map(|c| (&*c.name, c.width)).collect();
    assert_eq!(curves, [("lamp", 2)]);
    let mut player = graph.player();
    let refused = player.curve("lamp", &mut [0.0]).unwrap_err();
    assert!(matches!(
        refused,
        PlayError::CurveWidth {
            found: 1,
            expected: 2,
            ..
        }
    ));
    player.jump("move", 0.5).expect("a state");
    near(
        lamp(&mut player),
        [0.75 * 0.5 + 0.25 * 6.0, 0.75 + 0.25 * 3.0],
    );
    near(morph(&mut player), [0.5, 0.75 * 0.5 + 0.25 * 0.25, 0.0]);
    // In a fade to a state without signals, curves go to 0 and weights to rest.
    player.set("go", 1.0).expect("a parameter");
    player.update(0.0, |_| {}).expect("a step");
    let mut before = (lamp(&mut player), morph(&mut player));
    for frame in 1..=100 {
        player.update(0.01, |_| {}).expect("a step");
        let now = (lamp(&mut player), morph(&mut player));
        // Loops of a clip jump in proportion to its remaining weight.
        let left = 1.0 - frame as f32 * 0.01;
        let step = (now.0[1] - before.0[1])
            .abs()
            .max((now.1[1] - before.1[1]).abs());
        assert!(step < 0.05, "{step} with {left} left");
        before = now;
    }
    near(before.0, [0.0, 0.0]);
    near(before.1, [0.1, 0.2, 0.3]);
}

#[test]
fn an_update_that_a_bound_curve_refuses_changes_nothing() {
    let mut clips = clips();
    let huge = track(1, &[0.0], &[3e38]);
    let curves = [
        (WALK, "calm", track(1, &[0.0], &[0.5])),
        (WALK, "wild", huge.clone()),
        (RUN, "wild", huge),
    ];
    for (clip, name, track) in curves {
        let name = name.to_owned();
        clips[clip].curves.push(Curve { name, track });
    }
    // The sum of the two layers is infinite.
    let run = GraphLayer::new("top").state(State::clip("run", "run"));
    let machine = StateMachine::new()
        .parameter("first", 0.25)
        .parameter("second", 0.25)
        .state(State::clip("walk", "walk"))
        .layer(run.additive(Reference::RestPose));
    let lines = ["calm=parameter.first", "wild=parameter.second"];
    let bindings = lines.map(|line| line.parse().expect("a binding"));
    let graph = build(&machine, &clips).expect("good");
    let mut player = graph.bound(&bindings).expect("both are there").player();
    let refused = player.update(DT, |_| panic!("an event")).unwrap_err();
    let expected = "parameter inf is not a finite number";
    assert_eq!(refused.to_string(), expected);
    let values = ["first", "second"].map(|name| player.get(name));
    assert_eq!((values, player.phase()), ([Some(0.25); 2], 0.0));
}

#[test]
fn layers_leave_what_their_clips_do_not_have_and_take_or_add_what_they_have() {
    let layer = |clip: &str| GraphLayer::new("top").state(State::clip("top", clip));
    let base = || StateMachine::new().state(State::clip("walk", "walk"));
    let at = |machine: &StateMachine, phase: f64| {
        let mut player = build(machine, &lit()).expect("good").player();
        player.jump("walk", phase).expect("a state");
        player.jump_layer("top", "top", phase).expect("a state");
        (lamp(&mut player), morph(&mut player))
    };
    let (curve, weights) = at(&base().layer(layer("idle")), 0.5);
    near(curve, [0.5, 1.0]);
    near(weights, [0.5, 0.5, 0.0]);
    let (curve, weights) = at(&base().layer(layer("run").weight(0.25)), 0.5);
    near(curve, [0.75 * 0.5 + 0.25 * 6.0, 0.75 + 0.25 * 3.0]);
    near(weights, [0.5, 0.75 * 0.5 + 0.25 * 0.25, 0.0]);
    let half = |reference| base().layer(layer("run").weight(0.5).additive(reference));
    let (curve, weights) = at(&half(Reference::FirstFrame), 0.5);
    near(curve, [0.5 + 0.5 * (6.0 - 4.0), 1.0]);
    near(weights, [0.5 + 0.5 * (0.5 - 1.0), 0.5, 0.0]);
    let idle = Reference::Frame {
        clip: "idle".to_owned(),
        time_secs: 0.0,
    };
    for reference in [Reference::RestPose, idle] {
        let (curve, weights) = at(&half(reference), 0.5);
        near(curve, [0.5 + 0.5 * 6.0, 1.0 + 0.5 * 3.0]);
        near(
            weights,
            [0.5 + 0.5 * (0.5 - 0.1), 0.5 + 0.5 * (0.25 - 0.2), -0.15],
        );
    }
}
