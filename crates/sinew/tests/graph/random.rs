use super::*;

proptest! {
    #[test]
    fn events_of_a_graph_fire_once_whatever_the_steps(
        steps in prop::collection::vec(0.0_f64..0.7, 1..60),
        speed in prop_oneof![Just(1.0_f32), Just(-1.0), -3.0_f32..3.0],
        wrap in prop::sample::select(&[Wrap::Loop, Wrap::PingPong, Wrap::Clamp][..]),
        value in 1.01_f32..4.99,
        alone in any::<bool>(),
    ) {
        let state = match alone {
            true => State::clip("walk", "walk"),
            false => State::blend("walk", "speed", &[(1.0, "walk"), (5.0, "run")]),
        };
        let machine = StateMachine::new()
            .parameter("speed", value)
            .state(State { speed, wrap, ..state });
        let mut played = Played::new(&machine);
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

    #[test]
    fn a_graph_goes_the_same_way_whatever_the_steps(
        cuts in prop::collection::vec(0.0_f64..12.0, 0..80),
        fades in any::<[bool; 3]>(),
        secs in 0.0_f32..0.9,
    ) {
        let way = |t: Transition, fade: bool| match fade {
            true => t.cross_fade(secs, Ease::Smooth),
            false => t.inertia(secs),
        };
        let machine = StateMachine::new()
            .state(State::clip("walk", "walk"))
            .state(State { speed: -1.5, ..State::clip("jump", "jump").once() })
            .state(State { wrap: Wrap::PingPong, ..State::clip("run", "run") })
            .transition(way(Transition::new("walk", "jump"), fades[0]).when(Condition::After(1.1)).starting_at(1.0))
            .transition(way(Transition::new("jump", "run"), fades[1]).when(Condition::Ended))
            .transition(way(Transition::new("run", "walk"), fades[2]).when(Condition::After(0.7)).starting_at(0.3));
        let mut ends = cuts;
        ends.sort_by(f64::total_cmp);
        ends.push(12.0);
        let mut runs = Vec::new();
        for ends in [&ends[..], &[2.0, 4.0, 6.0, 8.0, 10.0, 12.0]] {
            let mut played = Played::new(&machine).with_root_motion();
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

/// Blends, fades, inertia, events and root motion. A new walk of the humanoid changes the hash too.
#[test]
fn the_bits_of_a_graph_are_these() {
    let person = humanoid_character();
    let clips = [person.clips[0].clone(), person.clips[0].clone()];
    let machine = StateMachine::new()
        .parameter("speed", 1.0)
        .parameter("go", 0.0)
        .state(State::blend(
            "walk",
            "speed",
            &[(0.0, "walk"), (2.0, "walk")],
        ))
        .state(State {
            speed: -1.7,
            ..State::clip("run", "walk")
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
    let skeleton = Arc::new(person.skeleton.clone());
    let graph = Graph::new(&machine, &skeleton, &shared(&clips)).expect("good");
    let graph = graph
        .with_root_motion(vec![motion.expect("good"); 2])
        .expect("fits");
    for level in Level::all() {
        let mut hash = 0xcbf2_9ce4_8422_2325_u64;
        let mut add = |bits: u64| hash = (hash ^ bits).wrapping_mul(0x100_0000_01b3);
        let mut player = graph.player();
        player.level = level;
        let mut pose = LocalPose::identity(skeleton.len());
        for frame in 0..2000 {
            if frame % 13 == 0 {
                player.set("go", 1.0).expect("a parameter");
            }
            let speed = (frame % 97) as f32 * 0.02;
            player.set("speed", speed).expect("a parameter");
            let played = player.update(0.0137, |event| add(event.weight.to_bits().into()));
            played.expect("a step");
            player.pose_into(&mut pose).expect("as many joints");
            for t in pose.iter() {
                let numbers = t.rotation.to_array().into_iter();
                let numbers = numbers
                    .chain(t.translation.to_array())
                    .chain(t.scale.to_array());
                numbers.for_each(|n| add(n.to_bits().into()));
            }
            add(player.root_step().translation[2].to_bits());
        }
        assert_eq!(hash, 0xa8e7_52ee_78f1_60f7, "{level}: {hash:#x}");
    }
}
