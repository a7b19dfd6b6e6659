//! Poses in the picture: rings, arrows, boxes and numbers, by pixels and keys.

use super::Driver;
use egui::{Event, Key, Modifiers, Pos2, Rect, vec2};
use egui_kittest::kittest::Queryable;
use glam::{Quat, Vec3};
use sinew::{Affine, ModelPose, Transform};
use sinew_view::document::{MadeFigure, OpenFile};
use sinew_view::state::{PoseTool, Preset, Selection};
use sinew_view::{
    CameraCommand, FileCommand, HistoryCommand, PlaybackCommand, PoseCommand, SelectionCommand,
    Session,
};

/// Distance from the joint to a ring on the screen, in points.
const RING: f32 = 94.0;

/// Radius of the rings of axes, and distance to the ends of arrows and boxes, in points.
pub(super) const AXES: f32 = 78.0;

pub(super) fn file(driver: &Driver) -> &OpenFile {
    let shown = driver.state().shown;
    driver.session().document().file(shown).expect("open")
}

/// Window with the mannequin at rest, seen from the front, and a joint selected.
pub(super) fn posing(joint: &str) -> Option<(Driver, usize)> {
    let mut driver = Driver::new(Session::default())?;
    driver.run(PlaybackCommand::Clip { clip: None });
    driver.run(CameraCommand::Preset {
        preset: Preset::Front,
    });
    let index = select(&mut driver, joint);
    Some((driver, index))
}

pub(super) fn select(driver: &mut Driver, joint: &str) -> usize {
    let joint = file(driver)
        .character
        .skeleton
        .find(joint)
        .expect("a joint");
    driver.run(SelectionCommand::Select {
        selection: Selection::Joint(joint),
    });
    driver.frames(2);
    joint
}

pub(super) fn rest(driver: &Driver, joint: usize) -> Transform {
    file(driver).character.skeleton.rest().get(joint)
}

pub(super) fn model(driver: &Driver) -> ModelPose {
    let file = file(driver);
    let skeleton = &file.character.skeleton;
    let mut pose = skeleton.rest().clone();
    if let Some(clip) = driver.session().clip() {
        let time_secs = driver.state().playback.time_secs;
        let sampled = sinew::sample(clip, skeleton, time_secs, &mut pose);
        sampled.expect("a clip of this skeleton");
    }
    for (&joint, &transform) in file.pose.iter() {
        pose.set(joint, transform);
    }
    let mut model = ModelPose::identity(skeleton.len());
    let updated = model.update(skeleton.hierarchy(), &pose, &Affine::IDENTITY);
    updated.expect("a pose of this skeleton");
    model
}

pub(super) fn picture(driver: &Driver) -> Rect {
    driver.0.get_by_label("Picture").rect()
}

/// Position of a joint in the window.
pub(super) fn on_screen(driver: &Driver, at: Vec3) -> Pos2 {
    let rect = picture(driver);
    let clip = driver.state().camera.camera();
    let clip = clip.clip_from_world(rect.width() / rect.height()) * at.extend(1.0);
    let part = vec2(clip.x / clip.w * 0.5 + 0.5, 0.5 - clip.y / clip.w * 0.5);
    rect.min + part * rect.size()
}

pub(super) fn press(driver: &mut Driver, at: Pos2) {
    driver.0.hover_at(at);
    driver.frames(1);
    driver.0.drag_at(at);
    driver.frames(1);
}

pub(super) fn release(driver: &mut Driver, at: Pos2) {
    driver.0.drop_at(at);
    driver.frames(3);
}

pub(super) fn drag(driver: &mut Driver, from: Pos2, steps: &[Pos2]) {
    press(driver, from);
    for &to in steps {
        driver.0.hover_at(to);
        driver.frames(1);
    }
    release(driver, *steps.last().expect("a step"));
}

fn type_text(driver: &mut Driver, text: &str) {
    for letter in text.chars() {
        let key = Key::from_name(&letter.to_string()).expect("a key");
        driver.0.key_press(key);
        driver.0.event(Event::Text(letter.to_string()));
        driver.frames(1);
    }
}

/// Points of the screen ring of the selected joint, from 0° to an angle against the clock.
pub(super) fn arc(driver: &Driver, joint: usize, degrees: f32) -> Vec<Pos2> {
    let middle = on_screen(driver, model(driver).get(joint).translation());
    (0..=8)
        .map(|step| {
            let angle = (degrees * step as f32 / 8.0).to_radians();
            middle + vec2(angle.cos(), -angle.sin()) * RING
        })
        .collect()
}

fn turned(driver: &Driver, joint: usize) -> Quat {
    let now = file(driver).pose.get(&joint).expect("a posed joint");
    rest(driver, joint).rotation.conjugate() * now.rotation
}

#[test]
fn a_ring_rotates_a_joint_as_far_as_the_pointer_and_one_undo_takes_it_back() {
    let Some((mut driver, head)) = posing("head") else {
        return;
    };
    let before = driver.state().camera;
    let path = arc(&driver, head, 20.0);
    drag(&mut driver, path[0], &path[1..]);
    let by = turned(&driver, head).to_axis_angle().1.to_degrees();
    assert!((by - 20.0).abs() < 1.0, "{by}");
    assert_eq!(driver.state().camera, before);
    let editor = driver.session().editor(driver.state().shown);
    assert_eq!(editor.expect("an editor").done().len(), 1);
    driver.run(HistoryCommand::Undo);
    assert!(file(&driver).pose.is_empty());
}

#[test]
fn beside_the_gizmo_the_camera_orbits() {
    let Some((mut driver, head)) = posing("head") else {
        return;
    };
    let before = driver.state().camera;
    let far = arc(&driver, head, 0.0)[0] + vec2(60.0, 200.0);
    drag(&mut driver, far, &[far + vec2(40.0, 0.0)]);
    assert_ne!(driver.state().camera, before);
    assert!(file(&driver).pose.is_empty());
    driver.key(Key::Q);
    assert_eq!(driver.state().posing.tool, PoseTool::Select);
    let path = arc(&driver, head, 20.0);
    drag(&mut driver, path[0], &path[1..]);
    assert!(file(&driver).pose.is_empty());
}

#[test]
fn a_knee_stops_at_its_limit_unless_limits_are_off() {
    let Some((mut driver, knee)) = posing("left_lower_leg") else {
        return;
    };
    driver.run(CameraCommand::Preset {
        preset: Preset::Left,
    });
    driver.frames(2);
    let skeleton = file(&driver).character.skeleton.clone();
    let rest = rest(&driver, knee).rotation;
    let allowed = |now: Quat| skeleton.freedom(knee).clamp_rotation(rest, now);
    let mut passed = 0;
    for degrees in [-60.0, 60.0] {
        let path = arc(&driver, knee, degrees);
        press(&mut driver, path[0]);
        for &to in &path[1..] {
            driver.0.hover_at(to);
            driver.frames(1);
        }
        driver.frames(1);
        let is_said = driver.0.query_by_label_contains("at limit: left_lower_leg");
        let is_said = is_said.is_some();
        release(&mut driver, path[8]);
        let now = file(&driver).pose[&knee].rotation;
        assert!(now.angle_between(allowed(now)) < 1e-3, "{degrees}");
        let stopped = now.angle_between(rest) < 30_f32.to_radians();
        assert!(is_said || !stopped, "{degrees}");
        driver.run(HistoryCommand::Undo);
        driver.click("Stop at limits");
        let path = arc(&driver, knee, degrees);
        drag(&mut driver, path[0], &path[1..]);
        let now = file(&driver).pose[&knee].rotation;
        let by = now.angle_between(rest).to_degrees();
        assert!((by - 60.0).abs() < 1.0, "{by}");
        passed += usize::from(stopped);
        driver.run(HistoryCommand::Undo);
        driver.click("Stop at limits");
    }
    assert_eq!(passed, 1, "a knee bends to one side");
}

#[test]
fn a_number_typed_while_dragging_replaces_the_amount_and_esc_takes_it_back() {
    let Some((mut driver, head)) = posing("head") else {
        return;
    };
    driver.run(PoseCommand::PoseLimits { on: false });
    let path = arc(&driver, head, 20.0);
    press(&mut driver, path[0]);
    driver.0.hover_at(path[4]);
    driver.frames(1);
    let camera = driver.state().camera;
    type_text(&mut driver, "35");
    driver.0.key_press(Key::Enter);
    driver.frames(1);
    driver.0.hover_at(path[8]);
    driver.frames(1);
    release(&mut driver, path[8]);
    let by = turned(&driver, head).to_axis_angle().1.to_degrees();
    assert!((by - 35.0).abs() < 0.01, "{by}");
    // Digits are views of the camera when nothing is dragged.
    assert_eq!(driver.state().camera, camera);
    let pose = file(&driver).pose.clone();

    let path = arc(&driver, head, 20.0);
    press(&mut driver, path[0]);
    driver.0.hover_at(path[8]);
    driver.frames(1);
    assert_ne!(file(&driver).pose, pose);
    driver.0.key_press(Key::Escape);
    driver.frames(1);
    release(&mut driver, path[8]);
    assert_eq!(file(&driver).pose, pose);
    assert_eq!(driver.state().selection, Selection::Joint(head));
    let editor = driver
        .session()
        .editor(driver.state().shown)
        .expect("an editor");
    assert_eq!((editor.done().len(), editor.undone().count()), (1, 0));
}

#[test]
fn ctrl_snaps_angles() {
    let Some((mut driver, head)) = posing("head") else {
        return;
    };
    driver.run(PoseCommand::PoseLimits { on: false });
    let path = arc(&driver, head, 26.0);
    press(&mut driver, path[0]);
    driver.0.hover_at(path[4]);
    driver.frames(1);
    driver.0.event(Event::ModifiersChanged(Modifiers::COMMAND));
    driver.0.hover_at(path[8]);
    driver.frames(1);
    release(&mut driver, path[8]);
    driver.0.event(Event::ModifiersChanged(Modifiers::NONE));
    driver.frames(1);
    let by = turned(&driver, head).to_axis_angle().1.to_degrees();
    assert!((by - 30.0).abs() < 0.01, "{by}");
}

#[test]
fn arrows_move_and_boxes_scale() {
    let Some((mut driver, head)) = posing("head") else {
        return;
    };
    driver.key(Key::G);
    assert_eq!(driver.state().posing.tool, PoseTool::Move);
    driver.key(Key::Comma);
    driver.key(Key::Comma);
    driver.click("Stop at limits");
    let start = model(&driver).get(head).translation();
    let at = on_screen(&driver, start);
    drag(
        &mut driver,
        at - vec2(0.0, 60.0),
        &[at - vec2(0.0, 75.0), at - vec2(0.0, 90.0)],
    );
    let now = model(&driver).get(head).translation();
    let moved = now - start;
    assert!(moved.y > 0.01, "{moved}");
    assert!(moved.x.abs() < 1e-4 && moved.z.abs() < 1e-4, "{moved}");
    driver.run(HistoryCommand::Undo);
    driver.key(Key::S);
    assert_eq!(driver.state().posing.tool, PoseTool::Scale);
    let at = on_screen(&driver, start);
    drag(
        &mut driver,
        at,
        &[at + vec2(25.0, 0.0), at + vec2(50.0, 0.0)],
    );
    let scale = file(&driver).pose[&head].scale;
    assert!(
        (scale - Vec3::splat(1.5)).abs().max_element() < 0.02,
        "{scale}"
    );
}

#[test]
fn a_pose_is_mirrored_copied_to_another_file_and_reset() {
    let Some((mut driver, _)) = posing("left_upper_arm") else {
        return;
    };
    driver.click("Look");
    driver.click("Selected");
    driver.frames(10);
    let left = select(&mut driver, "left_upper_arm");
    let right = file(&driver).character.skeleton.find("right_upper_arm");
    let right = right.expect("a joint");
    let path = arc(&driver, left, 25.0);
    drag(&mut driver, path[0], &path[1..]);
    let before = model(&driver);
    driver.click("Mirror pose");
    let after = model(&driver);
    let below = |joint: usize| {
        let file = file(&driver);
        file.character
            .skeleton
            .children(joint)
            .next()
            .expect("a forearm")
    };
    let (elbow, other) = (below(left), below(right));
    let was = before.get(elbow).translation();
    let now = after.get(other).translation();
    assert!(
        (now - was * Vec3::new(-1.0, 1.0, 1.0)).length() < 1e-3,
        "{was} {now}"
    );

    let posed = file(&driver).pose[&right];
    driver.click("Copy pose");
    driver.run(FileCommand::OpenMade {
        figure: MadeFigure::Mannequin,
    });
    driver.wait();
    driver.run(PlaybackCommand::Clip { clip: None });
    assert!(file(&driver).pose.is_empty());
    select(&mut driver, "right_upper_arm");
    driver.click("Paste pose");
    let pasted = file(&driver).pose[&right];
    assert!(pasted.rotation.angle_between(posed.rotation) < 1e-3);
    driver.click("Reset joint");
    assert!(!file(&driver).pose.contains_key(&right));
    assert!(file(&driver).pose.contains_key(&left));
    driver.click("Reset all");
    assert!(file(&driver).pose.is_empty());
}
