use super::*;
use sinew::Player;
use sinew::clip::packed::PackedClip;
use sinew_pack::{PackOptions, pack};

fn packed() -> (Skeleton, Vec<PackedClip<'static>>) {
    let skeleton = skeleton();
    let pack = |clip: &Clip| {
        pack(&skeleton, clip, &PackOptions::default())
            .expect("packs")
            .clip
    };
    let clips = clips().iter().map(pack).collect();
    (skeleton, clips)
}

fn by_hand(skeleton: &Skeleton, clips: &[PackedClip<'_>], phase: f64, along: f32) -> LocalPose {
    let mut poses = [(); 2].map(|_| LocalPose::identity(skeleton.len()));
    for (pose, clip) in poses.iter_mut().zip([WALK, RUN]) {
        let clip = &clips[clip];
        clip.sample(phase * f64::from(clip.duration_secs()), pose);
    }
    let mut out = LocalPose::identity(skeleton.len());
    let job = BlendJob {
        rest: skeleton.rest(),
        layers: &mut [
            Layer::new(&poses[0], 1.0 - along),
            Layer::new(&poses[1], along),
        ],
        additions: &mut [],
        level: Level::best(),
    };
    job.run(&mut out).expect("one skeleton");
    out
}

#[test]
fn a_graph_over_packed_clips_gives_what_sampling_and_blending_by_hand_give() {
    let (skeleton, clips) = packed();
    let machine = StateMachine::new()
        .parameter("speed", 2.0)
        .state(State::blend(
            "move",
            "speed",
            &[(1.0, "walk"), (5.0, "run")],
        ));
    let mut player = build(&machine, &clips).expect("a graph").player();
    let mut pose = LocalPose::identity(skeleton.len());
    for _ in 0..300 {
        player.update(DT, |_| {}).expect("a step");
        player.pose_into(&mut pose).expect("as many joints");
        let phase = Wrap::Loop.fold(player.phase(), 1.0).0;
        assert_eq!(pose, by_hand(&skeleton, &clips, phase, 0.25));
    }
}

#[test]
fn at_frame_times_packed_and_unpacked_clips_are_played_alike() {
    let (skeleton, packed) = packed();
    let plain: Vec<Clip> = packed
        .iter()
        .map(|c| c.unpack().expect("unpacks"))
        .collect();
    for (packed, plain) in packed.iter().zip(&plain) {
        let mut poses = [(); 2].map(|_| LocalPose::identity(skeleton.len()));
        for time in packed.key_times(0) {
            packed
                .sample_into(&skeleton, f64::from(time), &mut poses[0])
                .unwrap();
            plain
                .sample_into(&skeleton, f64::from(time), &mut poses[1])
                .unwrap();
            for (a, b) in poses[0].iter().zip(poses[1].iter()) {
                let off = a.to_affine().max_difference(&b.to_affine());
                assert!(
                    off < 1e-6,
                    "{}: {off} off at {time}",
                    Playable::name(packed)
                );
            }
        }
    }
}

#[test]
fn frames_of_a_clip_that_begins_late_are_where_its_keys_are() {
    let skeleton = skeleton();
    let times: Vec<f32> = (15..=45).map(|frame| frame as f32 / 30.0).collect();
    let turns = times.iter().map(|time| Quat::from_rotation_x(time * time));
    let turns: Vec<Quat> = turns.collect();
    let mut clip = Clip::new("late");
    let track = Track::rotations(times.clone(), &turns, Interpolation::Slerp);
    clip.joint_mut(1).rotation = Some(track.expect("good"));
    clip.fit_duration();
    let packed = pack(&skeleton, &clip, &PackOptions::default());
    let found = packed.expect("packs").clip.key_times(1);
    let off = found.iter().zip(&times).map(|(a, b)| (a - b).abs());
    let off = off.fold(0.0, f32::max);
    assert!(found.len() == times.len() && off < 1e-5, "{found:?}");
}

#[test]
fn states_events_and_root_motion_of_packed_clips_are_those_of_plain_ones() {
    let (skeleton, packed) = packed();
    let plain = clips();
    let skeleton = Arc::new(skeleton);
    let player = |clips: Vec<Arc<dyn Playable>>| {
        let root = |clip: &Arc<dyn Playable>| {
            RootMotion::of_clip(clip, &skeleton, 0, RootAxes::GROUND).expect("a root")
        };
        let graph = Graph::new(&locomotion(), &skeleton, &clips).expect("a graph");
        let motions = clips.iter().map(root).collect();
        let graph = graph.with_root_motion(motions).expect("one for each");
        graph.player()
    };
    let mut players = [player(shared(&packed)), player(shared(&plain))];
    let mut placements = [Placement::identity(Axis::Y); 2];
    let mut fired = [Vec::new(), Vec::new()];
    for step in 0..600 {
        for n in 0..2 {
            let player = &mut players[n];
            let speed = (step as f32 * 0.02).sin() * 3.0;
            player.set("speed", speed).expect("a parameter");
            let played = player.update(DT, |event| {
                fired[n].push((event.clip, event.name.to_owned(), event.time_secs));
            });
            played.expect("a step");
            placements[n] = placements[n].then(&player.root_step());
        }
        assert_eq!(players[0].state(), players[1].state());
    }
    assert!(fired[0].len() > 5, "only {} events", fired[0].len());
    assert_eq!(fired[0], fired[1]);
    let apart =
        |axis: usize| (placements[0].translation[axis] - placements[1].translation[axis]).abs();
    assert!(placements[0].translation[2] > 1.0, "it walks");
    assert!((0..3).all(|axis| apart(axis) < 1e-3), "{placements:?}");
}

#[test]
fn a_player_plays_clips_of_any_kind() {
    let (skeleton, packed) = packed();
    let clips: Vec<Arc<dyn Playable>> = vec![
        Arc::new(packed[WALK].clone()),
        Arc::new(clips().swap_remove(WALK)),
    ];
    let mut heard = Vec::new();
    for clip in &clips {
        let mut player = Player::new(Wrap::Loop);
        let mut names = Vec::new();
        player.advance(clip, 1.0, |event| names.push(event.name.clone()));
        assert_eq!(player.clip_time_secs(clip), 1.0);
        let mut pose = LocalPose::identity(0);
        clip.sample_into(&skeleton, 1.0, &mut pose).unwrap();
        heard.push((names, pose.get(0).translation));
    }
    assert_eq!(heard[0].0, ["left", "right"]);
    assert_eq!(heard[0].0, heard[1].0);
    assert!(heard[0].1.abs_diff_eq(heard[1].1, 2e-4), "{heard:?}");
}
