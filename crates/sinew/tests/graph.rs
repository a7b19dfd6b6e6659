//! Graphs: refusals first, then states, blends in phase, events and their weights, and transitions.

use glam::{Quat, Vec3};
use proptest::prelude::*;
use sinew::blend::{AdditivePose, BlendJob, Ease, Layer};
use sinew::examples::humanoid_character;
use sinew::graph::{
    Change, Condition, Description, Graph, GraphError, GraphPlayer, Point, Stage, Start, State,
    Transition,
};
use sinew::root_motion::{Placement, RootAxes, RootMotion};
use sinew::simd::Level;
use sinew::transform::{Axis, quat};
use sinew::{Clip, Interpolation, Joint, LocalPose, Skeleton, Track, Transform, Wrap, sample};

const JOINTS: usize = 10;
const DT: f64 = 1.0 / 120.0;

fn skeleton() -> Skeleton {
    let joint = |j: usize| {
        let parent = (j > 0).then(|| (j - 1) / 2);
        Joint::new(
            format!("joint {j}"),
            parent,
            Transform::from_translation(Vec3::Y * 0.3),
        )
    };
    Skeleton::new((0..JOINTS).map(joint).collect())
        .expect("a tree")
        .0
}

/// A smooth loop of swinging joints that walks `stride` ahead, with a step on each foot.
fn cycle(name: &str, duration: f32, stride: f32, seed: f32) -> Clip {
    let mut clip = Clip::new(name);
    let keys = 32;
    let parts: Vec<f32> = (0..=keys).map(|k| k as f32 / keys as f32).collect();
    let times: Vec<f32> = parts.iter().map(|p| p * duration).collect();
    let swing = |joint: usize, part: f32| {
        let phase = (part + 0.1 * joint as f32 + seed) * std::f32::consts::TAU;
        let axis = if joint.is_multiple_of(2) {
            Vec3::X
        } else {
            Vec3::Z
        };
        quat::from_axis_angle(axis, 0.5 * phase.sin() + 0.2 * seed)
    };
    for joint in 0..JOINTS {
        let keys: Vec<Quat> = parts.iter().map(|&p| swing(joint, p)).collect();
        let track = Track::rotations(times.clone(), &keys, Interpolation::CatmullRom);
        clip.joint_mut(joint).rotation = Some(track.expect("good"));
    }
    let path: Vec<Vec3> = parts
        .iter()
        .map(|p| Vec3::new(0.0, 1.0, stride * p))
        .collect();
    let track = Track::vectors(times, &path, Interpolation::Linear);
    clip.joint_mut(0).translation = Some(track.expect("good"));
    clip.add_event(0.25 * duration, "left");
    clip.add_event(0.75 * duration, "right");
    clip.fit_duration();
    clip
}

const IDLE: usize = 0;
const WALK: usize = 1;
const RUN: usize = 2;
const JUMP: usize = 3;

fn clips() -> Vec<Clip> {
    vec![
        cycle("idle", 2.0, 0.0, 0.0),
        cycle("walk", 1.25, 1.5, 0.3),
        cycle("run", 0.5, 2.0, 0.4),
        cycle("jump", 0.75, 1.0, 0.8),
    ]
}

fn locomotion() -> Description {
    let fade = |t: Transition| t.cross_fade(0.4, Ease::Smooth);
    Description::new()
        .parameter("speed", 0.0)
        .parameter("jump", 0.0)
        .state(State::clip("idle", IDLE))
        .state(State::blend("move", "speed", &[(1.0, WALK), (5.0, RUN)]))
        .state(State::clip("jump", JUMP).once())
        .transition(
            Transition::from_any("jump")
                .when(Condition::triggered("jump"))
                .inertia(0.2),
        )
        .transition(fade(Transition::new("idle", "move")).when(Condition::above("speed", 0.5)))
        .transition(fade(Transition::new("move", "idle")).when(Condition::below("speed", 0.4)))
        .transition(
            Transition::new("jump", "move")
                .when(Condition::Ended)
                .when(Condition::above("speed", 0.5))
                .inertia(0.3)
                .starting_at(0.5),
        )
        .transition(
            Transition::new("jump", "idle")
                .when(Condition::Ended)
                .inertia(0.3),
        )
}

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

fn stage<'a>(graph: &'a Graph, clips: &'a [Clip], skeleton: &'a Skeleton) -> Stage<'a> {
    Stage {
        graph,
        clips,
        skeleton,
    }
}

struct Played {
    graph: Graph,
    clips: Vec<Clip>,
    skeleton: Skeleton,
    player: GraphPlayer,
}

impl Played {
    fn new(description: &Description) -> Self {
        let (clips, skeleton) = (clips(), skeleton());
        let graph = description.build(&clips).expect("good");
        let player = GraphPlayer::new(&stage(&graph, &clips, &skeleton));
        Self {
            graph,
            clips,
            skeleton,
            player,
        }
    }

    fn with_root_motion(mut self) -> Self {
        let of = |clip| RootMotion::of_clip(clip, &self.skeleton, 0, RootAxes::GROUND);
        let motions: Result<_, _> = self.clips.iter().map(of).collect();
        self.graph = self
            .graph
            .with_root_motion(motions.expect("good"))
            .expect("fits");
        self.player = GraphPlayer::new(&stage(&self.graph, &self.clips, &self.skeleton));
        self
    }

    fn set(&mut self, name: &str, value: f32) {
        self.player
            .set(self.graph.parameter(name).expect("there"), value);
    }

    /// Events as clip, name and weight.
    fn update(&mut self, dt: f64) -> Vec<(usize, String, f32)> {
        let mut heard = Vec::new();
        self.player.update(
            &stage(&self.graph, &self.clips, &self.skeleton),
            dt,
            |fired| {
                heard.push((fired.clip, fired.event.name.clone(), fired.weight));
            },
        );
        heard
    }

    fn pose(&mut self) -> LocalPose {
        let mut out = LocalPose::identity(0);
        self.player
            .pose(&stage(&self.graph, &self.clips, &self.skeleton), &mut out);
        out
    }

    fn state(&self) -> &str {
        self.graph.state_name(self.player.state())
    }
}

#[test]
fn transitions_are_taken_in_order_when_all_their_conditions_hold() {
    let mut played = Played::new(&locomotion());
    played.update(DT);
    assert_eq!(played.state(), "idle");
    played.set("speed", 0.5);
    played.update(DT);
    assert_eq!(played.state(), "idle", "0.5 is not above 0.5");
    // The jump comes first, and its trigger is used up.
    played.set("speed", 2.0);
    played.set("jump", 1.0);
    played.update(DT);
    assert_eq!(played.state(), "jump");
    assert_eq!(
        played.player.get(played.graph.parameter("jump").unwrap()),
        0.0
    );
    assert!(played.player.is_changing());
    played.update(0.75 - 2.0 * DT);
    assert_eq!(played.state(), "jump");
    // It ends within the next step, and the rest of that is the new state's.
    played.update(1.5 * DT);
    assert_eq!(played.state(), "move");
    let rate = 1.0 / 1.25 + (1.0 / 0.5 - 1.0 / 1.25) * 0.25;
    assert!((played.player.phase() - (0.5 + rate * 0.5 * DT)).abs() < 1e-9);
    played.set("speed", f32::NAN);
    played.set("jump", 0.0);
    played.update(DT);
    assert_eq!(played.state(), "move", "what is not a number is not set");
    played
        .player
        .jump(played.graph.state("idle").unwrap(), 0.25);
    assert!(!played.player.is_changing());
    let idle = Description::new()
        .state(State::clip("a", 0))
        .state(State::clip("b", 1))
        .transition(Transition::new("a", "b").when(Condition::After(0.5)));
    let mut played = Played::new(&idle);
    played.update(0.499);
    assert_eq!(played.state(), "a");
    played.update(0.126);
    assert_eq!((played.state(), played.player.phase()), ("b", 0.125 / 1.25));
    // Two states that lead to each other at once do not hang.
    let restless = Description::new()
        .state(State::clip("a", 0))
        .state(State::clip("b", 1))
        .transition(
            Transition::new("a", "b")
                .when(Condition::After(0.0))
                .inertia(0.1),
        )
        .transition(
            Transition::new("b", "a")
                .when(Condition::After(0.0))
                .inertia(0.1),
        );
    let mut played = Played::new(&restless);
    played.update(1.0);
    assert!(played.pose().iter().all(|t| t.is_finite()));
}

/// Where a clip is at a part of its length.
fn at(clip: &Clip, skeleton: &Skeleton, part: f64) -> LocalPose {
    let mut pose = LocalPose::identity(0);
    sample(
        clip,
        skeleton,
        part * f64::from(clip.duration_secs),
        &mut pose,
    );
    pose
}

fn mixed(skeleton: &Skeleton, layers: &[(&LocalPose, f32)]) -> LocalPose {
    let mut layers: Vec<_> = layers.iter().map(|l| Layer::new(l.0, l.1)).collect();
    let mut out = LocalPose::identity(0);
    BlendJob::new(skeleton.rest(), &mut layers)
        .run(&mut out)
        .expect("fits");
    out
}

/// The largest difference of any number of two poses, rotations on the same side.
fn apart(a: &LocalPose, b: &LocalPose) -> f32 {
    a.iter().zip(b.iter()).fold(0.0, |most, (a, b)| {
        let turned = quat::add_scaled(a.rotation, quat::aligned(b.rotation, a.rotation), -1.0);
        let moved = (a.translation - b.translation).abs().max_element();
        most.max(moved).max(quat::dot(turned, turned).sqrt())
    })
}

#[test]
fn clips_of_a_blend_stay_in_phase_at_the_mean_of_their_rates() {
    let description = Description::new()
        .parameter("speed", 2.0)
        .state(State::blend(
            "move",
            "speed",
            &[(1.0, WALK), (5.0, RUN), (6.0, JUMP)],
        ));
    let mut played = Played::new(&description);
    let mut phase = 0.0;
    for step in 0..200 {
        // Through all points and past both ends.
        let speed = step as f32 * 0.04;
        played.set("speed", speed);
        played.update(DT);
        let (a, b, along) = match speed {
            ..5.0 => (WALK, RUN, ((speed - 1.0) / 4.0).clamp(0.0, 1.0)),
            _ => (RUN, JUMP, (speed - 5.0).clamp(0.0, 1.0)),
        };
        let rate = |clip: usize| 1.0 / f64::from(played.clips[clip].duration_secs);
        phase += DT * (rate(a) + (rate(b) - rate(a)) * f64::from(along));
        assert!((played.player.phase() - phase).abs() < 1e-6);
        let part = phase.fract();
        let (walk, run) = (
            at(&played.clips[a], &played.skeleton, part),
            at(&played.clips[b], &played.skeleton, part),
        );
        let wanted = mixed(&played.skeleton, &[(&walk, 1.0 - along), (&run, along)]);
        let off = apart(&played.pose(), &wanted);
        assert!(off < 2e-5, "speed {speed}: off by {off}");
    }
}

#[test]
fn a_footstep_in_a_twentieth_of_a_pose_says_so() {
    let description = Description::new()
        .parameter("speed", 1.2)
        .state(State::blend("move", "speed", &[(1.0, WALK), (5.0, RUN)]));
    let mut played = Played::new(&description);
    let mut heard = Vec::new();
    while played.player.phase() < 2.0 {
        heard.extend(played.update(DT));
    }
    let names: Vec<_> = heard
        .iter()
        .map(|(clip, name, _)| (*clip, name.as_str()))
        .collect();
    let once = [
        (WALK, "left"),
        (RUN, "left"),
        (WALK, "right"),
        (RUN, "right"),
    ];
    assert_eq!(names, [once, once].concat());
    for (clip, _, weight) in heard {
        let wanted = if clip == WALK { 0.95 } else { 0.05 };
        assert!((weight - wanted).abs() < 1e-6);
    }
    // A clip that is not heard at all fires nothing.
    played.set("speed", 0.0);
    let mut heard = Vec::new();
    while played.player.phase() < 3.0 {
        heard.extend(played.update(DT));
    }
    assert!(
        heard.len() == 2
            && heard
                .iter()
                .all(|(clip, _, weight)| (*clip, *weight) == (WALK, 1.0))
    );
}

#[test]
fn in_a_cross_fade_both_states_are_heard_by_their_weight_and_under_inertia_only_the_new_one() {
    let fade = |ease| {
        Description::new()
            .parameter("go", 0.0)
            .state(State::clip("walk", WALK))
            .state(State::clip("run", RUN))
            .transition(
                match ease {
                    Some(ease) => Transition::new("walk", "run").cross_fade(1.0, ease),
                    None => Transition::new("walk", "run").inertia(1.0),
                }
                .when(Condition::triggered("go")),
            )
    };
    let mut played = Played::new(&fade(Some(Ease::Linear)));
    played.set("go", 1.0);
    let mut heard = Vec::new();
    let mut time = 0.0;
    while time < 1.0 {
        for (clip, name, weight) in played.update(DT) {
            let middle = time + 0.5 * DT;
            let wanted = if clip == RUN { middle } else { 1.0 - middle };
            assert!(
                (f64::from(weight) - wanted).abs() < 1e-5,
                "{clip} {name} at {time}"
            );
            heard.push(clip);
        }
        time += DT;
    }
    assert_eq!(heard.iter().filter(|c| **c == RUN).count(), 4);
    assert_eq!(heard.iter().filter(|c| **c == WALK).count(), 2);
    let mut played = Played::new(&fade(None));
    played.set("go", 1.0);
    let heard: Vec<_> = (0..120).flat_map(|_| played.update(DT)).collect();
    assert!(
        heard
            .iter()
            .all(|(clip, _, weight)| (*clip, *weight) == (RUN, 1.0))
    );
    assert_eq!(heard.len(), 4);
}

#[test]
fn states_that_fade_in_phase_stay_in_phase() {
    let description = Description::new()
        .parameter("go", 0.0)
        .state(State::clip("walk", WALK))
        .state(State::clip("run", RUN))
        .transition(
            Transition::new("walk", "run")
                .when(Condition::triggered("go"))
                .cross_fade(0.5, Ease::Linear)
                .in_phase(),
        );
    let mut played = Played::new(&description);
    played.update(0.7);
    played.set("go", 1.0);
    let mut phase = played.player.phase();
    for step in 0..50 {
        let weight = (f64::from(step) * DT / 0.5).min(1.0);
        phase += DT * (0.8 + (2.0 - 0.8) * weight);
        played.update(DT);
        assert!((played.player.phase() - phase).abs() < 1e-6);
        let weight = (f64::from(step + 1) * DT / 0.5) as f32;
        let (walk, run) = (
            at(&played.clips[WALK], &played.skeleton, phase.fract()),
            at(&played.clips[RUN], &played.skeleton, phase.fract()),
        );
        let wanted = mixed(&played.skeleton, &[(&walk, 1.0 - weight), (&run, weight)]);
        assert!(apart(&played.pose(), &wanted) < 2e-5);
    }
}

/// The largest speed and the largest change of speed, a second, when a state is left every so often for another.
fn roughness(change: Change, secs: f32, every: usize) -> (f32, f32) {
    let mut description = Description::new().parameter("go", 0.0);
    for (n, name) in ["a", "b", "c"].into_iter().enumerate() {
        description = description.state(State::clip(name, n));
    }
    for (from, to) in [("a", "b"), ("b", "c"), ("c", "a")] {
        let transition = Transition {
            change,
            secs,
            ..Transition::new(from, to)
        };
        description =
            description.transition(transition.when(Condition::triggered("go")).in_phase());
    }
    // In place, where root motion would be in the way.
    let mut played = Played::new(&description).with_root_motion();
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
        let onward = AdditivePose::between(&w[0], &w[1]);
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

/// Numbers are halves of radians a second. A joint of these clips alone gets to 3.2, and changes its
/// speed by 0.33 a frame at most.
#[test]
fn spec_56_no_transition_jumps_however_it_is_interrupted() {
    let alone = roughness(Change::Inertia, 0.3, 10_000);
    assert!(alone.0 < 3.3 && alone.1 < 0.7, "{alone:?}");
    let cut = roughness(Change::Inertia, 0.0, 11);
    assert!(cut.0 > 40.0 && cut.1 > 40.0, "{cut:?}");
    for change in [Change::Inertia, Change::CrossFade(Ease::Smooth)] {
        // Let finish, and broken off in the middle.
        for every in [50, 11] {
            let found = roughness(change, 0.3, every);
            assert!(found.0 < 8.0, "{change:?} every {every}: {found:?}");
            assert!(found.1 < 1.3, "{change:?} every {every}: {found:?}");
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
            // Slowing down over a third of a second.
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
    // Half a walk and half a run: the mean of the strides at the mean of the rates.
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
    // The speed has no jumps either.
    let jump = speeds
        .windows(2)
        .map(|w| (w[1] - w[0]).abs())
        .fold(0.0, f64::max);
    assert!(jump < 0.25, "{jump}");
}

#[test]
fn ten_thousand_cycles_of_a_graph_do_not_drift() {
    let description = Description::new().state(State::clip("walk", WALK));
    let mut played = Played::new(&description).with_root_motion();
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
    for wrap in [Wrap::Loop, Wrap::Clamp, Wrap::PingPong] {
        let state = State {
            wrap,
            speed: -3.0,
            ..State::clip("walk", WALK)
        };
        let mut played = Played::new(&Description::new().state(state)).with_root_motion();
        let before = played.pose();
        for dt in [f64::NAN, f64::INFINITY, -1.0, 0.0] {
            assert_eq!(played.update(dt), []);
            assert_eq!(played.pose(), before);
        }
        for dt in [1e-300, 1e6, 1e300, f64::MAX] {
            played.update(dt);
            assert!(played.player.phase().is_finite());
            assert!(played.pose().iter().all(|t| t.is_finite()));
        }
    }
    let still = [Clip::new("nothing")];
    let skeleton = skeleton();
    let description = Description::new()
        .state(State::clip("nothing", 0))
        .state(State::clip("other", 0))
        .transition(Transition::new("nothing", "other").when(Condition::Ended));
    let graph = description.build(&still).expect("good");
    let stage = stage(&graph, &still, &skeleton);
    let mut player = GraphPlayer::new(&stage);
    player.update(&stage, DT, |_| {});
    assert_eq!(
        graph.state_name(player.state()),
        "other",
        "no length is over at once"
    );
    let mut out = LocalPose::identity(0);
    player.pose(&stage, &mut out);
    assert!(apart(&out, skeleton.rest()) < 1e-6);
}

proptest! {
    /// Of one clip alone and of a blend, forward and backward, over any steps.
    #[test]
    fn spec_49_events_of_a_graph_fire_once_whatever_the_steps(
        steps in prop::collection::vec(0.0_f64..0.7, 1..60),
        speed in prop_oneof![Just(1.0_f32), Just(-1.0), -3.0_f32..3.0],
        wrap in prop::sample::select(&[Wrap::Loop, Wrap::PingPong, Wrap::Clamp][..]),
        value in 1.01_f32..4.99,
        alone in any::<bool>(),
    ) {
        let state = match alone {
            true => State::clip("walk", WALK),
            false => State::blend("walk", "speed", &[(1.0, WALK), (5.0, RUN)]),
        };
        let description = Description::new()
            .parameter("speed", value)
            .state(State { speed, wrap, ..state });
        let mut played = Played::new(&description);
        let mut heard: Vec<(usize, String)> = Vec::new();
        for dt in steps {
            heard.extend(played.update(dt).into_iter().map(|(clip, name, _)| (clip, name)));
        }
        let end = played.player.phase();
        let (low, high) = (end.min(0.0), end.max(0.0));
        let mut places: Vec<(f64, &str)> = Vec::new();
        for (part, name) in [(0.25, "left"), (0.75, "right")] {
            for k in (-150..150).map(f64::from) {
                match wrap {
                    Wrap::Clamp if k == 0.0 => places.push((part, name)),
                    Wrap::Clamp => {}
                    Wrap::Loop => places.push((k + part, name)),
                    Wrap::PingPong => places.extend([(2.0 * k + part, name), (2.0 * k - part, name)]),
                }
            }
        }
        places.retain(|p| low < p.0 && p.0 < high);
        places.sort_by(|a, b| a.0.total_cmp(&b.0));
        if end < 0.0 {
            places.reverse();
        }
        prop_assume!(places.iter().all(|p| (p.0 - end).abs() > 1e-9));
        let wanted: Vec<&str> = places.iter().map(|p| p.1).collect();
        for clip in if alone { vec![WALK] } else { vec![WALK, RUN] } {
            let of_clip = heard.iter().filter(|h| h.0 == clip).map(|h| h.1.as_str());
            prop_assert_eq!(of_clip.collect::<Vec<_>>(), &wanted[..]);
        }
    }

    /// States that follow one another in time alone: the same way, the same events, however it is cut.
    #[test]
    fn spec_49_a_graph_goes_the_same_way_whatever_the_steps(
        cuts in prop::collection::vec(0.0_f64..12.0, 0..80),
        fades in any::<[bool; 3]>(),
        secs in 0.0_f32..0.9,
    ) {
        let way = |t: Transition, fade: bool| match fade {
            true => t.cross_fade(secs, Ease::Smooth),
            false => t.inertia(secs),
        };
        let description = Description::new()
            .state(State::clip("walk", WALK))
            .state(State { speed: -1.5, ..State::clip("jump", JUMP).once() })
            .state(State { wrap: Wrap::PingPong, ..State::clip("run", RUN) })
            .transition(way(Transition::new("walk", "jump"), fades[0]).when(Condition::After(1.1)).starting_at(1.0))
            .transition(way(Transition::new("jump", "run"), fades[1]).when(Condition::Ended))
            .transition(way(Transition::new("run", "walk"), fades[2]).when(Condition::After(0.7)).starting_at(0.3));
        let mut ends = cuts;
        ends.sort_by(f64::total_cmp);
        ends.push(12.0);
        let mut runs = Vec::new();
        for ends in [&ends[..], &[2.0, 4.0, 6.0, 8.0, 10.0, 12.0]] {
            let mut played = Played::new(&description).with_root_motion();
            let (mut time, mut heard) = (0.0, Vec::new());
            for end in ends {
                heard.extend(played.update(end - time).into_iter().map(|(clip, name, _)| (clip, name)));
                time = *end;
            }
            heard.sort();
            runs.push((played.state().to_owned(), heard, played.player.phase(), played.pose()));
        }
        prop_assert_eq!((&runs[0].0, &runs[0].1), (&runs[1].0, &runs[1].1));
        prop_assert!((runs[0].2 - runs[1].2).abs() < 1e-9);
        prop_assert!(apart(&runs[0].3, &runs[1].3) < 1e-5);
    }

    /// Whatever happens on the way, every instruction set shows the same bits, and showing changes nothing.
    #[test]
    fn every_instruction_set_plays_the_same_bits(
        path in prop::collection::vec((0.0_f64..0.1, 0.0_f32..6.0, 0..8), 1..40),
    ) {
        let mut all: Vec<Played> = Level::all()
            .into_iter()
            .map(|level| {
                let mut played = Played::new(&locomotion()).with_root_motion();
                played.player.level = level;
                played
            })
            .collect();
        for (dt, speed, jump) in path {
            let shown: Vec<_> = all
                .iter_mut()
                .map(|played| {
                    played.set("speed", speed - 1.0);
                    if jump == 0 {
                        played.set("jump", 1.0);
                    }
                    let heard = played.update(dt);
                    let pose = played.pose();
                    assert_eq!(pose, played.pose());
                    (heard, pose, played.player.root_step(), played.player.phase())
                })
                .collect();
            for other in &shown[1..] {
                prop_assert_eq!(other, &shown[0]);
            }
            for t in shown[0].1.iter() {
                prop_assert!((quat::dot(t.rotation, t.rotation) - 1.0).abs() < 1e-6);
            }
        }
    }
}

#[test]
fn points_are_plain_data() {
    let point: Point = serde_json::from_str(r#"{ "at": 2.5, "clip": 7 }"#).expect("reads");
    assert_eq!(point, Point { at: 2.5, clip: 7 });
}

/// Two thousand frames of blends, fades, inertia, events and root motion. The number is the same on every
/// instruction set, with and without optimisation; it changes when the arithmetic or the humanoid's walk does.
#[test]
fn the_bits_of_a_graph_are_these() {
    let person = humanoid_character();
    let clips = [person.clips[0].clone(), person.clips[0].clone()];
    let description = Description::new()
        .parameter("speed", 1.0)
        .parameter("go", 0.0)
        .state(State::blend("walk", "speed", &[(0.0, 0), (2.0, 1)]))
        .state(State {
            speed: -1.7,
            ..State::clip("run", 1)
        })
        .transition(
            Transition::new("walk", "run")
                .when(Condition::triggered("go"))
                .cross_fade(0.4, Ease::Smooth),
        )
        .transition(
            Transition::new("run", "walk")
                .when(Condition::After(0.25))
                .inertia(0.4),
        );
    let motion = RootMotion::of_clip(&clips[0], &person.skeleton, 0, RootAxes::GROUND);
    let graph = description.build(&clips).expect("good");
    let graph = graph
        .with_root_motion(vec![motion.expect("good"); 2])
        .expect("fits");
    let stage = stage(&graph, &clips, &person.skeleton);
    for level in Level::all() {
        // Fowler, Noll and Vo's hash, of numbers instead of bytes.
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        let mut add = |bits: u64| hash = (hash ^ bits).wrapping_mul(0x100_0000_01b3);
        let mut player = GraphPlayer::new(&stage);
        player.level = level;
        let mut pose = LocalPose::identity(0);
        for frame in 0..2000 {
            if frame % 13 == 0 {
                player.set(1, 1.0);
            }
            player.set(0, (frame % 97) as f32 * 0.02);
            player.update(&stage, 0.0137, |fired| add(fired.weight.to_bits().into()));
            player.pose(&stage, &mut pose);
            for t in pose.iter() {
                let numbers = t.rotation.to_array().into_iter();
                let numbers = numbers
                    .chain(t.translation.to_array())
                    .chain(t.scale.to_array());
                numbers.for_each(|n| add(n.to_bits().into()));
            }
            add(player.root_step().translation[2].to_bits());
        }
        assert_eq!(hash, 0xffae_c343_0628_2cd6, "{level}: {hash:#x}");
    }
}
