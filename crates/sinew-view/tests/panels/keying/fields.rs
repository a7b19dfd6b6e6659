//! Time and value of keys, typed.

use super::*;
use glam::EulerRot;
use sinew_view::{EditingCommand, PoseCommand};

#[test]
fn time_and_value_of_a_key_are_typed() {
    let Some((mut driver, joint)) = keyed() else {
        return;
    };
    driver.run(PoseCommand::PoseLimits { on: false });
    let at = spot(&driver, "rotation", 0.5);
    click_at(&mut driver, at);
    let done = steps(&driver);
    type_in(&mut driver, "Key time", "0.7");
    assert_eq!(times(&driver, joint), [0.0, 0.7]);
    assert_eq!(steps(&driver), done + 1);
    type_in(&mut driver, "Key value y", "25");
    assert_eq!(steps(&driver), done + 2);
    let turn = rotations(&driver, joint).sample_rotation(0.7);
    let (_, y, _) = turn.expect("rotations").to_euler(EulerRot::XYZ);
    assert!((y.to_degrees() - 25.0).abs() < 1e-2, "{y}");
    press(&mut driver, CTRL, Key::Z);
    press(&mut driver, CTRL, Key::Z);
    assert_eq!(times(&driver, joint), [0.0, 0.5]);
}

#[test]
fn an_offset_is_typed_for_several_keys() {
    let Some((mut driver, joint)) = keyed() else {
        return;
    };
    press(&mut driver, CTRL, Key::A);
    let done = steps(&driver);
    type_in(&mut driver, "Time offset", "0.25");
    assert_eq!(times(&driver, joint), [0.25, 0.75]);
    assert_eq!(steps(&driver), done + 1);
    // Before 0 there are no keys.
    type_in(&mut driver, "Time offset", "-3");
    assert_eq!(times(&driver, joint), [0.0, 0.5]);
}

#[test]
fn interpolation_belongs_to_the_selected_keys() {
    let Some((mut driver, first)) = keyed() else {
        return;
    };
    let second = select(&mut driver, "spine_2");
    driver.key(Key::I);
    let keys = vec![sinew_edit::Keys::one(first, Channel::Rotation, 0.5)];
    driver.run(EditingCommand::SelectKeys { keys, add: false });
    driver.click("Edit keys");
    let before = rotations(&driver, second);
    for name in ["Step", "Linear", "Cubic"] {
        let done = steps(&driver);
        driver.click(name);
        assert_eq!(steps(&driver), done + 1, "{name}");
        assert_eq!(rotations(&driver, second), before);
    }
    // Without keys, of the selected joint.
    let keys = Vec::new();
    driver.run(EditingCommand::SelectKeys { keys, add: false });
    for (name, interpolation) in [
        ("Step", sinew::Interpolation::Step),
        ("Linear", sinew::Interpolation::Slerp),
        ("Cubic", sinew::Interpolation::CubicHermite),
    ] {
        driver.click(name);
        assert_eq!(rotations(&driver, second).interpolation(), interpolation);
    }
}

#[test]
fn keys_are_scaled_smoothed_and_reduced_from_the_menu() {
    let Some(mut driver) = Driver::new(Session::default()) else {
        return;
    };
    driver.click("walk");
    driver.run(PlaybackCommand::Pause);
    let arm = select(&mut driver, "left_upper_arm");
    let before = rotations(&driver, arm);
    driver.click("Edit keys");
    type_in(&mut driver, "Max degrees", "8");
    driver.click("Reduce keys");
    let reduced = rotations(&driver, arm);
    assert!(reduced.keys() < before.keys(), "{}", reduced.keys());
    press(&mut driver, CTRL, Key::Z);
    press(&mut driver, CTRL, Key::A);
    driver.click("Smooth keys");
    let smooth = rotations(&driver, arm);
    assert_eq!(smooth.keys(), before.keys());
    assert_ne!(smooth.values(), before.values());
    press(&mut driver, CTRL, Key::Z);
    assert_eq!(rotations(&driver, arm), before);
}
