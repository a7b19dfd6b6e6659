//! A frame, from clip to vertices, allocates nothing once its buffers exist.

mod walk_and_run;

use glam::{Quat, Vec3};
use sinew::blend::{Addition, AdditivePose, BlendJob, Ease, Layer, Mask};
use sinew::character::Driven;
use sinew::clip::{Curve, MorphTrack};
use sinew::graph::{
    Condition, Graph, GraphLayer, GraphPlayer, Reference, State, StateMachine, Transition,
};
use sinew::ik::{
    Aim, Ccd, Chain, ChainOptions, Dls, DlsJob, DlsOptions, Fabrik, Feet, Foot, FootPlacement,
    FootReport, Goal, Share, Tip, TwoBone, aim, ccd, dls, fabrik, place_feet, two_bone,
};
use sinew::pose::JointSet;
use sinew::root_motion::{RootAxes, RootMotion};
use sinew::simd::Level;
use sinew::skeleton::limits::{AngleRange, Freedom, RotationLimit};
use sinew::skin::{
    DualQuatPalette, Layout as VertexLayout, Order, Palette, PaletteRef, SkinJob, SkinPlan,
    Streams, Vertices, VerticesMut, WeightFormat, dual_quat, linear, rigid,
};
use sinew::{
    Affine, Clip, Crowd, Interpolation, Joint, LocalPose, Method, ModelPose, Playable, Rig,
    Skeleton, Track, Transform, sample,
};
use sinew_pack::{PackOptions, pack};
use sinew_samples::mannequin::Mannequin;
use sinew_samples::{MotionLoad, humanoid_character};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::sync::Arc;

struct Counting;

thread_local! {
    static MADE: Cell<usize> = const { Cell::new(0) };
    static HELD_BYTES: Cell<usize> = const { Cell::new(0) };
}

#[expect(
    unsafe_code,
    reason = "an allocator cannot be written otherwise; this one only counts"
)]
// SAFETY: every call goes to the system allocator unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // Fails only while a thread ends, which is after all measurements.
        let _ = MADE.try_with(|made| made.set(made.get() + 1));
        let _ = HELD_BYTES.try_with(|held| held.set(held.get().wrapping_add(layout.size())));
        // SAFETY: the caller meets the conditions of the system allocator.
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        let _ = HELD_BYTES.try_with(|held| held.set(held.get().wrapping_sub(layout.size())));
        // SAFETY: the caller meets the conditions of the system allocator.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

#[test]
fn a_frame_allocates_nothing() {
    let mut person = humanoid_character();
    for (name, width) in [("material.#0.metallic", 1), ("node.#0.visible", 1)] {
        let keys = Track::new(vec![0.0, 1.0], vec![0.0, 1.0], width, Interpolation::Linear);
        let (name, track) = (name.to_owned(), keys.unwrap());
        person
            .bindings
            .push(format!("{name}={name}").parse().unwrap());
        person.clips[0].curves.push(Curve { name, track });
    }
    let person = person;
    let mut driven = Driven::new(&person);
    let (skeleton, skin) = (&person.skeleton, &person.skins[0]);
    let surface = &person.meshes[0].primitives[0];
    let influences = surface.influences.as_ref().unwrap();
    let (mut positions, mut normals) = (
        surface.positions.to_vec(),
        surface.normals.as_ref().unwrap().to_vec(),
    );
    let mut local = LocalPose::identity(skeleton.len());
    let mut pose = ModelPose::identity(skeleton.len());
    let mut palette = Palette::default();
    let mut motions =
        DualQuatPalette::new(skeleton.hierarchy(), skeleton.rest_model().as_slice(), skin)
            .expect("of this skeleton");
    let plan = SkinPlan::new(influences, WeightFormat::U16);
    let at_bind = Vertices {
        positions: &surface.positions,
        normals: surface.normals.as_ref().map(|n| &n[..]),
        tangents: None,
    };
    let streams = Streams::gather(&plan, &at_bind).unwrap();
    let mut moved = streams.clone();
    let layout = VertexLayout {
        stride: 8,
        position: 0,
        normal: Some(3),
        tangent: None,
        order: Order::Mesh,
    };
    let mut buffer = vec![0.0; 8 * plan.len()];
    let mut frame = |time: f64| {
        sample(&person.clips[0], skeleton, time, &mut local).unwrap();
        driven.update(Some(&person.clips[0]), time);
        skeleton.clamp(&mut local).expect("of this skeleton");
        pose.update(skeleton.hierarchy(), &local, &Affine::IDENTITY)
            .expect("of this skeleton");
        palette
            .update(skin, pose.as_slice())
            .expect("of this skeleton");
        motions.update(pose.as_slice()).expect("of this skeleton");
        let bind = Vertices {
            positions: &surface.positions,
            normals: surface.normals.as_ref().map(|n| &n[..]),
            tangents: None,
        };
        let mut out = VerticesMut {
            positions: &mut positions,
            normals: Some(&mut normals),
            tangents: None,
        };
        rigid(palette.as_slice(), influences, &bind, &mut out).unwrap();
        linear(palette.as_slice(), influences, &bind, &mut out).unwrap();
        dual_quat(&motions, influences, &bind, &mut out).unwrap();
        for palette in [
            PaletteRef::Linear(palette.as_slice()),
            PaletteRef::DualQuat(&motions),
        ] {
            let job = SkinJob::new(&plan, palette, &streams);
            job.run(&mut moved).unwrap();
            job.run_with_bounds(&mut moved).unwrap();
            job.run_interleaved(&mut buffer, &layout).unwrap();
        }
    };
    frame(0.0);
    let before = MADE.get();
    for step in 1..20 {
        frame(f64::from(step) * 0.06);
    }
    assert_eq!(MADE.get() - before, 0);
    drop(Vec::<u8>::with_capacity(1));
    assert_eq!(MADE.get() - before, 1);
}

#[test]
fn playing_a_graph_and_blending_allocate_nothing() {
    let person = humanoid_character();
    let skeleton = &person.skeleton;
    let mut clip = person.clips[0].clone();
    let track = Track::new(vec![0.0], vec![1.0, 2.0], 2, Interpolation::Step).unwrap();
    let (name, weights) = ("lamp".to_owned(), track.clone());
    clip.curves.push(Curve { name, track });
    clip.morphs.push(MorphTrack { node: 0, weights });
    let clip: Arc<dyn Playable> = Arc::new(clip);
    let machine = StateMachine::new()
        .parameter("speed", 1.0)
        .parameter("go", 0.0)
        .state(State::blend(
            "walk",
            "speed",
            &[(0.0, "walk"), (2.0, "walk")],
        ))
        .state(State::clip("run", "walk").once())
        .transition(
            Transition::new("walk", "run")
                .when(Condition::triggered("go"))
                .cross_fade(0.4, Ease::Smooth),
        )
        .transition(
            Transition::new("run", "walk")
                .when(Condition::After(0.25))
                .inertia(0.4),
        )
        .layer(
            GraphLayer::new("arm")
                .state(State::blend_2d(
                    "wave",
                    ["speed", "go"],
                    &[
                        ([0.0, 0.0], "walk"),
                        ([2.0, 0.0], "walk"),
                        ([0.0, 2.0], "walk"),
                    ],
                ))
                .state(State::clip("walk", "walk"))
                .transition(
                    Transition::new("wave", "walk")
                        .when(Condition::triggered("go"))
                        .inertia(0.3),
                )
                .transition(
                    Transition::new("walk", "wave")
                        .when(Condition::Ended)
                        .cross_fade(0.3, Ease::Smooth),
                )
                .weight(0.5)
                .below("left_upper_arm"),
        )
        .layer(
            GraphLayer::new("sway")
                .state(State::clip("walk", "walk"))
                .weight_parameter("speed")
                .additive(Reference::FirstFrame),
        );
    let motion = RootMotion::of_clip(&clip, skeleton, 0, RootAxes::GROUND).unwrap();
    let graph = Graph::new(&machine, &Arc::new(skeleton.clone()), &[clip]).unwrap();
    let graph = graph.with_root_motion(vec![motion]).unwrap();
    let mut player = graph.player();
    let go = graph.parameter("go").unwrap();
    let [mut pose, mut out] = [(); 2].map(|_| LocalPose::identity(skeleton.len()));
    let mut sway = AdditivePose::none(skeleton.len());
    let arm = Mask::below(skeleton, 3);
    let mut heard = 0;
    let mut frame = |number: usize| {
        if number.is_multiple_of(7) {
            player.set_index(go, 1.0).unwrap();
        }
        player.update(0.05, |_| heard += 1).unwrap();
        player.pose_into(&mut pose).unwrap();
        player.curve("lamp", &mut [0.0; 2]).unwrap();
        player.morph_weights(0, &[0.5], &mut [0.0; 2]);
        sway.set_between(Level::best(), skeleton.rest(), &pose)
            .unwrap();
        let mut layers = [
            Layer::new(&pose, 0.5),
            Layer::new(skeleton.rest(), 0.25).masked(&arm),
            Layer::new(skeleton.rest(), 0.25),
        ];
        let additions = &mut [Addition::new(&sway, 0.5); 3];
        let job = BlendJob {
            additions,
            ..BlendJob::new(skeleton.rest(), &mut layers)
        };
        job.run(&mut out).unwrap();
    };
    frame(0);
    let before = MADE.get();
    for number in 1..200 {
        frame(number);
    }
    assert_eq!(MADE.get() - before, 0);
    assert!(heard > 10, "events were heard: {heard}");
}

#[test]
fn playing_packed_clips_allocates_nothing() {
    let person = humanoid_character();
    let skeleton = &person.skeleton;
    let packed = pack(skeleton, &person.clips[0], &PackOptions::default()).unwrap();
    let packed = packed.clip;
    let [mut a, mut b] = [(); 2].map(|_| LocalPose::identity(skeleton.len()));
    let mask: JointSet = (0..skeleton.len()).map(|joint| joint % 3 == 0).collect();
    let mut crowd = Crowd::new(skeleton);
    let mut maps = vec![Affine::IDENTITY; 5 * skeleton.len()];
    let mut frame = |time: f64| {
        crowd
            .pose(&mut maps, |character, pose| {
                packed.sample(time + 0.1 * character as f64, &mut a);
                packed.sample(time, &mut b);
                packed
                    .sample_masked(2.0 * time, &mask, &mut b)
                    .expect("of this skeleton");
                b.set(1, packed.sample_joint(1, time));
                let mut layers = [Layer::new(&a, 0.7), Layer::new(&b, 0.3)];
                let job = BlendJob::new(skeleton.rest(), &mut layers);
                job.run(pose).unwrap();
            })
            .unwrap();
    };
    frame(0.0);
    let before = MADE.get();
    for step in 1..20 {
        frame(f64::from(step) * 0.06);
    }
    assert_eq!(MADE.get() - before, 0);
}

#[test]
fn reaching_allocates_nothing() {
    let person = humanoid_character();
    let skeleton = &person.skeleton;
    let joint = |name: &str| skeleton.find(name).unwrap();
    let (upper, lower) = (joint("left_upper_arm"), joint("left_lower_arm"));
    let tip = Tip {
        joint: lower,
        offset: Vec3::NEG_Y * 0.25,
    };
    let mut chain = Chain::new(skeleton, 0, tip).unwrap();
    let mut solver = Dls::new(skeleton, 3);
    let mut pose = skeleton.rest().clone();
    let mut model = ModelPose::identity(skeleton.len());
    let options = ChainOptions::default();
    let mut frame = |number: usize| {
        let at = Vec3::new(0.3 + 0.01 * number as f32, 1.2, 0.2);
        let shares = [Share {
            joint: joint("head"),
            part: 1.0,
        }];
        let look = Aim {
            shares: &shares,
            eye: Tip::of(shares[0].joint),
            axis: Vec3::Z,
            target_in_model: at,
            up: None,
            weight: 1.0,
        };
        let goals = [
            Goal::position(lower, at),
            Goal::orientation(joint("head"), Quat::IDENTITY),
            Goal::look_at(joint("head"), Vec3::Z, at),
        ];
        let restarts = DlsOptions::default().restarts(2);
        let root = Affine::IDENTITY;
        model
            .update(skeleton.hierarchy(), &pose, &root)
            .expect("of this skeleton");
        let torso = *model.get(0);
        two_bone(
            skeleton,
            &mut pose,
            &torso,
            &TwoBone::new(upper, lower, tip, at),
        )
        .unwrap();
        aim(skeleton, &mut pose, &torso, &look).unwrap();
        ccd(
            skeleton,
            &mut pose,
            &root,
            Ccd::new(&mut chain, at).options(options),
        )
        .unwrap();
        fabrik(
            skeleton,
            &mut pose,
            &root,
            Fabrik::new(&mut chain, at).options(options),
        )
        .unwrap();
        dls(
            skeleton,
            &mut pose,
            &root,
            DlsJob::new(&mut solver, &goals).options(restarts),
        )
        .unwrap();
    };
    frame(0);
    let before = MADE.get();
    for number in 1..20 {
        frame(number);
    }
    assert_eq!(MADE.get() - before, 0);
}

fn legs() -> Skeleton {
    let at = |x: f32, y: f32| Transform::from_translation(Vec3::new(x, y, 0.0));
    let limited = |turn| Freedom {
        rotation: turn,
        ..Freedom::default()
    };
    let knee = limited(RotationLimit::Hinge {
        axis: Vec3::X,
        range: AngleRange::degrees(0.0, 150.0),
    });
    let ankle = limited(RotationLimit::Ball {
        axis: Vec3::NEG_Y,
        swing_rad: 0.3,
        twist: AngleRange::degrees(-20.0, 20.0),
    });
    let mut joints = vec![Joint::new("pelvis", None, at(0.0, 1.0))];
    for side in [0.1, -0.1] {
        let hip = joints.len();
        let named = |part: &str| format!("{part} {side}");
        joints.push(Joint::new(named("hip"), Some(0), at(side, 0.0)));
        let lower = Joint::new(named("knee"), Some(hip), at(0.0, -0.45));
        joints.push(lower.with_freedom(knee.clone()));
        let foot = Joint::new(named("ankle"), Some(hip + 1), at(0.0, -0.45));
        joints.push(foot.with_freedom(ankle.clone()));
    }
    Skeleton::new(joints).unwrap().0
}

#[test]
fn placing_feet_allocates_nothing() {
    let skeleton = legs();
    let placement = FootPlacement::new(0)
        .up(Vec3::Y)
        .max_drop(0.3)
        .max_rise(0.1)
        .max_tilt_rad(0.7);
    let mut pose = skeleton.rest().clone();
    let mut model = ModelPose::identity(skeleton.len());
    let mut reports = [FootReport::default(); 2];
    let mut reached = 0;
    let mut frame = |number: usize| {
        let slope = 0.04 * number as f32;
        let feet = [(1, 0.2), (4, -0.3)].map(|(hip, height)| Foot {
            hip,
            knee: hip + 1,
            ankle: hip + 2,
            sole: Vec3::NEG_Y * 0.1,
            ground_in_model: Vec3::Y * height * slope,
            ground_normal: Vec3::new(slope, 1.0, -slope),
        });
        pose.copy_from(skeleton.rest());
        let root = Affine::IDENTITY;
        model
            .update(skeleton.hierarchy(), &pose, &root)
            .expect("of this skeleton");
        place_feet(
            &skeleton,
            &mut pose,
            &mut model,
            Feet::new(placement, &feet, &mut reports),
        )
        .unwrap();
        reached += reports.iter().filter(|report| report.reached).count();
    };
    frame(0);
    let before = MADE.get();
    for number in 1..20 {
        frame(number);
    }
    assert_eq!(MADE.get() - before, 0);
    assert!(
        (1..40).contains(&reached),
        "some are out of reach: {reached}"
    );
}

#[test]
fn a_frame_through_the_face_allocates_nothing() {
    let person = Mannequin::default().build();
    let options = PackOptions::default();
    let packed = |clip: &Clip| pack(&person.skeleton, clip, &options).expect("packs").clip;
    let clips = person.clips.iter().map(packed);
    let clips = clips.map(|clip| Arc::new(clip) as Arc<dyn Playable>);
    let rig = Rig::with_clips(&person, Method::DualQuat, clips.collect()).expect("a rig");
    let machine = StateMachine::new()
        .parameter("speed", 1.0)
        .state(State::blend(
            "move",
            "speed",
            &[(0.0, "idle"), (2.0, "walk")],
        ));
    let mut player = machine.build(&rig).expect("a graph").player();
    let mut clock = rig.player("walk").expect("a clip");
    let mut hero = rig.actor();
    let find = |name: &str| rig.skeleton().find(name).expect("a joint");
    let arm = ["left_upper_arm", "left_lower_arm", "left_hand"].map(find);
    let head = find("head");
    let layout = VertexLayout {
        stride: 8,
        position: 0,
        normal: Some(3),
        tangent: None,
        order: Order::Mesh,
    };
    let mut buffer = vec![0.0; rig.vertices() * 8];
    let mut frame = || {
        clock.advance(0.02, |_| {});
        hero.sample(&clock).expect("its own rig");
        player.set("speed", 1.5).expect("a parameter");
        player.update(0.02, |_| {}).expect("a step");
        player.pose(&mut hero).expect("its own rig");
        let goal = Vec3::new(0.3, 1.3, 0.3);
        let reach = TwoBone::new(arm[0], arm[1], Tip::of(arm[2]), goal);
        hero.solve(&reach.weight(0.7)).expect("an arm");
        let shares = [Share {
            joint: head,
            part: 1.0,
        }];
        let look = Aim {
            shares: &shares,
            eye: Tip::of(head),
            axis: Vec3::Z,
            target_in_model: Vec3::ONE,
            up: None,
            weight: 1.0,
        };
        hero.solve(&look).expect("a head");
        hero.skin_into(&mut buffer, &layout).expect("it fits");
    };
    frame();
    let before = MADE.get();
    (0..20).for_each(|_| frame());
    assert_eq!(MADE.get() - before, 0);
}

#[test]
fn players_of_a_crowd_share_a_workspace_and_are_small() {
    let rig = Rig::new(&Mannequin::default().build(), Method::Linear).expect("a rig");
    let graph = walk_and_run::machine().build(&rig).expect("a graph");
    const PLAYERS: usize = 100;
    let mut workspace = graph.workspace();
    let mut pose = rig.skeleton().rest().clone();
    let before = HELD_BYTES.get();
    let mut players: Vec<_> = (0..PLAYERS).map(|_| graph.crowd_player()).collect();
    let idle_bytes = (HELD_BYTES.get() - before) / PLAYERS;
    assert!(idle_bytes < 1024, "{idle_bytes} bytes per idle character");

    let mut play = |players: &mut [GraphPlayer], speed: f32, frames: usize| {
        for player in &mut *players {
            player.set("speed", speed).expect("a parameter");
        }
        for _ in 0..frames {
            for player in &mut *players {
                let updated = player.update_in(&mut workspace, 0.02, |_| {});
                updated.expect("a step");
                player
                    .pose_into_in(&mut workspace, &mut pose)
                    .expect("a pose");
            }
        }
    };
    // Every member starts and stops once, so that the pool of inertia reaches its final size.
    play(&mut players, 2.0, 30);
    play(&mut players, 0.0, 30);
    let made = MADE.get();
    play(&mut players, 2.0, 30);
    play(&mut players, 0.0, 3);
    assert_eq!(MADE.get() - made, 0);
    assert!(players.iter().all(GraphPlayer::is_in_transition));
    play(&mut players, 0.0, 30);
    let idle = HELD_BYTES.get();
    drop(players);
    let idle_bytes = (idle - HELD_BYTES.get()) / PLAYERS;
    assert!(idle_bytes < 1024, "{idle_bytes} bytes after a transition");
}

/// A clip as files have it: every joint rotates at shared key times.
#[test]
fn playing_prepared_clips_allocates_nothing_and_preparing_takes_less_than_the_keys() {
    let MotionLoad { skeleton, clip } = MotionLoad::new(120);
    let before = HELD_BYTES.get();
    let prepared = clip.clone().prepared();
    let added = HELD_BYTES.get() - before;
    assert!(
        added < clip.bytes(),
        "{added} bytes besides {} of keys",
        clip.bytes()
    );
    let mut pose = skeleton.rest().clone();
    let odd: JointSet = (0..pose.len()).map(|joint| joint % 2 == 1).collect();
    let before = MADE.get();
    for step in 0..40 {
        let secs = 0.07 * f64::from(step) - 0.2;
        prepared
            .sample_into(&skeleton, secs, &mut pose)
            .expect("of this skeleton");
        let sampled = prepared.sample_joints_into(&skeleton, secs, &odd, &mut pose);
        sampled.expect("of this skeleton");
    }
    assert_eq!(MADE.get() - before, 0);
}
