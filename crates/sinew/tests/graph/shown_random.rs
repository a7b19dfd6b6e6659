//! Random state machines whose parameters jump: neither poses nor root motion jump with them.

use super::shown::{RATES, ROUNDING};
use super::*;
use sinew::graph::{GraphLayer, Motion, Point2d, Reference};

/// Choices for a state: the motion, its clips, speed and wrap.
#[derive(Clone, Copy, Debug)]
struct AnyState {
    motion: u8,
    clips: [usize; 3],
    speed: f32,
    wrap: Wrap,
}

/// Choices for a transition.
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
    /// Two states for a low and two for a high `p`, which feeds their blends and leads from those to these.
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

    fn max_rate(&self, clips: &[Clip]) -> f32 {
        self.states.iter().fold(0.0, |most: f32, state| {
            let rate = |clip: &usize| state.speed.abs() / clips[*clip].duration_secs;
            state.clips.iter().map(rate).fold(most, f32::max)
        })
    }
}

/// Transitions of a layer, its last state, and its last transition: its time and its age.
type LastWay = (Vec<Transition>, String, Option<(f32, f64)>);

/// Times of the transitions that are in effect, by the states that a player is in.
struct InEffect {
    layers: Vec<LastWay>,
}

impl InEffect {
    fn new(layers: &[AnyLayer]) -> Self {
        let layers = layers.iter().map(|layer| layer.parts().1);
        let layers = layers.map(|ways| (ways, "low".to_owned(), None));
        Self {
            layers: layers.collect(),
        }
    }

    /// Time of the transition of each layer that moved the pose of the last update, if there was one.
    fn step(&mut self, player: &GraphPlayer, dt: f64) -> Vec<Option<f32>> {
        let of_layer = |(n, (ways, before, last)): (usize, &mut LastWay)| {
            let now = match n {
                0 => player.state(),
                _ => player.layer_state(&format!("layer {n}")).expect("a layer"),
            };
            if now != *before {
                let way = ways
                    .iter()
                    .find(|w| w.from.as_deref() == Some(before.as_str()) && w.to == now);
                let secs = ways.iter().map(|w| w.duration_secs);
                // Two transitions in one update: the quicker one, at most.
                let secs = way.map_or(secs.fold(f32::MAX, f32::min), |w| w.duration_secs);
                *last = Some((secs, 0.0));
                now.clone_into(before);
            }
            let (secs, age) = last.as_mut()?;
            *age += dt;
            // The first step may be shorter.
            (*age < f64::from(*secs) + 2.0 * dt).then_some(*secs)
        };
        self.layers.iter_mut().enumerate().map(of_layer).collect()
    }
}

/// Angle of a joint about the one axis that all clips rotate it about.
fn angle_of(pose: &LocalPose, joint: usize) -> f32 {
    let rotation = pose.get(joint).rotation;
    let along = match joint % 2 {
        0 => rotation.x,
        _ => rotation.z,
    };
    2.0 * (along * rotation.w.signum()).atan2(rotation.w.abs())
}

/// Lowest and highest angle, and largest angle per cycle, of a joint in all clips.
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

/// A wait in seconds, then new values: of `p` on the other side of its threshold, `q` and the smoothed parameter.
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

/// Plays the changes, and calls `shown` after each update.
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
        let (mut in_effect, mut times) = (InEffect::new(&layers), Vec::new());
        let mut pose = LocalPose::identity(JOINTS);
        play_changes(&mut graph.player(), &changes, dt, |player| {
            player.pose_into(&mut pose).expect("as many joints");
            angles.push(std::array::from_fn(|joint| angle_of(&pose, joint)));
            times.push(in_effect.step(player, dt));
        });
        for joint in 0..JOINTS {
            let ([low, high], per_cycle) = reach(&clips, skeleton, joint);
            let apart = high - low;
            let limit = |times: &[Option<f32>]| {
                let (mut limit, mut all_apart) = (0.0_f32, apart);
                for (nth, (layer, secs)) in layers.iter().zip(times).enumerate() {
                    let steady = layer.max_rate(&clips) * per_cycle;
                    let own = 2.0 * steady + secs.map_or(0.0, |secs| 2.0 * apart / secs);
                    if layer.is_additive() && nth > 0 {
                        (limit, all_apart) = (limit + own, all_apart + apart);
                    } else {
                        limit = limit.max(own);
                    }
                }
                (limit + 2.0 * all_apart / SMOOTHED_SECS) * dt as f32
            };
            for (pair, times) in angles.windows(2).zip(&times[1..]) {
                let step = (pair[1][joint] - pair[0][joint]).abs();
                let limit = limit(times);
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
        // Paths of these clips are straight; clips that stop or go back would jump in speed by themselves.
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
        let mut in_effect = InEffect::new(std::slice::from_ref(&layer));
        let mut times = Vec::new();
        play_changes(&mut graph.player(), &changes, dt, |player| {
            speeds.push(player.root_step().translation[2] / dt);
            times.push(in_effect.step(player, dt)[0]);
        });
        // The longest stride at the highest rate, down to standing.
        let stride = clips.iter().map(|clip| at(clip, graph.skeleton(), 1.0).get(0).translation.z).fold(0.0, f32::max);
        let apart = f64::from(stride * layer.max_rate(&clips));
        let rate = |secs: f32| 2.0 * apart / f64::from(secs);
        for (pair, secs) in speeds.windows(2).zip(&times[1..]) {
            let limit = (secs.map_or(0.0, rate) + rate(SMOOTHED_SECS)) * dt;
            let change = (pair[1] - pair[0]).abs();
            prop_assert!(change <= limit + f64::from(ROUNDING), "the speed changes by {}, and {} is smooth", change, limit);
        }
    }
}
