//! Drawings over a picture are of the same moment as the picture.

use super::Driver;
use egui::{Shape, vec2};
use egui_kittest::kittest::Queryable;
use sinew::{Affine, LocalPose, ModelPose, sample};
use sinew_view::state::{Overlay, Selection};
use sinew_view::{LookCommand, PlaybackCommand, SelectionCommand, Session};

const JOINT: &str = "left_hand";

fn playing(is_playing: bool) -> Option<Driver> {
    let mut driver = Driver::new(Session::default())?;
    driver.run(PlaybackCommand::RootMotion { on: true });
    driver.run(PlaybackCommand::Clip { clip: Some(1) });
    driver.run(match is_playing {
        true => PlaybackCommand::Play,
        false => PlaybackCommand::Pause,
    });
    // The name of the selected joint is always drawn.
    let file = &driver.session().document().files()[0];
    let joint = file.character.skeleton.find(JOINT).expect("a hand");
    let selection = Selection::Joint(joint);
    driver.run(SelectionCommand::Select { selection });
    let overlay = Overlay::Names;
    driver.run(LookCommand::Overlay { overlay, on: true });
    driver.frames(2);
    Some(driver)
}

/// Left edge and middle of the name in the last frame.
fn written(driver: &Driver) -> Option<egui::Pos2> {
    fn find(shape: &Shape) -> Option<egui::Pos2> {
        match shape {
            Shape::Vec(shapes) => shapes.iter().find_map(find),
            Shape::Text(text) if text.galley.text() == JOINT => {
                let height = text.galley.size().y;
                Some(text.pos + vec2(0.0, height / 2.0))
            }
            _ => None,
        }
    }
    let picture = driver.0.get_by_label("Picture").rect();
    let shapes = driver.0.output().shapes.iter();
    let mut in_picture = shapes.filter(|own| picture.contains_rect(own.clip_rect));
    in_picture.find_map(|own| find(&own.shape))
}

/// Position of the joint for the present camera, clip and time.
fn seen(driver: &Driver) -> egui::Pos2 {
    let state = driver.state();
    let character = &driver.session().document().files()[0].character;
    let skeleton = &character.skeleton;
    let mut local = LocalPose::identity(0);
    let time_secs = state.playback.time_secs;
    sample(&character.clips[1], skeleton, time_secs, &mut local).expect("a pose");
    let mut model = ModelPose::identity(0);
    let updated = model.update(skeleton.hierarchy(), &local, &Affine::IDENTITY);
    updated.expect("a pose");
    let joint = skeleton.find(JOINT).expect("a hand");
    let picture = driver.0.get_by_label("Picture").rect();
    let clip_from_world = state
        .camera
        .camera()
        .clip_from_world(picture.aspect_ratio());
    let at = clip_from_world.project_point3(model.get(joint).translation());
    picture.lerp_inside(vec2(0.5 + 0.5 * at.x, 0.5 - 0.5 * at.y))
}

/// Asserts that the name is beside the joint.
#[track_caller]
fn assert_beside(driver: &Driver) {
    let (written, seen) = (written(driver).expect("a name"), seen(driver));
    let off = written - seen - vec2(9.0, 0.0);
    assert!(off.length() < 1.5, "{written:?} for {seen:?}");
}

#[test]
fn names_are_where_the_joints_are_while_a_clip_plays() {
    let Some(mut driver) = playing(true) else {
        return;
    };
    let mut moved = 0.0_f32;
    for _ in 0..4 {
        let before = seen(&driver);
        driver.frames(1);
        assert_beside(&driver);
        moved = moved.max(before.distance(seen(&driver)));
    }
    assert!(moved > 3.0, "the hand moves by {moved} points");
}

#[test]
fn names_are_where_the_joints_are_while_the_camera_turns() {
    let Some(mut driver) = playing(false) else {
        return;
    };
    let before = seen(&driver);
    let middle = driver.0.get_by_label("Picture").rect().center() + vec2(150.0, 0.0);
    driver.0.hover_at(middle);
    driver.0.drag_at(middle);
    driver.frames(1);
    for step in 1..4 {
        driver.0.hover_at(middle + vec2(25.0 * step as f32, 0.0));
        driver.frames(1);
        assert_beside(&driver);
    }
    assert!(before.distance(seen(&driver)) > 10.0, "the camera rotates");
}
