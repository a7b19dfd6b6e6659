//! Frames continue while a large file loads.

use super::{Folder, check};
use sinew::mesh::shapes;
use sinew::{Influences, Mesh};
use sinew_view::Session;
use std::fs;
use std::sync::Arc;

fn worked_ms() -> f64 {
    // The kernel updates the time when the thread yields.
    std::thread::yield_now();
    let text = fs::read_to_string("/proc/thread-self/schedstat").expect("Linux");
    let nanoseconds = text.split(' ').next().expect("the first number");
    nanoseconds.parse::<f64>().expect("a number") * 1e-6
}

#[test]
fn frames_go_on_while_fifty_megabytes_are_read() {
    let folder = Folder::new("large");
    let mut limb = sinew_samples::tube_character();
    let mut ball = shapes::sphere(1.0, 760, 1000);
    let lists: Vec<Vec<(u16, f32)>> = (0..ball.len())
        .map(|v| vec![(0, 0.25), ((v % 2) as u16, 0.75)])
        .collect();
    let influences = Influences::from_lists(&lists, limb.skins[0].joints.len());
    ball.influences = Some(Arc::new(influences.expect("two joints").0));
    limb.meshes[0] = Mesh {
        primitives: vec![ball],
        ..limb.meshes[0].clone()
    };
    let path = folder.path("large.glb");
    sinew_io::save(&path, &limb).expect("a file");
    let megabytes = fs::metadata(&path).expect("it").len() / 1_000_000;
    assert!(megabytes >= 50, "{megabytes} MB");
    drop(limb);

    let mut session = Session::opening([path]);
    let (mut longest, mut frames) = (0.0_f64, 0);
    let mut after = 0;
    while after < 10 {
        let before = worked_ms();
        session.advance(1.0 / 60.0);
        assert!(session.figure(0).is_some());
        longest = longest.max(worked_ms() - before);
        frames += 1;
        after += usize::from(!session.is_busy());
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    check(&session);
    assert_eq!(session.document().files()[0].name, "large.glb");
    println!("{megabytes} MB in {frames} frames, the longest worked {longest:.2} ms");
    assert!(frames > 20, "{frames} frames: it was waited for");
    assert!(longest < 16.0, "{longest} ms");
}
