//! Inverse kinematics by pixels and keys: pulls, pins, locks, poles, kept rotations, and keys over a range.

use super::Driver;
use super::posing::{AXES, drag, file, model, on_screen, picture, posing, press, release, select};
use egui::{Key, Modifiers, vec2};
use egui_kittest::kittest::Queryable;
use glam::{Quat, Vec3};
use sinew::{Playable, sample_joint};
use sinew_view::state::PoseTool;
use sinew_view::{HistoryCommand, PlaybackCommand, SelectionCommand};

#[test]
fn a_pulled_hand_comes_to_the_pointer_within_a_millimetre() {
    let Some((mut driver, hand)) = posing("left_hand") else {
        return;
    };
    driver.key(Key::T);
    assert_eq!(driver.state().posing.tool, PoseTool::Pull);
    let start = model(&driver).get(hand).translation();
    // The arm, raised to the side and slightly bent.
    let skeleton = &file(&driver).character.skeleton;
    let shoulder = skeleton.find("left_upper_arm").expect("a joint");
    let shoulder = model(&driver).get(shoulder).translation();
    let raised = Quat::from_rotation_z(0.35) * (start - shoulder) * 0.97;
    let goal = (shoulder + raised).with_z(start.z);
    let (from, to) = (on_screen(&driver, start), on_screen(&driver, goal));
    press(&mut driver, from);
    let middle = from + (to - from) * 0.5;
    for at in [middle, to] {
        driver.0.hover_at(at);
        driver.frames(2);
    }
    let is_said = driver.0.query_by_label_contains("missed by 0.000");
    assert!(is_said.is_some(), "{:?}", driver.state().edited);
    release(&mut driver, to);
    let reached = model(&driver).get(hand).translation();
    // The ray through the pointer, at the depth of the hand.
    let rect = picture(&driver);
    let part = (to - rect.min) / rect.size();
    let ray = driver
        .state()
        .camera
        .ray(part.x, part.y, rect.width() / rect.height());
    let aim = ray.direction.normalize();
    let off = (reached - ray.origin).cross(aim).length();
    assert!(off < 1e-3, "{off}");
    assert!(reached.distance(goal) < 2e-3, "{reached} {goal}");
    driver.key(Key::R);
    assert_eq!(driver.state().posing.tool, PoseTool::Rotate);
}

#[test]
fn pinned_joints_stay_while_a_hand_is_pulled() {
    let Some((mut driver, _)) = posing("left_foot") else {
        return;
    };
    driver.click("Pin");
    let left = select(&mut driver, "left_foot");
    let right = select(&mut driver, "right_hand");
    driver.0.key_press_modifiers(Modifiers::SHIFT, Key::P);
    driver.frames(2);
    assert!(
        driver.state().posing.pins.iter().eq([&left, &right]
            .into_iter()
            .collect::<std::collections::BTreeSet<_>>())
    );
    let hand = select(&mut driver, "left_hand");
    driver.key(Key::T);
    let before = model(&driver);
    let start = before.get(hand).translation();
    let (from, to) = (
        on_screen(&driver, start),
        on_screen(&driver, start + Vec3::new(0.05, 0.1, 0.0)),
    );
    drag(&mut driver, from, &[from + (to - from) * 0.5, to]);
    let after = model(&driver);
    for pin in [left, right] {
        let moved = after
            .get(pin)
            .translation()
            .distance(before.get(pin).translation());
        assert!(moved < 5e-3, "{pin}: {moved}");
    }
    assert!(after.get(hand).translation().distance(start) > 0.05);
}

fn steps(driver: &Driver) -> usize {
    let editor = driver.session().editor(driver.state().shown);
    editor.map_or(0, |editor| editor.done().len())
}

/// Drags the pulled joint to a position in the plane of the screen.
fn pull(driver: &mut Driver, joint: usize, by: Vec3) {
    let start = model(driver).get(joint).translation();
    let (from, to) = (on_screen(driver, start), on_screen(driver, start + by));
    drag(driver, from, &[from + (to - from) * 0.5, to]);
}

#[test]
fn locked_joints_do_not_rotate_while_a_hand_is_pulled() {
    let Some((mut driver, upper)) = posing("left_upper_arm") else {
        return;
    };
    let other = file(&driver).character.skeleton.find("left_shoulder");
    let other = other.expect("a joint");
    driver.run(SelectionCommand::AddJoint { joint: other });
    driver.click("Lock");
    let locks: Vec<usize> = driver.state().posing.locks.iter().copied().collect();
    assert_eq!(locks, [upper.min(other), upper.max(other)]);
    let hand = select(&mut driver, "left_hand");
    let lower = file(&driver).character.skeleton.find("left_lower_arm");
    driver.key(Key::T);
    pull(&mut driver, hand, Vec3::new(0.05, 0.15, 0.0));
    let posed: Vec<usize> = file(&driver).pose.keys().copied().collect();
    assert_eq!(posed, [lower.expect("a joint")]);
    let missed = driver.state().edited.residual.expect("a distance");
    assert!(missed > 1e-3, "{missed}");
    // Without locks the same pull rotates the upper arm, too.
    driver.run(HistoryCommand::Undo);
    driver.run(SelectionCommand::AddJoint { joint: upper });
    driver.0.key_press_modifiers(Modifiers::SHIFT, Key::K);
    driver.frames(2);
    assert_eq!(driver.state().posing.locks.len(), 1);
    select(&mut driver, "left_hand");
    pull(&mut driver, hand, Vec3::new(0.05, 0.15, 0.0));
    assert!(file(&driver).pose.contains_key(&upper));
}

#[test]
fn a_dragged_pole_bends_the_knee_toward_it_and_the_foot_stays() {
    let Some((mut driver, foot)) = posing("left_foot") else {
        return;
    };
    driver.key(Key::T);
    pull(&mut driver, foot, Vec3::new(0.0, 0.25, 0.0));
    driver.click("Pole");
    let pole = driver.state().posing.poles[&foot];
    let knee = file(&driver).character.skeleton.find("left_lower_leg");
    let knee = knee.expect("a joint");
    let before = model(&driver);
    let at = before.get(knee).translation();
    assert!(pole.z > at.z + 0.2, "{pole} is before {at}");
    let done = steps(&driver);
    let from = on_screen(&driver, pole);
    drag(
        &mut driver,
        from,
        &[from + vec2(40.0, 0.0), from + vec2(90.0, 0.0)],
    );
    let moved = driver.state().posing.poles[&foot];
    assert!(
        moved.x > pole.x + 0.05 && (moved.y - pole.y).abs() < 0.01,
        "{moved}"
    );
    let after = model(&driver);
    let aside = after.get(knee).translation() - at;
    assert!(aside.x > 0.01, "{aside}");
    let foot_at = [&before, &after].map(|model| model.get(foot).translation());
    assert!(foot_at[0].distance(foot_at[1]) < 2e-3, "{foot_at:?}");
    assert_eq!(steps(&driver), done + 1);
    // Esc takes a drag of the pole back.
    let from = on_screen(&driver, moved);
    press(&mut driver, from);
    driver.0.hover_at(from - vec2(70.0, 0.0));
    driver.frames(2);
    assert_ne!(driver.state().posing.poles[&foot], moved);
    driver.0.key_press(Key::Escape);
    driver.frames(1);
    release(&mut driver, from - vec2(70.0, 0.0));
    assert_eq!(driver.state().posing.poles[&foot], moved);
    assert_eq!(steps(&driver), done + 1);
    driver.0.key_press_modifiers(Modifiers::SHIFT, Key::O);
    driver.frames(2);
    assert!(driver.state().posing.poles.is_empty());
}

#[test]
fn a_kept_rotation_stays_while_the_hand_is_pulled_and_rings_set_it() {
    let Some((mut driver, hand)) = posing("left_hand") else {
        return;
    };
    driver.key(Key::T);
    let rotation = |driver: &Driver| {
        let frame = *model(driver).get(hand);
        sinew::Transform::from_affine(&frame).0.rotation
    };
    let before = rotation(&driver);
    pull(&mut driver, hand, Vec3::new(0.06, 0.06, 0.0));
    let followed = rotation(&driver).angle_between(before);
    assert!(followed > 0.05, "without it, the hand follows: {followed}");
    driver.run(HistoryCommand::Undo);
    driver.0.key_press_modifiers(Modifiers::SHIFT, Key::R);
    driver.frames(2);
    assert!(driver.state().posing.keeps_rotation);
    pull(&mut driver, hand, Vec3::new(0.06, 0.06, 0.0));
    let kept = rotation(&driver).angle_between(before);
    assert!(kept < 0.002, "{kept}");
    driver.run(HistoryCommand::Undo);
    driver.frames(2);
    // The ring about the axis of depth; its side near the body is seen.
    driver.key(Key::Comma);
    driver.key(Key::Comma);
    let at = model(&driver).get(hand).translation();
    let middle = on_screen(&driver, at);
    let point = |degrees: f32| {
        let angle = degrees.to_radians();
        middle + vec2(angle.cos(), -angle.sin()) * AXES
    };
    let start = rotation(&driver);
    let mut turned = Vec::new();
    for sign in [1.0, -1.0] {
        let path = [5.0, 10.0, 12.0].map(|by| point(155.0 + sign * by));
        drag(&mut driver, point(155.0), &path);
        let by = (rotation(&driver) * start.conjugate()).normalize();
        turned.push(by.angle_between(Quat::from_rotation_z((sign * 12.0_f32).to_radians())));
        if turned.last().is_some_and(|off| *off < 0.04) {
            break;
        }
        // The wrist may stop at a limit to one side.
        driver.run(HistoryCommand::Undo);
    }
    assert!(turned.iter().any(|off| *off < 0.04), "{turned:?}");
    let moved = model(&driver).get(hand).translation().distance(at);
    assert!(moved < 2e-3, "{moved}");
}

#[test]
fn a_reached_position_is_keyed_over_the_played_range() {
    let Some((mut driver, hand)) = posing("left_hand") else {
        return;
    };
    driver.run(PlaybackCommand::Clip { clip: Some(1) });
    driver.run(PlaybackCommand::Pause);
    driver.run(PlaybackCommand::Range {
        range_secs: Some([0.2, 0.6]),
    });
    driver.run(PlaybackCommand::Seek { time_secs: 0.4 });
    driver.frames(2);
    driver.key(Key::T);
    let skeleton = file(&driver).character.skeleton.clone();
    let [upper, spine] = ["left_upper_arm", "spine_2"].map(|name| skeleton.find(name).expect(name));
    let clip = driver.session().clip().expect("walk").clone();
    pull(&mut driver, hand, Vec3::new(0.05, 0.12, 0.0));
    let goal = model(&driver).get(hand).translation();
    driver.click("Key over range");
    assert!(
        file(&driver).pose.is_empty(),
        "{:?}",
        driver.session().messages()
    );
    let worst = driver.state().edited.residual.expect("a distance");
    assert!(worst < 0.05, "{worst}");
    for step in 0..=12 {
        let time_secs = 0.2 + f64::from(step) / 30.0;
        driver.run(PlaybackCommand::Seek { time_secs });
        let at = model(&driver).get(hand).translation();
        assert!(at.distance(goal) < worst + 2e-3, "{time_secs}: {at} {goal}");
    }
    let keyed = driver.session().clip().expect("walk");
    let rotation = |clip, joint, time| sample_joint(clip, &skeleton, joint, time).rotation;
    assert_ne!(rotation(keyed, upper, 0.4), rotation(&clip, upper, 0.4));
    for time in [0.0, 0.1, 0.8, 1.0] {
        assert_eq!(rotation(keyed, upper, time), rotation(&clip, upper, time));
    }
    assert_eq!(rotation(keyed, spine, 0.4), rotation(&clip, spine, 0.4));
    driver.run(HistoryCommand::Undo);
    assert_eq!(driver.session().clip().expect("walk"), &clip);
    assert!(!file(&driver).pose.is_empty());
}

#[test]
fn a_joint_is_posed_keyed_and_given_back_while_the_clip_plays() {
    let Some((mut driver, head)) = posing("head") else {
        return;
    };
    driver.run(PlaybackCommand::Clip { clip: Some(1) });
    driver.run(PlaybackCommand::Pause);
    driver.frames(2);
    let walk = driver.session().clip().expect("walk").clone();
    let at = model(&driver).get(head).translation();
    let middle = on_screen(&driver, at);
    let ring = |degrees: f32| {
        let angle = degrees.to_radians();
        middle + vec2(angle.cos(), -angle.sin()) * 94.0
    };
    driver.run(PlaybackCommand::Play);
    let start = driver.state().playback.time_secs;
    press(&mut driver, ring(0.0));
    for degrees in [4.0, 8.0, 12.0] {
        driver.0.hover_at(ring(degrees));
        driver.frames(2);
    }
    assert!(driver.state().playback.is_playing);
    assert_ne!(driver.state().playback.time_secs, start);
    release(&mut driver, ring(12.0));
    // The joint stands still from the press on, whatever plays below it.
    let posed = file(&driver).pose[&head];
    let played: Vec<f64> = (0..4)
        .map(|_| {
            driver.frames(1);
            assert_eq!(file(&driver).pose[&head], posed);
            driver.state().playback.time_secs
        })
        .collect();
    assert!(
        played.windows(2).all(|pair| pair[0] != pair[1]),
        "{played:?}"
    );
    // The key is at the time of the press of I.
    let now = driver.state().playback.time_secs;
    driver.key(Key::I);
    assert!(file(&driver).pose.is_empty());
    let keyed = driver.session().clip().expect("walk").clone();
    let new: Vec<f32> = keyed
        .key_times(head)
        .into_iter()
        .filter(|time| !walk.key_times(head).contains(time))
        .collect();
    let frame = played[1] - played[0];
    let late = (new.first().copied().map_or(now, f64::from) - now).rem_euclid(1.04);
    assert!(late <= frame.rem_euclid(1.04) + 1e-4, "{new:?} {now}");
    let skeleton = &file(&driver).character.skeleton;
    let time = new.first().copied().map_or(now, f64::from);
    let value = sample_joint(&keyed, skeleton, head, time).rotation;
    assert!(value.angle_between(posed.rotation) < 1e-3);
    driver.run(HistoryCommand::Undo);
    driver.run(HistoryCommand::Undo);
    assert_eq!(driver.session().clip().expect("walk"), &walk);
    assert!(file(&driver).pose.is_empty());
}

#[test]
fn auto_key_keys_the_time_of_the_press_while_the_clip_plays() {
    let Some((mut driver, head)) = posing("head") else {
        return;
    };
    driver.run(PlaybackCommand::Clip { clip: Some(1) });
    driver.run(PlaybackCommand::Pause);
    driver.run(PlaybackCommand::Seek { time_secs: 0.111 });
    driver.click("Auto-key");
    driver.frames(2);
    let middle = on_screen(&driver, model(&driver).get(head).translation());
    let from = middle + vec2(94.0, 0.0);
    press(&mut driver, from);
    driver.0.hover_at(from - vec2(2.0, 16.0));
    driver.frames(1);
    // Playback goes on under the drag.
    driver.run(PlaybackCommand::Seek { time_secs: 0.7 });
    release(&mut driver, from - vec2(2.0, 16.0));
    let times = driver.session().clip().expect("walk").key_times(head);
    assert!(
        times.iter().any(|time| (time - 0.111).abs() < 1e-4),
        "{times:?}"
    );
    assert!(
        !times.iter().any(|time| (time - 0.7).abs() < 1e-4),
        "{times:?}"
    );
    assert!(file(&driver).pose.is_empty());
}
