use glam::Vec3;
use sinew::clip::packed::PackedFile;
use sinew::graph::{Condition, GraphPlayer, State, StateMachine, Transition};
use sinew::ik::{
    Aim, Ccd, Chain, Dls, DlsJob, DlsOptions, Fabrik, Feet, Foot, FootPlacement, FootReport, Goal,
    GoalKind, IkError, Share, Tip, TwoBone, ccd, dls, fabrik, place_feet,
};
use sinew::rig::{ActorError, Solve};
use sinew::skin::{Layout, Order, SkinError};
use sinew::{
    Affine, Character, Clip, LocalPose, Method, ModelPose, Playable, Rig, RigError, Skeleton, Wrap,
    deform, sample,
};
use sinew_pack::{PackOptions, pack_file};
use sinew_samples::mannequin::Mannequin;
use sinew_samples::{humanoid_character, tube_character};
use std::sync::{Arc, LazyLock};

static PERSON: LazyLock<Character> = LazyLock::new(|| Mannequin::default().build());

const LAYOUT: Layout = Layout {
    stride: 7,
    position: 1,
    normal: Some(4),
    tangent: None,
    order: Order::Mesh,
};

fn is_shared<T: Clone + Send + 'static>() {}

#[test]
fn rigs_and_actors_are_values_of_their_own() {
    is_shared::<Rig>();
    is_shared::<sinew::Actor>();
    is_shared::<sinew::rig::ClipPlayer>();
    is_shared::<GraphPlayer>();
}

#[test]
fn what_does_not_fit_is_refused_by_name() {
    let rig = Rig::new(&PERSON, Method::DualQuat).unwrap();
    let other = Rig::new(&tube_character(), Method::Linear).unwrap();
    let refused = Rig::new(&PERSON, Method::Quaternion).unwrap_err();
    assert_eq!(refused, RigError::Method(Method::Quaternion));
    let refused = rig.player("wlak").unwrap_err().to_string();
    assert_eq!(refused, "there is no clip \"wlak\"; did you mean walk?");

    let stranger: Arc<dyn Playable> = Arc::new(PERSON.clips[0].clone());
    let refused = Rig::with_clips(&tube_character(), Method::Linear, vec![stranger]);
    assert!(matches!(refused, Err(RigError::Clip { expected: 2, .. })));
    let mut broken = PERSON.clone();
    broken.nodes[0].parent = Some(0);
    assert!(matches!(
        Rig::new(&broken, Method::Linear),
        Err(RigError::Character(_))
    ));

    let mut hero = rig.actor();
    let before = hero.pose().clone();
    let others_clip = other.player("bend").unwrap();
    let refused = hero.sample(&others_clip).unwrap_err();
    let expected = rig.skeleton().len();
    assert_eq!(refused, ActorError::OtherRig { found: 2, expected });
    let machine = StateMachine::new().state(State::clip("bend", "bend"));
    let mut player = machine.build(&other).unwrap().player();
    assert_eq!(
        player.pose(&mut hero),
        Err(ActorError::OtherRig { found: 2, expected })
    );
    let refused = player.set("speed", 1.0).unwrap_err().to_string();
    assert_eq!(refused, "there is no parameter \"speed\"; there are none");
    let refused = hero
        .solve(&TwoBone::new(1, 2, Tip::of(99_999), Vec3::ONE))
        .unwrap_err();
    assert!(matches!(
        refused,
        ActorError::Ik(IkError::NoSuchJoint { joint: 99_999, .. })
    ));
    for weight in [-0.1, 1.1, f32::NAN] {
        let job = TwoBone::new(1, 2, Tip::of(3), Vec3::ONE).weight(weight);
        assert!(hero.solve(&job).is_err(), "{weight}");
    }
    let mut short = vec![0.0; rig.vertices() * LAYOUT.stride - 1];
    let refused = hero.skin_into(&mut short, &LAYOUT).unwrap_err();
    assert!(matches!(
        refused,
        ActorError::Skin(SkinError::Layout { .. })
    ));
    let tangents = Layout {
        normal: None,
        tangent: Some(4),
        ..LAYOUT
    };
    let mut buffer = vec![0.0; rig.vertices() * LAYOUT.stride];
    let refused = hero.skin_into(&mut buffer, &tangents).unwrap_err();
    assert_eq!(refused, ActorError::Skin(SkinError::TangentsAlone));
    let overflow = Layout {
        stride: usize::MAX,
        ..LAYOUT
    };
    assert!(hero.skin_into(&mut buffer, &overflow).is_err());
    assert_eq!(*hero.pose(), before);
}

#[test]
fn another_wrap_keeps_the_time_in_the_clip() {
    let rig = Rig::new(&PERSON, Method::Linear).unwrap();
    let all = [Wrap::Loop, Wrap::Clamp, Wrap::PingPong];
    for from in all {
        for to in all {
            let mut player = rig.player("walk").unwrap().wrapping(from);
            player.set_speed(0.5);
            // In the second cycle, where a ping-pong plays backwards.
            player.seek(1.375 * f64::from(player.clip().duration_secs()));
            let mut same = player.clone();
            player.set_wrap(to);
            assert_eq!(player.wrap(), to);
            assert_eq!(player.speed(), 0.5);
            // The end of a clip, where it is clamped, is the start of its next cycle.
            let expected = match (from, to) {
                (Wrap::Clamp, Wrap::Loop) => 0.0,
                _ => same.clip_time_secs(),
            };
            assert_eq!(player.clip_time_secs(), expected, "{from:?} {to:?}");
            if from == to {
                player.advance(0.1, |_| {});
                same.advance(0.1, |_| {});
                assert_eq!(player.clip_time_secs(), same.clip_time_secs(), "{from:?}");
            }
        }
    }
}

fn assert_as_deformed(character: &Character, rig: &Rig, buffer: &[f32], clip: usize, time: f64) {
    let truth = deform(character, Some(clip), time, rig.method()).unwrap();
    let extent = 2.0;
    assert_eq!(truth.primitives.len(), rig.parts().len());
    for (part, truth) in rig.parts().iter().zip(&truth.primitives) {
        assert_eq!((part.node, part.primitive), (truth.node, truth.primitive));
        assert_eq!(part.vertices().len(), truth.positions.len());
        let vertices = buffer[part.vertices().start * LAYOUT.stride..].chunks(LAYOUT.stride);
        let normals = truth.normals.as_ref().unwrap();
        for ((vertex, position), normal) in vertices.zip(&truth.positions).zip(normals) {
            let off = Vec3::from_slice(&vertex[1..]).distance(*position);
            assert!(off < 1e-5 * extent, "{off} at {time}");
            let off = Vec3::from_slice(&vertex[4..]).distance(*normal);
            assert!(off < 2e-4, "a normal is {off} off at {time}");
            assert_eq!(vertex[0], 7.0, "not ours");
        }
    }
}

#[test]
fn actors_are_skinned_as_deform_does() {
    for character in [&*PERSON, &humanoid_character(), &tube_character()] {
        for method in [Method::Rigid, Method::Linear, Method::DualQuat] {
            let rig = Rig::new(character, method).unwrap();
            let mut actor = rig.actor();
            let mut buffer = vec![7.0; rig.vertices() * LAYOUT.stride];
            for (index, clip) in character.clips.iter().enumerate() {
                let mut player = rig.player(&clip.name).unwrap().wrapping(Wrap::Clamp);
                for time in [0.0, 0.3, f64::from(clip.duration_secs)] {
                    player.seek(time);
                    actor.sample(&player).unwrap();
                    actor.skin_into(&mut buffer, &LAYOUT).unwrap();
                    assert_as_deformed(character, &rig, &buffer, index, time);
                }
            }
            let highest = rig.indices().into_iter().max();
            assert!(highest.is_some_and(|i| (i as usize) < rig.vertices()));
        }
    }
}

#[test]
fn morph_targets_follow_the_clip_and_come_back() {
    let mut tube = tube_character();
    let mesh = &mut tube.meshes[0];
    let up = vec![Vec3::Y * 0.1; mesh.primitives[0].len()];
    mesh.primitives[0].morphs = vec![sinew::mesh::Morph {
        positions: Some(sinew::mesh::Deltas {
            vertices: None,
            values: Arc::new(up),
        }),
        ..Default::default()
    }];
    mesh.morph_weights = vec![0.25];
    let node = tube.nodes.iter().position(|n| n.mesh == Some(0)).unwrap();
    let weights = sinew::Track::new(
        Arc::new(vec![0.0, 1.0]),
        vec![0.0, 1.0],
        1,
        sinew::Interpolation::Linear,
    );
    tube.clips[0].morphs = vec![sinew::clip::MorphTrack {
        node,
        weights: weights.unwrap(),
    }];
    tube.clips.push(Clip::new("still"));
    let rig = Rig::new(&tube, Method::Linear).unwrap();
    let mut actor = rig.actor();
    let mut buffer = vec![7.0; rig.vertices() * LAYOUT.stride];
    for (clip, time) in [(0, 0.0), (0, 0.5), (1, 0.0), (0, 0.5), (0, 0.75)] {
        let mut player = rig.player(&tube.clips[clip].name).unwrap();
        player.seek(time);
        actor.sample(&player).unwrap();
        actor.skin_into(&mut buffer, &LAYOUT).unwrap();
        assert_as_deformed(&tube, &rig, &buffer, clip, player.clip_time_secs());
    }
}

#[test]
fn packed_clips_are_played_as_they_are() {
    let bytes = pack_file(&PERSON.skeleton, &PERSON.clips, &PackOptions::default()).unwrap();
    let file = || PackedFile::from_bytes(&bytes).unwrap();
    let mut other = file();
    let mut joints = other.skeleton.joints();
    joints[3].name = "gill".to_owned();
    other.skeleton = Skeleton::new(joints).unwrap().0;
    let refused = Rig::with_packed(&PERSON, Method::DualQuat, other).unwrap_err();
    let expected = "joint 3 is \"gill\" in the file and \"";
    assert!(refused.to_string().contains(expected), "{refused}");
    let refused = Rig::with_packed(&tube_character(), Method::Linear, file()).unwrap_err();
    assert!(matches!(refused, RigError::Packed { joint: 0, .. }));

    let plain = Rig::new(&PERSON, Method::DualQuat).unwrap();
    let rig = Rig::with_packed(&PERSON, Method::DualQuat, file()).unwrap();
    let mut actors = [plain.actor(), rig.actor()];
    let mut players = [&plain, &rig].map(|rig| rig.player("walk").unwrap());
    let mut fired = [Vec::new(), Vec::new()];
    for _ in 0..90 {
        for n in 0..2 {
            players[n].advance(1.0 / 60.0, |event| fired[n].push(event.name.clone()));
            actors[n].sample(&players[n]).unwrap();
        }
        let [plain, packed] = &mut actors;
        for (a, b) in plain
            .model_pose()
            .unwrap()
            .iter()
            .zip(packed.model_pose().unwrap().iter())
        {
            let off = a.translation().distance(b.translation());
            assert!(off < 1e-4, "{off}");
        }
    }
    assert!(!fired[0].is_empty());
    assert_eq!(fired[0], fired[1]);
}

#[test]
fn solvers_read_the_model_and_go_part_of_the_way() {
    let rig = Rig::new(&PERSON, Method::Linear).unwrap();
    let find = |name: &str| rig.skeleton().find(name).unwrap();
    let [upper, lower, hand, head] =
        ["left_upper_arm", "left_lower_arm", "left_hand", "head"].map(find);
    let mut hero = rig.actor();
    let mut player = rig.player("walk").unwrap();
    player.seek(0.3);
    hero.sample(&player).unwrap();
    let start = hero.socket("left_hand").unwrap().translation();
    let goal = start + Vec3::new(0.0, 0.12, 0.2);
    let reach = TwoBone::new(upper, lower, Tip::of(hand), goal);

    let mut none = hero.clone();
    none.solve(&reach.weight(0.0)).unwrap();
    let stays = none.socket("left_hand").unwrap().translation();
    assert!(stays.distance(start) < 1e-5);
    let mut half = hero.clone();
    half.solve(&reach.weight(0.5)).unwrap();
    let halfway = half.socket("left_hand").unwrap().translation();
    assert!(halfway.distance(goal) > 0.02 && halfway.distance(start) > 0.02);
    let report = hero.solve(&reach).unwrap();
    let hand = hero.socket("left_hand").unwrap().translation();
    assert!((hand.distance(goal) - report.residual).abs() < 1e-4);
    assert!(
        hand.distance(goal) < 0.6 * halfway.distance(goal),
        "{report:?}"
    );

    let mut model = ModelPose::identity(0);
    model
        .update(rig.skeleton().hierarchy(), hero.pose(), &Affine::IDENTITY)
        .expect("of this skeleton");
    assert_eq!(
        model,
        *hero.model_pose().unwrap(),
        "what is kept up to date is what is there"
    );

    let target = Vec3::new(3.0, 1.5, 3.0);
    let sight = |hero: &mut sinew::Actor| {
        let head = hero.socket("head").unwrap();
        let ahead = head.transform_vector(Vec3::Z).normalize();
        ahead.angle_between(target - head.translation())
    };
    let shares = [Share {
        joint: head,
        part: 1.0,
    }];
    let look = Aim::new(&shares, Tip::of(head), Vec3::Z, target);
    let before = sight(&mut hero);
    let mut half = hero.clone();
    half.solve(&look.weight(0.5)).unwrap();
    let report = hero.solve(&look).unwrap();
    let (after, halfway) = (sight(&mut hero), sight(&mut half));
    assert!(report.reached || report.at_limits != 0);
    assert!(
        after < halfway && halfway < before,
        "{before} {halfway} {after}"
    );
}

#[test]
fn chains_are_solved_for_as_by_hand() {
    let rig = Rig::new(&PERSON, Method::Linear).unwrap();
    let skeleton = rig.skeleton();
    let joint = |name: &str| skeleton.find(name).unwrap();
    let (chest, tip) = (joint("chest"), Tip::of(joint("left_hand")));
    let mut chain = Chain::new(skeleton, chest, tip).unwrap();
    let goal = Vec3::new(0.35, 1.3, 0.3);
    let mut hero = rig.actor();
    let mut player = rig.player("walk").unwrap();
    player.seek(0.4);
    for method in 0..2 {
        hero.sample(&player).unwrap();
        let mut by_hand = hero.pose().clone();
        let model = hero.model_pose().unwrap().clone();
        let above = model.get(skeleton.parent(chest).unwrap());
        let (found, expected) = if method == 0 {
            let found = hero.solve(Ccd::new(&mut chain, goal)).unwrap().residual;
            let job = Ccd::new(&mut chain, goal);
            (found, ccd(skeleton, &mut by_hand, above, job))
        } else {
            let found = hero.solve(Fabrik::new(&mut chain, goal)).unwrap().residual;
            let job = Fabrik::new(&mut chain, goal);
            (found, fabrik(skeleton, &mut by_hand, above, job))
        };
        let expected = expected.unwrap();
        assert!(expected.reached);
        assert_eq!(found, expected.residual);
        assert_eq!(*hero.pose(), by_hand);
        let mut model = model.clone();
        let root = Affine::IDENTITY;
        model.update(skeleton.hierarchy(), &by_hand, &root).unwrap();
        assert_eq!(*hero.model_pose().unwrap(), model);
    }
}

#[test]
fn a_job_with_a_model_pose_of_another_skeleton_is_refused() {
    let skeleton = &PERSON.skeleton;
    let mut pose = skeleton.rest().clone();
    let mut model = ModelPose::identity(3);
    let hand = skeleton.find("left_hand").unwrap();
    let mut chain = Chain::new(skeleton, 0, Tip::of(hand)).unwrap();
    let refused = Ccd::new(&mut chain, Vec3::Y).solve(skeleton, &mut pose, &mut model);
    assert!(matches!(refused, Err(IkError::OtherSkeleton { .. })));
    assert_eq!(pose, *skeleton.rest());
}

#[test]
fn bodies_and_feet_are_solved_for_as_by_hand() {
    let rig = Rig::new(&PERSON, Method::Linear).unwrap();
    let skeleton = rig.skeleton();
    let joint = |name: &str| skeleton.find(name).unwrap();
    let mut hero = rig.actor();
    let mut player = rig.player("walk").unwrap();
    player.seek(0.4);
    hero.sample(&player).unwrap();
    hero.model_pose().unwrap();
    let mut by_hand = hero.pose().clone();

    let kind = GoalKind::Position {
        offset: Vec3::ZERO,
        at: Vec3::new(0.35, 1.3, 0.3),
    };
    let goals = [Goal {
        joint: joint("left_hand"),
        kind,
        weight: 1.0,
    }];
    let (options, root) = (DlsOptions::default(), Affine::IDENTITY);
    let mut solver = Dls::new(skeleton, 1);
    hero.solve_body(&mut solver, &goals, &options).unwrap();
    let hand = hero.socket("left_hand").unwrap().translation();
    assert!(hand.distance(Vec3::new(0.35, 1.3, 0.3)) < 0.01, "{hand}");
    let mut solver = Dls::new(skeleton, 1);
    dls(
        skeleton,
        &mut by_hand,
        &root,
        DlsJob::new(&mut solver, &goals).options(options),
    )
    .unwrap();
    assert_eq!(*hero.pose(), by_hand);

    let foot = |side: &str, height: f32| Foot {
        hip: joint(&format!("{side}_upper_leg")),
        knee: joint(&format!("{side}_lower_leg")),
        ankle: joint(&format!("{side}_foot")),
        sole: Vec3::ZERO,
        ground_in_model: Vec3::Y * height,
        ground_normal: Vec3::Y,
    };
    let feet = [foot("left", 0.1), foot("right", 0.0)];
    let placement = FootPlacement::new(joint("hips"))
        .up(Vec3::Y)
        .max_drop(0.3)
        .max_rise(0.1)
        .max_tilt_rad(0.6);
    let mut model = hero.model_pose().unwrap().clone();
    let mut reports = [FootReport::default(); 2];
    let moved = hero.place_feet(&placement, &feet, &mut reports).unwrap();
    let mut hand_reports = [FootReport::default(); 2];
    let expected = place_feet(
        skeleton,
        &mut by_hand,
        &mut model,
        Feet::new(placement, &feet, &mut hand_reports),
    );
    assert_eq!(moved, expected.unwrap());
    assert_eq!(reports, hand_reports);
    assert_eq!(*hero.pose(), by_hand);
    assert_eq!(*hero.model_pose().unwrap(), model);

    let before = hero.clone();
    let wrong = [Goal {
        joint: 999,
        ..goals[0]
    }];
    assert!(hero.solve_body(&mut solver, &wrong, &options).is_err());
    assert!(hero.place_feet(&placement, &feet, &mut []).is_err());
    assert_eq!(hero.pose(), before.pose());
    assert_eq!(*hero.model_pose().unwrap(), model);
}

#[test]
fn a_bare_mesh_is_a_character_that_stands_still() {
    let mesh = humanoid_character().meshes[0].clone();
    let positions = mesh.primitives[0].positions.clone();
    let bare = Character::from_mesh(mesh);
    bare.check().expect("it fits together");
    let moment = deform(&bare, None, 0.0, Method::Linear).unwrap();
    assert_eq!(moment.primitives[0].positions, *positions);
    let around = moment.bounds().expect("vertices");
    let least = positions.iter().copied().reduce(Vec3::min).unwrap();
    let most = positions.iter().copied().reduce(Vec3::max).unwrap();
    assert_eq!((around.min, around.max), (least, most));
    assert_eq!(
        Rig::new(&bare, Method::Linear).unwrap().vertices(),
        positions.len()
    );
    let nothing = Character::from_skeleton(bare.skeleton.clone());
    let moment = deform(&nothing, None, 0.0, Method::Linear).unwrap();
    assert_eq!(moment.bounds(), None);
}

#[test]
fn a_state_machine_poses_an_actor() {
    let rig = Rig::new(&PERSON, Method::Linear).unwrap();
    let walk = PERSON.find_clip("walk").unwrap();
    let machine = StateMachine::new()
        .parameter("speed", 0.0)
        .state(State::clip("stand", "idle"))
        .state(State::clip("go", "walk"))
        .transition(
            Transition::new("stand", "go")
                .when(Condition::above("speed", 0.5))
                .inertia(0.2),
        );
    let mut player = machine.build(&rig).unwrap().player();
    let mut hero = rig.actor();
    player.set("speed", 1.0).unwrap();
    for _ in 0..120 {
        player.update(1.0 / 60.0, |_| {}).unwrap();
        player.pose(&mut hero).unwrap();
    }
    assert_eq!(player.state(), "go");
    let mut moved = LocalPose::identity(0);
    sample(&PERSON.clips[walk], rig.skeleton(), 0.0, &mut moved).unwrap();
    assert_ne!(*hero.pose(), *rig.skeleton().rest());
}

#[test]
fn another_rig_takes_over_the_pose() {
    let rig = Rig::new(&PERSON, Method::Linear).unwrap();
    let again = Rig::new(&PERSON, Method::DualQuat).unwrap();
    let mut hero = rig.actor();
    let mut player = rig.player("walk").unwrap();
    player.seek(0.4);
    hero.sample(&player).unwrap();
    let (pose, hand) = (hero.pose().clone(), hero.socket("left_hand"));
    hero.change_rig(&again);
    assert_eq!(hero.pose(), &pose);
    assert_eq!(hero.socket("left_hand"), hand);
    assert!(hero.sample(&player).is_err(), "a clock of the old rig");
}
