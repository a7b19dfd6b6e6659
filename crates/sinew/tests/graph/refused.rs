//! Every public call of a graph with invalid arguments gives an error, without a panic or a change.

use super::*;
use sinew::clip::Curve;
use sinew::graph::{
    EventPayload, GraphLayer, LayerMode, MaskPart, Motion, PlayError, Point2d, Reference,
};
use sinew::{ActorError, Method, Rig};

fn layered() -> StateMachine {
    let wave = GraphLayer::new("arm")
        .state(State::clip("wave", "jump"))
        .weight_parameter("waving")
        .below("joint 2");
    locomotion().parameter("waving", 1.0).layer(wave)
}

#[test]
fn what_a_layer_refuses() {
    let arm = || GraphLayer::new("arm").state(State::clip("wave", "jump"));
    let part = |joint: &str, weight: f32| MaskPart {
        joint: joint.to_owned(),
        and_below: true,
        weight,
    };
    let masked = |part: MaskPart| GraphLayer {
        mask: vec![part],
        ..arm()
    };
    let frame = |clip: &str, time_secs: f32| {
        let clip = clip.to_owned();
        LayerMode::Additive(Reference::Frame { clip, time_secs })
    };
    let table = [
        (
            GraphLayer::new("arm"),
            "layer \"arm\" needs at least one state",
        ),
        (
            arm().state(State::clip("wave", "run")),
            "layer \"arm\": there are two states \"wave\"",
        ),
        (
            arm().state(State::clip("x", "jmup")),
            "layer \"arm\", state \"x\": there is no clip \"jmup\"; did you mean jump?",
        ),
        (
            arm().transition(Transition::new("wave", "idle").when(Condition::Ended)),
            "layer \"arm\", transition from \"wave\" to \"idle\": there is no state \"idle\"; there is only wave",
        ),
        (
            arm().weight(f32::NAN),
            "layer \"arm\": weight NaN is not from 0 to 1",
        ),
        (
            arm().weight(1.5),
            "layer \"arm\": weight 1.5 is not from 0 to 1",
        ),
        (
            arm().weight_parameter("sped"),
            "layer \"arm\": there is no parameter \"sped\"; did you mean speed?",
        ),
        (
            masked(part("joint2", 1.0)),
            "layer \"arm\": there is no joint \"joint2\"; did you mean joint 2?",
        ),
        (
            masked(part("joint 2", -0.1)),
            "layer \"arm\": weight of a mask -0.1 is not from 0 to 1",
        ),
        (
            GraphLayer {
                mode: frame("idel", 0.0),
                ..arm()
            },
            "layer \"arm\": there is no clip \"idel\"; did you mean idle?",
        ),
        (
            GraphLayer {
                mode: frame("idle", f32::INFINITY),
                ..arm()
            },
            "layer \"arm\": time of the reference inf is not a finite number from 0 on",
        ),
    ];
    for (layer, expected) in table {
        let refused = build(&locomotion().layer(layer), &clips()).unwrap_err();
        assert_eq!(refused.to_string(), expected);
    }
    let twice = locomotion().layer(arm()).layer(arm());
    let refused = build(&twice, &clips()).unwrap_err().to_string();
    assert_eq!(refused, "the graph: there are two layers \"arm\"");
}

#[test]
fn what_a_blend_over_two_parameters_refuses() {
    let state = |points: &[([f32; 2], &str)]| {
        let state = State::blend_2d("walk", ["x", "y"], points);
        let machine = StateMachine::new().parameter("x", 0.0).parameter("y", 0.0);
        build(&machine.state(state), &clips())
    };
    let refused = |points| state(points).unwrap_err().to_string();
    assert_eq!(
        refused(&[]),
        "state \"walk\": a blend needs at least one point"
    );
    assert_eq!(
        refused(&[([0.0, f32::NAN], "walk")]),
        "state \"walk\": point NaN is not a finite number"
    );
    assert_eq!(
        refused(&[([0.0, 1.0], "walk"), ([0.0, 1.0], "run")]),
        "state \"walk\": there are two points at 0 and 1"
    );
    let many: Vec<([f32; 2], &str)> = (0..65).map(|n| ([n as f32, 0.0], "walk")).collect();
    assert_eq!(
        refused(&many),
        "state \"walk\": a blend of 65 points is too large: the max is 64"
    );
    assert!(state(&many[1..]).is_ok());
    let motion = Motion::Blend2d {
        parameters: ["x".to_owned(), "z".to_owned()],
        points: vec![Point2d {
            at: [0.0; 2],
            clip: "walk".to_owned(),
        }],
    };
    let machine = StateMachine::new().parameter("x", 0.0).state(State {
        motion,
        ..State::clip("walk", "walk")
    });
    let refused = build(&machine, &clips()).unwrap_err().to_string();
    assert_eq!(
        refused,
        "state \"walk\": there is no parameter \"z\"; did you mean x?"
    );
}

#[test]
fn what_payloads_curves_and_clips_are_refused() {
    let payload = |event: &str, number: f32| EventPayload {
        event: event.to_owned(),
        number: Some(number),
        ..EventPayload::default()
    };
    let refused = |machine: StateMachine| build(&machine, &clips()).unwrap_err().to_string();
    assert_eq!(
        refused(locomotion().payload(payload("letf", 1.0))),
        "payload of \"letf\": there is no event \"letf\"; did you mean left?"
    );
    assert_eq!(
        refused(locomotion().payload(payload("left", f32::NAN))),
        "payload of \"left\": number NaN is not a finite number"
    );
    let twice = locomotion()
        .payload(payload("left", 1.0))
        .payload(payload("left", 2.0));
    assert_eq!(
        refused(twice),
        "the graph: there are two payloads of \"left\""
    );
    let mut other = clips();
    other[RUN].joint_mut(JOINTS).scale = other[RUN].joint(0).unwrap().translation.clone();
    let refused = build(&locomotion(), &other).unwrap_err().to_string();
    assert_eq!(
        refused,
        "clip \"run\" moves 11 joints, but the skeleton has 10"
    );
    let mut other = clips();
    for (clip, width) in [(WALK, 1), (RUN, 2)] {
        let track = Track::new(vec![0.0], vec![0.0; width], width, Interpolation::Linear);
        other[clip].curves.push(Curve {
            name: "light".to_owned(),
            track: track.expect("good"),
        });
    }
    let refused = build(&locomotion(), &other).unwrap_err().to_string();
    assert_eq!(
        refused,
        "curve \"light\" has 2 values in clip \"run\", and 1 in another"
    );
    let long = |j: usize| Joint::new(format!("joint {j}"), j.checked_sub(1), Transform::IDENTITY);
    let (long, _) = Skeleton::new((0..JOINTS + 2).map(long).collect()).expect("a chain");
    let motion = RootMotion::of_clip(&clips()[0], &long, JOINTS + 1, RootAxes::GROUND);
    let graph = build(&locomotion(), &clips()).expect("good");
    if let Ok(motion) = motion {
        assert!(graph.with_root_motion(vec![motion; 4]).is_err());
    }
}

fn shown(player: &mut GraphPlayer) -> (Vec<Option<f32>>, String, f64, LocalPose) {
    let mut pose = LocalPose::identity(JOINTS);
    player.pose_into(&mut pose).expect("as many joints");
    let names = ["speed", "jump", "waving"];
    let values = names.map(|name| player.get(name)).to_vec();
    (values, player.state().to_owned(), player.phase(), pose)
}

#[test]
fn no_call_of_a_player_panics_and_what_is_refused_changes_nothing() {
    let graph = build(&layered(), &clips()).expect("good");
    let mut player = graph.player();
    player.update(0.3, |_| {}).expect("a step");
    let before = shown(&mut player);
    let [nan, infinite] = [f32::NAN, f32::INFINITY];
    let mut small = LocalPose::identity(JOINTS - 1);
    let mut large = LocalPose::identity(JOINTS + 1);
    let nothing = |_: sinew::graph::FiredEvent<'_>| panic!("nothing is played");
    type Call<'a> = (
        &'a str,
        Box<dyn FnMut(&mut GraphPlayer) -> Result<(), PlayError> + 'a>,
    );
    let calls: Vec<Call<'_>> = vec![
        (
            "there is no parameter \"sped\"; did you mean speed?",
            Box::new(|p| p.set("sped", 1.0)),
        ),
        (
            "parameter NaN is not a finite number",
            Box::new(|p| p.set("speed", nan)),
        ),
        (
            "parameter inf is not a finite number",
            Box::new(|p| p.set_index(0, infinite)),
        ),
        (
            "there is no parameter 3: the number of parameters is 3",
            Box::new(|p| p.set_index(3, 1.0)),
        ),
        (
            "there is no parameter 18446744073709551615: the number of parameters is 3",
            Box::new(|p| p.set_index(usize::MAX, 1.0)),
        ),
        (
            "there is no state \"jmup\"; did you mean jump?",
            Box::new(|p| p.jump("jmup", 0.0)),
        ),
        (
            "phase NaN is not a finite number",
            Box::new(|p| p.jump("jump", f64::NAN)),
        ),
        (
            "there is no layer \"leg\"; there is only arm",
            Box::new(|p| p.jump_layer("leg", "wave", 0.0)),
        ),
        (
            "there is no state \"jump\"; there is only wave",
            Box::new(|p| p.jump_layer("arm", "jump", 0.0)),
        ),
        (
            "phase -inf is not a finite number",
            Box::new(|p| p.jump_layer("arm", "wave", f64::NEG_INFINITY)),
        ),
        (
            "step NaN is not a finite number",
            Box::new(|p| p.update(f64::NAN, nothing)),
        ),
        (
            "step inf is not a finite number",
            Box::new(|p| p.update(f64::INFINITY, nothing)),
        ),
        (
            "a step of -0.5 s is negative; a state with a negative speed plays backwards",
            Box::new(|p| p.update(-0.5, nothing)),
        ),
        (
            "the pose has 9 joints, but the skeleton of the graph has 10",
            Box::new(|p| p.pose_into(&mut small)),
        ),
        (
            "the pose has 11 joints, but the skeleton of the graph has 10",
            Box::new(|p| p.pose_into(&mut large)),
        ),
        (
            "there is no curve \"light\"; there are none",
            Box::new(|p| p.curve("light", &mut [0.0])),
        ),
    ];
    for (expected, mut call) in calls {
        let refused = call(&mut player).expect_err(expected);
        assert_eq!(refused.to_string(), expected);
        assert_eq!(shown(&mut player), before, "{expected}");
    }
    assert_eq!(player.get("sped"), None);
    assert_eq!(player.layer_state("leg"), None);
    assert_eq!(player.layer_state("arm"), Some("wave"));
    assert_eq!(graph.parameter("sped"), None);
    let mut weights = [0.5; 3];
    player.morph_weights(usize::MAX, &[0.25], &mut weights);
    assert_eq!(weights, [0.25, 0.0, 0.0]);
    player.morph_weights(0, &[0.25, 0.5], &mut []);
    for phase in [f64::MAX, -1e300, 1e16] {
        player.jump("move", phase).expect("finite");
        player.update(DT, |_| {}).expect("a step");
        assert!(shown(&mut player).3.iter().all(|t| t.is_finite()));
    }
}

#[test]
fn a_graph_of_one_rig_does_not_pose_an_actor_of_another() {
    let person = humanoid_character();
    let rigs = [(); 2].map(|_| Rig::new(&person, Method::Linear).expect("a rig"));
    let machine = StateMachine::new().state(State::clip("walk", "walk"));
    let mut player = machine.build(&rigs[0]).expect("a graph").player();
    let joints = person.skeleton.len();
    let mut stranger = rigs[1].actor();
    assert_eq!(
        player.pose(&mut stranger),
        Err(ActorError::OtherRig {
            found: joints,
            expected: joints
        })
    );
    let mut own = rigs[0].actor();
    *own.pose_mut() = LocalPose::identity(1);
    player.update(0.3, |_| {}).expect("a step");
    player.pose(&mut own).expect("its own rig");
    assert_eq!(own.pose().len(), joints);
}
