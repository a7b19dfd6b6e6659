use crate::walk_and_run::machine;
use sinew::graph::{Graph, PlayError};
use sinew::pose::JointSet;
use sinew::rig::{ActorError, CrowdPlayer};
use sinew::skin::PaletteRef;
use sinew::{Affine, Character, LocalPose, Method, Rig};
use sinew_samples::mannequin::Mannequin;
use std::sync::{Arc, LazyLock, Mutex};

static PERSON: LazyLock<Character> = LazyLock::new(|| Mannequin::default().build());
const MEMBERS: usize = 37;
const STEP_SECS: f64 = 1.0 / 30.0;

fn rig_and_graph(method: Method) -> (Rig, Graph) {
    let rig = Rig::new(&PERSON, method).expect("a rig");
    let graph = machine().build(&rig).expect("a graph");
    (rig, graph)
}

fn speed(member: usize, frame: usize) -> f32 {
    match (frame + 5 * member) / 9 % 3 {
        0 => 0.0,
        1 => 1.0 + 0.1 * member as f32,
        _ => 2.5,
    }
}

fn bits(palette: PaletteRef<'_>) -> Vec<u32> {
    let numbers: Vec<f32> = match palette {
        PaletteRef::Linear(maps) => maps.iter().flat_map(|m| m.rows).flatten().collect(),
        PaletteRef::DualQuat(palette) => {
            let joint =
                |j: sinew::skin::DualQuatJoint| [j.rotation.to_array(), j.dual().to_array()];
            palette.joints().flat_map(joint).flatten().collect()
        }
    };
    numbers.into_iter().map(f32::to_bits).collect()
}

#[test]
fn members_are_what_players_and_actors_alone_are() {
    for (method, threads) in [
        (Method::Linear, 1),
        (Method::Linear, 3),
        (Method::DualQuat, 2),
    ] {
        let (rig, graph) = rig_and_graph(method);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let pool = pool.build().expect("threads");
        let mut crowd = pool
            .install(|| CrowdPlayer::new(&graph, &rig, MEMBERS))
            .expect("a crowd");
        assert_eq!((crowd.len(), crowd.is_empty()), (MEMBERS, false));
        let mut alone: Vec<_> = (0..MEMBERS)
            .map(|_| (graph.player(), rig.actor()))
            .collect();
        let mut in_transition = 0;
        for frame in 0..60 {
            let heard = Mutex::new(Vec::new());
            for member in 0..MEMBERS {
                let player = crowd.player_mut(member).expect("a member");
                player
                    .set("speed", speed(member, frame))
                    .expect("a parameter");
            }
            pool.install(|| {
                crowd.update(STEP_SECS, |member, event| {
                    heard.lock().unwrap().push((
                        member,
                        event.name.to_owned(),
                        event.weight.to_bits(),
                    ));
                })
            })
            .expect("a step");
            let mut expected = Vec::new();
            for (member, (player, actor)) in alone.iter_mut().enumerate() {
                player
                    .set("speed", speed(member, frame))
                    .expect("a parameter");
                let hear = |event: sinew::graph::FiredEvent<'_>| {
                    expected.push((member, event.name.to_owned(), event.weight.to_bits()));
                };
                player.update(STEP_SECS, hear).expect("a step");
                player.pose(actor).expect("its own rig");
                in_transition += usize::from(player.is_in_transition());
                let own = crowd.player(member).expect("a member");
                assert_eq!(own.state(), player.state());
                assert_eq!(
                    crowd.model(member),
                    actor.model_pose().expect("its pose").as_slice()
                );
                for part in 0..rig.parts().len() {
                    let palette = crowd.palette(member, part).expect("a part");
                    assert_eq!(bits(palette), bits(actor.palette(part).expect("a part")));
                }
            }
            let mut heard = heard.into_inner().unwrap();
            heard.sort_by_key(|(member, ..)| *member);
            assert_eq!(heard, expected, "events of a member come in their order");
        }
        assert!(in_transition > MEMBERS, "{in_transition}");
    }
}

#[test]
fn members_far_away_are_played_on_less_often() {
    let (rig, graph) = rig_and_graph(Method::Linear);
    let mut crowd = CrowdPlayer::new(&graph, &rig, 4).expect("a crowd");
    let mut alone = [(); 2].map(|_| (graph.player(), LocalPose::identity(rig.skeleton().len())));
    crowd.set_interval(2, 3);
    crowd.set_interval(3, 0);
    crowd.set_interval(99, 3);
    let mut changes = 0;
    for frame in 1..=30_u32 {
        let before = crowd.model(2).to_vec();
        crowd.update(STEP_SECS, |_, _| {}).expect("a step");
        alone[0].0.update(STEP_SECS, |_| {}).expect("a step");
        let is_due = (frame + 2).is_multiple_of(3);
        assert_eq!(crowd.model(2) != before, is_due, "{frame}");
        if is_due {
            changes += 1;
            let steps = if changes == 1 { 1.0 } else { 3.0 };
            let step_secs = (0..steps as usize).fold(0.0, |sum, _| sum + STEP_SECS);
            alone[1].0.update(step_secs, |_| {}).expect("a step");
        }
        for (member, (player, pose)) in [3, 2].into_iter().zip(&mut alone) {
            player.pose_into(pose).expect("its skeleton");
            let mut model = sinew::ModelPose::identity(0);
            let hierarchy = rig.skeleton().hierarchy();
            model
                .update(hierarchy, pose, &Affine::IDENTITY)
                .expect("its skeleton");
            if changes > 0 || member == 3 {
                assert_eq!(crowd.model(member), model.as_slice());
            }
        }
    }
    assert_eq!(changes, 10);
}

#[test]
fn joints_that_a_far_member_need_not_move_stay_at_rest_and_the_others_keep_their_bits() {
    let (rig, graph) = rig_and_graph(Method::Linear);
    let skeleton = rig.skeleton();
    let below_a_hand = |joint: usize| {
        let mut above = std::iter::successors(skeleton.parent(joint), |&j| skeleton.parent(j));
        above.any(|j| skeleton.name(j).ends_with("_hand"))
    };
    let moved: JointSet = (0..skeleton.len()).map(|j| !below_a_hand(j)).collect();
    let moved = Arc::new(moved);
    assert!((0..skeleton.len()).filter(|&j| !moved.contains(j)).count() >= 10);
    let (mut near, mut far) = (graph.player(), graph.player());
    far.move_joints(Some(moved.clone())).expect("its joints");
    let refused = far.move_joints(Some(Arc::new([true; 3].into_iter().collect())));
    assert!(matches!(refused, Err(PlayError::Joints { found: 3, .. })));
    let [mut whole, mut part] = [(); 2].map(|()| LocalPose::identity(skeleton.len()));
    let (mut in_transition, mut differ) = (0, 0);
    for frame in 0..120 {
        for player in [&mut near, &mut far] {
            player.set("speed", 0.04 * frame as f32).expect("a speed");
            player.update(STEP_SECS, |_| {}).expect("a step");
        }
        in_transition += usize::from(far.is_in_transition());
        near.pose_into(&mut whole).expect("its skeleton");
        far.pose_into(&mut part).expect("its skeleton");
        for joint in 0..skeleton.len() {
            let (own, rest) = (part.get(joint), skeleton.rest().get(joint));
            match moved.contains(joint) {
                true => assert_eq!(own, whole.get(joint), "{}", skeleton.name(joint)),
                false => {
                    assert!(own.translation.distance(rest.translation) < 1e-6);
                    assert!(own.rotation.dot(rest.rotation).abs() > 1.0 - 1e-6);
                    differ += usize::from(own != whole.get(joint));
                }
            }
        }
    }
    assert!(in_transition > 0 && differ > 0, "{in_transition}, {differ}");
}

#[test]
fn what_does_not_fit_a_crowd_is_refused() {
    let (rig, graph) = rig_and_graph(Method::Linear);
    let (other, _) = rig_and_graph(Method::Linear);
    assert!(matches!(
        CrowdPlayer::new(&graph, &other, 3),
        Err(ActorError::OtherRig { .. })
    ));
    let mut crowd = CrowdPlayer::new(&graph, &rig, 3).expect("a crowd");
    let at_rest = crowd.model(0).to_vec();
    assert_eq!(at_rest, rig.skeleton().rest_model().as_slice());
    for dt_secs in [-1.0, f64::NAN, f64::INFINITY] {
        assert!(matches!(
            crowd.update(dt_secs, |_, _| {}),
            Err(ActorError::Play(_))
        ));
    }
    assert_eq!(crowd.model(0), at_rest);
    assert!(crowd.player(3).is_none() && crowd.player_mut(3).is_none());
    assert!(crowd.palette(3, 0).is_none() && crowd.palette(0, 99).is_none());
    assert!(crowd.model(3).is_empty());
    let mut weights = [1.0; 3];
    crowd.morph_weights(3, 0, &mut weights);
    assert_eq!(weights, [0.0; 3]);
    let mut nobody = CrowdPlayer::new(&graph, &rig, 0).expect("an empty crowd");
    assert!(nobody.is_empty());
    nobody.update(STEP_SECS, |_, _| {}).expect("nothing to do");
}

#[test]
fn a_workspace_of_another_graph_is_refused() {
    let (rig, graph) = rig_and_graph(Method::Linear);
    let other = machine().build(&rig).expect("a graph");
    let (mut player, mut room) = (graph.crowd_player(), other.workspace());
    let mut pose = rig.skeleton().rest().clone();
    assert_eq!(
        player.update_in(&mut room, 0.1, |_| {}),
        Err(PlayError::OtherWorkspace)
    );
    assert_eq!(
        player.pose_into_in(&mut room, &mut pose),
        Err(PlayError::OtherWorkspace)
    );
    assert_eq!(
        player.curve_in(&mut room, "x", &mut []),
        Err(PlayError::OtherWorkspace)
    );
    assert_eq!(
        player.morph_weights_in(&mut room, 0, &[], &mut []),
        Err(PlayError::OtherWorkspace)
    );
    player.update(0.1, |_| {}).expect("a step");
}
