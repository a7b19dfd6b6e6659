//! State machines: their JSON, and the calls of a game.

use crate::dice::Dice;
use crate::finite::{assert_finite, pose_numbers};
use crate::memory::peak_of;
use glam::{Quat, Vec3};
use sinew::graph::{Graph, GraphPlayer, StateMachine};
use sinew::root_motion::{RootAxes, RootMotion};
use sinew::transform::quat;
use sinew::{Clip, Interpolation, Joint, LocalPose, Playable, Skeleton, Track, Transform};
use std::sync::Arc;

/// Reads the text of a state machine and, after a byte 0, a list of calls: set a parameter, jump,
/// step. Checks that the machine is refused or plays finite poses.
pub fn graph(bytes: &[u8]) {
    let mut parts = bytes.splitn(2, |byte| *byte == 0);
    let text = parts.next().unwrap_or_default();
    let mut dice = Dice(parts.next().unwrap_or(&[0; 64]));
    let Ok(machine) = serde_json::from_slice::<StateMachine>(text) else {
        return;
    };
    let (skeleton, clips) = cast();
    let graph = match Graph::new(&machine, &skeleton, &clips) {
        Ok(graph) => graph,
        Err(refusal) => return assert!(!refusal.to_string().is_empty()),
    };
    let again = serde_json::to_string(&machine).expect("a machine is text");
    let again: StateMachine = serde_json::from_str(&again).expect("and is read again");
    assert_eq!(again, machine, "another machine");
    let graph = match dice.coin() {
        true => with_root_motion(graph),
        false => graph,
    };
    let mut player = graph.player();
    let mut pose = LocalPose::identity(skeleton.len());
    for _ in 0..24 {
        let (heard, peak) = peak_of(|| step(&mut player, &machine, &mut dice, &mut pose));
        assert_eq!(peak, 0, "playing takes memory");
        assert_finite("pose", pose_numbers(&pose));
        for rotation in pose.iter().map(|t| t.rotation) {
            let length = quat::dot(rotation, rotation);
            assert!((length - 1.0).abs() < 1e-4, "a rotation of length {length}");
        }
        // A fast state machine may fire millions of events in one long step.
        if heard > MAX_EVENTS {
            break;
        }
    }
}

const MAX_EVENTS: usize = 100_000;

/// Makes one call and samples the pose. Returns the number of events.
fn step(
    player: &mut GraphPlayer,
    machine: &StateMachine,
    dice: &mut Dice<'_>,
    pose: &mut LocalPose,
) -> usize {
    const STEPS: [f64; 12] = [
        1.0 / 60.0,
        0.1,
        0.5,
        3.0,
        0.0,
        1e-9,
        1e4,
        -1.0,
        f64::NAN,
        f64::INFINITY,
        1e30,
        f64::MAX,
    ];
    let mut heard = 0;
    match dice.below(4) {
        0 if !machine.parameters.is_empty() => {
            let parameter = dice.below(machine.parameters.len());
            let value = dice.number();
            let set = player.set_index(parameter, value);
            assert_eq!(set.is_ok(), value.is_finite());
        }
        1 if dice.below(4) == 0 => {
            let state = dice.below(machine.states.len());
            let phase = f64::from(dice.number());
            let jumped = player.jump(&machine.states[state].name, phase);
            assert_eq!(jumped.is_ok(), phase.is_finite());
        }
        _ => {
            let secs = STEPS[dice.below(STEPS.len())];
            let played = player.update(secs, |event| {
                heard += 1;
                assert!(event.weight > 0.0 && event.weight <= 1.0 + 1e-6);
            });
            assert_eq!(played.is_ok(), secs >= 0.0 && secs.is_finite());
            let root = player.root_step();
            assert!(root.heading_rad.is_finite(), "the heading is lost");
            let position = root.translation;
            assert!(
                position.iter().all(|c| c.is_finite()),
                "it goes to {position:?}"
            );
            assert!(player.phase().is_finite());
        }
    }
    player.pose_into(pose).expect("as many joints");
    heard
}

fn with_root_motion(graph: Graph) -> Graph {
    let skeleton = graph.skeleton();
    let motion =
        |clip: &Arc<dyn Playable>| RootMotion::of_clip(clip, skeleton, 0, RootAxes::GROUND);
    let motions: Result<Vec<_>, _> = graph.clips().iter().map(motion).collect();
    let motions = motions.expect("the clips' own root moves");
    graph.with_root_motion(motions).expect("one per clip")
}

/// Three joints and four clips: a step, a faster step, a pose of zero duration and a rotation.
fn cast() -> (Arc<Skeleton>, Vec<Arc<dyn Playable>>) {
    let at = |x: f32, y: f32| Transform::from_translation(Vec3::new(x, y, 0.0));
    let joints = vec![
        Joint::new("hips", None, at(0.0, 1.0)),
        Joint::new("knee", Some(0), at(0.1, -0.5)),
        Joint::new("foot", Some(1), at(0.0, -0.5)),
    ];
    let (skeleton, _) = Skeleton::new(joints).expect("a chain");
    let clip = |name: &str, times: [f32; 3], swing: f32| {
        let mut clip = Clip::new(name);
        let places = [0.0, 0.5, 1.0].map(|part| Vec3::new(0.0, 1.0 + 0.1 * swing, swing * part));
        let turns = [0.0, swing, 0.0].map(|angle| Quat::from_rotation_x(0.4 * angle));
        let (keys, linear) = (times.to_vec(), Interpolation::Linear);
        clip.joint_mut(0).translation = Track::vectors(keys.clone(), &places, linear).ok();
        clip.joint_mut(1).rotation = Track::rotations(keys, &turns, Interpolation::Slerp).ok();
        clip.add_event(0.25 * times[2], "left");
        clip.add_event(times[2], "end");
        clip.fit_duration();
        clip
    };
    let mut still = Clip::new("still");
    still.joint_mut(2).rotation = Track::rotations(
        vec![0.0],
        &[Quat::from_rotation_z(0.3)],
        Interpolation::Step,
    )
    .ok();
    still.fit_duration();
    let clips = vec![
        clip("walk", [0.0, 0.5, 1.0], 1.0),
        clip("run", [0.0, 0.3, 0.6], 2.0),
        still,
        clip("spin", [0.1, 0.7, 2.5], -1.5),
    ];
    let clips = clips.into_iter().map(|clip| Arc::new(clip) as _);
    (Arc::new(skeleton), clips.collect())
}
