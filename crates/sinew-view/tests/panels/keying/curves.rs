//! The curve view: keys, values and tangents dragged by pixels.

use super::*;
use egui::{Rect, Vec2};
use glam::{EulerRot, Quat};
use sinew_edit::KeyEdit;
use sinew_view::{EditingCommand, PoseCommand};

/// Window with the curves of a joint whose angle about x is 0°, 30° and 0° at 0, 0.5 and 1 s.
fn curves() -> Option<(Driver, usize)> {
    let mut driver = Driver::new(Session::default())?;
    driver.click("New clip");
    driver.run(PoseCommand::PoseLimits { on: false });
    for (time, degrees) in [(0.0, 0.0), (0.5, 30.0), (1.0, 0.0_f32)] {
        let turn = Quat::from_rotation_x(degrees.to_radians());
        driver.run(KeyEdit::InsertKey {
            clip: "clip".into(),
            layer: None,
            joint: "spine_1".into(),
            time_secs: time,
            translation: None,
            rotation: Some(turn),
            scale: None,
            limits: sinew::clip::OverLimit::Allow,
        });
    }
    let joint = select(&mut driver, "spine_1");
    driver.click("Curves");
    driver.click("Fit");
    Some((driver, joint))
}

fn area(driver: &Driver) -> Rect {
    driver.0.get_by_label("Keys on curves").rect()
}

/// Position of a time and a value between the lowest and the highest one.
fn on_curve(driver: &Driver, time_secs: f32, value: f32, [low, high]: [f32; 2]) -> Pos2 {
    let area = area(driver);
    let room = 0.1 * (high - low);
    let part = (value - low + room) / (high - low + 2.0 * room);
    let along = time_secs / clip(driver).duration_secs;
    Pos2::new(
        area.left() + 8.0 + (area.width() - 22.0) * along,
        area.bottom() - part * area.height(),
    )
}

fn degrees(track: &Track, time_secs: f64) -> [f32; 3] {
    let turn = track.sample_rotation(time_secs).expect("rotations");
    let (x, y, z) = turn.to_euler(EulerRot::XYZ);
    [x, y, z].map(f32::to_degrees)
}

const RANGE: [f32; 2] = [0.0, 30.0];

#[test]
fn the_angle_of_a_key_is_dragged_by_pixels() {
    let Some((mut driver, joint)) = curves() else {
        return;
    };
    let done = steps(&driver);
    let (from, to) = (
        on_curve(&driver, 0.5, 30.0, RANGE),
        on_curve(&driver, 0.5, 18.0, RANGE),
    );
    drag(&mut driver, from, to);
    let [x, y, z] = degrees(&rotations(&driver, joint), 0.5);
    assert!((x - 18.0).abs() < 0.3, "{x}");
    assert!(y.abs() < 0.01 && z.abs() < 0.01, "{y} {z}");
    assert_eq!(times(&driver, joint), [0.0, 0.5, 1.0]);
    assert_eq!(steps(&driver), done + 1);
    press(&mut driver, CTRL, Key::Z);
    let [x, ..] = degrees(&rotations(&driver, joint), 0.5);
    assert!((x - 30.0).abs() < 1e-3, "{x}");
    // Along the time, to a frame.
    let to = on_curve(&driver, 0.7, 30.0, RANGE);
    drag(&mut driver, from, to);
    assert_eq!(times(&driver, joint), [0.0, 0.7, 1.0]);
}

#[test]
fn keys_selected_in_the_dope_sheet_have_tangents_here() {
    let Some((mut driver, joint)) = curves() else {
        return;
    };
    // A whole pose, as the row of all keys selects it.
    let keys = vec![sinew_edit::Keys::at(0.5)];
    driver.run(EditingCommand::SelectKeys { keys, add: false });
    let handle = on_curve(&driver, 0.5, 30.0, RANGE) + Vec2::new(36.0, 0.0);
    let done = steps(&driver);
    drag(&mut driver, handle, handle + Vec2::new(0.0, 18.0));
    assert_eq!(steps(&driver), done + 1);
    let track = rotations(&driver, joint);
    let [before, after] = track.tangents(1).expect("a cubic track");
    assert!(after[0] < -0.1, "{after:?}");
    assert_eq!(before, after);
    // The x of a quaternion is the sine of half the angle; 36 points to the side and 18 down.
    let area = area(&driver);
    let per_point = (1.0 / (area.width() - 22.0), 36.0 / area.height());
    let slope = -18.0 * per_point.1 / (36.0 * per_point.0);
    let wanted = 0.5 * slope.to_radians() * 15.0_f32.to_radians().cos();
    assert!(
        (after[0] - wanted).abs() < 0.03 * wanted.abs(),
        "{after:?} {wanted}"
    );
}

#[test]
fn a_tangent_is_broken_with_alt_or_as_free_and_aligned_again() {
    let Some((mut driver, joint)) = curves() else {
        return;
    };
    let key = on_curve(&driver, 0.5, 30.0, RANGE);
    click_at(&mut driver, key);
    assert_eq!(driver.state().editing.keys.len(), 1);
    let handle = key + Vec2::new(36.0, 0.0);
    let down = Vec2::new(0.0, 18.0);
    driver.0.event(Event::ModifiersChanged(Modifiers::ALT));
    drag(&mut driver, handle, handle + down);
    driver.0.event(Event::ModifiersChanged(Modifiers::NONE));
    driver.frames(1);
    let sides = |driver: &Driver| {
        let track = rotations(driver, joint);
        track
            .tangents(1)
            .expect("a cubic track")
            .map(|side| side[0])
    };
    let [before, after] = sides(&driver);
    assert!(before.abs() < 1e-6 && after < -0.1, "{before} {after}");
    driver.click("Tangents");
    driver.click("Aligned tangents");
    let [before, after] = sides(&driver);
    assert!(before == after && after < -0.05, "{before} {after}");
    driver.click("Flat tangents");
    assert_eq!(sides(&driver), [0.0, 0.0]);
    driver.click("Free tangents");
    driver.click("Tangents");
    let key = on_curve(&driver, 0.5, 30.0, RANGE);
    let handle = key - Vec2::new(36.0, 0.0);
    drag(&mut driver, handle, handle + down);
    let [before, after] = sides(&driver);
    assert!(before > 0.1 && after == 0.0, "{before} {after}");
}

#[test]
fn curves_of_several_channels_are_hidden_and_normalised() {
    let Some((mut driver, joint)) = curves() else {
        return;
    };
    for (time, y) in [(0.0, 0.0), (0.5, 0.1), (1.0, 0.0)] {
        run(
            &mut driver,
            &format!(
                r#"{{"do": "insert_key", "clip": "clip", "joint": "spine_1", "time_secs": {time},
                    "translation": [0, {y}, 0], "limits": "allow"}}"#
            ),
        );
    }
    let height = |driver: &Driver| {
        let track = clip(driver).track(joint, Channel::Translation);
        track.expect("a track").key(1)[1]
    };
    // On one scale with degrees, the translation cannot be told from 0.
    driver.click("Curves of spine_1 rotation");
    driver.click("Normalise");
    let range = [0.0, 0.1];
    let (from, to) = (
        on_curve(&driver, 0.5, 0.1, range),
        on_curve(&driver, 0.5, 0.06, range),
    );
    drag(&mut driver, from, to);
    assert!((height(&driver) - 0.06).abs() < 2e-3, "{}", height(&driver));
    press(&mut driver, CTRL, Key::Z);
    driver.click("Curve spine_1 translation y");
    drag(&mut driver, from, to);
    assert_eq!(height(&driver), 0.1, "it is hidden");
    assert!(driver.has("Curve spine_1 rotation x"));
}

#[test]
fn the_angle_of_a_layer_is_dragged_and_the_clip_below_stays() {
    let Some((mut driver, joint)) = curves() else {
        return;
    };
    let below = rotations(&driver, joint);
    run(
        &mut driver,
        r#"{"do": "add_layer", "clip": "clip", "name": "more"}"#,
    );
    driver.run(EditingCommand::ActiveLayer { layer: Some(0) });
    for (time, degrees) in [(0.0, 0.0), (0.5, 40.0_f32)] {
        // The clip shows 30° at 0.5 s; the layer adds the rest.
        let half = (0.5 * degrees).to_radians();
        run(
            &mut driver,
            &format!(
                r#"{{"do": "insert_key", "clip": "clip", "layer": 0, "joint": "spine_1", "time_secs": {time},
                    "rotation": [{}, 0, 0, {}], "limits": "allow"}}"#,
                half.sin(),
                half.cos()
            ),
        );
    }
    driver.click("Fit");
    let range = [0.0, 10.0];
    let (from, to) = (
        on_curve(&driver, 0.5, 10.0, range),
        on_curve(&driver, 0.5, 4.0, range),
    );
    drag(&mut driver, from, to);
    let layers = motion(&driver).layers.clone().expect("layers");
    let own = layers.layers[0].tracks[0].rotation.clone();
    let [x, ..] = degrees(&own.expect("a track"), 0.5);
    assert!((x - 4.0).abs() < 0.2, "{x}");
    let [x, ..] = degrees(&rotations(&driver, joint), 0.5);
    assert!((x - 34.0).abs() < 0.2, "{x}");
    assert_eq!(layers.base[0].rotation.as_ref(), Some(&below));
}
