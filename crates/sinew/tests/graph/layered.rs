use super::*;
use sinew::blend::{Addition, Mask};
use sinew::clip::packed::PackedClip;
use sinew::graph::{GraphLayer, MaskPart, Reference};
use sinew_pack::{PackOptions, pack};

fn base() -> StateMachine {
    StateMachine::new()
        .parameter("waving", 1.0)
        .parameter("go", 0.0)
        .state(State::clip("walk", "walk"))
}

fn blended<'p>(
    skeleton: &Skeleton,
    layers: &mut [Layer<'p>],
    additions: &mut [Addition<'p>],
) -> LocalPose {
    let mut out = LocalPose::identity(skeleton.len());
    let job = BlendJob {
        rest: skeleton.rest(),
        layers,
        additions,
        level: Level::best(),
    };
    job.run(&mut out).expect("one skeleton");
    out
}

fn alone(clip: &dyn Playable, skeleton: &Skeleton, secs: f64) -> LocalPose {
    let mut pose = LocalPose::identity(skeleton.len());
    let duration = f64::from(clip.duration_secs());
    let part = Wrap::Loop.fold(secs * (1.0 / duration), 1.0).0;
    clip.sample_into(skeleton, part * duration, &mut pose)
        .unwrap();
    blended(skeleton, &mut [Layer::new(&pose, 1.0)], &mut [])
}

fn play(machine: &StateMachine, clips: &[Arc<dyn Playable>]) -> Vec<(f64, LocalPose)> {
    let skeleton = Arc::new(skeleton());
    let graph = Graph::new(machine, &skeleton, clips).expect("good");
    let mut player = graph.player();
    let mut pose = LocalPose::identity(JOINTS);
    let mut poses = Vec::new();
    for step in 1..=60 {
        // Exact steps, with exact sums and products.
        player.update(1.0 / 64.0, |_| {}).expect("a step");
        player.pose_into(&mut pose).expect("as many joints");
        poses.push((f64::from(step) / 64.0, pose.clone()));
    }
    poses
}

/// Clips with exact rates, so that phases are exact.
fn even_clips() -> Vec<Clip> {
    vec![
        cycle("idle", 2.0, 0.0, 0.0),
        cycle("walk", 1.0, 1.5, 0.3),
        cycle("wave", 0.5, 0.0, 0.9),
    ]
}

#[test]
fn an_overriding_layer_is_a_blend_by_weight_and_mask() {
    let (skeleton, clips) = (skeleton(), shared(&even_clips()));
    let mask = |joint: &str| {
        let joint = skeleton.find(joint).expect("a joint");
        Mask::below(&skeleton, joint)
    };
    for weight in [0.0, 0.3, 1.0] {
        let arm = GraphLayer::new("arm")
            .state(State::clip("wave", "wave"))
            .weight(weight)
            .below("joint 1");
        let (own, others) = (mask("joint 1"), mask("joint 1").inverted());
        for (secs, pose) in play(&base().layer(arm), &clips) {
            let [walk, wave] = [1, 2].map(|clip| alone(&clips[clip], &skeleton, secs));
            let wanted = match weight {
                0.0 => walk.clone(),
                _ => blended(
                    &skeleton,
                    &mut [
                        Layer::new(&walk, 1.0 - weight),
                        Layer::new(&walk, weight).masked(&others),
                        Layer::new(&wave, weight).masked(&own),
                    ],
                    &mut [],
                ),
            };
            assert_eq!(pose, wanted, "{weight} at {secs}");
            for joint in 0..JOINTS {
                let below = own.get(joint) == 1.0;
                let moved = pose.get(joint) != walk.get(joint);
                let off = pose.get(joint).to_affine();
                let off = off.max_difference(&walk.get(joint).to_affine());
                assert!(below || off < 1e-6, "joint {joint} is not masked");
                assert!(!below || moved || weight == 0.0, "joint {joint} is");
            }
        }
    }
    let all = GraphLayer::new("all")
        .state(State::clip("wave", "wave"))
        .weight(0.5)
        .weight_parameter("waving");
    for (secs, pose) in play(&base().layer(all), &clips) {
        let [walk, wave] = [1, 2].map(|clip| alone(&clips[clip], &skeleton, secs));
        let mut layers = [Layer::new(&walk, 0.5), Layer::new(&wave, 0.5)];
        assert_eq!(pose, blended(&skeleton, &mut layers, &mut []));
    }
}

#[test]
fn later_parts_of_a_mask_count() {
    let part = |joint: &str, and_below: bool, weight: f32| MaskPart {
        joint: joint.to_owned(),
        and_below,
        weight,
    };
    let layer = GraphLayer {
        mask: vec![
            part("joint 1", true, 1.0),
            part("joint 3", true, 0.0),
            part("joint 4", false, 0.5),
        ],
        ..GraphLayer::new("arm").state(State::clip("wave", "wave"))
    };
    let weights = [0.0, 1.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.0, 1.0];
    let mask = Mask::new(&weights).expect("weights");
    let (skeleton, clips, others) = (skeleton(), shared(&even_clips()), mask.inverted());
    for (secs, pose) in play(&base().layer(layer), &clips) {
        let [walk, wave] = [1, 2].map(|clip| alone(&clips[clip], &skeleton, secs));
        let mut layers = [
            Layer::new(&walk, 0.0),
            Layer::new(&walk, 1.0).masked(&others),
            Layer::new(&wave, 1.0).masked(&mask),
        ];
        assert_eq!(pose, blended(&skeleton, &mut layers, &mut []));
    }
}

#[test]
fn an_additive_layer_adds_what_its_clip_differs_by_from_the_reference() {
    let (skeleton, clips) = (skeleton(), shared(&even_clips()));
    let mask = Mask::below(&skeleton, skeleton.find("joint 2").expect("a joint"));
    let frame = Reference::Frame {
        clip: "idle".to_owned(),
        time_secs: 0.75,
    };
    let at = |clip: usize, secs: f64| {
        let mut pose = LocalPose::identity(JOINTS);
        clips[clip].sample_into(&skeleton, secs, &mut pose).unwrap();
        pose
    };
    let cases = [
        (Reference::RestPose, None),
        (Reference::FirstFrame, Some(at(2, 0.0))),
        (frame, Some(at(0, 0.75))),
    ];
    for (reference, from) in cases {
        let layer = GraphLayer::new("sway")
            .state(State::clip("wave", "wave"))
            .weight(0.7)
            .below("joint 2")
            .additive(reference.clone());
        for (secs, pose) in play(&base().layer(layer), &clips) {
            let walk = alone(&clips[1], &skeleton, secs);
            let sampled = at(2, 0.5 * Wrap::Loop.fold(secs * 2.0, 1.0).0);
            let on_rest = match &from {
                None => sampled.clone(),
                Some(from) => {
                    let difference =
                        AdditivePose::between(from, &sampled).expect("of this skeleton");
                    blended(&skeleton, &mut [], &mut [Addition::new(&difference, 1.0)])
                }
            };
            let on_rest = blended(&skeleton, &mut [Layer::new(&on_rest, 1.0)], &mut []);
            let difference =
                AdditivePose::between(skeleton.rest(), &on_rest).expect("of this skeleton");
            let mut additions = [Addition::new(&difference, 0.7).masked(&mask)];
            let wanted = blended(&skeleton, &mut [Layer::new(&walk, 1.0)], &mut additions);
            assert_eq!(pose, wanted, "{reference:?} at {secs}");
            // The result is the difference itself, up to rounding.
            let from = from.as_ref().unwrap_or(skeleton.rest());
            let difference = AdditivePose::between(from, &sampled).expect("of this skeleton");
            let mut additions = [Addition::new(&difference, 0.7).masked(&mask)];
            let direct = blended(&skeleton, &mut [Layer::new(&walk, 1.0)], &mut additions);
            assert!(apart(&pose, &direct) < 1e-5);
        }
    }
}

#[test]
fn layers_over_packed_clips_are_those_by_hand_and_at_frames_those_of_plain_ones() {
    let skeleton = skeleton();
    let packed: Vec<_> = even_clips()
        .iter()
        .map(|clip| {
            let packed = pack(&skeleton, clip, &PackOptions::default());
            packed.expect("packs").clip
        })
        .collect();
    let plain: Vec<Clip> = packed
        .iter()
        .map(|clip| clip.unpack().expect("unpacks"))
        .collect();
    let arm = GraphLayer::new("arm")
        .state(State::clip("wave", "wave"))
        .weight(0.6)
        .below("joint 1");
    let sway = GraphLayer::new("sway")
        .state(State::clip("idle", "idle"))
        .additive(Reference::FirstFrame);
    let machine = base().layer(arm).layer(sway);
    let mask = Mask::below(&skeleton, 1);
    let others = mask.inverted();
    let played = play(&machine, &shared(&packed));
    let of_plain = play(&machine, &shared(&plain));
    let mut frames = 0;
    for ((secs, pose), (_, plain)) in played.into_iter().zip(of_plain) {
        let sampled = |clip: usize, secs: f64| {
            let mut pose = LocalPose::identity(JOINTS);
            packed[clip].sample(secs, &mut pose);
            pose
        };
        let one = |pose: &LocalPose| blended(&skeleton, &mut [Layer::new(pose, 1.0)], &mut []);
        let walk = one(&sampled(1, secs.fract()));
        let wave = one(&sampled(2, 0.5 * (2.0 * secs).fract()));
        let mut layers = [
            Layer::new(&walk, 1.0 - 0.6),
            Layer::new(&walk, 0.6).masked(&others),
            Layer::new(&wave, 0.6).masked(&mask),
        ];
        let below = blended(&skeleton, &mut layers, &mut []);
        let since =
            AdditivePose::between(&sampled(0, 0.0), &sampled(0, secs)).expect("of this skeleton");
        let idle = one(&blended(
            &skeleton,
            &mut [],
            &mut [Addition::new(&since, 1.0)],
        ));
        let idle = AdditivePose::between(skeleton.rest(), &idle).expect("of this skeleton");
        let mut additions = [Addition::new(&idle, 1.0)];
        let wanted = blended(&skeleton, &mut [Layer::new(&below, 1.0)], &mut additions);
        assert_eq!(pose, wanted, "at {secs}");
        // A packed clip differs from its unpacked form between frames.
        let is_frame = |clip: &PackedClip<'_>| {
            let time = Wrap::Loop.fold(secs, f64::from(clip.duration_secs())).0;
            let frame = time * clip.frames_per_sec();
            (frame - frame.round()).abs() < 1e-6
        };
        if packed.iter().all(is_frame) {
            assert!(apart(&pose, &plain) < 1e-5, "{}", apart(&pose, &plain));
            frames += 1;
        }
    }
    assert!(frames > 0, "no step ends at a frame of all clips");
}

#[test]
fn transitions_within_a_layer_do_not_jump_and_triggers_reach_all_layers() {
    let go = |t: Transition| t.when(Condition::triggered("go"));
    for mode in [None, Some(Reference::FirstFrame)] {
        let mut layer = GraphLayer::new("arm")
            .state(State::clip("wave", "jump"))
            .state(State::clip("idle", "idle"))
            .transition(go(Transition::new("wave", "idle")).inertia(0.3))
            .transition(go(Transition::new("idle", "wave")).cross_fade(0.3, Ease::Smooth));
        if let Some(reference) = mode {
            layer = layer.additive(reference);
        }
        let machine = base()
            .state(State::clip("run", "run"))
            .transition(go(Transition::new("walk", "run")).inertia(0.3))
            .transition(go(Transition::new("run", "walk")).inertia(0.3))
            .layer(layer);
        let mut played = Played::new(&machine).with_root_motion();
        let mut before = None;
        let mut visited = std::collections::BTreeSet::new();
        for frame in 0..400 {
            if frame % 23 == 0 {
                played.set("go", 1.0);
            }
            played.update(DT);
            assert_eq!(played.player.get("go"), Some(0.0), "used up by both");
            let layer = played.player.layer_state("arm").map(str::to_owned);
            visited.insert((played.state().to_owned(), layer));
            let pose = played.pose();
            if let Some(before) = before.replace(pose.clone()) {
                let step = apart(&before, &pose);
                assert!(step < 0.15, "a jump of {step} at {frame}");
            }
        }
        // Every trigger changes both states.
        let pair = |base: &str, layer: &str| (base.to_owned(), Some(layer.to_owned()));
        let together = [pair("run", "idle"), pair("walk", "wave")];
        assert_eq!(visited, together.into());
    }
}

#[test]
fn a_layer_of_weight_0_fires_nothing_and_others_by_their_weight() {
    let layer = GraphLayer::new("arm")
        .state(State::clip("wave", "run"))
        .weight(0.5)
        .weight_parameter("waving");
    let mut played = Played::new(&base().layer(layer));
    let mut weights = std::collections::BTreeMap::<usize, Vec<f32>>::new();
    for waving in [0.0, 1.0, 7.0] {
        played.set("waving", waving);
        let update = played.player.update(1.25, |event| {
            assert_eq!(event.layer == 1, event.clip == RUN);
            weights.entry(event.clip).or_default().push(event.weight);
        });
        update.expect("a step");
    }
    assert_eq!(weights[&WALK], [1.0; 6]);
    assert_eq!(weights[&RUN], [0.5; 10]);
}
