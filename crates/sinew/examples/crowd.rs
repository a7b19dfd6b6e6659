//! Poses a thousand characters at different times of one packed walk, in shared memory.

use sinew::{Affine, Crowd};
use sinew_pack::{PackOptions, pack};
use sinew_samples::mannequin::Mannequin;
use std::time::Instant;

const PEOPLE: usize = 1000;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let person = Mannequin::default().build();
    let skeleton = &person.skeleton;
    let walk = person.find_clip("walk").ok_or("no walk")?;
    let walk = pack(skeleton, &person.clips[walk], &PackOptions::default())?.clip;
    let duration = f64::from(walk.duration_secs());

    let mut crowd = Crowd::new(skeleton);
    let mut maps = vec![Affine::IDENTITY; PEOPLE * skeleton.len()];
    let begin = Instant::now();
    for frame in 0..10 {
        crowd.pose(&mut maps, |who, pose| {
            let time_secs = f64::from(frame) / 60.0 + 0.37 * who as f64;
            walk.sample(time_secs % duration, pose);
        })?;
    }
    let each = begin.elapsed() / (10 * PEOPLE) as u32;
    println!(
        "{PEOPLE} people of {} joints, {each:?} each",
        skeleton.len()
    );

    let head = skeleton.find("head").ok_or("no head")?;
    let heads = maps
        .chunks(skeleton.len())
        .map(|person| person[head].translation().y);
    assert!(heads.clone().all(|height| (1.3..1.9).contains(&height)));
    Ok(())
}
