//! State machines: a description as JSON, and what a game does with it.

use crate::dice::Dice;
use crate::finite::{assert_finite, pose_numbers};
use crate::memory::peak_of;
use glam::{Quat, Vec3};
use sinew::graph::{Description, Graph, GraphPlayer, Stage};
use sinew::root_motion::{RootAxes, RootMotion};
use sinew::transform::quat;
use sinew::{Clip, Interpolation, Joint, LocalPose, Skeleton, Track, Transform};

/// Bytes are the text of a description and, after a byte 0, what is done: parameters set, states jumped to, steps
/// taken. A description is refused with a reason or played; whatever is played gives numbers, and takes no memory.
pub fn graph(bytes: &[u8]) {
    let mut parts = bytes.splitn(2, |byte| *byte == 0);
    let text = parts.next().unwrap_or_default();
    let mut dice = Dice(parts.next().unwrap_or(&[0; 64]));
    let Ok(description) = serde_json::from_slice::<Description>(text) else {
        return;
    };
    let (skeleton, clips) = cast();
    let graph = match description.build(&clips) {
        Ok(graph) => graph,
        Err(refusal) => return assert!(!refusal.to_string().is_empty()),
    };
    let again = serde_json::to_string(&description).expect("a description is text");
    let again: Description = serde_json::from_str(&again).expect("and is read again");
    assert_eq!(again, description, "another description");
    let graph = match dice.coin() {
        true => with_root_motion(graph, &skeleton, &clips),
        false => graph,
    };
    let stage = Stage {
        graph: &graph,
        clips: &clips,
        skeleton: &skeleton,
    };
    let mut player = GraphPlayer::new(&stage);
    let mut pose = LocalPose::identity(skeleton.len());
    for _ in 0..24 {
        let (heard, peak) =
            peak_of(|| step(&mut player, &stage, &description, &mut dice, &mut pose));
        assert_eq!(peak, 0, "playing takes memory");
        assert_finite("pose", pose_numbers(&pose));
        for turn in pose.iter().map(|t| t.rotation) {
            let length = quat::dot(turn, turn);
            assert!((length - 1.0).abs() < 1e-4, "a turn of length {length}");
        }
        // A graph that is very fast and changes often fires millions of events in one long step.
        if heard > MAX_EVENTS {
            break;
        }
    }
}

/// After so many, one has heard enough.
const MAX_EVENTS: usize = 100_000;

/// One thing that a game does, and the pose after it; gives how many events fired.
fn step(
    player: &mut GraphPlayer,
    stage: &Stage<'_>,
    description: &Description,
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
        0 if !description.parameters.is_empty() => {
            let parameter = dice.below(description.parameters.len());
            player.set(parameter, dice.number());
        }
        1 if dice.below(4) == 0 => {
            let state = dice.below(description.states.len());
            player.jump(state, f64::from(dice.number()));
        }
        _ => {
            let secs = STEPS[dice.below(STEPS.len())];
            player.update(stage, secs, |fired| {
                heard += 1;
                assert!(fired.weight > 0.0 && fired.weight <= 1.0 + 1e-6);
            });
            let root = player.root_step();
            assert!(root.heading_rad.is_finite(), "the heading is lost");
            let place = root.translation;
            assert!(place.iter().all(|c| c.is_finite()), "it goes to {place:?}");
            assert!(player.phase().is_finite());
        }
    }
    player.pose(stage, pose);
    heard
}

fn with_root_motion(graph: Graph, skeleton: &Skeleton, clips: &[Clip]) -> Graph {
    let motion = |clip: &Clip| RootMotion::of_clip(clip, skeleton, 0, RootAxes::GROUND);
    let motions: Result<Vec<_>, _> = clips.iter().map(motion).collect();
    let motions = motions.expect("the clips' own root moves");
    graph.with_root_motion(motions).expect("one per clip")
}

/// Three joints and four clips: a step, a faster one, a pose without length and a turn.
fn cast() -> (Skeleton, Vec<Clip>) {
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
        clip("turn", [0.1, 0.7, 2.5], -1.5),
    ];
    (skeleton, clips)
}
