//! Named curves of a clip.

use super::*;
use egui::Vec2;
use sinew::clip::Curve;

fn curve(driver: &Driver) -> &Curve {
    clip(driver).curves.first().expect("a curve")
}

/// Position of a time in the graph of a curve, at half its height.
fn middle(driver: &Driver, name: &str, time_secs: f32) -> Pos2 {
    let x = spot(driver, "All keys", time_secs).x;
    let graph = driver.0.get_by_label(&format!("Curve {name}")).rect();
    Pos2::new(x, graph.center().y)
}

#[test]
fn a_curve_is_made_dragged_and_deleted() {
    let Some((mut driver, _)) = keyed() else {
        return;
    };
    seek(&mut driver, 0.0);
    driver.click("Named curves");
    write(&mut driver, "Curve name", "blink");
    driver.click("Set curve key");
    assert_eq!(curve(&driver).name, "blink");
    assert_eq!(curve(&driver).track.times()[..], [0.0]);
    assert_eq!(curve(&driver).track.key(0), [1.0]);
    driver.click("Named curves");
    driver.frames(3);
    // A click with Ctrl adds a key at the height of the pointer: the middle is the value 1.
    let at = middle(&driver, "blink", 0.5);
    driver.0.event(Event::ModifiersChanged(CTRL));
    click_at(&mut driver, at);
    driver.0.event(Event::ModifiersChanged(Modifiers::NONE));
    driver.frames(1);
    assert_eq!(curve(&driver).track.times()[..], [0.0, 0.5]);
    assert!((curve(&driver).track.key(1)[0] - 1.0).abs() < 0.03);
    // The graph of 30 points shows values from 0.5 to 1.5 on 20 of them, so 10 points up add 0.5.
    let at = middle(&driver, "blink", 0.5);
    let done = steps(&driver);
    drag(&mut driver, at, at - Vec2::new(0.0, 10.0));
    let value = curve(&driver).track.key(1)[0];
    assert!((value - 1.5).abs() < 0.05, "{value}");
    assert_eq!(steps(&driver), done + 1);
    press(&mut driver, CTRL, Key::Z);
    let to = middle(&driver, "blink", 0.8);
    drag(&mut driver, at, to);
    assert_eq!(curve(&driver).track.times()[..], [0.0, 0.8]);
    let at = middle(&driver, "blink", 0.8);
    driver.0.event(Event::ModifiersChanged(Modifiers::ALT));
    click_at(&mut driver, at);
    driver.0.event(Event::ModifiersChanged(Modifiers::NONE));
    driver.frames(1);
    assert_eq!(curve(&driver).track.times()[..], [0.0]);
    driver.click("Named curves");
    write(&mut driver, "New curve name", "wink");
    driver.click("Rename curve");
    assert_eq!(curve(&driver).name, "wink");
    driver.click("Delete curve");
    assert!(clip(&driver).curves.is_empty());
}
