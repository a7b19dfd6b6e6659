//! The whole story: walk to a table, reach, grasp on an event, carry the book.

use crate::story;

use glam::Vec3;
use sinew::clip::Clip;
use sinew::transform::quat;
use sinew::{Affine, LocalPose, ModelPose, Player, Skeleton, Wrap, sample};
use sinew_io::gltf::{self, ExportOptions};
use story::things::{self, Stage};
use story::{GRASP_EVENT, GRIP, Story};

/// Twice the rate of the legs' keys, so that every second sample lies between two.
const STEP_SECS: f64 = 1.0 / 480.0;

/// Samples between keys of all joints.
const KEYS: usize = 8;

pub fn at(clip: &Clip, skeleton: &Skeleton, secs: f64) -> (LocalPose, ModelPose) {
    let mut pose = skeleton.rest().clone();
    sample(clip, skeleton, secs, &mut pose).unwrap();
    let mut model = ModelPose::identity(skeleton.len());
    model
        .update(skeleton.hierarchy(), &pose, &Affine::IDENTITY)
        .expect("of this skeleton");
    (pose, model)
}

#[test]
fn a_book_is_still_until_it_is_grasped_and_then_goes_with_the_hand() {
    let story = Story::new().expect("a story");
    let (skeleton, clip) = (&story.character.skeleton, &story.character.clips[0]);
    let joint = |name: &str| skeleton.find(name).expect("a joint");
    let (hand, on_table, in_hand) = (joint("right_hand"), joint("book"), joint("book_in_hand"));
    let mut stage = Stage::new().expect("a scene");
    let lies = stage.scene.world_from_node(stage.book).expect("a book");
    let mut player = Player::new(Wrap::Clamp);
    let mut hand_from_book: Option<Affine> = None;
    let (mut way_before, mut way_after) = (0.0_f32, 0.0_f32);
    let mut before = None;
    while player.time_secs() < f64::from(clip.duration_secs) {
        let mut grasped = None;
        player.advance(clip, STEP_SECS, |event| {
            grasped = grasped.or((event.name == GRASP_EVENT).then_some(event.time_secs));
        });
        if let Some(secs) = grasped {
            let world_from_hand = *at(clip, skeleton, f64::from(secs)).1.get(hand);
            let off = world_from_hand
                .transform_point(GRIP)
                .distance(things::edge());
            println!("the hand is {:.2} mm from the book", 1e3 * off);
            assert!(off < 1e-4, "{off} m");
            stage.move_hand(world_from_hand).expect("a node");
            stage.grasp().expect("two nodes");
        }
        let (_, model) = at(clip, skeleton, player.clip_time_secs(clip));
        let world_from_hand = *model.get(hand);
        stage.move_hand(world_from_hand).expect("a node");
        let book = stage.scene.world_from_node(stage.book).expect("a book");
        let moved = before.replace(world_from_hand.translation());
        let moved = moved.map_or(0.0, |b: Vec3| b.distance(world_from_hand.translation()));
        match hand_from_book {
            None if grasped.is_none() => {
                assert_eq!(book, lies, "it lies still");
                assert!(model.get(on_table).max_difference(&lies) < 1e-6);
                way_before += moved;
            }
            _ => {
                let now = world_from_hand.inverse().expect("a size") * book;
                let first = *hand_from_book.get_or_insert(now);
                assert!(now.max_difference(&first) < 1e-5, "{now:?} {first:?}");
                // The file's second book appears in the hand, and the first is gone from the table.
                assert!(model.get(in_hand).max_difference(&book) < 1e-5);
                assert!(model.get(on_table).determinant() < 1e-6);
                way_after += moved;
            }
        }
    }
    assert!(hand_from_book.is_some(), "it was grasped");
    println!("the hand went {way_before:.2} m without the book and {way_after:.2} m with it");
    assert!(way_before > 2.0 && way_after > 2.0);
}

#[test]
fn on_the_way_feet_that_stand_do_not_slide_and_no_limit_is_passed() {
    let story = Story::new().expect("a story");
    let (skeleton, clip) = (&story.character.skeleton, &story.character.clips[0]);
    let balls = ["left_toes", "right_toes"].map(|name| skeleton.find(name).expect("a joint"));
    let rest = skeleton.rest_model();
    let steps = (f64::from(clip.duration_secs) / STEP_SECS) as usize;
    let frames: Vec<_> = (0..steps)
        .map(|s| at(clip, skeleton, s as f64 * STEP_SECS))
        .collect();
    let stands = |foot: usize, step: usize| {
        let secs = (step as f64 * STEP_SECS) as f32;
        let contacts = story.contacts[foot].iter();
        contacts
            .clone()
            .any(|[from, to]| (*from..=*to).contains(&secs))
    };
    let (mut fastest, mut highest, mut standing) = (0.0_f32, 0.0_f32, [0; 2]);
    for step in 0..steps {
        assert!(
            stands(0, step) || stands(1, step),
            "it flies at step {step}"
        );
        for foot in (0..2).filter(|&f| stands(f, step)) {
            standing[foot] += 1;
            let place = |step: usize| frames[step].1.get(balls[foot]).translation();
            let height = place(step).y - rest.get(balls[foot]).translation().y;
            highest = highest.max(height.abs());
            if step + 1 < steps && stands(foot, step + 1) {
                let speed = place(step).distance(place(step + 1)) / STEP_SECS as f32;
                fastest = fastest.max(speed);
            }
        }
    }
    println!(
        "standing feet move at {:.2} cm/s at most and are {:.2} mm off the ground; they stand {standing:?} of {steps} steps",
        100.0 * fastest,
        1e3 * highest
    );
    assert!(fastest < 0.01, "{fastest} m/s");
    assert!(highest < 0.002, "{highest} m");
    assert!(standing.iter().all(|&s| 2 * s > steps), "{standing:?}");

    let (mut excess, mut quickest) = ([(0.0_f32, ""); 2], (0.0_f32, ""));
    for (step, (pose, _)) in frames.iter().enumerate() {
        let mut allowed = pose.clone();
        skeleton.clamp(&mut allowed).expect("of this skeleton");
        for joint in 0..skeleton.len() {
            let turn = |pose: &LocalPose| pose.get(joint).rotation;
            let off = quat::angle_between(turn(pose), turn(&allowed));
            let between = usize::from(step % KEYS != 0);
            if off > excess[between].0 {
                excess[between] = (off, skeleton.name(joint));
            }
            if let Some((next, _)) = frames.get(step + 1) {
                let speed = quat::angle_between(turn(pose), turn(next)) / STEP_SECS as f32;
                if speed > quickest.0 {
                    quickest = (speed, skeleton.name(joint));
                }
            }
        }
    }
    println!("beyond limits by {excess:?} rad at keys and between, quickest {quickest:?} rad/s");
    assert!(excess[0].0 < 1e-5, "{excess:?}");
    // Between two rotations about two axes, the shortest path needs a little of the third.
    assert!(excess[1].0 < 5e-5, "{excess:?}");
    assert!(quickest.0 < 12.0, "{quickest:?}: it jumps");
}

#[test]
fn the_book_comes_through_a_file() {
    let story = Story::new().expect("a story");
    let bytes = gltf::to_glb(&story.character, &ExportOptions::default()).expect("a file");
    let read = sinew_io::import_bytes(&bytes)
        .expect("it can be read")
        .character;
    let names: Vec<&str> = read.nodes.iter().map(|n| n.name.as_str()).collect();
    for name in ["mannequin", "table", "book", "book_in_hand", "right_hand"] {
        assert!(names.contains(&name), "{name}: {names:?}");
    }
    let [there, here] = [&story.character, &read];
    let hand = |c: &sinew::Character| c.skeleton.find("book_in_hand").expect("a joint");
    for secs in [0.0, 2.0, 4.5, 7.0] {
        let place = |c: &sinew::Character| *at(&c.clips[0], &c.skeleton, secs).1.get(hand(c));
        assert!(place(there).max_difference(&place(here)) < 1e-5, "{secs}");
    }
}
