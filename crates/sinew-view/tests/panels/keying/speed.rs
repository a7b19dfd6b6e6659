//! Measurements of a capture of 4,500 frames × 38 joints.

use super::*;
use egui::{MouseWheelSource, MouseWheelUnit, TouchPhase, Vec2};
use sinew_view::WindowCommand;
use sinew_view::state::PanelKind;
use std::fmt::Write;
use std::time::Instant;

const JOINTS: usize = 38;
const FRAMES: usize = 4500;
const EVENTS: usize = 40;

/// BVH of a chain of joints that all rotate.
fn capture() -> String {
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
    let _ = write!(text, "MOTION\nFrames: {FRAMES}\nFrame Time: 0.0333333\n");
    for frame in 0..FRAMES {
        text += "0 90 0";
        for joint in 0..JOINTS {
            let angle = 10.0 * (frame as f32 * 0.05 + joint as f32).sin();
            let _ = write!(text, " {angle:.3} {:.3} 0", 0.5 * angle);
        }
        text += "\n";
    }
    text
}

fn measure(name: &str, mut event: impl FnMut(usize)) -> f64 {
    let start = Instant::now();
    (0..EVENTS).for_each(&mut event);
    let ms = start.elapsed().as_secs_f64() * 1000.0 / EVENTS as f64;
    println!("{name}: {ms:.2} ms per event");
    ms
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

/// Prints the time per event of scrolling and dragging, with and without the timeline. Run it in release:
///
/// `cargo test --release -p sinew-view --test main time_of_a_large_dope_sheet -- --ignored --nocapture`
#[test]
#[ignore = "a measurement"]
fn time_of_a_large_dope_sheet() {
    let path = std::env::temp_dir().join(format!("sinew-view-speed-{}.bvh", std::process::id()));
    std::fs::write(&path, capture()).expect("a file");
    let Some(mut driver) = Driver::new(Session::opening([path.clone()])) else {
        return;
    };
    driver.wait();
    let _ = std::fs::remove_file(&path);
    driver.run(PlaybackCommand::Pause);
    let keys: usize = clip(&driver).tracks().map(Track::keys).sum();
    println!("{} joints, {keys} keys", clip(&driver).joints.len());
    driver.click("All rows");
    driver.frames(40);
    let all = spot(&driver, "All keys", 10.0);
    driver.0.hover_at(all);
    driver.frames(2);
    measure("frame that stands still", |_| driver.frames(1));
    measure("scrolling the dope sheet", |event| {
        scroll(&mut driver, event);
    });
    driver.frames(40);
    for (row, name) in [("All keys", "a whole pose"), ("j0", "a key of one joint")] {
        let at = spot(&driver, row, 10.0);
        driver.0.hover_at(at);
        driver.frames(1);
        driver.0.drag_at(at);
        driver.frames(1);
        driver.0.hover_at(at + Vec2::new(12.0, 0.0));
        driver.frames(1);
        measure(&format!("dragging {name}"), |event| {
            let x = 10.0 + (event % 7) as f32 * 0.37;
            driver.0.hover_at(at + Vec2::new(x, 0.0));
            driver.frames(1);
        });
        driver.0.drop_at(at);
        driver.frames(2);
    }
    driver.click("j3");
    driver.click("Curves");
    driver.frames(10);
    measure("frame with curves of a joint", |_| driver.frames(1));
    press(&mut driver, Modifiers::NONE, Key::Escape);
    press(&mut driver, CTRL, Key::A);
    driver.frames(10);
    measure("frame with all curves", |_| driver.frames(1));
    let panel = PanelKind::Timeline;
    driver.run(WindowCommand::Panel { panel, on: false });
    driver.frames(40);
    measure("frame without the timeline", |_| driver.frames(1));
}
