//! Graphs as data: what they hold, and what is refused.

use super::*;

#[test]
fn what_a_graph_refuses() {
    let clips = clips();
    let still = vec![Clip::new("still"), clips[1].clone()];
    let refused = |description: &Description| description.build(&clips).unwrap_err();
    let one = || {
        Description::new()
            .parameter("speed", 0.0)
            .state(State::clip("idle", 0))
    };
    assert_eq!(refused(&Description::new()), GraphError::NoStates);
    let message = |d: Description| refused(&d).to_string();
    let ended = |t: Transition| t.when(Condition::Ended);
    let table = [
        (
            one().state(State::clip("idle", 1)),
            "there are two states \"idle\"",
        ),
        (
            one().parameter("speed", 1.0),
            "there are two parameters \"speed\"",
        ),
        (
            one().parameter("p", f32::NAN),
            "parameter \"p\": NaN is no value",
        ),
        (
            one().state(State {
                speed: f32::INFINITY,
                ..State::clip("run", 0)
            }),
            "state \"run\": inf is no speed",
        ),
        (
            one().state(State::clip("run", 4)),
            "state \"run\": there is no clip 4 among 4",
        ),
        (
            one().state(State::blend("run", "sped", &[(0.0, 0)])),
            "state \"run\": there is no parameter \"sped\"",
        ),
        (
            one().state(State::blend("run", "speed", &[])),
            "state \"run\": a blend needs at least one point",
        ),
        (
            one().state(State::blend("run", "speed", &[(0.0, 0), (0.0, 1)])),
            "state \"run\": the point at 0 does not come after the one before it",
        ),
        (
            one().state(State::blend("run", "speed", &[(f32::NAN, 0)])),
            "state \"run\": NaN is no place in a blend",
        ),
        (
            one().transition(ended(Transition::new("idle", "run"))),
            "transition from \"idle\" to \"run\": there is no state \"run\"",
        ),
        (
            one().transition(ended(Transition::new("run", "idle"))),
            "transition from \"run\" to \"idle\": there is no state \"run\"",
        ),
        (
            one().transition(Transition::from_any("idle")),
            "transition to \"idle\": a transition needs a condition",
        ),
        (
            one().transition(ended(Transition::from_any("idle")).inertia(-1.0)),
            "transition to \"idle\": -1 is no duration",
        ),
        (
            one().transition(ended(Transition::from_any("idle")).inertia(2e6)),
            "transition to \"idle\": 2000000 is no duration",
        ),
        (
            one().transition(ended(Transition::from_any("idle")).starting_at(1.5)),
            "transition to \"idle\": 1.5 is no part of a motion",
        ),
        (
            one().transition(Transition::from_any("idle").when(Condition::triggered("x"))),
            "transition to \"idle\": there is no parameter \"x\"",
        ),
        (
            one()
                .transition(Transition::from_any("idle").when(Condition::above("speed", f32::NAN))),
            "transition to \"idle\": NaN is no threshold",
        ),
        (
            one().transition(Transition::from_any("idle").when(Condition::After(-0.5))),
            "transition to \"idle\": -0.5 is no time",
        ),
    ];
    for (description, wanted) in table {
        assert_eq!(message(description), wanted);
    }
    let no_length = one()
        .state(State::blend("run", "speed", &[(0.0, 0), (1.0, 1)]))
        .build(&still);
    assert_eq!(
        no_length.unwrap_err().to_string(),
        "state \"run\": clip 0 has no length, so nothing can be in phase with it"
    );
    let graph = one().build(&clips).expect("good");
    let skeleton = skeleton();
    let motion = RootMotion::of_clip(&clips[0], &skeleton, 0, RootAxes::GROUND).expect("good");
    assert!(
        graph
            .clone()
            .with_root_motion(vec![motion.clone(); 4])
            .is_ok()
    );
    let too_few = graph
        .clone()
        .with_root_motion(vec![motion.clone(); 3])
        .unwrap_err();
    assert!(matches!(
        too_few,
        GraphError::RootMotion {
            index: 3,
            found: 3,
            clips: 4
        }
    ));
    let up = RootAxes {
        up: Axis::Z,
        ..RootAxes::GROUND
    };
    let other = RootMotion::of_clip(&clips[0], &skeleton, 0, up).expect("good");
    let mixed = graph.with_root_motion(vec![motion.clone(), other, motion.clone(), motion]);
    assert!(matches!(
        mixed,
        Err(GraphError::RootMotion { index: 1, .. })
    ));
}

#[test]
fn a_graph_is_data() {
    let description = locomotion();
    let text = serde_json::to_string(&description).expect("writes");
    let back: Description = serde_json::from_str(&text).expect("reads");
    assert_eq!(back, description);
    // By hand, with everything that may be left out left out.
    let text = r#"{
        "parameters": [{ "name": "speed" }],
        "states": [
            { "name": "idle", "motion": { "clip": 0 } },
            { "name": "move", "speed": -0.5, "wrap": "ping_pong", "motion": { "blend": {
                "parameter": "speed", "points": [{ "at": 1, "clip": 1 }, { "at": 5, "clip": 2 }] } } }
        ],
        "transitions": [
            { "from": "idle", "to": "move", "when": [{ "above": { "parameter": "speed", "value": 0.5 } }],
              "secs": 0.4, "change": { "cross_fade": "smooth" }, "start": "in_phase" },
            { "to": "idle", "when": ["ended", { "after": 0.25 }] }
        ]
    }"#;
    let read: Description = serde_json::from_str(text).expect("reads");
    let wanted = Description::new()
        .parameter("speed", 0.0)
        .state(State::clip("idle", 0))
        .state(State {
            speed: -0.5,
            wrap: Wrap::PingPong,
            ..State::blend("move", "speed", &[(1.0, 1), (5.0, 2)])
        })
        .transition(
            Transition::new("idle", "move")
                .when(Condition::above("speed", 0.5))
                .cross_fade(0.4, Ease::Smooth)
                .in_phase(),
        )
        .transition(
            Transition::from_any("idle")
                .when(Condition::Ended)
                .when(Condition::After(0.25)),
        );
    assert_eq!(read, wanted);
    assert_eq!(read.transitions[1].change, Change::Inertia);
    assert_eq!(read.transitions[1].start, Start::At(0.0));
    assert!(read.build(&clips()).is_ok());
    let typo = text.replace("\"secs\"", "\"seconds\"");
    let error = serde_json::from_str::<Description>(&typo)
        .unwrap_err()
        .to_string();
    assert!(error.contains("unknown field `seconds`"), "{error}");
}

#[test]
fn points_are_plain_data() {
    let point: Point = serde_json::from_str(r#"{ "at": 2.5, "clip": 7 }"#).expect("reads");
    assert_eq!(point, Point { at: 2.5, clip: 7 });
}
