use glam::Vec3;
use sinew::corrective::Corrective;
use sinew::graph::{State, StateMachine};
use sinew::measure::measure;
use sinew::rig::CrowdPlayer;
use sinew::skin::{Layout, Order};
use sinew::transform::Axis;
use sinew::{Actor, Character, CharacterError, Method, Rig, deform};
use sinew_samples::muscle_character;

const BEND: usize = 1;

/// By hand: the joint rotates evenly to 120° in 2 s. Weight 0 at 20°, 1 at 120°, 3x² - 2x³ between.
fn weight_at(time_secs: f64) -> f32 {
    let near = (1.0 - (120.0 - 60.0 * time_secs) / 100.0).max(0.0);
    (near * near * (3.0 - 2.0 * near)) as f32
}

fn by_hand(time_secs: f64) -> Character {
    let mut limb = muscle_character();
    limb.correctives.clear();
    limb.nodes.last_mut().expect("the mesh").morph_weights = vec![weight_at(time_secs)];
    limb
}

fn positions(character: &Character, time_secs: f64, method: Method) -> Vec<Vec3> {
    let deformed = deform(character, Some(BEND), time_secs, method).expect("deformed");
    deformed.primitives[0].positions.clone()
}

fn by_actor(actor: &mut Actor) -> Vec<Vec3> {
    let layout = Layout {
        stride: 3,
        position: 0,
        normal: None,
        tangent: None,
        order: Order::Mesh,
    };
    let mut buffer = vec![0.0; 3 * actor.rig().vertices()];
    actor.skin_into(&mut buffer[..], &layout).expect("skinned");
    buffer.chunks_exact(3).map(Vec3::from_slice).collect()
}

fn apart(a: &[Vec3], b: &[Vec3]) -> f32 {
    assert_eq!(a.len(), b.len());
    a.iter()
        .zip(b)
        .map(|(a, b)| a.distance(*b))
        .fold(0.0, f32::max)
}

#[test]
fn a_pose_drives_its_morph_target_wherever_it_is_deformed() {
    let limb = muscle_character();
    assert_eq!((weight_at(0.2), weight_at(2.0)), (0.0, 1.0));
    for method in [Method::Linear, Method::DualQuat] {
        let rig = Rig::new(&limb, method).expect("a rig");
        let (mut actor, mut player) = (rig.actor(), rig.player("bend").expect("a clip"));
        for time in [0.0, 0.2, 0.9, 1.4, 1.99] {
            let wanted = positions(&by_hand(time), time, method);
            let off = apart(&positions(&limb, time, method), &wanted);
            assert!(off < 2e-6, "{method:?} at {time}: {off}");
            player.seek(time);
            actor.sample(&player).expect("of the same rig");
            let off = apart(&by_actor(&mut actor), &wanted);
            assert!(off < 2e-6, "an actor, {method:?} at {time}: {off}");
        }
        let without = positions(&by_hand(0.0), 1.99, method);
        assert!(
            apart(&positions(&limb, 1.99, method), &without) > 0.15,
            "it swells"
        );
    }
}

#[test]
fn it_is_the_last_pose_that_counts() {
    let limb = muscle_character();
    let rig = Rig::new(&limb, Method::Linear).expect("a rig");
    let (mut actor, player) = (rig.actor(), rig.player("bend").expect("a clip"));
    actor.sample(&player).expect("of the same rig");
    assert_eq!(actor.morph_weights(0), [0.0]);
    actor
        .pose_mut()
        .set_rotation(1, Axis::Z.rotation(120_f32.to_radians()));
    assert!((actor.morph_weights(0)[0] - 1.0).abs() < 1e-6);
    let wanted = positions(&by_hand(2.0), 2.0, Method::Linear);
    assert!(apart(&by_actor(&mut actor), &wanted) < 2e-6);
    // Added once, not in every call.
    actor.set_morph_weights(|_, _, out| out.fill(0.25));
    for _ in 0..2 {
        assert!((actor.morph_weights(0)[0] - 1.25).abs() < 1e-6);
    }
}

#[test]
fn members_of_a_crowd_have_the_weights_of_actors() {
    let limb = muscle_character();
    let rig = Rig::new(&limb, Method::Linear).expect("a rig");
    let machine = StateMachine::new().state(State::clip("bend", "bend"));
    let graph = machine.build(&rig).expect("a graph");
    let mut crowd = CrowdPlayer::new(&graph, &rig, 3).expect("a crowd");
    for member in 0..3 {
        let player = crowd.player_mut(member).expect("one of three");
        player
            .jump("bend", 0.3 * (member + 1) as f64)
            .expect("a state");
    }
    crowd.update(0.1, |_, _| {}).expect("a step");
    for member in 0..3 {
        let time = 0.6 * (member + 1) as f64 + 0.1;
        let mut weights = [f32::NAN];
        crowd.morph_weights(member, 0, &mut weights);
        let off = (weights[0] - weight_at(time)).abs();
        assert!(off < 1e-5, "{member}: {weights:?}, {}", weight_at(time));
        let mut player = graph.player();
        player
            .jump("bend", 0.3 * (member + 1) as f64)
            .expect("a state");
        player.update(0.1, |_| {}).expect("a step");
        let mut actor = rig.actor();
        player.pose(&mut actor).expect("of the same rig");
        assert_eq!(actor.morph_weights(0), weights, "{member}");
    }
}

#[test]
fn the_volume_that_is_measured_is_that_of_the_corrected_shape() {
    let limb = muscle_character();
    let bare = Character {
        correctives: Vec::new(),
        layers: Vec::new(),
        ..limb.clone()
    };
    let volumes = [&limb, &bare].map(|limb| {
        let measured = measure(limb, Some(BEND), &[1.999], &[Method::DualQuat]).expect("measured");
        measured.methods[0].frames[0].volume.expect("it is closed")
    });
    assert!(volumes[0] != volumes[1], "{volumes:?}");
}

#[test]
fn one_that_names_what_is_not_there_is_refused() {
    let fine = muscle_character();
    let right = fine.correctives[0];
    for (wrong, what) in [
        (Corrective { joint: 2, ..right }, "joint"),
        (Corrective { mesh: 1, ..right }, "mesh"),
        (Corrective { morph: 1, ..right }, "morph target"),
    ] {
        let mut limb = fine.clone();
        limb.correctives.push(wrong);
        let refused = limb.check().expect_err("refused");
        let CharacterError::Reference {
            location: place,
            what: found,
            ..
        } = &refused
        else {
            panic!("{refused}");
        };
        assert_eq!((place.as_str(), *found), ("corrective 1", what));
    }
    for falloff_rad in [0.0, -1.0, f32::NAN] {
        let odd = Corrective {
            falloff_rad,
            ..right
        };
        assert_eq!(odd.weight(&fine.skeleton, fine.skeleton.rest()), 0.0);
    }
}
