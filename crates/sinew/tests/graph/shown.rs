//! Transitions start from the pose last shown, even if a parameter has changed since. In a frame,
//! no joint rotates by more than twice its largest steady step plus 2 D dt / T (angle D in time T).

use super::*;
use sinew::Method;
use sinew::Rig;
use sinew::graph::{GraphLayer, Motion, Point2d, Reference};
use sinew_samples::mannequin::Mannequin;

#[path = "../../examples/state_machine.rs"]
#[expect(dead_code, reason = "its `main` is for people")]
mod example;

const RATES: [f64; 3] = [30.0, 60.0, 144.0];
const ROUNDING: f32 = 1e-4;

fn angles(a: &LocalPose, b: &LocalPose) -> Vec<f32> {
    let pairs = a.iter().zip(b.iter());
    let angle = |(a, b): (Transform, Transform)| quat::angle_between(a.rotation, b.rotation);
    pairs.map(angle).collect()
}

fn raise(all: &mut [f32], by: &[f32]) {
    for (most, value) in all.iter_mut().zip(by) {
        *most = most.max(*value);
    }
}

/// Player of a graph on the mannequin, controlled by a stick.
struct Stick {
    graph: Graph,
    dt: f64,
}

impl Stick {
    fn steps(&self, stick: impl Fn(f64) -> f32, secs: f64) -> Vec<f32> {
        let joints = self.graph.skeleton().len();
        let mut player = self.graph.player();
        let [mut before, mut now] = [(); 2].map(|()| LocalPose::identity(joints));
        let mut steps = vec![0.0; joints];
        for frame in 0..(secs / self.dt) as usize {
            player
                .set("speed", stick(frame as f64 * self.dt))
                .expect("a parameter");
            player.update(self.dt, |_| {}).expect("a step");
            player.pose_into(&mut now).expect("as many joints");
            if frame > 0 {
                raise(&mut steps, &angles(&before, &now));
            }
            std::mem::swap(&mut before, &mut now);
        }
        steps
    }

    /// Largest step of each joint in any steady motion: standing or moving at one speed.
    fn steady_steps(&self) -> Vec<f32> {
        let mut most = self.steps(|_| 0.0, 4.0);
        for eighth in 0..=8 {
            let speed = 1.4 + 2.1 * eighth as f32 / 8.0;
            let machine = StateMachine::new()
                .parameter("speed", speed)
                .state(State::blend(
                    "move",
                    "speed",
                    &[(1.4, "walk"), (3.5, "run")],
                ));
            let clips = self.graph.clips();
            let graph = Graph::new(&machine, self.graph.skeleton(), clips).expect("good");
            let moving = Self { graph, ..*self };
            raise(&mut most, &moving.steps(|_| speed, 2.0));
        }
        most
    }

    fn apart(&self) -> Vec<f32> {
        let skeleton = self.graph.skeleton();
        let clips = self.graph.clips().iter();
        let clips = clips.filter(|clip| ["idle", "walk", "run"].contains(&clip.name()));
        let mut poses: Vec<LocalPose> = Vec::new();
        for clip in clips {
            for sixteenth in 0..16 {
                let mut pose = LocalPose::identity(skeleton.len());
                let time = f64::from(clip.duration_secs()) * f64::from(sixteenth) / 16.0;
                clip.sample_into(skeleton, time, &mut pose)
                    .expect("of this skeleton");
                poses.push(pose);
            }
        }
        let mut most = vec![0.0; skeleton.len()];
        for (index, a) in poses.iter().enumerate() {
            for b in &poses[..index] {
                raise(&mut most, &angles(a, b));
            }
        }
        most
    }
}

fn assert_no_jump(name: &str, stick: &Stick, steps: &[f32], bridged_secs: f32) {
    let (steady, apart) = (stick.steady_steps(), stick.apart());
    let mut most = 0.0_f32;
    for (joint, step) in steps.iter().enumerate() {
        let limit = 2.0 * steady[joint] + 2.0 * apart[joint] * stick.dt as f32 / bridged_secs;
        most = most.max(*step);
        assert!(
            *step <= limit + ROUNDING,
            "{name} at {:.0} Hz: {} rotates by {:.1}°, and {:.1}° are smooth",
            1.0 / stick.dt,
            stick.graph.skeleton().name(joint),
            step.to_degrees(),
            limit.to_degrees()
        );
    }
    let steady = steady.iter().fold(0.0_f32, |most, step| most.max(*step));
    println!(
        "{name} at {:.0} Hz: {:.1}°, steady {:.1}°",
        1.0 / stick.dt,
        most.to_degrees(),
        steady.to_degrees()
    );
}

#[test]
fn letting_go_of_the_stick_does_not_pop() {
    let rig = Rig::new(&Mannequin::default().build(), Method::Linear).expect("a rig");
    let shipped = example::machine();
    let (mut raw, mut by_inertia) = (shipped.clone(), shipped.clone());
    for machine in [&mut raw, &mut by_inertia] {
        machine.parameters[0].smoothed_secs = 0.0;
    }
    by_inertia.transitions[1].kind = TransitionKind::Inertia;
    for rate in RATES {
        let dt = 1.0 / rate;
        let stick = |machine: &StateMachine| Stick {
            graph: machine.build(&rig).expect("good"),
            dt,
        };
        // As in the example, and from and back to the middle of a transition.
        let smoothed = stick(&shipped);
        let steps = smoothed.steps(|t| [0.0, 1.4, 3.0, 0.0][(0.5 * t) as usize % 4], 8.0);
        assert_no_jump("the example", &smoothed, &steps, 0.25);
        let fast = smoothed.steps(|t| [3.0, 0.0, 2.0, 0.0][(5.7 * t) as usize % 4], 8.0);
        // Smoothing and a transition happen at the same time.
        let both_secs = 1.0 / (1.0 / 0.25 + 1.0 / 0.3);
        assert_no_jump("the example, fast", &smoothed, &fast, both_secs);
        // Without smoothing, the speed jumps only in a transition.
        for (name, machine) in [("cross-fade", &raw), ("inertia", &by_inertia)] {
            let stick = stick(machine);
            for every in [1.7, 0.23] {
                let go = |t: f64| [3.0, 0.0][(t / every) as usize % 2];
                assert_no_jump(name, &stick, &stick.steps(go, 8.0), 0.3);
            }
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct AnyState {
    motion: u8,
    clips: [usize; 3],
    speed: f32,
    wrap: Wrap,
}

#[derive(Clone, Copy, Debug)]
struct AnyWay {
    kind: u8,
    secs: f32,
    start: f32,
    in_phase: bool,
    to_second: bool,
}

#[derive(Clone, Debug)]
struct AnyLayer {
    states: [AnyState; 4],
    ways: [AnyWay; 6],
    after_secs: f32,
    is_ended: bool,
    mode: u8,
    weight: f32,
}

const CLIPS: [&str; 4] = ["a", "b", "c", "d"];
const SMOOTHED_SECS: f32 = 0.25;

fn any_clips(of: &[(f32, f32, f32)]) -> Vec<Clip> {
    let clips = CLIPS.iter().zip(of);
    let clips = clips.map(|(name, &(duration, stride, seed))| cycle(name, duration, stride, seed));
    clips.collect()
}

impl AnyState {
    fn named(&self, name: &str) -> State {
        let clip = |n: usize| CLIPS[self.clips[n]].to_owned();
        let motion = match self.motion {
            0 => Motion::Clip(clip(0)),
            1 => Motion::Blend {
                parameter: "p".to_owned(),
                points: [0.0, 0.4, 1.0]
                    .into_iter()
                    .enumerate()
                    .map(|(n, at)| Point { at, clip: clip(n) })
                    .collect(),
            },
            2 => Motion::Blend2d {
                parameters: ["p".to_owned(), "q".to_owned()],
                points: [[0.0, 0.0], [1.0, 0.0], [0.3, 1.0]]
                    .into_iter()
                    .enumerate()
                    .map(|(n, at)| Point2d { at, clip: clip(n) })
                    .collect(),
            },
            _ => Motion::Blend {
                parameter: "smooth".to_owned(),
                points: [0.0, 1.0]
                    .into_iter()
                    .enumerate()
                    .map(|(n, at)| Point { at, clip: clip(n) })
                    .collect(),
            },
        };
        State {
            motion,
            speed: self.speed,
            wrap: self.wrap,
            ..State::clip(name, CLIPS[0])
        }
    }
}

impl AnyWay {
    fn between(&self, from: &str, to: &str) -> Transition {
        let kind = match self.kind {
            0 => TransitionKind::Inertia,
            1 => TransitionKind::CrossFade(Ease::Linear),
            2 => TransitionKind::CrossFade(Ease::Smooth),
            _ => TransitionKind::CrossFade(Ease::Smoother),
        };
        let start = match self.in_phase {
            true => Start::InPhase,
            false => Start::At(self.start),
        };
        Transition {
            kind,
            start,
            duration_secs: self.secs,
            ..Transition::new(from, to)
        }
    }
}

impl AnyLayer {
    /// Two states for low `p` and two for high `p`, which drives their blends and transitions.
    fn parts(&self) -> (Vec<State>, Vec<Transition>) {
        let names = ["low", "low 2", "high", "high 2"];
        let states = names.iter().zip(&self.states);
        let states = states.map(|(name, state)| state.named(name)).collect();
        let mut transitions = Vec::new();
        for (n, way) in self.ways[..4].iter().enumerate() {
            let (other, condition) = match n {
                0 | 1 => (2, Condition::above("p", 0.5)),
                _ => (0, Condition::below("p", 0.5)),
            };
            let to = names[other + usize::from(way.to_second)];
            transitions.push(way.between(names[n], to).when(condition));
        }
        let by_time = match self.is_ended {
            true => Condition::Ended,
            false => Condition::After(self.after_secs),
        };
        transitions.push(self.ways[4].between("low", "low 2").when(by_time.clone()));
        transitions.push(self.ways[5].between("high 2", "high").when(by_time));
        (states, transitions)
    }

    fn over(&self, name: &str) -> GraphLayer {
        let (states, transitions) = self.parts();
        let layer = GraphLayer {
            states,
            transitions,
            weight: self.weight,
            ..GraphLayer::new(name)
        };
        match self.mode {
            0 => layer.below("joint 1"),
            1 => layer.weight_parameter("smooth"),
            2 => layer.additive(Reference::FirstFrame),
            _ => layer
                .additive(Reference::RestPose)
                .weight_parameter("smooth"),
        }
    }

    fn is_additive(&self) -> bool {
        self.mode > 1
    }

    fn min_secs(&self) -> f32 {
        let secs = self.ways.iter().map(|way| way.secs);
        secs.fold(SMOOTHED_SECS, f32::min)
    }

    fn max_rate(&self, clips: &[Clip]) -> f32 {
        self.states.iter().fold(0.0, |most: f32, state| {
            let rate = |clip: &usize| state.speed.abs() / clips[*clip].duration_secs;
            state.clips.iter().map(rate).fold(most, f32::max)
        })
    }
}

/// Angle of a joint about the only axis of its rotation in all clips.
fn angle_of(pose: &LocalPose, joint: usize) -> f32 {
    let rotation = pose.get(joint).rotation;
    let along = match joint % 2 {
        0 => rotation.x,
        _ => rotation.z,
    };
    2.0 * (along * rotation.w.signum()).atan2(rotation.w.abs())
}

/// Min and max angle of a joint, and its max change per cycle, in all clips.
fn reach(clips: &[Clip], skeleton: &Skeleton, joint: usize) -> ([f32; 2], f32) {
    const STEPS: usize = 256;
    let (mut low, mut high, mut per_cycle) = (f32::MAX, f32::MIN, 0.0_f32);
    for clip in clips {
        let mut before = None;
        for step in 0..=STEPS {
            let pose = at(clip, skeleton, step as f64 / STEPS as f64);
            let angle = angle_of(&pose, joint);
            (low, high) = (low.min(angle), high.max(angle));
            if let Some(before) = before.replace(angle) {
                per_cycle = per_cycle.max((angle - before).abs() * STEPS as f32);
            }
        }
    }
    ([low, high], per_cycle)
}

fn any_state() -> impl Strategy<Value = AnyState> {
    const WRAPS: [Wrap; 3] = [Wrap::Loop, Wrap::Clamp, Wrap::PingPong];
    let speed = prop_oneof![0.6_f32..1.2, -1.2_f32..-0.6];
    let parts = (0_u8..4, [0_usize..4, 0..4, 0..4], speed);
    (parts, prop::sample::select(&WRAPS[..])).prop_map(|((motion, clips, speed), wrap)| AnyState {
        motion,
        clips,
        speed,
        wrap,
    })
}

fn any_way() -> impl Strategy<Value = AnyWay> {
    let parts = (0_u8..4, 0.15_f32..0.6, 0.0_f32..1.0);
    (parts, any::<[bool; 2]>()).prop_map(|((kind, secs, start), [in_phase, to_second])| AnyWay {
        kind,
        secs,
        start,
        in_phase,
        to_second,
    })
}

fn any_layer() -> impl Strategy<Value = AnyLayer> {
    let states = [any_state(), any_state(), any_state(), any_state()];
    let ways = [
        any_way(),
        any_way(),
        any_way(),
        any_way(),
        any_way(),
        any_way(),
    ];
    let times = (0.05_f32..0.6, any::<bool>());
    (states, ways, times, 0_u8..4, 0.3_f32..1.0).prop_map(
        |(states, ways, (after_secs, is_ended), mode, weight)| AnyLayer {
            states,
            ways,
            after_secs,
            is_ended,
            mode,
            weight,
        },
    )
}

/// Wait in seconds, and new values of `p` (across its threshold), `q` and the smoothed parameter.
type Change = (f64, f32, f32, f32);

fn machine_of(layers: &[AnyLayer]) -> StateMachine {
    let (states, transitions) = layers[0].parts();
    let machine = StateMachine {
        states,
        transitions,
        ..StateMachine::new()
    };
    let machine = machine
        .parameter("p", 0.0)
        .parameter("q", 0.0)
        .smoothed_parameter("smooth", 0.0, SMOOTHED_SECS);
    let above = layers.iter().enumerate().skip(1);
    above.fold(machine, |machine, (n, layer)| {
        machine.layer(layer.over(&format!("layer {n}")))
    })
}

fn play_changes(
    player: &mut GraphPlayer,
    changes: &[Change],
    dt: f64,
    mut shown: impl FnMut(&mut GraphPlayer),
) {
    let mut is_high = false;
    for &(wait_secs, p, q, smooth) in changes {
        for _ in 0..((wait_secs / dt) as usize).max(1) {
            player.update(dt, |_| {}).expect("a step");
            shown(player);
        }
        is_high = !is_high;
        let p = 0.45 * p + if is_high { 0.55 } else { 0.0 };
        for (name, value) in [("p", p), ("q", q), ("smooth", smooth)] {
            player.set(name, value).expect("a parameter");
        }
    }
}

proptest! {
    #[test]
    fn no_transition_of_a_random_machine_pops(
        clips in prop::collection::vec((0.7_f32..1.4, 0.0_f32..2.0, 0.0_f32..3.0), 4),
        layers in prop::collection::vec(any_layer(), 1..4),
        changes in prop::collection::vec((0.02_f64..0.7, 0.0_f32..1.0, 0.0_f32..1.0, 0.0_f32..1.0), 2..10),
        rate in prop::sample::select(&RATES[..]),
    ) {
        let (clips, dt) = (any_clips(&clips), 1.0 / rate);
        let graph = build(&machine_of(&layers), &clips).expect("good");
        let skeleton = graph.skeleton();
        let mut angles: Vec<[f32; JOINTS]> = Vec::new();
        let mut pose = LocalPose::identity(JOINTS);
        play_changes(&mut graph.player(), &changes, dt, |player| {
            player.pose_into(&mut pose).expect("as many joints");
            angles.push(std::array::from_fn(|joint| angle_of(&pose, joint)));
        });
        let secs = layers.iter().map(AnyLayer::min_secs).fold(f32::MAX, f32::min);
        for joint in 0..JOINTS {
            let ([low, high], per_cycle) = reach(&clips, skeleton, joint);
            let mut steady = layers[0].max_rate(&clips) * per_cycle * dt as f32;
            let mut apart = high - low;
            for layer in &layers[1..] {
                let own = layer.max_rate(&clips) * per_cycle * dt as f32;
                match layer.is_additive() {
                    true => (steady, apart) = (steady + own, apart + high - low),
                    false => steady = steady.max(own),
                }
            }
            let shown = angles.iter().map(|frame| frame[joint]);
            let spread = shown.clone().fold(f32::MIN, f32::max) - shown.fold(f32::MAX, f32::min);
            let limit = 2.0 * steady + 2.0 * apart.max(spread) * dt as f32 / secs;
            for pair in angles.windows(2) {
                let step = (pair[1][joint] - pair[0][joint]).abs();
                prop_assert!(step <= limit + ROUNDING, "joint {} rotates by {}, and {} is smooth", joint, step, limit);
            }
        }
    }

    #[test]
    fn root_motion_of_a_random_machine_does_not_jump(
        clips in prop::collection::vec((0.7_f32..1.4, 0.0_f32..2.0, 0.0_f32..3.0), 4),
        layer in any_layer(),
        changes in prop::collection::vec((0.02_f64..0.7, 0.0_f32..1.0, 0.0_f32..1.0, 0.0_f32..1.0), 2..10),
        rate in prop::sample::select(&RATES[..]),
    ) {
        // Paths of these clips are straight. Clips that stop or go back would make the speed jump.
        let mut layer = layer;
        for state in &mut layer.states {
            (state.speed, state.wrap) = (state.speed.abs(), Wrap::Loop);
        }
        let (clips, dt) = (any_clips(&clips), 1.0 / rate);
        let graph = build(&machine_of(std::slice::from_ref(&layer)), &clips).expect("good");
        let motions = clips.iter().map(|clip| RootMotion::of_clip(clip, graph.skeleton(), 0, RootAxes::GROUND));
        let motions: Result<Vec<_>, _> = motions.collect();
        let graph = graph.with_root_motion(motions.expect("good")).expect("fits");
        let mut speeds: Vec<f64> = Vec::new();
        play_changes(&mut graph.player(), &changes, dt, |player| {
            speeds.push(player.root_step().translation[2] / dt);
        });
        // The longest stride at the highest rate, down to a stop.
        let stride = clips.iter().map(|clip| at(clip, graph.skeleton(), 1.0).get(0).translation.z).fold(0.0, f32::max);
        let apart = f64::from(stride * layer.max_rate(&clips));
        let spread = speeds.iter().fold(f64::MIN, |a, b| a.max(*b)) - speeds.iter().fold(f64::MAX, |a, b| a.min(*b));
        let limit = 2.0 * apart.max(spread) * dt / f64::from(layer.min_secs());
        for pair in speeds.windows(2) {
            let change = (pair[1] - pair[0]).abs();
            prop_assert!(change <= limit + f64::from(ROUNDING), "the speed changes by {}, and {} is smooth", change, limit);
        }
    }
}

fn smoothed(secs: f32) -> StateMachine {
    StateMachine::new()
        .smoothed_parameter("speed", 0.0, secs)
        .state(State::blend(
            "move",
            "speed",
            &[(0.0, "walk"), (1.0, "run")],
        ))
        .state(State::clip("jump", "jump"))
        .transition(Transition::new("move", "jump").when(Condition::above("speed", 5.0)))
}

fn weight_of_run(player: &GraphPlayer) -> f32 {
    let run = player.playing().find(|playing| playing.clip == RUN);
    run.map_or(0.0, |playing| playing.weight)
}

#[test]
fn a_smoothed_parameter_is_a_critically_damped_spring_at_any_frame_rate() {
    let graph = build(&smoothed(0.4), &clips()).expect("good");
    // The root of (1 + x) exp(-x) = 0.05, by bisection.
    let (mut low, mut high) = (1.0_f64, 10.0_f64);
    for _ in 0..60 {
        let x = 0.5 * (low + high);
        let is_more = (1.0 + x) * (-x).exp() > 0.05;
        (low, high) = if is_more { (x, high) } else { (low, x) };
    }
    let covered = |secs: f64| 1.0 - (1.0 + low * secs / 0.4) * (-low * secs / 0.4).exp();
    let mut ends = Vec::new();
    for rate in [10, 30, 60, 144] {
        let mut player = graph.player();
        player.set("speed", 1.0).expect("a parameter");
        assert_eq!(weight_of_run(&player), 0.0, "not before an update");
        for frame in 1..=rate * 2 / 5 {
            player
                .update(1.0 / f64::from(rate), |_| {})
                .expect("a step");
            let wanted = covered(f64::from(frame) / f64::from(rate));
            let off = (f64::from(weight_of_run(&player)) - wanted).abs();
            assert!(off < 1e-5, "{rate} Hz, frame {frame}: off by {off}");
        }
        assert_eq!(player.get("speed"), Some(1.0), "as it was set");
        // A reversal half way keeps the speed.
        player.set("speed", 0.0).expect("a parameter");
        for _ in 0..rate / 10 {
            player
                .update(1.0 / f64::from(rate), |_| {})
                .expect("a step");
        }
        ends.push(weight_of_run(&player));
        for _ in 0..5 * rate {
            player
                .update(1.0 / f64::from(rate), |_| {})
                .expect("a step");
        }
        assert_eq!(weight_of_run(&player), 0.0, "it arrives");
    }
    // 14 of 144 frames are slightly less than a tenth of a second.
    assert!(
        (ends[0] - ends[1]).abs() < 1e-5 && (ends[1] - ends[2]).abs() < 1e-5,
        "{ends:?}"
    );
    assert!((0.1..0.9).contains(&ends[0]), "{ends:?}");
}

#[test]
fn conditions_see_what_was_set_and_odd_numbers_do_no_harm() {
    let graph = build(&smoothed(10.0), &clips()).expect("good");
    let mut player = graph.player();
    player.set("speed", 5.1).expect("a parameter");
    player.update(0.001, |_| {}).expect("a step");
    assert_eq!(player.state(), "jump", "at once");
    for secs in [f32::MIN_POSITIVE * 1e-7, 1e-30, 1e6] {
        let graph = build(&smoothed(secs), &clips()).expect("good");
        let mut player = graph.player();
        for step in 0..200 {
            let speed = [f32::MAX, f32::MIN, 1e-40, 0.0][step / 3 % 4];
            player.set("speed", speed).expect("finite");
            let dt = [0.0, 1e-300, 1e-31, 0.02, 1e6, f64::MAX][step % 6];
            player.update(dt, |_| {}).expect("a step");
            let sum: f32 = player.playing().map(|playing| playing.weight).sum();
            assert!((sum - 1.0).abs() < 1e-6, "{secs} {step}: {sum}");
        }
    }
    for secs in [-0.1, f32::NAN, f32::INFINITY] {
        let refused = build(&smoothed(secs), &clips()).unwrap_err().to_string();
        let wanted =
            format!("parameter \"speed\": smoothed_secs {secs} is not from 0 to a million seconds");
        assert_eq!(refused, wanted);
    }
}

#[test]
fn a_trigger_that_feeds_the_blend_it_leads_to_does_not_pop() {
    let machine = StateMachine::new()
        .parameter("go", 0.0)
        .state(State::clip("idle", "idle"))
        .state(State::blend("move", "go", &[(0.0, "walk"), (1.0, "jump")]))
        .transition(
            Transition::new("idle", "move")
                .when(Condition::triggered("go"))
                .inertia(0.3),
        );
    let mut played = Played::new(&machine).with_root_motion();
    played.update(0.4);
    let before = played.pose();
    played.set("go", 1.0);
    assert_eq!(played.pose(), before, "not before an update");
    played.update(0.0);
    let off = apart(&before, &played.pose());
    assert!(played.state() == "move" && off < 1e-5, "{off}");
}

#[test]
fn an_exit_in_the_frame_in_which_a_parameter_jumps_starts_from_what_was_shown() {
    let machine = StateMachine::new()
        .parameter("speed", 1.0)
        .state(State::blend("move", "speed", &[(0.0, "walk"), (1.0, "run")]).once())
        .state(State::clip("idle", "idle"))
        .state(State::blend(
            "rest",
            "speed",
            &[(0.0, "jump"), (1.0, "run")],
        ))
        .transition(
            Transition::new("move", "idle")
                .when(Condition::Ended)
                .inertia(0.3),
        )
        .transition(
            Transition::new("idle", "rest")
                .when(Condition::After(0.0003))
                .inertia(0.3),
        );
    let mut played = Played::new(&machine).with_root_motion();
    played.update(0.4999);
    let before = played.pose();
    played.set("speed", 0.0);
    // At the new speed, the state ends later, and this step makes two transitions.
    played.update(0.001);
    assert_eq!(played.state(), "rest");
    let off = apart(&before, &played.pose());
    assert!(off < 0.01, "{off}");
}
