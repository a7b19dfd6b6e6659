use super::*;
use sinew::{Method, Rig};
use sinew_samples::mannequin::Mannequin;

#[test]
fn what_a_graph_refuses() {
    let clips = clips();
    let still = vec![Clip::new("idle"), clips[1].clone()];
    let refused = |machine: &StateMachine| build(machine, &clips).unwrap_err();
    let one = || {
        StateMachine::new()
            .parameter("speed", 0.0)
            .state(State::clip("idle", "idle"))
    };
    let nothing = refused(&StateMachine::new()).to_string();
    assert_eq!(nothing, "the graph needs at least one state");
    let message = |machine: StateMachine| refused(&machine).to_string();
    let ended = |t: Transition| t.when(Condition::Ended);
    let table = [
        (
            one().state(State::clip("idle", "walk")),
            "the graph: there are two states \"idle\"",
        ),
        (
            one().parameter("speed", 1.0),
            "the graph: there are two parameters \"speed\"",
        ),
        (
            one().parameter("p", f32::NAN),
            "parameter \"p\": value NaN is not a finite number",
        ),
        (
            one().state(State {
                speed: f32::INFINITY,
                ..State::clip("run", "idle")
            }),
            "state \"run\": speed inf is not a finite number",
        ),
        (
            one().state(State::clip("run", "wlak")),
            "state \"run\": there is no clip \"wlak\"; did you mean walk?",
        ),
        (
            one().state(State::blend("run", "sped", &[(0.0, "idle")])),
            "state \"run\": there is no parameter \"sped\"; did you mean speed?",
        ),
        (
            one().state(State::blend("run", "speed", &[])),
            "state \"run\": a blend needs at least one point",
        ),
        (
            one().state(State::blend(
                "run",
                "speed",
                &[(0.0, "idle"), (0.0, "walk")],
            )),
            "state \"run\": the point at 0 is not above the point before it",
        ),
        (
            one().state(State::blend("run", "speed", &[(f32::NAN, "idle")])),
            "state \"run\": point NaN is not a finite number",
        ),
        (
            one().transition(ended(Transition::new("idle", "run"))),
            "transition from \"idle\" to \"run\": there is no state \"run\"; there is only idle",
        ),
        (
            one().transition(ended(Transition::new("run", "idle"))),
            "transition from \"run\" to \"idle\": there is no state \"run\"; there is only idle",
        ),
        (
            one().transition(Transition::from_any("idle")),
            "transition to \"idle\": a transition needs a condition",
        ),
        (
            one().transition(ended(Transition::from_any("idle")).inertia(-1.0)),
            "transition to \"idle\": duration -1 is not from 0 to a million seconds",
        ),
        (
            one().transition(ended(Transition::from_any("idle")).inertia(2e6)),
            "transition to \"idle\": duration 2000000 is not from 0 to a million seconds",
        ),
        (
            one().transition(ended(Transition::from_any("idle")).starting_at(1.5)),
            "transition to \"idle\": start 1.5 is not from 0 to 1",
        ),
        (
            one().transition(Transition::from_any("idle").when(Condition::triggered("x"))),
            "transition to \"idle\": there is no parameter \"x\"; there is only speed",
        ),
        (
            one()
                .transition(Transition::from_any("idle").when(Condition::above("speed", f32::NAN))),
            "transition to \"idle\": threshold NaN is not a finite number",
        ),
        (
            one().transition(Transition::from_any("idle").when(Condition::After(-0.5))),
            "transition to \"idle\": time -0.5 is not a finite number from 0 on",
        ),
    ];
    for (machine, wanted) in table {
        assert_eq!(message(machine), wanted);
    }
    let no_length = one().state(State::blend(
        "run",
        "speed",
        &[(0.0, "idle"), (1.0, "walk")],
    ));
    let no_length = build(&no_length, &still);
    assert_eq!(
        no_length.unwrap_err().to_string(),
        "state \"run\": clip \"idle\" has a duration of 0, so other clips cannot share its phase"
    );
    let graph = build(&one(), &clips).expect("good");
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
fn the_root_motion_of_a_graph_can_come_from_a_joint() {
    let skeleton = skeleton();
    let name = skeleton.name(0).to_owned();
    let by_joint = |joint: &str| {
        let played = Played::new(&locomotion());
        let graph = played.graph.clone();
        (played, graph.with_root_joint(joint, RootAxes::GROUND))
    };
    let (played, graph) = by_joint(&name);
    let mut expected = played.with_root_motion();
    let mut player = graph.expect("the root has nothing above it").player();
    for _ in 0..60 {
        for player in [&mut player, &mut expected.player] {
            player.set("speed", 3.0).expect("a parameter");
            player.update(DT, |_| {}).expect("a step");
        }
        assert_eq!(player.root_step(), expected.player.root_step());
    }
    let moved = player.root_step().translation[2];
    assert!(moved > 0.01, "{moved}");

    let unknown = by_joint("hips").1.unwrap_err().to_string();
    assert!(
        unknown.starts_with("root motion: there is no joint \"hips\""),
        "{unknown}"
    );
    let below = by_joint(skeleton.name(3)).1.unwrap_err().to_string();
    assert!(
        below.contains("clip \"idle\"") && below.contains("also has keys"),
        "{below}"
    );
}

#[test]
fn a_graph_is_data() {
    let machine = locomotion();
    let text = serde_json::to_string(&machine).expect("writes");
    let back: StateMachine = serde_json::from_str(&text).expect("reads");
    assert_eq!(back, machine);
    let text = r#"{
        "parameters": [{ "name": "speed" }],
        "states": [
            { "name": "idle", "motion": { "clip": "idle" } },
            { "name": "move", "speed": -0.5, "wrap": "ping_pong", "motion": { "blend": {
                "parameter": "speed", "points": [{ "at": 1, "clip": "walk" }, { "at": 5, "clip": "run" }] } } }
        ],
        "transitions": [
            { "from": "idle", "to": "move", "when": [{ "above": { "parameter": "speed", "value": 0.5 } }],
              "duration_secs": 0.4, "kind": { "cross_fade": "smooth" }, "start": "in_phase" },
            { "to": "idle", "when": ["ended", { "after": 0.25 }] }
        ]
    }"#;
    let read: StateMachine = serde_json::from_str(text).expect("reads");
    let wanted = StateMachine::new()
        .parameter("speed", 0.0)
        .state(State::clip("idle", "idle"))
        .state(State {
            speed: -0.5,
            wrap: Wrap::PingPong,
            ..State::blend("move", "speed", &[(1.0, "walk"), (5.0, "run")])
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
    assert_eq!(read.transitions[1].kind, TransitionKind::Inertia);
    assert_eq!(read.transitions[1].start, Start::At(0.0));
    assert!(build(&read, &clips()).is_ok());
    let typo = text.replace("\"duration_secs\"", "\"seconds\"");
    let error = serde_json::from_str::<StateMachine>(&typo)
        .unwrap_err()
        .to_string();
    assert!(error.contains("unknown field `seconds`"), "{error}");
}

#[test]
fn points_are_plain_data() {
    let point: Point = serde_json::from_str(r#"{ "at": 2.5, "clip": "walk" }"#).expect("reads");
    let clip = "walk".to_owned();
    assert_eq!(point, Point { at: 2.5, clip });
}

fn documented() -> &'static str {
    let page = include_str!("../../../../docs/graph.md");
    let (_, after) = page.split_once("```json\n").expect("an example");
    after.split_once("\n```").expect("its end").0
}

#[test]
fn the_documented_example_is_read_built_and_played() {
    let machine = StateMachine::from_json(documented()).expect("reads");
    assert_eq!((machine.states.len(), machine.layers.len()), (3, 2));
    let arm = &machine.layers[0];
    assert_eq!((arm.weight, arm.mask.len()), (1.0, 2));
    assert!(arm.mask[0].and_below && arm.mask[0].weight == 1.0);
    let text = serde_json::to_string(&machine).expect("writes");
    assert_eq!(StateMachine::from_json(&text).expect("reads"), machine);
    let rig = Rig::new(&Mannequin::default().build(), Method::Linear).expect("a rig");
    let mut player = machine.build(&rig).expect("its names are there").player();
    let mut hero = rig.actor();
    player.set("forward", 2.0).expect("a parameter");
    player.set("waving", 0.75).expect("a parameter");
    let mut payloads = 0;
    for _ in 0..180 {
        let played = player.update(1.0 / 60.0, |event| {
            let payload = event.payload.map(|p| (p.text.as_deref(), p.number));
            let wanted = (event.name == "footstep_left").then_some((Some("gravel"), Some(0.8)));
            assert_eq!(payload, wanted);
            payloads += usize::from(payload.is_some());
        });
        played.expect("a step");
        player.pose(&mut hero).expect("its own rig");
    }
    assert_eq!(player.state(), "move");
    assert!(payloads > 1, "{payloads} footsteps");
}

#[test]
fn errors_in_json_say_where_and_what_was_expected() {
    let cases = [
        ("", "line 1, column 0: EOF while parsing a value"),
        (
            "3",
            "line 1, column 1: invalid type: integer `3`, expected struct StateMachine",
        ),
        ("{}", "line 1, column 2: missing field `states`"),
        (
            "{ \"states\": [\n  { \"name\": 3 } ] }",
            "line 2, column 13: invalid type: integer `3`, expected a string",
        ),
        (
            "{ \"states\": [], \"layers\": [{ \"name\": \"a\", \"mode\": \"add\" }] }",
            "line 1, column 55: unknown variant `add`, expected `override` or `additive`",
        ),
        (
            "{ \"states\": [{ \"name\": \"a\", \"motion\": { \"clip\": 2 } }] }",
            "line 1, column 49: invalid type: integer `2`, expected a string",
        ),
        (
            "{ \"states\": [{ \"name\": \"a\", \"motion\": { \"blend_2d\": { \"parameters\": [\"x\"] } } }] }",
            "line 1, column 73: invalid length 1, expected an array of length 2",
        ),
    ];
    let said = cases.map(|(text, _)| StateMachine::from_json(text).unwrap_err().to_string());
    assert_eq!(said, cases.map(|(_, wanted)| wanted));
}
