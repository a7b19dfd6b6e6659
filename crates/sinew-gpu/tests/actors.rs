//! Actors on the GPU: crowds, and drawn characters.

use crate::common::gpu_or_skip;
use sinew::glam::Vec3;
use sinew::graph::{State, StateMachine};
use sinew::rig::CrowdPlayer;
use sinew::skin::{Layout, Order};
use sinew::{Actor, Character, Method, Rig, deform};
use sinew_gpu::{
    Camera, Gpu, GpuCharacter, GpuCrowd, GpuError, RenderError, Renderer, SkinOptions,
    SkinnedVertex, Stage, View,
};
use sinew_samples::{mannequin::Mannequin, muscle_character, tube_character};

/// Max difference between GPU and CPU, relative to the extent of the mesh.
const TOLERANCE: f32 = 4e-6;

fn vertices(gpu: &Gpu, crowd: &GpuCrowd, member: usize, part: usize) -> Vec<SkinnedVertex> {
    let bytes = crowd.vertex_bytes(member, part);
    let read = gpu.read(crowd.vertices(), bytes.start, bytes.end - bytes.start);
    bytemuck::pod_collect_to_vec(&read.expect("read"))
}

fn corners(actor: &mut Actor) -> Vec<Vec3> {
    let rig = actor.rig().clone();
    let layout = Layout {
        stride: 6,
        position: 0,
        normal: Some(3),
        tangent: None,
        order: Order::Mesh,
    };
    let mut buffer = vec![0.0; rig.vertices() * layout.stride];
    actor.skin_into(&mut buffer[..], &layout).expect("skinned");
    let corner = |&v: &u32| Vec3::from_slice(&buffer[v as usize * layout.stride..]);
    rig.indices().iter().map(corner).collect()
}

fn posed(rig: &Rig, time_secs: f64) -> Actor {
    let mut actor = rig.actor();
    let mut player = rig.player("0").expect("a first clip");
    player.seek(time_secs);
    actor.sample(&player).expect("of the same rig");
    actor
}

#[test]
fn members_of_a_crowd_are_where_their_actors_are() {
    let Some(gpu) = gpu_or_skip() else { return };
    let figures: [Character; 2] = [Mannequin::default().build(), tube_character()];
    for (character, method) in figures.iter().flat_map(|c| {
        [
            (c, Method::Linear),
            (c, Method::DualQuat),
            (c, Method::Rigid),
        ]
    }) {
        let rig = Rig::new(character, method).expect("a rig");
        let mut crowd = GpuCrowd::new(&gpu, &rig, 3, SkinOptions::default()).expect("room");
        assert_eq!(crowd.len(), 3);
        let mut actors = [0.0, 0.21, 0.45].map(|time| posed(&rig, time));
        for (member, actor) in actors.iter_mut().enumerate() {
            crowd.set(member, actor).expect("of the same rig");
        }
        let mut encoder = gpu.encoder();
        crowd.encode(&gpu, &mut encoder).expect("encoded");
        gpu.submit(encoder);
        for (member, actor) in actors.iter_mut().enumerate() {
            let expected = corners(actor);
            let found = (0..rig.parts().len()).flat_map(|part| {
                let skinned = vertices(&gpu, &crowd, member, part);
                let corner = move |&v: &u32| Vec3::from(skinned[v as usize].position);
                crowd.indices(part).iter().map(corner).collect::<Vec<_>>()
            });
            let found: Vec<_> = found.collect();
            assert_eq!(found.len(), expected.len());
            assert!(!found.is_empty());
            for (a, b) in found.iter().zip(&expected) {
                assert!(
                    a.distance(*b) < 2.0 * TOLERANCE,
                    "{method:?} {member}: {a} {b}"
                );
            }
        }
    }
}

#[test]
fn a_crowd_that_plays_a_graph_is_where_its_members_are() {
    let Some(gpu) = gpu_or_skip() else { return };
    let person = Mannequin::default().build();
    for method in [Method::Linear, Method::DualQuat] {
        let rig = Rig::new(&person, method).expect("a rig");
        let machine = StateMachine::new().state(State::clip("go", "walk"));
        let graph = machine.build(&rig).expect("a graph");
        let mut players = CrowdPlayer::new(&graph, &rig, 4).expect("a crowd");
        for member in 0..4 {
            let player = players.player_mut(member).expect("a member");
            player.jump("go", 0.3 * member as f64).expect("a state");
        }
        players.update(0.05, |_, _| {}).expect("a step");
        let mut crowd = GpuCrowd::new(&gpu, &rig, 3, SkinOptions::default()).expect("room");
        crowd.set_all(&mut players).expect("the same rig");
        let mut encoder = gpu.encoder();
        crowd.encode(&gpu, &mut encoder).expect("encoded");
        gpu.submit(encoder);
        for member in 0..3 {
            let mut player = graph.player();
            player.jump("go", 0.3 * member as f64).expect("a state");
            player.update(0.05, |_| {}).expect("a step");
            let mut actor = rig.actor();
            player.pose(&mut actor).expect("the same rig");
            let expected = corners(&mut actor);
            let found = (0..rig.parts().len()).flat_map(|part| {
                let skinned = vertices(&gpu, &crowd, member, part);
                let corner = move |&v: &u32| Vec3::from(skinned[v as usize].position);
                crowd.indices(part).iter().map(corner).collect::<Vec<_>>()
            });
            for (a, b) in found.zip(&expected) {
                assert!(
                    a.distance(*b) < 2.0 * TOLERANCE,
                    "{method:?} {member}: {a} {b}"
                );
            }
        }
        let other = Rig::new(&person, method).expect("a rig");
        let mut other = GpuCrowd::new(&gpu, &other, 3, SkinOptions::default()).expect("room");
        assert_eq!(other.set_all(&mut players), Err(GpuError::OtherRig));
    }
}

#[test]
fn a_crowd_refuses_whom_it_has_no_room_for() {
    let Some(gpu) = gpu_or_skip() else { return };
    let tube = tube_character();
    let rig = Rig::new(&tube, Method::Linear).expect("a rig");
    let mut crowd = GpuCrowd::new(&gpu, &rig, 2, SkinOptions::default()).expect("room");
    let refused = crowd.set(2, &mut rig.actor()).unwrap_err();
    assert!(
        matches!(
            refused,
            GpuError::NoSuch {
                index: 2,
                len: 2,
                ..
            }
        ),
        "{refused}"
    );
    let other = Rig::new(&tube, Method::Linear).expect("a rig");
    assert_eq!(crowd.set(0, &mut other.actor()), Err(GpuError::OtherRig));
    assert_eq!(crowd.vertex_bytes(2, 0), 0..0);
    assert_eq!(crowd.vertex_bytes(0, 9), 0..0);
    assert!(crowd.indices(9).is_empty());
    let nobody = GpuCrowd::new(&gpu, &rig, 0, SkinOptions::default()).expect("nothing to hold");
    assert!(nobody.is_empty());
}

#[test]
fn a_drawn_character_follows_an_actor_as_it_follows_the_clip() {
    let Some(gpu) = gpu_or_skip() else { return };
    for character in [Mannequin::default().build(), tube_character()] {
        let mut figure = GpuCharacter::new(&gpu, &character, Method::DualQuat).expect("a figure");
        figure.pose(&gpu, &character, Some(0), 0.3).expect("posed");
        let by_clip = (figure.bounds(), picture(&gpu, &figure));
        figure.pose(&gpu, &character, None, 0.0).expect("at rest");
        assert_ne!(figure.bounds(), by_clip.0);
        let rig = Rig::new(&character, Method::DualQuat).expect("a rig");
        figure
            .pose_actor(&gpu, &mut posed(&rig, 0.3))
            .expect("of the same character");
        assert_eq!(figure.bounds(), by_clip.0);
        // Unskinned parts multiply in another order, which changes the rounding.
        let now = picture(&gpu, &figure);
        assert_eq!(now.len(), by_clip.1.len());
        let off = now.iter().zip(&by_clip.1).map(|(a, b)| a.abs_diff(*b));
        assert!(off.max() <= Some(1), "another picture");
    }
}

#[test]
fn a_drawn_character_refuses_the_actor_of_another() {
    let Some(gpu) = gpu_or_skip() else { return };
    let (tube, person) = (tube_character(), Mannequin::default().build());
    let rig = Rig::new(&person, Method::Linear).expect("a rig");
    let mut figure = GpuCharacter::new(&gpu, &tube, Method::Linear).expect("a figure");
    let refused = figure.pose_actor(&gpu, &mut rig.actor());
    assert_eq!(refused, Err(RenderError::Gpu(GpuError::OtherRig)));
    let mut compared = GpuCharacter::new(&gpu, &person, Method::Quaternion).expect("a figure");
    let refused = compared.pose_actor(&gpu, &mut rig.actor());
    assert_eq!(refused, Err(RenderError::Gpu(GpuError::NoSuchMethod)));
    let moment = deform(&tube, None, 0.0, Method::Quaternion).expect("a moment");
    assert_eq!(figure.show(&gpu, &moment), Err(RenderError::SkinnedOnGpu));
    assert_eq!(
        compared.show(&gpu, &moment),
        Err(RenderError::OtherCharacter)
    );
}

fn picture(gpu: &Gpu, figure: &GpuCharacter) -> Vec<u8> {
    let stage = Stage {
        characters: vec![figure],
        ..Stage::default()
    };
    let corners = sinew_gpu::corners(figure.bounds().expect("something"));
    let camera = Camera::framing(corners.to_vec(), sinew_gpu::direction(0.6, 0.15), 1.0);
    let view = View {
        size: [96, 96],
        camera,
        ..View::default()
    };
    let mut renderer = Renderer::new(gpu).expect("a renderer");
    renderer
        .render(gpu, &stage, &view)
        .expect("a picture")
        .rgba()
        .to_vec()
}

#[test]
fn correctives_and_bound_curves_move_the_same_vertices_on_the_gpu() {
    let Some(gpu) = gpu_or_skip() else { return };
    let limb = muscle_character();
    for method in [Method::Linear, Method::DualQuat] {
        let rig = Rig::new(&limb, method).expect("a rig");
        let mut crowd = GpuCrowd::new(&gpu, &rig, 4, SkinOptions::default()).expect("room");
        let machine = StateMachine::new()
            .state(State::clip("twist", "twist"))
            .state(State::clip("bend", "bend"));
        let graph = machine.build(&rig).expect("a graph");
        let mut players = CrowdPlayer::new(&graph, &rig, 4).expect("a crowd");
        let moments = [(0, 0.5), (0, 0.8), (1, 1.1), (1, 1.9)];
        for by_graph in [false, true] {
            for (member, (clip, time)) in moments.into_iter().enumerate() {
                let mut player = rig.player(&limb.clips[clip].name).expect("a clip");
                player.seek(time);
                let mut actor = rig.actor();
                actor.sample(&player).expect("of the same rig");
                crowd.set(member, &mut actor).expect("of the same rig");
                let player = players.player_mut(member).expect("one of four");
                player
                    .jump(&limb.clips[clip].name, time / 2.0)
                    .expect("a state");
            }
            if by_graph {
                players.update(0.0, |_, _| {}).expect("a step");
                crowd.set_all(&mut players).expect("of the same rig");
            }
            let mut encoder = gpu.encoder();
            crowd.encode(&gpu, &mut encoder).expect("encoded");
            gpu.submit(encoder);
            for (member, (clip, time)) in moments.into_iter().enumerate() {
                let wanted = deform(&limb, Some(clip), time, method).expect("deformed");
                let wanted = &wanted.primitives[0].positions;
                let corners = limb.meshes[0].primitives[0].triangles().flatten();
                let skinned = vertices(&gpu, &crowd, member, 0);
                let found = crowd
                    .indices(0)
                    .iter()
                    .map(|&v| skinned[v as usize].position);
                let pairs = found
                    .zip(corners)
                    .map(|(a, b)| Vec3::from(a).distance(wanted[b]));
                let off = pairs.fold(0.0, f32::max);
                assert!(
                    off < 4.0 * TOLERANCE,
                    "{method:?} {by_graph} {member}: {off}"
                );
            }
        }
    }
}

#[test]
fn a_drawn_character_has_the_shape_of_its_actor() {
    let Some(gpu) = gpu_or_skip() else { return };
    let limb = muscle_character();
    let bare = Character {
        correctives: Vec::new(),
        layers: Vec::new(),
        ..limb.clone()
    };
    let mut renderer = Renderer::new(&gpu).expect("pipelines");
    let mut drawn = |character: &Character, by_actor: bool| {
        let mut figure = GpuCharacter::new(&gpu, character, Method::DualQuat).expect("room");
        match by_actor {
            true => {
                let rig = Rig::new(character, Method::DualQuat).expect("a rig");
                let mut player = rig.player("bend").expect("a clip");
                player.seek(1.8);
                let mut actor = rig.actor();
                actor.sample(&player).expect("of the same rig");
                figure.pose_actor(&gpu, &mut actor).expect("posed");
            }
            false => figure.pose(&gpu, character, Some(1), 1.8).expect("posed"),
        }
        let stage = Stage {
            characters: vec![&figure],
            ..Stage::default()
        };
        let view = View {
            size: [64, 64],
            camera: Camera {
                target: Vec3::Y * 0.8,
                ..Camera::default()
            },
            ..View::default()
        };
        renderer.render(&gpu, &stage, &view).expect("drawn")
    };
    let by_clip = drawn(&limb, false);
    assert_eq!(by_clip, drawn(&limb, true));
    assert_ne!(by_clip, drawn(&bare, false), "the muscle is seen");
}
