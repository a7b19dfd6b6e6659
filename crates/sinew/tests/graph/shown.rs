//! Transitions start from the pose that was shown, whatever a parameter did since: no joint rotates in a frame by more
//! than twice its largest steady step plus 2 D dt / T, where D is the angle to bridge and T the time for it.

use super::*;
use sinew::{Method, Rig};
use sinew_samples::mannequin::Mannequin;

#[path = "../../examples/state_machine.rs"]
#[expect(dead_code, reason = "its `main` is for people")]
mod example;

pub(super) const RATES: [f64; 3] = [30.0, 60.0, 144.0];
pub(super) const ROUNDING: f32 = 1e-4;

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

/// Player of a graph on the mannequin that follows a stick.
struct Stick {
    graph: Graph,
    dt: f64,
}

impl Stick {
    /// Largest step of each joint.
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

    /// Largest step of each joint in any steady motion: standing, and moving at one speed.
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

    /// Largest angle of each joint between any two poses of the clips.
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
        // As the example moves it, and from and back to the middle of a transition.
        let smoothed = stick(&shipped);
        let steps = smoothed.steps(|t| [0.0, 1.4, 3.0, 0.0][(0.5 * t) as usize % 4], 8.0);
        assert_no_jump("the example", &smoothed, &steps, 0.25);
        let fast = smoothed.steps(|t| [3.0, 0.0, 2.0, 0.0][(5.7 * t) as usize % 4], 8.0);
        // Smoothing and a transition go on at once.
        let both_secs = 1.0 / (1.0 / 0.25 + 1.0 / 0.3);
        assert_no_jump("the example, fast", &smoothed, &fast, both_secs);
        // Without smoothing, the speed jumps only with a transition.
        for (name, machine) in [("cross-fade", &raw), ("inertia", &by_inertia)] {
            let stick = stick(machine);
            for every in [1.7, 0.23] {
                let go = |t: f64| [3.0, 0.0][(t / every) as usize % 2];
                assert_no_jump(name, &stick, &stick.steps(go, 8.0), 0.3);
            }
        }
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
    // Under the new speed it ends later, and two transitions are taken in this step.
    played.update(0.001);
    assert_eq!(played.state(), "rest");
    let off = apart(&before, &played.pose());
    assert!(off < 0.01, "{off}");
}
