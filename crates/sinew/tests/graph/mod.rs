mod blend_2d;
mod data;
mod layered;
mod motion;
mod packed;
mod random;
mod recorded;
mod refused;
mod shown;
mod shown_random;
mod signals;
mod smoothed;

use glam::{Quat, Vec3};
use proptest::prelude::*;
use sinew::blend::{AdditivePose, BlendJob, Ease, Layer};
use sinew::graph::{
    Condition, Graph, GraphError, GraphPlayer, Point, Start, State, StateMachine, Transition,
    TransitionKind,
};
use sinew::root_motion::{Placement, RootAxes, RootMotion};
use sinew::simd::Level;
use sinew::transform::{Axis, quat};
use sinew::{
    Clip, Interpolation, Joint, LocalPose, Playable, Skeleton, Track, Transform, Wrap, sample,
};
use sinew_samples::humanoid_character;
use std::sync::Arc;

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

/// Smooth loop that moves forward by `stride`, with a step event for each foot.
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

fn locomotion() -> StateMachine {
    let fade = |t: Transition| t.cross_fade(0.4, Ease::Smooth);
    StateMachine::new()
        .parameter("speed", 0.0)
        .parameter("jump", 0.0)
        .state(State::clip("idle", "idle"))
        .state(State::blend(
            "move",
            "speed",
            &[(1.0, "walk"), (5.0, "run")],
        ))
        .state(State::clip("jump", "jump").once())
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

fn shared<C: Playable + Clone + 'static>(clips: &[C]) -> Vec<Arc<dyn Playable>> {
    let shared = |clip: &C| Arc::new(clip.clone()) as Arc<dyn Playable>;
    clips.iter().map(shared).collect()
}

fn build<C: Playable + Clone + 'static>(
    machine: &StateMachine,
    clips: &[C],
) -> Result<Graph, GraphError> {
    Graph::new(machine, &Arc::new(skeleton()), &shared(clips))
}

struct Played {
    graph: Graph,
    clips: Vec<Clip>,
    skeleton: Arc<Skeleton>,
    player: GraphPlayer,
}

impl Played {
    fn new(machine: &StateMachine) -> Self {
        let clips = clips();
        let graph = build(machine, &clips).expect("good");
        let (player, skeleton) = (graph.player(), Arc::clone(graph.skeleton()));
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
        self.player = self.graph.player();
        self
    }

    fn set(&mut self, name: &str, value: f32) {
        self.player.set(name, value).expect("there");
    }

    fn update(&mut self, dt: f64) -> Vec<(usize, String, f32)> {
        let mut heard = Vec::new();
        let played = self.player.update(dt, |event| {
            heard.push((event.clip, event.name.to_owned(), event.weight));
        });
        played.expect("a step");
        heard
    }

    fn pose(&mut self) -> LocalPose {
        let mut out = LocalPose::identity(self.skeleton.len());
        self.player.pose_into(&mut out).expect("as many joints");
        out
    }

    fn state(&self) -> &str {
        self.player.state()
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
    played.set("speed", 2.0);
    played.set("jump", 1.0);
    played.update(DT);
    assert_eq!(played.state(), "jump");
    assert_eq!(played.player.get("jump"), Some(0.0));
    assert!(played.player.is_in_transition());
    played.update(0.75 - 2.0 * DT);
    assert_eq!(played.state(), "jump");
    // The state ends within the next step, and the next state gets the remaining time.
    played.update(1.5 * DT);
    assert_eq!(played.state(), "move");
    let rate = 1.0 / 1.25 + (1.0 / 0.5 - 1.0 / 1.25) * 0.25;
    assert!((played.player.phase() - (0.5 + rate * 0.5 * DT)).abs() < 1e-9);
    played.player.jump("idle", 0.25).expect("a state");
    assert!(!played.player.is_in_transition());
    let idle = StateMachine::new()
        .state(State::clip("a", "idle"))
        .state(State::clip("b", "walk"))
        .transition(Transition::new("a", "b").when(Condition::After(0.5)));
    let mut played = Played::new(&idle);
    played.update(0.499);
    assert_eq!(played.state(), "a");
    played.update(0.126);
    assert_eq!((played.state(), played.player.phase()), ("b", 0.125 / 1.25));
    // Two states that lead to each other must not cause an endless loop.
    let restless = StateMachine::new()
        .state(State::clip("a", "idle"))
        .state(State::clip("b", "walk"))
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

fn at(clip: &Clip, skeleton: &Skeleton, part: f64) -> LocalPose {
    let mut pose = LocalPose::identity(0);
    sample(
        clip,
        skeleton,
        part * f64::from(clip.duration_secs),
        &mut pose,
    )
    .unwrap();
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

fn apart(a: &LocalPose, b: &LocalPose) -> f32 {
    a.iter().zip(b.iter()).fold(0.0, |most, (a, b)| {
        let turned = quat::add_scaled(a.rotation, quat::aligned(b.rotation, a.rotation), -1.0);
        let moved = (a.translation - b.translation).abs().max_element();
        most.max(moved).max(quat::dot(turned, turned).sqrt())
    })
}

#[test]
fn clips_of_a_blend_stay_in_phase_at_the_mean_of_their_rates() {
    let machine = StateMachine::new()
        .parameter("speed", 2.0)
        .state(State::blend(
            "move",
            "speed",
            &[(1.0, "walk"), (5.0, "run"), (6.0, "jump")],
        ));
    let mut played = Played::new(&machine);
    let mut phase = 0.0;
    for step in 0..200 {
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
    let machine = StateMachine::new()
        .parameter("speed", 1.2)
        .state(State::blend(
            "move",
            "speed",
            &[(1.0, "walk"), (5.0, "run")],
        ));
    let mut played = Played::new(&machine);
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
        StateMachine::new()
            .parameter("go", 0.0)
            .state(State::clip("walk", "walk"))
            .state(State::clip("run", "run"))
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
    let machine = StateMachine::new()
        .parameter("go", 0.0)
        .state(State::clip("walk", "walk"))
        .state(State::clip("run", "run"))
        .transition(
            Transition::new("walk", "run")
                .when(Condition::triggered("go"))
                .cross_fade(0.5, Ease::Linear)
                .in_phase(),
        );
    let mut played = Played::new(&machine);
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
