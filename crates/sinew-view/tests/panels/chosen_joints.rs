//! Joints chosen by pixels, several at a time, their scale and their reset.

use super::Driver;
use super::posing::{AXES, arc, drag, file, model, on_screen, posing, press, release};
use egui::{Event, Key, Modifiers, Pos2};
use glam::{Quat, Vec3};
use sinew_view::state::Selection;
use sinew_view::{HistoryCommand, PoseCommand, SelectionCommand};

#[test]
fn several_joints_rotate_together() {
    let Some((mut driver, left)) = posing("left_upper_arm") else {
        return;
    };
    let right = file(&driver).character.skeleton.find("right_upper_arm");
    let right = right.expect("a joint");
    driver.run(SelectionCommand::AddJoint { joint: right });
    assert_eq!(driver.state().selected_joints(), [right, left]);
    let path = arc(&driver, right, 15.0);
    drag(&mut driver, path[0], &path[1..]);
    let posed: Vec<usize> = file(&driver).pose.keys().copied().collect();
    assert_eq!(posed.len(), 2, "{posed:?}");
    driver.run(SelectionCommand::AddJoint { joint: right });
    assert_eq!(driver.state().selected_joints(), [left]);
}

#[test]
fn an_axis_box_scales_along_its_axis_alone() {
    let Some((mut driver, head)) = posing("head") else {
        return;
    };
    driver.key(Key::S);
    let frame = *model(&driver).get(head);
    let at = on_screen(&driver, frame.translation());
    for axis in [0, 1] {
        let along = frame.transform_vector(Vec3::AXES[axis]).normalize();
        let toward = on_screen(&driver, frame.translation() + along * 0.05) - at;
        let toward = toward.normalized();
        let from = at + toward * AXES;
        drag(
            &mut driver,
            from,
            &[from + toward * 20.0, from + toward * 39.0],
        );
        let scale = file(&driver).pose[&head].scale;
        let wanted = Vec3::ONE + Vec3::AXES[axis] * 0.5;
        assert!(
            (scale - wanted).abs().max_element() < 0.04,
            "{axis}: {scale}"
        );
        driver.run(HistoryCommand::Undo);
        assert!(file(&driver).pose.is_empty());
    }
}

/// Middle of the bone from a joint to its first child, in the window.
fn bone(driver: &Driver, name: &str) -> Pos2 {
    let skeleton = &file(driver).character.skeleton;
    let joint = skeleton.find(name).expect("a joint");
    let child = skeleton.children(joint).next().expect("a bone");
    let model = model(driver);
    let [a, b] = [joint, child].map(|joint| model.get(joint).translation());
    on_screen(driver, a.midpoint(b))
}

#[test]
fn clicks_with_shift_on_the_skin_add_joints_and_remove_them() {
    let Some((mut driver, _)) = posing("head") else {
        return;
    };
    driver.key(Key::Q);
    let [left, right] = ["left_upper_leg", "right_upper_leg"]
        .map(|name| file(&driver).character.skeleton.find(name).expect(name));
    let at = [
        bone(&driver, "left_upper_leg"),
        bone(&driver, "right_upper_leg"),
    ];
    let click = |driver: &mut Driver, at: Pos2| {
        press(driver, at);
        release(driver, at);
    };
    click(&mut driver, at[0]);
    assert_eq!(driver.state().selected_joints(), [left]);
    driver.0.event(Event::ModifiersChanged(Modifiers::SHIFT));
    click(&mut driver, at[1]);
    assert_eq!(driver.state().selected_joints(), [right, left]);
    click(&mut driver, at[1]);
    assert_eq!(driver.state().selected_joints(), [left]);
    driver.0.event(Event::ModifiersChanged(Modifiers::NONE));
    click(&mut driver, at[1]);
    assert_eq!(driver.state().selected_joints(), [right]);
}

#[test]
fn a_chain_is_reset_and_what_is_above_it_stays() {
    let Some((mut driver, arm)) = posing("left_upper_arm") else {
        return;
    };
    let posed = ["spine_1", "left_upper_arm", "left_lower_arm", "left_hand"];
    let posed = posed.map(|name| file(&driver).character.skeleton.find(name).expect(name));
    for joint in posed {
        let rotation = Quat::from_rotation_x(0.2);
        driver.run(PoseCommand::Turn { joint, rotation });
    }
    assert!(
        posed
            .iter()
            .all(|joint| file(&driver).pose.contains_key(joint))
    );
    let keys = Modifiers::SHIFT | Modifiers::ALT;
    driver.0.key_press_modifiers(keys, Key::R);
    driver.frames(2);
    let left: Vec<usize> = file(&driver).pose.keys().copied().collect();
    assert_eq!(left, [posed[0]]);
    assert_eq!(driver.state().selection, Selection::Joint(arm));
    driver.run(HistoryCommand::Undo);
    assert_eq!(file(&driver).pose.len(), 4);
}
