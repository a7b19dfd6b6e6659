//! Measurements of a capture of 4,500 frames × 38 joints.

use super::*;
use crate::clock::Clock;
use egui::{MouseWheelSource, MouseWheelUnit, TouchPhase, Vec2};
use sinew_view::WindowCommand;
use sinew_view::state::PanelKind;
use std::fmt::Write;
use std::time::{Duration, Instant};

const JOINTS: usize = 38;
const EVENTS: usize = 40;

/// BVH of a chain of joints that all rotate.
fn capture(frames: usize) -> String {
    let mut text = String::from("HIERARCHY\n");
    for joint in 0..JOINTS {
        let (kind, channels) = match joint {
            0 => ("ROOT", "6 Xposition Yposition Zposition"),
            _ => ("JOINT", "3"),
        };
        let _ = write!(
            text,
            "{kind} j{joint}\n{{\nOFFSET 0 10 0\nCHANNELS {channels} Zrotation Xrotation Yrotation\n"
        );
    }
    text += "End Site\n{\nOFFSET 0 10 0\n}\n";
    text += &"}\n".repeat(JOINTS);
    let _ = write!(text, "MOTION\nFrames: {frames}\nFrame Time: 0.0333333\n");
    for frame in 0..frames {
        text += "0 90 0";
        for joint in 0..JOINTS {
            let angle = 10.0 * (frame as f32 * 0.05 + joint as f32).sin();
            let _ = write!(text, " {angle:.3} {:.3} 0", 0.5 * angle);
        }
        text += "\n";
    }
    text
}

/// Window of a capture that stands still, with all rows of the dope sheet.
fn opened(frames: usize) -> Option<Driver> {
    let name = format!("sinew-view-speed-{}-{frames}.bvh", std::process::id());
    let path = std::env::temp_dir().join(name);
    std::fs::write(&path, capture(frames)).expect("a file");
    let mut driver = Driver::new(Session::opening([path.clone()]))?;
    driver.wait();
    let _ = std::fs::remove_file(&path);
    driver.run(PlaybackCommand::Pause);
    driver.click("All rows");
    rest(&mut driver);
    Some(driver)
}

/// Prints the CPU time of this thread, and the time that passes, of an event.
fn measure(name: &str, mut event: impl FnMut(usize)) {
    let (own, all) = (Clock::start(), Instant::now());
    (0..EVENTS).for_each(&mut event);
    let ms = |time: Duration| time.as_secs_f64() * 1000.0 / EVENTS as f64;
    let (own, all) = (ms(own.elapsed()), ms(all.elapsed()));
    println!("{name}: {own:.2} ms of this thread, {all:.2} ms pass");
}

/// Presses a key of a row and moves it, without a release. With Ctrl, because all frames have keys.
fn grab(driver: &mut Driver, row: &str) -> Pos2 {
    let at = spot(driver, row, 10.0 / 30.0);
    driver.0.event(Event::ModifiersChanged(CTRL));
    driver.0.hover_at(at);
    driver.frames(1);
    driver.0.drag_at(at);
    driver.frames(1);
    driver.0.hover_at(at + Vec2::new(7.0, 0.0));
    driver.frames(1);
    at
}

/// Ends a drag of [`grab`].
fn release(driver: &mut Driver, at: Pos2) {
    driver.0.drop_at(at);
    driver.0.event(Event::ModifiersChanged(Modifiers::NONE));
    driver.frames(2);
}

/// Goes on until the picture is refined.
fn rest(driver: &mut Driver) {
    while !driver.0.state().viewer.is_done() {
        driver.frames(1);
    }
}

/// Scrolls over the timeline.
fn scroll(driver: &mut Driver, event: usize) {
    let y = if event % 20 < 10 { -20.0 } else { 20.0 };
    driver.0.event(Event::MouseWheel {
        unit: MouseWheelUnit::Point,
        delta: Vec2::new(0.0, y),
        modifiers: Modifiers::NONE,
        phase: TouchPhase::Move,
        source: MouseWheelSource::Unknown,
    });
    driver.frames(1);
}

/// Prints the time per event of scrolling, scrubbing and dragging, with and without the timeline. Run it in release:
///
/// `cargo test --release -p sinew-view --test main time_of_a_large_dope_sheet -- --ignored --nocapture`
#[test]
#[ignore = "a measurement"]
fn time_of_a_large_dope_sheet() {
    let Some(mut driver) = opened(4500) else {
        return;
    };
    let keys: usize = clip(&driver).tracks().map(Track::keys).sum();
    println!("{} joints, {keys} keys", clip(&driver).joints.len());
    let all = spot(&driver, "All keys", 10.0);
    driver.0.hover_at(all);
    driver.frames(2);
    measure("frame that stands still", |_| driver.frames(1));
    measure("scrolling the dope sheet", |event| {
        scroll(&mut driver, event);
    });
    rest(&mut driver);
    let along = |event: usize| Vec2::new(10.0 + (event % 7) as f32 * 0.37, 0.0);
    let ruler = driver.0.get_by_label("Time").rect().center();
    driver.0.drag_at(ruler);
    driver.frames(2);
    measure("scrubbing", |event| {
        driver.0.hover_at(ruler + along(event));
        driver.frames(1);
    });
    driver.0.drop_at(ruler);
    rest(&mut driver);
    for (row, name) in [("All keys", "a whole pose"), ("j0", "a key of one joint")] {
        let at = grab(&mut driver, row);
        measure(&format!("dragging {name}"), |event| {
            driver.0.hover_at(at + along(event));
            driver.frames(1);
        });
        release(&mut driver, at);
    }
    driver.click("j3");
    driver.click("Curves");
    rest(&mut driver);
    measure("frame with curves of a joint", |_| driver.frames(1));
    press(&mut driver, Modifiers::NONE, Key::Escape);
    press(&mut driver, CTRL, Key::A);
    rest(&mut driver);
    measure("frame with all curves", |_| driver.frames(1));
    let panel = PanelKind::Timeline;
    driver.run(WindowCommand::Panel { panel, on: false });
    rest(&mut driver);
    measure("frame without the timeline", |_| driver.frames(1));
}
