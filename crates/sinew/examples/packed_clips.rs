//! Packs clips with an error of 0.1 mm, writes a `.sinew` file and plays the packed clips.

use sinew::clip::packed::PackedFile;
use sinew::{Method, Rig};
use sinew_pack::{PackOptions, file_bytes, pack};
use sinew_samples::mannequin::Mannequin;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let person = Mannequin::default().build();
    let mut packed = Vec::new();
    for clip in &person.clips {
        let done = pack(&person.skeleton, clip, &PackOptions::default())?;
        let off_mm = 1000.0 * done.report.measured_error;
        println!(
            "{:16} {:6} bytes, off by {off_mm:.3} mm at most",
            clip.name, done.report.motion_bytes
        );
        assert!(done.report.measured_error <= 1e-4);
        packed.push(done.clip);
    }
    // A build pipeline writes this file, and a game reads it.
    let bytes = file_bytes(&person.skeleton, &packed.iter().collect::<Vec<_>>())?;
    println!("{} bytes in all", bytes.len());
    let file = PackedFile::from_bytes(&bytes)?;

    let rig = Rig::with_packed(&person, Method::DualQuat, file)?;
    let mut hero = rig.actor();
    let mut player = rig.player("walk")?;
    for _frame in 0..60 {
        player.advance(1.0 / 60.0, |_| {});
        hero.sample(&player)?;
    }
    let hand = hero.socket("left_hand")?;
    println!(
        "after a second the left hand is at {:.2}",
        hand.translation()
    );
    Ok(())
}
