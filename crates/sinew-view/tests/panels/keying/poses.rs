//! Poses dragged in the picture, keyed, exported and read back.

use super::*;
use egui::vec2;
use glam::Vec3;
use sinew::{Affine, ModelPose, sample};
use sinew_view::document::Export;
use sinew_view::state::{PanelKind, Preset};
use sinew_view::{CameraCommand, FileCommand, WindowCommand};

/// Distance from the joint to a ring on the screen, in points.
const RING: f32 = 94.0;

/// Position of a joint in the model, as it is seen.
fn seen(driver: &Driver, joint: usize) -> Vec3 {
    let file = file(driver);
    let skeleton = &file.character.skeleton;
    let mut pose = skeleton.rest().clone();
    let now = driver.state().playback.time_secs;
    sample(clip(driver), skeleton, now, &mut pose).expect("its clip");
    for (&joint, &transform) in file.pose.iter() {
        pose.set(joint, transform);
    }
    let mut model = ModelPose::identity(skeleton.len());
    let updated = model.update(skeleton.hierarchy(), &pose, &Affine::IDENTITY);
    updated.expect("a pose of this skeleton");
    model.get(joint).translation()
}

fn on_screen(driver: &Driver, at: Vec3) -> Pos2 {
    let rect = driver.0.get_by_label("Picture").rect();
    let clip = driver.state().camera.camera();
    let clip = clip.clip_from_world(rect.width() / rect.height()) * at.extend(1.0);
    let part = vec2(clip.x / clip.w * 0.5 + 0.5, 0.5 - clip.y / clip.w * 0.5);
    rect.min + part * rect.size()
}

fn front(driver: &mut Driver, preset: Preset) {
    driver.run(CameraCommand::Preset { preset });
    driver.frames(2);
}

#[test]
fn a_dragged_ring_raises_an_arm_in_a_layer_and_the_feet_stay_to_the_bit() {
    for button in ["Add layer", "Add override layer"] {
        let Some(mut driver) = Driver::new(Session::default()) else {
            return;
        };
        let panel = PanelKind::Layers;
        driver.run(WindowCommand::Panel { panel, on: true });
        driver.click("walk");
        driver.run(PlaybackCommand::Pause);
        front(&mut driver, Preset::Front);
        let before = motion(&driver);
        driver.click(button);
        seek(&mut driver, 0.4);
        let arm = select(&mut driver, "left_upper_arm");
        let hand = joint(&driver, "left_hand");
        let low = seen(&driver, hand);
        let middle = on_screen(&driver, seen(&driver, arm));
        let at = |degrees: f32| {
            let angle = degrees.to_radians();
            middle + vec2(angle.cos(), -angle.sin()) * RING
        };
        drag(&mut driver, at(0.0), at(25.0));
        let raised = seen(&driver, hand);
        assert!(raised.distance(low) > 0.05, "{low} {raised}");
        driver.key(Key::I);
        assert!(file(&driver).pose.is_empty());
        let after = motion(&driver);
        let keyed = seen(&driver, hand);
        assert!(keyed.distance(raised) < 1e-3, "{keyed} {raised}");
        let layers = after.layers.as_ref().expect("layers");
        assert_eq!(layers.layers[0].additive, button == "Add layer");
        let tracks: Vec<usize> = layers.layers[0]
            .tracks
            .iter()
            .map(|own| own.joint)
            .collect();
        assert_eq!(tracks, [arm]);
        let skeleton = &file(&driver).character.skeleton;
        for foot in ["left_foot", "right_foot", "hips", "left_lower_leg"] {
            let foot = skeleton.find(foot).expect("a joint");
            assert_eq!(after.clip.joint(foot), before.clip.joint(foot));
        }
    }
}

#[test]
fn a_kick_of_three_dragged_poses_has_its_foot_there_after_export() {
    let Some(mut driver) = Driver::new(Session::default()) else {
        return;
    };
    driver.click("New clip");
    front(&mut driver, Preset::Left);
    let foot = select(&mut driver, "right_foot");
    let mut feet = Vec::new();
    for (time, by) in [
        (0.0, Vec3::ZERO),
        (0.3, Vec3::new(0.0, 0.12, -0.2)),
        (0.5, Vec3::new(0.0, 0.35, 0.3)),
    ] {
        seek(&mut driver, time);
        driver.key(Key::T);
        let start = seen(&driver, foot);
        if by != Vec3::ZERO {
            let (from, to) = (on_screen(&driver, start), on_screen(&driver, start + by));
            drag(&mut driver, from, to);
        }
        feet.push((time, seen(&driver, foot)));
        press(&mut driver, Modifiers::SHIFT, Key::I);
        assert!(file(&driver).pose.is_empty());
    }
    for pair in feet.windows(2) {
        assert!(pair[0].1.distance(pair[1].1) > 0.1, "{feet:?}");
    }
    let path = std::env::temp_dir().join(format!("sinew-view-kick-{}.glb", std::process::id()));
    driver.run(FileCommand::Export {
        what: Export::Glb,
        path: path.clone(),
    });
    driver.wait();
    let back = sinew_io::import_bytes(&std::fs::read(&path).expect("the export"));
    let _ = std::fs::remove_file(&path);
    let back = back.expect("a file").character;
    let kick = &back.clips[back.find_clip("clip").expect("the clip")];
    let skeleton = &back.skeleton;
    let foot = skeleton.find("right_foot").expect("a foot");
    for (time, there) in feet {
        let mut pose = skeleton.rest().clone();
        sample(kick, skeleton, time, &mut pose).expect("its clip");
        let mut model = ModelPose::identity(skeleton.len());
        let updated = model.update(skeleton.hierarchy(), &pose, &Affine::IDENTITY);
        updated.expect("a pose of this skeleton");
        let off = model.get(foot).translation().distance(there);
        assert!(off < 1e-3, "{off} m at {time} s");
    }
}
