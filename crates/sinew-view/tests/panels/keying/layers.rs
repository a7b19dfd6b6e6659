//! Layers over a clip.

use super::*;
use sinew_view::WindowCommand;
use sinew_view::state::PanelKind;

/// Window in which the walk of the mannequin stands still, with the panel of layers.
fn walking() -> Option<Driver> {
    let mut driver = Driver::new(Session::default())?;
    let panel = PanelKind::Layers;
    driver.run(WindowCommand::Panel { panel, on: true });
    driver.click("walk");
    driver.run(PlaybackCommand::Pause);
    Some(driver)
}

#[test]
fn a_layer_raises_an_arm_and_leaves_the_feet() {
    let Some(mut driver) = walking() else {
        return;
    };
    let (arm, foot) = (
        joint(&driver, "left_upper_arm"),
        joint(&driver, "left_foot"),
    );
    let values = |driver: &Driver, joint: usize| {
        let track = clip(driver).track(joint, Channel::Rotation);
        track.expect("a track").values().clone()
    };
    let (arm_before, foot_before) = (values(&driver, arm), values(&driver, foot));
    driver.click("Add layer");
    assert_eq!(driver.state().editing.layer, Some(0));
    seek(&mut driver, 0.4);
    driver.run(Command::Edit(edit(
        r#"{"do": "rotate", "joints": ["left_upper_arm"], "rotation": [0, 0, 0.3, 0.954],
            "over": {"clip": "walk", "time_secs": 0.4}, "limits": "allow"}"#,
    )));
    driver.click("Key");
    let layers = motion(&driver).layers.clone().expect("layers");
    assert_eq!(layers.layers[0].tracks.len(), 1);
    assert_eq!(layers.layers[0].tracks[0].joint, arm);
    assert_ne!(values(&driver, arm), arm_before);
    assert!(Arc::ptr_eq(&values(&driver, foot), &foot_before));
    // A drag of the weight is one step.
    let raised = values(&driver, arm);
    let done = steps(&driver);
    driver.drag("Weight of correction", [0.9, 0.5], [-1.0, 0.5]);
    let weight = motion(&driver).layers.clone().expect("layers").layers[0].weight;
    assert!(weight < 0.95, "{weight}");
    assert_eq!(steps(&driver), done + 1);
    assert_ne!(values(&driver, arm), raised);
    press(&mut driver, CTRL, Key::Z);
    assert_eq!(values(&driver, arm), raised);
    driver.click("Flatten");
    assert!(motion(&driver).layers.is_none());
    assert_eq!(values(&driver, arm), raised);
}

#[test]
fn a_layer_is_renamed_masked_muted_and_deleted() {
    let Some(mut driver) = walking() else {
        return;
    };
    driver.click("Add override layer");
    let layer = |driver: &Driver| motion(driver).layers.clone().expect("layers").layers[0].clone();
    assert!(!layer(&driver).additive);
    write(&mut driver, "Name of layer", " up");
    driver.click("Rename layer");
    assert!(
        layer(&driver).name.contains("up"),
        "{}",
        layer(&driver).name
    );
    let arm = select(&mut driver, "left_upper_arm");
    driver.click("Only selected joints");
    assert_eq!(layer(&driver).joints, [arm]);
    driver.key(Key::I);
    assert_eq!(layer(&driver).tracks.len(), 1);
    driver.click("Mute layer");
    assert_eq!(layer(&driver).weight, 0.0);
    assert!(
        motion(&driver)
            .layers
            .as_ref()
            .is_some_and(|layers| layers.base.is_empty())
    );
    driver.click("Mute layer");
    assert_eq!(layer(&driver).weight, 1.0);
    driver.click("Additive");
    assert!(layer(&driver).additive);
    press(&mut driver, CTRL, Key::A);
    let text = copied(&mut driver);
    seek(&mut driver, 0.5);
    driver.0.event(Event::Paste(text));
    driver.frames(2);
    let tracks = layer(&driver).tracks;
    let track = tracks[0].rotation.as_ref().expect("keys");
    assert_eq!(track.times()[..], [0.0, 0.5]);
    driver.click("All joints");
    assert!(layer(&driver).joints.is_empty());
    driver.click("Delete layer");
    assert!(motion(&driver).layers.is_none());
}
